"""Which terms stand in a sentence: Aho–Corasick for their own form, a trie of words for inflected ones."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple, TypeVar

from editmt.errors import MissingPackage
from editmt.text.folding import Folded, fold
from editmt.text.glossary.entry import Entry
from editmt.text.lemmas import Lemmatiser
from editmt.text.phrases import Span, find_edges

_WORD = re.compile(r"\w+|[^\w\s]")
_END = ""
"""The key of a trie's node under which the terms are that end there; no word is empty."""

KEPT = 100_000
"""Words and places of terms that are remembered: a document's come again and again."""

How = Literal["form", "lemma"]
Key = TypeVar("Key")
Value = TypeVar("Value")


@dataclass(frozen=True, eq=False)
class Sense:
    """What entries that fit the same place say together; the same for all places that they fit.

    entries
        Those that fit, the one in these very capitals first, then as in the file.
    """

    entries: tuple[Entry, ...]

    @cached_property
    def wanted(self) -> tuple[str, ...]:
        """All targets that will do, the best first."""
        return tuple(dict.fromkeys(form for entry in self.entries for form in entry.wanted))

    @cached_property
    def forbidden(self) -> tuple[str, ...]:
        """All targets that must not be used, unless another entry wants them."""
        forbidden = dict.fromkeys(form for entry in self.entries for form in entry.forbidden)
        return tuple(form for form in forbidden if form not in self.wanted)


