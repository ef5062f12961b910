"""A text cut into sentences, with all of its white space."""

import re
import unicodedata
from collections.abc import Iterator

_ABBREVIATIONS = frozenset(
    """
    approx art ca cf ch co corp dept dr ed eds eq esp est etc ext fig figs gen gov inc jr ltd max min mr mrs ms
    mt no nos nr p pp prof resp rev sec sen sr st tel vol vs e.g i.e a.m p.m u.s abb abs allg bspw bzgl bzw d.h
    evtl ggf hr fr inkl kap lt mind mio mrd o.g s sog str tab u.a usw vgl z.b z.t zzgl
    """.split()  # noqa: SIM905 - words are easier to read so
)
"""English and German ones that a sentence goes on after."""

_LOOK_BACK = 64
_END = re.compile(r"[.!?…]+[\"'”’»)\]]*(?=\s)|[。！？]+[」』”）]*|\n[^\S\n]*(?=\n)|\n")
_NEXT = re.compile(r"\s*[\"'“‘„«(\[¿¡]*")


def split_sentences(text: str) -> list[str]:
    r"""Cut the text behind each sentence and its white space: put together again, the parts are the text.

    >>> split_sentences("See Fig. 3. It shows, e.g. Bonn.\nNext")
    ['See Fig. 3. ', 'It shows, e.g. Bonn.\n', 'Next']
    """
    sentences, start = [], 0
    for end in _ends(text):
        if text[start:end].strip():
            sentences.append(text[start:end])
            start = end
    if start < len(text):
        sentences.append(text[start:])
    return sentences


def ends_sentence(text: str) -> bool:
    """Tell whether a text ends with a sentence and the white space behind it.

    >>> ends_sentence("That is all. "), ends_sentence("Dr. "), ends_sentence("That is all.")
    (True, False, False)
    """
    return text[-1:].isspace() and any(end == len(text) for end in _ends(text + "A"))


def _ends(text: str) -> Iterator[int]:
    """Yield where sentences end, behind the space after them."""
    for match in _END.finditer(text):
        end = match.end()
        while text[end : end + 1].isspace():
            end += 1
        if end >= len(text) or _is_end(text, match, end):
            yield end


def _is_end(text: str, match: "re.Match[str]", following: int) -> bool:
    opening = _NEXT.match(text, following)
    first = text[opening.end() : opening.end() + 1] if opening else ""
    before = text[max(0, match.start() - _LOOK_BACK) : match.start()]
    if match[0].startswith("\n"):
        return not _goes_on(text, match, before, first)
    if match[0][0] in "。！？":
        return True
    if first.islower():
        return False
    return match[0] != "." or not _is_abbreviation(before, first)


def _is_abbreviation(before: str, first: str) -> bool:
    """Tell whether a full stop is that of an abbreviation, an initial, or a number, as in "3. Mai"."""
    word = re.split(r"[\s(\[\"'“„«]", before)[-1].lower()
    if word in _ABBREVIATIONS or (len(word) == 1 and word.isalpha()):
        return True
    return word.isdecimal() and len(word) < 3 and unicodedata.category(first or " ")[0] == "L"


def _goes_on(text: str, match: "re.Match[str]", before: str, first: str) -> bool:
    """Tell whether a sentence goes on over the end of a line: the next begins in a small letter."""
    blank = text[match.end() : match.end() + 1] == "\n" or before.endswith("\n")
    return not blank and first.islower() and before.rstrip()[-1:] not in ".!?:;…"
