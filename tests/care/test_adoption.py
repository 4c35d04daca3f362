"""A board nobody knows says that it is there, and becomes somebody when a host says who."""

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablestation.boards.pins import places
from tablestation.boards.pins.sector import PINS
from tablestation.care.adoption import Newcomer, is_adopted, load_secrets, names
from tablestation.care.store import Files
from tabletwin.board import Port
from tabletwin.flash import Flash, PowerCut
from tabletwin.scheduler import Scheduler
from tablewire.messages import decode, encode

UID = "e66138528355a82f"
ADOPT = {
    "type": "adopt",
    "table": "cafe",
    "station": "sector-2",
    "plan": "sector",
    "spots": ["city/1/0", "city/2/0"],
    "user": "sector-2",
    "password": "not-a-real-one",
}


def fits(plan: str, spots: list[str]) -> None:
    """What a board with only this pin plan can be."""
    if plan != PINS["kind"]:
        raise ValueError(f"there is no pin plan {plan!r}")
    places(PINS, spots)


class Waiting:
    """A newcomer on a flash, and what it said."""

    def __init__(self, flash: Flash) -> None:
        self.flash = flash
        self.scheduler = Scheduler()
        self.said: list[tuple[str, dict, bool]] = []
        self.restarts: list[int] = []
        self.shown: list[int] = []
        self.program = Newcomer(
            Port(self.scheduler, random.Random(1)),
            self,
            Files(flash, flash.open),
            {"hardware": "pico_2_w", "uid": UID, "bundle": "", "reset": "power"},
            fits,
            self.shown.append,
            lambda: self.restarts.append(self.scheduler.now_us),
        )

    def publish(self, channel: str, payload: bytes, urgent: bool, retain: bool = False) -> bool:
        self.said.append((channel, decode(channel, payload), retain))
        return True

    def hear(self, **fields) -> None:
        self.program.receive("command", encode({**ADOPT, **fields}))
        self.scheduler.advance(self.scheduler.now_us + 2_000_000)

    @property
    def secrets(self) -> dict:
        return load_secrets(Files(self.flash, self.flash.open))


@pytest.fixture
def waiting(flash) -> Waiting:
    Files(flash, flash.open).write(
        "secrets.json", json.dumps({"host": "10.0.0.1", "port": 1883, "user": "new", "password": "n"}).encode()
    )
    return Waiting(flash)


def test_it_says_who_waits_there(waiting):
    assert not is_adopted(waiting.secrets)
    assert names(waiting.secrets, UID) == ("new", UID)
    waiting.program.connected()
    ((channel, birth, retain),) = waiting.said
    assert (channel, retain) == ("state", True)
    assert (birth["kind"], birth["hardware"], birth["uid"], birth["spots"]) == ("new", "pico_2_w", UID, [])
    assert decode("state", waiting.program.will()) == {"v": 1, "type": "death", "boot": birth["boot"]}


def test_a_host_gives_it_a_name_and_it_restarts_under_it(waiting):
    waiting.hear()
    assert waiting.said[-1][1]["text"] == "adopted as sector-2"
    assert len(waiting.restarts) == 1
    assert is_adopted(waiting.secrets)
    assert names(waiting.secrets, UID) == ("cafe", "sector-2")
    assert waiting.secrets == {
        "host": "10.0.0.1",
        "port": 1883,
        "table": "cafe",
        "station": "sector-2",
        "plan": "sector",
        "spots": ["city/1/0", "city/2/0"],
        "user": "sector-2",
        "password": "not-a-real-one",
        "seat": 0,
    }


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"plan": "seat"}, "no pin plan 'seat'"),
        ({"spots": ["seat/1/bag"]}, "spot seat/1/bag has no place on a sector station"),
        ({"station": "sector 2"}, "'sector 2' is not a name"),
        ({"table": "a/b"}, "'a/b' is not a name"),
    ],
)
def test_what_it_cannot_be_it_refuses_with_the_reason_and_stays(waiting, fields, why):
    waiting.hear(**fields)
    _, line, _ = waiting.said[-1]
    assert line["level"] == "error"
    assert why in line["text"]
    assert waiting.restarts == []
    assert not is_adopted(waiting.secrets)


def test_a_flash_that_takes_nothing_is_told(waiting):
    waiting.flash.capacity_blocks = 0
    waiting.hear()
    assert "cannot store its name: flash error:" in waiting.said[-1][1]["text"]
    assert waiting.restarts == []


def test_hearing_it_twice_is_hearing_it_once(waiting):
    waiting.program.receive("command", encode(dict(ADOPT)))
    waiting.hear(station="another")
    assert waiting.secrets["station"] == "sector-2"
    assert len(waiting.restarts) == 1


def test_it_shows_itself_when_asked(waiting):
    waiting.program.receive("command", encode({"type": "identify", "seconds": 8}))
    assert waiting.shown == [8]


def test_nonsense_is_counted_and_the_rest_is_not_for_newcomers(waiting):
    waiting.program.receive("command", b"{")
    waiting.program.receive("light", encode({"type": "light", "rings": []}))
    waiting.program.receive("command", encode({"type": "inspect", "id": 1}))
    assert (waiting.program.refused, waiting.said) == (1, [])


def test_the_power_may_go_at_any_byte_of_an_adoption(waiting):
    before = dict(waiting.secrets)
    for cut in range(2000):
        flash = Flash()
        files = Files(flash, flash.open)
        files.write("secrets.json", json.dumps(before).encode())
        board = Waiting(flash)
        flash.steps_left = cut
        try:
            board.hear()
        except PowerCut:
            flash.steps_left = None
            assert board.secrets == before
            continue
        assert is_adopted(board.secrets)
        return
    pytest.fail("the adoption never came to its end")


@given(st.binary() | st.recursive(st.none() | st.text() | st.integers(), st.lists).map(json.dumps).map(str.encode))
def test_whatever_stands_in_the_secrets_a_board_comes_up_as_somebody(content):
    flash = Flash()
    files = Files(flash, flash.open)
    files.write("secrets.json", content)
    assert names(load_secrets(files), UID) == ("new", UID)
