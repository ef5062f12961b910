"""`editmt prepare` as a user runs it: a process of its own, its folder, its line, its exit code."""

import io
import json
import os
import pty
import signal
import subprocess
import sys
import tarfile
import time
import zipfile
from pathlib import Path

import pytest

from editmt.cli.main import main
from editmt.data import PreparedData, fetching
from editmt.data.catalogue import ARCHIVES
from editmt.errors import InputError
from tests.sentences import ENGLISH, GERMAN

SHARED = Path(__file__).parents[3] / "shared" / "data"
FILES = ["--source", "train.en", "--target", "train.de"]
LATER = ["--valid-source", "train.en", "--valid-target", "train.de"]
SMALL = ["--size", "420"]


def command(*arguments):
    return [sys.executable, "-m", "editmt", "prepare", *map(str, arguments)]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "train.en").write_text("\n".join(ENGLISH) + "\n")
    (tmp_path / "train.de").write_text("\n".join(GERMAN) + "\n")
    return tmp_path


@pytest.fixture
def prepare(folder):
    def run(*arguments):
        environment = os.environ | {"XDG_CACHE_HOME": str(folder / "cache")}
        return subprocess.run(
            command(*arguments), cwd=folder, env=environment, capture_output=True, text=True, check=False
        )

    return run


@pytest.fixture
def prepare_here(folder, monkeypatch, capsys):
    """The same within this process, which saves its start."""

    def run(*arguments):
        monkeypatch.chdir(folder)
        monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
        code = main(["prepare", *map(str, arguments)])
        return subprocess.CompletedProcess(arguments, code, *capsys.readouterr())

    return run


def contents(folder):
    return {str(path): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_two_files_to_a_folder_and_a_line(folder, prepare):
    result = prepare("out", *FILES, *SMALL, *LATER)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.count("\n") == 1
    assert result.stdout.startswith("out: train 13 pairs, valid 13 pairs; 420 types; ")
    prepared = PreparedData.open(folder / "out")
    pairs = prepared.split("train")
    assert [prepared.source.decode(pairs.source(i).tolist()) for i in range(len(pairs))] == ENGLISH
    assert sorted(path.name for path in folder.iterdir()) == ["out", "train.de", "train.en"]


def test_distilled_targets_get_the_same_ids(folder, prepare):
    assert prepare("out", *FILES, *SMALL).returncode == 0
    (folder / "teacher.de").write_text("\n".join(reversed(GERMAN)) + "\n")
    result = prepare("distilled", "--source", "train.en", "--target", "teacher.de", "--text", "out")
    assert (result.returncode, result.stderr) == (0, "")
    ours, theirs = (PreparedData.open(folder / name) for name in ("out", "distilled"))
    assert ours.split("train").target(0).tolist() == theirs.split("train").target(12).tolist()
    assert theirs.description["text"]["taken_from"] == "out"


def test_filters_say_what_they_left_out(folder, prepare):
    (folder / "train.en").write_text("\n".join([*ENGLISH, "", "Sea. " * 50]) + "\n")
    (folder / "train.de").write_text("\n".join([*GERMAN, "leer", "See. " * 50]) + "\n")
    result = prepare("out", *FILES, *SMALL, "--longest", "90", "--ratio", "4")
    assert "train 13 pairs (left out: 1 empty, 1 long)" in result.stdout
    assert PreparedData.open(folder / "out").description["splits"]["train"]["dropped"] == {
        "empty": 1, "long": 1, "uneven": 0,
    }  # fmt: skip


def test_a_progress_bar_on_a_terminal_only(folder):
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        command("out", *FILES, *SMALL, "--workers", "1"),
        cwd=folder,
        stderr=theirs,
        stdout=subprocess.PIPE,
        env=os.environ | {"TERM": "xterm"},
    )
    os.close(theirs)
    drawn = b""
    try:
        while block := os.read(ours, 4096):
            drawn += block
    except OSError:  # the terminal is gone with the process
        pass
    process.communicate()
    os.close(ours)
    assert process.returncode == 0
    assert b"learning subwords" in drawn
    assert b"13/13" in drawn


BAD_FILES = [
    ({"train.de": "eins\nzwei\n"}, "unequal line counts: train.en has 13 lines, train.de has 2"),
    ({"train.en": b"a\nb\xff\n"}, "train.en: line 2: not valid UTF-8 (byte 2)"),
    ({"train.en": "", "train.de": ""}, "train.en: the corpus is empty"),
    ({"train.en": "\n \n", "train.de": "\n\n"}, "the corpus has no words"),
    ({"train.en": "a\na\n", "train.de": "b\nb\n"}, "no vocabulary of 420 can be learnt"),
    ({"train.en": None}, "train.en: No such file or directory"),
    ({"train.en": "directory"}, "train.en: Is a directory"),
]


