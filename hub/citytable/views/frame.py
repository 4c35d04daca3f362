"""A message of the feed as bytes on the wire, made once for all readers.

A compressed frame refers to nothing before it (RFC 7692, 7.2.1: no context takeover), so that the same bytes suit every
reader, whatever else they have read.
"""

import zlib
from functools import cached_property

WINDOW_BITS = 15
LEAST_BYTES = 256
"""What is shorter hardly becomes smaller, and goes as it is."""
_TEXT, _DEFLATED = 0x81, 0x40
_TAIL = b"\x00\x00\xff\xff"


class Frame:
    """One message: `payload` is its JSON."""

    def __init__(self, payload: bytes) -> None:
        self.payload = payload

    @cached_property
    def plain(self) -> bytes:
        """Return the frame of a server (RFC 6455, 5.2), whole and without a mask."""
        return _framed(_TEXT, self.payload)

    @cached_property
    def deflated(self) -> bytes:
        """Return the frame for a reader who takes permessage-deflate with a window of 15 bits."""
        if len(self.payload) < LEAST_BYTES:
            return self.plain
        deflate = zlib.compressobj(wbits=-WINDOW_BITS)
        data = deflate.compress(self.payload) + deflate.flush(zlib.Z_SYNC_FLUSH)
        return _framed(_TEXT | _DEFLATED, data.removesuffix(_TAIL))


def _framed(first: int, data: bytes) -> bytes:
    length = len(data)
    if length < 126:
        return bytes((first, length)) + data
    if length < 65_536:
        return bytes((first, 126)) + length.to_bytes(2, "big") + data
    return bytes((first, 127)) + length.to_bytes(8, "big") + data
