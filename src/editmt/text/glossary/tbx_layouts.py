"""What the elements of a TBX entry are, by their names and how many are in each.

Thousands of entries have the same few layouts: what is where is worked out once for each of them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

LANGUAGES = ("langSet", "langSec", "langGroup")
_TERMS = ("tig", "ntig", "termSec", "termGroup")
"""The last of each is of the first TBX-Min, of 2013."""
_BY_TYPE = ("admin", "descrip", "termNote", "transac", "xref")
"""Elements whose `type` says what they tell; in DCT style it is their name."""
_PASSED_OVER = ("", "term", "transacGrp", "ref", "date")
_KEPT_SHAPES = 2048
_KEPT_LAYOUTS = 256
"""So many of each shape."""

_ROLES = {  # in the order of `Said`
    "status": ("administrativeStatus", "normativeAuthorization", "status", "termStatus", "xStatus"),
    "needed": ("translation needed", "translationNeeded", "translationNote", "translatable", "xTranslatable"),
    "verbatim": ("doNotTranslate", "do not translate", "nonTranslatable", "dnt"),
    "forbidden": ("forbidden", "isForbidden", "xForbidden", "prohibited"),
    "case": ("caseSensitive", "caseSensitivity", "case"),
    "note": ("note", "usage note", "usageNote", ""),
    "definition": ("definition",),
    "subject": ("subjectField",),
    "part_of_speech": ("partOfSpeech",),
}
_ROLE_BY_NAME = {name.lower(): role for role, names in _ROLES.items() for name in names}
_OF_CONCEPT = {role: role for role in ("needed", "verbatim", "note", "definition", "subject")}
_OF_SOURCE = {role: role for role in _ROLES if role != "forbidden"}
_OF_TARGET = {role: role for role in ("status", "forbidden", "note", "part_of_speech")}
_OF_TARGET |= {"definition": "note"}
"""Which facts are of use, and as which; the others are extra."""

Places = tuple[int, ...]
"""Elements of an entry, counted in the file's order from the entry itself on."""


class Said(NamedTuple):
    """Where things are said of a concept or a term, by their roles; `extra` are those of other names."""

    status: Places = ()
    needed: Places = ()
    verbatim: Places = ()
    forbidden: Places = ()
    case: Places = ()
    note: Places = ()
    definition: Places = ()
    subject: Places = ()
    part_of_speech: Places = ()
    extra: tuple[tuple[str, int], ...] = ()


NOTHING = Said()


class TermLayout(NamedTuple):
    """Where a term is: the number of its language, its text, and what is said of it.

    texts
        The first that is not empty is the term.
    as_source
        What is said of it and of its concept, where it is a source term.
    as_target
        What is said of it, where it is a target.
    """

    language: int
    texts: Places
    as_source: Said
    as_target: Said


Layout = tuple[TermLayout, ...]
"""Where the terms of an entry are."""


def renumber(layout: Layout, places: Sequence[int]) -> Layout:
    """Return a layout of entries that have nothing but the elements at these places.

    >>> term = TermLayout(0, (7,), Said(note=(3,)), Said(extra=(("termType", 9),)))
    >>> ((_, texts, said, other),) = renumber((term,), [3, 7, 9])
    >>> texts, said.note, other.extra
    ((1,), (0,), (('termType', 2),))
    """
    new = {place: number for number, place in enumerate(places)}

    def change(said: Said) -> Said:
        if not any(said):
            return NOTHING
        roles = [tuple([new[place] for place in role]) for role in said[:-1]]
        return Said._make([*roles, tuple([(name, new[place]) for name, place in said.extra])])

    return tuple(
        TermLayout(language, tuple([new[place] for place in texts]), change(as_source), change(as_target))
        for language, texts, as_source, as_target in layout
    )


