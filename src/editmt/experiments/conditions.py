"""The decoding conditions of the paper's tables and figures, and which requests each one answers."""

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from editmt.config import DecodingConfig
from editmt.experiments.task import Task

Wish = Literal["nothing", "soft", "hard"]
"""What is asked for besides a translation: nothing, or words, as soft or hard constraints."""

BEAMS = (4, 10)
"""The paper's."""


@dataclass(frozen=True)
class Condition:
    """A model and how it decodes.

    A beam search knows no soft constraints: it is given them as they are, and keeps them by dynamic beam
    allocation.
    """

    name: str
    label: str
    model: str
    wish: Wish = "nothing"
    decoding: DecodingConfig = field(default_factory=DecodingConfig)

    @property
    def edits(self) -> bool:
        """Whether the model is non-autoregressive."""
        return self.model not in ("teacher", "distilled")


def _search(name: str, label: str, model: str, beam: int, wish: Wish = "nothing") -> Condition:
    return Condition(name, label, model, wish, DecodingConfig(beam=beam))


TRANSLATION = (
    *(_search(f"ar-beam{beam}", f"AR, beam {beam}", "teacher", beam) for beam in BEAMS),
    _search("ar-distilled-beam10", "AR distilled, beam 10", "distilled", BEAMS[1]),
    Condition("levenshtein", "LevT", "levenshtein"),
    Condition("editor", "EDITOR", "editor"),
)
"""Table 2."""

CONSTRAINED = (
    *(_search(f"dba-beam{beam}", f"AR + DBA, beam {beam}", "teacher", beam, "soft") for beam in BEAMS),
    Condition("levenshtein-soft", "LevT", "levenshtein", "soft"),
    Condition("levenshtein-hard", "LevT + hard constraints", "levenshtein", "hard"),
    Condition("editor-soft", "EDITOR", "editor", "soft"),
    Condition("editor-hard", "EDITOR + hard constraints", "editor", "hard"),
)
"""Table 3."""

_FORESIGHT = DecodingConfig(foresight=1.0)
FORESEEN = (
    Condition("levenshtein-foreseen", "LevT + foresight", "levenshtein", "soft", _FORESIGHT),
    Condition("editor-foreseen", "EDITOR + foresight", "editor", "soft", _FORESIGHT),
    Condition("editor-foreseen-hard", "EDITOR + foresight, hard", "editor", "hard", _FORESIGHT),
)
"""Not in the paper: words start where the model foresees them (`decoding.foresight`), with a strength."""

SINGLE_PATH = Condition("single_path-soft", "EDITOR − dual-path", "single_path", "soft")
ABLATION = (CONSTRAINED[4], SINGLE_PATH, CONSTRAINED[2])
"""Table 5."""

BY_COUNT = (*(condition for condition in CONSTRAINED if condition.wish == "soft"), FORESEEN[1])
"""The figure of BLEU by number of constraints; and that of F1 by frequency."""

TERMINOLOGY = (
    TRANSLATION[0],
    _search("dba-beam4", "AR + DBA, beam 4", "teacher", BEAMS[0], "hard"),
    TRANSLATION[3],
    *CONSTRAINED[2:4],
    TRANSLATION[4],
    *CONSTRAINED[4:],
)
"""Table 6."""


def decoding_of(task: Task, condition: Condition) -> DecodingConfig:
    """Return how a task's models decode under a condition; `decoder_of` adds what is the model's own."""
    if condition in FORESEEN and condition.wish == "soft":
        return dataclasses.replace(condition.decoding, strength=task.strength)
    return condition.decoding


@dataclass(frozen=True)
class Decoding:
    """A condition and the set of requests it is to answer."""

    condition: Condition
    requests: str


def by_strength(task: Task, curve: str) -> list[Condition]:
    """Return the points of a curve of BLEU against CPR: a model's, or that of foresight.

    The point of strength 0 is the model's soft condition.
    """
    foreseen = {each.name: each for each in FORESEEN}.get(curve)
    stem, model = (f"{curve}-soft", curve) if foreseen is None else (curve, foreseen.model)
    return [
        Condition(
            stem if strength == 0 and foreseen is None else f"{stem}-{strength:g}",
            f"{curve}, strength {strength:g}",
            model,
            "soft",
            dataclasses.replace(
                DecodingConfig() if foreseen is None else foreseen.decoding, strength=strength
            ),
        )
        for strength in task.constraints.strengths
    ]


def strength_curves(task: Task) -> tuple[str, ...]:
    """Return the names of all curves of BLEU against CPR.

    With foresight LevT has one, too: which is better can only be told where both keep as many words.
    """
    return ("editor", FORESEEN[1].name, FORESEEN[0].name, *task.variants)


def soft_condition(model: str) -> Condition:
    """Return a model's condition with soft constraints as the paper has them."""
    return Condition(f"{model}-soft", model, model, "soft")


def sample_names(task: Task, wish: Wish) -> list[str]:
    """Return the sets of requests of a table: one for each sample.

    Without constraints there is nothing to sample.
    """
    if wish == "nothing":
        return [wish]
    return [f"{wish}-{number}" for number in range(1, task.constraints.samples + 1)]


def count_name(count: int) -> str:
    """Return the set of requests with so many words each."""
    return f"words-{count}"


def term_name(term_set: str, wish: Wish) -> str:
    """Return the set of requests of a terminology set."""
    return f"terms-{''.join(c if c.isalnum() else '-' for c in term_set.lower())}-{wish}"


def decodings(task: Task, models: set[str]) -> list[Decoding]:
    """Return all that is to be decoded with these models, each once."""
    found: dict[tuple[str, str], Decoding] = {}
    for decoding in _all_decodings(task):
        if decoding.condition.model in models:
            found.setdefault((decoding.condition.name, decoding.requests), decoding)
    return list(found.values())


def _all_decodings(task: Task) -> Iterator[Decoding]:
    for condition in (*TRANSLATION, *CONSTRAINED, *FORESEEN, SINGLE_PATH):
        yield from (Decoding(condition, name) for name in sample_names(task, condition.wish))
    for condition in BY_COUNT:
        yield from (Decoding(condition, count_name(count)) for count in task.constraints.counts)
    for curve in strength_curves(task):
        yield from (Decoding(each, sample_names(task, "soft")[0]) for each in by_strength(task, curve))
    for name in task.variants:
        yield Decoding(Condition(name, name, name), "nothing")
    for term_set in task.terminology:
        yield from (Decoding(each, term_name(term_set.name, each.wish)) for each in TERMINOLOGY)
