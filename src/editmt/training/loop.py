"""The training loop: update, validate, save; killed at any moment it goes on where it was."""

import contextlib
import dataclasses
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn.parallel import DistributedDataParallel

from editmt.config import Config, DecodingConfig
from editmt.data.batching import oversized
from editmt.data.collation import collate
from editmt.data.prepared import PreparedData
from editmt.errors import InputError
from editmt.evaluation.metric import Statistics
from editmt.models import Model, make_model
from editmt.models.saved import load_weights, read_weights, save_model, weights_of
from editmt.storage import MODEL_OF_RUN, find_model, verify
from editmt.training.batches import StreamedBatch, stream_batches
from editmt.training.checkpoint import (
    Learner,
    average,
    checkpoint_path,
    checkpoint_step,
    checkpoints,
    clear_checkpoints,
    lasting_checkpoints,
    load_checkpoint,
    newest_checkpoint,
    save_checkpoint,
)
from editmt.training.console import Console
from editmt.training.curves import draw_curves
from editmt.training.distributed import Ranks
from editmt.training.examples import ExampleMaker
from editmt.training.optimisation import learning_rate, make_optimiser
from editmt.training.progress import Metrics, Progress
from editmt.training.run_folder import check_lengths, check_run, check_vocabularies, record_run
from editmt.training.selection import Selection
from editmt.training.step import TrainingStep
from editmt.training.stopping import Stopped, Stopper
from editmt.training.validation import Validator
from editmt.training.warmstart import start_from

CHECKPOINTS, BEST = "checkpoints", "best"
PRECISIONS = {"bfloat16": torch.bfloat16, "float16": torch.float16}


