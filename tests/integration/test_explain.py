"""`editmt explain` as a user runs it: a process of its own, its output, its exit code."""

import json
import os
import signal
import subprocess
import sys

import pytest

GOOD = '{"hypothesis": [0, 5, 4, 2], "reference": [0, 4, 5, 2]}'
LABELS = {"distance": 2, "reposition": [0, 0, 2, 3], "placeholders": [0, 0, 1], "inserted": [0, 0, 1, 0]}


def editmt(*arguments, stdin=b"", **environment):
    return subprocess.run(
        [sys.executable, "-m", "editmt", *arguments],
        input=stdin,
        capture_output=True,
        check=False,
        env=os.environ | {"NO_COLOR": "", "COLUMNS": "200"} | environment,
    )


def text(*arguments, **environment):
    result = editmt("explain", *arguments, **environment)
    assert (result.returncode, result.stderr) == (0, b"")
    return result.stdout.decode()


def test_a_pair_in_a_pipe_is_plain():
    assert text("the cat cat sat", "cat sat the mat").splitlines() == [
        "canvas        the cat cat sat",
        "reposition    [-the-] cat [-cat-] sat",
        "placeholders  cat sat ▢ ▢",
        "tokens        cat sat [+the+] [+mat+]",
        "4 edits: 0 repositions, 2 deletions, 2 insertions",
    ]


def test_preferring_repositions():
    lines = text("b a c x", "a b c", "--prefer", "reposition").splitlines()
    assert lines[1] == "reposition    [a←2] [b←1] c [-x-]"
    assert lines[-1] == "3 edits: 2 repositions, 1 deletion, 0 insertions"


def test_from_nothing_and_to_nothing():
    assert text("", "a").splitlines()[0] == "canvas        (nothing)"
    assert text("a", "").splitlines()[-1] == "1 edit: 0 repositions, 1 deletion, 0 insertions"


def test_colour_in_a_terminal():
    coloured = text("x b a", "b a c", FORCE_COLOR="1", TERM="xterm-256color")
    lines = coloured.splitlines()
    assert lines[0] == "\x1b[2mcanvas        \x1b[0mx b a"
    assert lines[1] == "\x1b[2mreposition    \x1b[0m\x1b[9;31m[-x-]\x1b[0m b a"
    assert lines[2] == "\x1b[2mplaceholders  \x1b[0mb a \x1b[1;33m▢\x1b[0m"
    assert lines[3] == "\x1b[2mtokens        \x1b[0mb a \x1b[1;32m[+c+]\x1b[0m"
    moved = text("c b a", "a b c", FORCE_COLOR="1", TERM="xterm-256color").splitlines()[1]
    assert moved == "\x1b[2mreposition    \x1b[0m\x1b[1;34m[a←3]\x1b[0m b \x1b[1;34m[c←1]\x1b[0m"


def test_long_sentences_are_not_cut():
    words = [f"word{number}" for number in range(60)]
    assert text("", " ".join(words), COLUMNS="40").count("[+word") == 60


def test_words_that_look_like_markup():
    assert "[bold]x[/bold] :smile: <plh>" in text("[bold]x[/bold] :smile: <plh>", "y")


def test_json():
    record = json.loads(text("b a", "a b", "--json"))
    assert LABELS.items() <= record.items()
    assert record["counts"] == {"repositions": 0, "deletions": 1, "insertions": 1}
    assert record["steps"][-1] == {"action": "tokens", "canvas": ["<s>", "a", "b", "</s>"]}
    record = json.loads(text("b a", "a b", "--json", "--levenshtein"))
    assert record["deleted"] == [0, 1, 0, 0]
    assert "reposition" not in record


def test_json_lines():
    result = editmt("explain", "--jsonl", stdin=f"{GOOD}\n{GOOD}".encode())
    assert result.returncode == 0
    assert [json.loads(line) for line in result.stdout.splitlines()] == [LABELS, LABELS]
    result = editmt("explain", "--jsonl", "--levenshtein", stdin=GOOD.encode())
    assert json.loads(result.stdout) == {
        "distance": 2, "deleted": [0, 1, 0, 0], "placeholders": [0, 0, 1], "inserted": [0, 0, 1, 0],
    }  # fmt: skip
    assert editmt("explain", "--jsonl").stdout == b""