class Match(NamedTuple):
    """A term that stands in a sentence.

    how
        By its own form, or as an inflected one, whose lemma is the glossary's form.
    """

    span: Span
    text: str
    sense: Sense
    how: How

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The entries that fit, the best first."""
        return self.sense.entries

    @property
    def verbatim(self) -> bool:
        """Whether it is not to be translated."""
        return self.entries[0].verbatim

    @property
    def wanted(self) -> tuple[str, ...]:
        """All targets that will do, the best first."""
        return self.sense.wanted

    @property
    def forbidden(self) -> tuple[str, ...]:
        """All targets that must not be used, unless another entry wants them."""
        return self.sense.forbidden


class _Candidate(NamedTuple):
    start: int  # in the folded text
    end: int
    how: How
    numbers: tuple[int, ...]


class Matcher:
    """Finds terms: in their own form first, then inflected ones; of each the longest, then the leftmost.

    A glossary with "tables" and "pivot table" is surer of "tables" in "pivot tables".

    >>> matcher = Matcher([Entry(term, verbatim=True) for term in ("value", "start value", "IT")])
    >>> [match.text for match in matcher.find("Is it a Start Value, or a value?")]
    ['Start Value', 'value']
    """

    def __init__(self, entries: Iterable[Entry], lemmatise: Lemmatiser | None = None) -> None:
        self.entries = tuple(entry for entry in entries if entry.targets or entry.verbatim)
        self._lemmatise = lemmatise
        self._folded = [fold(entry.source.strip()) for entry in self.entries]
        self._senses: dict[tuple[tuple[int, ...], str], Sense] = {}
        self._forms: dict[str, tuple[str, ...]] = {}

    def prepare(self) -> None:
        """Make and load all that is made and loaded when it is first needed."""
        self.find(" ".join(folded.cased for folded in self._folded[:1]))

    def find(self, sentence: str, excluded: Sequence[Span] = ()) -> list[Match]:
        """Return the terms of a sentence in its order; none overlap, none are within what is excluded."""
        taken = bytearray(len(sentence))
        for start, end in excluded:
            taken[start:end] = b"x" * (end - start)
        found: dict[Span, Match] = {}
        folded = fold(sentence)
        is_whole = find_edges(sentence, mixed=True)
        for candidates in (self._by_form(folded), self._by_lemma(folded, taken)):
            for candidate, (start, end) in _rank(candidates, folded, is_whole):
                if not any(taken[start:end]) and (match := self._match(candidate, sentence, folded)):
                    taken[start:end] = b"x" * (end - start)
                    found[match.span] = match
        return [found[span] for span in sorted(found)]

    def find_all(self, sentence: str) -> list[Match]:
        """Return all terms of a sentence, those within and across others, too."""
        found: dict[Span, Match] = {}
        folded = fold(sentence)
        is_whole = find_edges(sentence, mixed=True)
        for candidates in (self._by_form(folded), self._by_lemma(folded)):
            for candidate, span in _rank(candidates, folded, is_whole):
                if span not in found and (match := self._match(candidate, sentence, folded)):
                    found[span] = match
        return [found[span] for span in sorted(found)]

    def _match(self, candidate: _Candidate, sentence: str, folded: Folded) -> Match | None:
        sense = self._sense(candidate.numbers, folded.cased[candidate.start : candidate.end])
        start, end = span = folded.span(candidate.start, candidate.end)
        return Match(span, sentence[start:end], sense, candidate.how) if sense.entries else None

    def _sense(self, numbers: tuple[int, ...], cased: str) -> Sense:
        """Return the entries whose case rule such a place keeps, those with the same capitals first."""
        known = self._senses.get((numbers, cased))
        if known is not None:
            return known
        same = [number for number in numbers if self._folded[number].cased == cased]
        other = [number for number in numbers if number not in same]
        fitting = [*same, *(number for number in other if not self.entries[number].exact)]
        sense = Sense(tuple(self.entries[number] for number in fitting))
        return _keep(self._senses, (numbers, cased), sense)

    def _by_form(self, folded: Folded) -> Iterator[_Candidate]:
        if not self.entries or not folded.text or not self._automaton:  # no term has a letter
            return
        for last, (length, numbers) in self._automaton.iter(folded.text):
            yield _Candidate(last + 1 - length, last + 1, "form", numbers)

    def _by_lemma(self, folded: Folded, taken: bytes | bytearray = b"") -> Iterator[_Candidate]:
        """Walk the trie from each word on, by itself or by its lemma, but over none that is taken."""
        if self._lemmatise is None:
            return
        words = [match.span() for match in _WORD.finditer(folded.cased)]
        forms = [self._known_forms(folded, *span) for span in words]
        for place, (start, end) in enumerate(words if any(taken) else ()):
            if any(taken[folded.starts[start] : folded.ends[end - 1]]):
                forms[place] = ()
        for first, (start, _) in enumerate(words):
            if self._trie.keys().isdisjoint(forms[first]):  # no term begins so
                continue
            nodes = [self._trie]
            for place in range(first, len(words)):
                nodes = [node[form] for form in forms[place] for node in nodes if form in node]
                if not nodes:
                    break
                for node in nodes:
                    if _END in node:
                        yield _Candidate(start, words[place][1], "lemma", tuple(node[_END]))

    def _known_forms(self, folded: Folded, start: int, end: int) -> tuple[str, ...]:
        """Return the word at a place and its lemma, as far as terms have them."""
        cased = folded.cased[start:end]
        known = self._forms.get(cased)
        if known is not None:
            return known
        assert self._lemmatise is not None  # or nobody asks
        both = dict.fromkeys((folded.text[start:end], self._lemmatise(cased)))
        return _keep(self._forms, cased, tuple(form for form in both if form in self._words))

    @cached_property
    def _automaton(self) -> Any:
        try:
            import ahocorasick  # noqa: PLC0415 - only where there are terms
        except ImportError:
            raise MissingPackage("pyahocorasick", extra="glossary") from None
        automaton = ahocorasick.Automaton()
        by_form: dict[str, list[int]] = {}
        for number, folded in enumerate(self._folded):
            by_form.setdefault(folded.text, []).append(number)
        for form, numbers in by_form.items():
            if form:
                automaton.add_word(form, (len(form), tuple(numbers)))
        automaton.make_automaton()
        return automaton

    @cached_property
    def _words(self) -> set[str]:
        """The words of all terms in the trie."""
        words: set[str] = set()
        nodes = [self._trie]
        while nodes:
            node = nodes.pop()
            words.update(word for word in node if word != _END)
            nodes += [below for word, below in node.items() if word != _END]
        return words

    @cached_property
    def _trie(self) -> dict[str, Any]:
        """Terms by their words; capitals that count allow no inflection, nor does what is not translated."""
        trie: dict[str, Any] = {}
        for number, (entry, folded) in enumerate(zip(self.entries, self._folded, strict=True)):
            if entry.exact or entry.verbatim:
                continue
            node = trie
            for word in _WORD.findall(folded.text):
                node = node.setdefault(word, {})
            if node is not trie:
                node.setdefault(_END, []).append(number)
        return trie


def _rank(
    candidates: Iterable[_Candidate], folded: Folded, is_whole: Callable[[Span], bool]
) -> list[tuple[_Candidate, Span]]:
    """Return what is made of whole words, and where it stands: the longest first, then the leftmost."""
    whole = [
        (candidate, span)
        for candidate in candidates
        if is_whole(span := folded.span(candidate.start, candidate.end))
    ]
    return sorted(whole, key=lambda each: (each[0].start - each[0].end, each[0].start))


def _keep(known: dict[Key, Value], key: Key, value: Value) -> Value:
    """Remember a value, and return it; when there are too many, all others are forgotten."""
    if len(known) >= KEPT:
        known.clear()
    known[key] = value
    return value
