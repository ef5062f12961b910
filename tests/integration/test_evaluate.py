"""`editmt evaluate` and `editmt sample-constraints` as a user runs them."""

import json
import subprocess
import sys

import pytest

from editmt.cli.main import main
from editmt.decoding.request import Request
from tests.sentences import ENGLISH, GERMAN

ANSWER = {
    "iterations": 2,
    "counts": {"repositions": 1, "deletions": 0, "insertions": 9},
    "score": 0,
    "trace": None,
}


def write(path, lines):
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")


@pytest.fixture
def run(tmp_path, monkeypatch, capfd):
    """Return a function that runs a command in a folder of texts, and returns its code and what it said."""
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "test.en", ENGLISH)
    write(tmp_path / "test.de", GERMAN)
    write(tmp_path / "bad.de", [line.lower() for line in ENGLISH])
    write(tmp_path / "good.jsonl", (json.dumps({"text": line, **ANSWER}) for line in GERMAN))
    near = [GERMAN[0].lower(), *GERMAN[1:]]
    write(tmp_path / "near.jsonl", (json.dumps({"text": line, **ANSWER, "latency_ms": 90}) for line in near))
    requests = (
        {"source": source, "terms": [line.split()[0]]} for source, line in zip(ENGLISH, GERMAN, strict=True)
    )
    write(tmp_path / "asked.jsonl", map(json.dumps, requests))

    def command(*arguments):
        capfd.readouterr()
        code = main(list(arguments))
        said = capfd.readouterr()
        return code, said.out, said.err

    return command


SYSTEMS = ("good=good.jsonl", "near=near.jsonl", "bad=bad.de")
ALL = ("evaluate", "--reference", "test.de", "--source", "test.en", "--constraints", "asked.jsonl", *SYSTEMS)


def test_a_table(run):
    code, out, err = run(*ALL)
    assert (code, err) == (0, "")
    rows = {line.split()[0]: line.split()[1:] for line in out.splitlines()[1:6] if line.strip()}
    assert rows["good"][0] == "100.0*"
    assert rows["near"][0].endswith("~")
    assert "Latency (ms) ↓" in out
    assert "13 sentences; paired bootstrap|samples:1000|seed:1" in out
    assert "BLEU: nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:" in out


def test_json(run):
    code, out, _ = run(*ALL, "--json", "--samples", "100")
    report = json.loads(out)
    assert code == 0
    assert (report["sentences"], report["runs"]) == (13, 1)
    good, bad = report["systems"]["good"], report["systems"]["bad"]
    assert list(good)[:6] == ["bleu", "chrf", "ribes", "cpr", "term", "latency"]
    assert (good["cpr"]["score"], bad["cpr"]["score"]) == (100, 0)
    assert good["bleu"]["best"]
    assert good["bleu"]["p"]["bad"] < 0.05
    assert bad["iterations"]["score"] is None, "plain text tells nothing of it"
    assert good["edits"]["score"] == 10
    assert json.loads(run(*ALL, "--json", "--samples", "100")[1]) == report


def test_markdown_and_latex(run):
    _, markdown, _ = run(*ALL, "--markdown", "--metrics", "ribes,cpr")
    lines = markdown.splitlines()
    assert lines[:4] == ["**Quality**", "", "| system | RIBES ↑ | CPR ↑ |", "| --- | ---: | ---: |"]
    assert lines[4].startswith("| good | **")
    assert lines[5].count("<u>") == 2
    assert "| BLEU (words) ↑ |" in run(*ALL, "--markdown", "--tokenise", "none")[1]
    _, latex, _ = run(*ALL[:-3], "a_b&c=good.jsonl", "--latex", "--metrics", "cpr")
    assert r" & CPR $\uparrow$ \\" in latex
    assert r"a\_b\&c & \textbf{100.0} \\" in latex


def test_latency_needs_no_counts(run, tmp_path):
    write(tmp_path / "timed.jsonl", (json.dumps({"text": line, "latency_ms": 40}) for line in GERMAN))
    code, out, _ = run("evaluate", "--reference", "test.de", "timed=timed.jsonl", "--json")
    assert code == 0
    assert json.loads(out)["systems"]["timed"]["latency"]["score"] == 40


