"""It resumes exactly: killed at any moment, stopped by a signal, out of disk, with a damaged checkpoint."""

import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

import pytest

from editmt.training.validation import Validator
from tests.runs import Life, contents, differing, free_port, train, train_here, write_digits

SHORT = ("run.steps=24", "run.save_every=4", "run.validate_every=12")
LONG = ("run.steps=150", "run.save_every=3", "run.validate_every=15")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("resuming")
    write_digits(folder)
    return folder


@pytest.fixture(scope="module")
def undisturbed(folder):
    """A short run to its end, which the others must come to, too."""
    code, said = train(folder, "undisturbed", *SHORT)
    assert code == 0, said
    return folder / "undisturbed"


def steps_saved(run):
    return sorted(path.name for path in (run / "checkpoints").glob("step-*"))


def partials(run):
    """The checkpoints being written, or left so by a kill, each with its number on the disk."""
    try:
        return {
            (entry.name, entry.inode()) for entry in os.scandir(run / "checkpoints") if entry.name[0] == "."
        }
    except FileNotFoundError:
        return set()


class Killer:
    """Kills lives of a run at moments drawn from a seed."""

    def __init__(self, folder, run, seed):
        self.folder, self.run = folder, run
        self.generator = random.Random(seed)
        self.while_writing = 0

    def kill(self, life, *, writing):
        """Wait for some checkpoints and a bit, or for one being written, and kill; False: it ended before."""
        left = partials(self.run)
        seen, wanted = set(steps_saved(self.run)), self.generator.randint(0, 2)
        if not life.wait_for(lambda: len(set(steps_saved(self.run)) - seen) >= wanted):
            return False
        if writing and not life.wait_for(lambda: partials(self.run) - left):
            return False
        longest = 0.004 if writing else 0.3 if wanted else 4.0  # of which most is Python's start
        time.sleep(self.generator.uniform(0, longest))
        if not life.runs:
            return False
        self.end(life)
        self.while_writing += bool(partials(self.run) - left)
        return True

    def end(self, life):
        """Kill one rank a little before the others, any of them."""
        order = self.generator.sample(life.processes, len(life.processes))
        for process in order:
            process.kill()
            time.sleep(self.generator.uniform(0, 0.02) if len(order) > 1 else 0)
        life.end()


def kill_often(folder, name, *, kills, writing, ranks, changes):
    """Kill a run so many times, of which at least `writing` while it saves, then let it come to its end."""
    killer = Killer(folder, folder / name, seed=ranks)
    done = 0
    while done < kills:
        life = Life(folder, name, *changes, ranks=ranks)
        saving = done % 5 < 3 and killer.while_writing < 2 * writing
        assert killer.kill(life, writing=saving), f"ended after {done} kills: {life.end()}"
        done += 1
    assert killer.while_writing >= writing
    code, said = train(folder, name, *changes, ranks=ranks)
    assert code == 0, said


@pytest.mark.slow
def test_killed_while_saving_and_later_it_ends_the_same(folder, undisturbed):
    kill_often(folder, "killed", kills=2, writing=1, ranks=1, changes=SHORT)
    assert differing(undisturbed, folder / "killed") == []


@pytest.mark.slow
@pytest.mark.parametrize("ranks", [1, 2])
def test_killed_twenty_times_it_ends_the_same(folder, ranks):
    code, said = train(folder, f"whole{ranks}", *LONG, ranks=ranks)
    assert code == 0, said
    kill_often(folder, f"killed{ranks}", kills=20, writing=6, ranks=ranks, changes=LONG)
    assert differing(folder / f"whole{ranks}", folder / f"killed{ranks}") == []


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_signal_saves_and_the_same_command_goes_on(folder, undisturbed, number, code):
    name = f"stopped{code}"
    life = Life(folder, name, *SHORT)
    assert life.wait_for(lambda: steps_saved(folder / name))
    life.send(number)
    asked = time.monotonic()
    assert (ended := life.end())[0] == code, ended
    assert time.monotonic() - asked < 10
    assert "the same command goes on" in ended[1]
    assert train_here(folder, name, *SHORT) == 0
    assert differing(undisturbed, folder / name) == []


@pytest.mark.slow
def test_torchrun_passes_a_signal_on(folder):
    arguments = [
        sys.executable,
        "-m",
        "torch.distributed.run",
        "--nproc-per-node",
        "2",
        f"--master-port={free_port()}",
    ]
    arguments += ["-m", "editmt", "train", "config.toml", "--out", "launched", "--set", "run.save_every=1000"]
    with (folder / "launched.log").open("w") as log:
        launcher = subprocess.Popen([*arguments, "--set", "run.steps=2000"], cwd=folder, stderr=log)
    limit = time.monotonic() + 60
    while not (folder / "launched/metrics.jsonl").exists() and time.monotonic() < limit:
        time.sleep(0.1)
    time.sleep(1)
    launcher.send_signal(signal.SIGTERM)
    asked = time.monotonic()
    assert launcher.wait(60) != 0
    assert time.monotonic() - asked < 10
    assert "stopped after step" in (folder / "launched.log").read_text()
    assert len(steps_saved(folder / "launched")) == 1


