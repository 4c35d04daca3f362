"""A whole Pico on the real VM: its own program, from secrets and pin plan to chips at their pins, in virtual time.

What a Pico's MicroPython brings itself is stood in for: `machine`, `rp2` and `network`, with models of the chips on
the wires of a park station; and the link, which writes down what is said.
"""

import json
from base64 import b64encode
from textwrap import dedent, indent

import pytest

pytestmark = pytest.mark.long(25)

BENCH = """
import asyncio, json, os, random, sys, time
import host_clock

from proving.hardware import Hardware
from tablestation.boards.pins.park import PINS
from tabletwin.chips.hx711 import Bridge, Hx711
from tabletwin.chips.i2c import I2C
from tabletwin.chips.lis3dh import Lis3dh
from tabletwin.chips.pn532 import Pn532, Tag
from tabletwin.chips.spi import SPI
from tabletwin.chips.ws2812 import Chain

hardware = Hardware()
machine, wires = hardware.machine, hardware.wires
place = PINS["places"][0]
sck, dout, _ = place["cells"][0]
load = [400]
chip = Hx711(wires, dout, sck, Bridge(lambda t_us: load[0], counts_per_g=2147, noise_counts=30))
spi = SPI(hardware.clock)
machine.buses["spi", 0] = spi
reader = Pn532(hardware.clock)
reader.tags = [Tag(bytes([4, 1, 2, 3, 4, 5, 6]))]
select = spi.attach(reader)
wires.wire(place["cs"]).drive(1, 0)
wires.wire(place["cs"]).listen(select.hear)
strip = Chain(wires, PINS["strip"]["pin"], 12)
i2c = machine.buses["i2c", PINS["i2c"]["bus"]] = I2C(hardware.clock)
knocked_us = [-1]
accelerometer = Lis3dh(hardware.clock, lambda t_us: (0, 0, 1300 if 0 <= t_us - knocked_us[0] < 4000 else 1000))
i2c.attach(accelerometer)


class Network:
    STA_IF = 0
    def country(self, code): pass
    def hostname(self, name): pass
    def WLAN(self, interface): return self
    def active(self, on): pass
    def config(self, pm): pass
    def connect(self, ssid, key): pass
    def status(self): return 3


class Ssl:
    "MicroPython's module, as far as a board needs it: writes down what it is asked for."
    PROTOCOL_TLS_CLIENT, CERT_REQUIRED = 0, 2
    def SSLContext(self, protocol):
        contexts.append(self)
        return self
    def load_verify_locations(self, cadata):
        self.trusted = cadata


contexts = []
sys.modules["network"] = Network()
sys.modules["ssl"] = Ssl()
from tablestation.boards import pico
from tablewire.messages import encode


class Link:
    "What was said, as lines; what the hub says to it, by `tell`."
    def __init__(self, account, network, random30, secure, tell):
        self.account, self._network, self.dropped = account, network, 0
        self.secure, self.say_why = secure, tell
    def publish(self, channel, payload, urgent, retain=False):
        print('{"on": "%s", "message": %s}' % (channel, payload.decode()))
        message = json.loads(payload)
        self.boot = message["boot"]
        if channel == "event":
            asyncio.create_task(self._acknowledge(message))
        return True
    async def _acknowledge(self, message):
        await asyncio.sleep_ms(5)
        self.tell("ack", {"type": "ack", "boot": self.boot, "event_seq": message["event_seq"]})
    async def run(self, station):
        await self._network.up()
        self.tell = lambda channel, message: station.receive(channel, encode(message))
        links.append(self)
        station.connected()
        while True:
            await asyncio.sleep(3600)


class Os:
    "The VM's, with the chance that only a board has."
    def __getattr__(self, name):
        return getattr(os, name)
    def urandom(self, n):
        return bytes([random.getrandbits(8) for _ in range(n)])


links = []
pico.MqttLink = Link
pico.os = Os()


class Reset(Exception):
    "A real board does not come back from it."


gone = asyncio.Event()


def end(how):
    kept = {}
    for name in ("secrets.json", "note"):
        try:
            with open("/" + name) as file:
                kept[name] = file.read()
        except OSError:
            pass
    print(json.dumps({"ended": how, "files": kept}))
    gone.set()


def reset():
    end("reset")
    raise Reset


machine.reset = reset


async def life(play):
    "One start, until the board resets or the play is over."
    async def to_its_end():
        await play()
        end("play")
    board = pico.Pico()
    tasks = asyncio.create_task(board.run()), asyncio.create_task(to_its_end())
    await gone.wait()
"""
SECRETS = {"host": "10.0.0.1", "ssid": "cafe", "key": "espresso", "user": "new", "password": "x"}
ADOPTED = SECRETS | {"table": "cafe", "station": "park", "plan": "park", "spots": ["city/0/0"], "seat": 0}


