"""Concepts, as TBX has them, to entries: a concept has terms in some languages."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, cast

from editmt.text.glossary.entry import CaseRule, Entry, Extra, Problem, Status, Target
from editmt.text.glossary.tbx_layouts import NOTHING, Layout, Places, Said
from editmt.text.glossary.words import VERBATIM, case_rule_of, same_language, status_of
from editmt.text.phrases import tidy

Texts = Mapping[int, str] | Sequence[str]
"""The texts of a concept's elements, by their places."""


Source = tuple[str, str, Said]
"""A source term, its language, and where something is said of it."""


class Plan(NamedTuple):
    """Where the source terms and the targets of some languages are in a layout, with what is said of them.

    sources
        The places of a term's text, its language, and what is said of it.
    targets
        By their language.
    wanted
        The target language, if it was asked for, or else one that has a place for terms.
    asks
        Whether it is said of a source term if it needs a translation.
    """

    sources: Sequence[tuple[Places, str, Said]]
    targets: Mapping[str, Sequence[tuple[Places, Said]]]
    source_language: str
    wanted: str
    asks: bool

    @classmethod
    def of(cls, layout: Layout, codes: Sequence[str], languages: tuple[str, str]) -> "Plan":
        """Sort the terms of a layout, whose sections are in languages of these codes, by what is asked for.

        Without a source language it is the first term's; without a target language all others are targets.
        """
        spoken = [codes[term.language] for term in layout]
        source_language = languages[0] or (spoken[0] if spoken else "")
        sources = []
        targets: dict[str, list[tuple[Places, Said]]] = {}
        for term, code in zip(layout, spoken, strict=True):
            if same_language(code, source_language):
                sources.append((term.texts, code, term.as_source))
            elif same_language(code, languages[1]):
                targets.setdefault(code, []).append((term.texts, term.as_target))
        wanted = languages[1] or next(iter(targets), "")
        asks = any(said.needed for _, _, said in sources)
        return cls(sources, targets, source_language, wanted, asks)


class Concept(NamedTuple):
    """A concept: its name, its line in the file, where its terms are, and the texts there."""

    identity: str
    line: int
    plan: Plan
    texts: Texts


def make_entries(concept: Concept) -> list[Entry | Problem]:
    """Return the entries of a concept; or what is wrong with it."""
    _, line, plan, texts = concept
    sources = [(text, code, said) for places, code, said in plan.sources if (text := _term(texts, places))]
    targets = {}
    for code, terms in plan.targets.items():
        if found := [_target(text, texts, said) for places, said in terms if (text := _term(texts, places))]:
            targets[code] = tuple(found)
    if sources:
        return _pair(concept, sources, targets)
    language = plan.source_language
    return [Problem(line, f"no term in the source language ({language})" if language else "no terms")]


def _pair(
    concept: Concept, sources: Sequence[Source], targets: Mapping[str, tuple[Target, ...]]
) -> list[Entry | Problem]:
    """Return an entry for each source term and each language of targets."""
    verbatim = concept.plan.asks and any(_needs_no_translation(concept.texts, said) for _, _, said in sources)
    facts = [_facts(concept, said, verbatim=verbatim) for _, _, said in sources]
    found: list[Entry | Problem] = []
    if not targets:
        language = concept.plan.wanted
        targets = {language: ()}
        if not any(is_verbatim for _, _, is_verbatim, *_ in facts):
            what = f"in the target language ({language})" if language else "in any other language"
            found.append(Problem(concept.line, f"no term {what}", used=True))
    for (text, spoken, _), own in zip(sources, facts, strict=True):
        for code, ours in targets.items():
            found.append(Entry(text, ours, spoken, code, *own))
    return found


def _needs_no_translation(texts: Texts, said: Said) -> bool:
    return any(texts[place].strip().lower() in {"no", "false"} for place in said.needed)


def _facts(
    concept: Concept, said: Said, *, verbatim: bool
) -> tuple[CaseRule, str, bool, str, str, str, str, Extra, int]:
    """Return what is said of a source term: the fields of an entry behind its languages."""
    identity, line, _, texts = concept
    if said is NOTHING:
        return "auto", "", verbatim, "", "", "", identity, (), line
    return (
        _case_rule(texts, said.case) if said.case else "auto",
        _join(texts, said.part_of_speech, " ") if said.part_of_speech else "",
        verbatim or (bool(said.status) and VERBATIM in _statuses(texts, said)),
        _join(texts, said.note, "\n") if said.note else "",
        _join(texts, said.definition, "\n") if said.definition else "",
        _join(texts, said.subject, ", ") if said.subject else "",
        identity,
        _extra(texts, said) if said.extra else (),
        line,
    )


def _case_rule(texts: Texts, places: Places) -> CaseRule:
    rules = [rule for place in places if (rule := case_rule_of(texts[place]))]
    return cast("CaseRule", rules[0] if rules else "auto")


def _target(text: str, texts: Texts, said: Said) -> Target:
    if said is NOTHING:
        return Target(text)
    first = next(iter(_statuses(texts, said)), VERBATIM) if said.status else VERBATIM
    return Target(
        text,
        cast("Status", "preferred" if first == VERBATIM else first),
        _join(texts, said.part_of_speech, " ") if said.part_of_speech else "",
        _join(texts, said.note, "\n") if said.note else "",
        _extra(texts, said) if said.extra else (),
    )


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
    if len(places) == 1:
        return texts[places[0]].strip()
    return part.join([text for place in places if (text := texts[place].strip())])


def _extra(texts: Texts, said: Said) -> Extra:
    return tuple([(name, text) for name, place in said.extra if (text := texts[place].strip())])
