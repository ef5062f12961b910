"""RIBES (Isozaki et al. 2010): how well the order of the words agrees with the reference's."""

import math
from bisect import bisect_left, insort
from collections.abc import Sequence

from editmt.evaluation.metric import Metric, Segment, share

ALPHA, BETA = 0.25, 0.10
"""The weights of precision and brevity, those of the authors' program and of nltk."""


class Ribes(Metric):
    """The mean of the sentences' RIBES, × 100: Kendall's τ of the word order × P^α × BP^β.

    P is the share of the output's words that have a counterpart in the reference, BP the brevity penalty
    of BLEU, here of each sentence.
    """

    name, title = "ribes", "RIBES"

    def __init__(self, splitter: str) -> None:
        self.signature = f"words:{splitter}|alpha:{ALPHA}|beta:{BETA}|case:mixed|mean of sentences"

    def row(self, segment: Segment) -> Sequence[float]:
        """Return the sentence's score, and 1."""
        return sentence_ribes(segment.words, segment.reference_words), 1

    def score(self, sums: Sequence[float]) -> float:
        """Return the mean, × 100."""
        return 100 * share(sums)


def sentence_ribes(words: Sequence[str], reference: Sequence[str]) -> float:
    """Return a sentence's RIBES, from 0 to 1.

    >>> round(sentence_ribes("Bob hit John yesterday".split(), "John hit Bob yesterday".split()), 3)
    0.5
    """
    if not words:
        return 0.0
    order = align(words, reference)
    brevity = min(1.0, math.exp(1 - len(reference) / len(words)))
    precision = len(order) / len(words)
    return rank_agreement(order, len(reference)) * math.pow(precision, ALPHA) * math.pow(brevity, BETA)


def align(words: Sequence[str], reference: Sequence[str]) -> list[int]:
    """Return the reference's places of those words whose counterpart is certain, in the words' order.

    A word that stands once on either side is certain. Of another, the words after it are looked at, and
    those before it, one more each time, until the n-gram stands once on either side.

    Differs: Isozaki et al. describe one neighbour; their program since 1.02, and nltk, take more. nltk
    stops before the context that is the whole sentence.

    >>> align("the book was read by the boy".split(), "the boy read the book".split())
    [3, 4, 2, 0, 1]
    """
    own, theirs = _places(words), _places(reference)
    found = []
    for place, word in enumerate(words):
        if len(own[word]) == len(theirs.get(word, ())) == 1:
            found.append(theirs[word][0])
        elif word in theirs:
            found += _by_context(words, reference, place, (own[word], theirs[word]))
    return found


def _places(words: Sequence[str]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for place, word in enumerate(words):
        places.setdefault(word, []).append(place)
    return places


def _by_context(
    words: Sequence[str], reference: Sequence[str], place: int, both: tuple[list[int], list[int]]
) -> list[int]:
    """Return the place of a word in the reference, if its context tells; `both` are all its places."""
    own, theirs = both
    contexts = [(1, own, theirs), (-1, own, theirs)]  # where the n-gram to the right, or left, stands so far
    for distance in range(1, len(words)):
        wider = []
        for direction, ours, candidates in contexts:
            offset = direction * distance
            if not 0 <= place + offset < len(words):
                continue
            kept = _narrow(ours, words, offset, words[place + offset])
            found = _narrow(candidates, reference, offset, words[place + offset])
            if len(kept) == len(found) == 1:
                return found
            if found:
                wider.append((direction, kept, found))
        contexts = wider
    return []


def _narrow(places: Sequence[int], words: Sequence[str], offset: int, wanted: str) -> list[int]:
    return [place for place in places if 0 <= place + offset < len(words) and words[place + offset] == wanted]


def rank_agreement(order: Sequence[int], reference_length: int) -> float:
    """Return Kendall's τ, moved to 0 … 1: the share of pairs that stand in the reference's order.

    A pair needs two words: with fewer it is 0, unless the reference has but one word, and it was found.

    Differs: nltk has 0 for one-word references, right or wrong; and before 3.10 it counted a pair only
    within a run without gaps, 2 of the 6 of [0, 1, 3, 4].

    >>> rank_agreement([0, 1, 3, 4], 5), rank_agreement([2, 1, 0, 3], 4), rank_agreement([0], 1)
    (1.0, 0.5, 1.0)
    """
    if len(order) < 2:
        return float(len(order) == reference_length == 1)
    before: list[int] = []
    rising = 0
    for place in order:
        rising += bisect_left(before, place)
        insort(before, place)
    return rising / math.comb(len(order), 2)
