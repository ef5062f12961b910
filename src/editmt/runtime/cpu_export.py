"""From a trained model to a folder that runs on ONNX Runtime, without torch."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from editmt.config import DecodingConfig, ModelConfig
from editmt.data.prepare import TRAIN
from editmt.data.prepared import PreparedData
from editmt.data.texts import TEXT_FOLDER, Texts
from editmt.errors import InputError
from editmt.models import EditModel, Model
from editmt.models.heads import RepositionHead
from editmt.models.saved import load_model, weights_of
from editmt.quantising import MOST, MOST_ANYWHERE, quantise
from editmt.runtime import EXPORT_FILE
from editmt.runtime.cpu_folder import (
    CARD_FILE,
    DRAFT_HEAD,
    EMBEDDINGS_FILE,
    FORMAT,
    PRECISIONS,
    RUNTIME,
    SHORTLIST_FILE,
    Precision,
)
from editmt.runtime.graph import Floats, Graph
from editmt.runtime.shortlist import Shortlist, learn_shortlist
from editmt.runtime.transformer_graphs import (
    Weights,
    deletion_graph,
    draft_graph,
    encoder_graph,
    placeholder_graph,
    reposition_graph,
    short_token_graph,
    stack_graph,
    step_graph,
    token_graph,
)
from editmt.storage import find_model, write_folder, write_json, write_text
from editmt.tables import to_table
from editmt.text import EOS, SYMBOLS


@dataclass(frozen=True)
class ExportSettings:
    """What goes into an export besides the model.

    precisions
        Of the weights; several can be in one folder.
    card
        The model card; without one, a short one is written.
    decoding
        How the model translates if nobody says otherwise.
    shortlist
        Prepared data to learn from which words are likely, if there is to be a shortlist.
    """

    precisions: Sequence[Precision] = PRECISIONS
    card: str | None = None
    decoding: DecodingConfig = field(default_factory=DecodingConfig)
    shortlist: Path | None = None


def export(origin: Path, out: Path, settings: ExportSettings) -> None:
    """Export the model of a run, or a model's own folder; nothing is overwritten."""
    if out.exists():
        raise InputError(f"{out}: is there already")
    saved = load_model(find_model(origin))
    save_export(saved.model, saved.texts, out, settings)


def save_export(model: Model, texts: Texts, out: Path, settings: ExportSettings) -> None:
    """Write the folder: graphs and tables of each precision, text pipelines, the model's shape and card."""
    about = {
        "runtime": RUNTIME,
        "format": FORMAT,
        "precisions": list(settings.precisions),
        "model": to_table(model.config),
        "decoding": to_table(settings.decoding),
    }
    lexicon = _learn(settings.shortlist, texts) if settings.shortlist else None
    with write_folder(out) as beside:
        for precision in settings.precisions:
            save_weights(model, beside / precision, precision)
            if lexicon is not None:
                save_shortlist(model, lexicon, beside / precision, precision)
        texts.save(beside / TEXT_FOLDER)
        write_text(beside / CARD_FILE, settings.card or describe(model.config))
        write_json(beside / EXPORT_FILE, about)


def save_weights(model: Model, folder: Path, precision: Precision) -> None:
    """Write the graphs and tables of one precision into a new folder."""
    weights = Weights({name: tensor.float().numpy() for name, tensor in weights_of(model).items()})
    tables = model_tables(model)
    folder.mkdir()
    for name, graph in graphs(model.config, weights, tables, precision):
        graph.save(folder / f"{name}.onnx")
    np.savez(folder / EMBEDDINGS_FILE, **embeddings(model.config, tables, precision))


def save_shortlist(model: Model, lexicon: Shortlist, folder: Path, precision: Precision) -> None:
    """Write a shortlist, and the token head that it goes with."""
    table = model_tables(model)["output"]
    arrays: dict[str, Any] = {"table": table}
    if precision == "int8":
        arrays["table"], arrays["scales"] = quantise(table, MOST_ANYWHERE)
    kind = np.uint16 if len(table) <= np.iinfo(np.uint16).max else np.uint32
    np.savez(folder / SHORTLIST_FILE, likely=lexicon.likely.astype(kind), frequent=lexicon.frequent, **arrays)
    short_token_graph(model.config.width, precision).save(folder / "short_token_head.onnx")


