"""Models on disk: weights, shape and text pipelines in one folder, sealed with checksums, never pickle."""

import errno
import json
import os
import re
from dataclasses import dataclass, field
from pathlib import Path

import safetensors
import safetensors.torch
import torch
from torch import Tensor, nn

from editmt.config import DecodingConfig, ModelConfig
from editmt.data.texts import TEXT_FOLDER, Texts, open_texts
from editmt.errors import InputError
from editmt.models import Model, make_model
from editmt.quantising import MOST, quantise
from editmt.storage import find_model, verify, write_folder, write_json
from editmt.tables import build, to_table

WEIGHTS_FILE = "weights.safetensors"
MODEL_FILE = "model.json"
DECODING_FILE = "decoding.json"
KEPT = {"float32": torch.float32, "float16": torch.float16, "int8": torch.float32}
"""In which precisions a model is kept; it always computes in float32. With int8 only matrices have 8 bits."""

SCALES = ".scales"


@dataclass(frozen=True, eq=False)
class SavedModel:
    """A model, ready to translate, and the pipelines that its ids are made with."""

    model: Model
    texts: Texts
    decoding: DecodingConfig = field(default_factory=DecodingConfig)  # what suits it best


def save_model(
    folder: Path,
    config: ModelConfig,
    weights: dict[str, Tensor],
    texts: Texts,
    decoding: DecodingConfig | None = None,
) -> None:
    """Save a model to translate with: weights, shape, text pipelines, and how it translates best."""
    with write_folder(folder) as beside:
        write_tensors(weights, beside / WEIGHTS_FILE)
        write_json(beside / MODEL_FILE, to_table(config))
        if decoding is not None:
            write_json(beside / DECODING_FILE, to_table(decoding))
        texts.save(beside / TEXT_FOLDER)


def copy_model(origin: Path, out: Path, precision: str) -> None:
    """Write the model of a run on its own, with fewer bits if wanted: to keep, and to train on from."""
    if precision not in KEPT:
        raise InputError(f"a model's own folder has {' or '.join(KEPT)} weights, not {precision}")
    if out.exists():
        raise InputError(f"{out}: is there already")
    saved = load_model(find_model(origin))
    weights = {name: tensor.to(KEPT[precision]) for name, tensor in weights_of(saved.model).items()}
    if precision == "int8":
        weights = _shrink(weights)
    save_model(out, saved.model.config, weights, saved.texts, saved.decoding)


def load_model(folder: Path) -> SavedModel:
    """Load what `save_model` wrote."""
    verify(folder)
    if not (folder / MODEL_FILE).exists():
        raise InputError(f"{folder}: no model to load ({MODEL_FILE} is missing)")
    config = build(ModelConfig, json.loads((folder / MODEL_FILE).read_text(encoding="utf-8")), "model")
    texts = open_texts(folder / TEXT_FOLDER)
    model = make_model(config, *texts.sizes)
    load_weights(model, read_weights(folder), folder)
    return SavedModel(model.eval(), texts, read_decoding(folder))


def read_decoding(folder: Path) -> DecodingConfig:
    """Return how a saved model translates best, if that was found out."""
    if not (folder / DECODING_FILE).exists():
        return DecodingConfig()
    try:
        table = json.loads((folder / DECODING_FILE).read_text(encoding="utf-8"))
    except ValueError:
        raise InputError(f"{folder / DECODING_FILE}: damaged: not JSON") from None
    return build(DecodingConfig, table, "decoding")


def weights_of(model: nn.Module) -> dict[str, Tensor]:
    """Return the trained tensors by name, each once though it may be tied."""
    return {name: parameter.detach().contiguous() for name, parameter in model.named_parameters()}


def read_weights(folder: Path) -> dict[str, Tensor]:
    """Read the tensors of a checkpoint or a model; 8-bit rows and their scales become whole again."""
    tensors = safetensors.torch.load_file(folder / WEIGHTS_FILE)
    scales = {name.removesuffix(SCALES): tensors.pop(name) for name in list(tensors) if name.endswith(SCALES)}
    return {
        name: tensor * scales[name][:, None] if name in scales else tensor for name, tensor in tensors.items()
    }


def _shrink(weights: dict[str, Tensor]) -> dict[str, Tensor]:
    """Return matrices as rows of 8-bit numbers, with a scale each, and all else as it is."""
    small: dict[str, Tensor] = {}
    for name, tensor in weights.items():
        if tensor.dim() == 2:
            rows, scales = quantise(tensor.numpy(), MOST)
            small[name], small[name + SCALES] = torch.from_numpy(rows), torch.from_numpy(scales)
        else:
            small[name] = tensor
    return small


def load_weights(model: nn.Module, weights: dict[str, Tensor], folder: Path) -> None:
    """Put the tensors into a model; names and shapes must be the same."""
    parameters = dict(model.named_parameters())
    for name in [*parameters, *weights]:
        if name not in weights or name not in parameters:
            raise InputError(f"{folder}: the weights are of another model ({name})")
        if parameters[name].shape != weights[name].shape:
            shapes = f"{tuple(weights[name].shape)}, not {tuple(parameters[name].shape)}"
            raise InputError(f"{folder}: {name} is {shapes}: another vocabulary or size")
    with torch.no_grad():
        for name, parameter in parameters.items():
            parameter.copy_(weights[name])


def write_tensors(tensors: dict[str, Tensor], path: Path) -> None:
    """Write a safetensors file, with a full disk as the `OSError` that it is."""
    try:
        safetensors.torch.save_file(tensors, path)
    except safetensors.SafetensorError as error:
        found = re.search(r"os error (\d+)", str(error))
        number = int(found[1]) if found else errno.EIO
        raise OSError(number, os.strerror(number)) from None
