"""Sequence-level distillation (§4.1): the teacher's translations become the new target side.

The work is cut into shards, each written whole or not at all: killed, it goes on with the next one, and
several machines that share the folder can each take a part of them; with another teacher or other options
they are refused (`editmt.training.shards`). When all are there, they become a folder of prepared data with
the same vocabulary, ready to train a student on.

Some pairs may keep their own target: the teacher never writes some of the words that people do, and a student
that has never seen them takes them for errors when a user asks for them.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from editmt.config import DecodingConfig
from editmt.data.filters import REASONS, LengthFilter
from editmt.data.pairs import PairSet, join_sentences, write_pairs
from editmt.data.prepare import TRAIN
from editmt.data.prepared import PREPARED_FILE, PreparedData
from editmt.data.progress import Progress
from editmt.data.texts import TEXT_FOLDER, copy_texts
from editmt.decoding.engine import translate_ids
from editmt.decoding.loading import LoadedModel, find_folder, load_engine
from editmt.errors import InputError
from editmt.records import JsonObject
from editmt.storage import (
    MANIFEST_FILE,
    describe_files,
    hash_file,
    list_files,
    replace_folder,
    write_json,
    write_text,
)
from editmt.tables import to_table
from editmt.training.shards import open_shards

SHARD_PAIRS = 2_000
SHARDS = "shards"
"""Beside the folder to be made, until it is."""

MADE_WITH = "made_with"
"""In the origin of what was made: `_made_with`, by which it is known again."""


@dataclass(frozen=True)
class Part:
    """Which shards to translate here: the `index`-th (from 0) of every `count`."""

    index: int = 0
    count: int = 1

    @classmethod
    def parse(cls, text: str) -> "Part":
        """Read "2/4": the second of four parts."""
        first, slash, second = text.partition("/")
        if not (slash and first.isdigit() and second.isdigit() and 1 <= int(first) <= int(second)):
            raise InputError(f"{text!r} is not a part such as 2/4")
        return cls(int(first) - 1, int(second))


@dataclass(frozen=True)
class Distillation:
    """Which teacher translates what."""

    teacher: Path  # a run
    data: Path
    out: Path
    beam: int = 4
    references: float = 0.0  # share of the pairs that keep their own target
    threads: int = 0  # as many as there are cores

    def __post_init__(self) -> None:
        if not 0 <= self.references < 1:
            raise InputError(f"a share of references is in [0, 1), which {self.references} is not")

    @property
    def shards(self) -> Path:
        """Where the shards are kept until all are there."""
        return self.out.with_name(f"{self.out.name}.{SHARDS}")


def distill(job: Distillation, part: Part, progress: Progress) -> bool:
    """Translate this part's missing shards; if then all are there, make the folder and return True.

    Where this very folder has been made, nothing is left to do; any other is refused.
    """
    options = DecodingConfig(beam=job.beam)
    data = PreparedData.open(job.data)
    made_with = _made_with(job, data, options)
    if (job.out / PREPARED_FILE).exists():
        if _origin(job.out).get(MADE_WITH) != made_with:
            raise InputError(f"{job.out}: holds prepared data already")
        return True
    teacher = _load_teacher(job, data)
    pairs = data.split(TRAIN)
    open_shards(job.shards, made_with)
    shards = list(_shards(len(pairs)))
    for number, rows in enumerate(shards):
        path = job.shards / _name(number)
        if number % part.count == part.index and not path.exists():
            keeps = keep_references(job.references, number, len(rows))
            sources = [pairs.source(row).tolist() for row, keep in zip(rows, keeps, strict=True) if not keep]
            outputs = iter(translate_ids(teacher.engine, sources, options))
            targets = (
                pairs.target(row).tolist() if keep else next(outputs)
                for row, keep in zip(rows, keeps, strict=True)
            )
            lines = (teacher.texts.target.decode(ids).replace("\n", " ") for ids in targets)
            write_text(path, "".join(line + "\n" for line in lines))
        progress("translating", rows.stop, len(pairs))
    if not all((job.shards / _name(number)).exists() for number in range(len(shards))):
        return False
    _assemble(job, data, pairs, made_with)
    return True


def keep_references(share: float, shard: int, count: int) -> list[bool]:
    """Draw which pairs of a shard keep their own target, the same ones each time."""
    chosen: list[bool] = (np.random.default_rng(shard).random(count) < share).tolist()
    return chosen


def _load_teacher(job: Distillation, data: PreparedData) -> LoadedModel:
    """Load the teacher, and check that it can be one for this data."""
    teacher = load_engine(job.teacher, job.threads)
    if not teacher.engine.searches:
        raise InputError(f"{job.teacher}: only an autoregressive model can be a teacher")
    for side in ("source", "target"):
        ours, theirs = (getattr(texts, side).vocabulary.pieces for texts in (teacher.texts, data.texts))
        if ours != theirs:
            raise InputError(f"{job.teacher}: the teacher's {side} vocabulary is not that of {job.data}")
    return teacher


def _made_with(job: Distillation, data: PreparedData, options: DecodingConfig) -> JsonObject:
    """Return all that the text of a shard depends on; where teacher and data are, it does not."""
    return {
        "teacher": hash_file(find_folder(job.teacher) / MANIFEST_FILE),
        "data": data.records(TRAIN),
        "references": job.references,
        "pairs a shard": SHARD_PAIRS,
    } | to_table(options)


def _assemble(job: Distillation, data: PreparedData, pairs: PairSet, made_with: JsonObject) -> None:
    """Make the prepared folder: the teacher's text as ids, and the other sets as they were.

    Pairs are left out as `editmt prepare` does: a teacher that falls into a loop writes very long ones.
    """
    sizes = data.texts.sizes
    with replace_folder(job.out) as beside:
        copy_texts(job.data, beside / TEXT_FOLDER)
        keep, dropped = LengthFilter(**data.description["filter"]), Counter[str]()
        with write_pairs(beside, TRAIN, sizes) as writer:
            for number, rows in enumerate(_shards(len(pairs))):
                lines = (job.shards / _name(number)).read_text(encoding="utf-8").split("\n")[:-1]
                if len(lines) != len(rows):
                    raise InputError(f"{job.shards / _name(number)}: {len(lines)} lines, not {len(rows)}")
                sources = [pairs.source(row).tolist() for row in rows]
                targets = [data.target.encode(line) for line in lines]
                lengths = zip(map(len, sources), map(len, targets), strict=True)
                objections = [keep.objection(*both) for both in lengths]
                dropped.update(reason for reason in objections if reason)
                kept = [place for place, reason in enumerate(objections) if not reason]
                writer.add(
                    join_sentences([sources[place] for place in kept]),
                    join_sentences([targets[place] for place in kept]),
                )
            count = writer.pairs
        for name in data.names:
            if name != TRAIN:
                _copy_split(data.split(name), beside, name, sizes)
        summary = {"pairs": count, "dropped": {reason: dropped[reason] for reason in REASONS}}
        origin = {
            "distilled_from": str(job.data),
            "teacher": str(job.teacher),
            "beam": job.beam,
            "references": job.references,
            MADE_WITH: made_with,
        }
        splits = data.description["splits"] | {TRAIN: summary}
        files = describe_files(beside, list_files(beside, TEXT_FOLDER))
        write_json(
            beside / PREPARED_FILE, data.description | {"origin": origin, "splits": splits, "files": files}
        )


def _origin(folder: Path) -> JsonObject:
    return PreparedData.open(folder).description["origin"] or {}


def _copy_split(pairs: PairSet, folder: Path, name: str, sizes: tuple[int, int]) -> None:
    with write_pairs(folder, name, sizes) as writer:
        for rows in _shards(len(pairs)):
            writer.add(
                join_sentences([pairs.source(row).tolist() for row in rows]),
                join_sentences([pairs.target(row).tolist() for row in rows]),
            )


def _shards(pairs: int) -> Iterator[range]:
    for start in range(0, pairs, SHARD_PAIRS):
        yield range(start, min(start + SHARD_PAIRS, pairs))


def _name(number: int) -> str:
    return f"{number:06d}.txt"
