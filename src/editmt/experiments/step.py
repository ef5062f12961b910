"""A step of the plan: something that is made once, from other things."""

import shlex
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from editmt.experiments.places import Places

State = Literal["done", "begun", "to do", "stale"]
"""Stale is what was made from something else than there is now."""


@dataclass(frozen=True)
class ShellCommand:
    """A command as a person would type it, with where it reads from and writes to.

    >>> ShellCommand(("editmt", "translate", "--model", "my run"), Path("a"), Path("b")).line
    "editmt translate --model 'my run' < a > b"
    """

    words: tuple[str, ...]
    reads: Path | None = None
    writes: Path | None = None

    @property
    def line(self) -> str:
        """The command as a line for the shell."""
        ends = [
            f"{sign} {shlex.quote(str(path))}"
            for sign, path in (("<", self.reads), (">", self.writes))
            if path
        ]
        return " ".join([shlex.join(self.words), *ends])


class Step(ABC):
    """One line of the plan."""

    name: str
    places: Places

    @abstractmethod
    def state(self) -> State:
        """Whether it is done, for the inputs as they are."""

    @abstractmethod
    def run(self) -> None:
        """Do it, or what is left of it."""

    @abstractmethod
    def seconds(self) -> float | None:
        """About how long it takes from the beginning, if that is known."""

    @abstractmethod
    def commands(self) -> Sequence[ShellCommand]:
        """The commands that do the same; none if there is no such command."""
