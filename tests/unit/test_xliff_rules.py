"""XLIFF as tools write it: what comes out keeps the rules of OASIS's schemas, and all but the targets' bytes.

The rules are those of `xliff-core-1.2-strict.xsd` and of the XLIFF 2.0 standard (4.2 and 4.3) that a program
that fills in targets can break.
"""

# ruff: noqa: E501 - lines as long as such files have them

import re

import pytest
from lxml import etree

from editmt.errors import InputError
from editmt.text.documents.start_tags import set_attributes
from editmt.text.documents.xliff import XliffFile
from editmt.text.markup import parse_markup

V1 = "urn:oasis:names:tc:xliff:document:1.2"
V2 = "urn:oasis:names:tc:xliff:document:2.0"
STATES_1 = """new needs-translation needs-adaptation needs-l10n needs-review-translation needs-review-adaptation
    needs-review-l10n translated signed-off final"""
QUALIFIERS_1 = """exact-match fuzzy-match id-match leveraged-glossary leveraged-inherited leveraged-mt
    leveraged-repository leveraged-tm mt-suggestion rejected-grammar rejected-inaccurate rejected-length
    rejected-spelling tm-suggestion"""
TARGET_ATTRIBUTES_1 = (
    """state state-qualifier phase-name resname coord font css-style style exstyle equiv-trans"""
)
INLINE_1 = "g bpt ept ph it mrk x bx ex"
UNIT_1 = r"source (seg-source )?(target )?((context-group|count-group|note|alt-trans) )*(other )*"
STATES_2 = "initial translated reviewed final"
TARGET_ATTRIBUTES_2 = "order"


def local(element, namespace):
    """Return an element's name, `other` in a namespace of its own."""
    name = etree.QName(element)
    return name.localname if name.namespace == namespace else "other"


def elements(parent):
    return [child for child in parent if isinstance(child.tag, str)]


def plain_attributes(element):
    """Return the attributes without a namespace; the schemas allow any others."""
    return {name: value for name, value in element.attrib.items() if "}" not in name}


def check_unit_1(unit, namespace):
    names = "".join(f"{local(child, namespace)} " for child in elements(unit))
    assert re.fullmatch(UNIT_1, names), names
    for target in unit.iterchildren(f"{{{namespace}}}target"):
        assert plain_attributes(target).keys() <= {*TARGET_ATTRIBUTES_1.split()}
        assert target.get("state", "new") in STATES_1.split()
        assert target.get("state-qualifier", "leveraged-mt") in QUALIFIERS_1.split()
        inline = [local(child, namespace) for child in target.iterdescendants(etree.Element)]
        assert {*inline} <= {*INLINE_1.split(), "sub"}
        segmented = unit.find(f"{{{namespace}}}seg-source")
        if segmented is not None:
            known = {mark.get("mid") for mark in segmented.iterchildren(f"{{{namespace}}}mrk")}
            assert {mark.get("mid") for mark in target.iterchildren(f"{{{namespace}}}mrk")} <= known
        for begin, end in (("bpt", "ept"), ("bx", "ex")):
            begun = [each.get("rid") for each in target.iter(f"{{{namespace}}}{begin}")]
            assert len(begun) == len({*begun})
            assert {each.get("rid") for each in target.iter(f"{{{namespace}}}{end}")} <= {*begun}


def inline_ids(content):
    """Return what the codes of a source or target in version 2 are known by; they have to be the same ones."""
    return sorted(
        (etree.QName(child).localname, child.get("id") or child.get("startRef"))
        for child in content.iterdescendants(etree.Element)
    )


def check_segment_2(segment):
    children = elements(segment)
    assert [local(child, V2) for child in children] in (["source"], ["source", "target"])
    assert segment.get("state", "initial") in STATES_2.split()
    assert "subState" not in segment.attrib or "state" in segment.attrib
    if len(children) == 2:
        source, target = children
        assert plain_attributes(target).keys() <= {*TARGET_ATTRIBUTES_2.split()}
        assert inline_ids(source) == inline_ids(target)
        lang = "{http://www.w3.org/XML/1998/namespace}lang"
        root = segment.getroottree().getroot()
        assert target.get(lang, root.get("trgLang")) == root.get("trgLang") is not None