@pytest.mark.parametrize(("files", "message"), BAD_FILES)
def test_bad_files_get_one_line_and_overwrite_nothing(folder, prepare, prepare_here, files, message):
    assert prepare_here("out", *FILES, *SMALL).returncode == 0
    before = contents(folder / "out")
    for name, content in files.items():
        (folder / name).unlink()
        if content == "directory":
            (folder / name).mkdir()
        elif content is not None:
            (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    refused(prepare("out", *FILES, *SMALL, "--overwrite"), message)
    refused(prepare_here("new", *FILES, *SMALL), message)
    assert contents(folder / "out") == before
    assert not any(path.name.startswith((".out", ".new", "new")) for path in folder.iterdir())


def refused(result, message):
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith("editmt")
    assert message in result.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "needs --source and --target"),
        (["--source", "train.en"], "--source and --target belong together"),
        ([*FILES, "--test-target", "train.de"], "--test-source and --test-target belong together"),
        ([*FILES, "--recipe", "multi30k.en-de"], "--source cannot be given"),
        ([*FILES, "--mirror", "."], "--mirror is for a --recipe"),
        (["--recipe", "multi30k.en-fr"], "did you mean multi30k.en-de?"),
        (["--recipe", "wat17.en-ja"], "pass --mirror"),
        (["--recipe", "multi30k.en-de", "--mirror", "."], "multi30k.en-de/train.en: the file is missing"),
        ([*FILES, "--pipeline", "moses"], "needs --languages"),
        ([*FILES, "--operations", "9"], "--operations has no meaning with SentencePiece"),
        ([*FILES, "--text", ".", "--size", "9"], "--size has no meaning with --text"),
        ([*FILES, "--text", "."], "no text pipeline here"),
        ([*FILES, "--size", "100"], "too small"),
        ([*FILES, "--ratio", "0"], "ratio must be at least 1"),
        ([*FILES, "--workers", "0"], "workers must be at least 1"),
        ([*FILES, *SMALL, "--longest", "1"], "all 13 pairs are empty, too long or too uneven"),
    ],
)
def test_wrong_arguments_get_one_line(folder, prepare_here, arguments, message):
    refused(prepare_here("out", *arguments), message)
    assert sorted(path.name for path in folder.iterdir()) == ["train.de", "train.en"]


def test_what_is_there_is_not_replaced_unasked(folder, prepare_here):
    assert prepare_here("out", *FILES, *SMALL).returncode == 0
    refused(prepare_here("out", *FILES, *SMALL), "out: holds prepared data already (--overwrite replaces it)")
    refused(prepare_here(".", *FILES, *SMALL, "--overwrite"), "holds other files")
    refused(prepare_here("train.en", *FILES, *SMALL, "--overwrite"), "there is a file of this name")
    (folder / "out" / "notes.txt").write_text("mine")
    refused(prepare_here("out", *FILES, *SMALL, "--overwrite"), "out: holds other files (notes.txt")
    (folder / "out" / "notes.txt").unlink()
    assert prepare_here("out", *FILES, *SMALL, "--overwrite").returncode == 0
    (folder / "empty").mkdir()
    assert prepare_here("empty", *FILES, *SMALL).returncode == 0
    PreparedData.open(folder / "empty")


def test_a_full_disk_gets_one_line_and_overwrites_nothing(folder, prepare_here):
    assert prepare_here("out", *FILES, *SMALL).returncode == 0
    before = contents(folder / "out")
    limited = ["bash", "-c", 'ulimit -f 4; exec "$@"', "-", *command("out", *FILES, *SMALL, "--overwrite")]
    result = subprocess.run(limited, cwd=folder, capture_output=True, text=True, check=False)
    refused(result, "out: cannot be written: File too large")
    assert contents(folder / "out") == before
    assert sorted(path.name for path in folder.iterdir()) == ["out", "train.de", "train.en"]


def test_other_commands_do_not_wait_for_its_imports():
    code = "import sys, editmt.cli.main; sys.exit(any(m.startswith('editmt.data') for m in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("moment", [".", "train.source.ids.npy.part", "train.json"])
def test_killed_at_any_moment_it_leaves_what_was_there(folder, prepare_here, moment):
    (folder / "train.en").write_text("\n".join(ENGLISH * 500) + "\n")
    (folder / "train.de").write_text("\n".join(GERMAN * 500) + "\n")
    kill_when(folder, folder / ".out.partial" / moment)
    for left in ("out", ".out.partial"):
        with pytest.raises(InputError):
            PreparedData.open(folder / left)
    result = prepare_here("out", *FILES, *SMALL, "--workers", "1")  # clears up what the killed one left
    assert (result.returncode, result.stderr) == (0, "")
    before = contents(folder / "out")
    kill_when(folder, folder / ".out.partial" / moment, "--overwrite")
    assert contents(folder / "out") == before


