"""One term of a glossary: what stands in the source, and what may and may not stand in the target."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple

Status = Literal["preferred", "admitted", "forbidden"]
STATUSES: tuple[Status, ...] = ("preferred", "admitted", "forbidden")

Extra = tuple[tuple[str, str], ...]

CaseRule = Literal["auto", "any", "exact"]
CASE_RULES: tuple[CaseRule, ...] = ("auto", "any", "exact")


class Target(NamedTuple):
    """A term of the target language, and whether it is to be used."""

    text: str
    status: Status = "preferred"
    part_of_speech: str = ""
    note: str = ""
    extra: Extra = ()


class Entry(NamedTuple):
    """A source term and its targets; a tuple, since there are tens of thousands of them.

    targets
        In the file's order; those that are forbidden are to be kept out.
    case
        `exact`: in this very form only; `any`: whatever the capitals; `auto`: any, but for terms all in
        capitals, such as AND or IT, which would be other words in small letters.
    verbatim
        Do not translate: the source's words are copied as they stand there.
    concept
        Entries of the same concept are synonyms, or the same term in other languages.
    extra
        What else the file says, by its name there, such as `("termType", "acronym")`: kept for conversion.
    line
        Where it stood in the file; 0 = in none.

    >>> entry = Entry("driver", (Target("Driver", "forbidden"), Target("Treiber")))
    >>> entry.wanted, entry.forbidden
    (('Treiber',), ('Driver',))
    """

    source: str
    targets: tuple[Target, ...] = ()
    source_language: str = ""
    target_language: str = ""
    case: CaseRule = "auto"
    part_of_speech: str = ""
    verbatim: bool = False
    note: str = ""
    definition: str = ""
    subject: str = ""
    concept: str = ""
    extra: Extra = ()
    line: int = 0

    @property
    def wanted(self) -> tuple[str, ...]:
        """The targets to use: the preferred ones first."""
        return (*self._of("preferred"), *self._of("admitted"))

    @property
    def forbidden(self) -> tuple[str, ...]:
        """The targets that must not be used."""
        return tuple(self._of("forbidden"))

    @property
    def exact(self) -> bool:
        """Whether capitals count.

        >>> Entry("IT").exact, Entry("it").exact, Entry("A").exact
        (True, False, False)
        """
        return self.case == "exact" or (
            self.case == "auto" and len(self.source) > 1 and self.source.isupper()
        )

    def _of(self, status: Status) -> Iterable[str]:
        return dict.fromkeys(target.text for target in self.targets if target.status == status)


@dataclass(frozen=True, order=True)
class Problem:
    """What is wrong with a row of a glossary's file; whether the row is used all the same."""

    line: int
    reason: str
    used: bool = False

    def __str__(self) -> str:
        return f"line {self.line}: {self.reason}" + ("" if self.used else " (left out)")