def check(data):
    """Check a whole file."""
    root = etree.fromstring(data, etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False))
    namespace = etree.QName(root).namespace
    if root.get("version").startswith("1"):
        for unit in root.iter(f"{{{namespace}}}trans-unit" if namespace else "trans-unit"):
            check_unit_1(unit, namespace)
    else:
        for segment in root.iter(f"{{{V2}}}segment"):
            check_segment_2(segment)


def without_targets(data):
    """Return a file's bytes without targets, and without what has to change with them."""
    data = re.sub(rb"\s*<(?:\w+:)?target\b[^>]*?(?:/>|>.*?</(?:\w+:)?target>)", b"", data, flags=re.DOTALL)
    return re.sub(rb"\s(?:state|subState|trgLang)=(?:\"[^\"]*\"|'[^']*')", b"", data)


FILES = {
    "a document type that is not loaded": """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE xliff PUBLIC "-//XLIFF//DTD XLIFF//EN" "http://www.oasis-open.org/committees/xliff/documents/xliff.dtd">
<xliff version="1.1"><file original="a" source-language="en" datatype="plaintext"><body>
<trans-unit id="1"><source>a&nbsp;b &own; c</source></trans-unit></body></file></xliff>""",
    "groups, notes, alt-trans, several files, a prefix, another's target": f"""<?xml version='1.0'?>
<x:xliff version="1.2" xmlns:x="{V1}" xmlns:o="urn:o" ><!-- by hand -->
<x:file original="a>b" source-language="en" datatype='html'><x:header><x:note>target: <![CDATA[<source>]]></x:note></x:header><x:body>
<x:group id="g"><x:note>n</x:note><x:trans-unit id="1" resname='state="new"'>
  <!-- before --><x:source xml:lang="en">Hello <x:x id="1"/></x:source><!-- behind -->
  <x:note>hi</x:note><x:alt-trans><x:source>Hello</x:source><x:target>Hallo?</x:target></x:alt-trans>
  <o:target>not ours</o:target></x:trans-unit></x:group></x:body></x:file>
<x:file original="c" source-language="en" datatype="x-y"><x:body><x:trans-unit id="1"><x:source>b</x:source><x:target
  state='needs-translation' o:state="new" /></x:trans-unit><x:trans-unit id="2"><x:source/></x:trans-unit>
<x:trans-unit id="3"><x:source>  </x:source></x:trans-unit></x:body></x:file></x:xliff>""",
    "pairs of codes, CDATA, characters by number": f"""<xliff version="1.2" xmlns="{V1}"><file original="a" source-language="en" datatype="html"><body>
<trans-unit id="1"><source>Press <bpt id="1" rid="1">&lt;b></bpt>Save<ept id="2" rid="1">&lt;/b></ept> or <ph id="3">{{0}}<sub>x</sub></ph><it id="4" pos="open">&lt;i></it>now <bx id="5" rid="5"/>then<ex id="6" rid="5"/><mrk mtype="protected">EditMT</mrk></source></trans-unit>
<trans-unit id="2"><source><![CDATA[Click <b>here</b> & go]]></source></trans-unit>
<trans-unit id="3"><source xml:space="preserve"> Tom &amp; Jerry&#13;&#10;are &quot;here&quot; &#x1F600; </source></trans-unit>
<trans-unit id="4"><source>A <g id="1">b <g id="2">c</g></g><g id="3"/></source><target state="final">done</target></trans-unit>
</body></file></xliff>""",
    "Trados: sentences in an empty target": f"""<xliff xmlns:sdl="http://sdl.com/FileTypes/SdlXliff/1.0" xmlns="{V1}" version="1.2" sdl:version="1.0"><file original="a" source-language="en-US" target-language="de-DE" datatype="x-sdlfilterframework2"><header><sdl:ref-files/></header><body><trans-unit translate="no" id="z"><source><x id="0"/></source></trans-unit><group><sdl:cxts><sdl:cxt id="1"/></sdl:cxts><trans-unit id="t"><source>One. Two.</source><seg-source><mrk mtype="seg" mid="1">One.</mrk> <mrk mtype="seg" mid="2">Two.</mrk></seg-source><target><mrk mtype="seg" mid="1"></mrk> <mrk mtype="seg" mid="2"/></target><sdl:seg-defs><sdl:seg id="1"/></sdl:seg-defs></trans-unit></group></body></file></xliff>""",
    "version 2 with modules": f"""<xliff xmlns="{V2}" version="2.1" srcLang="en"><file id="f"><notes><note>state="x"</note></notes><group id="g"><unit id="u"><mtc:matches xmlns:mtc="urn:oasis:names:tc:xliff:matches:2.0"><mtc:match ref="#s"><source>x</source><target>y</target></mtc:match></mtc:matches><notes><note id="n">x</note></notes><originalData><data id="d1">&lt;b></data></originalData>
<segment id="s" state="initial" subState="my:new"><source xml:space="preserve">Use <pc id="1" dataRefStart="d1">bold</pc> and <mrk id="m" type="term">term</mrk> <cp hex="001b"/><sc id="2"/>x<ec startRef="2"/><ph id="3"/>.</source></segment><ignorable><source> </source></ignorable></unit></group></file>
<file id="g2"><unit id="v"><segment><source>b</source></segment><segment state="reviewed" subState="my:done"><source>c</source><target>d</target></segment></unit></file></xliff>""",
}
COUNTS = [1, 2, 3, 1, 2]


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_the_rules_hold_and_all_else_stays(name, newline, encoding):
    text = FILES[name].replace("\n", newline)
    text = text.replace('encoding="utf-8"', f'encoding="{encoding.removesuffix("-sig")}"')
    data = text.encode(encoding)
    document = XliffFile(data, target_language="de")
    assert document.render({}) == data
    units = document.units
    assert len(units) == COUNTS[list(FILES).index(name)]
    filled = document.render({number: f"{unit.text} Ä<&>" for number, unit in enumerate(units)})
    ours, theirs = (each.decode(encoding).encode() for each in (filled, data))
    check(filled)
    assert without_targets(ours) == without_targets(theirs)
    assert XliffFile(filled).units == []
    texts = [content.target.text for content in XliffFile(filled)._xliff.units if content.target]
    assert all(f"{unit.text} Ä<&>" in texts for unit in units), "what is written is read again"


