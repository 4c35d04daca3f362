"""PN532 tag reader on SPI (NXP UM0701-02): reads the UID of a tag, and the pages of an NTAG.

Every wait uses the `sleep_ms` passed in, every answer has a deadline, and every frame's checksums are checked. A
field is on only while its reader holds the lock: two fields at once disturb each other. After nonsense the chip is
stopped and asked once more; after silence it is woken and set up again at the next call.
"""

from binascii import hexlify
from errno import EINVAL, EIO, ENODEV, ENOENT

_DATA_WRITE = 0x80  # 0x01, 0x02 and 0x03 with the least significant bit first
_STATUS_READ = 0x40
_DATA_READ = 0xC0
_TO_CHIP = 0xD4
_TO_HOST = 0xD5
_FIRMWARE = 0x02
_PARAMETERS = 0x12
_SAM = 0x14
_RF = 0x32
_LIST = 0x4A
_EXCHANGE = 0x40
_READ_PAGES = 0x30
_FIELD, _MAX_RETRIES = 0x01, 0x05  # items of _RF
_ATR_ONLY = 0x04  # parameters: what is on at power on, but no conversation with telephones and bank cards (RATS)
_IC = 0x32
RETRIES = 1  # to find a tag: each takes some 5 ms; a missed one is looked for again in the next round

POLL_MS = 3
REST_MS = 50  # before a reader that failed is tried again: others have better use for the time
WAKE_MS = 3  # from its select line to the first bit it hears
SELECT_MS = 1  # others found that without it a chip misses what comes first
ACK_POLLS = 8  # the manual gives it 15 ms
ANSWER_POLLS = 10
LIST_POLLS = 40
EXCHANGE_POLLS = 30  # it waits 51 ms itself for a tag that is gone
_REPLY_MAX = 24  # bytes of data in the longest reply we ask for: a target with 10 bytes of UID has 18, pages 19
_FRAME = 7  # bytes around them: preamble, start, length and its sum, sum, postamble
_ACK = b"\x00\x00\xff\x00\xff\x00"

_TURNED = bytes([sum([(byte >> k & 1) << (7 - k) for k in range(8)]) for byte in range(256)])
_STOP = bytes([_DATA_WRITE]) + bytes([_TURNED[byte] for byte in _ACK])  # the host's ACK ends what is going on
_POLL = bytes([_STATUS_READ, 0])


class _Garbled(Exception):
    """The reply does not answer the command."""