class Trainer:
    """One run, in one folder; the same call starts it, resumes it, and does nothing when it is done."""

    def __init__(self, config: Config, folder: Path, ranks: Ranks) -> None:
        self._config = config
        self._folder = folder
        self._ranks = ranks
        self._data = PreparedData.open(Path(config.data.folder))
        self._pairs = self._data.split("train", checksums=ranks.leads)
        check_vocabularies(self._data, config.model)
        valid = self._data.split("valid", checksums=ranks.leads)
        for pairs in (self._pairs, valid):
            check_lengths(pairs, config.model.max_length)
        self._maker = ExampleMaker(config, self._data.target.vocabulary)
        sentences = config.run.validation_sentences
        self._validator = Validator(valid, self._data.target, self._maker, sentences)
        torch.manual_seed(config.run.seed)
        self._model: Model = make_model(config.model, *self._data.texts.sizes).to(ranks.device)
        self._step = TrainingStep(self._model, self._maker.oracle, config.objective, ranks)
        self._optimiser = make_optimiser(self._model, config.optimiser)
        scales = config.run.precision == "float16"
        self._scaler = torch.amp.GradScaler(ranks.device.type, enabled=scales)
        self._learner = Learner(self._model, self._optimiser, self._scaler)
        self._stopper = Stopper()

    def run(self) -> None:
        """Train to the end, and leave the model to translate with in the run's folder."""
        self._ranks.lead(lambda: check_run(self._folder, self._config, self._data))
        if (self._folder / MODEL_OF_RUN).exists():
            self._say(f"{self._folder}: this run is done")
            return
        with self._stopper, contextlib.ExitStack() as stack:
            progress = self._start()
            stream = self._ranks.together(lambda: self._stream(progress))
            self._ranks.lead(lambda: record_run(self._folder, self._config, self._data))
            console = stack.enter_context(Console(self._config, self._ranks))
            metrics = None
            if self._ranks.leads:
                metrics = Metrics(self._folder, progress.metrics_bytes)
                stack.callback(metrics.close)
            progress = self._train(progress, stream, metrics, console)
            self._ranks.lead(lambda: self._finish(progress))

    def _train(
        self,
        progress: Progress,
        stream: Iterator[StreamedBatch],
        metrics: Metrics | None,
        console: Console,
    ) -> Progress:
        """Go on to the last step; what is due at a step, a validation or a checkpoint, follows it.

        A step whose validation was broken off by a signal is saved without, and validated when the run
        goes on.
        """
        run = self._config.run
        replica = self._replicate()
        saved = progress
        while True:
            if self._is_due(progress, run.validate_every) and progress.validated != progress.step:
                progress = self._validate(progress, metrics, console)
            signal = self._ranks.largest(self._stopper.signal)
            done = progress.step >= run.steps or self._is_stuck(progress)
            if progress != saved and (done or signal or self._is_due(progress, run.save_every)):
                saved = progress = self._save(progress, metrics)
            if signal:
                self._say(f"stopped after step {progress.step}; the same command goes on")
                raise Stopped(signal)
            if done:
                return progress
            progress = self._advance(replica, progress, stream, metrics, console)

    def _advance(
        self,
        replica: torch.nn.Module,
        progress: Progress,
        stream: Iterator[StreamedBatch],
        metrics: Metrics | None,
        console: Console,
    ) -> Progress:
        """Do one update on the next batches, and tell of it."""
        number, run = progress.step + 1, self._config.run
        rate = learning_rate(self._config.optimiser, number, run.steps, progress.reductions)
        batches = [next(stream) for _ in range(self._config.data.accumulate)]
        losses = self._update(replica, number, [rows for _, _, rows in batches], rate)
        console.advance(number, losses, sum(len(rows) for _, _, rows in batches))
        if metrics and self._is_due(dataclasses.replace(progress, step=number), run.log_every):
            metrics.write({"step": number, "rate": rate, "losses": _floats(losses)})
        epoch, batch, _ = batches[-1]
        return dataclasses.replace(progress, step=number, epoch=epoch, batch=batch)

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
        """Judge the model; rank 0 does it for all, and tells the others, so that all decide alike."""
        stopped, bleu, loss = 0.0, 0.0, 0.0
        if self._ranks.leads:
            alone = TrainingStep(self._model, self._maker.oracle, self._config.objective, Ranks())
            try:
                with self._stopper.breakable():
                    result = self._validator.judge(self._model, alone, self._ranks.device)
                bleu, loss = result.bleu, result.loss
                console.say(f"step {progress.step}: BLEU {bleu:.2f}, loss {loss:.4f}")
                if metrics:
                    metrics.write({"step": progress.step, "bleu": bleu, "validation": result.losses})
            except Stopped:
                stopped = 1.0
        news = self._ranks.sum(torch.tensor([stopped, bleu, loss], dtype=torch.float64))
        stopped, bleu, loss = news.tolist()
        if stopped:
            return progress
        if bleu >= progress.best_bleu:
            self._ranks.lead(lambda: self._save_model(self._folder / BEST, weights_of(self._model)))
        return judge_progress(self._config, progress, bleu, loss)

    def _save(self, progress: Progress, metrics: Metrics | None) -> Progress:
        if metrics:
            progress = dataclasses.replace(progress, metrics_bytes=metrics.flush())
        self._ranks.lead(lambda: self._write_checkpoint(progress))
        return progress

    def _write_checkpoint(self, progress: Progress) -> None:
        folder = self._folder / CHECKPOINTS
        before = checkpoints(folder)
        try:
            save_checkpoint(folder, self._learner, progress)
        except InputError as error:
            left = f"{before[-1].name} is still there" if before else "none was there before"
            raise InputError(f"{error} ({left})") from None
        clear_checkpoints(folder, progress.step, self._lasting(progress))

    def _lasting(self, progress: Progress) -> list[Path]:
        run = self._config.run
        return lasting_checkpoints(self._folder / CHECKPOINTS, progress.step, run.save_every, run.keep)

    def _finish(self, progress: Progress) -> None:
        """Keep the better of the best checkpoint and the average of the last ones."""
        last = self._lasting(progress)
        for folder in (self._folder / BEST, *last):
            verify(folder)
        best, mean = read_weights(self._folder / BEST), average(last)
        load_weights(self._model, mean, last[-1])
        with self._stopper.breakable():
            bleu = self._validator.bleu(self._model.eval())
        averaged = bleu > progress.best_bleu
        draw_curves(self._folder)
        chosen_weights = mean if averaged else best
        decoding = self._choose_decoding(chosen_weights)
        self._save_model(self._folder / MODEL_OF_RUN, chosen_weights, decoding)
        chosen = f"the average of the last {len(last)}" if averaged else f"step {progress.best_step}"
        self._say(
            f"validation BLEU: best {progress.best_bleu:.2f}, average {bleu:.2f}; the model is {chosen}"
        )

    def _choose_decoding(self, weights: dict[str, Tensor]) -> DecodingConfig | None:
        """Return how weights are to decode, as it is chosen on validation."""
        load_weights(self._model, weights, self._folder)

        def judge(way: DecodingConfig, *, with_words: bool) -> Statistics:
            with self._stopper.breakable():
                return self._validator.statistics(self._model, way, with_words=with_words)

        return Selection(judge, self._say).choose(self._config.run)

    def _start(self) -> Progress:
        """Go on from the newest whole checkpoint, which rank 0 looks for, or from the beginning."""
        found: list[Path] = []
        self._ranks.lead(lambda: found.extend(filter(None, [newest_checkpoint(self._folder / CHECKPOINTS)])))
        step = self._ranks.largest(checkpoint_step(found[0]) if found else -1)
        if step >= 0:
            newest = checkpoint_path(self._folder / CHECKPOINTS, step)
            progress = self._ranks.together(lambda: load_checkpoint(newest, self._learner))
            self._say(f"going on from {newest}")
            return progress
        if self._config.run.init_from:
            teacher = find_model(Path(self._config.run.init_from))
            copied = self._ranks.together(lambda: start_from(self._model, teacher, self._data.texts))
            self._say(f"{copied} tensors start from {self._config.run.init_from}")
        return Progress()

    def _stream(self, progress: Progress) -> Iterator[StreamedBatch]:
        tokens = self._config.data.tokens_at_once
        left_out = len(oversized(self._pairs.lengths, tokens=tokens))
        if left_out == len(self._pairs):
            raise InputError(f"none of the {left_out:,} pairs fits into a batch of {tokens} tokens")
        if left_out:
            self._say(f"{left_out} pairs are longer than a batch of {tokens} tokens and are left out")
        return stream_batches(
            self._pairs,
            self._config.data,
            seed=self._config.run.seed,
            epoch=progress.epoch,
            batch=progress.batch,
        )

    def _replicate(self) -> torch.nn.Module:
        if self._config.run.compile:
            for part in (self._model.encoder, *self._model.stacks):
                part.compile(dynamic=True)
        self._model.train()
        if self._ranks.size == 1:
            return self._step
        return DistributedDataParallel(self._step, forward_sync_buffers=False)

    def _save_model(
        self, folder: Path, weights: dict[str, Tensor], decoding: DecodingConfig | None = None
    ) -> None:
        save_model(folder, self._config.model, weights, self._data.texts, decoding)

    def _cast(self) -> contextlib.AbstractContextManager[Any]:
        dtype = PRECISIONS.get(self._config.run.precision)
        return torch.autocast(self._ranks.device.type, dtype=dtype) if dtype else contextlib.nullcontext()

    def _is_stuck(self, progress: Progress) -> bool:
        patience = self._config.run.patience
        return bool(patience) and progress.validations_since_bleu >= patience

    def _is_due(self, progress: Progress, every: int) -> bool:
        """Whether something that is done every so often, and at the end, is due after this step."""
        return progress.step > 0 and (progress.step % every == 0 or progress.step >= self._config.run.steps)

    def _say(self, text: str) -> None:
        if self._ranks.leads:
            print(f"editmt: {text}", file=sys.stderr)


def judge_progress(config: Config, progress: Progress, bleu: float, loss: float) -> Progress:
    """Note what a validation showed: a new best, or one more in vain, and whether the rate must fall."""
    progress = dataclasses.replace(progress, validated=progress.step)
    waited = 0 if bleu > progress.best_bleu else progress.validations_since_bleu + 1
    progress = dataclasses.replace(progress, validations_since_bleu=waited)
    if bleu >= progress.best_bleu:  # of equals the later: it has learnt more
        progress = dataclasses.replace(progress, best_bleu=bleu, best_step=progress.step)
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


def _floats(losses: dict[str, Tensor]) -> dict[str, float]:
    return {name: float(loss) for name, loss in losses.items()}
