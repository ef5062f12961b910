"""The report of `editmt reproduce` in a real browser."""

import json
import os
from itertools import combinations
from pathlib import Path

import pytest

from editmt.experiments.figures import make_figures
from editmt.experiments.html import to_html
from editmt.experiments.tables import make_tables
from tests.results import EXAMPLE, empty_results, made_up_latency, whole_results

PICTURES = os.environ.get("EDITMT_PICTURES")
"""A folder for screenshots, for who wants to look at them."""
LONG = "Donaudampfschifffahrtsgesellschaft" * 4
SPILLS = """
() => [...document.querySelectorAll("body *")].filter(element => {
  const box = element.getBoundingClientRect();
  return box.width && !element.closest(".scroll *, svg *") && (box.left < 0 || box.right > innerWidth + 0.5);
}).map(element => element.outerHTML.slice(0, 120))
"""
"""What sticks out of the page; a wide table may be scrolled in its own frame."""


@pytest.fixture(scope="module", params=["whole", "empty"])
def report(request, tmp_path_factory):
    """Write the report of an experiment, with words that have no place to break, or of none."""
    results, latency = empty_results(), None
    if request.param == "whole":
        results, latency = whole_results(), made_up_latency()
        results["examples"].append(json.loads(json.dumps(EXAMPLE).replace("Tisch", LONG)))
    folder = tmp_path_factory.mktemp(request.param)
    page = to_html(results, latency, make_tables(results, latency), make_figures(results, latency, folder))
    (folder / "report.html").write_text(page, encoding="utf-8")
    return folder / "report.html"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 400])
def test_the_report_fits_and_loads_nothing(browser, report, width, scheme):
    page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
    asked, complaints = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: complaints.append(message.text))
    page.goto(report.as_uri())
    page.wait_for_load_state("networkidle")
    if PICTURES:
        path = Path(PICTURES) / f"{report.parent.name}-{width}-{scheme}.png"
        page.screenshot(path=path, full_page=True)
    assert asked == [report.as_uri()]
    assert complaints == [], "what the page's policy forbids is told there"
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.evaluate(SPILLS) == []
    page.close()


def test_the_names_of_rows_stay_in_sight_where_it_is_narrow(browser, report):
    page = browser.new_page(viewport={"width": 400, "height": 800})
    page.goto(report.as_uri())
    table = page.locator(".scroll", has=page.locator("table.claims"))
    table.evaluate("frame => frame.scrollLeft = frame.scrollWidth")
    assert table.evaluate("frame => frame.scrollLeft") > 0
    frame, name, last = (
        table.locator(which).first.bounding_box() for which in ("xpath=.", "tbody th", "tbody td:last-child")
    )
    assert name["x"] >= frame["x"]
    assert name["x"] + name["width"] <= last["x"]
    page.close()


def test_the_names_of_points_do_not_cover_each_other(browser, report):
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto(report.as_uri())
    names = page.locator("figure[aria-label='Quality against time'] svg text").all()
    boxes = [(name.text_content(), name.bounding_box()) for name in names]
    assert [(a[0], b[0]) for a, b in combinations(boxes, 2) if overlap(a[1], b[1])] == []
    page.close()


def overlap(one, other):
    """Tell whether two boxes have more in common than the empty rims of their lines."""
    across = min(one["x"] + one["width"], other["x"] + other["width"]) - max(one["x"], other["x"])
    down = min(one["y"] + one["height"], other["y"] + other["height"]) - max(one["y"], other["y"])
    return across > 1 and down > 0.3 * min(one["height"], other["height"])
