"""Sentences to look at: where EDITOR and the Levenshtein Transformer part, both ways, with their traces."""

from collections.abc import Mapping
from pathlib import Path

from editmt.data.lines import read_lines
from editmt.evaluation.metric import Segment
from editmt.evaluation.overlap import Chrf
from editmt.evaluation.systems import read_records
from editmt.experiments.conditions import CONSTRAINED, Condition, sample_names
from editmt.experiments.scoring import Scorer
from editmt.records import JsonObject

FEWEST_WORDS, MOST_WORDS = 6, 22
"""Of a reference: short enough to be read, long enough to be edited."""


def choose_examples(scorer: Scorer) -> list[JsonObject]:
    """Return the sentences where one is furthest ahead by chrF: EDITOR three times, LevT once, of each four.

    The constraints are the first sample's; nothing is chosen where both models have not been run.
    """
    editor, levenshtein = (_soft(model) for model in ("editor", "levenshtein"))
    task = scorer.places.task
    name = sample_names(task, "soft")[0]
    sides = [scorer.segments(condition, name) for condition in (editor, levenshtein)]
    if sides[0] is None or sides[1] is None:
        return []
    gains = _gains(sides[0], sides[1])
    ahead = sorted(gains, key=lambda number: (-gains[number], number))
    behind = task.examples // 4
    chosen = [*ahead[: task.examples - behind], *reversed(ahead[len(ahead) - behind :])]
    sources = list(read_lines(task.test_files[0]))
    paths = {
        condition.name: scorer.places.answers(condition.name, name)
        for condition in _shown(scorer)
        if scorer.segments(condition, name) is not None
    }
    answers = _read_answers(paths, set(chosen))
    return [_example(number, sides[0][number], sources[number], answers[number]) for number in chosen]


def _soft(model: str) -> Condition:
    return next(each for each in CONSTRAINED if each.model == model and each.wish == "soft")


def _shown(scorer: Scorer) -> list[Condition]:
    """Return the conditions whose outputs are shown side by side, all given the same requests."""
    return [each for each in CONSTRAINED if each.wish == "soft" and each.model in scorer.models]


def _gains(editor: list[Segment], levenshtein: list[Segment]) -> dict[int, float]:
    """Return by how much EDITOR is ahead, for readable sentences that it moved something in."""
    chrf = Chrf()
    return {
        number: chrf.corpus_score([ours]) - chrf.corpus_score([theirs])
        for number, (ours, theirs) in enumerate(zip(editor, levenshtein, strict=True))
        if FEWEST_WORDS <= len(ours.reference_words) <= MOST_WORDS
        and ours.effort is not None
        and ours.effort.repositions > 0
    }


def _read_answers(paths: Mapping[str, Path], numbers: set[int]) -> dict[int, dict[str, JsonObject]]:
    answers: dict[int, dict[str, JsonObject]] = {number: {} for number in numbers}
    for name, path in paths.items():
        for number, record in read_records(path):
            if number - 1 in numbers:
                answers[number - 1][name] = record
    return answers


def _example(number: int, segment: Segment, source: str, answers: Mapping[str, JsonObject]) -> JsonObject:
    return {
        "line": number + 1,
        "source": source,
        "reference": segment.reference,
        "constraints": [forms[0] for forms in segment.constraints],
        "answers": {
            name: {key: answer.get(key) for key in ("text", "iterations", "counts", "trace")}
            for name, answer in answers.items()
        },
    }
