"""The training loop: update, validate, save; killed at any moment it goes on where it was."""

import contextlib
import dataclasses
import json
import platform
import shutil
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn.parallel import DistributedDataParallel

from editmt import __version__
from editmt.config import Config, to_table
from editmt.data.batching import oversized
from editmt.data.collation import collate
from editmt.data.prepared import PreparedData
from editmt.errors import InputError
from editmt.models import Model, make_model
from editmt.training.batches import stream_batches
from editmt.training.checkpoint import (
    average,
    checkpoints,
    load_checkpoint,
    load_weights,
    newest_checkpoint,
    read_weights,
    save_checkpoint,
    save_model,
    weights_of,
)
from editmt.training.console import Console
from editmt.training.distributed import Ranks
from editmt.training.examples import ExampleMaker
from editmt.training.optimisation import learning_rate, make_optimiser
from editmt.training.progress import Metrics, Progress
from editmt.training.step import TrainingStep
from editmt.training.validation import Validator
from editmt.training.warmstart import start_from

CHECKPOINTS, BEST, MODEL, CONFIG_FILE = "checkpoints", "best", "model", "config.json"
LOG_EVERY = 10
PRECISIONS = {"bfloat16": torch.bfloat16, "float16": torch.float16}


class Stopped(Exception):  # noqa: N818 - no error: somebody asked for it
    """SIGTERM or SIGINT came, and everything is saved."""


