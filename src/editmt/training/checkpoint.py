"""Checkpoints and models on disk: safetensors and JSON, sealed with checksums, never pickle."""

import dataclasses
import errno
import json
import os
import re
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

import safetensors
import safetensors.torch
import torch
from torch import Tensor, nn

from editmt.config import ModelConfig, build, to_table
from editmt.data.texts import TEXT_FOLDER, Texts, open_texts
from editmt.errors import InputError
from editmt.models import Model, make_model
from editmt.records import JsonObject
from editmt.storage import restore_folder, verify, write_folder, write_json
from editmt.text import TextPipeline
from editmt.training.progress import Progress

WEIGHTS_FILE = "weights.safetensors"
MOMENTS_FILE = "optimiser.safetensors"
PROGRESS_FILE = "progress.json"
SCALER_FILE = "scaler.json"
MODEL_FILE = "model.json"
MOMENTS = ("step", "exp_avg", "exp_avg_sq")


@dataclass(frozen=True, eq=False)
class Learner:
    """All that changes while a model learns."""

    model: nn.Module
    optimiser: torch.optim.Optimizer
    scaler: torch.amp.GradScaler


def save_checkpoint(folder: Path, learner: Learner, progress: Progress) -> None:
    """Save all that a run needs to go on, in a folder named after the step."""
    states = learner.optimiser.state
    moments = {
        f"{part}.{name}": states[parameter][part]
        for name, parameter in learner.model.named_parameters()
        for part in MOMENTS
        if parameter in states
    }
    with write_folder(checkpoint_path(folder, progress.step)) as beside:
        _write_tensors(weights_of(learner.model), beside / WEIGHTS_FILE)
        _write_tensors(moments, beside / MOMENTS_FILE)
        write_json(beside / PROGRESS_FILE, dataclasses.asdict(progress))
        write_json(beside / SCALER_FILE, learner.scaler.state_dict())


def load_checkpoint(folder: Path, learner: Learner) -> Progress:
    """Restore a checkpoint that `newest_checkpoint` found.

    AdamW counts steps for each parameter apart, and not those that float16 made it skip: the counts are
    restored as they were, where the optimiser keeps them.
    """
    load_weights(learner.model, read_weights(folder), folder)
    moments = safetensors.torch.load_file(folder / MOMENTS_FILE)
    for name, parameter in learner.model.named_parameters():
        if f"{MOMENTS[0]}.{name}" in moments:
            learner.optimiser.state[parameter] = {
                part: moments[f"{part}.{name}"].to(parameter.device) for part in MOMENTS
            }
    learner.scaler.load_state_dict(_read_json(folder / SCALER_FILE))
    return Progress(**_read_json(folder / PROGRESS_FILE))


def checkpoint_path(folder: Path, step: int) -> Path:
    """Return where the checkpoint of a step is."""
    return folder / f"step-{step:08d}"


def checkpoint_step(path: Path) -> int:
    """Return the step of a checkpoint.

    >>> checkpoint_step(checkpoint_path(Path("run"), 70))
    70
    """
    return int(path.name.removeprefix("step-"))


def checkpoints(folder: Path) -> list[Path]:
    """Return the checkpoints of a run, the oldest first."""
    return sorted(path for path in folder.glob("step-????????") if path.is_dir())


def lasting_checkpoints(folder: Path, step: int, every: int, keep: int) -> list[Path]:
    """Return those to keep, and to average, at a step: the last `keep` that the run itself planned.

    One that a signal asked for in between counts only while it is the newest, so that a run ends with the
    same ones however often it was stopped. What is newer than the step was passed over as damaged.
    """
    planned = [
        path for path in checkpoints(folder)
        if (saved := checkpoint_step(path)) == step or (saved < step and saved % every == 0)
    ]  # fmt: skip
    return planned[-max(keep, 1) :]


def clear_checkpoints(folder: Path, step: int, lasting: list[Path]) -> None:
    """Remove older checkpoints than this step's that need not last."""
    for path in checkpoints(folder):
        if path not in lasting and checkpoint_step(path) < step:
            shutil.rmtree(path)


def newest_checkpoint(folder: Path) -> Path | None:
    """Return the newest checkpoint that is whole; a damaged one is told of and passed over.

    Where all are damaged nothing is begun anew: it would overwrite what may still be worth mending.
    """
    for leftover in folder.glob(".step-????????.old"):
        restore_folder(folder / leftover.name[1 : -len(".old")])
    for leftover in folder.glob(".step-*"):
        shutil.rmtree(leftover, ignore_errors=True)  # what a kill left half done
    found = checkpoints(folder)
    for path in reversed(found):
        try:
            verify(path)
        except InputError as error:
            print(f"editmt: checkpoint passed over: {error}", file=sys.stderr)
            continue
        return path
    if found:
        raise InputError(f"{folder}: no checkpoint is whole (remove them to begin anew)")
    return None


def weights_of(model: nn.Module) -> dict[str, Tensor]:
    """Return the trained tensors by name, each once though it may be tied."""
    return {name: parameter.detach().contiguous() for name, parameter in model.named_parameters()}


def read_weights(folder: Path) -> dict[str, Tensor]:
    """Read the tensors of a checkpoint or a model."""
    return safetensors.torch.load_file(folder / WEIGHTS_FILE)


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


def average(folders: list[Path]) -> dict[str, Tensor]:
    """Return the mean of the weights of several checkpoints."""
    total = {name: tensor.double() for name, tensor in read_weights(folders[0]).items()}
    for folder in folders[1:]:
        for name, tensor in read_weights(folder).items():
            total[name] += tensor
    return {name: (tensor / len(folders)).float() for name, tensor in total.items()}


def save_model(folder: Path, config: ModelConfig, weights: dict[str, Tensor], texts: Texts) -> None:
    """Save a model to translate with: weights, shape and text pipelines."""
    with write_folder(folder) as beside:
        _write_tensors(weights, beside / WEIGHTS_FILE)
        write_json(beside / MODEL_FILE, to_table(config))
        texts.save(beside / TEXT_FOLDER)


def load_model(folder: Path) -> tuple[Model, TextPipeline, TextPipeline]:
    """Load a saved model, ready to translate, with its source and target pipelines."""
    verify(folder)
    config = build(ModelConfig, json.loads((folder / MODEL_FILE).read_text(encoding="utf-8")), "model")
    texts = open_texts(folder / TEXT_FOLDER)
    model = make_model(config, *texts.sizes)
    load_weights(model, read_weights(folder), folder)
    return model.eval(), texts.source, texts.target


def _write_tensors(tensors: dict[str, Tensor], path: Path) -> None:
    """Write a safetensors file, with a full disk as the `OSError` that it is."""
    try:
        safetensors.torch.save_file(tensors, path)
    except safetensors.SafetensorError as error:
        found = re.search(r"os error (\d+)", str(error))
        number = int(found[1]) if found else errno.EIO
        raise OSError(number, os.strerror(number)) from None


def _read_json(path: Path) -> JsonObject:
    table: JsonObject = json.loads(path.read_text(encoding="utf-8"))
    return table
