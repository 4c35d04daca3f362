"""The host tries the LEDs of a station: each colour, each LED, and then what the game lights."""

import pytest

from citytable.journal.journal import Journal
from citytable.session.rings import TRIAL_US
from citytable.session.session import Session
from citytable.session.troubles import Safe
from citytable.table.health import Health
from citytable.views.lights import DARK, TRIALS, Ring

SECTOR = "sector-1"


class Wire:
    """One station, which shows what it is told."""

    def __init__(self) -> None:
        self.shown = {}

    async def publish_light(self, station, rings):
        if station != SECTOR:
            return False
        self.shown |= {ring["spot"]: Ring(tuple(ring["rgb"]), ring["pattern"]) for ring in rings}
        return True

    def health(self):
        return (Health(SECTOR, True, 1, "test", 0, 1, 0, 0),)

    def standing(self):
        return ()


@pytest.fixture
async def evening(tmp_path, table):
    """A session, its wire, and its clock."""
    wire, clock = Wire(), [1]
    async with Journal.open(tmp_path / "journal.sqlite3") as journal:
        safe = Safe(journal, patient=False)
        yield Session("g", table().play, wire, safe, replay=lambda _: None, now_us=lambda: clock[0]), wire, clock


async def test_all_leds_show_each_colour_then_each_its_turn_and_then_what_the_game_lights(evening):
    session, wire, _ = evening
    await session._show()
    game = dict(wire.shown)
    rings = {spot for spot, name in session.play.plan.station_of().items() if name == SECTOR}
    for trial, ring in TRIALS.items():
        assert await session.identify(SECTOR, trial)
        await session._show()  # the game goes on meanwhile
        assert wire.shown
        assert wire.shown == dict.fromkeys(wire.shown, ring)
        assert set(wire.shown) <= rings
    assert await session.identify(SECTOR, "end")
    assert {spot: ring for spot, ring in wire.shown.items() if ring != DARK} == {
        spot: ring for spot, ring in game.items() if ring != DARK
    }


async def test_a_trial_that_nobody_ends_is_over_after_a_minute(evening):
    session, wire, clock = evening
    await session.identify(SECTOR, "red")
    clock[0] += TRIAL_US
    await session._show()
    assert TRIALS["red"] not in wire.shown.values()


async def test_who_is_not_there_is_not_tried(evening):
    session, wire, _ = evening
    assert not await session.identify("sector-9", "red")
    assert wire.shown == {}