def _learn(data: Path, texts: Texts) -> Shortlist:
    prepared = PreparedData.open(data)
    if prepared.target.vocabulary.pieces != texts.target.vocabulary.pieces:
        raise InputError(f"{data}: its vocabulary is not the model's")
    return learn_shortlist(prepared.split(TRAIN), texts.sizes)


def graphs(
    config: ModelConfig, weights: Weights, tables: dict[str, Floats], precision: Precision
) -> Iterator[tuple[str, Graph]]:
    """Yield the graphs of a model by name."""
    stacks = {name: weights.under(name) for name in stack_names(config)}
    yield "encoder", encoder_graph(config, weights.under("encoder"), list(stacks.values()), precision)
    searches = config.kind == "autoregressive"
    words = tables["output"][written(config, len(tables["output"]))]
    yield "token_head", token_graph(words, precision, by_rows=not searches)
    if searches:
        yield "decoder", step_graph(config, stacks["decoder"], precision)
        return
    yield DRAFT_HEAD, draft_graph(words, precision)
    for name, stack in stacks.items():
        yield name, stack_graph(config, stack, precision)
    yield "placeholder_head", placeholder_graph(weights["placeholder_head.classes.weight"])
    if config.kind == "editor":
        yield "reposition_head", reposition_graph(config.width)
    else:
        yield "reposition_head", deletion_graph(weights["reposition_head.classes.weight"])


def stack_names(config: ModelConfig) -> tuple[str, ...]:
    """Return the names of the model's decoder stacks."""
    if config.kind == "autoregressive":
        return ("decoder",)
    return ("insertion",) if config.stacks == "shared" else ("insertion", "reposition")


def written(config: ModelConfig, vocabulary: int) -> npt.NDArray[np.int64]:
    """Return the ids that the token head may choose: words, and where it searches the end."""
    words = np.arange(len(SYMBOLS), vocabulary)
    return np.concatenate([[EOS], words]) if config.kind == "autoregressive" else words


def model_tables(model: Model) -> dict[str, Floats]:
    """Return the tables of tokens, positions and words, tied or not."""
    tables = {
        "source_tokens": model.source_embedding.tokens.weight,
        "source_positions": model.source_embedding.positions,
        "target_tokens": model.target_embedding.tokens.weight,
        "target_positions": model.target_embedding.positions,
        "output": model.output.weight,
    }
    if isinstance(model, EditModel) and isinstance(model.reposition_head, RepositionHead):
        tables["delete"] = model.reposition_head.delete
    return {name: table.detach().float().numpy() for name, table in tables.items()}


def embeddings(config: ModelConfig, tables: dict[str, Floats], precision: Precision) -> dict[str, Any]:
    """Return the arrays that NumPy looks up tokens in; a table that both sides share is there once."""
    arrays: dict[str, Any] = {
        "word_ids": written(config, len(tables["output"])),
        "source_positions": tables["source_positions"],
        "target_positions": tables["target_positions"],
    }
    if "delete" in tables:
        arrays["delete"] = tables["delete"]
    for side in ("target",) if config.tied else ("source", "target"):
        tokens = tables[f"{side}_tokens"]
        if precision == "int8":
            arrays[f"{side}_tokens"], arrays[f"{side}_scales"] = quantise(tokens, MOST)
        else:
            arrays[f"{side}_tokens"] = tokens
    return arrays


def describe(config: ModelConfig) -> str:
    """Return the card of a model of which nothing is known but its shape."""
    return f"""# A model made with EditMT

Kind: {config.kind}, {config.encoder_layers}+{config.decoder_layers} layers, width {config.width}.
Data, licences, scores and limits: to be written by whoever gives it away.
"""
