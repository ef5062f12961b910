"""Carrying out a plan: one step after the other, by one process at a time, each only if it is not done."""

import contextlib
import fcntl
import os
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from editmt.errors import InputError
from editmt.experiments.places import Places
from editmt.experiments.step import Step
from editmt.storage import write_text

PATIENCE_SECONDS = 120
"""How long to wait for a command of a reproduction that was killed: it is told to stop, and saves."""

Say = Callable[[str], None]


def run_plan(steps: Sequence[Step], places: Places, say: Say) -> None:
    """Do all steps; what is done is left as it is."""
    with hold(places.lock, say):
        write_commands(steps, places)
        for number, step in enumerate(steps, start=1):
            state = step.state()
            if state != "done":
                say(f"[{number}/{len(steps)}] {step.name}{_about(step)}")
            step.run()


def write_commands(steps: Sequence[Step], places: Places) -> Path:
    """Write the commands of a plan as a script, for those who want to run them by hand."""
    task = places.task
    folders = {path.parent for step in steps for each in step.commands() if (path := each.writes)}
    lines = [
        "#!/usr/bin/env bash",
        f"# {task.title}: what `editmt reproduce {task.name}` does, as commands. It does them all, one",
        "# after the other, loads a model once for all that it decodes, and goes on where it was.",
        "set -euo pipefail",
        *(["mkdir -p " + " ".join(sorted(map(str, folders)))] if folders else []),
    ]
    for step in steps:
        lines += ["", f"# {step.name}", *(command.line for command in step.commands())]
        if not step.commands():
            lines.append(f"# (within `editmt reproduce {task.name}`: there is no command for it alone)")
    path = task.results / "commands.sh"
    path.parent.mkdir(parents=True, exist_ok=True)
    write_text(path, "\n".join(lines) + "\n")
    path.chmod(0o755)
    return path


@contextlib.contextmanager
def hold(lock: Path, say: Say) -> Iterator[None]:
    """Hold the task's lock; commands that we start inherit it, and hold it as long as they live."""
    lock.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(lock, os.O_RDWR | os.O_CREAT)
    try:
        _wait_for(descriptor, lock, say)
        os.set_inheritable(descriptor, True)
        yield
    finally:
        os.close(descriptor)


def _wait_for(descriptor: int, lock: Path, say: Say) -> None:
    limit, told = time.monotonic() + PATIENCE_SECONDS, False
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() > limit:
                raise InputError(f"{lock}: another process works on this task") from None
        if not told:
            say("waiting: another process still works on this task")
            told = True
        time.sleep(0.2)


def _about(step: Step) -> str:
    seconds = step.seconds()
    return "" if seconds is None else f" (about {show_time(seconds)})"


def show_time(seconds: float) -> str:
    """Return a time as people say it.

    >>> show_time(42), show_time(1500), show_time(8100)
    ('1 min', '25 min', '2 h 15 min')
    """
    minutes = max(1, round(seconds / 60))
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02d} min"
