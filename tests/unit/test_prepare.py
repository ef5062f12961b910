import json
import shutil

import pytest

from editmt.data import PreparedData
from editmt.data.filters import LengthFilter
from editmt.data.lines import AlignedFiles, read_lines
from editmt.data.prepare import PrepareSettings, prepare
from editmt.data.texts import MosesText, SentencePieceText
from editmt.errors import InputError
from tests.sentences import ENGLISH, GERMAN

SMALL = SentencePieceText(size=420)


def aligned(folder, name, source, target):
    files = AlignedFiles(folder / f"{name}.en", folder / f"{name}.de")
    files.source.write_text("".join(f"{line}\n" for line in source), encoding="utf-8")
    files.target.write_text("".join(f"{line}\n" for line in target), encoding="utf-8")
    return files


@pytest.fixture
def train(tmp_path):
    return aligned(tmp_path, "train", ENGLISH, GERMAN)


def texts(pairs, pipeline, side):
    return [pipeline.decode(getattr(pairs, side)(i).tolist()) for i in range(len(pairs))]


def test_the_text_comes_back_out_of_the_ids(tmp_path, train):
    valid = aligned(tmp_path, "valid", ["The lamp.", ""], ["Die Lampe.", ""])
    description = prepare(
        tmp_path / "out", {"train": train, "valid": valid}, PrepareSettings(SMALL, workers=1)
    )
    prepared = PreparedData.open(tmp_path / "out")
    assert prepared.names == ("train", "valid")
    assert prepared.source is prepared.target
    assert prepared.description == description == json.loads((tmp_path / "out/prepare.json").read_text())
    assert texts(prepared.split("train"), prepared.source, "source") == ENGLISH
    assert texts(prepared.split("train"), prepared.target, "target") == GERMAN
    assert prepared.split("valid").lengths.tolist()[1] == [0, 0], "valid and test are never filtered"
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_dir()) == ["out"]


def test_a_vocabulary_for_each_side(tmp_path, train):
    settings = PrepareSettings(SentencePieceText(size=350, joint=False), workers=1)
    prepare(tmp_path / "out", {"train": train}, settings)
    prepared = PreparedData.open(tmp_path / "out")
    assert not prepared.texts.joint
    assert prepared.source.vocabulary.pieces != prepared.target.vocabulary.pieces
    assert texts(prepared.split("train"), prepared.target, "target") == GERMAN


def test_the_papers_text_pipeline(tmp_path, train):
    prepare(tmp_path / "out", {"train": train}, PrepareSettings(MosesText(("en", "de"), 100), workers=1))
    prepared = PreparedData.open(tmp_path / "out")
    assert prepared.texts.joint
    assert prepared.source is not prepared.target
    assert texts(prepared.split("train"), prepared.target, "target")[0] == GERMAN[0]


def test_the_number_of_workers_changes_nothing(tmp_path):
    train = aligned(tmp_path, "train", ENGLISH * 400, GERMAN * 400)  # six chunks
    for workers in (1, 2):
        prepare(tmp_path / f"out{workers}", {"train": train}, PrepareSettings(SMALL, workers=workers))
    one, two = (
        {path.name: path.read_bytes() for path in (tmp_path / f"out{workers}").glob("*.*")}
        for workers in (1, 2)
    )
    assert one == two
    assert len(PreparedData.open(tmp_path / "out2").split("train")) == len(ENGLISH) * 400


def test_filters_count_what_they_drop(tmp_path):
    source = [*ENGLISH, "", "a lamp", "the lamp " * 30, "the sea"]
    target = [*GERMAN, "leer", "  ".join(["die Lampe"] * 20), "Lampe " * 30, "die See"]
    train = aligned(tmp_path, "train", source, target)
    settings = PrepareSettings(SMALL, LengthFilter(longest=60, ratio=3), workers=1)
    split = prepare(tmp_path / "out", {"train": train}, settings)["splits"]["train"]
    assert split["dropped"]["empty"] == 1
    assert split["dropped"]["long"] >= 1
    assert split["pairs"] + sum(split["dropped"].values()) == split["lines"] == len(source)
    lengths = PreparedData.open(tmp_path / "out").split("train").lengths
    assert (lengths.max(axis=1) <= 60).all()
    assert (lengths.max(axis=1) <= 3 * lengths.min(axis=1)).all()


