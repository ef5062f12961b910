"""Concepts, as TBX has them, to entries: a concept has terms in some languages."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, cast

from editmt.text.glossary.entry import CaseRule, Entry, Extra, Problem, Status, Target
from editmt.text.glossary.tbx_layouts import NOTHING, Layout, Places, Said
from editmt.text.glossary.words import VERBATIM, case_rule_of, same_language, status_of
from editmt.text.phrases import tidy

Texts = Mapping[int, str]
"""The texts of a concept's elements, by their places."""


Source = tuple[str, str, Said]
"""A source term, its language, and where something is said of it."""


class Concept(NamedTuple):
    """A concept: its name, its line in the file, where its terms are, and the texts there.

    languages
        The codes of its languages, which the layout has the numbers of.
    """

    identity: str
    line: int
    layout: Layout
    texts: Texts
    languages: Sequence[str]


def make_entries(concept: Concept, languages: tuple[str, str]) -> list[Entry | Problem]:
    """Return the entries of a concept; or what is wrong with it.

    Without a source language it is the first term's; without a target language all others are targets.
    """
    terms = [
        (text, concept.languages[term.language], term)
        for term in concept.layout
        if (text := _term(concept.texts, term.texts))
    ]
    if not terms:
        return [Problem(concept.line, "no terms")]
    source_language = languages[0] or terms[0][1]
    sources: list[Source] = []
    targets: dict[str, tuple[Target, ...]] = {}
    for text, language, term in terms:
        if same_language(language, source_language):
            sources.append((text, language, term.as_source))
        elif same_language(language, languages[1]):
            found = _target(text, concept.texts, term.as_target)
            targets[language] = (*targets[language], found) if language in targets else (found,)
    if not sources:
        return [Problem(concept.line, f"no term in the source language ({source_language})")]
    return list(_pair(concept, sources, targets, languages[1]))


def _pair(
    concept: Concept, sources: Sequence[Source], targets: Mapping[str, tuple[Target, ...]], language: str
) -> Iterator[Entry | Problem]:
    """Yield an entry for each source term and each language of targets."""
    verbatim = any(_needs_no_translation(concept.texts, said) for _, _, said in sources)
    facts = [_facts(concept, said, verbatim=verbatim) for _, _, said in sources]
    if not targets:
        language = language or _other_language(concept, sources[0][1])
        targets = {language: ()}
        if not any(is_verbatim for _, _, is_verbatim, *_ in facts):
            what = f"in the target language ({language})" if language else "in any other language"
            yield Problem(concept.line, f"no term {what}", used=True)
    for (text, spoken, _), own in zip(sources, facts, strict=True):
        for code, ours in targets.items():
            yield Entry(text, ours, spoken, code, *own)


def _other_language(concept: Concept, source_language: str) -> str:
    """Return the first language besides the source's that has a place for terms, but none yet."""
    spoken = (concept.languages[term.language] for term in concept.layout)
    return next((code for code in spoken if not same_language(code, source_language)), "")


def _needs_no_translation(texts: Texts, said: Said) -> bool:
    return bool(said.needed) and any(texts[place].strip().lower() in {"no", "false"} for place in said.needed)


def _facts(
    concept: Concept, said: Said, *, verbatim: bool
) -> tuple[CaseRule, str, bool, str, str, str, str, Extra, int]:
    """Return what is said of a source term: the fields of an entry behind its languages."""
    identity, line, _, texts, _ = concept
    if said is NOTHING:
        return "auto", "", verbatim, "", "", "", identity, (), line
    return (
        _case_rule(texts, said.case) if said.case else "auto",
        _join(texts, said.part_of_speech, " "),
        verbatim or (bool(said.status) and VERBATIM in _statuses(texts, said)),
        _join(texts, said.note, "\n"),
        _join(texts, said.definition, "\n"),
        _join(texts, said.subject, ", "),
        identity,
        _extra(texts, said),
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
        _join(texts, said.part_of_speech, " "),
        _join(texts, said.note, "\n"),
        _extra(texts, said),
    )


def _term(texts: Texts, places: Places) -> str:
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
        return texts[places[0]].strip()
    return part.join([text for place in places if (text := texts[place].strip())])


def _extra(texts: Texts, said: Said) -> Extra:
    if not said.extra:
        return ()
    return tuple([(name, text) for name, place in said.extra if (text := texts[place].strip())])
