"""The USB port as a stream: never a byte more than has come, never a byte more than fits."""

import asyncio

import pytest

from tablestation.boards.usb import READ_AT_ONCE, WRITE_AT_ONCE, UsbReader, UsbWriter


class Port:
    """stdin and stdout of a board; reading when nothing has come, or writing when nothing fits, would stop it."""

    def __init__(self, came=b"", room=1 << 20):
        self.came = bytearray(came)
        self.room = room
        self.sent = bytearray()
        self.naps = 0

    def has_come(self):
        return len(self.came) > 0

    def takes(self):
        return self.room >= WRITE_AT_ONCE

    def read(self, n):
        assert len(self.came) >= n, "the board stands still"
        data = bytes(self.came[:n])
        del self.came[:n]
        return data

    def write(self, data):
        assert len(data) <= self.room, "the board stands still"
        self.room -= len(data)
        self.sent += data

    async def sleep_ms(self, ms):
        self.naps += 1
        if ms:
            self.room += 10
        await asyncio.sleep(0)


class First:
    """asyncio's stream on stdin."""

    def __init__(self, port):
        self._port = port

    async def read(self, n):
        assert n == 1
        return self._port.read(1)


@pytest.mark.parametrize(("came", "n", "got"), [(b"a", 256, 1), (b"abc", 2, 2), (b"x" * 200, 256, READ_AT_ONCE)])
async def test_what_has_come_is_read_and_no_more(came, n, got):
    port = Port(came)
    data = await UsbReader(First(port), port, port.has_come).read(n)
    assert data == came[:got]
    assert bytes(port.came) == came[got:]


async def test_what_does_not_fit_waits_while_others_run():
    port = Port(room=100)
    writer = UsbWriter(port, port.takes, port.sleep_ms)
    line = bytes(range(200)) + b"\n"
    writer.write(line)
    await writer.drain()
    assert bytes(port.sent) == line
    assert port.naps > len(line) // WRITE_AT_ONCE


async def test_whoever_gives_up_has_given_up_the_rest_of_the_line():
    port = Port(room=WRITE_AT_ONCE)
    port.sleep_ms = lambda ms: asyncio.sleep(3600 if ms else 0)
    writer = UsbWriter(port, port.takes, port.sleep_ms)
    writer.write(b"a" * 100)
    task = asyncio.create_task(writer.drain())
    for _ in range(5):
        await asyncio.sleep(0)
    task.cancel()
    port.room = 1 << 20
    writer.write(b"next\n")
    await writer.drain()
    assert bytes(port.sent) == b"a" * WRITE_AT_ONCE + b"next\n"
