"""Attributes of a start tag, changed in its bytes: all others stay as they are."""

import re
from collections.abc import Mapping
from xml.sax.saxutils import escape

_ATTRIBUTE = re.compile(rb"\s+([^\s=/>\"']+)\s*=\s*(?:\"[^\"]*\"|'[^']*')")
_END = re.compile(rb"\s*/?>$")


def set_attributes(tag: bytes, values: Mapping[str, str | None]) -> bytes:
    r"""Return a start tag with these attributes, and without those that are None.

    >>> set_attributes(b'<target id = "state=1" state=\'new\'/>', {"state": "final", "id": None, "x": "y"})
    b'<target state="final" x="y"/>'
    """
    left = {name.encode(): value for name, value in values.items()}
    parts, end = [], 0
    for found in _ATTRIBUTE.finditer(tag):
        if found[1] in left:
            before = tag[end : found.start(1)] if left[found[1]] is not None else tag[end : found.start()]
            parts += [before, _spell(found[1], left.pop(found[1]))]
            end = found.end()
    closing = _END.search(tag)
    assert closing is not None  # a start tag ends so
    new = [b" " + _spell(name, value) for name, value in left.items() if value is not None]
    return b"".join([*parts, tag[end : closing.start()], *new, closing[0]])


def _spell(name: bytes, value: str | None) -> bytes:
    return b"" if value is None else name + b'="' + escape(value, {'"': "&quot;"}).encode() + b'"'
