"""Documents: plain text, gettext's PO, XLIFF 1.2 and 2.x."""

from pathlib import Path

from editmt.errors import InputError
from editmt.text.documents.accelerators import WithAccelerators
from editmt.text.documents.document import Document, TextUnit
from editmt.text.documents.plain import PlainText
from editmt.text.documents.po import PoFile
from editmt.text.documents.xliff import XliffFile

__all__ = ["Document", "TextUnit", "read_document"]

_XLIFF_ENDINGS = (".xlf", ".xliff", ".mxliff", ".sdlxliff", ".mqxliff")
_PO_ENDINGS = (".po", ".pot")


def read_document(path: Path, target_language: str = "") -> Document:
    """Read a document, whose format its name tells, or its beginning."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    try:
        name = path.name.lower()
        if name.endswith(_XLIFF_ENDINGS) or b"<xliff" in data[:2000].replace(b"\0", b""):
            return WithAccelerators(XliffFile(data, target_language))
        return WithAccelerators(PoFile(data)) if name.endswith(_PO_ENDINGS) else PlainText(data)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
