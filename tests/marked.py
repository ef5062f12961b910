"""Random strings with markup and placeholders, and how to judge what came of them: not the package's way."""

import re
from collections import Counter

from tests.sentences import ENGLISH

WORDS = [word for line in ENGLISH for word in line.split()]
UNITS = r"""
{name} {0} {} %s %d %1$d %2$s %(count)d %-5.2f %% ${x} {{user}} &nbsp; &amp; &#160; 3 1,000 3.14 2026-11-16
10:30 \n $HOME %PRODUCTNAME https://example.org/a?b=c&d=%20e http://x.y/ mail@example.org a.b+c@d-e.co.uk
$t(key.x) __COUNT__ %#@files@ <%=x%>
"""
PLACEHOLDERS = [*UNITS.split(), "{n, plural, one {# file} other {# files}}"]
EMPTY_TAGS = ["<br/>", "<br>", '<img src="a b.png" alt="x > y"/>', '<x id="1"/>', "<hr />"]
OPEN_TAGS = [
    "<b>",
    "<i>",
    '<a href="https://example.org/?q=1">',
    "<p>",
    '<g id="7">',
    "<code>",
    "<span class='x'>",
]
TAG = re.compile(r"<(/?)([a-z]+)((?:\"[^\"]*\"|'[^']*'|[^<>\"'])*?)(/?)>")
LOOK = re.compile(
    r"(?P<tag><(?:\"[^\"]*\"|'[^']*'|[^<>\"'])*>)|(?P<url>https?://[^\s<>]+[\w/=])|(?P<mail>[\w.+-]+@[\w.-]+\w)"
    r"|(?P<icu>\{n, .*?\}\})|(?P<brace>\$?\{+[^{}]*\}+)|(?P<entity>&#?\w+;)"
    r"|(?P<printf>%PRODUCTNAME|%(?:\d\$|\(\w+\))?[-.\d]*[sdf%])"
    r"|(?P<nested>\$t\([\w.]+\))|(?P<around>__[A-Z]+__)|(?P<plural>%#@\w+@)|(?P<shell>\$HOME)|(?P<escape>\\n)"
)


def random_marked(generator, depth=2, most=6):
    """Draw a string of words, placeholders, tags and elements."""
    parts = []
    for _ in range(generator.integers(1, most + 1)):
        chance = generator.random()
        if chance < 0.45:
            parts.append(" ".join(generator.choice(WORDS, generator.integers(1, 6))))
        elif chance < 0.8 or not depth:
            parts.append(str(generator.choice(PLACEHOLDERS)))
        elif chance < 0.85:
            parts.append(str(generator.choice(EMPTY_TAGS)))
        else:
            opening = str(generator.choice(OPEN_TAGS))
            inner = random_marked(generator, depth - 1, 3)
            parts.append(f"{opening}{inner}</{opening[1:-1].split(maxsplit=1)[0]}>")
    text = ""
    for part in parts:
        touching = text[-1:].isalnum() or text[-1:] in ".-/@" or part[0].isalnum() or part[0] in "$%"
        text += (" " if touching else str(generator.choice(["", " ", " "]))) + part
    return text


def judge_marked(source, text):
    """Return what is wrong with a translation: nothing, if all is well."""
    wrong = []
    ours, theirs = ([match[0] for match in LOOK.finditer(each)] for each in (source, text))
    if Counter(ours) != Counter(theirs):
        wrong.append(f"lost {Counter(ours) - Counter(theirs)}, made up {Counter(theirs) - Counter(ours)}")
    in_order = [
        [unit for unit in units if re.fullmatch(r"%[-.\d]*[sdf]|\{\}", unit)] for units in (ours, theirs)
    ]
    if in_order[0] != in_order[1]:
        wrong.append(f"order: {in_order}")
    if is_well_formed(source) and not is_well_formed(text):
        wrong.append("not well formed")
    numbers = [re.findall(r"\d+(?:[.,:-]\d+)*", LOOK.sub(" ", each)) for each in (source, text)]
    return wrong + [
        f"{n} is lost or doubled" for n in numbers[0] if numbers[0].count(n) != numbers[1].count(n)
    ]


def is_well_formed(text):
    """Tell whether every tag is closed in order."""
    tags = []
    for closing, name, _, empty in TAG.findall(text):
        if empty or name in {"br", "hr", "img"}:
            continue
        if closing:
            if not tags or tags.pop() != name:
                return False
        else:
            tags.append(name)
    return not tags
