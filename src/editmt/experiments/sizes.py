"""How large a task's files are, for estimates of time."""

from pathlib import Path

from editmt.data.recipes import find_recipe
from editmt.experiments.conditions import Wish, count_name, sample_names, term_name
from editmt.experiments.task import Task

WISHES: tuple[Wish, ...] = ("nothing", "soft", "hard")


def training_pairs(task: Task) -> int:
    """Return the number of lines to train on, 0 where the files are not there as text."""
    named = dict(zip(task.prepare, task.prepare[1:], strict=False))
    if "--recipe" not in named:
        return count_lines(Path(named.get("--source", "")))
    parts = find_recipe(named["--recipe"]).splits["train"]
    return sum(count_lines(task.in_mirror(source.file.path)) for source, _ in parts if source.member is None)


def request_counts(task: Task) -> dict[str, int]:
    """Return the number of requests in each set, 0 where its file is not there."""
    lines = count_lines(task.test_files[0])
    counts = {name: lines for wish in WISHES for name in sample_names(task, wish)}
    counts |= {count_name(count): lines for count in task.constraints.counts}
    for term_set in task.terminology:
        size = count_lines(task.in_mirror(term_set.file))
        counts |= {term_name(term_set.name, wish): size for wish in WISHES}
    return counts


def count_lines(path: Path) -> int:
    """Return the number of lines of a file, 0 if there is none."""
    if not path.is_file():
        return 0
    with path.open("rb") as stream:
        return sum(block.count(b"\n") for block in iter(lambda: stream.read(1 << 20), b""))
