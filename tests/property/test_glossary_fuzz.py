"""Glossaries that something has happened to: read as far as they go, never a crash."""

import random

import pytest

from editmt.errors import InputError
from editmt.text.glossary import Entry, Glossary, Target, tbx
from editmt.text.glossary.writing import WRITTEN_FORMATS, write_glossary

ENTRIES = [
    Entry(
        f"term {number}",
        (Target(f"Begriff {number}"), Target("Würg", "forbidden")),
        "en",
        "de",
        note="naïve, <x>",
    )
    for number in range(12)
]
FILES = [
    write_glossary(ENTRIES, form).encode(code) for form in WRITTEN_FORMATS for code in ("utf-8", "utf-16")
]
BITS = [
    *(b"\0", b'"', b"\n", b"\t", b"<", b"&x;", b"]]>", b"\r", b"{", b"\xed\xa0\x80", b"\\ud800", b"\xff\xfe"),
    *(b"\xe2\x80\xa8", b"<!--", b";" * 9, b"<!DOCTYPE x [<!ENTITY y 'z'>]>"),
]


def mutate(data, generator):
    """Change, put in, take out or repeat some bytes, a few times."""
    for _ in range(generator.choice((1, 2, 5, 20))):
        start = generator.randrange(len(data) + 1)
        end = start + generator.randrange(100)
        match generator.randrange(5):
            case 0:
                data = data[:start] + generator.choice(BITS) + data[start:]
            case 1:
                data = data[:start] + data[end:]
            case 2:
                data = data[:end] + data[start:]
            case 3:
                data = data[:start] + generator.randbytes(generator.randrange(9)) + data[start:]
            case 4:
                data = data[:start] + bytes([generator.randrange(256)]) + data[start + 1 :]
    return data


def check(seed, count):
    generator = random.Random(seed)
    for _ in range(count):
        data = mutate(generator.choice(FILES), generator)
        try:
            glossary = Glossary.parse(data)
        except InputError:
            continue
        assert all(problem.line >= 1 for problem in glossary.problems)
        assert all(entry.source.strip() and entry.line >= 1 for entry in glossary.entries)
        write_glossary(glossary.entries, generator.choice(WRITTEN_FORMATS)).encode()


def check_templates(seed, count, monkeypatch):
    """Read files with templates and by the parser alone: the same entries, the same problems."""
    generator = random.Random(seed)
    plain = [entry._replace(note="", concept=f"c{number}") for number, entry in enumerate(ENTRIES)]
    files = [write_glossary([*plain, *ENTRIES[:2], *plain], form) for form in ("tbx", "tbx3")]
    files += [text.replace("\n<", "<") for text in files]
    shortened = 0
    for number in range(count):
        data = generator.choice(files).encode()
        data = mutate(data, generator) if number >= len(files) else data
        shortened += len(tbx._take_out(data)[1]) > 0
        found = tbx.read_tbx(data)
        with monkeypatch.context() as patch:
            patch.setattr(tbx, "_take_out", lambda data: (data, ()))
            assert found == tbx.read_tbx(data), data
    assert shortened > count // 4, shortened


def test_templates_change_nothing(monkeypatch):
    check_templates(3, 500, monkeypatch)


def test_mutations():
    check(1, 400)


@pytest.mark.slow
def test_five_thousand_mutations():
    check(2, 5000)
