"""A run's configuration: frozen dataclasses read from TOML; the only home of defaults.

    [model]            [data]                     [run]
    kind = "editor"    folder = "data/multi30k"   steps = 20000

An unknown key is refused with the nearest right one, a value of the wrong type or range with what is right.
The defaults of training are the paper's; those of the model are the paper's base Transformer.
"""

import dataclasses
import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

from editmt.errors import InputError
from editmt.tables import build, nearest, read_toml

ModelKind = Literal["editor", "levenshtein", "autoregressive"]


@dataclass(frozen=True, kw_only=True)
class ModelConfig:
    """The shape of a model (§4.1 of the paper)."""

    kind: ModelKind = "editor"
    width: int = 512
    feedforward: int = 2048
    heads: int = 8
    encoder_layers: int = 6
    decoder_layers: int = 6
    dropout: float = 0.3
    norm: Literal["pre", "post"] = "post"
    positions: Literal["learned", "sinusoidal"] = "learned"
    max_length: int = 1024  # tokens of a sentence, boundaries included
    tied: bool = True  # one embedding for source, target and output
    stacks: Literal["own", "shared"] = "own"  # reposition (or deletion) on a decoder stack of its own
    init: Literal["bert", "xavier"] = "bert"

    def __post_init__(self) -> None:
        for name in ("width", "feedforward", "heads", "encoder_layers", "decoder_layers", "max_length"):
            _require(getattr(self, name) >= 1, f"model.{name} is less than 1")
        _require(
            self.width % self.heads == 0, f"model.width {self.width} is no multiple of heads {self.heads}"
        )
        odd = self.positions == "sinusoidal" and self.width % 2 == 1
        _require(not odd, f"model.width {self.width} is odd, and sinusoidal positions come in pairs")
        _require(0 <= self.dropout < 1, f"model.dropout {self.dropout} is not in [0, 1)")


PRESETS: dict[str, dict[str, Any]] = {
    "tiny": {
        "width": 64, "feedforward": 128, "heads": 4, "encoder_layers": 2, "decoder_layers": 2,
        "dropout": 0.0, "norm": "pre", "max_length": 128, "init": "xavier",
    },
    "small": {
        "width": 128, "feedforward": 256, "heads": 4, "encoder_layers": 4, "decoder_layers": 4,
        "dropout": 0.15, "norm": "pre", "max_length": 256, "init": "xavier",
    },
    "base": {},
}  # fmt: skip
"""Sizes by name: `tiny` for tests, `small` for two CPU cores, `base` the paper's."""

BASE_OF_KIND: dict[str, dict[str, Any]] = {"autoregressive": {"positions": "sinusoidal", "init": "xavier"}}
"""Where the paper's autoregressive baseline (Sockeye's) differs from its edit models."""


def preset(name: str, kind: ModelKind) -> ModelConfig:
    """Return a model of a named size."""
    if name not in PRESETS:
        raise InputError(f"no preset {name!r}{nearest(name, list(PRESETS))}")
    return ModelConfig(kind=kind, **BASE_OF_KIND.get(kind, {}) | PRESETS[name])


@dataclass(frozen=True, kw_only=True)
class DataConfig:
    """Which prepared folder to learn from, and how much of it at once."""

    folder: str
    batch_tokens: int = 64_800  # of all ranks together, padding included
    accumulate: int = 1  # batches of that size / accumulate, one after the other, to an update
    long: int = 16  # a target of this many tokens is a long one, and
    long_times: int = 1  # each epoch sees it so often: where most are short, long ones are learnt last

    def __post_init__(self) -> None:
        _require(self.long >= 1, "data.long is less than 1")
        _require(self.long_times >= 1, "data.long_times is less than 1")
        _require(self.accumulate >= 1, "data.accumulate is less than 1")
        _require(self.batch_tokens >= self.accumulate, "data.batch_tokens is less than data.accumulate")

    @property
    def tokens_at_once(self) -> int:
        """Of each of the batches that make up an update."""
        return self.batch_tokens // self.accumulate


@dataclass(frozen=True, kw_only=True)
class NoiseConfig:
    """What makes the first canvas of a step out of the reference."""

    kind: Literal["drop_and_shuffle", "drop"] = "drop_and_shuffle"
    shuffle_probability: float = 0.5
    shuffle_distance: int = 3
    complete: bool = False  # now and then nothing is dropped; in the authors' code always something
    constraint_share: float = 0.0  # of the canvases are phrases of the reference in random order instead
    constraint_words: int = 5  # at most so many phrases
    constraint_joined: float = 0.0  # chance that a phrase's word has the next one with it
    empty_share: float = 0.0  # of the canvases are empty, as where translation starts without constraints

    def __post_init__(self) -> None:
        for name in ("shuffle_probability", "constraint_share", "constraint_joined", "empty_share"):
            _require(0 <= getattr(self, name) <= 1, f"noise.{name} is not in [0, 1]")
        _require(
            self.constraint_share + self.empty_share <= 1,
            "noise.constraint_share and noise.empty_share are more than 1 together",
        )


