"""A station on heaps of three quarters of its board's size: every message must find a gap it fits in.

MicroPython never moves an object, so a heap with enough free bytes may lack them in one piece. Which sizes of heap fail
is chance. In every run three are tried for five minutes of virtual time, in a soak thirteen for an hour. The broker is
a mosquitto that freezes twice a minute. `pytest -rP` prints what is left of each heap: free bytes, the largest block,
and the pause that a collection makes.
"""

import json
import threading
from collections import Counter

import paho.mqtt.client as paho
import pytest

from tablewire.messages import encode

pytestmark = pytest.mark.broker

KB = 1000
PICO_W = 205 * KB  # what MicroPython 1.28 leaves a program on a Pico W, radio and lwIP linked
PICO_2_W = 400 * KB  # counted, not linked: 36 kB less than somebody read on one (docs/decisions/0050)
LEAST = PICO_2_W * 3 // 4  # a quarter is to stay free
OTHERS = (LEAST - KB, LEAST + 7 * KB)
EVERY = tuple(range(LEAST - KB, LEAST + 25 * KB, 2 * KB))
RIG = 33 * KB  # what the VM itself and the models take
BRIEFLY_S, LIVES_S, EVENING_S, HOUR_S = 40, 120, 300, 3600
WALL_S = 120  # a station that has no memory left may stand still; and as much again for each two minutes
LONG_FREEZES_EVERY_S = 60
BOARD_EMPTY_HEAP, BOARD_EMPTY_US = 238 * KB, 860  # a collection of an almost empty heap on an RP2040 that is emulated
PIO_KEEPS_US = 86_000  # so long the PIO machines keep conversions that nobody takes
LOST_IN_HALF = 6 * KB  # rounds of a minute are alike: what the second half of an evening takes more is lost for ever
SEAT_SPOTS = [*(f"seat/2/pad/{k}" for k in range(3)), *(f"seat/2/card/{k}" for k in range(3)), "seat/2/bag"]
SEAT_SECRETS = {"plan": "seat", "spots": SEAT_SPOTS, "seat": 2}
PLAY = """
import asyncio
from board_heap import {0}
await asyncio.create_task({0}({1}))
"""
FULL = """
import gc, host_heap
host_heap.hold()
kept = []
try:
    while True:
        kept.append(bytearray(1024))
except MemoryError:
    n = len(kept)
    kept = None
    print(n)
"""
CHUNK = {"type": "chunk", "bundle": "0" * 64, "k": 0, "data": "A" * 2732}

HEAPS = [
    ("sector", LEAST, EVENING_S),
    *[pytest.param("sector", heap, EVENING_S, marks=pytest.mark.long(30)) for heap in OTHERS],
    *[pytest.param(kind, heap, HOUR_S, marks=pytest.mark.soak) for kind in ("sector", "seat") for heap in EVERY],
]


class Hub:
    """Acknowledges every event. At each health message it asks for lights, pings, and sends a chunk of an update."""

    def __init__(self, port, spots):
        self._spots = spots
        self._there = threading.Event()
        self.heard = Counter()
        self._client = client = paho.Client(paho.CallbackAPIVersion.VERSION2, client_id="hub")
        client.on_connect = lambda *_: client.subscribe("citytable/1/cafe/north/#", 1)
        client.on_subscribe = lambda *_: self._there.set()
        client.on_message = self._hear
        client.connect("127.0.0.1", port)

    def __enter__(self):
        self._client.loop_start()
        assert self._there.wait(timeout=10)
        return self

    def __exit__(self, *_):
        self._client.disconnect()
        self._client.loop_stop()

    def _hear(self, _client, _userdata, heard):
        channel = heard.topic.rpartition("/")[2]
        self.heard[channel] += 1
        if channel == "event":
            event = json.loads(heard.payload)
            self._say("ack", {"type": "ack", "boot": event["boot"], "event_seq": event["event_seq"]})
        elif channel == "health":
            self._speak(self.heard["health"])

    def _speak(self, k):
        rings = [{"spot": spot, "rgb": [k % 90, 40, 0], "pattern": "march"} for spot in self._spots]
        self._say("light", {"type": "light", "rings": rings})
        self._say("ping", {"type": "ping", "id": k})
        self._say("command", CHUNK)

    def _say(self, channel, message):
        self._client.publish(f"citytable/1/cafe/north/{channel}", encode(message), 1)


def _board(vm, heap, main, **more):
    """Return the line of a job on a heap that has so many bytes for program and data."""
    held = (heap + RIG) * 131 // 128  # three bits for each block of 16 bytes are the collector's own
    (line,) = vm.run(main, heap=held, **more).told
    return line


@pytest.fixture
def lives(newest, compiled, mosquitto, sector_secrets):
    """`lives(heap, seconds)`: what became of a sector, or of a station of another kind, on this heap; it prints that.

    Only the newest VM can wait for a network on a heap that is held.
    """

    def live(heap, seconds=BRIEFLY_S, tls=False, kind="sector"):
        secrets = sector_secrets | ({} if kind == "sector" else SEAT_SECRETS)
        yardstick = _board(newest, BOARD_EMPTY_HEAP, PLAY.format("empty", ""), net="streams", broker=mosquitto.pid)
        with Hub(mosquitto.port, secrets["spots"]) as hub:
            story = _board(
                newest,
                heap,
                PLAY.format("evening", f"{seconds}, {kind!r}, {tls}"),
                files={"/secrets.json": json.dumps(secrets | {"port": mosquitto.port})},
                folders=compiled.folders(newest),
                net="streams",
                broker=mosquitto.pid,
                wall_s=WALL_S * (1 + seconds // LIVES_S),
            )
        assert abs(story["heap"] - heap) < 2 * KB
        story["pause_us"] = round(story["collection_us"] / yardstick["collection_us"] * BOARD_EMPTY_US)
        print(story | hub.heard)
        return story, hub.heard

    return live


def test_a_held_heap_is_full_when_it_is_full(vm):
    assert 180 <= int(vm.run(FULL, heap=PICO_W).out) <= 200


@pytest.mark.parametrize(("kind", "heap", "seconds"), HEAPS)
def test_a_station_lives_through_an_evening(lives, kind, heap, seconds):
    story, heard = lives(heap, seconds, kind=kind)
    assert story["failures"] == []
    assert story["pause_us"] < PIO_KEEPS_US / 2
    assert story["lost_in_half"] < LOST_IN_HALF
    assert story["connections"] > seconds // LONG_FREEZES_EVERY_S  # so often the broker froze for longer than it may
    assert heard["samples"] > seconds
    assert heard["event"] > seconds // 8


@pytest.mark.parametrize("heap", [LEAST, *[pytest.param(heap, marks=pytest.mark.soak) for heap in EVERY]])
def test_at_each_connection_the_buffers_of_tls_find_their_place(lives, heap):
    story, _ = lives(heap, LIVES_S, tls=True)
    assert story["failures"] == []
    assert story["connections"] > LIVES_S // LONG_FREEZES_EVERY_S


@pytest.mark.parametrize("kind", ["sector", "seat"])
def test_a_quarter_of_the_heap_of_the_board_we_chose_stays_free(lives, kind):
    story, _ = lives(PICO_2_W, kind=kind)
    assert story["failures"] == []
    assert story["left_free"] > PICO_2_W / 4


def test_what_the_imports_left_behind_is_freed_before_the_station_begins(lives):
    story, _ = lives(PICO_W, seconds=1)
    assert story["freed"] > 20 * KB
