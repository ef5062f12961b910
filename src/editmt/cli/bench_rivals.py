"""Autoregressive models of a given shape, with random weights, to compare a model's speed with.

They never end by themselves, so that a search takes as many steps as its limit allows: the time of a step
does not depend on what the weights are.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

from editmt.config import DecodingConfig, ModelConfig
from editmt.decoding.cpu_engine import CpuBeamEngine
from editmt.decoding.job import Job
from editmt.evaluation.speed import Prepare, decoding
from editmt.models import AutoregressiveModel, make_model
from editmt.runtime.cpu_export import save_weights
from editmt.runtime.cpu_search import CpuSearchModel
from editmt.text import BOS, BOUNDARIES, EOS

SEED = 1
BEAMS = {"greedy": 1, "beam 4": 4, "beam 10": 10}


def make_rival(shape: ModelConfig, vocabulary: int) -> AutoregressiveModel:
    """Return an autoregressive model of a shape that never ends."""
    torch.manual_seed(SEED)
    model = make_model(replace(shape, kind="autoregressive"), vocabulary, vocabulary).eval()
    assert isinstance(model, AutoregressiveModel)
    with torch.no_grad():
        model.output.weight[EOS] = 0  # never the best
    return model


def on_the_same_runtime(model: AutoregressiveModel, folder: Path) -> dict[str, Prepare]:
    """Return its searches with 8-bit weights on the runtime that edit models have."""
    save_weights(model, folder, "int8")
    engine = CpuBeamEngine(CpuSearchModel(model.config, folder))
    return {
        f"same runtime, {name}": decoding(engine, DecodingConfig(beam=beam)) for name, beam in BEAMS.items()
    }


def on_ctranslate2(model: AutoregressiveModel, folder: Path, threads: int) -> dict[str, Prepare]:
    """Return its searches with 8-bit weights on CTranslate2, with one thread and with so many."""
    import ctranslate2  # noqa: PLC0415 - an optional extra

    from editmt.runtime.ctranslate2_export import build_spec  # noqa: PLC0415
    from editmt.runtime.ctranslate2_search import source_name, target_name  # noqa: PLC0415

    spec = build_spec(model)
    size = model.output.out_features
    spec.register_source_vocabulary([source_name(token) for token in range(size)])
    spec.register_target_vocabulary([target_name(token) for token in range(size)])
    spec.validate()
    spec.optimize("int8")
    folder.mkdir()
    spec.save(str(folder))
    found: dict[str, Prepare] = {}
    for count in sorted({1, threads}):
        translator = ctranslate2.Translator(str(folder), compute_type="int8", intra_threads=count)
        note = "" if threads == 1 else f", threads: {count}"
        for name, beam in BEAMS.items():
            found[f"CTranslate2, {name}{note}"] = _searching(translator, beam, source_name)
    return found


def _searching(translator: Any, beam: int, source_name: Callable[[int], str]) -> Prepare:
    def prepare(jobs: Sequence[Job]) -> Callable[[], object]:
        tokens = [[source_name(token) for token in (BOS, *job.source, EOS)] for job in jobs]
        steps = max(job.most_tokens for job in jobs) - BOUNDARIES
        return lambda: translator.translate_batch(
            tokens, beam_size=beam, min_decoding_length=steps, max_decoding_length=steps, max_input_length=0
        )

    return prepare
