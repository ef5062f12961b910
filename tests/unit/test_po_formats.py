"""Formats of each language that gettext knows: with any model, msgfmt takes what comes out."""

import shutil
import subprocess

import pytest

from editmt.decoding.segments import Segment, SegmentTranslator
from editmt.text.documents.po import PoFile
from tests.constraints import random_translator
from tests.unit.test_po_kinds import HEADER

MESSAGES = {
    "c": (
        "Open %s with %d of %5.2f%% now",
        "%1$s has %2$d",
        "%-5s|%+d|% d|%#x|%lld|%zu|%hhd|%Lf %p",
        "%*d and %.*s",
        "%<PRId64> bytes, %m",
    ),
    "objc": ("%@ of %@ at %1.2f", "%2$@ and %1$d"),
    "python": ("%(name)s is %(n)d years, %(x).2f%%", "%s and %r of %d"),
    "python-brace": ("{} and {}", "{0} of {name} {x!r:>{w}}", "{{not}} {a.b[0]}"),
    "java": ("{0} of {1,number,integer}", "It''s {0}", "File ''{0}'' of '{' {1} '}'"),
    "java-printf": ("%s of %d %n", "%1$s %2$tY", "%2$,d of %1$s, %3$(.2f"),
    "csharp": ("{0,10:N2} of {1}", "{{x}} {0}"),
    "javascript": ("%s of %d and %f",),
    "scheme": ("~a of ~s and ~d~%",),
    "lisp": ("~a of ~5d, ~a~%",),
    "elisp": ("%s of %d %c",),
    "ruby": ("%s of %d", "%<a>d of %{b}"),
    "sh": ("Usage $x of ${y}",),
    "lua": ("%s of %q %d",),
    "object-pascal": ("%s of %d", "%0:s of %1:d"),
    "smalltalk": ("%1 of %2", "%1 %(file%|files%)2 here"),
    "qt": ("%1 of %L2 %3", "100% sure of %1"),
    "qt-plural": ("%n of %1",),
    "kde": ("%1 of %2", "100% sure of %1"),
    "kde-kuit": ("<para>%1 of <filename>%2</filename> at 50%</para>",),
    "boost": ("%1% of %2%", "%s of %d", "Saved %1% in %|2$-10|"),
    "c++": ("Saved {} of {:.1f}%", "{1} of {0:>5}"),
    "rust": ("Saved {} of {}", "{1} of {name}"),
    "d": ("All: %(%s, %) of %d", "%1$s of %2$d"),
    "go": ("%v of %+v %T", "%[2]d of %[1]s"),
    "gfc-internal": ("Symbol %qs at %L of %C",),
    "awk": ("%s of %c and %i",),
    "tcl": ("%s of %d", "%1$s %2$d"),
    "perl": ("%s of %d %vd",),
    "perl-brace": ("{name} of {x}",),
    "php": ("%s of %d", "%1$s of %2$05.2f"),
    "gcc-internal": ("%qs of %d", "%qE and %qD", "%<%E%> is a %<thing%> of %q+D", "see %{here%} of %r[x]%R"),
    "ycp": ("%1 of %2",),
}


@pytest.fixture(scope="module")
def translator():
    return SegmentTranslator(random_translator("editor", 3))


@pytest.mark.skipif(shutil.which("msgfmt") is None, reason="there is no msgfmt (apt-get install gettext)")
@pytest.mark.parametrize("language", MESSAGES)
def test_formats(language, translator, tmp_path):
    messages = [f'#, {language}-format\nmsgid "{text}"\nmsgstr ""\n' for text in MESSAGES[language]]
    document = PoFile((HEADER + "\n" + "\n".join(messages)).encode())
    done = translator.translate_all([Segment(unit.text, unit.notation) for unit in document.units])
    path = tmp_path / "out.po"
    path.write_bytes(document.render({number: each.text for number, each in enumerate(done)}))
    said = subprocess.run(["msgfmt", "--check", "-o", "-", path], capture_output=True, check=False)
    assert said.returncode == 0, (said.stderr, [each.text for each in done])