@pytest.fixture
def pico(vm):
    """`pico(play, files)`: what a board with these files said while `play`, a MicroPython coroutine, ran; and its files
    at the end of that start."""

    def run(play, files, board="Raspberry Pi Pico 2 W with RP2350"):
        there = {f"/{name}": text if isinstance(text, str) else json.dumps(text) for name, text in files.items()}
        told = vm.run(
            f"{BENCH}\npico.BOARD = {board!r}\nasync def play():\n{indent(dedent(play), '    ')}\nawait life(play)\n",
            files=there,
        ).told
        (end,) = [line for line in told if "ended" in line]
        return told, end["ended"], end["files"]

    return run


def said(told, kind):
    return [line["message"] for line in told if "message" in line and line["message"]["type"] == kind]


def test_a_park_station_weighs_reads_and_shines_at_its_pins(pico):
    told, _, _ = pico(
        """
        await asyncio.sleep(8)
        green = {"spot": "city/0/0", "rgb": [0, 90, 0], "pattern": "solid"}
        links[0].tell("light", {"type": "light", "rings": [green]})
        load[0] = 150
        await asyncio.sleep(3)
        reader.tags = []
        await asyncio.sleep(2)
        print(json.dumps({"pixels": strip.pixels(), "errors": strip.errors, "lost": chip.overwritten + chip.garbled}))
        """,
        {"secrets.json": ADOPTED},
    )
    (birth,) = said(told, "birth")
    assert birth["spots"] == [{"spot": "city/0/0", "cells": 1, "reader": True, "ring": 12, "crane": False}]
    assert (birth["hardware"], birth["uid"], birth["reset"]) == ("pico_2_w", "e661640843123456", "power")
    (inventory,) = said(told, "inventory")
    assert inventory["tags"] == [{"spot": "city/0/0", "uid": "04010203040506"}]
    assert abs(said(told, "quiet")[3]["cells"][0]["mean"] - 400 * 2147) < 100
    (alert,) = said(told, "alert")
    assert (alert["spot"], alert["cell"]) == ("city/0/0", 0)
    assert 8 * 2140 < alert["drop"] < 251 * 2147
    assert [tag["here"] for tag in said(told, "tag")] == [False]
    assert said(told, "fault") == []
    (seen,) = [line for line in told if "pixels" in line]
    assert seen == {"pixels": [[0, 90, 0]] * 12, "errors": 0, "lost": 0}


def test_a_park_station_tells_what_knocks_and_loses_no_conversion_over_it(pico):
    told, _, _ = pico(
        """
        await asyncio.sleep(4)
        knocked_us[0] = hardware.clock.now_us() + 3000
        await asyncio.sleep(3)
        print(json.dumps({"lost": chip.overwritten + chip.garbled, "longest_us": i2c.longest_us}))
        i2c.chips.remove(accelerometer)
        await asyncio.sleep(3)
        """,
        {"secrets.json": ADOPTED},
    )
    (birth,) = said(told, "birth")
    assert birth["accelerometer"] is True
    heard = [message["peak_mg"] for message in said(told, "knocks")]
    (loud,) = [peaks for peaks in heard if peaks]
    assert len(loud) <= 4
    assert 200 <= max(loud) <= 300
    assert heard.count([]) in (5, 6, 7), "once a second, until it fell silent"
    (seen,) = [line for line in told if "longest_us" in line]
    assert seen["lost"] == 0
    assert seen["longest_us"] < 2_300
    (line,) = said(told, "log")
    assert (line["level"], "check its cable" in line["text"]) == ("warning", True)


def test_a_newcomer_is_adopted_and_begins_anew_as_what_it_was_told(pico):
    told, ended, files = pico(
        """
        await asyncio.sleep(1)
        adopt = {"type": "adopt", "table": "cafe", "station": "park", "plan": "seat", "spots": ["city/0/0"]}
        adopt["user"] = adopt["password"] = "park"
        links[0].tell("command", adopt)
        await asyncio.sleep(1)
        adopt["plan"], adopt["spots"] = "park", ["city/0/0"]
        links[0].tell("command", adopt)
        await asyncio.sleep(60)
        """,
        {"secrets.json": SECRETS},
    )
    assert ended == "reset"
    assert [(birth["kind"], birth["spots"]) for birth in said(told, "birth")] == [("new", [])]
    refused, adopted = [line["text"] for line in said(told, "log")]
    assert refused.startswith("this board cannot be park: spot city/0/0 has no place on a seat station")
    assert adopted == "adopted as park"
    told, _, _ = pico("await asyncio.sleep(2)", files)
    assert [(birth["kind"], birth["reset"]) for birth in said(told, "birth")] == [("park", "soft")]
    assert [line["text"] for line in said(told, "log")] == ["restarted: adopted"]


