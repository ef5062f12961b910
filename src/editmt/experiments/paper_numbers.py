"""The paper's own numbers (Xu & Carpuat 2021, Tables 2 to 6), by the names of our conditions and metrics.

Its autoregressive models are Sockeye's, as in its own comparisons; BLEU is tokenised BLEU. Its Table 5 has
two rows of Table 3 again, so only the third is here. The figures give no numbers.
"""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

Numbers: TypeAlias = Mapping[str, float]
Rows: TypeAlias = Mapping[str, Numbers]

PAIRS = {
    "ro-en": "WMT16 Romanian–English",
    "en-de": "WMT14 English–German",
    "en-ja": "WAT2017 English–Japanese",
}


def _rows(metrics: Sequence[str], numbers: Mapping[str, Sequence[float]]) -> Rows:
    return {name: dict(zip(metrics, row, strict=True)) for name, row in numbers.items()}


def _translation(numbers: Mapping[str, Sequence[float]]) -> Rows:
    return _rows(("parameters", "bleu", "ribes", "latency"), numbers)


def _constrained(numbers: Mapping[str, Sequence[float]]) -> Rows:
    return _rows(("bleu", "ribes", "cpr", "latency"), numbers)


def _effort(numbers: Mapping[str, Sequence[float]]) -> Rows:
    return _rows(("repositions", "deletions", "insertions", "edits", "iterations"), numbers)


def _terms(numbers: Mapping[str, Sequence[float]]) -> Rows:
    return _rows(("term", "bleu"), numbers)


TRANSLATION: Mapping[str, Rows] = {
    "ro-en": _translation({
        "ar-beam4": (64.5e6, 32.3, 83.6, 369.82),
        "ar-beam10": (64.5e6, 32.5, 83.8, 394.52),
        "ar-distilled-beam10": (64.5e6, 32.9, 84.2, 371.75),
        "levenshtein": (90.9e6, 31.6, 84.0, 98.81),
        "editor": (90.9e6, 31.9, 84.0, 93.20),
    }),
    "en-de": _translation({
        "ar-beam4": (64.9e6, 27.3, 80.2, 308.64),
        "ar-beam10": (64.9e6, 27.4, 80.3, 332.73),
        "ar-distilled-beam10": (64.9e6, 27.6, 80.5, 363.52),
        "levenshtein": (91.1e6, 26.9, 81.0, 113.12),
        "editor": (91.1e6, 26.9, 80.9, 105.37),
    }),
    "en-ja": _translation({
        "ar-beam4": (62.4e6, 43.4, 85.1, 286.83),
        "ar-beam10": (62.4e6, 43.5, 85.3, 311.38),
        "ar-distilled-beam10": (62.4e6, 42.7, 85.1, 295.32),
        "levenshtein": (106.1e6, 42.4, 84.5, 143.88),
        "editor": (106.1e6, 42.3, 85.1, 96.62),
    }),
}  # fmt: skip
"""Table 2."""

CONSTRAINED: Mapping[str, Rows] = {
    "ro-en": _constrained({
        "dba-beam4": (31.0, 79.5, 99.7, 436.26),
        "dba-beam10": (34.6, 84.5, 99.5, 696.68),
        "levenshtein-soft": (31.6, 83.4, 80.3, 121.80),
        "levenshtein-hard": (27.7, 78.4, 99.9, 140.79),
        "editor-soft": (33.1, 85.0, 86.8, 108.98),
        "editor-hard": (28.8, 81.2, 95.0, 136.78),
        "single_path-soft": (32.2, 84.4, 74.8, 119.61),
    }),
    "en-de": _constrained({
        "dba-beam4": (26.1, 74.7, 99.7, 434.41),
        "dba-beam10": (30.5, 81.9, 99.5, 896.60),
        "levenshtein-soft": (27.1, 80.0, 75.6, 127.00),
        "levenshtein-hard": (24.9, 74.1, 100.0, 134.10),
        "editor-soft": (28.2, 81.6, 88.4, 121.65),
        "editor-hard": (25.8, 77.2, 96.8, 134.10),
        "single_path-soft": (27.2, 80.4, 78.7, 130.85),
    }),
    "en-ja": _constrained({
        "dba-beam4": (44.3, 81.6, 100.0, 418.71),
        "dba-beam10": (48.0, 85.9, 100.0, 736.92),
        "levenshtein-soft": (42.8, 84.0, 74.3, 161.17),
        "levenshtein-hard": (39.7, 77.4, 99.9, 159.27),
        "editor-soft": (45.3, 85.7, 91.3, 109.50),
        "editor-hard": (43.7, 82.6, 96.4, 132.71),
        "single_path-soft": (44.0, 83.9, 80.0, 154.10),
    }),
}  # fmt: skip
"""Tables 3 and 5."""

EFFORT: Mapping[str, Rows] = {
    "ro-en": _effort({
        "levenshtein-soft": (0.00, 4.61, 33.05, 37.67, 2.01),
        "editor-soft": (8.13, 2.50, 28.68, 39.31, 1.81),
    }),
    "en-de": _effort({
        "levenshtein-soft": (0.00, 7.13, 45.45, 52.58, 2.14),
        "editor-soft": (5.85, 4.01, 28.75, 38.61, 2.07),
    }),
    "en-ja": _effort({
        "levenshtein-soft": (0.00, 5.24, 32.83, 38.07, 2.93),
        "editor-soft": (4.73, 1.69, 21.64, 28.06, 1.76),
    }),
}  # fmt: skip
"""Table 4."""

TERMINOLOGY: Mapping[str, Rows] = {
    "Wiktionary": _terms({
        "levenshtein": (84.3, 28.2),
        "levenshtein-soft": (90.5, 28.5),
        "levenshtein-hard": (100.0, 28.8),
        "editor": (83.5, 28.8),
        "editor-soft": (96.8, 29.3),
        "editor-hard": (99.8, 29.3),
    }),
    "IATE": _terms({
        "levenshtein": (83.9, 27.9),
        "levenshtein-soft": (92.5, 28.3),
        "levenshtein-hard": (100.0, 28.9),
        "editor": (83.0, 27.9),
        "editor-soft": (97.1, 28.8),
        "editor-hard": (100.0, 28.9),
    }),
}  # fmt: skip
"""Table 6, the paper's own results; both sets are English–German."""

PRIOR_TERMINOLOGY: Mapping[str, Rows] = {
    "Wiktionary": _terms({
        "Base Transformer": (76.9, 26.0),
        "Post18": (99.5, 25.8),
        "Dinu19": (93.4, 26.3),
        "Base LevT": (81.1, 30.2),
        "Susanto20": (100.0, 31.2),
    }),
    "IATE": _terms({
        "Base Transformer": (76.3, 25.8),
        "Post18": (82.0, 25.3),
        "Dinu19": (94.5, 26.0),
        "Base LevT": (80.3, 29.0),
        "Susanto20": (100.0, 30.1),
    }),
}  # fmt: skip
"""Table 6, results of others that the paper cites."""