def test_a_part_of_the_translations():
    document = XliffFile(FILES["version 2 with modules"].encode(), target_language="de")
    filled = document.render({1: "B"})
    check(filled)
    assert [unit.text for unit in XliffFile(filled).units] == [document.units[0].text]


def test_entities_of_a_document_type_are_not_lost():
    (unit,) = XliffFile(FILES["a document type that is not loaded"].encode()).units
    (own,) = unit.notation.codes
    assert unit.text == f"a\u00a0b {own} c"


def test_bytes_that_would_not_stay_are_refused():
    text = '<?xml version="1.0" encoding="cp932"?><xliff version="1.2"><file/></xliff>'
    with pytest.raises(InputError, match="cp932"):
        XliffFile(text.encode().replace(b"<file/>", b"<file original='\xfa\x54'/>"))


def test_attributes():
    tag = b"<a b='state=\"x\"'\n\tstate = 'y' c:state=\"z\" />"
    assert set_attributes(tag, {}) == tag
    assert set_attributes(tag, {"state": "n"}) == tag.replace(b"state = 'y'", b'state="n"')
    assert set_attributes(tag, {"state": None}) == b'<a b=\'state="x"\' c:state="z" />'
    assert set_attributes(b"<a>", {"d": '"&'}) == b'<a d="&quot;&amp;">'


def in_unit(content, attributes=""):
    unit = f'<trans-unit id="1"{attributes}>{content}</trans-unit>'
    return f'<xliff version="1.2" xmlns="{V1}"><file original="a" source-language="en" datatype="x"><body>{unit}</body></file></xliff>'


