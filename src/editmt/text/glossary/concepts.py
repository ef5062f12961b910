"""Concepts, as TBX has them, to entries: a concept has terms in some languages."""

import re
from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from typing import Any, Generic, NamedTuple, TypeVar, cast

from editmt.text.glossary.entry import CaseRule, Entry, Extra, Problem, Status, Target
from editmt.text.glossary.tbx_layouts import Layout, Places, Said
from editmt.text.glossary.words import (
    SOURCE_STATUS,
    VERBATIM,
    case_rule_of,
    is_told_of_source,
    is_true,
    same_language,
    status_of,
)
from editmt.text.phrases import tidy

Texts = Mapping[int, str] | Sequence[str]
"""The texts of a concept's elements, by their places."""


Facts = tuple[bool, CaseRule, str, bool, str, str, str, Extra]
"""Of a source term: whether its concept needs no translation, the case rule, the part of speech, whether the
term is to be kept as it is, the note, the definition, the subject, and what else there is."""

TargetFacts = tuple[Status, str, str, Extra]
"""Of a target: its status, the part of speech, the note, and what else there is."""

Meaning = TypeVar("Meaning")

_MOST_KNOWN = 4096
NAMELESS = {"und": "", "mul": ""}
"""What files say of a language that is not known, or any: TBX has to say something."""
_INDENTED = re.compile(r"[ \t\r]*\n[ \t]+")
"""A line's end as a program indents texts in XML; one that is not indented may be the author's."""


class Fact(Generic[Meaning]):
    """What is said of the terms at one place of a layout; what is said again and again is understood once."""

    def __init__(self, said: Said, understand: Callable[[Texts, Said], Meaning]) -> None:
        places = [place for role in said[:-1] for place in role] + [place for _, place in said.extra]
        self._said, self._understand = said, understand
        self._pick: Callable[[Texts], Any] = itemgetter(*places) if places else lambda _: ""
        self._known: dict[Any, Meaning] | None = {}

    def read(self, texts: Texts) -> Meaning:
        """Return what is said in a concept of these texts."""
        if self._known is None:
            return self._understand(texts, self._said)
        key = self._pick(texts)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._understand(texts, self._said)
            if len(self._known) > _MOST_KNOWN:
                self._known = None  # each has something of its own
        return found


class Plan(NamedTuple):
    """Where the source terms and the targets of some languages are in a layout, with what is said of them.

    sources
        The places of a term's text, its language, and what is said of it.
    targets
        By their language.
    wanted
        The target language, if it was asked for, or else one that has a place for terms.
    """

    sources: Sequence[tuple[Places, str, Fact[Facts]]]
    targets: Mapping[str, Sequence[tuple[Places, Fact[TargetFacts]]]]
    source_language: str
    wanted: str

    @classmethod
    def of(cls, layout: Layout, codes: Sequence[str], languages: tuple[str, str]) -> "Plan":
        """Sort the terms of a layout, whose sections are in languages of these codes, by what is asked for.

        Without a source language it is the first term's; without a target language all others are targets.
        """
        spoken = [codes[term.language] for term in layout]
        source_language = languages[0] or (spoken[0] if spoken else "")
        sources = []
        targets: dict[str, list[tuple[Places, Fact[TargetFacts]]]] = {}
        for term, code in zip(layout, spoken, strict=True):
            if same_language(code, source_language):
                sources.append(
                    (term.texts, NAMELESS.get(code, code), Fact(term.as_source, _understand_source))
                )
            elif same_language(code, languages[1]):
                fact = Fact(term.as_target, _understand_target)
                targets.setdefault(NAMELESS.get(code, code), []).append((term.texts, fact))
        return cls(sources, targets, source_language, languages[1] or next(iter(targets), ""))


class Concept(NamedTuple):
    """A concept: its name, its line in the file, where its terms are, and the texts there."""

    identity: str
    line: int
    plan: Plan
    texts: Texts


