"""Checkpoints of a run: safetensors and JSON, sealed with checksums, never pickle."""

import dataclasses
import json
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

import safetensors.torch
import torch
from torch import Tensor, nn

from editmt.errors import InputError
from editmt.models.saved import WEIGHTS_FILE, load_weights, read_weights, weights_of, write_tensors
from editmt.records import JsonObject
from editmt.storage import restore_folder, verify, write_folder, write_json
from editmt.training.progress import Progress

MOMENTS_FILE = "optimiser.safetensors"
PROGRESS_FILE = "progress.json"
SCALER_FILE = "scaler.json"
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
        write_tensors(weights_of(learner.model), beside / WEIGHTS_FILE)
        write_tensors(moments, beside / MOMENTS_FILE)
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


def average(folders: list[Path]) -> dict[str, Tensor]:
    """Return the mean of the weights of several checkpoints."""
    total = {name: tensor.double() for name, tensor in read_weights(folders[0]).items()}
    for folder in folders[1:]:
        for name, tensor in read_weights(folder).items():
            total[name] += tensor
    return {name: (tensor / len(folders)).float() for name, tensor in total.items()}


def _read_json(path: Path) -> JsonObject:
    table: JsonObject = json.loads(path.read_text(encoding="utf-8"))
    return table
