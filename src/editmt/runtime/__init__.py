"""Translation without torch: models written for other runtimes, and the searches that run there."""

EXPORT_FILE = "export.json"
"""Tells an exported model's folder, and what was exported: its shape, and how its weights are written."""
