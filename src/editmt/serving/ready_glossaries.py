"""Glossaries that have been got ready to be found in texts, which takes seconds for a large one."""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence

from editmt.serving.glossary_store import MOST_ENTRIES, GlossaryStore, Pair
from editmt.serving.problems import Problem
from editmt.text.glossary import Entry, Glossary

MOST_KEPT = 8
"""Glossaries that stay ready; of their entries there are no more than one may have."""

Place = tuple[Pair, tuple[tuple[str, str], ...]]
"""A pair of languages, and glossaries' names, each with the mark of its last change."""


class ReadyGlossaries:
    """Those that were used last.

    They are got ready one after the other, so that no more than one of the threads is busy with it that all
    requests share: eight that asked for the same large glossary held all others up for as long as it took.
    """

    def __init__(self, store: GlossaryStore) -> None:
        self._store = store
        self._kept: OrderedDict[Place, Glossary] = OrderedDict()  # belongs to the event loop
        self._preparing = asyncio.Lock()

    async def find(self, owner: str, identities: Sequence[str], pair: Pair) -> Glossary:
        """Return an owner's glossaries as one."""
        place = await asyncio.to_thread(self._place, owner, identities, pair)
        if place not in self._kept:
            async with self._preparing:
                if place not in self._kept:  # another may have asked for the same
                    await self._prepare(owner, place)
        self._kept.move_to_end(place)
        return self._kept[place]

    def _place(self, owner: str, identities: Sequence[str], pair: Pair) -> Place:
        names = dict.fromkeys(identities)
        return pair, tuple((name, self._store.revision(owner, name, pair)) for name in names)

    async def _prepare(self, owner: str, place: Place) -> None:
        """Get it ready; those that were not used for longest make room for it."""
        entries = await asyncio.to_thread(self._read, owner, place)
        while self._kept and (
            len(self._kept) >= MOST_KEPT
            or sum(len(each.entries) for each in self._kept.values()) + len(entries) > MOST_ENTRIES
        ):
            self._kept.popitem(last=False)
        self._kept[place] = await asyncio.to_thread(_make_ready, entries)

    def _read(self, owner: str, place: Place) -> tuple[Entry, ...]:
        pair, names = place
        entries = tuple(entry for name, _ in names for entry in self._store.entries(owner, name, pair))
        if len(entries) > MOST_ENTRIES:
            raise Problem(413, f"the glossaries have {len(entries):,} entries, and may have {MOST_ENTRIES:,}")
        return entries


def _make_ready(entries: tuple[Entry, ...]) -> Glossary:
    glossary = Glossary(entries)
    glossary.find("")  # makes its automaton
    return glossary