def test_many_and_long_lines_keep_their_order():
    lengths = [*range(1, 700), 2000, 3]
    lines = [json.dumps({"hypothesis": [0, 2], "reference": [0, *range(5, 5 + n), 2]}) for n in lengths]
    result = editmt("explain", "--jsonl", stdin="\n".join(lines).encode())
    assert [json.loads(line)["placeholders"] for line in result.stdout.splitlines()] == [[n] for n in lengths]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b'{"hypothesis": [0, 2]}', "the field 'reference' is missing"),
        (b'{"hypothesis": [0, -1, 2], "reference": [0, 2]}', "hypothesis: item 2 is not an id"),
        (b'{"hypothesis": [0, 2], "reference": [0, 99999999999, 2]}', "reference: item 2 is not an id"),
        (b'{"hypothesis": [0, 1.0, 2], "reference": [0, 2]}', "item 2 is not an id"),
        (b'{"hypothesis": [0, true, 2], "reference": [0, 2]}', "item 2 is not an id"),
        (b'{"hypothesis": [0, null, 2], "reference": [0, 2]}', "item 2 is not an id"),
        (b'{"hypothesis": [0, "' + b"x" * 999 + b'", 2], "reference": [0, 2]}', "item 2 is not an id"),
        (b'{"hypothesis": [0], "reference": [0, 2]}', "hypothesis is not a list of ids"),
        (b'{"hypothesis": [], "reference": [0, 2]}', "hypothesis is not a list of ids"),
        (b'{"hypothesis": "a b", "reference": [0, 2]}', "hypothesis is not a list of ids"),
        (b'{"hypothesis": [0, 2], "reference": [0, 3]}', "different symbols"),
        (b'{"hypothesis": [0, 5, 0, 2], "reference": [0, 2]}', "boundary symbol 0 inside (item 3)"),
        (b'{"hypothesis": [0, 2', "broken JSON"),
        (b"[" * 100_000, "broken JSON"),
        (b'{"hypothesis": [0, ' + b"9" * 5000 + b', 2], "reference": [0, 2]}', "broken JSON"),
        (b"[0, 2]", "a JSON object is expected"),
        (b"", "the line is empty"),
        (b"  ", "the line is empty"),
        (b'{"hypothesis": [0, 2], "\xff": 1}', "not valid UTF-8 (byte 25)"),
    ],
)
def test_a_bad_line_is_named_and_the_lines_before_it_are_answered(line, message):
    result = editmt(
        "explain", "--jsonl", stdin=b"\n".join([GOOD.encode(), GOOD.encode(), line, GOOD.encode()])
    )
    assert result.returncode == 2
    error = result.stderr.decode()
    assert error.count("\n") == 1
    assert len(error) < 200
    assert error.startswith("editmt: line 3: ")
    assert message in error
    assert [json.loads(good) for good in result.stdout.splitlines()] == [LABELS, LABELS]


@pytest.mark.parametrize(
    ("redirection", "message"),
    [
        ("explain --jsonl <&-", "standard input is closed"),
        ("explain a b >&-", "standard output is closed"),
        ("explain a b >/dev/full", "No space left on device"),
    ],
)
def test_streams_that_do_not_work(redirection, message):
    command = f"{sys.executable} -m editmt {redirection}"
    result = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert result.returncode == 2
    assert result.stderr.count("\n") == 1
    assert message in result.stderr


@pytest.mark.parametrize("locale", [{"PYTHONIOENCODING": "latin-1"}, {"LC_ALL": "C", "PYTHONUTF8": "0"}])
def test_text_is_utf8_whatever_the_locale(locale):
    assert "▢" in text("a b", "b ä a", **locale)
    assert json.loads(text("a", "東京", "--json", **locale))["reference"] == ["東京"]


def test_sequences_too_long_to_compare():
    words = "a " * 6000
    result = editmt("explain", words, words)
    assert (result.returncode, result.stdout) == (2, b"")
    assert b"too long to compare" in result.stderr
    ids = [0, *[7] * 6000, 2]
    result = editmt("explain", "--jsonl", stdin=json.dumps({"hypothesis": ids, "reference": ids}).encode())
    assert (result.returncode, result.stdout) == (2, b"")
    assert b"line 1: sequences too long" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["explain"], "needs two sentences"),
        (["explain", "a"], "needs two sentences"),
        (["explain", "a", "b", "c"], "unrecognized arguments: c"),
        (["explain", "a", "b", "--jsonl"], "standard input"),
        (["explain", "a", "b", "--json", "--jsonl"], "not allowed with"),
        (["explain", "a", "b", "--prefer", "luck"], "invalid choice"),
        (["explain", "a", "b", "--levenshtein", "--prefer", "reposition"], "no meaning"),
        (["explain", os.fsdecode(b"\xff"), "b"], "HYPOTHESIS is not valid UTF-8"),
        (["translat"], "invalid choice"),
        ([], "COMMAND"),
    ],
)
def test_wrong_arguments_get_one_line(arguments, message):
    result = editmt(*arguments)
    assert result.returncode == 2
    error = result.stderr.decode()
    assert error.count("\n") == 1
    assert error.startswith("editmt")
    assert message in error
    assert result.stdout == b""


def test_help_and_version():
    assert b"editmt 0." in editmt("--version").stdout
    for arguments in (["--help"], ["explain", "--help"]):
        result = editmt(*arguments)
        assert result.returncode == 0
        assert b"explain" in result.stdout


def test_a_reader_who_leaves_early():
    command = f"yes '{GOOD}' | head -20000 | {sys.executable} -m editmt explain --jsonl | head -1"
    result = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, check=False)
    assert json.loads(result.stdout) == LABELS
    assert b"Traceback" not in result.stderr
    assert b"Exception" not in result.stderr


def test_control_c_leaves_no_traceback():
    process = subprocess.Popen(
        [sys.executable, "-m", "editmt", "explain", "--jsonl"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin
    assert process.stdout
    process.stdin.write((GOOD + "\n").encode() * 300)  # more than one chunk, so that it surely runs
    process.stdin.flush()
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=10)
    assert (process.returncode, error) == (130, b"")
