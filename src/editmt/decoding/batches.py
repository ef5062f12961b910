"""Translate many id sequences: sorted by length, batched, and back in order."""

from collections.abc import Iterator, Sequence

import numpy as np

from editmt.decoding.beam import beam_search
from editmt.decoding.model_policy import ModelPolicy, to_torch
from editmt.decoding.refine import MOST_ITERATIONS, refine
from editmt.edits import Canvas
from editmt.models import AutoregressiveModel, Model
from editmt.text import BOS, EOS


def translate_ids(
    model: Model,
    sources: Sequence[Sequence[int]],
    *,
    canvases: Sequence[Sequence[int]] | None = None,
    beam: int = 1,
    batch_tokens: int = 2048,
) -> list[list[int]]:
    """Return a translation's ids for each source's; none of these has boundaries.

    An edit model starts from `canvases`, the words wanted, or from nothing; the autoregressive one has a
    `beam`.
    """
    outputs: list[list[int]] = [[] for _ in sources]
    starts = canvases or [[]] * len(sources)
    for rows in _batches([len(source) + 2 for source in sources], batch_tokens // beam):
        batch, first = ([[BOS, *side[row], EOS] for row in rows] for side in (sources, starts))
        found = _translate_batch(model, batch, first, beam)
        for row, ids in zip(rows, found, strict=True):
            outputs[row] = ids
    return outputs


def most_tokens(source_length: int) -> int:
    """Return the length limit of a canvas, boundaries included, for a source of so many tokens.

    Differs: the authors' is max(10, 2 · source); very short sources may have longer translations.
    """
    return 2 * source_length + 10


def _translate_batch(
    model: Model, sources: list[list[int]], first: list[list[int]], beam: int
) -> list[list[int]]:
    padded = to_torch(Canvas.of(sources), model.output.weight.device)
    ids, mask = padded.ids, padded.mask
    longest = model.config.max_length
    limits = [min(most_tokens(len(source)), longest) for source in sources]
    if isinstance(model, AutoregressiveModel):
        words = [limit - 2 for limit in limits]
        return [hypothesis.ids for hypothesis in beam_search(model, ids, mask, words, beam=beam)]
    policy = ModelPolicy.start(model, ids, mask)
    outcomes = refine(policy, Canvas.of(first), np.array(limits), most_iterations=MOST_ITERATIONS)
    return [outcome.ids for outcome in outcomes]


def _batches(lengths: list[int], tokens: int) -> Iterator[list[int]]:
    batch: list[int] = []
    for row in sorted(range(len(lengths)), key=lambda row: (lengths[row], row)):
        if batch and (len(batch) + 1) * lengths[row] > tokens:
            yield batch
            batch = []
        batch.append(row)
    if batch:
        yield batch
