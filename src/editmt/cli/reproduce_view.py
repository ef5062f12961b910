"""What `editmt reproduce --dry-run` shows: the steps, which are done, and about how long the others take."""

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from editmt.experiments.runner import show_time
from editmt.experiments.step import Step
from editmt.experiments.task import Task

LONGEST_LINE = 1000
STYLES = {"done": "green", "begun": "yellow", "to do": "", "stale": "red"}


def show_plan(steps: Sequence[Step], task: Task) -> None:
    """Print a line for each step, and the sum."""
    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=LONGEST_LINE)
    console.print(Text(task.title, style="bold"))
    longest = max(len(step.name) for step in steps)
    left, unknown = 0.0, False
    for number, step in enumerate(steps, start=1):
        state, seconds = step.state(), step.seconds()
        if state != "done":
            left, unknown = left + (seconds or 0), unknown or seconds is None
        shown = "not known" if seconds is None else show_time(seconds)
        line = Text(f"{number:>3} {step.name:<{longest}}  ")
        line.append(f"{state:<5}", style=STYLES[state]).append(f" {shown:>11}  ")
        console.print(line.append(_command(step), style="dim"), no_wrap=True, overflow="ellipsis")
    _show_rest(console, left, unknown=unknown)


def _show_rest(console: Console, left: float, *, unknown: bool) -> None:
    if unknown:
        console.print("left to do: not known, since nothing was measured on GPUs")
        return
    console.print(f"left to do: {'about ' + show_time(left) if left else 'nothing'}")
    basis = "from speeds measured with both cores free; what is begun counts whole"
    console.print(f"({basis})", style="dim")


def _command(step: Step) -> str:
    commands = step.commands()
    if not commands:
        return ""
    more = f"  (and {len(commands) - 1} more)" if len(commands) > 1 else ""
    return commands[0].line + more
