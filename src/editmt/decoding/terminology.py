"""A glossary's terms in a request: wanted, kept or kept out, as the entries say.

request = add_terms(Request.of("Set the start value."), glossary, "soft")
translator.translate_all([request])
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Literal, NamedTuple, get_args

from editmt.decoding.request import Alternatives, Request
from editmt.errors import InputError
from editmt.text.glossary import Glossary, Match, Sense
from editmt.text.phrases import Span, count_phrase, find_phrase

TermMode = Literal["soft", "hard", "off"]
TERM_MODES: tuple[TermMode, ...] = get_args(TermMode)

KEPT_SENSES = 10_000
"""Terms whose forms are remembered: a document's come again and again."""

_START = re.compile(r"(?:^|[.!?:…]\s)[^\w]*$")
"""What stands before the first word of a sentence."""


class Wish(NamedTuple):
    """What a match of the glossary asks for.

    forms
        The first is the one to use; any will do. None, where words are forbidden only.
    hard
        Whether the first form has to be there, whole: what is not to be translated always has to.
    """

    match: Match
    forms: Alternatives
    forbidden: tuple[str, ...]
    hard: bool


def find_wishes(source: str, glossary: Glossary, mode: TermMode, excluded: Sequence[Span] = ()) -> list[Wish]:
    """Find the glossary's terms in a sentence, and say what each asks for; none within what is excluded."""
    if mode not in TERM_MODES:
        raise InputError(f"terms can be {', '.join(TERM_MODES)}, not {mode!r}")
    if mode == "off":
        return []
    return [_wish(match, source, hard=mode == "hard") for match in glossary.find(source, excluded)]


def add_terms(request: Request, glossary: Glossary, mode: TermMode) -> Request:
    """Return the request with the terms of its source that a glossary has.

    soft
        The targets are terms to start from, each with its alternatives.
    hard
        The first target of each has to be in the output.
    off
        Nothing is added.

    In both of the first, forbidden targets are kept out (unless another term wants them), and what is not
    to be translated is hard.
    """
    return with_wishes(request, find_wishes(request.source, glossary, mode))


def with_wishes(request: Request, wishes: Iterable[Wish]) -> Request:
    """Return the request with what the wishes ask for, beside what it asks for itself."""
    wishes = list(wishes)
    if not wishes:
        return request
    hard = [*request.hard, *(wish.forms[0] for wish in wishes if wish.hard)]
    terms = [*request.terms, *(wish.forms for wish in wishes if wish.forms and not wish.hard)]
    wanted = [*hard, *(form for term in terms for form in term)]
    forbidden = dict.fromkeys([*request.forbidden, *(form for wish in wishes for form in wish.forbidden)])
    allowed = [
        form
        for form in forbidden
        if form in request.forbidden or not any(count_phrase(other, form) for other in wanted)
    ]
    return replace(request, hard=tuple(hard), terms=tuple(terms), forbidden=tuple(allowed))


def restore_case(text: str, source: str, wishes: Iterable[Wish]) -> str:
    """Give hard words the capital that their place in the output asks for.

    A hard word is asked for in one form, before its place is known: "Benutzer" is fine anywhere, but "mit" at
    the sentence's start is "Mit", and "Mit" in its middle is "mit". Where capitals count nothing is changed.

    >>> from editmt.text.glossary import Entry, Target
    >>> glossary = Glossary((Entry("with", (Target("mit"),)),))
    >>> wishes = find_wishes("With that", glossary, "hard")
    >>> wishes[0].forms[0], restore_case("das Mit", "With that", wishes)
    ('Mit', 'das mit')
    """
    for wish in wishes:
        if not wish.hard or wish.match.verbatim or wish.match.entries[0].case == "exact":
            continue
        for start, end in list(find_phrase(text, wish.forms[0])):
            first = _is_first(text, start) and _is_capital(source.lstrip()[:1])
            form = _capitalised(wish.match.wanted[0]) if first else wish.match.wanted[0]
            text = text[:start] + form + text[end:] if len(form) == end - start else text
    return text


def _wish(match: Match, source: str, *, hard: bool) -> Wish:
    if match.verbatim:
        return Wish(match, (match.text,), (), hard=True)
    capital = _is_capital(match.text[:1]) and _is_first(source, match.span[0])
    forms, forbidden = _targets(match.sense, capital=capital)
    return Wish(match, forms, forbidden, hard=hard and bool(forms))


@lru_cache(KEPT_SENSES)
def _targets(sense: Sense, *, capital: bool) -> tuple[Alternatives, tuple[str, ...]]:
    """Return the forms that will do, and those that must not be used.

    `capital`: the sentence begins with the term, and hence the term with a capital.
    """
    best = sense.entries[0]
    follow = capital and best.case != "exact" and not _is_capital(best.source[:1])
    forms = [each for form in sense.wanted for each in ((_capitalised(form), form) if follow else (form,))]
    if not any(entry.case == "exact" for entry in sense.entries):
        forms += [_capitalised(form) for form in sense.wanted]
    forbidden = [each for form in sense.forbidden for each in (form, _capitalised(form), form.lower())]
    unwanted = tuple(form for form in dict.fromkeys(forbidden) if form not in forms)
    return tuple(dict.fromkeys(forms)), unwanted


def _is_first(text: str, place: int) -> bool:
    if place > 1 and text[place - 1] == " " and text[place - 2].isalnum():  # as most terms stand
        return False
    return _START.search(text, 0, place) is not None


def _is_capital(character: str) -> bool:
    return character.isupper() or character.istitle()


def _capitalised(form: str) -> str:
    return form[:1].upper() + form[1:] if len(form[:1].upper()) == 1 else form
