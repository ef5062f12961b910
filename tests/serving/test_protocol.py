"""The connection: what is written together goes out together, in order, before it is closed."""

import asyncio

from editmt.serving.protocol import GatheringTransport


class Wire:
    """A transport that notes what it is told."""

    def __init__(self):
        self.told = []
        self.closing = False

    def write(self, data):
        self.told.append(data)

    def close(self):
        self.closing = True
        self.told.append("end")

    def is_closing(self):
        return self.closing

    def get_extra_info(self, name):
        return name


def use(steps):
    """Let steps use a connection, each in a turn of the event loop of its own; return what came of it."""

    async def go():
        wire = Wire()
        transport = GatheringTransport(wire, asyncio.get_running_loop())
        for step in steps:
            step(transport)
            await asyncio.sleep(0)
        return wire.told

    return asyncio.run(go())


def write(*parts):
    return lambda transport: [transport.write(part) for part in parts]


def test_a_head_and_its_body_are_sent_at_once():
    assert use([write(b"head ", b"body"), write(b"next")]) == [b"head body", b"next"]


def test_what_is_left_is_sent_before_the_end():
    assert use([lambda transport: (transport.write(b"a"), transport.close())]) == [b"a", "end"]


def test_nothing_is_sent_after_the_end():
    assert use([lambda transport: transport.close(), write(b"late")]) == ["end"]


def test_all_else_is_the_connections_own():
    found = []
    use([lambda transport: found.append(transport.get_extra_info("peername"))])
    assert found == ["peername"]
