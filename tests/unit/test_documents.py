"""Documents: what is not a target stays, byte for byte."""

# ruff: noqa: E501 - lines as long as such files have them

import shutil
import subprocess

import pytest

from editmt.errors import InputError
from editmt.text.documents import read_document
from editmt.text.documents.plain import PlainText
from editmt.text.documents.po import PoFile
from editmt.text.documents.xliff import XliffFile

PO = r"""# Ünser
#, fuzzy
msgid ""
msgstr ""
"Project-Id-Version: x\n"
"Content-Type: text/plain; charset=UTF-8\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\n"

#. say
#: a.c:1
#, c-format
msgid "Save %d \"files\"\t\\n\n"
msgstr ""

#| msgid "old"
msgctxt "x"
msgid ""
"One "
"line\n"
"Two"
msgstr   ""
""SPACE

#, c-format
msgid "%d file"
msgid_plural "%d files"
msgstr[0] ""
msgstr[1] ""
msgid "done"
msgstr "fertig"

#~ msgid "gone"
#~ msgstr ""
""".replace("SPACE", " ")


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_po(newline, mark):
    data = mark + PO.replace("\n", newline).encode()
    document = PoFile(data)
    assert document.render({}) == data
    units = document.units
    assert [unit.text for unit in units] == ['Save %d "files"\t\\n\n', "One line\nTwo", "%d file", "%d files"]
    assert [unit.line for unit in units] == [12, 17, 25, 26]
    assert [unit.notation.special for unit in units] == ["%", "", "%", "%"]
    filled = document.render({0: '%d "Dätei"\\\n', 1: "Eins\nZwei", 2: "%d D", 3: "%d E"})
    expected = PO.replace('\\n\n"\nmsgstr ""', '\\n\n"\nmsgstr "%d \\"Dätei\\"\\\\\\n"', 1)
    expected = PO.replace('\\\\n\\n"\nmsgstr ""\n', '\\\\n\\n"\nmsgstr "%d \\"Dätei\\"\\\\\\n"\n')
    expected = expected.replace('msgstr   ""\n"" \n', 'msgstr   ""\n"Eins\\n"\n"Zwei" \n')
    expected = expected.replace('msgstr[0] ""', 'msgstr[0] "%d D"').replace(
        'msgstr[1] ""', 'msgstr[1] "%d E"'
    )
    assert filled == mark + expected.replace("\n", newline).encode()
    assert PoFile(filled).units == []


@pytest.mark.skipif(shutil.which("msgfmt") is None, reason="gettext is not installed")
def test_gettext_takes_what_is_written(tmp_path):
    path = tmp_path / "out.po"
    document = PoFile(PO.replace("#, fuzzy\n", "", 1).encode())
    path.write_bytes(document.render({number: unit.text for number, unit in enumerate(document.units)}))
    done = subprocess.run(
        ["msgfmt", "--check-format", "-o", str(tmp_path / "out.mo"), str(path)],
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_po_in_other_charsets():
    data = (
        'msgid ""\nmsgstr "Content-Type: text/plain; charset=ISO-8859-1\\n"\n\nmsgid "ü"\nmsgstr ""\n'.encode(
            "latin-1"
        )
    )
    document = PoFile(data)
    assert document.render({0: "ö"}) == data[:-3] + b'"\xf6"\n'
    assert document.render({0: "塔"}) == data, "what cannot be spelled is left out"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b'msgid "a\nmsgstr ""\n', "line 1: neither a comment nor a keyword"),
        (b'msgid "a"\nmsgid "b"\n', "line 2: a second msgid"),
        (b'msgid "\xff"\nmsgstr ""\n', "line 1: not valid utf-8"),
        (b'"a"\n', "line 1: neither"),
    ],
)
def test_broken_po(data, message):
    with pytest.raises(InputError, match=message):
        PoFile(data)


