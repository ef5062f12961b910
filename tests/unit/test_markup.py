import re

import pytest

from editmt.decoding.pieces import join, keep_order, locate, separate
from editmt.decoding.runs import cut_runs
from editmt.text import markup
from editmt.text.markup import Code, Element, Locked, Notation, Text, parse_markup

UNITS = {
    "Hello {name}, {0} {} ${x} {{y}} %{z}": ["{name}", "{0}", "{}", "${x}", "{{y}}", "%{z}"],
    "%s %d %1$d %-5.2f %(n)s %% %@ %lu": ["%s", "%d", "%1$d", "%-5.2f", "%(n)s", "%%", "%@", "%lu"],
    "100% sure, 50 %, 5%off": ["100", "50", "5"],
    "<b>x</b> <br/> <a href='>'>y</a> a < b > c": ["<b>", "</b>", "<br/>", "<a href='>'>", "</a>"],
    "&nbsp; &#160; AT&T; R&D": ["&nbsp;", "&#160;"],
    "See https://x.y/z?a=b&c=%20d. Or www.x.org!": ["https://x.y/z?a=b&c=%20d", "www.x.org"],
    "(mail me@x-y.co.uk)": ["me@x-y.co.uk"],
    "3.14, 1,000 at 10:30 on 2026-11-16; H2O, 1st": ["3.14", "1,000", "10:30", "2026-11-16"],
    "{n, plural, one {# file} other {# {x}}} left": ["{n, plural, one {# file} other {# {x}}}"],
    r"a\nb %PRODUCTNAME $HOME %1": [r"\n", "%PRODUCTNAME", "$HOME", "%1"],
    "Hi <0>you</0><1/> <%= x %>, $t(a.b) $(y)": ["<0>", "</0>", "<1/>", "<%= x %>", "$t(a.b)", "$(y)"],
    "__COUNT__ ##var## %%A_B%% %#@files@ %1$#@n@": [
        "__COUNT__",
        "##var##",
        "%%A_B%%",
        "%#@files@",
        "%1$#@n@",
    ],
    'see [this](https://x.y/z_(a)?b) ![it](i.png "a b") [b] (c), a[1](d': [
        "[",
        "](https://x.y/z_(a)?b)",
        "![",
        '](i.png "a b")',
        "1",
    ],
    "no markup at all.": [],
}


@pytest.mark.parametrize("text", UNITS)
def test_units(text):
    expected = [unit for unit in UNITS[text] if unit != "&T;"]
    assert [unit.text for unit in Notation().find(text) if unit.text != "&T;"] == expected


def test_a_blank_is_a_flag_only_where_formats_are_read():
    assert [unit.text for unit in Notation(special="%").find("a % sure")] == ["% s"]
    assert Notation().find("a % sure") == []


def test_letters_of_formats():
    formats = Notation(special="%")
    assert [unit.text for unit in formats.find("%q is %-5.2m, all% K")] == ["%q", "%-5.2m"]
    assert [unit.text for unit in Notation().find("%Y-%m-%d, %maximum")] == ["%Y", "%m", "%d", "%maximum"]
    assert [unit.text for unit in formats.find("%1 in %L2 (%n)")] == ["%1", "%L2", "%n"]  # Qt's
    assert [(unit.text, unit.ordered) for unit in formats.find("%1% of %2%")] == [
        ("%1%", False),
        ("%2%", False),
    ]


def test_placeholders_of_drupal_and_laravel():
    found = Notation().find(
        "Dear %author, @count of !items at :url! Wow:fine, 12:30, :ref:`x`, 50%off (:x) a@b.org"
    )
    kept = [unit.text for unit in found if unit.kind == "placeholder"]
    assert kept == ["%author", "@count", "!items", ":url"]
    found = Notation().find("%name% has %item.count% of 5% or 10%, %s%")
    assert [unit.text for unit in found if unit.kind == "placeholder"] == ["%name%", "%item.count%", "%s"]


def test_tags_of_phrase_are_pairs():
    text = "Press {1>the {b>big<b} key<1} {2}."
    kinds = [(unit.text, unit.kind, unit.name) for unit in Notation().find(text)]
    assert kinds[:2] == [("{1>", "open", "1"), ("{b>", "open", "b")]
    assert kinds[2:] == [("<b}", "close", "b"), ("<1}", "close", "1"), ("{2}", "placeholder", "")]


def test_percent_before_numbers_only():
    formats = Notation(special="%", numbered=True)
    assert [unit.text for unit in formats.find("100% sure of %1 in %L2 %n")] == [
        "100",
        "%",
        "%1",
        "%L2",
        "%n",
    ]


def test_a_plural_with_a_documents_tags_in_it_is_one():
    tags = {"X": Code("tag", "x"), "G": Code("open", "g"), "H": Code("close", "g")}
    forms = "{n, plural, one {a} other {X G b H}}"
    assert [unit.text for unit in Notation(tags).find(f"X {forms} G x H")] == ["X", forms, "G", "H"]
    assert [unit.text for unit in Notation(tags).find("G {a H}")] == ["G", "H"]


def shape(nodes):
    """Return the tree as nested lists."""
    names = {Text: lambda node: node.text, Locked: lambda node: (node.unit.text,)}
    return [shape(node.nodes) if isinstance(node, Element) else names[type(node)](node) for node in nodes]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a <b>c <i>{d}</i></b> e", ["a ", ["c ", [("{d}",)]], " e"]),
        ("a <b> c", ["a ", ("<b>",), " c"]),
        ("a [b {c}](d) <0>e</0>", ["a ", ["b ", ("{c}",)], " ", ["e"]]),
        ("</b> a <b>", [("</b>",), " a ", ("<b>",)]),
        ("<b>x<i>y</b>z</i>", [("<b>",), "x", ("<i>",), "y", ("</b>",), "z", ("</i>",)]),
        ("<b>" * 40 + "x" + "</b>" * 40, None),
    ],
)
def test_trees(text, expected):
    nodes = parse_markup(text, Notation().find(text))
    assert expected is None or shape(nodes) == expected


def test_runs_end_with_sentences_lines_and_paragraphs():
    text = "<p>One {x}. Two.</p> Three<br>four\nFive"
    runs = cut_runs(parse_markup(text, Notation().find(text)))
    assert [shape(run.nodes) for run in runs if run.nodes] == [
        ["One ", ("{x}",), "."], ["Two."], ["Three"], ["four"], ["Five"],
    ]  # fmt: skip


def test_what_has_an_order_keeps_it():
    text = "%s and %d and {x}"
    first, second, third = Notation().find(text)
    assert join(keep_order([second, " ", third, " ", first])) == "%s {x} %d"


def test_places_are_found_for_all_or_none():
    assert locate("x %s y", ["%s", "%s"]) is None
    assert locate("%s %s", ["%s", "%s"]) == [(0, 2), (3, 5)]


def test_words_do_not_touch_units():
    text = "see https://x.y now, {a}."
    address, brace = Notation().find(text)
    assert join(separate(["x", address, ".foo ", brace, "."], text)) == "x https://x.y .foo {a}."


def test_each_unit_has_a_sign_by_which_it_is_looked_for(monkeypatch):
    every = [unit.text for text in UNITS for unit in Notation().find(text)]
    monkeypatch.setattr(markup, "_SIGNS", re.compile(""))
    assert [unit.text for text in UNITS for unit in Notation().find(text)] == every
    assert all(markup._SIGNS.search(unit) for unit in every)