class Shape:
    """The structure of an entry, whatever the `type` of its elements.

    sections, facts
        The elements with a language, and those that say something.
    texts, mixed
        The elements whose text is read, and of these the ones with other elements in it.
    pair
        If there is nothing but one term in either of two languages, the language and the text of each.
    """

    def __init__(self, tags: Sequence[object], sizes: Sequence[int]) -> None:
        tree = _Tree(tags, sizes)
        self._names: dict[int, str] = {}
        self._terms: list[tuple[int, Places, Places]] = []
        self._of_all: list[int] = []
        self.sections: list[int] = []
        for child in tree.children(0):
            if tree.names[child] in LANGUAGES:
                self._add_language(tree, child)
            else:
                self._of_all += self._add_facts(tree, [child])
        self.facts = tuple(sorted(self._names))
        self.texts = [*self.facts, *(place for _, texts, _ in self._terms for place in texts)]
        self.mixed = [place for place in self.texts if sizes[place]]
        self.pair = self._find_pair()
        self._layouts: dict[tuple[str | None, ...], Layout] = {}

    def layout(self, types: tuple[str | None, ...]) -> Layout:
        """Return the layout of an entry of this shape, in which the facts have these types."""
        layout = self._layouts.get(types)
        if layout is None:
            if len(self._layouts) >= _KEPT_LAYOUTS:
                self._layouts.clear()
            layout = self._layouts[types] = self._find_layout(types)
        return layout

    def _add_language(self, tree: "_Tree", section: int) -> None:
        children = list(tree.children(section))
        of_all = self._add_facts(tree, [child for child in children if tree.names[child] not in _TERMS])
        for child in children:
            if tree.names[child] == "term":
                self._terms.append((len(self.sections), (child,), tuple(of_all)))
            elif tree.names[child] in _TERMS:
                own = self._add_facts(tree, tree.children(child))
                self._terms.append((len(self.sections), tuple(tree.texts(child)), (*own, *of_all)))
        self.sections.append(section)

    def _add_facts(self, tree: "_Tree", places: Iterable[int]) -> list[int]:
        found = dict(fact for place in places for fact in tree.facts(place))
        self._names |= found
        return [*found]

    def _find_pair(self) -> tuple[int, int, int, int] | None:
        if self.facts or self.mixed or len(self.texts) != 2 or [term[0] for term in self._terms] != [0, 1]:
            return None
        return self.sections[0], self.texts[0], self.sections[1], self.texts[1]

    def _find_layout(self, types: Sequence[str | None]) -> Layout:
        names = {place: kind or self._names[place] for place, kind in zip(self.facts, types, strict=True)}
        shared = _sort(self._of_all, names, _OF_CONCEPT)
        return tuple(
            TermLayout(
                language,
                texts,
                _join(shared, _sort(facts, names, _OF_SOURCE)),
                _sort(facts, names, _OF_TARGET),
            )
            for language, texts, facts in self._terms
        )


@lru_cache(_KEPT_SHAPES)
def find_shape(tags: tuple[object, ...], sizes: tuple[int, ...]) -> Shape:
    """Return the shape of an entry, whose elements are given in their order, each with its children.

    >>> shape = find_shape(("termEntry", "note", "langSet", "tig", "term"), (2, 0, 1, 1, 0))
    >>> layout = shape.layout((None,))
    >>> shape.sections, layout[0].texts, layout[0].as_source.note
    ([2], (4,), (1,))
    """
    return Shape(tags, sizes)


@lru_cache
def local_name(tag: object) -> str:
    """Return an element's name without its namespace; a comment has none."""
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def _sort(places: Sequence[int], names: Mapping[int, str], roles: Mapping[str, str]) -> Said:
    """Return facts by what they are about; those whose role is not asked for are extra."""
    if not places:
        return NOTHING
    found: dict[str, Places] = dict.fromkeys(_ROLES, ())
    extra = []
    for place in places:
        role = roles.get(_ROLE_BY_NAME.get(names[place].lower(), ""))
        if role is None:
            extra.append((names[place], place))
        else:
            found[role] += (place,)
    return Said._make((*found.values(), tuple(extra)))


def _join(said: Said, more: Said) -> Said:
    if said is NOTHING or more is NOTHING:
        return more if said is NOTHING else said
    return Said._make(one + other for one, other in zip(said, more, strict=True))


class _Tree:
    """Elements by their place in the file's order."""

    def __init__(self, tags: Sequence[object], sizes: Sequence[int]) -> None:
        self.names = [local_name(tag) for tag in tags]
        self._sizes = sizes
        self._ends = [0] * len(sizes)  # the place behind all that is in each
        for place in reversed(range(len(sizes))):
            end = place + 1
            for _ in range(sizes[place]):
                end = self._ends[end]
            self._ends[place] = end

    def children(self, place: int) -> Iterator[int]:
        """Yield the elements right in another."""
        child = place + 1
        for _ in range(self._sizes[place]):
            yield child
            child = self._ends[child]

    def texts(self, place: int) -> list[int]:
        """Return the elements with a term's text."""
        return [each for each in range(place, self._ends[place]) if self.names[each] == "term"]

    def facts(self, place: int) -> Iterator[tuple[int, str]]:
        """Yield the elements that say something, and what about if their `type` does not tell."""
        name = self.names[place]
        if name in _PASSED_OVER:
            return
        if name.endswith("Grp"):
            for child in self.children(place):
                yield from self.facts(child)
        else:
            yield place, "" if name in _BY_TYPE else name
