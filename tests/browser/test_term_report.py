"""The report on terms in a real browser."""

import shutil

import pytest
from playwright.sync_api import sync_playwright

from editmt.cli.term_report_view import show_report
from editmt.decoding.segments import Passage
from editmt.decoding.term_report import make_report
from editmt.decoding.terminology import find_wishes
from editmt.text.glossary import Glossary

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
LONG = "Donaudampfschifffahrtsgesellschaft" * 4

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium (apt-get install chromium)")


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    glossary = Glossary.parse(f"sea\tSee\nlamp\t{LONG}\n<b>\tfett\n{LONG}\tDDSG\n")
    texts = {"The sea, a lamp, <b>.": f"Die See, die {LONG}, fett.", f"A sea of {LONG}": "Ein Meer", "x": "y"}
    passages = [
        (line, Passage(source, text, tuple(find_wishes(source, glossary, "soft"))))
        for line, (source, text) in enumerate(texts.items(), start=1)
    ]
    path = tmp_path_factory.mktemp("report") / "terms.html"
    path.write_text(show_report(make_report(passages, lambda: None), f"{LONG}.po"), encoding="utf-8")
    return path


@pytest.mark.parametrize("width", [1280, 400])
def test_the_report_fits_and_can_be_searched(report, width):
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": width, "height": 800})
        page.goto(report.as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") == width
        terms = page.locator("details:visible")
        assert terms.count() == 4
        page.get_by_label("only misses").check()
        assert terms.count() == 2
        assert page.locator("details:visible li:visible").count() == 2
        page.get_by_label("only misses").uncheck()
        page.get_by_label("Find a term").fill("FETT")
        assert terms.locator(".term").all_inner_texts() == ["<b>", "lamp", "sea"]
        browser.close()
