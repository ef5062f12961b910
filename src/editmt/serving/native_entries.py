"""A text's own terms, and a glossary's, in its request."""

from editmt.decoding.request import Request
from editmt.decoding.terminology import TermMode, Wish, find_wishes, with_wishes
from editmt.serving.glossary_store import Pair
from editmt.serving.native_schemas import TermEntry, Text, TranslateRequest, make_request
from editmt.text.glossary import Entry, Glossary, Target


def has_entries(asked: TranslateRequest) -> bool:
    """Tell whether a text has terms that are looked for in it."""
    return any(isinstance(text, Text) and text.entries for text in asked.texts)


def make_requests(asked: TranslateRequest, glossary: Glossary | None, pair: Pair) -> list[Request]:
    """Turn all texts into requests; with many terms that takes a while."""
    return [
        _add_entries(make_request(text), text, glossary, asked.glossary_terms, pair) for text in asked.texts
    ]


def _add_entries(
    request: Request, text: str | Text, glossary: Glossary | None, mode: TermMode, pair: Pair
) -> Request:
    """Return the request with the terms that stand in its source; the text's own come before a glossary's."""
    given = text.entries if isinstance(text, Text) else []
    if not given and glossary is None:
        return request
    wishes: list[Wish] = []
    for kind, own in (("hard", True), ("soft", False)):
        entries = [_make_entry(entry, pair) for entry in given if (entry.kind == "hard") is own]
        if entries:
            taken = [wish.match.span for wish in wishes]
            wishes += find_wishes(request.source, Glossary(tuple(entries)), kind, taken)  # type: ignore[arg-type]
    if glossary is not None:
        taken = [wish.match.span for wish in wishes]
        wishes += find_wishes(request.source, glossary, mode, taken)
    return with_wishes(request, wishes)


def _make_entry(entry: TermEntry, pair: Pair) -> Entry:
    targets: tuple[Target, ...] = ()
    if entry.target is not None:
        targets = (Target(entry.target, "forbidden" if entry.kind == "forbidden" else "preferred"),)
    return Entry(
        entry.source,
        targets,
        source_language=pair[0],
        target_language=pair[1],
        verbatim=entry.kind == "verbatim",
    )
