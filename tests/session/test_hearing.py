"""An accelerometer that the plan has and nobody hears is told as a station's trouble, once, until it is heard."""

import pytest
from msgspec.structs import replace

from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.pieces import HOUSE, things
from citytable.games.megacity.position import Options
from citytable.games.megacity.spots import shared_spots
from citytable.games.megacity.table_side import MegaCityTable
from citytable.link.inbox import Received
from citytable.link.wire_in import Birth, Clock, Death, Knocks, Quiet
from citytable.session.hearing import DEAF_US
from citytable.session.play import Play
from citytable.table.plan import full_plan

BOOT, AT, S = 7, Clock(0, 0), 1_000_000
SEAT = "seat-1"


class Evening:
    """A play on a table on which seat 1 has an accelerometer and nobody else."""

    def __init__(self):
        plan = full_plan("salon", 2, shared_spots(), things(HOUSE, 2))
        stations = tuple(replace(one, accelerometer=one.station == SEAT) for one in plan.stations)
        game = MegaCity(Options(players=2), HOUSE)
        self.play = Play(MegaCityTable(HOUSE), replace(plan, stations=stations), game.position)
        self.now_us = 0

    def hears(self, *said, station=SEAT, after_us=S):
        """Whether this is news."""
        self.now_us += after_us
        self.play.take_news()
        self.play.hear([Received(station, BOOT, one, self.now_us, self.now_us) for one in said], self.now_us)
        return self.play.take_news()

    def complaints(self):
        return {name: [one["en"].split(":")[0] for one in told] for name, told in self.play.senses.complaints().items()}


def birth(accelerometer):
    return Birth(boot=BOOT, kind="seat", firmware="test", at=AT, spots=(), accelerometer=accelerometer)


RESTS = Quiet(boot=BOOT, sample_seq=1, at=AT, cells=())


def knocks(*peaks):
    return Knocks(boot=BOOT, sample_seq=1, at=AT, dt_us=(S,) * max(0, len(peaks) - 1), peak_mg=peaks)


@pytest.fixture
def evening():
    return Evening()


def test_who_listens_is_not_complained_of(evening):
    evening.hears(birth(accelerometer=True))
    for _ in range(20):
        evening.hears(knocks(), after_us=DEAF_US // 2)
        assert evening.complaints() == {}


def test_one_that_stops_is_told_once_and_no_more_when_it_is_heard(evening):
    evening.hears(birth(accelerometer=True), knocks())
    assert not evening.hears(RESTS, after_us=DEAF_US)
    assert evening.hears(RESTS, after_us=1)
    assert evening.complaints() == {SEAT: ["its accelerometer is silent"]}
    assert not evening.hears(RESTS, after_us=S)
    assert evening.hears(knocks(90))
    assert evening.complaints() == {}


@pytest.mark.parametrize(
    ("answers", "told"),
    [
        (None, "the plan gives it an accelerometer, but its pin plan has no place for one"),
        (False, "its accelerometer is silent"),
        (True, "its accelerometer is silent"),
    ],
)
def test_one_that_never_is_heard_is_told(evening, answers, told):
    evening.hears(birth(answers))
    evening.hears(RESTS, after_us=DEAF_US + 1)
    assert evening.complaints() == {SEAT: [told]}


def test_a_station_that_is_gone_has_worse_troubles(evening):
    evening.hears(birth(accelerometer=True))
    evening.hears(RESTS, after_us=DEAF_US + 1)
    assert SEAT in evening.complaints()
    evening.hears(Death(boot=BOOT))
    assert evening.complaints() == {}
    evening.hears(after_us=DEAF_US + 1)
    assert evening.complaints() == {}


def test_a_hub_that_nothing_reaches_knows_nothing_of_accelerometers(evening):
    evening.hears(birth(accelerometer=True))
    evening.hears(after_us=3 * DEAF_US)
    evening.hears(knocks())
    assert evening.complaints() == {}


def test_nobody_else_is_waited_for(evening):
    evening.hears(birth(None), station="seat-2")
    evening.hears(RESTS, station="seat-2", after_us=DEAF_US + 1)
    assert evening.complaints() == {}
