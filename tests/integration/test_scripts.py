"""The README's promises that can be tested without installing anything anew."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]


def run_try(*arguments):
    return subprocess.run([ROOT / "scripts/try", *arguments], capture_output=True, text=True, check=True)


def test_try_shows_its_example_and_takes_sentences():
    assert "Rechner" in run_try().stdout
    assert "Zebra" in run_try("Tom is here.", "--hard", "Zebra").stdout


def test_what_the_readme_shows_is_what_is_printed():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert run_try().stdout in readme
