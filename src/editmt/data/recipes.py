"""Corpora by name: which files they are, where they come from, and how the text is cut into tokens."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import TypeAlias

from editmt.data.filters import LengthFilter
from editmt.data.texts import DEFAULT_SAMPLE, SentencePieceText, TextSettings
from editmt.errors import InputError


@dataclass(frozen=True)
class PublicFile:
    """A file at its public home; in a mirror it is `FOLDER/<corpus>/<name>`.

    `sha256` is None where nobody here has seen the file: what is computed is then shown and recorded, not
    compared. `url` is None where the file is not offered alone, or only to those who signed for it. A `url`
    that ends in .gz gives the file compressed.
    """

    corpus: str
    name: str
    sha256: str | None = None
    url: str | None = None

    @property
    def path(self) -> str:
        """Where the file is in a mirror."""
        return f"{self.corpus}/{self.name}"


@dataclass(frozen=True)
class Passage:
    """Text, one sentence a line: a file, or the member of a .tgz or .zip (SGML if it ends in .sgm)."""

    file: PublicFile
    member: str | None = None


Part: TypeAlias = tuple[Passage, Passage]
"""Source and target of a part of a split; its parts are put one after the other."""


@dataclass(frozen=True)
class Recipe:
    """All that `editmt prepare --recipe NAME` needs to know."""

    name: str
    languages: tuple[str, str]
    homepage: str
    licence: str
    splits: Mapping[str, tuple[Part, ...]]
    text: TextSettings = field(default_factory=SentencePieceText)
    filter: LengthFilter = field(default_factory=LengthFilter)
    sample: int = DEFAULT_SAMPLE

    def files(self) -> list[PublicFile]:
        """Return every file once, in the order they are needed."""
        passages = [passage for parts in self.splits.values() for part in parts for passage in part]
        return list(dict.fromkeys(passage.file for passage in passages))


def find_recipe(name: str) -> Recipe:
    """Return the recipe of this name, or say which name is nearest."""
    from editmt.data.catalogue import RECIPES  # noqa: PLC0415 - made of the classes above

    if name in RECIPES:
        return RECIPES[name]
    nearest = get_close_matches(name, RECIPES, n=1, cutoff=0.5)
    hint = f"did you mean {nearest[0]}?" if nearest else f"there are: {', '.join(RECIPES)}"
    raise InputError(f"no recipe is called {name!r}; {hint}")