def make_entries(concept: Concept) -> list[Entry | Problem]:
    """Return the entries of a concept, one for each source term and each language of targets.

    Or what is wrong with it.
    """
    identity, line, plan, texts = concept
    sources = [
        (text, code, fact.read(texts))
        for places, code, fact in plan.sources
        if (text := _term(texts, places))
    ]
    if not sources:
        language = plan.source_language
        return [Problem(line, f"no term in the source language ({language})" if language else "no terms")]
    targets = {}
    for code, terms in plan.targets.items():
        ours = [Target(text, *fact.read(texts)) for places, fact in terms if (text := _term(texts, places))]
        if ours:
            targets[code] = tuple(ours)
    verbatim = True in [facts[0] for _, _, facts in sources]
    found: list[Entry | Problem] = []
    if not targets:
        targets = {plan.wanted: ()}
        if not (verbatim or any(facts[3] for _, _, facts in sources)):
            what = f"in the target language ({plan.wanted})" if plan.wanted else "in any other language"
            found.append(Problem(line, f"no term {what}", used=True))
    for text, spoken, (_, case, part, kept, note, definition, subject, extra) in sources:
        for code, terms_of in targets.items():
            found.append(
                Entry(
                    text, terms_of, spoken, code, case, part, verbatim or kept,
                    note, definition, subject, identity, extra, line,
                )
            )  # fmt: skip
    return found


def _understand_source(texts: Texts, said: Said) -> Facts:
    return (
        any(texts[place].strip().lower() in {"no", "false"} for place in said.needed)
        if said.needed
        else False,
        _case_rule(texts, said.case) if said.case else "auto",
        _join(texts, said.part_of_speech, " "),
        (VERBATIM in _statuses(texts, said) if said.status else False) or _is_said(texts, said.verbatim),
        _join(texts, said.note, "\n"),
        _join(texts, said.definition, "\n"),
        _join(texts, said.subject, ", "),
        (_extra(texts, said) if said.extra else ()) + (_source_status(texts, said) if said.status else ()),
    )


def _source_status(texts: Texts, said: Said) -> Extra:
    """Return what a source term's status says beyond its being the usual one: kept for conversion."""
    words = [texts[place].strip() for place in said.status]
    return tuple([(SOURCE_STATUS, word) for word in words if is_told_of_source(word)])


def _understand_target(texts: Texts, said: Said) -> TargetFacts:
    return (
        _target_status(texts, said) if said.status or said.forbidden else "preferred",
        _join(texts, said.part_of_speech, " "),
        _join(texts, said.note, "\n"),
        _extra(texts, said) if said.extra else (),
    )


def _target_status(texts: Texts, said: Said) -> Status:
    if _is_said(texts, said.forbidden):
        return "forbidden"
    first = next(iter(_statuses(texts, said)), VERBATIM)
    return cast("Status", "preferred" if first == VERBATIM else first)


def _is_said(texts: Texts, places: Places) -> bool:
    """Tell whether one of the places says yes."""
    return any(is_true(texts[place]) for place in places)


def _case_rule(texts: Texts, places: Places) -> CaseRule:
    rules = [rule for place in places if (rule := case_rule_of(texts[place]))]
    return cast("CaseRule", rules[0] if rules else "auto")


def _term(texts: Texts, places: Places) -> str:
    if len(places) == 1:
        return tidy(texts[places[0]])
    for place in places:
        if text := tidy(texts[place]):
            return text
    return ""


def _statuses(texts: Texts, said: Said) -> list[str]:
    """Return what is said of the use that is understood."""
    return [status for place in said.status if (status := status_of(texts[place]))]


def _join(texts: Texts, places: Places, part: str) -> str:
    if not places:
        return ""
    if len(places) == 1:
        return _told(texts[places[0]])
    return part.join(dict.fromkeys([text for place in places if (text := _told(texts[place]))]))


def _told(text: str) -> str:
    """Return a text without the indentation of the file."""
    return _INDENTED.sub(" ", text.strip()) if "\n" in text else text.strip()


def _extra(texts: Texts, said: Said) -> Extra:
    return tuple([(name, text) for name, place in said.extra if (text := _told(texts[place]))])