@dataclass(frozen=True, kw_only=True)
class OracleConfig:
    """How the oracle breaks ties (`editmt.edits.Oracle`)."""

    prefer: Literal["delete", "reposition"] = "delete"


@dataclass(frozen=True, kw_only=True)
class ObjectiveConfig:
    """What the heads learn from (`editmt.training.rollin`), and the smoothing of their targets.

    `refined_share` of the batches start where a first iteration of the model leads from the noised canvas:
    it learns to mend what it will find in the second. In the paper, none do.
    """

    rollin: Literal["dual", "independent", "insertion"] = "dual"
    alpha: float = 0.5  # share of insertions learnt from the noised reference
    beta: float = 0.5  # share of repositions learnt from the noised reference
    refined_share: float = 0.0  # of the batches start from canvases of the model's own
    token_smoothing: float = 0.1
    placeholder_smoothing: float = 0.01

    def __post_init__(self) -> None:
        for name in ("alpha", "beta", "refined_share", "token_smoothing", "placeholder_smoothing"):
            _require(0 <= getattr(self, name) <= 1, f"objective.{name} is not in [0, 1]")


@dataclass(frozen=True, kw_only=True)
class OptimiserConfig:
    """Adam with decoupled weight decay, and how the learning rate goes."""

    rate: float = 5e-4
    betas: tuple[float, float] = (0.9, 0.98)
    epsilon: float = 1e-8
    weight_decay: float = 0.01
    clip: float = 25.0
    schedule: Literal["inverse_sqrt", "linear", "plateau"] = "inverse_sqrt"
    warmup: int = 10_000
    plateau_patience: int = 4  # validations without a better loss before the rate falls …
    plateau_factor: float = 0.7  # … to this part of itself

    def __post_init__(self) -> None:
        _require(math.isfinite(self.rate), f"optimiser.rate is {self.rate}")
        _require(self.clip > 0, "optimiser.clip is 0, which leaves nothing of a gradient (inf clips nothing)")
        for beta in self.betas:
            _require(0 <= beta < 1, f"optimiser.betas has {beta}, which is not in [0, 1)")


@dataclass(frozen=True, kw_only=True)
class RunConfig:
    """How long, how often, with what."""

    steps: int = 300_000
    seed: int = 1
    log_every: int = 10  # steps to a line of metrics
    validate_every: int = 10_000
    validation_sentences: int = 3_000  # decoded for BLEU
    save_every: int = 10_000
    keep: int = 5  # checkpoints, besides the best; these are averaged at the end
    patience: int = 0  # validations without a better BLEU before stopping; 0 = never
    # how an edit model is to decode, of each the first that is as good as the best on validation: begin with
    # what is nearest to the paper's (`training/selection.py`)
    fill_shares: tuple[float, ...] = ()
    penalties: tuple[float, ...] = ()  # γ
    length_quantiles: tuple[float, ...] = ()
    foresights: tuple[float, ...] = ()  # where there are users' words; then `penalties` once more
    threads: int = 0  # 0 = as many as torch likes
    precision: Literal["float32", "bfloat16", "float16"] = "float32"
    compile: bool = False
    init_from: str = ""  # a run, or a model, whose weights to start from, as far as they fit

    def __post_init__(self) -> None:
        for name in ("steps", "log_every", "validate_every", "validation_sentences", "save_every"):
            _require(getattr(self, name) >= 1, f"run.{name} is less than 1")
        _require(
            all(each < 1 for each in self.length_quantiles), "run.length_quantiles are not all less than 1"
        )
        _require(all(each <= 2 for each in self.foresights), "run.foresights are not all 2 or less")
        _require(all(0 < each <= 1 for each in self.fill_shares), "run.fill_shares are not all in (0, 1]")


