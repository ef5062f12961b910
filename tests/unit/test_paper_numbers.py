"""The paper's numbers against its own LaTeX, where it is at hand."""

import re
from pathlib import Path

import pytest

from editmt.experiments import paper_numbers

SOURCE = Path(__file__).parents[3] / "shared/paper/editor-tacl2021.tex"
pytestmark = pytest.mark.skipif(not SOURCE.exists(), reason="the paper's source is not here")

AR = ("ar-beam4", "ar-beam10", "ar-distilled-beam10", "levenshtein", "editor")
DBA = ("dba-beam4", "dba-beam10", "levenshtein-soft", "levenshtein-hard", "editor-soft", "editor-hard")
PAIRS = ("ro-en", "en-de", "en-ja")


def rows(label):
    """Return the numbers of each row of a table, dashes and beams left out."""
    tables = re.findall(
        r"\\begin\{tabular\}.*?\\end\{table\*?\}", SOURCE.read_text(encoding="utf-8"), re.DOTALL
    )
    table = next(each for each in tables if f"\\label{{{label}}}" in each)
    lines = [
        re.sub(r"\\(underline|bf|textbf|multirow\{\d\}\{\*\})", "", line) for line in table.split("\\\\")
    ]
    cells = [[cell.strip(" \t\n{}") for cell in line.split("&")] for line in lines]
    found = [[float(cell.rstrip("M")) for cell in row if re.fullmatch(r"\d+\.\d+M?", cell)] for row in cells]
    return [row for row in found if row]


def ours(table, names, metrics, million=()):
    return [
        [table[pair][name][metric] / (1e6 if metric in million else 1) for metric in metrics]
        for pair in PAIRS
        for name in names
    ]


def test_table_2():
    found = rows("tab:mt")
    assert len(found) == 18
    sockeye = [row for number, row in enumerate(found) if number % 6]  # the first of each six is fairseq's
    metrics = ("parameters", "bleu", "ribes", "latency")
    assert sockeye == ours(paper_numbers.TRANSLATION, AR, metrics, million=("parameters",))


def test_table_3():
    assert rows("tab:lcmt") == ours(paper_numbers.CONSTRAINED, DBA, ("bleu", "ribes", "cpr", "latency"))


def test_table_4():
    metrics = ("repositions", "deletions", "insertions", "edits", "iterations")
    assert rows("tab:num_ops") == ours(paper_numbers.EFFORT, ("levenshtein-soft", "editor-soft"), metrics)


def test_table_5():
    names = ("editor-soft", "single_path-soft", "levenshtein-soft")
    assert rows("tab:ablation") == ours(paper_numbers.CONSTRAINED, names, ("bleu", "ribes", "cpr", "latency"))


def test_table_6():
    tables = paper_numbers.PRIOR_TERMINOLOGY, paper_numbers.TERMINOLOGY
    expected = [
        [table[name][system][metric] for name in ("Wiktionary", "IATE") for metric in ("term", "bleu")]
        for table in tables
        for system in table["IATE"]
    ]
    assert rows("tab:term_exact") == expected
