"""Values between a server and the processes that decode for it: a pickle's length, and the pickle."""

import asyncio
import pickle
import socket
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
    return pickle.loads(content)


async def send(connection: socket.socket, value: object) -> None:
    """Send a value on the event loop."""
    await asyncio.get_running_loop().sock_sendall(connection, pack(value))


async def receive(connection: socket.socket) -> Any:
    """Read a value on the event loop, or raise an `EOFError`."""
    (length,) = LENGTH.unpack(await _receive_bytes(connection, LENGTH.size))
    return pickle.loads(await _receive_bytes(connection, length))


async def _receive_bytes(connection: socket.socket, size: int) -> bytearray:
    content = bytearray(size)
    left = memoryview(content)
    while left:
        count = await asyncio.get_running_loop().sock_recv_into(connection, left)
        if not count:
            raise EOFError
        left = left[count:]
    return content