@dataclass(frozen=True, kw_only=True)
class DecodingConfig:
    """How a model translates.

    iterations, penalty
        Of refinement: how many at most, and γ, what inserting nothing costs.
    penalty_foreseen
        γ where a user's words were put where the model foresees them, in a canvas as long as it foresees;
        none is the same. There less is missing than a model takes for missing that writes too little.
    length_quantile
        How sure the first canvas is to be long enough, by the lengths that the model foresees from nothing;
        0 takes the likeliest length, as the paper does.
    fill_share
        Of a sentence's placeholders so large a share, the surest, gets its words first, then of those left,
        and so on: each knows those before it. 1 fills all at once, as the paper does.
    strength
        What the loss of a soft term costs, as a score: 0 is the paper's soft constraint, and the larger, the
        harder.
    foresight
        Put a user's words at first where the model, writing from nothing, finds them likeliest, in a canvas
        of so much of the length that it foresees: 1 is all of it, 0 the paper's, which does not ask.
    hard_mode
        "kept" keeps hard phrases whole, once, always; "paper" does what the authors' code does, which keeps
        95–97 % of them.
    beam, length_power
        Of beam search: its width (1 is greedy), and the power of the length that scores are divided by.
    batch_tokens
        Source tokens that are translated at a time, padding included.
    """

    iterations: int = 10
    penalty: float = 0.0
    penalty_foreseen: float | None = None
    length_quantile: float = 0.0
    fill_share: float = 1.0
    strength: float = 0.0
    foresight: float = 0.0
    hard_mode: Literal["kept", "paper"] = "kept"
    beam: int = 4
    length_power: float = 1.0
    batch_tokens: int = 2048

    def __post_init__(self) -> None:
        for name in ("iterations", "beam", "batch_tokens"):
            _require(getattr(self, name) >= 1, f"{name} is {getattr(self, name)}, and must be at least 1")
        _require(self.penalty >= 0, f"penalty is {self.penalty}, and must not be negative")
        _require(
            self.penalty_foreseen is None or self.penalty_foreseen >= 0,
            f"penalty_foreseen is {self.penalty_foreseen}, and must not be negative",
        )
        _require(
            0 <= self.length_quantile < 1,
            f"length_quantile is {self.length_quantile}, and must be at least 0 and less than 1",
        )
        _require(
            0 < self.fill_share <= 1,
            f"fill_share is {self.fill_share}, and must be more than 0 and at most 1",
        )
        _require(self.strength >= 0, f"strength is {self.strength}, and must not be negative")
        _require(0 <= self.foresight <= 2, f"foresight is {self.foresight}, and must be between 0 and 2")

    def penalty_of(self, *, words: bool) -> float:
        """Return γ for a sentence, with or without users' words to start from.

        >>> options = DecodingConfig(penalty=1, penalty_foreseen=0, foresight=1)
        >>> options.penalty_of(words=False), options.penalty_of(words=True)
        (1, 0)
        """
        foreseen = words and self.foresight > 0 and self.penalty_foreseen is not None
        return self.penalty_foreseen if foreseen else self.penalty  # type: ignore[return-value]

    def given(self, options: Mapping[str, Any]) -> "DecodingConfig":
        """Return how to translate where a user has given some options: a γ is for all sentences then."""
        alike = {"penalty_foreseen": None} if "penalty" in options else {}
        return dataclasses.replace(self, **alike | dict(options))


@dataclass(frozen=True, kw_only=True)
class Config:
    """A whole training run."""

    data: DataConfig
    model: ModelConfig = field(default_factory=ModelConfig)
    noise: NoiseConfig = field(default_factory=NoiseConfig)
    oracle: OracleConfig = field(default_factory=OracleConfig)
    objective: ObjectiveConfig = field(default_factory=ObjectiveConfig)
    optimiser: OptimiserConfig = field(default_factory=OptimiserConfig)
    run: RunConfig = field(default_factory=RunConfig)

    def __post_init__(self) -> None:
        if self.model.kind == "levenshtein" and self.objective.rollin != "insertion":
            raise InputError('objective.rollin of the Levenshtein Transformer is "insertion"')
        for name in ("fill_shares", "penalties", "length_quantiles", "foresights"):
            if self.model.kind == "autoregressive" and getattr(self.run, name):
                raise InputError(f"run.{name} are for edit models: beam search inserts no placeholders")


def read_config(path: Path, changes: Sequence[str] = ()) -> Config:
    """Read a TOML file; `changes` such as "run.steps=100" stand over it."""
    tables = read_toml(path)
    try:
        for change in changes:
            _change(tables, change)
        return build(Config, _with_preset(tables), "")
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def _with_preset(tables: dict[str, Any]) -> dict[str, Any]:
    """Replace `preset = "small"` in the model's table by what it stands for."""
    model = tables.get("model", {})
    if not isinstance(model, dict) or "preset" not in model:
        return tables
    name = model["preset"]
    if not isinstance(name, str):
        raise InputError(f"model.preset is {name!r}, not of type str")
    kind: ModelKind = model["kind"] if model.get("kind") in get_args(ModelKind) else "editor"
    chosen = dataclasses.asdict(preset(name, kind))
    return tables | {"model": chosen | {key: value for key, value in model.items() if key != "preset"}}


def _change(tables: dict[str, Any], change: str) -> None:
    name, equals, text = change.partition("=")
    section, dot, key = name.strip().partition(".")
    if not (equals and dot):
        raise InputError(f"{change!r} is not of the form section.key=value")
    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        value = text.strip()  # a word needs no quotes
    table = tables.get(section, {})
    if not isinstance(table, dict):
        raise InputError(f"{section} is not a table")
    tables[section] = {**table, key: value}


def _require(condition: bool, message: str) -> None:
    if not condition:
        raise InputError(message)
