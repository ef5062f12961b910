"""`editmt translate` as a user runs it, with models that have hardly learnt anything."""

import contextlib
import io
import json
import subprocess
import sys

import pytest

from editmt.cli.main import main
from tests.runs import train_here, write_digits

LINES = ["1 2 3", "", "4 5", "9 8 7 6 5 4"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with the runs `editor` and `teacher`, and the teacher's export."""
    folder = tmp_path_factory.mktemp("translate")
    write_digits(folder)
    assert train_here(folder, "editor", "run.steps=60") == 0
    assert train_here(folder, "teacher", "model.kind=autoregressive", "run.steps=60") == 0
    with contextlib.chdir(folder):
        assert main(["export", "teacher", "exported", "--to", "ctranslate2"]) == 0
    return folder


@pytest.fixture
def translate(folder, monkeypatch, capfd):
    """Return a function that runs the command, and returns its exit code, its lines, and what it said."""

    def run(*arguments, lines=(), model="editor"):
        given = lines if isinstance(lines, bytes) else "".join(line + "\n" for line in lines).encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
        capfd.readouterr()
        with contextlib.chdir(folder):
            code = main(["translate", "--model", model, "--threads", "1", *arguments])
        said = capfd.readouterr()
        return code, said.out.split("\n")[:-1], said.err

    return run


def test_a_process_of_its_own(folder):
    command = [sys.executable, "-m", "editmt", "translate", "--model", "editor", "--threads", "1"]
    done = subprocess.run(command, cwd=folder, input=b"1 2\n\xc3\n", capture_output=True, check=False)
    assert (done.returncode, done.stdout.count(b"\n")) == (2, 2)
    assert done.stderr.startswith(b"editmt: line 2: not valid UTF-8 (byte 1)\n")


def test_without_standard_error_errors_do_not_come_between_the_lines(folder):
    command = f"{sys.executable} -m editmt translate --model editor --threads 1 2>&-"
    done = subprocess.run(
        ["sh", "-c", command], cwd=folder, input=b"1 2\n\xc3\n", stdout=subprocess.PIPE, check=False
    )
    assert (done.returncode, done.stdout.count(b"\n")) == (2, 2)


@pytest.mark.parametrize("model", ["editor", "teacher", "exported"])
def test_line_for_line(translate, model):
    code, lines, said = translate(lines=LINES, model=model)
    assert (code, len(lines), said) == (0, 4, "")
    assert lines[1] == "", "of a blank line"
    reverse = translate(lines=LINES[::-1], model=model)[1]
    assert reverse[::-1] == lines
    assert translate(lines=[], model=model) == (0, [], "")


def test_line_ends_and_a_byte_order_mark_are_no_text(translate):
    plain = translate(lines=b"1 2\n\n3\n")
    assert translate(lines=b"\xef\xbb\xbf1 2\r\n\r\n3") == plain
    code, (line,), _ = translate("--jsonl", lines=b'\xef\xbb\xbf{"source": "1 2"}')
    assert (code, json.loads(line)["text"]) == (0, plain[1][0])


def test_the_export_translates_as_the_teacher(translate):
    teacher, exported = (translate(lines=LINES, model=model)[1] for model in ("teacher", "exported"))
    assert teacher == exported


def test_one_sentence_with_words(translate):
    code, (line,), _ = translate("1 2 3", "--hard", "77", "--forbid", "1")
    assert code == 0
    assert line.split().count("77") == 1
    assert "1" not in line.split()


def test_json_lines(translate):
    requests = [{"source": "1 2", "hard": ["5 5"], "terms": [["3", "4"]]}, {"source": "1", "draft": "2 2"}]
    code, lines, _ = translate("--jsonl", lines=map(json.dumps, requests))
    answers = [json.loads(line) for line in lines]
    assert code == 0
    assert list(answers[0]) == ["text", "terms", "score", "iterations", "counts", "trace"]
    hard, soft = answers[0]["terms"]
    assert (hard["status"], soft["term"]) == ("used", "3")
    assert answers[0]["text"][slice(*hard["span"])] == "5 5"
    assert [answer["trace"]["first"][0] for answer in answers] == ["<s>", "<s>"]
    assert {step["action"] for step in answers[1]["trace"]["steps"]} <= {
        "reposition",
        "placeholders",
        "tokens",
    }


def test_bad_lines_are_named_and_the_others_translated(translate):
    lines = b"1 2\n\xff\n" + b"7 " * 50_000 + b"\n3 4\n"
    code, lines, said = translate(lines=lines)
    assert code == 2
    assert [bool(line) for line in lines] == [True, False, False, True]
    first, second, last = said.splitlines()
    assert first == "editmt: line 2: not valid UTF-8 (byte 1)"
    assert second.startswith("editmt: line 3: the source has ")
    assert last == "editmt: 2 of the lines could not be translated"


BAD_JSON = {
    "{": "broken JSON",
    "[]": "a JSON object is expected, not list",
    '{"sauce": "x"}': "there is no field 'sauce'",
    '{"terms": []}': "the field 'source' is missing",
    '{"source": null}': "the field 'source' is missing",
    '{"source": "x", "hard": ["a b"], "forbidden": ["b"]}': "'b' is forbidden, and 'a b' has to be kept",
    '{"source": "x", "hard": [""]}': "hard: item 1 is empty",
    json.dumps({"source": "x", "hard": ["12 " * 500]}): "hard words and locked parts have",
}


def test_bad_requests_get_an_error_each(translate):
    good = '{"source": "1 2"}'
    code, lines, said = translate("--jsonl", lines=[good, *BAD_JSON, good])
    answers = [json.loads(line) for line in lines]
    assert code == 2
    assert answers[0]["text"] == answers[-1]["text"]
    for number, (answer, message) in enumerate(zip(answers[1:-1], BAD_JSON.values(), strict=True), start=2):
        assert message in answer["error"]
        assert f"line {number}: {answer['error']}" in said


@pytest.mark.parametrize(
    ("arguments", "model", "message"),
    [
        (["--term", "1"], "editor", "go with a SOURCE"),
        (["x", "--beam", "0"], "teacher", "beam is 0"),
        (["x", "--hard", " "], "editor", "hard: item 1 is empty"),
        (["x", "--threads", "-1"], "editor", "threads is -1"),
        (["x"], "nobody", "nobody: there is no such folder"),
        (["x"], "data", "data: nothing complete is saved here"),
        (["x", "--term", "1"], "exported", "translates without terms"),
        (["x", "--draft", "1"], "teacher", "cannot start from a draft"),
    ],
)
def test_what_is_wrong_is_said(translate, arguments, model, message):
    code, _, said = translate(*arguments, model=model)
    assert code == 2
    assert message in said.splitlines()[0]
