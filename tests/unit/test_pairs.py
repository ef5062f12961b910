import json
import pickle

import numpy as np
import pytest

from editmt.data.pairs import PairSet, join_sentences, write_pairs
from editmt.errors import InputError

SOURCE = [[5, 6, 7], [], [65_000]]
TARGET = [[8], [9, 9], []]


def write(folder, name="train", sizes=(65_536, 65_536)):
    with write_pairs(folder, name, sizes) as writer:
        writer.add(join_sentences(SOURCE[:2]), join_sentences(TARGET[:2]))
        writer.add(join_sentences(SOURCE[2:]), join_sentences(TARGET[2:]))
    return PairSet.open(folder, name)


def rows(pairs):
    return [(pairs.source(i).tolist(), pairs.target(i).tolist()) for i in range(len(pairs))]


def test_what_was_written_is_read(tmp_path):
    pairs = write(tmp_path)
    assert rows(pairs) == list(zip(SOURCE, TARGET, strict=True))
    assert pairs.lengths.tolist() == [[3, 1], [0, 2], [1, 0]]
    assert pairs.lengths.dtype == np.int64
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "train.json",
        "train.source.ids.npy", "train.source.offsets.npy",
        "train.target.ids.npy", "train.target.offsets.npy",
    ]  # fmt: skip


def test_ids_take_two_bytes_where_they_fit_and_four_where_not(tmp_path):
    assert write(tmp_path).source(0).dtype == np.uint16
    wide = write(tmp_path, "wide", sizes=(65_537, 100))
    assert wide.source(0).dtype == np.uint32
    assert wide.target(0).dtype == np.uint16


def test_nothing_is_read_that_is_not_there(tmp_path):
    pairs = write(tmp_path)
    for index in (-1, 3):
        with pytest.raises(IndexError):
            pairs.source(index)


def test_the_files_cannot_be_written_through_it(tmp_path):
    with pytest.raises(ValueError, match="read-only"):
        write(tmp_path).source(0)[0] = 1


def test_a_set_without_a_single_token(tmp_path):
    with write_pairs(tmp_path, "test", (10, 10)) as writer:
        writer.add(join_sentences([[], []]), join_sentences([[], []]))
    assert rows(PairSet.open(tmp_path, "test")) == [([], []), ([], [])]


def test_another_process_opens_the_files_instead_of_getting_them(tmp_path):
    pairs = write(tmp_path)
    sent = pickle.dumps(pairs)
    assert len(sent) < 500
    assert rows(pickle.loads(sent)) == rows(pairs)


@pytest.mark.parametrize("file", ["source.ids", "source.offsets", "target.ids", "target.offsets"])
@pytest.mark.parametrize("damage", ["shorter", "longer", "changed", "missing"])
def test_damage_is_said_with_the_files_name(tmp_path, file, damage):
    write(tmp_path)
    path = tmp_path / f"train.{file}.npy"
    content = path.read_bytes()
    match damage:
        case "shorter":
            path.write_bytes(content[:-1])
        case "longer":
            path.write_bytes(content + b"\0")
        case "changed":
            path.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
        case "missing":
            path.unlink()
    with pytest.raises(InputError, match=f"train.{file}.npy: .*(damaged|missing)"):
        PairSet.open(tmp_path, "train")


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"files": {"train.source.ids.npy": 3}}', "\xff"])
def test_a_damaged_manifest_is_said(tmp_path, content):
    write(tmp_path)
    (tmp_path / "train.json").write_text(content, encoding="latin-1")
    with pytest.raises(InputError, match=r"train\.json: damaged"):
        PairSet.open(tmp_path, "train")


def test_a_manifest_with_another_count_is_said(tmp_path):
    write(tmp_path)
    manifest = json.loads((tmp_path / "train.json").read_text())
    (tmp_path / "train.json").write_text(json.dumps(manifest | {"pairs": 7}))
    with pytest.raises(InputError, match="do not hold 7 pairs"):
        PairSet.open(tmp_path, "train")


def fail_midway(folder):
    with write_pairs(folder, "train", (100, 100)) as writer:
        writer.add(join_sentences([[5]]), join_sentences([[6]]))
        raise KeyboardInterrupt


def test_a_writer_that_fails_leaves_nothing_and_breaks_nothing(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        fail_midway(tmp_path)
    assert list(tmp_path.iterdir()) == []
    write(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        fail_midway(tmp_path)
    assert len(PairSet.open(tmp_path, "train")) == 3


def test_sides_of_unequal_number(tmp_path):
    with write_pairs(tmp_path, "train", (10, 10)) as writer, pytest.raises(ValueError, match="2 source"):
        writer.add(join_sentences([[5], [6]]), join_sentences([[5]]))