def kill_when(folder, path, *arguments):
    """Start to prepare, and send SIGKILL when the path appears; the workers must go with it."""
    process = subprocess.Popen(
        command("out", *FILES, *SMALL, *LATER, "--workers", "2", *arguments),
        cwd=folder,
        start_new_session=True,
    )
    while not path.exists():
        assert process.poll() is None, "it ended before it was killed"
        time.sleep(0.001)
    process.send_signal(signal.SIGKILL)
    process.wait()
    for _ in range(1000):
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.01)
    pytest.fail("a worker outlives the command")


def test_control_c_leaves_neither_traceback_nor_folder(folder):
    (folder / "train.en").write_text("\n".join(ENGLISH * 1000) + "\n")
    (folder / "train.de").write_text("\n".join(GERMAN * 1000) + "\n")
    process = subprocess.Popen(
        command("out", *FILES, *SMALL, "--workers", "2"),
        cwd=folder,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    while not (folder / ".out.partial" / "train.source.ids.npy.part").exists():
        time.sleep(0.001)
    time.sleep(0.3)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: the workers get it, too
    _, error = process.communicate(timeout=20)
    assert (process.returncode, error) == (130, b"")
    assert sorted(path.name for path in folder.iterdir()) == ["train.de", "train.en"]


def make_romanian_mirror(folder):
    """Make archives shaped as WMT's, with our own few sentences in them."""
    folder.mkdir()
    romanian, english = ("\n".join(lines) + "\n" for lines in (GERMAN, ENGLISH))  # any text will do
    sgml = '<refset><doc>\n<seg id="1">The lamp&#44; the sea.</seg>\n</doc></refset>'

    def pack(name, files):
        with tarfile.open(folder / name, "w:gz") as archive:
            for member, text in files.items():
                info = tarfile.TarInfo(member)
                info.size = len(text.encode())
                archive.addfile(info, io.BytesIO(text.encode()))

    europarl = "training-parallel-ep-v8/europarl-v8.ro-en"
    pack("training-parallel-ep-v8.tgz", {f"{europarl}.ro": romanian, f"{europarl}.en": english})
    with zipfile.ZipFile(folder / "en-ro.txt.zip", "w") as archive:
        archive.writestr("SETIMES.en-ro.ro", romanian)
        archive.writestr("SETIMES.en-ro.en", english)
    for archive, text in (("dev-romanian-updated.tgz", "dev/newsdev2016"), ("test.tgz", "test/newstest2016")):
        pack(archive, {f"{text}-roen-src.ro.sgm": sgml, f"{text}-roen-ref.en.sgm": sgml})


def test_the_papers_task_from_archives(folder, prepare_here, monkeypatch):
    make_romanian_mirror(folder / "wmt16.ro-en")
    task = ("out", "--recipe", "wmt16.ro-en", "--mirror", ".", "--operations", "50")
    refused(prepare_here(*task), "training-parallel-ep-v8.tgz: not the file of the recipe: SHA-256")
    known = fetching.hash_file
    monkeypatch.setattr(fetching, "hash_file", lambda path: ARCHIVES.get(path.name) or known(path))
    result = prepare_here(*task)
    assert result.returncode == 0, result.stderr
    assert result.stderr.count("no checksum is known; its SHA-256 is ") == 3
    prepared = PreparedData.open(folder / "out")
    assert len(prepared.split("train")) == 26
    assert prepared.texts.joint
    shown = {line.split(": ")[0]: line.split()[-1] for line in result.stderr.splitlines()}
    stored = prepared.description["origin"]["files"]
    assert shown == {name: file["sha256"] for name, file in stored.items() if not file["verified"]}
    assert prepared.description["filter"] == {"longest": 250, "ratio": 1.5}
    test = prepared.split("test")
    assert prepared.target.decode(test.target(0).tolist()).lower() == "the lamp, the sea."
    assert not (folder / ".out.sources").exists()


@pytest.mark.skipif(not SHARED.exists(), reason="the corpora are not here")
def test_a_corpus_by_name_from_a_mirror(folder, prepare):
    result = prepare(
        "out", "--recipe", "multi30k.en-de", "--mirror", SHARED, "--size", "1000", "--sample", "2000"
    )
    assert (result.returncode, result.stderr) == (0, "")
    assert "train 29,000 pairs, valid 1,014 pairs, test 1,000 pairs; 1,000 types" in result.stdout
    assert json.loads((folder / "out/prepare.json").read_text())["origin"]["recipe"] == "multi30k.en-de"
