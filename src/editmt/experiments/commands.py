"""Steps that are commands of their own: prepare, train, distil, export; one by one, or side by side."""

import contextlib
import ctypes
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import NamedTuple

from editmt.errors import InputError
from editmt.experiments.estimates import GAIN_SIDE_BY_SIDE
from editmt.experiments.places import Places, fingerprint, read_stamp, write_stamp
from editmt.experiments.step import ShellCommand, State, Step
from editmt.records import JsonObject

PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None)
SIGNALS = (signal.SIGTERM, signal.SIGINT)
LOOK_SECONDS = 0.05
"""How often to look whether a command has ended."""


@dataclass(frozen=True, eq=False)
class CommandStep(Step):
    """A command that makes one thing, whole or not at all.

    makes
        What is there if and only if the command is done.
    settings, files
        What the product depends on: were they others, it would have to be made anew.
    begun
        What is there once the command has begun, and can go on.
    checks_itself
        Whether the command, given again, checks what is there and does nothing: so a run that somebody
        else has made is taken over.
    """

    name: str
    places: Places
    command: ShellCommand
    makes: Path
    settings: JsonObject
    files: tuple[Path, ...] = ()
    begun: Path | None = None
    checks_itself: bool = False
    estimate: float | None = None

    def state(self) -> State:
        """Look for the product."""
        if self.makes.exists():
            return "done" if read_stamp(self._stamp) in (None, self._fingerprint()) else "stale"
        return "begun" if self.begun is not None and self.begun.exists() else "to do"

    def run(self) -> None:
        """Run the command unless its product is there; note what it was made from."""
        if self.is_wanted():
            run_command(self.command, self.log)
        self.note()

    def is_wanted(self) -> bool:
        """Tell whether the command is to be run; a product of something else is refused."""
        before = read_stamp(self._stamp)
        if self.makes.exists() and before not in (None, self._fingerprint()):
            raise InputError(
                f"{self.makes}: was made from something else (the task, a configuration, data or a run has "
                "changed since): remove it to make it anew"
            )
        return not self.makes.exists() or (self.checks_itself and before is None)

    def note(self) -> None:
        """Note what the product, which is there now, was made from."""
        if not self.makes.exists():
            raise InputError(f"{self.makes}: is not there, though {self.name} said it was done")
        if read_stamp(self._stamp) != (made_from := self._fingerprint()):
            write_stamp(self._stamp, made_from)

    def seconds(self) -> float | None:
        """The estimate that it was made with."""
        return self.estimate

    def commands(self) -> list[ShellCommand]:
        """The one command."""
        return [self.command]

    @property
    def log(self) -> Path:
        """Where what the command says goes."""
        return self.places.log(self.name)

    @property
    def _stamp(self) -> Path:
        return self.places.stamp(self.name)

    def _fingerprint(self) -> str:
        return fingerprint(self.settings, self.files)


@dataclass(frozen=True, eq=False)
class SideBySide(Step):
    """Steps of which none needs another, so many at a time.

    On two cores two trainings of a thread each make 1.4 times the steps of one with two.
    """

    name: str
    places: Places
    steps: Sequence[CommandStep]
    at_once: int

    def state(self) -> State:
        """Look at all of them."""
        states = {step.state() for step in self.steps}
        if "stale" in states:
            return "stale"
        return states.pop() if len(states) == 1 else "begun"

    def run(self) -> None:
        """Run what is to be run."""
        wanted = [step for step in self.steps if step.is_wanted()]
        run_commands([(step.command, step.log) for step in wanted], self.at_once)
        for step in self.steps:
            step.note()

    def seconds(self) -> float | None:
        """What they would take one after the other, less what that gains."""
        each = [step.seconds() for step in self.steps]
        return None if None in each else sum(filter(None, each)) / GAIN_SIDE_BY_SIDE

    def commands(self) -> list[ShellCommand]:
        """All of their commands."""
        return [command for step in self.steps for command in step.commands()]


class _Running(NamedTuple):
    """A command under way."""

    command: ShellCommand
    log: Path
    begin: int  # of what it says, in its log
    child: "subprocess.Popen[bytes]"


def run_command(command: ShellCommand, log: Path) -> None:
    """Run a command, what it says going to a log; a failure is told with its last line."""
    run_commands([(command, log)])


def run_commands(commands: Sequence[tuple[ShellCommand, Path]], at_once: int = 1) -> None:
    """Run commands, each with its log, so many at a time; where one fails the others are told to stop.

    They end with us, even if we are killed, and have the lock until they have ended: who comes after us
    waits.
    """
    waiting, running = deque(commands), list[_Running]()
    failed: list[_Running] = []
    with _pass_on(running) as came:
        while running or (waiting and not (came or failed)):
            while waiting and len(running) < at_once and not (came or failed):
                running.append(_start(*waiting.popleft()))
            time.sleep(LOOK_SECONDS)
            for each in [each for each in running if each.child.poll() is not None]:
                running.remove(each)
                if each.child.returncode and not (came or failed):
                    failed.append(each)
                    for other in running:
                        other.child.terminate()
    if came:
        print("editmt: stopped; the same command goes on", file=sys.stderr)
        raise SystemExit(128 + came[0])
    for each in failed:
        said = _last_line(each.log, each.begin)
        raise InputError(f"{shown(each.command)}: failed: {said} (all it said: {each.log})")


def _start(command: ShellCommand, log: Path) -> _Running:
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("ab") as said:
        begin = said.tell()
        child = subprocess.Popen(
            _executable(command.words),
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            start_new_session=True,  # what kills us, all at once, must not hit it while it writes
            close_fds=False,  # the lock is inherited
            preexec_fn=_end_with_parent,  # noqa: PLW1509 - one call of the kernel, which takes no lock
        )
        return _Running(command, log, begin, child)


def shown(command: ShellCommand) -> str:
    """Return the command's name: the words before its arguments."""
    place = command.words.index("editmt") if "editmt" in command.words else 0
    return " ".join(command.words[place : place + 2])


def _executable(words: tuple[str, ...]) -> list[str]:
    """Return what to start: this Python's own `editmt` and torchrun, whatever the path says."""
    if words[0] == "torchrun":
        return [sys.executable, "-m", "torch.distributed.run", *words[1:]]
    return [sys.executable, "-m", *words]


def _end_with_parent() -> None:
    """Ask the kernel to tell this process, by SIGTERM, that its parent has died (Linux only)."""
    if hasattr(LIBC, "prctl"):
        LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


@contextlib.contextmanager
def _pass_on(running: list[_Running]) -> Iterator[list[int]]:
    """Pass signals on to whatever runs, so that it can save; gives those that came."""
    came: list[int] = []

    def hear(number: int, _frame: FrameType | None) -> None:
        came.append(number)
        for each in running:
            each.child.terminate()

    before = {number: signal.signal(number, hear) for number in SIGNALS}
    try:
        yield came
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _last_line(log: Path, begin: int) -> str:
    """Return the last line of ours, or of anybody's, that was said since the log had so many bytes."""
    lines = log.read_bytes()[begin:].decode("utf-8", errors="replace").split("\n")
    ours = [line for line in lines if line.startswith("editmt: ")]
    return (ours or [line for line in lines if line.strip()] or ["it said nothing"])[-1].removeprefix(
        "editmt: "
    )
