"""TBX, versions 2 (martif) and 3 (DCA and DCT style), of any dialect: entries with languages with terms.

Read with lxml, an entry at a time. Entities are not resolved, no DTD is loaded, nothing is fetched.
"""

import html
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from editmt.errors import MissingPackage
from editmt.text.glossary.entry import CaseRule, Entry, Extra, Problem, Status, Target
from editmt.text.glossary.words import VERBATIM, case_rule_of, language_of, same_language, status_of
from editmt.text.phrases import tidy

ENTRIES = ("termEntry", "conceptEntry")
_LANGUAGES = ("langSet", "langSec")
_TERMS = ("tig", "ntig", "termSec")
_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_STATUS_NAMES = ("administrativeStatus", "normativeAuthorization", "status", "termStatus")
_NEEDED_NAMES = ("translation needed", "translationneeded", "translationnote", "translatable")
_CASE_NAMES = ("caseSensitive", "caseSensitivity", "case")
_STRUCTURE = (
    "admin",
    "adminGrp",
    "descrip",
    "descripGrp",
    "termGrp",
    "termNote",
    "termNoteGrp",
    "transac",
    "xref",
)
_PASSED_OVER = ("transacGrp", "ref", "date")


@dataclass
class Said:
    """What is said of a concept, of it in one language, or of a term: names and texts as they stand there."""

    facts: list[tuple[str, str]] = field(default_factory=list)

    def take(self, *names: str) -> list[str]:
        """Return the texts under the names, and leave them out of what is left."""
        low = [name.lower() for name in names]
        taken = [text for name, text in self.facts if name.lower() in low]
        self.facts = [fact for fact in self.facts if fact[0].lower() not in low]
        return taken

    @property
    def rest(self) -> Extra:
        """What nobody asked for."""
        return tuple(self.facts)


@dataclass
class Term:
    """A term of one language."""

    text: str
    language: str
    said: Said
    line: int


def read_tbx(data: bytes, languages: tuple[str, str] = ("", "")) -> tuple[list[Entry], list[Problem]]:
    """Read the entries that can be read, and say what is wrong with the others.

    After broken XML nothing more can be read.
    """
    try:
        from lxml import etree  # noqa: PLC0415 - only where there is TBX
    except ImportError:
        raise MissingPackage("lxml", extra="glossary") from None
    entries: list[Entry] = []
    problems: list[Problem] = []
    source = languages[0]
    try:
        for event, element in _parse(data):
            if event == "start":  # the root
                root = _name(element)
                source = source or element.get(_LANG) or element.get("lang") or ""
                if root.lower() not in {"martif", "tbx"}:
                    return [], [Problem(element.sourceline, f"<{root}> is not the root of a TBX file")]
                continue
            for found in _read_entry(element, (source, languages[1])):
                if isinstance(found, Entry):
                    entries.append(found)
                    source = source or found.source_language
                else:
                    problems.append(found)
    except etree.XMLSyntaxError as error:
        problems.append(Problem(error.lineno or 1, f"broken XML: {_reason(error)}"))
    return entries, problems


def _reason(error: Any) -> str:
    return str(error.msg or "nothing is there").split(", line ")[0].split("\n")[0]


def _parse(data: bytes) -> Iterator[tuple[str, Any]]:
    """Yield the root as it begins, then each entry as it ends."""
    from lxml import etree  # noqa: PLC0415

    safe = {"resolve_entities": False, "no_network": True, "load_dtd": False, "huge_tree": False}
    root = None
    for event, element in etree.iterparse(io.BytesIO(data), events=("start", "end"), **safe):
        if event == "start":
            if root is None:
                root = element
                yield event, element
        elif isinstance(element.tag, str) and _name(element) in ENTRIES:
            yield event, element
            element.clear()
            while element.getprevious() is not None:  # what was read need not stay in memory
                del element.getparent()[0]


def _name(element: Any) -> str:
    """Return the element's name without its namespace."""
    return str(element.tag).rpartition("}")[2] if isinstance(element.tag, str) else ""


def _read_entry(element: Any, languages: tuple[str, str]) -> Iterator[Entry | Problem]:
    concept, terms, line = Said(), [], element.sourceline
    for child in element:
        if _name(child) in _LANGUAGES:
            terms += _read_language(child)
        else:
            _collect(child, concept)
    terms = [term for term in terms if term.text]
    if not terms:
        yield Problem(line, "no terms")
        return
    source_language = languages[0] or terms[0].language
    sources = [term for term in terms if same_language(term.language, source_language)]
    targets = [term for term in terms if term not in sources and same_language(term.language, languages[1])]
    identity = element.get("id") or ""
    if not sources:
        yield Problem(line, f"no term in the source language ({source_language})")
    else:
        yield from _pair(_Concept(concept, identity, line), sources, targets, languages[1])


