"""Beam search on CTranslate2, which finds what `editmt.decoding.beam` finds, without torch.

CTranslate2 stops as ours does, when as many hypotheses have ended as the beam is wide; to agree it is told to
count `</s>` in lengths (`return_end_token`), to allow empty translations, and never to exit early, which it
would do without length normalisation. Two things it cannot be told:

*Limits.* They are one number for a batch, and a hypothesis that is cut off has no `</s>`, where ours gets one
for nothing. So a batch is searched with its longest limit + 1 first. If all the hypotheses that come back are
within their sentence's own limit, the search was over by then, and the limit did not matter. Otherwise
fewer than the beam had ended at the limit; the sentence is searched once more with exactly that limit, and
what was cut off is scored as ours is. Of either kind the best one is always among those that come back (for
powers of length that are not negative).

*Rounding.* Sums are made in another order: where two hypotheses score the same but for the last digits, the
other may win. Weights of fewer bits change more than that.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeAlias

import ctranslate2

from editmt.config import ModelConfig
from editmt.data.texts import TEXT_FOLDER, Texts, open_texts
from editmt.errors import InputError
from editmt.runtime import EXPORT_FILE
from editmt.storage import verify
from editmt.tables import build
from editmt.text import BOS, EOS, NEVER_WRITTEN, SYMBOLS, UNK

RUNTIME = "ctranslate2"

NO_POWER = 1e-30
"""A power of length that divides by 1.0 exactly; 0 would also change when the search stops."""

Ids: TypeAlias = Sequence[int]


class Result(Protocol):
    """What CTranslate2 answers: hypotheses, the best first, and their scores."""

    hypotheses: list[list[str]]
    scores: list[float]


@dataclass(frozen=True)
class Translation:
    """The ids of the best translation, without boundaries, and its normalised log-probability."""

    ids: list[int]
    score: float


@dataclass(frozen=True)
class Beam:
    """How wide to search, and the power ≥ 0 of the length that a score is divided by."""

    width: int = 4
    length_power: float = 1.0


class CTranslate2Search:
    """An exported model and its text pipelines, ready to translate."""

    def __init__(self, folder: Path, *, threads: int = 1) -> None:
        """Load what `ctranslate2_export` wrote."""
        verify(folder)
        if not (folder / EXPORT_FILE).exists():
            raise InputError(f"{folder}: no model exported to CTranslate2 ({EXPORT_FILE} is missing)")
        export = json.loads((folder / EXPORT_FILE).read_text(encoding="utf-8"))
        self.config: ModelConfig = build(ModelConfig, export["model"], "model")
        self.texts: Texts = open_texts(folder / TEXT_FOLDER)
        # float16 is for the disk: whether a CPU would compute with it differs from machine to machine.
        numbers = "default" if export["precision"] == "int8" else "float32"
        self._translator = ctranslate2.Translator(str(folder), compute_type=numbers, intra_threads=threads)

    def translate(
        self, sources: Sequence[Ids], limits: Sequence[int], beam: Beam, *, batch: int = 32
    ) -> list[Translation]:
        """Translate sources, ids without boundaries, each into at most so many ids, `batch` at a time."""
        self._check(sources, limits)
        found = {row: Translation([], 0.0) for row, limit in enumerate(limits) if limit == 0}
        rows = sorted(set(range(len(sources))) - set(found), key=lambda row: (len(sources[row]), row))
        for some in _batches(rows, batch):
            results = self._search([sources[row] for row in some], 1 + max(limits[row] for row in some), beam)
            for row, result in zip(some, results, strict=True):
                if max(len(tokens) for tokens in result.hypotheses) <= limits[row]:
                    found[row] = _best(result, beam)
        overlong = [row for row in rows if row not in found]
        for limit in sorted({limits[row] for row in overlong}):
            for some in _batches([row for row in overlong if limits[row] == limit], batch):
                results = self._search([sources[row] for row in some], limit, beam)
                found |= {row: _best(result, beam) for row, result in zip(some, results, strict=True)}
        return [found[row] for row in range(len(sources))]

    def _search(self, sources: list[Ids], most_steps: int, beam: Beam) -> list[Result]:
        """Return the best hypotheses of each source, as many as the beam is wide."""
        results: list[Result] = self._translator.translate_batch(
            [[source_name(token) for token in (BOS, *source, EOS)] for source in sources],
            max_input_length=0,  # no cutting
            beam_size=beam.width,
            num_hypotheses=beam.width,
            length_penalty=beam.length_power or NO_POWER,
            suppress_sequences=[[target_name(token)] for token in NEVER_WRITTEN],
            return_end_token=True,
            min_decoding_length=0,
            max_decoding_length=most_steps,
            return_scores=True,
        )
        return results

    def _check(self, sources: Sequence[Ids], limits: Sequence[int]) -> None:
        """Refuse what has no place in the table of positions, where CTranslate2 would fail."""
        longest = self.config.max_length
        for number, (source, limit) in enumerate(zip(sources, limits, strict=True), start=1):
            if len(source) + 2 > longest:
                raise InputError(f"source {number}: {len(source)} tokens; this model reads {longest - 2}")
            if limit >= longest:
                raise InputError(f"source {number}: limit {limit}; this model writes {longest - 1} tokens")


def source_name(token: int) -> str:
    """Return what a token type of the source is called in the exported vocabulary: the id in decimal.

    Pieces need not be unique. `<s>` and `</s>` go by their ids, too: of a source that has nothing but
    symbols that it knows, CTranslate2 would say that it is empty, and so is its translation.
    """
    return SYMBOLS[UNK] if token == UNK else str(token)


def target_name(token: int) -> str:
    """Return what a token type of the target is called: the id in decimal, but special symbols by name."""
    return SYMBOLS[token] if token < len(SYMBOLS) else str(token)


def _best(result: Result, beam: Beam) -> Translation:
    """Return the best hypothesis; one that was cut off ends after its last token, at no cost."""
    candidates = []
    for tokens, score in zip(result.hypotheses, result.scores, strict=True):
        ended = tokens[-1:] == [SYMBOLS[EOS]]
        words = tokens[:-1] if ended else tokens
        shorter = 1.0 if ended else (len(words) / (len(words) + 1)) ** beam.length_power
        candidates.append(Translation([int(word) for word in words], score * shorter))
    return max(candidates, key=lambda candidate: candidate.score)


def _batches(rows: list[int], size: int) -> Iterator[list[int]]:
    for start in range(0, len(rows), size):
        yield rows[start : start + size]
