"""Tables, figures and pages from results, whole and empty; where nothing was run, they say so."""

import re
from html.parser import HTMLParser

import pytest

from editmt.experiments import claims
from editmt.experiments.figures import INK, make_figures
from editmt.experiments.html import to_html
from editmt.experiments.markdown import to_markdown
from editmt.experiments.summary import headlines, remarks
from editmt.experiments.tables import make_tables
from editmt.experiments.traces import trace_rows
from tests.results import comparison, empty_results, made_up_latency, whole_results

VOID = ("meta", "path", "use", "line", "rect", "image", "br")


class Page(HTMLParser):
    """Checks that elements are closed in order, and notes what might be loaded."""

    def __init__(self, text):
        super().__init__()
        self.open, self.loads, self.text = [], [], []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        if tag not in VOID:
            self.open.append(tag)
        for name, value in attributes:
            if name in ("src", "href", "xlink:href", "data", "action", "srcset") and not value.startswith(
                "#"
            ):
                self.loads.append(value)

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("figures")
    results, latency = whole_results(), made_up_latency()
    return results, latency, make_tables(results, latency), make_figures(results, latency, folder), folder


def cells(tables, name):
    table = next(each for each in tables if each.name == name)
    return {label: dict(zip(table.heads[1:], row, strict=True)) for label, row in table.rows}


def test_the_papers_numbers_stand_beside_ours(whole):
    results, latency, tables, _, _ = whole
    cell = cells(tables, "table-2")["EDITOR"]
    assert cell["Parameters"].text == "2.9 M"
    assert cell["Parameters"].paper == "91.1 M"
    assert cell["BLEU, words ↑"].paper == "26.9"
    assert cell["BLEU ↑"].paper == "", "the paper's is tokenised BLEU"
    assert cell["Latency (ms) ↓"].text == f"{latency['conditions']['editor']['mean']:.1f}"
    soft = cells(tables, "table-3")["EDITOR"]
    assert soft["CPR ↑"].text == f"{results['constrained']['systems']['editor-soft']['cpr']['score']:.1f}"
    assert soft["CPR ↑"].paper == "88.4"
    assert cells(tables, "table-5")["EDITOR − dual-path"]["CPR ↑"].paper == "78.7"
    assert cells(tables, "table-4")["LevT"]["Del."].paper == "7.13"
    assert cells(tables, "table-6-wiktionary")["EDITOR + soft constraints"]["Term% ↑"].paper == "96.8"


def test_marks_are_the_papers():
    """Underlined: best of all; bold: best of the edit models; with each what is not significantly worse."""
    results = whole_results()
    made = comparison(["ar-beam4", "ar-beam10", "levenshtein", "editor"])
    scores = {"ar-beam4": 38.0, "ar-beam10": 38.2, "levenshtein": 33.0, "editor": 36.0}
    for name, score in scores.items():
        chance = {"ar-beam4", "ar-beam10"} - {name} if name.startswith("ar") else set()
        made["systems"][name]["bleu"] = {
            "score": score,
            "p": {other: 0.4 if other in chance else 0.001 for other in scores if other != name},
        }
    found = cells(make_tables(results | {"translation": made}, None), "table-2")
    marks = {label: (row["BLEU ↑"].underlined, row["BLEU ↑"].bold) for label, row in found.items()}
    assert marks == {
        "AR, beam 4": (True, False),
        "AR, beam 10": (True, False),
        "AR distilled, beam 10": (False, False),
        "LevT": (False, False),
        "EDITOR": (False, True),
    }
    assert found["AR distilled, beam 10"]["BLEU ↑"].text == "not run"


def test_nothing_is_made_up(tmp_path):
    results = empty_results()
    tables, figures = make_tables(results, None), make_figures(results, None, tmp_path)
    assert [table.name for table in tables] == [
        "table-2", "table-3", "table-4", "table-5", "table-6-wiktionary", "recipes",
    ]  # fmt: skip
    assert {cell.text for table in tables for _, row in table.rows for cell in row} == {"not run"}
    assert {figure.svg for figure in figures} == {None}
    assert list(tmp_path.iterdir()) == []
    assert {headline.value for headline in headlines(results, None)} == {None}
    assert {claim["verdict"] for claim in results["claims"]} == {"not run"}
    for text in (to_html(results, None, tables, figures), to_markdown(results, None, tables, figures)):
        assert text.count("not run") > 50


