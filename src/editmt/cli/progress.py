"""A progress bar on a terminal; nothing in a pipe."""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from editmt.data.progress import Progress as Report
from editmt.data.progress import be_silent


@contextmanager
def show_progress() -> Iterator[Report]:
    """Give a function that draws how far each stage has come, on standard error."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield be_silent
        return
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    tasks: dict[str, TaskID] = {}
    with Progress(*columns, console=console, transient=True) as bars:

        def report(stage: str, done: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = bars.add_task(stage, total=total or None)
            bars.update(tasks[stage], completed=done, total=total or None)

        yield report
