"""What the figures say: names and colours as in the tables, and names that cover nothing."""

import matplotlib as mpl
import pytest
from matplotlib.figure import Figure as Drawing

from editmt.experiments import figures


@pytest.fixture
def axes():
    mpl.use("agg")
    return Drawing(figsize=figures.SIZE, layout="constrained").subplots()


def test_models_have_their_names_and_one_colour_in_all_figures(axes):
    models = {name: {"validation": [[1, 2.0]]} for name in ("teacher", "editor", "single_path", "other-ties")}
    assert figures._draw_learning(axes, {"models": models | {"levenshtein": {"validation": []}}})
    lines = {line.get_label(): line.get_color() for line in axes.get_lines()}
    assert list(lines) == ["AR", "EDITOR", "EDITOR − dual-path", "EDITOR, other-ties"]
    assert lines["EDITOR"] == figures.COLOURS["editor"]
    assert len(set(lines.values())) == 4


def test_recipes_are_called_as_in_the_tables(axes):
    points = [{"cpr": 90.0, "bleu": 30.0, "strength": 0}]
    assert figures._draw_strengths(axes, {"strengths": {"editor": points, "editor-foreseen": points}})
    assert [line.get_label() for line in axes.get_lines()] == ["EDITOR", "EDITOR + foresight"]


def test_frequencies_of_no_word_are_left_out(axes):
    metrics = {"bleu": {"title": "BLEU"}, "f1-0": {"title": "F1 <5"}, "f1-1000": {"title": "F1 ≥1000"}}
    systems = {"editor-soft": {"f1-0": {"score": 40.0}, "f1-1000": {"score": None}}}
    assert figures._draw_f1(axes, {"constrained": {"metrics": metrics, "systems": systems}})
    assert [tick.get_text() for tick in axes.get_xticklabels()] == ["<5"]


def test_names_cover_no_point_and_stay_inside(axes):
    places = {
        "AR + DBA, beam 10": (75, 41),
        "AR, beam 4": (38, 38),
        "AR, beam 10": (54, 38),
        "LevT": (27, 32),
    }
    places |= {"EDITOR + foresight": (28, 37), "LevT + foresight": (25, 36.7), "EDITOR": (23, 35)}
    axes.set(xlim=(15, 90), ylim=(28, 45))
    labels = [axes.annotate(name, xy, (7, 4), textcoords="offset points") for name, xy in places.items()]
    figures._spread(axes, labels)
    dots = axes.transData.transform(list(places.values()))
    for label in labels:
        box = label.get_window_extent()
        assert not any(box.contains(*dot) for dot in dots), label
        assert figures._holds(axes.get_window_extent(), box), label


def test_names_of_a_crowd_do_not_overlap_and_seem_their_own_points(axes):
    """Tanaka's points: the name of one EDITOR stood beside another, and that one's farther below."""
    places = {
        "AR + DBA, beam 10": (56.2, 39.0),
        "LevT + foresight": (22.1, 33.4),
        "EDITOR + foresight": (23.6, 32.5),
        "EDITOR + foresight, hard": (24.8, 31.6),
        "AR + DBA, beam 4": (37.7, 34.3),
        "AR, beam 4": (30.8, 34.3),
        "AR, beam 10": (40.5, 34.5),
    }
    axes.set(xlim=(16.2, 71.5), ylim=(19.7, 41.0), xscale="log")
    labels = [
        axes.annotate(name, xy, (7, 4), textcoords="offset points", fontsize=9) for name, xy in places.items()
    ]
    figures._spread(axes, labels)
    dots = axes.transData.transform(list(places.values()))
    boxes = [label.get_window_extent() for label in labels]
    for name, box, own in zip(places, boxes, dots, strict=True):
        assert not (name.startswith("EDITOR") and figures._seems_anothers(box, own, dots)), name
        assert box.count_overlaps(boxes) == 1, "itself"


def test_strengths_at_nearly_one_place_can_be_told_apart(axes):
    points = [
        {"cpr": cpr, "bleu": 32.2, "strength": strength}
        for cpr, strength in ((90, 0), (98.8, 2), (99.8, 4), (100, 8))
    ]
    assert figures._draw_strengths(axes, {"strengths": {"editor-foreseen": points}})
    boxes = [label.get_window_extent() for label in axes.texts]
    assert [box.count_overlaps(boxes) for box in boxes] == [1] * 4
