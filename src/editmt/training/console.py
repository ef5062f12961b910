"""What a person sees of a run: a progress bar in a terminal, a line now and then elsewhere."""

import sys
import time
from types import TracebackType
from typing import Self

from rich.console import Console as RichConsole
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from torch import Tensor

from editmt.config import Config
from editmt.training.distributed import Ranks

REFRESH_SECONDS = 1.0
LINE_SECONDS = 60.0


class Console:
    """Shows loss per head, speed and time left; only rank 0 speaks."""

    def __init__(self, config: Config, ranks: Ranks) -> None:
        self._speaks = ranks.leads
        self._steps = config.run.steps
        self._tokens = config.data.batch_tokens
        self._rich = RichConsole(stderr=True)
        self._terminal = self._speaks and self._rich.is_terminal
        self._bar = Progress(
            TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
            console=self._rich, disable=not self._terminal,
        )  # fmt: skip
        self._task = self._bar.add_task("training", total=self._steps)
        self._first_step = 0
        self._started = self._shown = time.monotonic()

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def advance(self, step: int, losses: dict[str, Tensor], pairs: int) -> None:
        """Show how it stands, not more often than anybody can read."""
        now = time.monotonic()
        if not self._first_step:
            self._first_step, self._started, self._shown = step, now, now
        wait = REFRESH_SECONDS if self._terminal else LINE_SECONDS
        if not self._speaks or now - self._shown < wait:
            return
        self._shown = now
        speed = (step - self._first_step) / max(now - self._started, 1e-9)
        text = " ".join(f"{name} {float(loss):.3f}" for name, loss in losses.items())
        text += f" · {speed:.1f} steps/s, about {speed * self._tokens:,.0f} tokens/s"
        if self._terminal:
            self._bar.update(self._task, completed=step, description=text)
        else:
            left = (self._steps - step) / max(speed, 1e-9) / 60
            print(f"step {step}/{self._steps}: {text}, {left:.0f} min left ({pairs} pairs)", file=sys.stderr)

    def say(self, text: str) -> None:
        """Print a line above the bar."""
        if self._speaks:
            self._rich.print(text, highlight=False)