def test_a_board_whose_plan_does_not_fit_says_so_and_waits_to_be_adopted_again(pico):
    told, _, _ = pico("await asyncio.sleep(30)", {"secrets.json": ADOPTED | {"spots": ["city/0/0", "city/1/0"]}})
    assert [(birth["kind"], birth["spots"]) for birth in said(told, "birth")] == [("new", [])]
    (line,) = said(told, "log")
    assert line["level"] == "error"
    assert line["text"].startswith("adopt this board again: spot city/1/0 has no place on a park station")


def test_a_pico_w_is_refused_because_its_memory_is_too_small(pico):
    told, _, _ = pico("await asyncio.sleep(30)", {"secrets.json": ADOPTED}, board="Raspberry Pi Pico W with RP2040")
    (line,) = said(told, "log")
    assert line["text"] == "adopt this board again: a park station needs a pico_2_w"


def test_a_bundle_on_trial_that_does_not_fit_the_board_wastes_its_starts(pico):
    """Three of them, and the program before runs again: it does not wait as a newcomer for ever."""
    trial = {"now": "a", "before": "base", "good": False, "tries": 1, "failed": "", "why": ""}
    _, ended, files = pico(
        "await asyncio.sleep(30)",
        {"secrets.json": ADOPTED | {"spots": ["city/0/0", "city/1/0"]}, "slots.json": trial},
    )
    assert ended == "reset"
    assert files["note"].startswith("soft the new program does not fit: spot city/1/0 has no place")


def test_the_hub_can_restart_this_start_and_no_other(pico):
    told, ended, files = pico(
        """
        await asyncio.sleep(2)
        links[0].tell("command", {"type": "restart", "boot": links[0].boot + 1})
        await asyncio.sleep(2)
        print(json.dumps({"still": True}))
        links[0].tell("command", {"type": "restart", "boot": links[0].boot})
        await asyncio.sleep(60)
        """,
        {"secrets.json": ADOPTED},
    )
    assert ended == "reset"
    assert {"still": True} in told
    assert files["note"] == "soft the hub asked for it"


def test_fifteen_minutes_without_the_hub_restart_the_board_which_tells_why(pico):
    _, ended, files = pico("await asyncio.sleep(20 * 60)", {"secrets.json": SECRETS})
    assert ended == "reset"
    told, _, files = pico("await asyncio.sleep(2)", files | {"secrets.json": ADOPTED})
    (line,) = said(told, "log")
    assert (line["level"], line["text"]) == ("info", "restarted: 15 minutes without a message from the hub")
    assert "note" not in files


def test_a_fault_of_the_last_start_is_told_by_the_next(pico):
    note = "fault ValueError: something nobody thought of"
    told, _, _ = pico("await asyncio.sleep(1)", {"secrets.json": ADOPTED, "note": note})
    assert [birth["reset"] for birth in said(told, "birth")] == ["watchdog"]
    (line,) = said(told, "log")
    assert (line["level"], line["text"]) == ("error", "restarted: ValueError: something nobody thought of")


TLS = {"certificate": b64encode(b"what the broker shows").decode(), "time": [2026, 11, 26, 3, 14, 30, 0, 0]}


def test_a_board_with_a_certificate_speaks_tls_and_its_clock_begins_at_the_flash(pico):
    told, _, _ = pico(
        """
        await asyncio.sleep(1)
        (context,) = contexts
        print(json.dumps({"mode": context.verify_mode, "trusted": context.trusted.decode(), "time": machine.time}))
        """,
        {"secrets.json": ADOPTED, "tls.json": TLS},
    )
    (seen,) = [line for line in told if "trusted" in line]
    assert seen == {"mode": 2, "trusted": "what the broker shows", "time": TLS["time"]}


@pytest.mark.parametrize("files", [{}, {"tls.json": {}}])
def test_a_board_without_a_certificate_speaks_as_it_always_did(pico, files):
    told, _, _ = pico(
        """
        await asyncio.sleep(1)
        print(json.dumps({"secure": links[0].secure, "contexts": len(contexts)}))
        """,
        {"secrets.json": ADOPTED, **files},
    )
    assert {"secure": None, "contexts": 0} in told


def test_a_damaged_certificate_never_means_no_tls(vm):
    files = {"/secrets.json": json.dumps(ADOPTED), "/tls.json": '{"certificate": "x'}
    ran = vm.run(f"{BENCH}\nasync def play():\n    pass\nawait pico.Pico().run()\n", files=files, fails=True)
    assert "ValueError: tls.json is damaged: flash this board again with --certificate" in ran.complaint


def test_why_there_was_no_link_is_told_to_the_hub_when_there_is_one(pico):
    told, _, _ = pico(
        """
        await asyncio.sleep(1)
        links[0].say_why("the broker fell asleep")
        await asyncio.sleep(1)
        """,
        {"secrets.json": ADOPTED},
    )
    assert ["warning", "no link: the broker fell asleep"] in [[one["level"], one["text"]] for one in said(told, "log")]
