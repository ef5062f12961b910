"""The README's promises that can be tested without installing anything anew."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_try_shows_its_example_and_takes_sentences():
    shown = subprocess.run([ROOT / "scripts/try"], capture_output=True, text=True, check=True)
    assert "reposition" in shown.stdout
    own = subprocess.run([ROOT / "scripts/try", "b a", "a b"], capture_output=True, text=True, check=True)
    assert own.stdout.splitlines()[0] == "canvas        b a"


def test_what_the_readme_shows_is_what_is_printed():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = subprocess.run([ROOT / "scripts/try"], capture_output=True, text=True, check=True)
    assert shown.stdout in readme
