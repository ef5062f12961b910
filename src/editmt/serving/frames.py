"""Values between a server and the processes that decode for it: a pickle's length, and the pickle."""

import pickle
import struct
from typing import Any, Protocol

LENGTH = struct.Struct("!Q")


class Readable(Protocol):
    """What bytes can be read of."""

    def read(self, size: int, /) -> bytes:
        """Read so many bytes, or less at the end."""


def pack(value: object) -> bytes:
    """Return a value's frame.

    >>> import io
    >>> read(io.BytesIO(pack(["any", 1])))
    ['any', 1]
    """
    content = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    return LENGTH.pack(len(content)) + content


def read(stream: Readable) -> Any:
    """Read a value, or raise an `EOFError`."""
    head = stream.read(LENGTH.size)
    if len(head) < LENGTH.size:
        raise EOFError
    (length,) = LENGTH.unpack(head)
    content = stream.read(length)
    if len(content) < length:
        raise EOFError
    return unpack(content)


def unpack(content: bytes | bytearray) -> Any:
    """Return the value of a frame without its length."""
    return pickle.loads(content)
