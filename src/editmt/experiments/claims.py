"""Where the paper's ordering holds and where not: each of its claims, with our difference and p-value."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from editmt.evaluation.significance import LEVEL
from editmt.experiments import paper_numbers
from editmt.experiments.conditions import CONSTRAINED, FORESEEN, SINGLE_PATH, TRANSLATION
from editmt.records import JsonObject

Comparison = Literal["translation", "constrained"]
Verdict = Literal["holds", "holds, not significantly", "fails, not significantly", "fails", "not run"]


@dataclass(frozen=True)
class Claim:
    """One condition is above another by a metric (or below it, where less is better)."""

    text: str
    comparison: Comparison
    metric: str
    better: str
    worse: str
    less: bool = False


CLAIMS = (
    *(
        Claim(f"EDITOR uses soft constraints better than LevT: {title}", "constrained", metric,
              "editor-soft", "levenshtein-soft")
        for metric, title in (("bleu", "BLEU"), ("ribes", "RIBES"), ("cpr", "CPR"))
    ),
    Claim("Constraints raise EDITOR's BLEU", "constrained", "bleu", "editor-soft", "editor"),
    Claim("Constraints in foreseen places, which is ours, raise EDITOR's BLEU", "constrained", "bleu",
          "editor-foreseen", "editor"),
    *(
        Claim(f"EDITOR uses constraints in foreseen places better than LevT: {title}", "constrained", metric,
              "editor-foreseen", "levenshtein-foreseen")
        for metric, title in (("bleu", "BLEU"), ("cpr", "CPR"))
    ),
    Claim("Soft constraints beat hard ones: BLEU", "constrained", "bleu", "editor-soft", "editor-hard"),
    *(
        Claim(f"Dual-path roll-in beats single-path: {title}", "constrained", metric,
              "editor-soft", "single_path-soft")
        for metric, title in (("bleu", "BLEU"), ("ribes", "RIBES"), ("cpr", "CPR"))
    ),
    Claim("EDITOR deletes less than LevT", "constrained", "deletions",
          "editor-soft", "levenshtein-soft", less=True),
    Claim("EDITOR needs fewer iterations than LevT", "constrained", "iterations",
          "editor-soft", "levenshtein-soft", less=True),
    Claim("EDITOR translates as well as LevT or better: BLEU", "translation", "bleu",
          "editor", "levenshtein"),
    Claim("EDITOR translates as well as LevT or better: RIBES", "translation", "ribes",
          "editor", "levenshtein"),
    Claim("Distillation helps the autoregressive model: BLEU", "translation", "bleu",
          "ar-distilled-beam10", "ar-beam10"),
)  # fmt: skip
LABELS = {each.name: each.label for each in (*TRANSLATION, *CONSTRAINED, *FORESEEN, SINGLE_PATH)}


def judge(results: Mapping[str, JsonObject | None], pair: str) -> list[JsonObject]:
    """Return each claim with what we found, and what the paper has."""
    return [_judge(claim, results.get(claim.comparison), pair) for claim in CLAIMS]


def _judge(claim: Claim, comparison: JsonObject | None, pair: str) -> JsonObject:
    judged: JsonObject = {
        "claim": claim.text,
        "metric": claim.metric,
        "better": claim.better,
        "worse": claim.worse,
        "paper": _paper_difference(claim, pair),
        "difference": None,
        "p": None,
        "verdict": "not run",
    }
    systems = {} if comparison is None else comparison["systems"]
    if claim.better not in systems or claim.worse not in systems:
        return judged
    better, worse = (systems[name][claim.metric] for name in (claim.better, claim.worse))
    if better["score"] is None or worse["score"] is None:
        return judged
    difference, p = better["score"] - worse["score"], better["p"][claim.worse]
    verdict = _verdict(-difference if claim.less else difference, p)
    return judged | {"difference": difference, "p": p, "verdict": verdict}


def _verdict(gain: float, p: float | None) -> Verdict:
    """Return whether the claim, that one is not below the other, holds.

    >>> _verdict(0.4, 0.01), _verdict(0.4, 0.2), _verdict(-0.1, 0.6)
    ('holds', 'holds, not significantly', 'fails, not significantly')
    """
    significant = p is not None and p < LEVEL
    if gain >= 0:
        return "holds" if significant else "holds, not significantly"
    return "fails" if significant else "fails, not significantly"


def _paper_difference(claim: Claim, pair: str) -> float | None:
    rows: dict[str, Mapping[str, float]] = {
        **paper_numbers.TRANSLATION.get(pair, {}),
        **{name: dict(row) for name, row in paper_numbers.CONSTRAINED.get(pair, {}).items()},
    }
    for name, row in paper_numbers.EFFORT.get(pair, {}).items():
        rows[name] = {**rows.get(name, {}), **row}
    better, worse = (rows.get(name, {}).get(claim.metric) for name in (claim.better, claim.worse))
    return None if better is None or worse is None else round(better - worse, 2)
