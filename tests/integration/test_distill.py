"""`editmt distill` as a user runs it, with a teacher that has hardly learnt anything."""

import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import numpy as np
import pytest

from editmt.cli.main import main
from editmt.data.pairs import join_sentences, write_pairs
from editmt.data.prepared import PreparedData
from editmt.data.texts import Texts
from editmt.decoding.loading import LoadedModel
from editmt.errors import InputError
from editmt.training import distill as distillation
from editmt.training.shards import STAMP_FILE, open_shards
from tests.runs import contents

CONFIG = """
[data]
folder = "unset"
batch_tokens = 400
[model]
preset = "tiny"
[optimiser]
rate = 3e-3
schedule = "linear"
warmup = 10
[run]
steps = 30
validate_every = 30
validation_sentences = 10
save_every = 30
threads = 1
"""


def editmt(*arguments):
    command = [sys.executable, "-m", "editmt", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with prepared data, `teacher` and `editor`, each trained for half a minute's tenth."""
    folder = tmp_path_factory.mktemp("distill")
    generator = np.random.default_rng(1)
    lines = [" ".join(map(str, generator.integers(0, 10, 5))) for _ in range(300)]
    (folder / "text").write_text("\n".join(lines) + "\n")
    (folder / "valid").write_text("\n".join(lines[:20]) + "\n")
    (folder / "config.toml").write_text(CONFIG)
    sides = ["--source", folder / "text", "--target", folder / "text"]
    valid = ["--valid-source", folder / "valid", "--valid-target", folder / "valid"]
    assert editmt("prepare", folder / "data", *sides, *valid, "--size", 282).returncode == 0
    assert editmt("prepare", folder / "other", *sides, *valid, "--size", 280).returncode == 0
    for name, kind in (("teacher", "autoregressive"), ("editor", "editor")):
        changes = ["--set", f"data.folder={folder / 'data'}", "--set", f"model.kind={kind}"]
        result = editmt("train", folder / "config.toml", "--out", folder / name, *changes)
        assert result.returncode == 0, result.stderr
    return folder


def distill(folder, out, *arguments):
    return editmt("distill", folder / "teacher", folder / "data", folder / out, "--threads", 1, *arguments)


def targets(folder, name):
    pairs = PreparedData.open(folder / name).split("train")
    return [(pairs.source(row).tolist(), pairs.target(row).tolist()) for row in range(len(pairs))]


def test_the_teachers_words_become_the_targets(folder):
    result = distill(folder, "whole", "--beam", 2)
    assert (result.returncode, result.stdout) == (0, "")
    before, after = PreparedData.open(folder / "data"), PreparedData.open(folder / "whole")
    assert after.description["origin"]["beam"] == 2
    assert after.target.vocabulary.pieces == before.target.vocabulary.pieces
    assert targets(folder, "whole") != targets(folder, "data")
    kept = {tuple(source) for source, _ in targets(folder, "whole")}
    assert kept <= {tuple(source) for source, _ in targets(folder, "data")}
    valid, same = after.split("valid"), before.split("valid")
    assert [valid.target(row).tolist() for row in range(20)] == [
        same.target(row).tolist() for row in range(20)
    ]
    assert not (folder / "whole.shards").exists()


def test_some_pairs_keep_their_own_target(folder):
    assert distill(folder, "mixed", "--references", "0.5").returncode == 0
    before, after = (PreparedData.open(folder / name).split("train") for name in ("data", "mixed"))
    kept = distillation.keep_references(0.5, 0, len(before))
    same = [before.target(row).tolist() == after.target(row).tolist() for row in range(len(before))]
    assert 0.3 < sum(kept) / len(kept) < 0.7
    assert all(same[row] for row, keep in enumerate(kept) if keep)
    assert not all(same), "this teacher has learnt next to nothing"


def test_parts_and_what_is_there_already(folder, monkeypatch):
    monkeypatch.setattr(distillation, "SHARD_PAIRS", 70)
    job = distillation.Distillation(folder / "teacher", folder / "data", folder / "parts", beam=2)
    assert not distillation.distill(job, distillation.Part(1, 2), lambda *_: None)
    shards = sorted(path.name for path in job.shards.iterdir())
    assert shards == ["000001.txt", "000003.txt", STAMP_FILE]
    (job.shards / "000001.txt").write_text("7 7 7\n" * 70)  # will not be translated again
    assert distillation.distill(job, distillation.Part(), lambda *_: None)
    found = targets(folder, "parts")
    assert len({tuple(target) for _, target in found[70:140]}) == 1
    whole = targets(folder, "whole")
    assert found[:70] == whole[:70]


def test_what_is_made_is_left_alone_and_is_no_error(folder, capsys):
    paths = [str(folder / name) for name in ("teacher", "data", "twice")]
    assert main(["distill", *paths, "--part", "1/2"]) == 0  # all in one shard: the first part is all there is
    made = (folder / "twice" / "prepare.json").stat().st_mtime_ns
    assert main(["distill", *paths, "--part", "2/2"]) == 0
    assert (folder / "twice" / "prepare.json").stat().st_mtime_ns == made
    assert not (folder / "twice.shards").exists()
    assert main(["distill", *paths, "--beam", "2"]) == 2
    assert "holds prepared data already" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("out", "arguments", "chosen", "message"),
    [
        ("data", [], {}, "holds prepared data already"),
        ("new", ["--part", "3/2"], {}, "'3/2' is not a part"),
        ("new", ["--beam", "0"], {}, "beam is 0"),
        ("new", [], {"teacher": "editor"}, "only an autoregressive model"),
        ("new", [], {"teacher": "nobody"}, "there is no such folder"),
        ("new", [], {"data": "other"}, "the teacher's source vocabulary is not that of"),
        ("new", [], {"data": "text"}, "text"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(folder, capsys, out, arguments, chosen, message):
    names = {"teacher": "teacher", "data": "data"} | chosen
    paths = [str(folder / name) for name in (*names.values(), out)]
    assert main(["distill", *paths, *arguments]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert message in error
    assert not (folder / "new").exists()
    assert not (folder / "new.shards").exists()


def test_both_vocabularies_are_compared(folder, monkeypatch):
    """A teacher with another target side would write references in words of its own."""
    data, other = (PreparedData.open(folder / name).texts for name in ("data", "other"))
    engine = SimpleNamespace(searches=True)
    teacher = LoadedModel(engine, Texts(data.source, other.target))
    monkeypatch.setattr(distillation, "load_engine", lambda *_: teacher)
    job = distillation.Distillation(folder / "teacher", folder / "data", folder / "new")
    with pytest.raises(InputError, match="the teacher's target vocabulary is not that of"):
        distillation.distill(job, distillation.Part(), lambda *_: None)
    assert not job.shards.exists()


def begin(folder, out, *arguments):
    """Do the second half of one shard: nothing but the folder of shards is made."""
    paths = [str(folder / name) for name in ("teacher", "data", out)]
    assert main(["distill", *paths, "--part", "2/2", *arguments]) == 0
    return folder / f"{out}.shards"


def test_a_damaged_shard_is_named(folder, capsys):
    (begin(folder, "broken") / "000000.txt").write_text("7 7\n")
    assert main(["distill", *(str(folder / name) for name in ("teacher", "data", "broken"))]) == 2
    assert "000000.txt: 1 lines, not 300" in capsys.readouterr().err
    assert not (folder / "broken").exists()


def test_shards_of_unknown_origin_are_refused(folder, capsys):
    (folder / "unknown.shards").mkdir()
    (folder / "unknown.shards/000000.txt").write_text("7\n" * 300)
    assert main(["distill", *(str(folder / name) for name in ("teacher", "data", "unknown"))]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert f"{folder / 'unknown.shards'}: it is not known what its shards are made with" in error
    assert not (folder / "unknown").exists()
    assert not list(folder.glob(".unknown*"))


@pytest.mark.usefixtures("others")
@pytest.mark.parametrize(
    ("arguments", "chosen", "other"),
    [
        (["--beam", "3"], {}, "beam"),
        (["--references", "0.5", "--part", "1/2"], {}, "references"),
        ([], {"teacher": "teacher-2"}, "teacher"),
        ([], {"data": "data-2"}, "data"),
        (["--beam", "3", "--references", "0.5"], {"teacher": "teacher-2"}, "beam, references, teacher"),
    ],
)
def test_shards_made_with_something_else_are_refused(folder, capsys, arguments, chosen, other):
    shards = begin(folder, "begun")
    before = contents(shards)
    names = {"teacher": "teacher", "data": "data", "out": "begun"} | chosen
    capsys.readouterr()
    assert main(["distill", *(str(folder / name) for name in names.values()), *arguments]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert f"{shards}: its shards are made with other {other} (remove" in error
    assert contents(shards) == before
    assert not (folder / "begun").exists()


@pytest.fixture(scope="module")
def others(folder):
    """Make `teacher-2` and `data-2`, of the same vocabulary as the first ones."""
    assert main(["export", *(str(folder / name) for name in ("teacher", "teacher-2")), "--to", "torch",
                 "--precision", "float16"]) == 0  # fmt: skip
    shutil.copytree(folder / "data", folder / "data-2")
    pairs = PreparedData.open(folder / "data").split("train")
    rows = range(len(pairs) - 1)
    with write_pairs(folder / "data-2", "train", (282, 282)) as writer:
        writer.add(
            *(join_sentences([side(row).tolist() for row in rows]) for side in (pairs.source, pairs.target))
        )


def test_teacher_and_data_may_move(folder):
    begin(folder, "moving")
    for name in ("teacher", "data"):
        shutil.copytree(folder / name, folder / "moved" / name)
    paths = (folder / "moved/teacher", folder / "moved/data", folder / "moving")
    assert main(["distill", *map(str, paths)]) == 0
    assert not (folder / "moving.shards").exists()


@pytest.mark.parametrize("content", ["{", "[]", "7"])
def test_a_damaged_stamp_is_named(tmp_path, content):
    open_shards(tmp_path / "shards", {"beam": 4})
    (tmp_path / "shards" / STAMP_FILE).write_text(content)
    with pytest.raises(InputError, match=f"{STAMP_FILE}: damaged"):
        open_shards(tmp_path / "shards", {"beam": 4})


def test_many_begin_at_once_and_one_is_first(tmp_path):
    """Parts on several machines: whoever asks for something else than the first is refused."""

    def begin(beam):
        try:
            open_shards(tmp_path / "shards", {"beam": beam})
        except InputError:
            return None
        return beam

    with ThreadPoolExecutor(8) as pool:
        accepted = {beam for beam in pool.map(begin, [1, 2] * 40) if beam}
    assert len(accepted) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["shards"]


def test_a_teachers_loops_and_silence_are_left_out(folder):
    (begin(folder, "loops") / "000000.txt").write_text("7 7\n" * 297 + "7 " * 300 + "\n" + "\n" + "7\n")
    assert main(["distill", *(str(folder / name) for name in ("teacher", "data", "loops"))]) == 0
    train = PreparedData.open(folder / "loops").description["splits"]["train"]
    assert train == {"pairs": 298, "dropped": {"empty": 1, "long": 1, "uneven": 0}}
    sources = [source for source, _ in targets(folder, "loops")]
    originals = [source for source, _ in targets(folder, "data")]
    assert sources == originals[:297] + originals[299:]


def test_models_describe(capsys):
    assert main(["models", "describe", "base", "--vocabulary", "39840"]) == 0
    assert "editor: 91,072,000 parameters (91.1 M)" in capsys.readouterr().out
    assert main(["models", "describe", "base", "--vocabulary", "40624", "--kind", "autoregressive"]) == 0
    assert capsys.readouterr().out.startswith("autoregressive: 64,937,984 parameters (64.9 M)")
    assert main(["models", "describe", "base", "--vocabulary", "0"]) == 2
    assert "--vocabulary 0: the special symbols alone are" in capsys.readouterr().err
    assert main(["models", "describe", "bse", "--vocabulary", "10"]) == 2
