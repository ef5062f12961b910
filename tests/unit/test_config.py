import dataclasses
from pathlib import Path

import pytest

from editmt.config import Config, DataConfig, ModelConfig, preset, read_config
from editmt.errors import InputError
from editmt.tables import to_table

CONFIGS = sorted(Path(__file__).parents[2].glob("configs/**/*.toml"))


def write(folder, text):
    path = folder / "config.toml"
    path.write_text(text)
    return path


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_the_shipped_configurations_are_valid(path):
    config = read_config(path)
    assert config.model.kind in path.stem or config.model.kind == "editor"


def test_the_papers_configurations_are_all_there():
    names = {path.stem for path in CONFIGS if path.parent.name == "paper"}
    kinds = ("editor", "editor-single-path", "levenshtein", "autoregressive", "autoregressive-distilled")
    assert names == {f"{task}-{kind}" for task in ("ro-en", "en-de", "en-ja") for kind in kinds}


def test_the_papers_numbers():
    paper = Path(__file__).parents[2] / "configs/paper"
    editor = read_config(paper / "ro-en-editor.toml")
    assert (editor.data.batch_tokens, editor.run.steps, editor.optimiser.rate) == (64_800, 300_000, 5e-4)
    assert editor.model == ModelConfig()
    assert editor.objective.rollin == "dual"
    assert editor.noise.constraint_share == 0
    assert read_config(paper / "ro-en-editor-single-path.toml").objective.rollin == "insertion"
    teacher = read_config(paper / "en-de-autoregressive.toml")
    assert (teacher.data.batch_tokens, teacher.optimiser.rate) == (4096, 2e-4)
    assert (teacher.optimiser.plateau_factor, teacher.optimiser.plateau_patience) == (0.7, 4)
    assert not read_config(paper / "en-ja-editor.toml").model.tied


def test_sections_presets_and_changes(tmp_path):
    path = write(
        tmp_path, '[data]\nfolder = "d"\n[model]\nkind = "autoregressive"\npreset = "tiny"\nheads = 2\n'
    )
    config = read_config(path, ["run.steps=7", "data.folder=/elsewhere", "optimiser.betas=[0.8, 0.9]"])
    assert config.model == dataclasses.replace(preset("tiny", "autoregressive"), heads=2)
    assert (config.run.steps, config.data.folder) == (7, "/elsewhere")
    assert config.optimiser.betas == (0.8, 0.9)
    assert to_table(config)["run"]["steps"] == 7


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "data is missing"),
        ("[data]\n", "data.folder is missing"),
        ("[data]\nfolder = 3", "data.folder is 3, not of type str"),
        ('[data]\nfolder = "d"\n[run]\nstep = 3', "unknown key run.step, did you mean 'steps'?"),
        ('[data]\nfolder = "d"\n[modle]\n', "unknown key modle, did you mean 'model'?"),
        ('[data]\nfolder = "d"\n[run]\nsteps = 1.5', "run.steps is 1.5, not of type int"),
        ('[data]\nfolder = "d"\n[run]\nsteps = true', "run.steps is True, not of type int"),
        ('[data]\nfolder = "d"\n[run]\nsteps = -1', "run.steps is negative"),
        ('[data]\nfolder = "d"\n[model]\nkind = "rnn"', "model.kind is 'rnn', not one of: 'editor'"),
        ('[data]\nfolder = "d"\n[model]\npreset = "tny"', "no preset 'tny', did you mean 'tiny'?"),
        ('[data]\nfolder = "d"\n[model]\nheads = 7', "no multiple of heads"),
        ('[data]\nfolder = "d"\n[model]\ndropout = 1', "model.dropout 1.0 is not in [0, 1)"),
        (
            '[data]\nfolder = "d"\n[optimiser]\nbetas = [0.9]',
            "optimiser.betas is [0.9], not a list of 2 numbers",
        ),
        ('[data]\nfolder = "d"\n[model]\nkind = "levenshtein"', "objective.rollin"),
        (
            '[data]\nfolder = "d"\n[objective]\nrefined_share = 1.5',
            "objective.refined_share is not in [0, 1]",
        ),
        (
            '[data]\nfolder = "d"\n[model]\nkind = "autoregressive"\n[run]\npenalties = [1]',
            "run.penalties are for edit models",
        ),
        ('[data]\nfolder = "d"\n[run]\npenalties = [0, -1]', "run.penalties is negative"),
        (
            '[data]\nfolder = "d"\n[model]\nkind = "autoregressive"\n[run]\nlength_quantiles = [0.5]',
            "run.length_quantiles are for edit models",
        ),
        ('[data]\nfolder = "d"\n[run]\nlength_quantiles = [0, 1]', "run.length_quantiles are not all less"),
        (
            '[data]\nfolder = "d"\n[model]\nkind = "autoregressive"\n[run]\nforesights = [0]',
            "run.foresights are for edit models",
        ),
        ('[data]\nfolder = "d"\n[run]\nfill_shares = [1, 0]', "run.fill_shares are not all in (0, 1]"),
        ('[data]\nfolder = "d"\n[run]\nforesights = [0, 3]', "run.foresights are not all 2 or less"),
        ('data = "d"', "data is not a table"),
        ('[model]\nkidn = "editor"', "unknown key model.kidn, did you mean 'kind'?"),
        ('[data]\nfolder = "d"\n[model]\nheads = 0', "model.heads is less than 1"),
        ('[data]\nfolder = "d"\n[model]\nwidth = 0', "model.width is less than 1"),
        ('[data]\nfolder = "d"\n[model]\nencoder_layers = 0', "model.encoder_layers is less than 1"),
        (
            '[data]\nfolder = "d"\n[model]\nwidth = 65\nheads = 5\npositions = "sinusoidal"',
            "model.width 65 is odd, and sinusoidal positions come in pairs",
        ),
        ('[data]\nfolder = "d"\n[model]\npreset = 5', "model.preset is 5, not of type str"),
        ('[data]\nfolder = "d"\n[model]\npreset = "tiny"\nkind = [1]', "model.kind is [1], not one of"),
        (
            '[data]\nfolder = "d"\n[optimiser]\nbetas = [2, 3]',
            "optimiser.betas has 2.0, which is not in [0, 1)",
        ),
        ('[data]\nfolder = "d"\n[optimiser]\nrate = inf', "optimiser.rate is inf"),
        ('[data]\nfolder = "d"\n[optimiser]\nclip = 0', "optimiser.clip is 0"),
        ("[data", "not valid TOML"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(tmp_path, text, message):
    path = write(tmp_path, text)
    with pytest.raises(InputError) as caught:
        read_config(path)
    assert str(caught.value).startswith(str(path))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("change", ["steps=3", "run.steps", "run.stps=3", "noise.kind=drop"])
def test_wrong_changes_are_refused(tmp_path, change):
    path = write(tmp_path, 'noise = 5\n[data]\nfolder = "d"\n')
    with pytest.raises(InputError) as caught:
        read_config(path, [change])
    assert str(caught.value).startswith(str(path))


def test_a_missing_file():
    with pytest.raises(InputError, match=r"nowhere\.toml: cannot be read"):
        read_config(Path("nowhere.toml"))


def test_defaults_are_the_papers():
    config = Config(data=DataConfig(folder="d"))
    assert (config.optimiser.warmup, config.optimiser.clip, config.run.validate_every) == (
        10_000,
        25.0,
        10_000,
    )
