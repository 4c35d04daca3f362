"""asyncio's streams over the runner's TCP: `install()` puts `open_connection` where MicroPython on a board has it."""

import asyncio
from errno import ECONNREFUSED, ECONNRESET

import host_net
from uctypes import addressof

_UNSENT_MAX = 16_384
_POLL_MS = 20
_READ_MAX = 4096


class Stream:
    """Reader and writer in one, as MicroPython's own."""

    def __init__(self, number):
        self._number = number
        self._out = b""

    async def read(self, n=-1):
        """Up to n bytes; b"" at the end."""
        while not host_net.ready(self._number):
            await asyncio.sleep_ms(_POLL_MS)
        data = bytearray(n if n >= 0 else _READ_MAX)
        length = host_net.take(self._number, addressof(data), len(data))
        return bytes(memoryview(data)[:length])

    async def readexactly(self, n):
        """n bytes, or EOFError."""
        data = b""
        while len(data) < n:
            more = await self.read(n - len(data))
            if not more:
                raise EOFError
            data += more
        return data

    async def readline(self):
        """Up to the end of a line."""
        data = b""
        while not data.endswith(b"\n"):
            more = await self.read(1)
            if not more:
                break
            data += more
        return data

    def write(self, data):
        """To be sent by `drain`."""
        self._out += bytes(data)

    async def drain(self):
        """Send; wait while the other end takes nothing."""
        out, self._out = self._out, b""
        if out and host_net.write(self._number, addressof(out), len(out)) < 0:
            raise OSError(ECONNRESET)
        while host_net.unsent(self._number) > _UNSENT_MAX:
            await asyncio.sleep_ms(_POLL_MS)

    def close(self):
        """No more."""
        host_net.close(self._number)

    async def wait_closed(self):
        """It is."""
        self.close()


async def open_connection(host, port, ssl=None):
    """(reader, writer), or OSError."""
    if ssl is not None:
        raise ValueError("the runner speaks no TLS")
    number = host_net.open(host, port)
    while not host_net.opened(number):
        if host_net.ended(number):
            raise OSError(ECONNREFUSED)
        await asyncio.sleep_ms(_POLL_MS)
    stream = Stream(number)
    return stream, stream


def install():
    """Where the station program finds it."""
    asyncio.open_connection = open_connection
