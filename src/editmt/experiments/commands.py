"""Steps that are commands of their own: prepare, train, distil, export."""

import contextlib
import ctypes
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from editmt.errors import InputError
from editmt.experiments.places import Places, fingerprint, read_stamp, write_stamp
from editmt.experiments.step import ShellCommand, State, Step
from editmt.records import JsonObject

PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None)
SIGNALS = (signal.SIGTERM, signal.SIGINT)


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
        before = read_stamp(self._stamp)
        if self.makes.exists() and before not in (None, self._fingerprint()):
            raise InputError(
                f"{self.makes}: was made from something else (the task, a configuration, data or a run has "
                "changed since): remove it to make it anew"
            )
        if not self.makes.exists() or (self.checks_itself and before is None):
            run_command(self.command, self.places.log(self.name))
            if not self.makes.exists():
                raise InputError(f"{self.makes}: is not there, though {self.name} said it was done")
        if before != (made_from := self._fingerprint()):
            write_stamp(self._stamp, made_from)

    def seconds(self) -> float | None:
        """The estimate that it was made with."""
        return self.estimate

    def commands(self) -> list[ShellCommand]:
        """The one command."""
        return [self.command]

    @property
    def _stamp(self) -> Path:
        return self.places.stamp(self.name)

    def _fingerprint(self) -> str:
        return fingerprint(self.settings, self.files)


def run_command(command: ShellCommand, log: Path) -> None:
    """Run a command, what it says going to a log; a failure is told with its last line.

    It ends with us, even if we are killed, and has the lock until it has ended: who comes after us waits.
    """
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
        with _pass_on(child) as came:
            code = child.wait()
    if came:
        print("editmt: stopped; the same command goes on", file=sys.stderr)
        raise SystemExit(128 + came[0])
    if code:
        raise InputError(f"{shown(command)}: failed: {_last_line(log, begin)} (all it said: {log})")


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
def _pass_on(child: "subprocess.Popen[bytes]") -> Iterator[list[int]]:
    """Pass signals on to the child, so that it can save; gives those that came."""
    came: list[int] = []

    def hear(number: int, _frame: FrameType | None) -> None:
        came.append(number)
        child.send_signal(signal.SIGTERM)

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