class PN532:
    """One reader. `cs(level)` drives its select line; all readers of the station share `lock`."""

    def __init__(self, spi, cs, sleep_ms, lock):
        self._spi = spi
        self._cs = cs
        self._sleep_ms = sleep_ms
        self._lock = lock
        self._awake = False
        self._failed = False  # the last time
        self._out = bytearray(20)
        self._n = 0
        self._state = bytearray(2)
        buffer = bytearray(1 + _FRAME + 2 + _REPLY_MAX)
        self._in = buffer
        self._in_ack = memoryview(buffer)[: 1 + len(_ACK)]
        self._reply = 0  # where its data begin in _in
        cs(1)

    async def read(self):
        """Return the UID of the tag in the field as lower-case hex, or None; raise OSError if the reader is silent."""
        found, _, _ = await self._with_field(0, 0)
        return found

    async def pages(self, first, n):
        """Return `n` pages of four bytes from page `first` on; raise OSError if there is no tag or no such pages."""
        if not (first >= 0 and n >= 1 and first + n <= 256):
            raise OSError(EINVAL, "pages {} to {}: a tag has at most pages 0 to 255".format(first, first + n - 1))
        found, data, state = await self._with_field(first, n)
        if found is None:
            raise OSError(ENOENT, "no tag lies on the reader")
        if state:
            page = first + len(data) // 4
            raise OSError(EIO, "tag {} did not give page {}: state 0x{:02x}".format(found, page, state))
        return data

    async def _with_field(self, first, n):
        """Return (UID or None, data of n pages, state), with the field on for this reader only, and off at the end."""
        if self._failed:
            await self._sleep_ms(REST_MS)
        await self._lock.wait(self._sleep_ms)
        done = False
        try:
            if self._lock.owing is not None:
                await self._lock.owing._quieten()
                self._lock.owing = None
            await self._begin()
            found = await self._find()
            data, state = await self._read_pages(first, n) if found and n else (b"", 0)
            self._put(_RF, _FIELD, 0x00)
            await self._call(0, ANSWER_POLLS)
            done = True
        finally:
            self._failed = not done
            if not done:  # silent, talking nonsense, or we were stopped: its field may be on
                self._awake = False
                self._lock.owing = self
            self._lock.release()
        return found, data, state

    async def _quieten(self):
        """Abort the present command and switch the field off, if the chip still listens."""
        try:
            await self._send(_STOP)
            self._put(_RF, _FIELD, 0x00)
            await self._once(0, ANSWER_POLLS)
        except (OSError, _Garbled):  # what is wrong with it has been told already
            await self._sleep_ms(POLL_MS)

    async def _begin(self):
        if self._awake:
            return
        await self._select(WAKE_MS, None)
        self._put(_SAM, 0x01, 0x00, 0x00)
        await self._call(0, ANSWER_POLLS)
        self._put(_FIRMWARE)
        await self._call(4, ANSWER_POLLS)
        if self._in[self._reply] != _IC:
            raise OSError(ENODEV, "not a PN532: it reports IC 0x{:02x}".format(self._in[self._reply]))
        self._put(_PARAMETERS, _ATR_ONLY)
        await self._call(0, ANSWER_POLLS)
        self._put(_RF, _MAX_RETRIES, 0xFF, 0x01, RETRIES)
        await self._call(0, ANSWER_POLLS)
        self._awake = True

    async def _find(self):
        """Find a tag. Of several tags, the chip's anticollision always finds the same one."""
        self._put(_LIST, 1, 0)
        n = await self._call(_REPLY_MAX, LIST_POLLS)
        at = self._reply
        seen = self._in
        if not n or not seen[at]:
            return None
        size = seen[at + 5] if n > 5 else 0
        if size not in (4, 7, 10) or n < 6 + size:
            raise OSError(EIO, "the tag reader reported a UID of {} bytes".format(size))
        return hexlify(memoryview(seen)[at + 6 : at + 6 + size]).decode()

    async def _read_pages(self, first, n):
        """Return (data, 0), or (the data so far, the chip's error) if the tag did not answer."""
        data = bytearray()
        while len(data) < 4 * n:
            self._put(_EXCHANGE, 1, _READ_PAGES, first + len(data) // 4)
            got = await self._call(_REPLY_MAX, EXCHANGE_POLLS)
            state = self._in[self._reply] if got else 0xFF
            if state or got < 17:
                return data, state or 0xFF
            data += memoryview(self._in)[self._reply + 1 : self._reply + 17]
        return bytes(data[: 4 * n]), 0

    def _put(self, command, *parameters):
        """Build the frame in reversed bit order, after the byte that announces it."""
        out = self._out
        n = 2 + len(parameters)
        out[0] = _DATA_WRITE
        out[1] = out[2] = 0
        out[3] = 0xFF
        out[4] = _TURNED[n]
        out[5] = _TURNED[-n & 0xFF]
        out[6] = _TURNED[_TO_CHIP]
        out[7] = _TURNED[command]
        total = _TO_CHIP + command
        for k in range(len(parameters)):
            out[8 + k] = _TURNED[parameters[k]]
            total += parameters[k]
        out[6 + n] = _TURNED[-total & 0xFF]
        out[7 + n] = 0
        self._n = 8 + n
        self._command = command

    async def _call(self, size, polls):
        """Send the frame; return the number of data bytes in the reply, which begin at `_reply` in `_in`."""
        for again in (True, False):
            try:
                return await self._once(size, polls)
            except _Garbled as garbled:
                await self._send(_STOP)
                await self._sleep_ms(POLL_MS)
                if not again:
                    raise OSError(EIO, "the tag reader sends invalid data: {}".format(garbled.args[0])) from None
        return 0

    async def _once(self, size, polls):
        await self._send(memoryview(self._out)[: self._n])
        await self._until_ready(ACK_POLLS, "acknowledge")
        await self._receive(self._in_ack)
        if self._in[1:7] != _ACK:
            raise _Garbled("no ACK but {}".format(hexlify(self._in[1:7]).decode()))
        await self._until_ready(polls, "answer")
        await self._receive(memoryview(self._in)[: 1 + _FRAME + 2 + size])
        return self._unpack(size)

    async def _until_ready(self, polls, what):
        for _ in range(polls):
            await self._sleep_ms(POLL_MS)
            self._cs(0)
            self._spi.write_readinto(_POLL, self._state)
            self._cs(1)
            if self._state[1] == _DATA_WRITE:  # 0x01 turned round: ready
                return
        await self._send(_STOP)
        raise OSError(
            EIO,
            "the tag reader does not {} (it says 0x{:02x}): check its cable and power".format(
                what, _TURNED[self._state[1]]
            ),
        )

    async def _select(self, ms, transfer, *buffers):
        """Select the chip, wait, run the transfer, and release the chip whatever happens."""
        self._cs(0)
        try:
            await self._sleep_ms(ms)
            if transfer is not None:
                transfer(*buffers)
        finally:
            try:
                self._cs(1)
            except OSError:  # the expander is silent, and the next select tells; when it answers it puts this one right
                self._awake = False

    async def _send(self, data):
        await self._select(SELECT_MS, self._spi.write, data)

    async def _receive(self, buffer):
        buffer[0] = _DATA_READ
        for k in range(1, len(buffer)):
            buffer[k] = 0
        await self._select(SELECT_MS, self._spi.write_readinto, buffer, buffer)
        for k in range(len(buffer)):
            buffer[k] = _TURNED[buffer[k]]

    def _unpack(self, size):
        """Find and check the frame; return how many bytes of data it has."""
        seen = self._in
        at = 1
        while at < 4 and not seen[at]:
            at += 1
        if seen[at] != 0xFF or at == 1:
            raise _Garbled("no frame begins in {}".format(hexlify(seen[1:6]).decode()))
        n = seen[at + 1]
        if (n + seen[at + 2]) & 0xFF or not 1 <= n <= size + 2:
            raise _Garbled("length {} with checksum 0x{:02x}".format(n, seen[at + 2]))
        if sum(seen[at + 3 : at + 4 + n]) & 0xFF:
            raise _Garbled("wrong checksum")
        if n == 1 or seen[at + 3] != _TO_HOST or seen[at + 4] != self._command + 1:
            raise _Garbled("0x{:02x}{:02x} in answer to 0x{:02x}".format(seen[at + 3], seen[at + 4], self._command))
        self._reply = at + 5
        return n - 2
