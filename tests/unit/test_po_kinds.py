"""PO files as people and tools write them: gettext takes what comes out, and all else stays."""

import shutil
import subprocess

import pytest

from editmt.errors import InputError
from editmt.text.documents.po import PoFile

HEADER = r"""msgid ""
msgstr ""
"Project-Id-Version: x\n"
"PO-Revision-Date: 2020-01-01 00:00+0000\n"
"Last-Translator: a <a@b.c>\n"
"Language-Team: de <d@e.f>\n"
"Language: de\n"
"MIME-Version: 1.0\n"
"Content-Type: text/plain; charset=UTF-8\n"
"Content-Transfer-Encoding: 8bit\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\n"

"""
KINDS = {
    "several strings in a line": ('msgid "a " "b"\nmsgstr ""\n', ["a b"], 'msgid "a " "b"\nmsgstr "<0>"\n'),
    "strings in the next line": ('msgid\n"a"\nmsgstr\n""\n', ["a"], 'msgid\n"a"\nmsgstr\n"<0>"\n'),
    "no spaces": ('msgid"a"\nmsgstr""\n', ["a"], 'msgid"a"\nmsgstr"<0>"\n'),
    "indented, no end": ('  msgid "a"\n\tmsgstr ""', ["a"], '  msgid "a"\n\tmsgstr "<0>"'),
    "bytes by number": (
        'msgid "gr\\303\\274n \\x41\\n"\nmsgstr ""\n',
        ["grün A\n"],
        'msgid "gr\\303\\274n \\x41\\n"\nmsgstr "<0>\\n"\n',
    ),
    "contexts, old, obsolete and fuzzy ones": (
        '#, fuzzy\n#| msgid "b"\nmsgid "c"\nmsgstr "d"\n\n#, fuzzy, c-format\n#| msgctxt "o"\n#| msgid "p"\n'
        'msgctxt "x"\nmsgid "e %s"\nmsgstr ""\n\n#~ msgctxt "x"\n#~ msgid "a"\n#~ msgstr ""\n',
        ["e %s"],
        '#, fuzzy\n#| msgid "b"\nmsgid "c"\nmsgstr "d"\n\n#, fuzzy, c-format\n#| msgctxt "o"\n#| msgid "p"\n'
        'msgctxt "x"\nmsgid "e %s"\nmsgstr "<0>%s"\n\n#~ msgctxt "x"\n#~ msgid "a"\n#~ msgstr ""\n',
    ),
    "plurals": (
        '#, c-format\nmsgctxt "x"\nmsgid "one"\nmsgid_plural "%d"\nmsgstr[0] ""\nmsgstr[1] ""\n',
        ["one", "%d"],
        '#, c-format\nmsgctxt "x"\nmsgid "one"\nmsgid_plural "%d"\nmsgstr[0] "<0>"\nmsgstr[1] "<1>%d"\n',
    ),
    "one of the plurals is there": (
        '#, c-format\nmsgid "%d x"\nmsgid_plural "%d y"\nmsgstr[0] "%d z"\nmsgstr[1] ""\n',
        ["%d y"],
        '#, c-format\nmsgid "%d x"\nmsgid_plural "%d y"\nmsgstr[0] "%d z"\nmsgstr[1] "<0>%d"\n',
    ),
    "a plural is lacking": (
        '#, c-format\nmsgid "%d x"\nmsgid_plural "%d y"\nmsgstr[0] ""\n\nmsgid "b"\nmsgstr ""\n',
        ["%d x", "%d y", "b"],
        '#, c-format\nmsgid "%d x"\nmsgid_plural "%d y"\nmsgstr[0] "<0>%d"\nmsgstr[1] "<1>%d"\n\n'
        'msgid "b"\nmsgstr "<2>"\n',
    ),
    "lines": (
        'msgid "\\nA\\n\\nB\\n"\nmsgstr ""\n',
        ["\nA\n\nB\n"],
        'msgid "\\nA\\n\\nB\\n"\nmsgstr ""\n"\\n"\n"<0>\\n"\n',
    ),
    "sticky flags": (
        '#=c-format\nmsgid "%s"\nmsgstr ""\n',
        ["%s"],
        '#=c-format\nmsgid "%s"\nmsgstr "<0>%s"\n',
    ),
}


def translate(number, text):
    """Return something with the line ends and placeholders of a text."""
    start, end = "\n" * text.startswith("\n"), "\n" * text.endswith("\n")
    return start + f"<{number}>" + "".join(word for word in ("%s", "%d") if word in text) + end


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_kinds(name, newline, tmp_path):
    body, texts, expected = (
        each.replace("\n", newline) if isinstance(each, str) else each for each in KINDS[name]
    )
    header = HEADER.replace("\n", newline)
    data = (header + body).encode()
    document = PoFile(data)
    assert document.render({}) == data
    assert [unit.text for unit in document.units] == texts
    filled = document.render({number: translate(number, text) for number, text in enumerate(texts)})
    assert filled == (header + expected).encode()
    assert PoFile(filled).units == []
    if shutil.which("msgfmt"):
        (tmp_path / "out.po").write_bytes(filled)
        done = subprocess.run(
            ["msgfmt", "--check", "-o", tmp_path / "out.mo", tmp_path / "out.po"],
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr


def test_of_plural_forms_all_or_none_are_filled():
    data = (HEADER + KINDS["plurals"][0]).encode()
    assert PoFile(data).render({1: "%d Dateien"}) == data


def test_the_charset_is_the_headers():
    data = b'# charset=CHARSET, in "Content-Type:" charset=nonsense\n' + HEADER.encode()
    assert PoFile(data + 'msgid "ü"\nmsgstr ""\n'.encode()).units[0].text == "ü"


def test_a_keyword_without_a_string_is_told():
    with pytest.raises(InputError, match=r"line 2: msgstr has no string"):
        PoFile(b'msgid "a"\nmsgstr\n')
