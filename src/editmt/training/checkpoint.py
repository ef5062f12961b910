"""Checkpoints and models on disk: safetensors and JSON, sealed with checksums, never pickle."""

import dataclasses
import json
import sys
from pathlib import Path

import safetensors.torch
import torch
from torch import Tensor, nn

from editmt.config import ModelConfig, build, to_table
from editmt.errors import InputError
from editmt.models import Model, make_model
from editmt.storage import verify, write_folder
from editmt.text import TextPipeline, load_pipeline
from editmt.training.progress import Progress

WEIGHTS_FILE = "weights.safetensors"
MOMENTS_FILE = "optimiser.safetensors"
PROGRESS_FILE = "progress.json"
MODEL_FILE = "model.json"
MOMENTS = ("exp_avg", "exp_avg_sq")


def save_checkpoint(
    folder: Path, model: nn.Module, optimiser: torch.optim.Optimizer, progress: Progress
) -> None:
    """Save all that a run needs to go on, in a folder named after the step."""
    moments = {
        f"{moment}.{name}": optimiser.state[parameter][moment]
        for name, parameter in model.named_parameters()
        for moment in MOMENTS
        if parameter in optimiser.state
    }
    with write_folder(folder / f"step-{progress.step:08d}") as beside:
        safetensors.torch.save_file(weights_of(model), beside / WEIGHTS_FILE)
        safetensors.torch.save_file(moments, beside / MOMENTS_FILE)
        text = json.dumps(dataclasses.asdict(progress), indent=2)
        (beside / PROGRESS_FILE).write_text(text + "\n", encoding="utf-8")


def load_checkpoint(folder: Path, model: nn.Module, optimiser: torch.optim.Optimizer) -> Progress:
    """Restore a checkpoint that `newest_checkpoint` found."""
    table = json.loads((folder / PROGRESS_FILE).read_text(encoding="utf-8"))
    progress = build_progress(table)
    load_weights(model, read_weights(folder), folder)
    moments = safetensors.torch.load_file(folder / MOMENTS_FILE)
    for name, parameter in model.named_parameters():
        if f"{MOMENTS[0]}.{name}" in moments:
            state = {moment: moments[f"{moment}.{name}"].to(parameter.device) for moment in MOMENTS}
            optimiser.state[parameter] = {"step": torch.tensor(float(progress.step)), **state}
    return progress


def build_progress(table: dict[str, float]) -> Progress:
    """Make the progress of a JSON table."""
    return Progress(**table)  # type: ignore[arg-type]


def checkpoints(folder: Path) -> list[Path]:
    """Return the checkpoints of a run, the oldest first."""
    return sorted(path for path in folder.glob("step-????????") if path.is_dir())


def newest_checkpoint(folder: Path) -> Path | None:
    """Return the newest checkpoint that is whole; a damaged one is told of and passed over."""
    for path in reversed(checkpoints(folder)):
        try:
            verify(path)
        except InputError as error:
            print(f"editmt: checkpoint passed over: {error}", file=sys.stderr)
            continue
        return path
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


def save_model(
    folder: Path, config: ModelConfig, weights: dict[str, Tensor], source: TextPipeline, target: TextPipeline
) -> None:
    """Save a model to translate with: weights, shape and text pipelines."""
    with write_folder(folder) as beside:
        safetensors.torch.save_file(weights, beside / WEIGHTS_FILE)
        (beside / MODEL_FILE).write_text(json.dumps(to_table(config), indent=2) + "\n", encoding="utf-8")
        source.save(beside / "source")
        if target is not source:
            target.save(beside / "target")


def load_model(folder: Path) -> tuple[Model, TextPipeline, TextPipeline]:
    """Load a saved model, ready to translate, with its source and target pipelines."""
    verify(folder)
    config = build(ModelConfig, json.loads((folder / MODEL_FILE).read_text(encoding="utf-8")), "model")
    source = load_pipeline(folder / "source")
    target = load_pipeline(folder / "target") if (folder / "target").exists() else source
    model = make_model(config, len(source.vocabulary), len(target.vocabulary))
    load_weights(model, read_weights(folder), folder)
    return model.eval(), source, target
