"""How long work tells how far it has come, without knowing who is listening."""

from collections.abc import Callable
from typing import TypeAlias

Progress: TypeAlias = Callable[[str, int, int], None]
"""Called with the name of a stage, what is done of it, and what there is to do (0: not known)."""


def be_silent(stage: str, done: int, total: int) -> None:
    """Tell nobody."""