def test_figures_take_the_pages_colour(whole):
    *_, figures, folder = whole
    for figure in figures:
        assert INK not in figure.svg
        assert "currentColor" in figure.svg
        assert (folder / f"{figure.name}.png").read_bytes().startswith(b"\x89PNG")
        assert (folder / f"{figure.name}.svg").read_text().endswith("</svg>\n")


def test_figures_are_the_same_every_time(whole, tmp_path):
    results, latency, _, figures, _ = whole
    assert make_figures(results, latency, tmp_path) == figures


def test_the_page_is_whole_and_loads_nothing(whole):
    results, latency, tables, figures, _ = whole
    text = to_html(results, latency, tables, figures)
    page = Page(text)
    assert page.loads == []
    assert not re.search(r"url\((?!#)|@import|<script|<link", text)
    assert "default-src 'none'" in text
    shown = "".join(page.text)
    for expected in (
        "Made-up <numbers>",
        "A man sits at a <b>table</b>.",
        "Table 6. Terminology: Wiktionary",
    ):
        assert expected in shown
    assert '<span class="moved">Mann</span>' in text
    assert '<span class="deleted">roten</span>' in text
    assert text.count("<svg") == 5


def test_markdown_has_the_same_numbers(whole):
    results, latency, tables, figures, _ = whole
    text = to_markdown(results, latency, tables, figures)
    for table in tables:
        for label, row in table.rows:
            for cell in row:
                assert cell.text in text, (table.name, label)
    assert "Ein Tisch\\_Mann." in text
    assert "reposition    [Mann←] [Tisch←]" in text
    assert "tokens        [+Ein+] Mann [+sitzt+] [+am+] [+roten+] Tisch[+.+]" in text


def test_moses_pieces_are_read_as_words():
    trace = {"first": ["<s>", "Haus@@", "tür", "auf", "</s>"], "steps": []}
    assert [row.plain for row in trace_rows(trace)] == ["Haustür auf"]


def test_claims():
    found = comparison(["editor-soft", "levenshtein-soft", "single_path-soft"], runs=5)
    cell = found["systems"]["editor-soft"]
    cell["bleu"] = {"score": 36.5, "p": {"levenshtein-soft": 0.2, "single_path-soft": 0.01}}
    cell["deletions"] = {"score": 2.0, "p": {"levenshtein-soft": 0.001, "single_path-soft": 1.0}}
    found["systems"]["levenshtein-soft"]["bleu"]["score"] = 36.0
    found["systems"]["levenshtein-soft"]["deletions"]["score"] = 3.0
    found["systems"]["single_path-soft"]["bleu"]["score"] = 37.0
    judged = {
        (claim["better"], claim["worse"], claim["metric"]): claim
        for claim in claims.judge({"constrained": found, "translation": None}, "ro-en")
    }
    claim = judged["editor-soft", "levenshtein-soft", "bleu"]
    assert (claim["verdict"], claim["difference"], claim["paper"]) == ("holds, not significantly", 0.5, 1.5)
    assert judged["editor-soft", "single_path-soft", "bleu"]["verdict"] == "fails"
    fewer = judged["editor-soft", "levenshtein-soft", "deletions"]
    assert (fewer["verdict"], fewer["paper"]) == ("holds", -2.11)
    assert judged["editor-soft", "editor-hard", "bleu"]["verdict"] == "not run"
    assert judged["editor", "levenshtein", "bleu"]["verdict"] == "not run"


def test_fewer_steps_and_how_models_decode_are_told():
    told = " ".join(remarks(whole_results(), None))
    assert "trained for 3,000 steps each" in told
    assert "inserting nothing costs (γ): levenshtein 1, editor 1.5;" in told
    assert "so that less is missing: editor 0." in told, "0 is a choice, too"
    assert "to be long enough: editor 0.7;" in told
    assert "and so on: editor 0.5; the paper fills all at once" in told
    assert "not significantly worse there than the best" in told
    assert "on the validation set" not in " ".join(remarks(empty_results(), None)), "nothing was chosen"


def test_failures_are_told():
    results = whole_results() | {"failures": {"editor-hard/hard-1": 2, "editor-hard/hard-2": 1}}
    assert any("3 sentences could not be translated" in remark for remark in remarks(results, None))
