"""Tables with a row for each term, as IATE writes them: its concept, its language, and what is said of it."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from editmt.text.glossary.columns import Column, Row
from editmt.text.glossary.entry import Entry, Problem, Target
from editmt.text.glossary.rows import Source, Use, read_terms
from editmt.text.glossary.words import SOURCE_STATUS, same_language


class _Term(NamedTuple):
    """A row: its line, its term with what is said of it, and what of the term's use."""

    line: int
    source: Source
    use: Use

    @property
    def language(self) -> str:
        """The term's own: the column of a row's language is not the source's here."""
        return self.source[2]


def has_terms_in_rows(columns: Sequence[Column]) -> bool:
    """Tell whether the columns are a concept's, a language's and a term's, and none is of targets."""
    roles = [column.role for column in columns]
    return roles.count("source") == 1 and {"concept", "target_language"} <= {*roles} and "target" not in roles


def read_term_rows(
    columns: Sequence[Column], rows: Sequence[Row], languages: tuple[str, str]
) -> Iterator[Entry | Problem]:
    """Yield the entries of concepts; without a source language it is the first row's."""
    concepts: dict[str, list[_Term]] = {}
    first = ""
    for line, source, use in read_terms(columns, rows):
        term = _Term(line, source, use)
        if not source[0] or not source[8]:
            yield Problem(line, "no term" if source[8] else "no concept")
            continue
        first = first or term.language
        concepts.setdefault(source[8], []).append(term)
        yield from (Problem(line, reason, used=True) for reason in use.problems)
    for terms in concepts.values():
        yield from _read_concept(terms, (languages[0] or first, languages[1]))


def _read_concept(terms: Sequence[_Term], languages: tuple[str, str]) -> Iterator[Entry | Problem]:
    sources = [term for term in terms if same_language(term.language, languages[0])]
    others = [term for term in terms if term not in sources and same_language(term.language, languages[1])]
    if not sources:
        yield Problem(terms[0].line, f"no term in the source language ({languages[0]})")
        return
    targets: dict[str, list[Target]] = {}
    for term in others:
        _, _, _, _, part, note, definition, _, _, extra = term.source
        notes = "\n".join(filter(None, (note, definition)))
        targets.setdefault(term.language, []).append(
            Target(term.source[0], term.use.status, part, notes, extra)
        )
    verbatim = any(term.use.verbatim for term in sources)
    if not targets and not verbatim:
        asked = f"the target language ({languages[1]})" if languages[1] else "any other language"
        yield Problem(terms[0].line, f"no term in {asked}", used=True)
    for term in sources:
        text, _, _, case, part, note, definition, subject, concept, extra = term.source
        status = ((SOURCE_STATUS, term.use.status),) if term.use.status != "preferred" else ()
        for language, ours in (targets or {languages[1]: []}).items():
            yield Entry(
                text, tuple(ours), term.language, language, case, part, verbatim,
                note, definition, subject, concept, extra + status, term.line,
            )  # fmt: skip
