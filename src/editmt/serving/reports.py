"""What the log says of a mistake of our own."""

import logging
import traceback


def report(error: Exception, log: logging.Logger) -> None:
    """Log where something broke, and not on what: messages may quote a user's text."""
    frames = traceback.extract_tb(error.__traceback__)
    places = " ← ".join(f"{frame.name} ({frame.filename}:{frame.lineno})" for frame in reversed(frames))
    log.error("%s in %s", type(error).__name__, places)
