"""Several processes with a share of each batch do what one does with the whole of it."""

import pytest

from editmt.training.progress import read_metrics
from tests.runs import Life, train_here, write_digits

KINDS = {"editor": "dual", "levenshtein": "insertion", "autoregressive": "dual"}
STEPS = ("run.steps=50", "run.log_every=1", "run.validate_every=25", "run.save_every=50", "model.dropout=0.0")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ranks")
    write_digits(folder)
    return folder


def flatten(record):
    """Return the numbers of a line of metrics, with their names."""
    losses = record.get("losses") or record["validation"]
    return [(record["step"], name, loss) for name, loss in losses.items()]


def compare(folder, *changes, ranks=2):
    """Train with one process and with more, and compare all losses."""
    life = Life(folder, "many", *changes, ranks=ranks)
    assert train_here(folder, "one", *changes) == 0
    code, said = life.end()
    assert code == 0, said
    one, many = (
        [loss for record in read_metrics(folder / run) for loss in flatten(record)] for run in ("one", "many")
    )
    assert [loss[:2] for loss in one] == [loss[:2] for loss in many]
    assert [loss[2] for loss in many] == pytest.approx([loss[2] for loss in one], abs=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_two_processes_follow_one(folder, tmp_path, kind):
    (tmp_path / "data").symlink_to(folder / "data")
    (tmp_path / "config.toml").write_text((folder / "config.toml").read_text())
    compare(tmp_path, *STEPS, f"model.kind={kind}", f"objective.rollin={KINDS[kind]}")
