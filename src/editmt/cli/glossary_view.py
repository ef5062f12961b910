"""What a glossary holds, and what it finds, as lines of text."""

from collections import Counter
from collections.abc import Iterable, Iterator

from editmt.records import write_json_line
from editmt.text.glossary import Glossary
from editmt.text.glossary.entry import Problem
from editmt.text.glossary.matching import Match

MOST_AGAIN = 5
"""Rows that are used of which the same is told."""


def describe_glossary(glossary: Glossary) -> str:
    """Return one line: how many entries of which languages, and of which kinds."""
    pairs = ", ".join(
        f"{source or '?'} → {target or '?'}: {count:,}" for (source, target), count in glossary.pairs.items()
    )
    kinds: Counter[str] = Counter(target.status for entry in glossary.entries for target in entry.targets)
    kinds["do not translate"] = sum(entry.verbatim for entry in glossary.entries)
    kinds["without a target"] = sum(not entry.targets and not entry.verbatim for entry in glossary.entries)
    told = ", ".join(f"{count:,} {kind}" for kind, count in kinds.items() if count)
    return f"{len(glossary.entries):,} entries ({pairs}); {told}"


def describe_problems(problems: Iterable[Problem]) -> Iterator[str]:
    """Yield a line for each problem; of what is said again of rows that are used, the first few.

    A glossary of forty languages may lack one of them in most of its entries.
    """
    again: Counter[str] = Counter()
    for problem in problems:
        again[problem.reason] += problem.used
        if again[problem.reason] <= MOST_AGAIN:
            yield str(problem)
    for reason, count in again.items():
        if count > MOST_AGAIN:
            yield f"{count - MOST_AGAIN:,} more: {reason}"


def show_matches(glossary: Glossary, line: str, number: int, *, as_json: bool) -> Iterator[str]:
    """Yield a line for each match, or an object for all of them."""
    applied = glossary.find(line)
    others = [match for match in glossary.find_all(line) if match not in applied]
    matches = sorted([*applied, *others], key=lambda match: match.span)
    if as_json:
        terms = [_describe(match) | {"applied": match in applied} for match in matches]
        yield write_json_line({"source": line, "terms": terms})
        return
    for match in matches:
        start, end = match.span
        note = "" if match in applied else "\t(within or across a longer term)"
        yield f"{number}:{start}-{end}\t{match.text}\t{_targets(match)}{note}"


def _targets(match: Match) -> str:
    if match.verbatim:
        return "(do not translate)"
    return " | ".join([*match.wanted, *(f"not: {form}" for form in match.forbidden)])


def _describe(match: Match) -> dict[str, object]:
    return {
        "source": match.text,
        "span": list(match.span),
        "entry": match.entries[0].source,
        "how": match.how,
        "targets": list(match.wanted),
        "forbidden": list(match.forbidden),
        "verbatim": match.verbatim,
    }
