"""The USB port of a Pico as the stream of a serial link; MicroPython calls it stdin and stdout.

Reading more bytes than have arrived would block the whole program, and so would writing more than fits. So both ask
first.
"""

READ_AT_ONCE = 64  # a byte takes some 30 us
WRITE_AT_ONCE = 64  # a packet of USB
LOOK_MS = 2


class UsbReader:
    """Reads `stdin`. `first` is asyncio's stream on it and waits for one byte; `ready()` reports whether there is
    another."""

    def __init__(self, first, stdin, ready):
        self._first = first
        self._stdin = stdin
        self._ready = ready

    async def read(self, n):
        """Return the bytes that have arrived, at least one and at most n."""
        data = await self._first.read(1)
        while len(data) < n and len(data) < READ_AT_ONCE and self._ready():
            data += self._stdin.read(1)
        return data


class UsbWriter:
    """Writes `stdout`. `ready()` reports whether the port takes bytes: it does not while nobody reads at the other
    end."""

    def __init__(self, stdout, ready, sleep_ms):
        self._stdout = stdout
        self._ready = ready
        self._sleep_ms = sleep_ms
        self._data = b""

    def write(self, data):
        """Hold bytes for `drain`."""
        self._data += data

    async def drain(self):
        """Send the bytes. A caller that stops waiting also gives up the rest."""
        data, self._data = self._data, b""
        for k in range(0, len(data), WRITE_AT_ONCE):
            while not self._ready():
                await self._sleep_ms(LOOK_MS)
            self._stdout.write(data[k : k + WRITE_AT_ONCE])
            await self._sleep_ms(0)