def test_runs(run):
    constraints = ["--constraints", "asked.jsonl"]
    systems = ["a=good.jsonl,near.jsonl", "b=bad.de,bad.de"]
    code, out, err = run("evaluate", "--reference", "test.de", *constraints * 2, *systems, "--json")
    assert (code, err) == (0, "")
    report = json.loads(out)
    assert (report["runs"], report["test"]) == (2, "Student's t over runs")
    first = report["systems"]["a"]["bleu"]
    assert first["score"] == pytest.approx(sum(first["runs"]) / 2)
    assert not report["systems"]["b"]["bleu"]["tied"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["bad=short.de"], "short.de: line 3: 2 lines for 13 references"),
        (["bad=nobody.de"], "nobody.de: No such file or directory"),
        (["bad=bytes.de"], "bytes.de: line 2: not valid UTF-8 (byte 1)"),
        (["bad=broken.jsonl"], "broken.jsonl: line 2: broken JSON"),
        (["bad=error.jsonl"], "error.jsonl: line 1: this was not translated: too long"),
        (
            ["bad=counts.jsonl"],
            "counts.jsonl: line 1: the field 'deletions' is missing or not a number from 0",
        ),
        (["bad=textless.jsonl"], "textless.jsonl: line 1: the field 'text' is missing or not a text"),
        (["bad.de"], "'bad.de' is not SYSTEM=OUTPUT"),
        (["a=bad.de", "a=bad.de"], "there are two systems 'a'"),
        (["a=bad.de", "b=bad.de,bad.de"], "'b' has another number of runs than 'a': 2"),
        (["a=bad.de", "--metrics", "bleu,blue"], "there is no metric 'blue' for these files (only: bleu, "),
        (["a=bad.de", "--metrics", "cpr"], "there is no metric 'cpr' for these files"),
        (["a=bad.de", "--tokenise", "kytea"], "there is no tokenisation 'kytea'"),
        (["a=bad.de", "--samples", "0"], "--samples must be from 1 to 10,000"),
        (["a=bad.de", "--samples", "99999999999"], "--samples must be from 1 to 10,000"),
        (["a=bad.de", "--seed", "-1"], "--seed must not be negative"),
        (["a=bad.de", "--lemmas", "de"], "--lemmas is for terms: it needs --constraints"),
        (
            ["a=bad.de", "--constraints", "asked.jsonl", "--lemmas", "xx"],
            "there are no lemmas for the language 'xx'",
        ),
        (["a=huge.jsonl"], "huge.jsonl: line 1: the field 'latency_ms' is missing or not a number from 0"),
        (["a\udcff=bad.de"], "'a\\udcff' is no name for a system"),
        (["a\nb=bad.de"], "'a\\nb' is no name for a system"),
        (["a=untimed.jsonl"], "untimed.jsonl: line 1: the field 'latency_ms' is missing or not a number"),
        (["a=bad.de", "--constraints", "good.jsonl"], "good.jsonl: line 1: there is no field 'text'"),
        (["a=bad.de", *["--constraints", "asked.jsonl"] * 2], "--constraints is given 2 times, for 1 runs"),
        (
            ["a=bad.de", "--constraints", "asked.jsonl", "--source", "test.de"],
            "asked.jsonl: line 1: the source is another one than in the source file",
        ),
        (["a=bad.de", "--reference", "empty.de"], "empty.de: there is no line"),
    ],
)
def test_bad_input_is_named(run, tmp_path, arguments, message):
    write(tmp_path / "short.de", GERMAN[:2])
    (tmp_path / "empty.de").touch()
    write(tmp_path / "huge.jsonl", ['{"text": "x", "latency_ms": 1' + 400 * "0" + "}"])
    (tmp_path / "bytes.de").write_bytes(b"x\n\xff\n")
    write(tmp_path / "broken.jsonl", ['{"text": "x"}', "{"])
    write(tmp_path / "error.jsonl", ['{"error": "too long"}'])
    write(tmp_path / "counts.jsonl", ['{"text": "x", "iterations": 1, "counts": {"repositions": 1}}'])
    write(tmp_path / "textless.jsonl", ["{}"])
    write(tmp_path / "untimed.jsonl", ['{"text": "x", "latency_ms": "5"}'])
    code, out, err = run("evaluate", "--reference", "test.de", *arguments)
    assert (code, out) == (2, "")
    assert err.startswith(f"editmt: {message}")
    assert err.count("\n") == 1


def test_a_byte_order_mark_is_no_part_of_a_line(run, tmp_path):
    for name in ("test.de", "good.jsonl", "asked.jsonl"):
        marked = b"\xef\xbb\xbf" + (tmp_path / name).read_bytes()
        (tmp_path / name).write_bytes(marked.replace(b"\n", b"\r\n"))
    code, out, err = run(*ALL[:-2], "--json", "--samples", "10")
    assert (code, err) == (0, "")
    good = json.loads(out)["systems"]["good"]
    assert (good["bleu"]["score"], good["cpr"]["score"]) == (pytest.approx(100), 100)


def test_names_that_markup_would_take_for_its_own(run):
    names = ("[a]", "*b", "c|d")
    arguments = (*(f"{name}=test.de" for name in names), "--metrics", "chrf", "--samples", "1")
    latex = run("evaluate", "--reference", "test.de", "--latex", *arguments)[1].splitlines()
    rows = [line.split(" &")[0] for line in latex if line[0] not in "%\\ "]
    assert rows == ["{[}a]", "{*}b", r"c\textbar{}d"], r"\\ would take what follows for its argument"


