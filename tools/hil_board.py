"""The boards' side of `tools/hil.py`: it is copied onto them and runs there, on MicroPython."""

import asyncio
import gc
import json
import os
import sys
import time
from array import array

import machine
import rp2

from tablestation.boards import hx711_player
from tablestation.boards.assembly import Workshop
from tablestation.boards.pins.park import PINS
from tablestation.boards.port import Port
from tablestation.clock import ticks_between

PLAYER_SCK, PLAYER_DOUT = 0, 1  # of the second board
ROOM = 16
LOOK_MS = 20
LINE = 100
SILENCE_US = 3_000_000  # after that the trace is over


def read_cell(conversions: int) -> None:
    """Read the first load cell of a park station, as wired by its pin plan. Everything is kept and printed at the end:
    a line that nobody fetches would hold up the reading."""
    port = Port(asyncio, time, os, gc, machine.unique_id(), print)
    cell = Workshop(PINS, port, machine, rp2, time, print).board(["city/0/0"], {}).spots[0].cells[0]
    counts, ticks = array("i", [0] * ROOM), array("i", [0] * ROOM)
    all_counts, all_ticks = array("i", [0] * conversions), array("i", [0] * conversions)
    print(json.dumps({"ready": True}))
    got, last = 0, None
    while got < conversions and (last is None or ticks_between(last, time.ticks_us()) < SILENCE_US):
        time.sleep_ms(LOOK_MS)
        n = min(cell.drain(counts, ticks), conversions - got)
        if n:
            all_counts[got : got + n] = counts[:n]
            all_ticks[got : got + n] = ticks[:n]
            got += n
            last = time.ticks_us()
    for k in range(0, got, LINE):
        n = min(LINE, got - k)
        print(json.dumps({"counts": list(all_counts[k : k + n]), "ticks": list(all_ticks[k : k + n])}))
    print(json.dumps({"lost": cell.lost}))


def play_trace() -> None:
    """Be an HX711, as told line by line over USB."""
    state_machine = rp2.StateMachine(
        0,
        hx711_player.program(rp2),
        in_base=machine.Pin(PLAYER_SCK, machine.Pin.IN, machine.Pin.PULL_DOWN),
        out_base=machine.Pin(PLAYER_DOUT, machine.Pin.OUT, value=1),
        set_base=machine.Pin(PLAYER_DOUT),
    )
    player = hx711_player.Player(state_machine, time.ticks_us, asyncio.sleep_ms)
    stream = asyncio.StreamReader(sys.stdin.buffer)

    async def readline() -> str:
        return (await stream.readline()).decode().strip()

    asyncio.run(hx711_player.serve(player, readline, print))
