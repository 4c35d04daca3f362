"""Frames are those of the protocol, by aiohttp's judgement, and compressed ones can be read after any others."""

import asyncio
import zlib

import pytest
from aiohttp import WSMsgType
from aiohttp.base_protocol import BaseProtocol
from aiohttp.http import WebSocketWriter

from citytable.views.frame import LEAST_BYTES, Frame


class Wire(asyncio.Transport):
    """Keeps what is written."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.written += data

    def is_closing(self) -> bool:
        return False


@pytest.mark.parametrize("length", [0, 125, 126, 65_535, 65_536])
async def test_a_frame_is_the_one_that_aiohttp_writes(length: int) -> None:
    payload, wire = b"x" * length, Wire()
    await WebSocketWriter(BaseProtocol(asyncio.get_running_loop()), wire).send_frame(payload, WSMsgType.TEXT)
    assert Frame(payload).plain == wire.written


def test_a_compressed_frame_can_be_read_after_any_other() -> None:
    payloads = [b'{"scene": %d}' % number * 40 for number in range(3)]
    reader = zlib.decompressobj(wbits=-15)
    for payload in (payloads[2], payloads[0], payloads[2], payloads[1]):
        frame = Frame(payload).deflated
        assert frame[0] == 0xC1
        assert len(frame) < len(payload) / 4
        assert reader.decompress(frame[2 if frame[1] < 126 else 4 :] + b"\x00\x00\xff\xff") == payload


def test_what_is_short_goes_as_it_is() -> None:
    frame = Frame(b"x" * (LEAST_BYTES - 1))
    assert frame.deflated == frame.plain