def sample(run, *arguments):
    code, out, err = run("sample-constraints", "test.en", "test.de", *arguments)
    assert (code, err) == (0, "")
    return [json.loads(line) for line in out.splitlines()]


def test_samples_are_requests(run, tmp_path):
    requests = sample(run, "--seed", "3")
    assert [Request.from_json(request).source for request in requests] == ENGLISH
    counts = [len(request["terms"]) for request in requests]
    assert (min(counts), max(counts)) == (1, 4)
    write(tmp_path / "sample.jsonl", map(json.dumps, requests))
    checked = ("evaluate", "--reference", "test.de", "--constraints", "sample.jsonl", "ref=test.de", "--json")
    assert json.loads(run(*checked)[1])["systems"]["ref"]["cpr"]["score"] == 100
    assert sample(run, "--seed", "3") == requests
    assert sample(run, "--seed", "4") != requests


@pytest.mark.parametrize("tokenise", ["13a", "none", "moses:de"])
def test_exactly_so_many_words(run, tokenise):
    for request, line in zip(
        sample(run, "--words", "5", "--hard", "--tokenise", tokenise), GERMAN, strict=True
    ):
        assert len(request["hard"]) == 5
        assert all(word in line for word in request["hard"])
    whole = sample(run, "--words", "99", "--tokenise", "none")
    assert [sorted(request["terms"]) for request in whole] == [sorted(line.split()) for line in GERMAN]


def test_terminology(run, tmp_path):
    line = {"source": "a dog", "reference": "ein Hund", "terms": [{"source": "dog", "target": "Hund"}]}
    write(tmp_path / "terms.jsonl", [json.dumps(line)])
    code, out, _ = run("sample-constraints", "--terminology", "terms.jsonl")
    assert (code, json.loads(out)) == (0, {"source": "a dog", "terms": ["Hund"]})
    write(tmp_path / "asked.jsonl", [out.strip()])
    write(tmp_path / "out.de", ["der Hund"])
    scored = run(
        "evaluate", "--reference", "terms.jsonl", "--constraints", "asked.jsonl", "a=out.de", "--json"
    )
    assert json.loads(scored[1])["systems"]["a"]["term"]["score"] == 100
    write(tmp_path / "terms.jsonl", ['{"source": "a dog", "terms": ["dog"]}'])
    code, _, err = run("sample-constraints", "--terminology", "terms.jsonl")
    assert (code, err) == (
        2,
        "editmt: terms.jsonl: line 1: terms: an item has no field 'target' with a text\n",
    )


def test_a_terminology_set_is_whole_or_not_taken(run, tmp_path):
    line = {"source": "a dog", "terms": [{"source": "dog", "target": "Hu\ud83dnd"}]}
    write(tmp_path / "terms.jsonl", [json.dumps(line)])
    code, out, _ = run("sample-constraints", "--terminology", "terms.jsonl")
    assert (code, json.loads(out)["terms"]) == (0, ["Hu\ud83dnd"]), "what UTF-8 cannot hold stays escaped"
    write(tmp_path / "terms.jsonl", [json.dumps(line), "{}"])
    code, out, err = run("sample-constraints", "--terminology", "terms.jsonl")
    assert (code, out) == (2, "")
    assert err.startswith("editmt: terms.jsonl: line 2: the field 'source'")
    write(tmp_path / "terms.jsonl", [])
    code, out, err = run("sample-constraints", "--terminology", "terms.jsonl")
    assert (code, out, err) == (2, "", "editmt: terms.jsonl: there is no line\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["test.en"], "SOURCE and REFERENCE are needed"),
        (["test.en", "short.de"], "unequal line counts: test.en has 13 lines, short.de has 2"),
        (["test.en", "test.de", "--words", "4-1"], "'4-1' is no number of words"),
        (["test.en", "test.de", "--words", "0"], "'0' is no number of words"),
        (["test.en", "test.de", "--seed", "-1"], "--seed is -1"),
        (["test.en", "test.de", "--terminology", "x"], "--terminology has sources of its own"),
    ],
)
def test_no_sample_from_bad_input(run, tmp_path, arguments, message):
    write(tmp_path / "short.de", GERMAN[:2])
    code, out, err = run("sample-constraints", *arguments)
    assert (code, out) == (2, "")
    assert err.startswith(f"editmt: {message}")


@pytest.mark.parametrize(
    ("package", "extra", "tokenise"), [("sacrebleu", "eval", "none"), ("sacremoses", "moses", "moses:de")]
)
def test_a_missing_packages_extra_is_named(tmp_path, package, extra, tokenise):
    write(tmp_path / "test.de", GERMAN)
    code = (
        f"import sys; sys.modules['{package}'] = None; sys.modules['{package}.metrics'] = None\n"
        "from editmt.cli.main import main\n"
        f"sys.exit(main(['evaluate', '--reference', 'test.de', 'a=test.de', '--tokenise', '{tokenise}']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"editmt: this needs the package {package}: pip install 'editmt[{extra}]'\n"