def test_sentences_that_a_target_lacks_are_filled_alone():
    """As Trados leaves a paragraph that somebody has begun."""
    source = '<mrk mtype="seg" mid="1">One.</mrk> <mrk mtype="seg" mid="2">Two <g id="3">cells</g>.</mrk> <mrk mtype="seg" mid="3"><x id="4"/></mrk><mrk mid="4" mtype="seg">Four.</mrk>'
    target = '<mrk mtype="seg" mid="1">Eins.</mrk> {}{}<mrk mtype="seg" mid="3"/>{}'
    marks = '<mrk mtype="seg" mid="2" />', "\n", '<mrk mid="4" mtype="seg"></mrk>'
    filled = (
        '<mrk mtype="seg" mid="2">Zwei <g id="3">Z</g>.</mrk>',
        "\n",
        '<mrk mid="4" mtype="seg">Vier.</mrk>',
    )
    before = f"<source>x</source><seg-source>{source}</seg-source>"
    document = XliffFile(in_unit(f"{before}<target>{target.format(*marks)}</target>").encode())
    words = [re.sub(r"[^\w .]", "|", unit.text) for unit in document.units]
    assert words == ["Two |cells|.", "Four."]
    two = document.units[0].text.replace("Two", "Zwei").replace("cells", "Z")
    state = 'state="needs-review-translation" state-qualifier="leveraged-mt"'
    expected = in_unit(f"{before}<target {state}>{target.format(*filled)}</target>")
    assert document.render({0: two, 1: "Vier."}).decode() == expected


def test_tags_that_angular_names_belong_together():
    source = '<x id="START_LINK_1"/>a<x id="CLOSE_LINK"/> <x id="INTERPOLATION"/> <x id="START_X"/>'
    (unit,) = XliffFile(in_unit(f"<source>{source}</source>").encode()).units
    kinds = [
        unit.notation.codes[character].kind for character in unit.text if character in unit.notation.codes
    ]
    assert kinds == ["open", "close", "tag", "open"]
    tree = parse_markup(unit.text, unit.notation.find(unit.text))
    assert [type(node).__name__ for node in tree] == ["Element", "Text", "Locked", "Text", "Locked"]


@pytest.mark.parametrize(
    ("target", "attributes", "is_open"),
    [
        ("<target>Open the file</target>", "", True),
        ('<target state="translated">Open the file</target>', "", False),
        ("<target>Open the file</target>", ' approved="yes"', False),
        ("<target>Datei</target>", "", False),
    ],
)
def test_a_copy_of_the_source_is_no_translation(target, attributes, is_open):
    document = XliffFile(in_unit(f"<source>Open the file</source>{target}", attributes).encode())
    assert bool(document.units) is is_open


def test_one_word_may_well_be_the_same():
    assert not XliffFile(in_unit("<source>Server</source><target>Server</target>").encode()).units


@pytest.mark.parametrize(
    "attributes", [' mq:locked="locked"', ' m:locked="true"', ' restype="x-gettext-domain-header"']
)
def test_units_that_are_locked_or_for_programs_stay(attributes):
    assert not XliffFile(in_unit("<source>Open the file</source>", attributes).encode()).units
    assert XliffFile(in_unit("<source>Open the file</source>", ' m:locked="false"').encode()).units


def test_sentences_that_trados_has_locked_stay():
    marks = '<mrk mtype="seg" mid="1">{}</mrk> <mrk mtype="seg" mid="2">{}</mrk>'
    content = (
        f"<source>One. Two.</source><seg-source>{marks.format('One.', 'Two.')}</seg-source><target>{marks.format('', '')}</target>"
        '<sdl:seg-defs><sdl:seg id="1" locked="true"/><sdl:seg id="2"/></sdl:seg-defs>'
    )
    document = XliffFile(in_unit(content).encode())
    assert [unit.text for unit in document.units] == ["Two."]
    assert (
        b'<mrk mtype="seg" mid="1"></mrk> <mrk mtype="seg" mid="2">Zwei.</mrk></target>'
        in document.render({0: "Zwei."})
    )


def test_what_is_no_xliff_is_told_by_its_first_element():
    with pytest.raises(InputError, match="line 1: this is not XLIFF: its first element is <html>"):
        XliffFile(b"<html/>")


@pytest.mark.parametrize("version", ["1.1", "2.0"])
def test_the_namespace_may_tell_the_version(version):
    names = ("segment", "trgLang") if version == "2.0" else ("trans-unit", "lang")
    text = '<x:xliff xmlns:x="urn:oasis:names:tc:xliff:document:{1}" {0[1]}="de"><x:{0[0]}><x:source>Hi</x:source></x:{0[0]}></x:xliff>'
    document = XliffFile(text.format(names, version).encode())
    assert (b'state="translated"' in document.render({0: "Ho"})) is (version == "2.0")
    with pytest.raises(InputError, match="line 1: XLIFF of version ''"):
        XliffFile(b"<xliff/>")