def test_a_validation_is_broken_off_and_made_up_for(folder, undisturbed, monkeypatch):
    def judge(*_):
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(60)

    asked = time.monotonic()
    with monkeypatch.context() as patch:
        patch.setattr(Validator, "judge", judge)
        with pytest.raises(SystemExit, match="143"):
            train_here(folder, "broken_off", *SHORT)
    assert time.monotonic() - asked < 30
    assert steps_saved(folder / "broken_off")[-1] == "step-00000012"
    assert train_here(folder, "broken_off", *SHORT) == 0
    assert differing(undisturbed, folder / "broken_off") == []


@pytest.mark.parametrize("precision", ["bfloat16", "float16"])
def test_narrow_numbers_go_on_exactly(folder, precision):
    changes = ("run.steps=8", "run.save_every=4", f"run.precision={precision}")
    assert train_here(folder, precision, *changes) == 0
    copy_unfinished(folder / precision, folder / f"{precision}-again", last=4)
    assert train_here(folder, f"{precision}-again", *changes) == 0
    assert differing(folder / precision, folder / f"{precision}-again") == []


def copy_unfinished(run, copy, last):
    """Copy a run as it would be, had it been killed after it saved a step."""
    shutil.copytree(run, copy)
    shutil.rmtree(copy / "model")
    for path in (copy / "checkpoints").iterdir():
        if int(path.name[-8:]) > last:
            shutil.rmtree(path)


def damage(path, kind):
    content = path.read_bytes()
    middle = len(content) // 2
    flipped = content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]
    path.write_bytes(content[:middle] if kind == "truncated" else flipped)


@pytest.mark.parametrize("kind", ["truncated", "flipped"])
@pytest.mark.parametrize("file", ["weights.safetensors", "optimiser.safetensors", "progress.json"])
def test_a_damaged_checkpoint_is_passed_over(folder, undisturbed, capsys, kind, file):
    name = f"{kind}-{file}"
    copy_unfinished(undisturbed, folder / name, last=24)
    damage(folder / name / "checkpoints/step-00000024" / file, kind)
    assert train_here(folder, name, *SHORT) == 0
    said = capsys.readouterr().err.splitlines()
    assert [line for line in said if "passed over" in line and f"step-00000024/{file}: damaged" in line]
    assert [line for line in said if line.endswith("going on from " + f"{name}/checkpoints/step-00000020")]
    assert differing(undisturbed, folder / name) == []


def test_where_all_checkpoints_are_damaged_nothing_is_begun_anew(folder, undisturbed, capsys):
    copy_unfinished(undisturbed, folder / "ruined", last=24)
    for path in (folder / "ruined/checkpoints").iterdir():
        damage(path / "weights.safetensors", "flipped")
    before = contents(folder / "ruined")
    assert train_here(folder, "ruined", *SHORT) == 2
    assert "no checkpoint is whole" in capsys.readouterr().err.splitlines()[-1]
    assert contents(folder / "ruined") == before


def test_a_full_disk_leaves_the_last_checkpoint(folder, undisturbed):
    copy_unfinished(undisturbed, folder / "full", last=20)
    before = contents(folder / "full/checkpoints/step-00000020")

    def limit_files():
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))

    code, said = Life(folder, "full", *SHORT, preexec_fn=limit_files).end()
    assert code == 2
    assert re.search(r"/(best|step-00000024): cannot be written: File too large", said.splitlines()[-1])
    assert contents(folder / "full/checkpoints/step-00000020") == before
    assert not partials(folder / "full")
    assert train_here(folder, "full", *SHORT) == 0
    assert differing(undisturbed, folder / "full") == []


def test_leftovers_of_kills_are_put_back_or_removed(folder, undisturbed):
    copy_unfinished(undisturbed, folder / "leftovers", last=24)
    saved = folder / "leftovers/checkpoints"
    (saved / "step-00000024").rename(saved / ".step-00000024.old")
    (saved / ".step-00000017.partial").mkdir()
    shutil.copytree(saved / "step-00000016", saved / "step-00000012")  # a kill before it was cleared away
    assert train_here(folder, "leftovers", *SHORT) == 0
    assert not partials(folder / "leftovers")
    shutil.rmtree(saved / "step-00000012")
    assert differing(undisturbed, folder / "leftovers") == []
