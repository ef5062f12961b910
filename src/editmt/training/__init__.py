"""Training: dual-path imitation learning, the loop around it, checkpoints, distillation."""
