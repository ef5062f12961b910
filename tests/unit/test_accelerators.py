"""Accelerators of menus: what is one, where it goes, and that documents keep them."""

import shutil
import subprocess

import pytest

from editmt.text.documents import read_document
from editmt.text.documents.accelerators import Accelerator, hide_accelerator, show_accelerator
from editmt.text.markup import Notation


@pytest.mark.parametrize(
    ("text", "hidden", "sign", "letter"),
    [
        ("&Open", "Open", "&", "O"),
        ("E&xit", "Exit", "&", "x"),
        ("Save &As…", "Save As…", "&", "A"),
        ("_Edit", "Edit", "_", "E"),
        ("~File", "File", "~", "F"),
        ("&1 %s", "1 %s", "&", "1"),
        ("Find && &Replace", "Find && Replace", "&", "R"),
        ("(&Maybe) <b>now</b>", "(Maybe) <b>now</b>", "&", "M"),
        ("&Öffnen", "Öffnen", "&", "Ö"),
    ],
)
def test_accelerators_are_hidden(text, hidden, sign, letter):
    assert hide_accelerator(text, Notation()) == (hidden, Accelerator(sign, letter))


@pytest.mark.parametrize(
    "text",
    [
        "R&D", "AT&T and Q&A", "this & that", "A &amp; B", "&nbsp;x", "https://a.org/?b=1&c=2", "file_name",
        "~/.config", "~5 minutes", "&One &Two", "{_name}", "100 %", "", "__init__", "_1", "Save && close",
        "_Note_: see below", "~old~ new",
    ],
)  # fmt: skip
def test_other_signs_stay(text):
    assert hide_accelerator(text, Notation()) == (text, None)


@pytest.mark.parametrize(
    ("text", "letter", "shown"),
    [
        ("Öffnen", "O", "&Öffnen"),  # no o: the first
        ("Beenden", "x", "&Beenden"),
        ("Speichern unter…", "u", "Speichern &unter…"),
        ("Anders sichern", "c", "Anders si&chern"),
        ("%s ändern", "s", "%s &ändern"),
        ("<b>Schrift</b> groß", "b", "<b>&Schrift</b> groß"),
        ("保存", "s", "保存(&S)"),
        ("", "s", "(&S)"),
    ],
)
def test_accelerators_are_shown(text, letter, shown):
    assert show_accelerator(text, Accelerator("&", letter), Notation()) == shown


PO = b"""msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\\n"

msgid "&Open file"
msgstr ""

#, c-format
msgid "Save %s _now"
msgstr ""

msgid "R&D"
msgstr ""
"""


def test_a_po_file_keeps_them(tmp_path):
    path = tmp_path / "menu.po"
    path.write_bytes(PO)
    document = read_document(path)
    assert [unit.text for unit in document.units] == ["Open file", "Save %s now", "R&D"]
    done = document.render({0: "Datei öffnen", 1: "%s nun sichern", 2: "F&E"}).decode()
    assert 'msgstr "&Datei öffnen"' in done
    assert 'msgstr "%s _nun sichern"' in done
    assert 'msgstr "F&E"' in done
    if shutil.which("msgfmt"):
        (tmp_path / "done.po").write_text(done)
        command = [
            "msgfmt",
            "--check",
            "--check-accelerators=&",
            "-o",
            "/dev/null",
            str(tmp_path / "done.po"),
        ]
        subprocess.run(command, check=True)
