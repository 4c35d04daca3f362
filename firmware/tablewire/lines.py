"""Messages over a serial line: one line each, so that a person can read along and a cut one spoils no other.

    <crc> <number> <channel>[!] <payload>\\n

`crc` is the CRC-32 of everything after it up to the end of the line, in eight hexadecimal digits; `number` counts the
lines of a sender in two digits and restarts after ff, so that a line that never came is noticed; `!` marks a payload
to be retained. The payload is a message as it is on any other wire: JSON without line breaks. Everything else on the
line (a program's greeting, half a line after a cable was pulled) is counted and skipped.

Besides the channels of `topics` there is `LINK`, which both ends of a cable keep to themselves: a station says HELLO
with its name and will until the hub says HERE, and the hub goes on saying it as long as it is there. WHO asks a station
to say hello again, and with it everything that is not acknowledged.
"""

import json
from binascii import crc32

from tablewire.topics import is_name

LINK = "link"
HUB_LINES = "hub"  # the channel on which a station hears the hub's own state
HERE, WHO = b"here", b"who"
HERE_MS = 2000  # how often the hub says so
GONE_MS = 3 * HERE_MS  # after so long without a line there is no hub
LINE_BYTES_MAX = 8192 + 64
_HEAD = 12  # the CRC and the number, and a space after each


class LineWriter:
    """Writes messages as lines."""

    def __init__(self) -> None:
        self._number = 0

    def line(self, channel: str, payload: bytes, retain: bool = False) -> bytes:
        """Return the line of one message."""
        if b"\n" in payload:
            raise ValueError("a payload of more than one line: {!r}".format(payload[:60]))
        body = "{:02x} {}{} ".format(self._number, channel, "!" if retain else "").encode() + payload
        self._number = (self._number + 1) & 0xFF
        return "{:08x} ".format(crc32(body)).encode() + body + b"\n"


class LineReader:
    """Reads messages from lines that arrive in pieces of any size."""

    def __init__(self) -> None:
        self._held = b""
        self._skipping = False
        self._expected = -1
        self.bad = 0
        """Lines that were none of ours: garbage, cut or garbled ones, and ones that were too long."""
        self.missed = 0
        """Lines of the other end that never came, as far as their numbers tell."""

    def feed(self, data: bytes) -> None:
        """Take more bytes."""
        self._held += data
        if b"\n" not in self._held and len(self._held) > LINE_BYTES_MAX:
            if not self._skipping:
                self.bad += 1
            self._skipping = True
            self._held = b""

    def take(self) -> tuple[str, bytes, bool] | None:
        """Return the next message as (channel, payload, retain), or None if there is none yet."""
        while True:
            end = self._held.find(b"\n")
            if end < 0:
                return None
            line, self._held = self._held[:end], self._held[end + 1 :]
            if self._skipping:
                self._skipping = False
                continue
            message = self._read(line)
            if message is not None:
                return message
            if line.strip():
                self.bad += 1

    def _read(self, line: bytes) -> tuple[str, bytes, bool] | None:
        if not _HEAD < len(line) <= LINE_BYTES_MAX or line[8:9] != b" " or line[11:12] != b" ":
            return None
        number, crc = _hex(line[9:11]), _hex(line[:8])
        if number < 0 or crc < 0 or crc32(line[9:]) != crc:
            return None
        end = line.find(b" ", _HEAD)
        name = line[_HEAD:end] if end > 0 else b""
        retain = name[-1:] == b"!"
        try:
            channel = str(name[:-1] if retain else name, "ascii")
        except ValueError:
            return None
        if not is_name(channel):
            return None
        if self._expected >= 0:
            self.missed += (number - self._expected) & 0xFF
        self._expected = (number + 1) & 0xFF
        return channel, line[end + 1 :], retain


def hello(table: str, station: str, will: bytes) -> bytes:
    """Return the payload with which a station introduces itself on LINK."""
    return json.dumps({"table": table, "station": station, "will": str(will, "utf-8")}).encode()


class BadHello(ValueError):
    """A hello that makes no sense. The station is at fault; the message quotes what it sent."""


def read_hello(payload: bytes) -> tuple[str, str, bytes]:
    """Return (table, station, will); raise BadHello."""
    try:
        said = json.loads(payload)
    except (ValueError, RuntimeError):
        said = None
    if not isinstance(said, dict):
        raise BadHello("a station's hello is not a JSON object: {!r}".format(payload[:60]))
    will = said.get("will")
    if not isinstance(will, str):
        raise BadHello("a station's hello has {!r} for a will".format(will))
    return _name(said.get("table")), _name(said.get("station")), will.encode()


def _name(name: object) -> str:
    if not isinstance(name, str) or not is_name(name):
        raise BadHello("a station's hello names {!r}: names have 1-32 letters, digits or dashes".format(name))
    return name


def _hex(text: bytes) -> int:
    """Return the number, or -1 unless all digits are lower-case hex: `int` accepts more than we write."""
    value = 0
    for digit in text:
        if 0x30 <= digit <= 0x39:
            place = digit - 0x30
        elif 0x61 <= digit <= 0x66:
            place = digit - 0x61 + 10
        else:
            return -1
        value = value << 4 | place
    return value