@pytest.mark.parametrize(
    ("source", "target", "objection"),
    [(0, 5, "empty"), (5, 0, "empty"), (10, 10, None), (11, 10, "long"), (4, 8, None), (4, 9, "uneven")],
)
def test_objections(source, target, objection):
    assert LengthFilter(longest=10, ratio=2).objection(source, target) == objection


def test_given_text_pipelines_give_the_same_ids(tmp_path, train):
    prepare(tmp_path / "first", {"train": train}, PrepareSettings(SMALL, workers=1))
    distilled = aligned(tmp_path, "distilled", ENGLISH, reversed(GERMAN))
    for number, given in enumerate((tmp_path / "first", tmp_path / "first" / "text")):
        out = tmp_path / f"out{number}"
        prepare(out, {"train": distilled}, PrepareSettings(given, workers=1))
        first, second = (PreparedData.open(f).split("train") for f in (tmp_path / "first", out))
        assert second.source(0).tolist() == first.source(0).tolist()
        assert second.target(0).tolist() == first.target(len(first) - 1).tolist()


def test_killed_between_the_two_renames_the_old_folder_is_put_back(tmp_path, train):
    out, settings = tmp_path / "out", PrepareSettings(SMALL, workers=1)
    prepare(out, {"train": train}, settings)
    out.rename(tmp_path / ".out.old")
    with pytest.raises(InputError, match="holds prepared data already"):
        prepare(out, {"train": train}, settings)
    PreparedData.open(out)
    assert not (tmp_path / ".out.old").exists()


def test_the_sample_is_drawn_by_the_seed(tmp_path):
    lines = [str(number) for number in range(1000)]
    files = aligned(tmp_path, "train", lines, lines)
    source, target = files.sample(50, 1000, seed=1)
    assert source == target
    assert len(set(source)) == 50
    assert source == sorted(source, key=int)
    assert files.sample(50, 1000, seed=1) == (source, target)
    assert files.sample(50, 1000, seed=2) != (source, target)
    assert files.sample(5000, 1000, seed=1) == (lines, lines)


def test_lines_end_at_line_feeds_only(tmp_path):
    (tmp_path / "text").write_bytes("\ufeffa\r\nb\u2028c\x0c\n\nd\re\n\ufefff".encode())
    assert list(read_lines(tmp_path / "text")) == ["a", "b\u2028c\x0c", "", "d\re", "\ufefff"]


def test_damaged_prepared_data_is_said(tmp_path, train):
    out = tmp_path / "out"
    prepare(out, {"train": train}, PrepareSettings(SMALL, workers=1))
    prepared = PreparedData.open(out)
    with pytest.raises(InputError, match="no set 'dev', only: train"):
        prepared.split("dev")
    with (out / "text" / "sentencepiece.model").open("ab") as stream:
        stream.write(b"\0")
    with pytest.raises(InputError, match=r"text/sentencepiece\.model: damaged"):
        PreparedData.open(out)
    (out / "prepare.json").write_text('{"files": {}}')
    with pytest.raises(InputError, match="it names no sets"):
        PreparedData.open(out)
    shutil.rmtree(out)
    with pytest.raises(InputError, match="no prepared data here"):
        PreparedData.open(out)


@pytest.mark.parametrize(
    "make",
    [
        lambda: LengthFilter(longest=0),
        lambda: LengthFilter(ratio=0.5),
        lambda: LengthFilter(ratio=float("nan")),
        lambda: PrepareSettings(sample=0),
        lambda: PrepareSettings(workers=0),
        lambda: PrepareSettings(seed=-1),
        lambda: MosesText(("en", "en")),
        lambda: MosesText(("en", "de"), operations=0),
    ],
)
def test_settings_that_make_no_sense(make):
    with pytest.raises(InputError):
        make()
