"""`editmt glossary` and `editmt translate FILE --glossary …` as a user runs them, with a random model."""

import io
import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from editmt.cli.main import main
from editmt.data.texts import Texts
from editmt.models.saved import save_model, weights_of
from tests.constraints import PIPELINE
from tests.tiny import tiny_model

PO = """msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\\n"

#, c-format
msgid "The lamp of %s <b>is on</b>."
msgstr ""
"""
TERMS = "lamp\tLampe\t\nsea\tSee\t\nboat\tKahn\tforbidden\nhalf\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with a model, a glossary and a document."""
    folder = tmp_path_factory.mktemp("glossary")
    model = tiny_model("editor", vocabulary=len(PIPELINE.vocabulary), max_length=256)
    save_model(folder / "model", model.config, weights_of(model), Texts(PIPELINE, PIPELINE))
    (folder / "terms.en-de.tsv").write_text(TERMS)
    (folder / "a.po").write_text(PO)
    return folder


@pytest.fixture
def editmt(folder, monkeypatch, capfd):
    """Return a function that runs a command in the folder: its code, its lines, and what it said."""

    def run(*arguments, lines=()):
        monkeypatch.chdir(folder)
        given = "".join(line + "\n" for line in lines).encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
        capfd.readouterr()
        code = main([str(argument) for argument in arguments])
        said = capfd.readouterr()
        return code, said.out.split("\n")[:-1], said.err

    return run


def test_check(editmt):
    code, lines, said = editmt("glossary", "check", "terms.en-de.tsv")
    assert code == 2
    assert lines[0] == "terms.en-de.tsv: line 4: only one column (left out)"
    assert lines[1] == "terms.en-de.tsv: 3 entries (en → de: 3); 2 preferred, 1 forbidden"
    assert said == "editmt: 1 rows were left out\n"


def test_the_same_is_not_told_again_and_again(editmt, folder):
    rows = "".join(f"term {number}\tBegriff {number}\thuh\n" for number in range(40))
    (folder / "many.tsv").write_text(f"source\ttarget\tstatus\n{rows}a\nb\nc\nd\ne\nf\n")
    code, lines, _ = editmt("glossary", "check", "many.tsv")
    assert (code, len(lines)) == (2, 5 + 6 + 1 + 1)
    assert "many.tsv: 35 more: the status 'huh' is not known: taken as preferred" in lines


def test_a_language_may_be_chosen(editmt, folder):
    (folder / "three.csv").write_text("en,de,fr\nlamp,Lampe,lampe\n")
    _, lines, said = editmt("glossary", "match", "three.csv", "A lamp.", "--target-language", "fr")
    assert (lines, said) == (["1:2-6\tlamp\tlampe"], "")
    code, _, said = editmt("glossary", "check", "three.csv", "--target-language", "it")
    assert (code, said) == (2, "editmt: three.csv: no terms of ? → it (there are en → de, en → fr)\n")


def test_convert(editmt, folder):
    for name in ("terms.tbx", "terms.jsonl", "terms.csv"):
        assert editmt("glossary", "convert", "terms.en-de.tsv", name)[0] == 0
        assert editmt("glossary", "check", name)[1] == [
            f"{name}: 3 entries (en → de: 3); 2 preferred, 1 forbidden"
        ]
    assert "<termEntry>" in (folder / "terms.tbx").read_text()
    assert editmt("glossary", "convert", "terms.tbx", "-o", "again.tsv")[0] == 0
    assert "lamp\tLampe" in (folder / "again.tsv").read_text()
    assert editmt("glossary", "convert", "terms.tbx", "--to", "jsonl")[1][0].startswith('{"source": "lamp"')
    assert editmt("glossary", "convert", "terms.tbx", "a.tsv", "-o", "b.tsv")[0] == 2
    code, _, said = editmt("glossary", "convert", "terms.en-de.tsv", "terms.doc")
    assert (code, "'doc' is none of the formats" in said) == (2, True)


def test_match(editmt):
    _, lines, _ = editmt("glossary", "match", "terms.en-de.tsv", lines=["The lamps!", "A sea, a boat"])
    assert lines == ["1:4-9\tlamps\tLampe", "2:2-5\tsea\tSee", "2:9-13\tboat\tnot: Kahn"]
    _, (line,), _ = editmt("glossary", "match", "terms.en-de.tsv", "A sea", "--jsonl")
    (term,) = json.loads(line)["terms"]
    assert (term["source"], term["targets"], term["applied"]) == ("sea", ["See"], True)


def translate(editmt, *arguments, **more):
    return editmt("translate", "--model", "model", "--threads", 1, *arguments, **more)


def test_a_document_and_its_report(editmt, folder):
    options = ["--glossary", "terms.en-de.tsv", "--terms", "hard", "-o", "out.po", "--report", "terms.html"]
    code, lines, said = translate(editmt, "a.po", *options)
    assert (code, lines) == (0, [])
    assert said == "editmt: terms.en-de.tsv: line 4: only one column (left out)\n"
    before, after = PO.rsplit('msgstr ""', 1)
    written = (folder / "out.po").read_text()
    assert written.startswith(before)
    assert written.endswith(after)
    assert all(part in written[len(before) :] for part in ("%s", "<b>", "</b>", "Lampe"))
    page = (folder / "terms.html").read_text()
    assert '<mark class="used">Lampe</mark>' in page
    assert "http" not in page, "nothing is loaded from elsewhere"


def test_lines_with_a_glossary(editmt):
    _, (line,), _ = translate(
        editmt, "--glossary", "terms.en-de.tsv", "--terms", "hard", lines=["A lamp for {name}"]
    )
    assert line.count("{name}") == line.count("Lampe") == 1
    request = json.dumps({"source": "A lamp on the sea", "hard": ["und"]})
    _, (line,), _ = translate(editmt, "--glossary", "terms.en-de.tsv", "--jsonl", lines=[request])
    assert [use["term"] for use in json.loads(line)["terms"]] == ["und", "Lampe", "See"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a.po", "--glossary", "none.tsv"], "none.tsv: No such file"),
        (["none.po", "-o", "x.po"], "none.po: No such file"),
        (["a.po", "--term", "x"], "go with a SOURCE"),
        (["x", "--report", "r.html"], "--report goes with a document"),
        (["-o", "x.po"], "-o goes with a document"),
        (["a.po", "-o", "no/x.po"], "no/x.po: No such file"),
    ],
)
def test_what_is_wrong_is_said(editmt, arguments, message):
    code, _, said = translate(editmt, *arguments)
    assert (code, said.count("\n")) == (2, 1)
    assert message in said


def test_what_is_no_file_is_written_to_and_a_link_is_followed(editmt, folder):
    (folder / "real.po").write_text("old")
    (folder / "link.po").symlink_to("real.po")
    assert editmt("translate", "a.po", "-o", "link.po")[0] == 0
    assert (folder / "link.po").is_symlink()
    translated = (folder / "real.po").read_bytes()
    assert b"msgstr" in translated
    os.mkfifo(folder / "pipe.po")
    with ThreadPoolExecutor() as pool:
        read = pool.submit((folder / "pipe.po").read_bytes)
        assert editmt("translate", "a.po", "-o", "pipe.po")[0] == 0
        assert read.result(timeout=20) == translated
    assert (folder / "pipe.po").is_fifo()
    assert not list(folder.glob("*.part"))
