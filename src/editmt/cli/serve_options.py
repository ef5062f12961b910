"""What the command line says of a server, as its configuration."""

import argparse
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from editmt.cores import core_count
from editmt.data.texts import Texts
from editmt.errors import InputError
from editmt.serving.settings import ServingConfig, default_data_folder

MOST_PROCESSES = 4
"""That decode a batch each; one process answers for them all."""


def share_threads(threads: int, workers: int, *, small: bool) -> tuple[int, int]:
    """Return how many processes decode, and on how many threads each; 0 given are all cores, and as suits.

    Batches side by side use cores better than one on all of them, which a short sentence leaves idle; but
    each process has the model to itself.

    >>> share_threads(2, 0, small=True), share_threads(16, 0, small=True), share_threads(2, 0, small=False)
    ((2, 1), (4, 4), (1, 2))
    >>> share_threads(4, 1, small=True), share_threads(2, 3, small=False)
    ((1, 4), (3, 1))
    """
    if min(threads, workers) < 0:
        raise InputError("--threads and --workers must not be negative")
    threads = threads or core_count()
    processes = workers or (min(threads, MOST_PROCESSES) if small else 1)
    return processes, max(1, threads // processes)


def make_config(options: argparse.Namespace, at_once: int) -> ServingConfig:
    """Return the configuration that the options ask for, with so many batches decoded at once."""
    config = ServingConfig(
        host=options.host,
        port=options.port,
        data=open_folder(options.data),
        require_keys=options.require_keys,
    )
    batches = _given(
        texts=options.batch_texts, waiting_texts=options.queue, seconds=options.timeout, at_once=at_once
    )
    requests = _given(a_minute=options.rate)
    return replace(
        config,
        batches=replace(config.batches, **batches),
        requests=replace(config.requests, **requests),
        **_given(drain_seconds=options.drain),
    )


def open_folder(given: Path | None) -> Path:
    """Return the folder of glossaries and keys."""
    return given or default_data_folder()


def name_languages(given: str | None, texts: Texts) -> tuple[str, str]:
    """Return what the model translates from and to: as told, or as its text pipelines know.

    >>> name_languages("en-DE", None)
    ('en', 'de')
    """
    if given is None:
        known = [getattr(side, "language", None) for side in (texts.source, texts.target)]
        if None in known:
            raise InputError("this model does not say its languages: --languages en-de")
        return known[0], known[1]  # type: ignore[return-value]  # neither is None
    match = re.fullmatch(r"([A-Za-z]{2,3})-([A-Za-z]{2,3})", given)
    if match is None:
        raise InputError(f"--languages is {given!r}, and must be such as en-de")
    return match[1].lower(), match[2].lower()


def _given(**options: Any) -> dict[str, Any]:
    """Return the options that were given; none of them is 0 or less."""
    for name, value in options.items():
        if value is not None and value < (0 if name == "drain_seconds" else 1e-9):
            raise InputError(f"{value} is too small for a limit")
    return {name: value for name, value in options.items() if value is not None}