@dataclass(frozen=True)
class _Concept:
    said: Said
    identity: str
    line: int


def _pair(
    concept: _Concept, sources: Sequence[Term], targets: Sequence[Term], language: str
) -> Iterator[Entry | Problem]:
    """Yield an entry for each source term and each language of targets."""
    needed = concept.said.take(*_NEEDED_NAMES)
    for term in sources:
        needed += term.said.take(*_NEEDED_NAMES)
    verbatim = any(text.strip().lower() in {"no", "false"} for text in needed)
    facts = _entry_facts(concept)
    found = [_target(term) for term in targets]
    by_language = dict.fromkeys(term.language for term in targets)
    if not targets and not verbatim:
        what = f"in the target language ({language})" if language else "in another language"
        yield Problem(concept.line, f"no term {what}")
        return
    for source in sources:
        own = _source_facts(source, facts, verbatim=verbatim)
        for code in by_language or {language: None}:
            ours = [target for target, term in zip(found, targets, strict=True) if term.language == code]
            yield Entry(source.text, tuple(ours), source.language, code, **own)


def _entry_facts(concept: _Concept) -> dict[str, Any]:
    said = concept.said
    return {
        "note": "\n".join(said.take("note", "usage note", "")),
        "definition": "\n".join(said.take("definition")),
        "subject": ", ".join(said.take("subjectField")),
        "concept": concept.identity,
        "line": concept.line,
        "extra": said.rest,
    }


def _source_facts(term: Term, facts: dict[str, Any], *, verbatim: bool) -> dict[str, Any]:
    """Return what is said of a source term, and of its concept."""
    said = Said(list(term.said.facts))
    statuses = [status_of(word) for word in said.take(*_STATUS_NAMES)]
    rules = [rule for word in said.take(*_CASE_NAMES) if (rule := case_rule_of(word))]
    notes = "\n".join(part for part in (facts["note"], *said.take("note", "usage note", "")) if part)
    definition = "\n".join(part for part in (facts["definition"], *said.take("definition")) if part)
    return facts | {
        "verbatim": verbatim or VERBATIM in statuses,
        "case": cast("CaseRule", rules[0] if rules else "auto"),
        "part_of_speech": " ".join(said.take("partOfSpeech")),
        "note": notes,
        "definition": definition,
        "extra": (*facts["extra"], *said.rest),
    }


def _target(term: Term) -> Target:
    statuses = [status for word in term.said.take(*_STATUS_NAMES) if (status := status_of(word))]
    status = statuses[0] if statuses and statuses[0] != VERBATIM else "preferred"
    return Target(
        term.text,
        cast("Status", status),
        " ".join(term.said.take("partOfSpeech")),
        "\n".join(term.said.take("note", "usage note", "", "definition")),
        term.said.rest,
    )


def _read_language(element: Any) -> list[Term]:
    code = element.get(_LANG) or element.get("lang") or ""
    language = language_of(code) or code
    said, terms = Said(), []
    for child in element:
        if _name(child) in _TERMS:
            terms.append(_read_term(child, language))
        else:
            _collect(child, said)
    for term in terms:
        term.said.facts += said.facts
    return terms


def _read_term(element: Any, language: str) -> Term:
    term = Term("", language, Said(), element.sourceline)
    for child in element.iter():
        if _name(child) == "term" and not term.text:
            term.text = tidy(_text(child))
    for child in element:
        _collect(child, term.said)
    return term


def _collect(element: Any, said: Said) -> None:
    """Add what an element says, and what stands in it, under its type or, in DCT style, its name."""
    name = _name(element)
    if not name or name == "term" or name in _PASSED_OVER:
        return
    if name.endswith("Grp"):
        for child in element:
            _collect(child, said)
        return
    kind = element.get("type") or ("" if name in _STRUCTURE else name)
    if text := tidy(_text(element)):
        said.facts.append((kind, text))


def _text(element: Any) -> str:
    """Return all text in an element; of entities only HTML's are known, `&nbsp;` among them."""
    parts = [element.text or ""]
    for child in element:
        if isinstance(child.tag, str):
            parts.append(_text(child))
        elif child.text and child.text.startswith("&"):  # an entity
            known = html.unescape(child.text)
            parts.append("" if known == child.text else known)
        parts.append(child.tail or "")
    return "".join(parts)
