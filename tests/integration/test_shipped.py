"""The model inside the package, as a newcomer meets it."""

import json
import os
import subprocess
import sys
import venv
from dataclasses import replace
from pathlib import Path

import pytest
import sacrebleu

from editmt import Request, Translator
from editmt.cli.export import DECODING
from editmt.decoding.loading import SHIPPED
from editmt.experiments.task import find_task, read_task
from editmt.runtime.cpu_folder import CARD_FILE
from editmt.text.phrases import count_phrase
from tests.sentences import ENGLISH

ROOT = Path(__file__).parents[2]
DATA = ROOT.parent / "shared/data"
MOST_BYTES = 25_000_000


@pytest.fixture(scope="module")
def translator():
    return Translator.load()


def test_it_is_small_and_says_what_it_is():
    assert sum(path.stat().st_size for path in SHIPPED.rglob("*") if path.is_file()) <= MOST_BYTES
    card = (SHIPPED / CARD_FILE).read_text(encoding="utf-8")
    for needed in ("Tatoeba", "CC-BY 2.0 FR", "LibreOffice", "MPL-2.0", "PHP manual", "CC-BY 3.0", "Limits"):
        assert needed in card


def test_the_recipe_exports_it_as_it_ships(monkeypatch):
    """What `editmt reproduce shipped.en-de` makes has the asset's parts and settings."""
    monkeypatch.chdir(ROOT)
    (export,) = read_task(find_task("shipped.en-de")).exports
    words = export.arguments
    given = dict(zip(words[::2], words[1::2], strict=True))
    about = json.loads((SHIPPED / "export.json").read_text())
    decoding = about["decoding"]
    assert [given["--precision"]] == about["precisions"]
    for name in DECODING:
        assert float(given[f"--{name.replace('_', '-')}"]) == decoding[name]
    assert ("--shortlist" in given) == (SHIPPED / "int8/shortlist.npz").exists()


def test_it_translates(translator):
    assert "Datei" in translator.translate("Open the file.").text


@pytest.mark.parametrize("word", ["Dokument", "Xylophon", "ÄÖÜ-42", "机"])
def test_it_keeps_the_users_words(translator, word):
    assert word in translator.translate("Open the file again.", hard=[word]).text


def test_it_translates_in_any_order_alike(translator):
    sentences = [f"{sentence} {number}" for number in range(10, 20) for sentence in ENGLISH]
    small = translator.with_options(replace(translator.options, batch_tokens=300))
    straight = [answer.text for answer in small.translate_all(sentences)]
    assert [answer.text for answer in small.translate_all(sentences[::-1])] == straight[::-1]


def test_in_bulk_it_translates_alike(translator):
    sentences = [f"{sentence} {number}" for number in range(10, 20) for sentence in ENGLISH]
    options = replace(translator.options, batch_tokens=300)
    bulk = Translator.load(options=options, threads=3, bulk=True)
    straight = [answer.text for answer in translator.with_options(options).translate_all(sentences)]
    assert [answer.text for answer in bulk.translate_all(sentences)] == straight


def test_what_is_forbidden_gives_way_to_a_word(translator):
    without = translator.translate("Open the file again.", forbidden=["Datei"]).text
    assert count_phrase(without, "Datei") == 0
    assert "die" in without.split(), "nothing is glued to the word before"


def test_a_soft_term_is_used(translator):
    found = translator.translate("Open the file again.", terms=["Dokument"])
    assert [use.status for use in found.terms] == ["used"]


def test_it_loads_no_torch():
    program = "import sys; sys.argv = ['editmt', 'translate', 'Hello.']\n"
    program += "from editmt.cli.main import main\nmain(); assert 'torch' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def bleu(answers, references):
    return sacrebleu.corpus_bleu([answer.text for answer in answers], [references]).score


def used(answers):
    uses = [use.status == "used" for answer in answers for use in answer.terms]
    return sum(uses) / len(uses)


@pytest.mark.slow
def test_terms_of_help_pages(translator):
    """Of the terms of 800 sentences most are used when soft, all when hard."""
    lines = (DATA / "libreoffice.en-de/terminology-test.jsonl").read_text(encoding="utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    references = [record["reference"] for record in records]
    terms = [[term["target"] for term in record["terms"]] for record in records]
    sources = [record["source"] for record in records]
    plain = translator.translate_all([Request.of(source) for source in sources])
    soft, hard = (
        translator.translate_all(
            [Request.of(source, **{kind: words}) for source, words in zip(sources, terms, strict=True)]
        )
        for kind in ("terms", "hard")
    )
    assert used(soft) >= 0.98
    assert used(hard) == 1
    without = bleu(plain, references)
    assert without >= 21
    assert bleu(soft, references) >= without + 2


@pytest.mark.slow
def test_everyday_sentences(translator):
    source, target = (
        (DATA / f"tatoeba.en-de/test.{side}").read_text(encoding="utf-8").splitlines()
        for side in ("en", "de")
    )
    answers = translator.translate_all([Request.of(line) for line in source])
    assert bleu(answers, target) >= 28  # 0.93 of its teacher's


@pytest.mark.slow
def test_the_wheel_translates_in_an_empty_environment(tmp_path):
    """Built, installed with nothing but what it depends on, no torch among it, and complete."""
    python = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    subprocess.run([*python, "wheel", "--quiet", "--no-deps", "-w", tmp_path, ROOT], check=True)
    venv.create(tmp_path / "empty", with_pip=True)
    own = tmp_path / "empty/bin/python"
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}

    def run(*arguments):
        done = subprocess.run(
            [own, *arguments], env=environment, cwd=tmp_path, capture_output=True, text=True, check=True
        )
        return done.stdout

    (wheel,) = tmp_path.glob("*.whl")
    run("-m", "pip", "--disable-pip-version-check", "install", "--quiet", str(wheel))
    assert "torch" not in run("-m", "pip", "--disable-pip-version-check", "list").lower()
    run("-m", "pip", "--disable-pip-version-check", "check")
    assert "Dokument" in run("-m", "editmt", "translate", "Open the file again.", "--hard", "Dokument")