class Trainer:
    """One run, in one folder; the same call starts it, resumes it, and does nothing when it is done."""

    def __init__(self, config: Config, folder: Path, ranks: Ranks) -> None:
        self._config = config
        self._folder = folder
        self._ranks = ranks
        self._data = PreparedData.open(Path(config.data.folder))
        self._pairs = self._data.split("train")
        self._check_lengths()
        self._maker = ExampleMaker(config, self._data.target.vocabulary)
        self._validator = Validator(self._data, self._maker, config.run.validation_sentences)
        torch.manual_seed(config.run.seed)
        sizes = len(self._data.source.vocabulary), len(self._data.target.vocabulary)
        self._model: Model = make_model(config.model, *sizes).to(ranks.device)
        self._step = TrainingStep(self._model, self._maker.oracle, config.objective, ranks)
        self._optimiser = make_optimiser(self._model, config.optimiser)
        self._scaler = torch.amp.GradScaler(enabled=config.run.precision == "float16")
        self._stop = False

    def run(self) -> None:
        """Train to the end, and leave the model to translate with in the run's folder."""
        if (self._folder / MODEL).exists():
            self._say(f"{self._folder}: this run is done")
            return
        self._prepare_folder()
        progress = self._start()
        with self._listen_to_signals(), Console(self._config, self._ranks) as console:
            metrics = Metrics(self._folder, progress.metrics_bytes) if self._ranks.leads else None
            progress = self._train(progress, metrics, console)
        if self._ranks.leads:
            self._finish(progress)
        self._ranks.wait()

    def _train(self, progress: Progress, metrics: Metrics | None, console: Console) -> Progress:
        run = self._config.run
        replica = self._replicate()
        stream = stream_batches(
            self._pairs,
            tokens=self._config.data.batch_tokens // self._config.data.accumulate,
            seed=run.seed,
            epoch=progress.epoch,
            batch=progress.batch,
        )
        while progress.step < run.steps and not self._is_stuck(progress):
            number = progress.step + 1
            rate = learning_rate(self._config.optimiser, number, run.steps, progress.reductions)
            batches = [next(stream) for _ in range(self._config.data.accumulate)]
            losses = self._update(replica, number, [rows for _, _, rows in batches], rate)
            epoch, batch, _ = batches[-1]
            progress = dataclasses.replace(progress, step=number, epoch=epoch, batch=batch)
            console.advance(number, losses, sum(len(rows) for _, _, rows in batches))
            if metrics and (number % LOG_EVERY == 0 or number == run.steps):
                metrics.write({"step": number, "rate": rate, "losses": _floats(losses)})
            if number % run.validate_every == 0 or number == run.steps:
                progress = self._validate(progress, metrics, console)
            stopping = self._anybody_stopped()
            if number % run.save_every == 0 or number == run.steps or stopping:
                progress = self._save(progress, metrics)
            if stopping:
                raise Stopped
        return progress

    def _update(
        self, replica: torch.nn.Module, number: int, batches: list[np.ndarray[Any, Any]], rate: float
    ) -> dict[str, Tensor]:
        """Do one update on some batches, and return the losses of the last.

        Chance depends on the seed, the update and the batch alone: nothing of it need be saved.
        """
        losses: dict[str, Tensor] = {}
        for place, rows in enumerate(batches):
            seed = [self._config.run.seed, number, place]
            torch.manual_seed(int(np.random.SeedSequence([*seed, self._ranks.rank]).generate_state(1)[0]))
            batch = collate(self._pairs, rows)
            generator = np.random.default_rng(seed)
            example = self._maker.make(batch, generator, self._ranks.rows(), self._ranks.device)
            last = place == len(batches) - 1
            with _together(replica, last), self._cast():
                loss, losses = replica(example)
                self._scaler.scale(loss / len(batches)).backward()
        self._scaler.unscale_(self._optimiser)
        torch.nn.utils.clip_grad_norm_(self._model.parameters(), self._config.optimiser.clip)
        for group in self._optimiser.param_groups:
            group["lr"] = rate
        self._scaler.step(self._optimiser)
        self._scaler.update()
        self._optimiser.zero_grad(set_to_none=True)
        return losses

    def _validate(self, progress: Progress, metrics: Metrics | None, console: Console) -> Progress:
        """Judge the model; rank 0 does it for all, and tells the others what follows."""
        news = [0.0, 0.0]
        if self._ranks.leads:
            alone = TrainingStep(self._model, self._maker.oracle, self._config.objective, Ranks())
            result = self._validator.judge(self._model, alone, self._ranks.device)
            news = [result.bleu, result.loss]
            console.say(f"step {progress.step}: BLEU {result.bleu:.2f}, loss {result.loss:.4f}")
            if metrics:
                metrics.write({"step": progress.step, "bleu": result.bleu, "validation": result.losses})
        bleu, loss = self._ranks.sum(torch.tensor(news, dtype=torch.float64)).tolist()
        if self._ranks.leads and bleu > progress.best_bleu:
            self._save_model(self._folder / BEST, weights_of(self._model))
        return judge_progress(self._config, progress, bleu, loss)

    def _save(self, progress: Progress, metrics: Metrics | None) -> Progress:
        if metrics:
            progress = dataclasses.replace(progress, metrics_bytes=metrics.flush())
            folder = self._folder / CHECKPOINTS
            save_checkpoint(folder, self._model, self._optimiser, progress)
            for old in checkpoints(folder)[: -max(self._config.run.keep, 1)]:
                shutil.rmtree(old)
        return progress

    def _finish(self, progress: Progress) -> None:
        """Keep the better of the best checkpoint and the average of the last ones."""
        last = checkpoints(self._folder / CHECKPOINTS)
        best = read_weights(self._folder / BEST)
        mean = average(last)
        load_weights(self._model, mean, last[-1])
        bleu = self._validator.bleu(self._model.eval())
        averaged = bleu > progress.best_bleu
        self._save_model(self._folder / MODEL, mean if averaged else best)
        chosen = f"the average of the last {len(last)}" if averaged else f"step {progress.best_step}"
        self._say(
            f"validation BLEU: best {progress.best_bleu:.2f}, average {bleu:.2f}; the model is {chosen}"
        )

    def _start(self) -> Progress:
        """Go on from the newest whole checkpoint, or from the beginning."""
        newest = newest_checkpoint(self._folder / CHECKPOINTS)
        if newest is not None:
            self._say(f"going on from {newest}")
            return load_checkpoint(newest, self._model, self._optimiser)
        if self._config.run.init_from:
            copied = start_from(self._model, Path(self._config.run.init_from) / MODEL)
            self._say(f"{copied} tensors start from {self._config.run.init_from}")
        return Progress()

    def _prepare_folder(self) -> None:
        """Write the resolved configuration and the versions, or check that they are this run's."""
        if not self._ranks.leads:
            self._ranks.wait()
            return
        path = self._folder / CONFIG_FILE
        table = json.loads(json.dumps(to_table(self._config)))
        if path.exists():
            _compare(path, table)
        else:
            self._folder.mkdir(parents=True, exist_ok=True)
            versions = {
                "editmt": __version__,
                "torch": torch.__version__,
                "python": platform.python_version(),
            }
            (self._folder / "versions.json").write_text(json.dumps(versions, indent=2) + "\n")
            path.write_text(json.dumps(table, indent=2) + "\n", encoding="utf-8")
        self._ranks.wait()

    def _replicate(self) -> torch.nn.Module:
        if self._config.run.compile:
            for part in (self._model.encoder, *self._model.stacks):
                part.compile(dynamic=True)
        self._model.train()
        if self._ranks.size == 1:
            return self._step
        return DistributedDataParallel(self._step, find_unused_parameters=True)

    def _save_model(self, folder: Path, weights: dict[str, Tensor]) -> None:
        save_model(folder, self._config.model, weights, self._data.source, self._data.target)

    def _cast(self) -> contextlib.AbstractContextManager[Any]:
        dtype = PRECISIONS.get(self._config.run.precision)
        return torch.autocast(self._ranks.device.type, dtype=dtype) if dtype else contextlib.nullcontext()

    def _is_stuck(self, progress: Progress) -> bool:
        patience = self._config.run.patience
        return bool(patience) and progress.validations_since_bleu >= patience

    def _anybody_stopped(self) -> bool:
        return bool(self._ranks.sum(torch.tensor(float(self._stop), device=self._ranks.device)))

    @contextlib.contextmanager
    def _listen_to_signals(self) -> Iterator[None]:
        def stop(_number: int, _frame: FrameType | None) -> None:
            self._stop = True

        before = {number: signal.signal(number, stop) for number in (signal.SIGTERM, signal.SIGINT)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _check_lengths(self) -> None:
        tokens = self._config.data.batch_tokens // self._config.data.accumulate
        left_out = len(oversized(self._pairs.lengths, tokens=tokens))
        if left_out:
            self._say(f"{left_out} pairs are longer than a batch of {tokens} tokens and are left out")
        longest = int(self._pairs.lengths.max()) + 2
        if longest > self._config.model.max_length:
            raise InputError(
                f"model.max_length is {self._config.model.max_length}, the longest sentence {longest} tokens"
            )

    def _say(self, text: str) -> None:
        if self._ranks.leads:
            print(f"editmt: {text}", file=sys.stderr)


def judge_progress(config: Config, progress: Progress, bleu: float, loss: float) -> Progress:
    """Note what a validation showed: a new best, or one more in vain, and whether the rate must fall."""
    if bleu > progress.best_bleu:
        progress = dataclasses.replace(
            progress, best_bleu=bleu, best_step=progress.step, validations_since_bleu=0
        )
    else:
        progress = dataclasses.replace(progress, validations_since_bleu=progress.validations_since_bleu + 1)
    if loss < progress.best_loss:
        return dataclasses.replace(progress, best_loss=loss, validations_since_loss=0)
    waited = progress.validations_since_loss + 1
    if config.optimiser.schedule == "plateau" and waited >= config.optimiser.plateau_patience:
        return dataclasses.replace(progress, validations_since_loss=0, reductions=progress.reductions + 1)
    return dataclasses.replace(progress, validations_since_loss=waited)


def _together(replica: torch.nn.Module, last: bool) -> contextlib.AbstractContextManager[Any]:
    """Let the ranks exchange gradients with an update's last batch only."""
    if isinstance(replica, DistributedDataParallel) and not last:
        return replica.no_sync()
    return contextlib.nullcontext()


def _compare(path: Path, table: dict[str, Any]) -> None:
    saved = json.loads(path.read_text(encoding="utf-8"))
    for section, values in table.items():
        for key, value in values.items():
            before = saved.get(section, {}).get(key)
            if before != value:
                raise InputError(
                    f"{path.parent}: this run was started with {section}.{key} = {before!r}, not {value!r}"
                )


def _floats(losses: dict[str, Tensor]) -> dict[str, float]:
    return {name: float(loss) for name, loss in losses.items()}
