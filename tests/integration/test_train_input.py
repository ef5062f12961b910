"""What `editmt train` refuses: one line, exit code 2, and nothing is overwritten."""

import json
import shutil

import pytest

from tests.runs import contents, train_here, write_digits

FEW = ("run.steps=4", "run.validate_every=4", "run.save_every=2")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("input")
    write_digits(folder, "other", size=280, seed=2)
    write_digits(folder, "alike", seed=3)
    write_digits(folder)
    assert train_here(folder, "done", *FEW) == 0
    return folder


@pytest.fixture
def refuse(folder, capsys):
    """Train, and expect one line with this in it and an unchanged folder."""

    def run(name, *changes, said):
        before = contents(folder)
        capsys.readouterr()
        assert train_here(folder, name, *FEW, *changes) == 2
        lines = capsys.readouterr().err.splitlines()
        assert len(lines) == 1, lines
        assert said in lines[0]
        assert contents(folder) == before

    return run


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("run.step=9", "unknown key run.step, did you mean 'steps'?"),
        ("runn.steps=9", "unknown key runn, did you mean 'run'?"),
        ("run.save_every=0", "run.save_every is less than 1"),
        ("model.max_length=8", "model.max_length is 8, the longest sentence of train"),
        ("data.batch_tokens=2", "none of the 300 pairs fits into a batch of 2 tokens"),
        ("data.folder=nowhere", "nowhere: no prepared data here"),
        ("run.init_from=nowhere", "nowhere: there is no such folder"),
    ],
)
def test_wrong_configurations(refuse, folder, change, said):
    refuse("new", change, said=said)
    shutil.rmtree(folder / "new", ignore_errors=True)


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("train.source.ids.npy", "train.source.ids.npy: damaged"),
        ("valid.target.offsets.npy", "valid.target.offsets.npy: damaged"),
        ("text/sentencepiece.model", "sentencepiece.model: damaged"),
        ("prepare.json", "prepare.json: damaged"),
        ("valid.json", "valid.json: damaged"),
    ],
)
def test_damaged_data(refuse, folder, file, said):
    shutil.rmtree(folder / "damaged", ignore_errors=True)
    shutil.copytree(folder / "data", folder / "damaged")
    path = folder / "damaged" / file
    path.write_bytes(path.read_bytes()[:-7])
    refuse("new", "data.folder=damaged", said=said)


def test_data_without_a_validation_set(refuse, folder):
    shutil.copytree(folder / "data", folder / "unjudged")
    path = folder / "unjudged/prepare.json"
    path.write_text(path.read_text().replace('"valid"', '"test"'))
    refuse("new", "data.folder=unjudged", said="no set 'valid', only: train, test")


def test_an_empty_data_folder(refuse, folder):
    (folder / "empty").mkdir()
    refuse("new", "data.folder=empty", said="empty: no prepared data here")


def test_a_run_of_another_configuration_or_other_data(refuse):
    refuse("done", "run.seed=5", said="done: this run was started with run.seed = 1, not 5")
    refuse("done", "data.folder=alike", said="done: this run was started with other data: ")
    refuse("done", "data.folder=other", said="done: this run was started with other data: ")


def test_a_run_from_before_there_was_a_key_had_its_default(refuse, folder, capsys):
    shutil.copytree(folder / "done", folder / "older")
    path = folder / "older/config.json"
    config = json.loads(path.read_text())
    del config["run"]["penalties"]
    path.write_text(json.dumps(config))
    assert train_here(folder, "older", *FEW) == 0
    assert "this run is done" in capsys.readouterr().err
    refuse("older", "run.penalties=[1]", said="this run was started with run.penalties = [], not [1.0]")


def test_data_may_move_and_threads_change(folder, capsys):
    shutil.copytree(folder / "data", folder / "moved")
    assert train_here(folder, "done", *FEW, "data.folder=moved", "run.threads=2") == 0
    assert "this run is done" in capsys.readouterr().err


@pytest.mark.parametrize("data", ["other", "alike"])
def test_a_start_from_another_vocabulary(refuse, folder, data):
    refuse("new", "run.init_from=done", f"data.folder={data}", said="done/model: its vocabulary is not that")
    shutil.rmtree(folder / "new", ignore_errors=True)


def test_a_folder_without_its_records_is_not_a_run(refuse, folder):
    shutil.copytree(folder / "done", folder / "mixed")
    shutil.rmtree(folder / "mixed/model")
    (folder / "mixed/config.json").unlink()
    (folder / "mixed/data.json").unlink()
    refuse("mixed", "data.folder=other", said="mixed: there is something else of this name")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (["data.folder=other"], "(280, 64), not (275, 64): another vocabulary or size"),
        (["model.feedforward=48"], "(48, 64), not (128, 64): another vocabulary or size"),
        (
            ["model.kind=autoregressive"],
            "exchanged/checkpoints/step-00000004: the weights are of another model (",
        ),
    ],
)
def test_a_checkpoint_of_another_model(refuse, folder, tmp_path, changes, said):
    """As it comes about when somebody copies a checkpoint into a run whose own records are as they were."""
    run, other = folder / "exchanged", tmp_path / "other"
    shutil.rmtree(run, ignore_errors=True)
    shutil.copytree(folder / "done", run)
    for part in ("model", "checkpoints"):
        shutil.rmtree(run / part)
    assert train_here(folder, str(other), *FEW, *changes) == 0
    shutil.copytree(other / "checkpoints", run / "checkpoints")
    refuse("exchanged", said=said)
