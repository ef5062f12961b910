"""Does an exported model translate as its original? PyTorch, float32 and int8 on the same sentences.

    python bench/fidelity.py RUN EXPORT tatoeba=test.en,test.de libreoffice=terminology-test.jsonl …

For each test set (two text files, or JSON lines of source, reference and terms, which become soft
constraints): BLEU, iterations, the share of terms in the output, and how many sentences come out as in
PyTorch. And for each decision that int8 took, whether PyTorch would have taken the same on the same canvas.
"""

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import sacrebleu
import torch
from rich.console import Console
from rich.table import Table

from editmt.decoding.cpu_policy import CpuPolicy
from editmt.decoding.loading import LoadedModel, load_engine
from editmt.decoding.model_policy import ModelPolicy
from editmt.decoding.policy import Floats, Integers, Mask, Policy, Words
from editmt.decoding.refinement import RefinementEngine
from editmt.decoding.request import Request
from editmt.decoding.translation import Translation
from editmt.decoding.translator import Translator
from editmt.edits import Canvas
from editmt.models import EditModel
from editmt.models.saved import load_model
from editmt.runtime.cpu_folder import CpuExport
from editmt.runtime.cpu_model import CpuEditModel
from editmt.storage import find_model
from editmt.text import PLH


class Witness:
    """A policy, and another that is asked the same questions; counts where both choose alike."""

    def __init__(self, policy: Policy, other: Policy, counts: Counter[str]) -> None:
        self._policy, self._other, self._counts = policy, other, counts

    def _compare(self, name: str, ours: Any, theirs: Any) -> None:
        self._counts[name] += len(ours)
        self._counts[f"{name} alike"] += int((ours == theirs).sum())

    def reposition_scores(self, canvas: Canvas) -> Floats:
        """Compare which token comes to stand at each place."""
        scores, other = self._policy.reposition_scores(canvas), self._other.reposition_scores(canvas)
        inside = canvas.interior
        self._compare("moves", scores.argmax(-1)[inside], other.argmax(-1)[inside])
        return scores

    def placeholder_scores(self, canvas: Canvas) -> Floats:
        """Compare how many placeholders go into each gap."""
        scores, other = self._policy.placeholder_scores(canvas), self._other.placeholder_scores(canvas)
        self._compare("counts", scores.argmax(-1)[canvas.gaps], other.argmax(-1)[canvas.gaps])
        return scores

    def words(self, canvas: Canvas, count: int, only: Mask | None = None) -> Words:
        """Compare the best words."""
        words, other = (policy.words(canvas, count, only) for policy in (self._policy, self._other))
        if only is None and (canvas.ids == PLH).any():
            self._compare("words", words.ids[:, 0], other.ids[:, 0])
        return words

    def draft_scores(self, canvas: Canvas, tokens: Integers) -> Floats:
        """Do as the first: where words will stand is not counted."""
        return self._policy.draft_scores(canvas, tokens)

    def select(self, rows: Integers) -> "Witness":
        """Go on with some sentences."""
        return Witness(self._policy.select(rows), self._other.select(rows), self._counts)


class TestSet(NamedTuple):
    """Sentences with their terms and references."""

    name: str
    requests: list[Request]
    references: list[str]


def read_set(argument: str, most: int) -> TestSet:
    """Read NAME=SOURCE,TARGET or NAME=FILE.jsonl."""
    name, _, files = argument.partition("=")
    if files.endswith(".jsonl"):
        with Path(files).open(encoding="utf-8") as stream:
            records = [json.loads(line) for line in stream][:most]
        requests = [
            Request.of(record["source"], terms=[term["target"] for term in record["terms"]])
            for record in records
        ]
        return TestSet(name, requests, [record["reference"] for record in records])
    source, target = (Path(file).read_text(encoding="utf-8").split("\n")[:most] for file in files.split(","))
    pairs = [(ours, theirs) for ours, theirs in zip(source, target, strict=True) if ours]
    return TestSet(name, [Request.of(ours) for ours, _ in pairs], [theirs for _, theirs in pairs])


def witnessed(run: Path, export: CpuExport, loaded: LoadedModel, counts: Counter[str]) -> Translator:
    """Return a translator on int8 whose decisions are compared with PyTorch's."""
    model = load_model(find_model(run)).model
    assert isinstance(model, EditModel)
    small = CpuEditModel(export.config, export.part("int8"))

    def start(source: Canvas) -> Policy:
        tensors = (torch.from_numpy(source.ids), torch.from_numpy(source.mask))
        return Witness(CpuPolicy.start(small, source), ModelPolicy.start(model, *tensors), counts)

    engine = RefinementEngine(partial(start), export.config.max_length)
    return Translator(engine, loaded.texts, loaded.decoding)


def translate(translator: Translator, requests: Sequence[Request]) -> list[Translation]:
    """Translate; these sets have nothing that cannot be."""
    answers = translator.translate_all(requests)
    assert all(isinstance(answer, Translation) for answer in answers)
    return [answer for answer in answers if isinstance(answer, Translation)]


def describe(answers: Sequence[Translation], references: Sequence[str]) -> dict[str, float]:
    """Return what is compared of one way of translating."""
    uses = [use for answer in answers for use in answer.terms]
    return {
        "BLEU": sacrebleu.corpus_bleu([answer.text for answer in answers], [list(references)]).score,
        "iterations": float(np.mean([answer.iterations for answer in answers])),
        "terms, %": 100 * float(np.mean([use.status == "used" for use in uses])) if uses else float("nan"),
    }


def main() -> None:
    """Compare, and print a table for each set."""
    parser = argparse.ArgumentParser(
        formatter_class=argparse.RawDescriptionHelpFormatter, description=__doc__
    )
    parser.add_argument("run", type=Path)
    parser.add_argument("export", type=Path)
    parser.add_argument("sets", nargs="+", metavar="NAME=FILES")
    parser.add_argument("--most", type=int, default=1000, help="sentences of a set")
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    export, counts = CpuExport.open(options.export), Counter[str]()
    loaded = load_engine(options.export, options.threads)
    ways = {
        "PyTorch": Translator.load(options.run, options=loaded.decoding),
        "int8": witnessed(options.run, export, loaded, counts),
    }
    if "float32" in export.precisions:
        ways["float32"] = Translator.load(options.export, precision="float32")
    for name, requests, references in (read_set(each, options.most) for each in options.sets):
        table = Table("", "BLEU", "iterations", "terms, %", "same text", title=f"{name}: {len(requests)}")
        answers = {way: translate(translator, requests) for way, translator in ways.items()}
        for way, found in answers.items():
            same = sum(a.text == b.text for a, b in zip(found, answers["PyTorch"], strict=True))
            table.add_row(way, *(f"{value:.2f}" for value in describe(found, references).values()), str(same))
        Console().print(table)
        for kind in ("moves", "counts", "words"):
            share = counts[f"{kind} alike"] / max(counts[kind], 1)
            print(f"int8 and PyTorch agree on {100 * share:.2f} % of {counts[kind]} {kind}")
        counts.clear()


if __name__ == "__main__":
    main()
