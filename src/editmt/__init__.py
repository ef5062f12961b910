"""EditMT: translation by editing.

A complete implementation of EDITOR (Xu & Carpuat, TACL 2021). Start reading at `editmt.edits`: its three
actions are what the oracle teaches, what a model decides, what is applied, recorded, counted and shown.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from editmt.version import __version__

if TYPE_CHECKING:
    from editmt.config import DecodingConfig
    from editmt.decoding.request import Request
    from editmt.decoding.translation import Translation
    from editmt.decoding.translator import Translator

__all__ = ["DecodingConfig", "Request", "Translation", "Translator", "__version__"]

_HOMES = {
    "DecodingConfig": "editmt.config",
    "Request": "editmt.decoding.request",
    "Translation": "editmt.decoding.translation",
    "Translator": "editmt.decoding.translator",
}


def __getattr__(name: str) -> Any:
    """Load what is asked for only then: every command loads this package, and few of them translate."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
