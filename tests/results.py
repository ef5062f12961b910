"""Made-up results in the form of `results.json`, to draw tables and figures from; nothing is measured."""

import random

from editmt.experiments.claims import judge
from editmt.experiments.conditions import (
    BY_COUNT,
    CONSTRAINED,
    FORESEEN,
    SINGLE_PATH,
    TERMINOLOGY,
    TRANSLATION,
)

METRICS = {
    "bleu": ("BLEU", "higher", 36),
    "bleu-words": ("BLEU (words)", "higher", 37),
    "ribes": ("RIBES", "higher", 84),
    "cpr": ("CPR", "higher", 88),
    "term": ("Term%", "higher", 90),
    "term-lemma": ("Term% (lemma)", "higher", 92),
    "f1-0": ("F1 <5", "higher", 40),
    "f1-5": ("F1 [5,10)", "higher", 55),
    "f1-10": ("F1 ≥10", "higher", 80),
    "repositions": ("Repos.", "neither", 4),
    "deletions": ("Del.", "neither", 3),
    "insertions": ("Ins.", "neither", 18),
    "edits": ("Total", "neither", 25),
    "iterations": ("Iter.", "neither", 2.6),
}
FULL = ["<s>", "▁Ein", "▁Mann", "▁sitzt", "▁am", "▁roten", "▁Tisch", ".", "</s>"]
TRACE = {
    "first": ["<s>", "▁Tisch", "▁Mann", "</s>"],
    "steps": [
        {"action": "reposition", "index": [0, 2, 1, 3], "canvas": ["<s>", "▁Mann", "▁Tisch", "</s>"]},
        {
            "action": "placeholders",
            "count": [1, 3, 1],
            "canvas": ["<s>", "<plh>", "▁Mann", "<plh>", "<plh>", "<plh>", "▁Tisch", "<plh>", "</s>"],
        },
        {"action": "tokens", "canvas": FULL},
        {
            "action": "reposition",
            "index": [0, 1, 2, 3, 4, 0, 6, 7, 8],
            "canvas": [token for token in FULL if token != "▁roten"],
        },
    ],
}
EXAMPLE = {
    "line": 7,
    "source": "A man sits at a <b>table</b>.",
    "reference": "Ein Mann sitzt am Tisch.",
    "constraints": ["Tisch", "Mann"],
    "answers": {
        "editor-soft": {
            "text": "Ein Mann sitzt am Tisch.",
            "iterations": 2,
            "trace": TRACE,
            "counts": {"repositions": 2, "deletions": 1, "insertions": 5},
        },
        "dba-beam10": {"text": "Ein Tisch_Mann.", "iterations": 4, "trace": None, "counts": {}},
    },
}
RECIPES = ("editor", "editor-foreseen", "levenshtein-foreseen", "other-ties")


def comparison(names, runs=1, generator=None):
    """Return a comparison of systems with numbers out of thin air."""
    generator = generator or random.Random(1)
    names = list(dict.fromkeys(names))
    return {
        "sentences": 1000,
        "runs": runs,
        "test": "Student's t over runs" if runs > 1 else "paired bootstrap|samples:1000|seed:1",
        "metrics": {name: {"title": title, "better": better} for name, (title, better, _) in METRICS.items()},
        "systems": {
            name: {
                metric: {
                    "score": centre * generator.uniform(0.93, 1.05),
                    "p": {other: generator.choice([0.0004, 0.01, 0.3]) for other in names if other != name},
                }
                for metric, (_, _, centre) in METRICS.items()
            }
            for name in names
        },
    }


def whole_results(seed=1):
    """Return results where everything was run."""
    chance = random.Random(seed)
    constrained = [each.name for each in (*CONSTRAINED, *FORESEEN, SINGLE_PATH)]
    found = {
        "translation": comparison([each.name for each in TRANSLATION], 1, chance),
        "constrained": comparison([*constrained, "editor"], 5, chance),
    }
    model = {"config": "configs/mini.toml", "kind": "editor", "steps": 7000, "starts_from": None}
    trained = model | {"parameters": 2_870_000, "validation": [[1000, 20.0], [2000, 30.5], [3000, 34.1]]}
    points = {
        name: [
            {"strength": strength, "bleu": 36 - strength * chance.random(), "cpr": 85 + 2 * strength}
            for strength in (0.0, 0.5, 1.0, 2.0, 4.0)
        ]
        for name in RECIPES
    }
    counts = {
        each.name: {str(count): {"bleu": 34 + count * chance.random(), "cpr": 90} for count in (2, 4, 6)}
        for each in BY_COUNT
    }
    more = {
        "models": dict.fromkeys(("teacher", "distilled", "single_path"), trained)
        | {
            "levenshtein": trained | {"penalty": 1.0},
            "editor": trained
            | {"penalty": 1.5, "penalty_foreseen": 0.0, "length_quantile": 0.7, "fill_share": 0.5},
        },
        "terminology": {"Wiktionary": comparison([each.name for each in TERMINOLOGY], 1, chance)},
        "counts": counts,
        "strengths": points,
        "variants": {name: {"bleu": 35.0, "soft": {"bleu": 36.2, "cpr": 86.0}} for name in RECIPES},
        "claims": judge(found, "en-de"),
        "examples": [EXAMPLE],
    }
    return empty_results() | found | more


def empty_results():
    """Return results where nothing was run."""
    nothing = {"translation": None, "constrained": None}
    task = {
        "name": "mini",
        "title": "Made-up <numbers>",
        "paper": "en-de",
        "tokenise": "moses:de",
        "terminology": ["Wiktionary"],
        "variants": ["other-ties"],
        "edit_steps": 3000,
        "strength": 2.0,
    }
    model = {"config": "editor.toml", "kind": "editor", "steps": 10, "starts_from": None}
    parts = {name: {} for name in ("terminology", "counts", "strengths", "variants", "failures")}
    judged = {"claims": judge(nothing, "en-de"), "examples": []}
    return nothing | parts | judged | {"task": task, "models": {"editor": model}}


def made_up_latency():
    """Return times of all conditions."""
    times = {
        each.name: 40.0 + number + 12 * each.decoding.beam * (not each.edits)
        for number, each in enumerate((*TRANSLATION, *CONSTRAINED, *FORESEEN, SINGLE_PATH))
    }
    return {
        "unit": "milliseconds",
        "sentences": 200,
        "of": "the first of the test set",
        "machine": {"processor": "made up", "cores": 2},
        "conditions": {name: {"mean": mean, "median": mean} for name, mean in times.items()},
    }