V1 = """<?xml version="1.0" encoding="{}"?>
<xliff version='1.2' xmlns="urn:oasis:names:tc:xliff:document:1.2"><file source-language="en"><body>
  <trans-unit id="1">
    <source>A <g id="1">b &amp; c</g><x id="2"/> ü</source>
  </trans-unit>
  <trans-unit id="2" translate="no"><source>no</source></trans-unit>
  <trans-unit id="3"><source>d</source><target state = 'new'  x="y"/><alt-trans><target>z</target></alt-trans></trans-unit>
  <trans-unit id="4"><source>e</source><target>f</target></trans-unit>
  <trans-unit id="5"><source>g. h.</source><seg-source><mrk mtype="seg" mid="1">g.</mrk> h.</seg-source></trans-unit>
</body></file></xliff>
"""
STATE = 'state="needs-review-translation" state-qualifier="leveraged-mt"'


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "iso-8859-1"])
def test_xliff_1(encoding):
    data = V1.format(encoding).encode(encoding)
    document = XliffFile(data)
    assert document.render({}) == data
    first, second, third = document.units
    opening, closing, alone = list(first.notation.codes)
    assert first.text == f"A {opening}b & c{closing}{alone} ü"
    assert (second.text, [unit.line for unit in document.units]) == ("d", [4, 7, 9])
    filled = document.render(
        {0: f"{alone}Ä < {opening}B{closing}", 1: "D", 2: third.text.replace("g.", "G.")}
    )
    expected = V1.format(encoding)
    expected = expected.replace(
        "ü</source>", f'ü</source>\n    <target {STATE}><x id="2"/>Ä &lt; <g id="1">B</g></target>'
    )
    expected = expected.replace(
        """<target state = 'new'  x="y"/>""",
        '<target state="needs-review-translation"  x="y" state-qualifier="leveraged-mt">D</target>',
    )
    expected = expected.replace(
        "</seg-source>", f'</seg-source><target {STATE}><mrk mtype="seg" mid="1">G.</mrk> h.</target>'
    )
    assert filled == expected.encode(encoding)
    assert XliffFile(filled).units == []


V2 = """<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en">
<file id="f"><unit id="u"><segment><source>A <pc id="1">b</pc> <ph id="2"/><sc id="3"/>c<ec startRef="3"/></source>
</segment><ignorable><source> </source></ignorable><segment state="initial"><source>d</source><target></target></segment>
<segment state="final"><source>e</source><target>f</target></segment></unit>
<unit id="v" translate="no"><segment><source>g</source></segment></unit></file></xliff>"""


def test_xliff_2():
    document = XliffFile(V2.encode(), target_language="de")
    first, _second = document.units
    assert [code.kind for code in first.notation.codes.values()] == ["open", "close", "tag", "open", "close"]
    filled = document.render({0: first.text, 1: "D"}).decode()
    source = V2.split("<source>")[1].split("</source>", maxsplit=1)[0]
    expected = V2.replace('srcLang="en"', 'srcLang="en" trgLang="de"').replace(
        "<segment>", '<segment state="translated">', 1
    )
    expected = expected.replace("</source>\n", f"</source><target>{source}</target>\n", 1)
    expected = expected.replace('state="initial"', 'state="translated"').replace(
        "<target></target>", "<target>D</target>"
    )
    assert filled == expected
    with pytest.raises(InputError, match="no trgLang"):
        XliffFile(V2.encode()).render({1: "D"})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<xliff", "line 1: broken XML"),
        ("<html/>", "this is not XLIFF"),
        ('<xliff version="3.0"/>', "version '3.0'"),
        ('<!DOCTYPE x [<!ENTITY y "z">]><xliff version="1.2">&y;</xliff>', "entities may not be declared"),
    ],
)
def test_broken_xliff(text, message):
    with pytest.raises(InputError, match=message):
        XliffFile(text.encode())


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_plain_text(encoding):
    text = "  Ein Büch.\r\nNoch eine Zeile\r\n \r\n\r\nZwei.\n"
    data = text.encode(encoding)
    document = PlainText(data)
    assert document.render({}) == data
    assert [(unit.text, unit.line) for unit in document.units] == [
        ("  Ein Büch.\r\nNoch eine Zeile", 1),
        ("Zwei.\n", 5),
    ]
    assert document.render({1: "Drü.\n"}) == text.replace("Zwei.", "Drü.").encode(encoding)


def test_the_name_or_the_beginning_tells_the_format(tmp_path):
    for name, data, kind in [
        ("a.po", b"", PoFile),
        ("a.xml", V2.encode(), XliffFile),
        ("a.md", b"x", PlainText),
    ]:
        (tmp_path / name).write_bytes(data)
        document = read_document(tmp_path / name)
        assert isinstance(getattr(document, "document", document), kind)
    with pytest.raises(InputError, match=r"no\.txt: No such file"):
        read_document(tmp_path / "no.txt")
    (tmp_path / "x.txt").write_bytes(b"a\0b")
    with pytest.raises(InputError, match=r"x.txt: this is not a text file"):
        read_document(tmp_path / "x.txt")
