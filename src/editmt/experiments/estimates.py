"""About how long steps take, from speeds that were measured (docs/log.md): for planning, not for promises.

A training's time is its work, counted in multiplications, over the speed at which such a model was seen to
work on two cores; a larger model or batch is more work. Nothing was measured on GPUs: no estimate there.
"""

from collections.abc import Sequence

from editmt.config import Config, ModelConfig, preset
from editmt.experiments.conditions import Condition, Decoding

FORWARD_AND_BACKWARD = 6
"""Operations to a weight and token: two forward, four backward."""
VOCABULARY = 8_000
"""What recipes have by default; a prepared folder need not be there yet."""

SEARCH_SPEED = 65e9
"""Operations a second: 3.3 steps a second of d 128, 4+4 layers, 1,400 tokens, on two cores in one process."""
EDIT_SPEED = 37e9
"""1.5 steps a second of EDITOR of that size."""
GAIN_OF_PROCESSES = 1.2
"""Of two processes with a thread each over one with two."""

GAIN_SIDE_BY_SIDE = 1.4
"""Of two trainings with a thread each over one after the other with two."""

PLACEHOLDER_SHARE, REPOSITION_SHARE, FILLED_SHARE = 0.6, 0.8, 0.5
"""Tokens that the heads of an edit model look at, of the reference's."""

SECONDS_A_SENTENCE = {"edit": 0.012, "beam": 0.004, "constrained": 0.006}
"""Of `small` models, many sentences at a time; of searches, for each hypothesis of the beam."""
LATENCY_FACTOR = 3.0
"""One sentence at a time against many."""
PREPARE_SECONDS_A_PAIR = 1.2e-4
DISTIL_SECONDS_A_PAIR = 3.5e-3
"""Of CTranslate2, beam 4, `small`; on two cores at work."""
EXPORT_SECONDS, REPORT_SECONDS = 10.0, 120.0


def weights_at_work(model: ModelConfig) -> float:
    """Return the weights that a token of the reference meets in a pass."""
    width, inner = model.width, model.feedforward
    encoder = model.encoder_layers * (4 * width**2 + 2 * width * inner)
    decoder = model.decoder_layers * (8 * width**2 + 2 * width * inner)
    output = VOCABULARY * width
    if model.kind == "autoregressive":
        return encoder + decoder + output
    return encoder + decoder * (1 + PLACEHOLDER_SHARE + REPOSITION_SHARE) + output * FILLED_SHARE


def training_seconds(config: Config, processes: int) -> float:
    """Return about how long a training takes on two cores.

    >>> from editmt.config import DataConfig, RunConfig, preset
    >>> teacher = Config(
    ...     data=DataConfig(folder="", batch_tokens=1400),
    ...     model=preset("small", "autoregressive"),
    ...     run=RunConfig(steps=3300),
    ... )
    >>> round(training_seconds(teacher, 1) / 60), round(training_seconds(teacher, 2) / 60)
    (17, 14)
    """
    work = weights_at_work(config.model) * FORWARD_AND_BACKWARD * config.data.batch_tokens
    speed = SEARCH_SPEED if config.model.kind == "autoregressive" else EDIT_SPEED
    return config.run.steps * work / speed / (GAIN_OF_PROCESSES if processes > 1 else 1)


def decoding_seconds(model: ModelConfig, decodings: Sequence[Decoding], sentences: dict[str, int]) -> float:
    """Return about how long a model takes to answer its requests."""
    size = weights_at_work(model) / small_work(model)
    return size * sum(_a_sentence(each.condition) * sentences.get(each.requests, 0) for each in decodings)


def latency_seconds(models: dict[str, ModelConfig], conditions: Sequence[Condition], sentences: int) -> float:
    """Return about how long it takes to measure latencies."""
    each = (
        _a_sentence(condition)
        * weights_at_work(models[condition.model])
        / small_work(models[condition.model])
        for condition in conditions
    )
    return LATENCY_FACTOR * sentences * sum(each)


def _a_sentence(condition: Condition) -> float:
    if condition.edits:
        return SECONDS_A_SENTENCE["edit"]
    kind = "beam" if condition.wish == "nothing" else "constrained"
    return SECONDS_A_SENTENCE[kind] * condition.decoding.beam


def small_work(model: ModelConfig) -> float:
    """Return the weights at work in a `small` model of that kind, whose speed was measured."""
    return weights_at_work(preset("small", model.kind))
