"""Decoding: refinement of canvases by a policy, and beam search."""
