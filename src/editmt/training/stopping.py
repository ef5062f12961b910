"""SIGTERM and Ctrl-C: heard at once, answered where a run can be left."""

import contextlib
import signal
from collections.abc import Iterator
from types import FrameType, TracebackType
from typing import Any, Self


class Stopped(Exception):  # noqa: N818 - no error: somebody asked for it
    """A signal came, and everything is saved."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.exit_code = 128 + number  # as the shell says it: 143 for SIGTERM, 130 for Ctrl-C


class Stopper:
    """Notes the signal that came last; while it is entered, the process does not die of it."""

    def __init__(self) -> None:
        self.signal = 0  # 0 = none
        self._breakable = False
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Self:
        for number in (signal.SIGTERM, signal.SIGINT):
            self._before[number] = signal.signal(number, self._hear)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    @contextlib.contextmanager
    def breakable(self) -> Iterator[None]:
        """Let a signal break off the block: a long computation that changes nothing and can be done again."""
        self._breakable = True
        try:
            if self.signal:
                raise Stopped(self.signal)
            yield
        finally:
            self._breakable = False

    def _hear(self, number: int, _frame: FrameType | None) -> None:
        self.signal = number
        if self._breakable:
            self._breakable = False
            raise Stopped(number)
