"""The autoregressive model as a folder that CTranslate2 runs, complete with our text pipelines.

The weights go into CTranslate2's own format (`model.bin`, never pickle). Its vocabularies call tokens by
their ids in decimal; `ctranslate2_search` says why, and translates.
"""

from pathlib import Path
from typing import Any, Literal, TypeAlias

import ctranslate2
import numpy as np
import numpy.typing as npt
from ctranslate2.specs import TransformerSpec
from torch import Tensor, nn

from editmt.data.texts import TEXT_FOLDER, Texts
from editmt.errors import InputError
from editmt.models import AutoregressiveModel
from editmt.models.layers import Attention, DecoderLayer, EncoderLayer, FeedForward, Residual
from editmt.models.saved import load_model
from editmt.models.transformer import Embedding
from editmt.runtime import EXPORT_FILE
from editmt.runtime.ctranslate2_search import RUNTIME, source_name, target_name
from editmt.storage import find_model, write_folder, write_json
from editmt.tables import to_table

Precision = Literal["float32", "int8", "float16"]

Spec: TypeAlias = Any
"""A part of a specification: CTranslate2 has no types for them."""


def export(origin: Path, out: Path, precision: Precision = "float32") -> None:
    """Export the model of a run, or a model's own folder; nothing is overwritten."""
    if out.exists():
        raise InputError(f"{out}: is there already")
    saved = load_model(find_model(origin))
    model = saved.model
    if not isinstance(model, AutoregressiveModel):
        missing = f"CTranslate2 needs an autoregressive decoder, which {model.config.kind} models do not have"
        raise InputError(f"{origin}: {missing}")
    save_export(model, saved.texts, out, precision)


def save_export(model: AutoregressiveModel, texts: Texts, out: Path, precision: Precision) -> None:
    """Write the folder: CTranslate2's files, text pipelines, and the model's shape."""
    spec = build_spec(model)
    source, target = texts.sizes
    spec.register_source_vocabulary([source_name(token) for token in range(source)])
    spec.register_target_vocabulary([target_name(token) for token in range(target)])
    spec.validate()
    spec.optimize(None if precision == "float32" else precision)
    about = {"runtime": RUNTIME, "precision": precision, "ctranslate2": ctranslate2.__version__}
    with write_folder(out) as beside:
        spec.save(str(beside))
        texts.save(beside / TEXT_FOLDER)
        write_json(beside / EXPORT_FILE, {"model": to_table(model.config), **about})


def build_spec(model: AutoregressiveModel) -> TransformerSpec:
    """Fill a specification with the model's weights."""
    config = model.config
    layers = (config.encoder_layers, config.decoder_layers)
    spec = TransformerSpec.from_config(layers, config.heads, pre_norm=config.norm == "pre")
    spec.config.layer_norm_epsilon = model.decoder.decoder_layers[0].residual.norm.eps
    _embedding(spec.encoder, spec.encoder.embeddings[0], model.source_embedding)
    _embedding(spec.decoder, spec.decoder.embeddings, model.target_embedding)
    _linear(spec.decoder.projection, model.output)
    for part, stack in ((spec.encoder, model.encoder), (spec.decoder, model.decoder)):
        if isinstance(stack.norm, nn.LayerNorm):  # with "pre" only
            _norm(part.layer_norm, stack.norm)
        for into, layer in zip(part.layer, stack.layers, strict=True):
            assert isinstance(layer, EncoderLayer | DecoderLayer)
            _layer(into, layer)
    return spec


def _embedding(side: Spec, tokens: Spec, embedding: Embedding) -> None:
    """Set √D · token + position; positions are given, as CTranslate2's own put all sines first."""
    side.scale_embeddings = True
    tokens.weight = _numbers(embedding.tokens.weight)  # (V, D)
    side.position_encodings.encodings = _numbers(embedding.positions)  # (max_length, D)


def _layer(into: Spec, layer: EncoderLayer | DecoderLayer) -> None:
    query, key_value = layer.attention.query, layer.attention.key_value
    joined = into.self_attention.linear[0]
    joined.weight = _numbers(query.weight, key_value.weight)  # (3 · D, D)
    joined.bias = _numbers(query.bias, key_value.bias)  # (3 · D,)
    _leave_attention(into.self_attention, layer.attention, layer.residual)
    if isinstance(layer, DecoderLayer):
        _linear(into.attention.linear[0], layer.source_attention.query)
        _linear(into.attention.linear[1], layer.source_attention.key_value)
        _leave_attention(into.attention, layer.source_attention, layer.source_residual)
    _feedforward(into.ffn, layer.feedforward)


def _leave_attention(into: Spec, attention: Attention, residual: Residual) -> None:
    _linear(into.linear[-1], attention.output)
    _norm(into.layer_norm, residual.norm)


def _feedforward(into: Spec, feedforward: FeedForward) -> None:
    _linear(into.linear_0, feedforward.inner)
    _linear(into.linear_1, feedforward.outer)
    _norm(into.layer_norm, feedforward.residual.norm)


def _linear(into: Spec, linear: nn.Linear) -> None:
    into.weight = _numbers(linear.weight)
    if linear.bias is not None:
        into.bias = _numbers(linear.bias)


def _norm(into: Spec, norm: nn.LayerNorm) -> None:
    into.gamma = _numbers(norm.weight)
    into.beta = _numbers(norm.bias)


def _numbers(*tensors: Tensor) -> npt.NDArray[np.float32]:
    """Return the tensors, one below the other, as an array of its own: quantisation writes into it."""
    return np.concatenate([tensor.detach().float().numpy() for tensor in tensors])
