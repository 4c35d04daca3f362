"""The fall watch as a machine: what the trees say goes in, alerts, falls and withdrawals come out."""

from math import ceil, log

import pytest

from citytable.sensing.fall import CALMED_US, CLEAREST, ENOUGH, SHAKEN, FallWatch, State
from citytable.sensing.features import NAMES
from citytable.sensing.knock_history import HEARS_US
from citytable.sensing.knock_history import NAMES as HEARD
from citytable.sensing.second_look import KEPT_NAMES as RESTING
from citytable.sensing.trail import Trail
from citytable.sensing.trees import Judges

PERIOD_US = 12_500
CLEAR_LOOKS = ceil(ENOUGH / CLEAREST)  # so many of the clearest looks are enough
SHAKEN_LOOKS = ceil(SHAKEN * ENOUGH / CLEAREST)


class Says:
    """Trees that say what they are told to."""

    def __init__(self):
        self.chance_now = 0.0
        self.asked = 0

    def chance(self, x):
        assert len(x) == len(NAMES)
        self.asked += 1
        return self.chance_now


class Rests:
    """Trees of the second look that say what they are told to."""

    chance_now = 0.0

    def chance(self, x):
        assert len(x) == len(RESTING)
        return self.chance_now


class Always:
    """A glance to which every look is worth it."""

    def chance(self, x):
        return 1.0


ALWAYS = Always()


class Hears(Says):
    """Trees that are asked about what was heard, too."""

    def chance(self, x):
        self.heard = x[len(NAMES) :]
        return super().chance(x[: len(NAMES)])


class Spot:
    """A watch on a spot whose load left 60 g and moves on as it is told."""

    def __init__(self, start_us=10_000_000):
        self.says = Says()
        self.hears = Hears()
        self.rests = Rests()
        self.trail = Trail(1)
        self.watch = FallWatch(
            "city/0/0", self.trail, judges=Judges(self.says, self.hears, self.rests, self.rests, glancing=ALWAYS)
        )
        self.t_us = start_us
        self.told = []
        for _ in range(40):
            self.push(60.0)
        self.watch.departed(self.t_us, 60.0, 0.1)

    def push(self, grams):
        self.t_us += PERIOD_US
        self.trail.push(self.t_us, grams, [grams])
        out = []
        self.watch.load(self.t_us, out)
        self._tell(out)

    def moves(self, chance, loads, grams=45.0):
        self.says.chance_now = chance
        for _ in range(loads):
            self.push(grams)

    def settles(self, step_g=-15.0):
        out = []
        self.watch.settled(self.t_us, step_g, out)
        self._tell(out)

    def _tell(self, facts):
        """What an alert is short of is known no better than its moment; what has fallen is."""
        self.told += [(fact.stage, None if fact.stage == "alert" else round(fact.lost_g)) for fact in facts]


@pytest.fixture
def spot():
    return Spot()


def test_nobody_is_asked_while_the_load_rests_and_every_second_load_while_it_moves(spot):
    assert spot.says.asked == 0
    spot.moves(0.0, 40)
    assert spot.says.asked in (20, 21)
    spot.settles(0.0)
    spot.moves(0.0, 10)
    assert spot.says.asked in (20, 21)
    assert spot.told == []


def test_a_fall_is_alerted_then_confirmed_and_told_once(spot):
    spot.moves(0.6, 4)
    spot.moves(0.9999, 2 * CLEAR_LOOKS)
    assert spot.told == [("alert", None), ("confirmed", 15)]
    spot.moves(0.9999, 200)
    spot.settles()
    assert spot.told == [("alert", None), ("confirmed", 15)]
    assert spot.watch.state is State.CALM


@pytest.mark.parametrize("chance", [0.6, 0.75, 0.9])
def test_the_less_likely_it_is_the_longer_it_has_to_be_so(spot, chance):
    looks = ceil(ENOUGH / log(chance / (1 - chance)))
    spot.moves(chance, 2 * looks - 2)
    assert [stage for stage, _ in spot.told] == ["alert"]
    spot.moves(chance, 2)
    assert [stage for stage, _ in spot.told] == ["alert", "confirmed"]


def test_what_speaks_against_it_is_taken_off_and_a_new_motion_begins_at_nothing(spot):
    nearly = 2 * (CLEAR_LOOKS - 1)
    spot.moves(0.9999, nearly)
    spot.moves(0.0, nearly)
    spot.moves(0.9999, nearly)
    assert [stage for stage, _ in spot.told] == ["alert"]
    spot.settles()
    spot.watch.departed(spot.t_us, 45.0, 0.1)
    spot.moves(0.9999, nearly)
    assert [stage for stage, _ in spot.told] == ["alert", "withdrawn", "alert"]


def test_an_alert_is_withdrawn_when_it_stays_unlikely_or_the_load_rests_or_is_lost(spot):
    spot.moves(0.6, 4)
    spot.moves(0.05, CALMED_US // PERIOD_US + 4)
    assert spot.told == [("alert", None), ("withdrawn", 0)]
    spot.moves(0.6, 4)
    spot.settles()
    assert spot.told[2:] == [("alert", None), ("withdrawn", 0)]
    spot.watch.departed(spot.t_us, 60.0, 0.1)
    spot.moves(0.6, 4)
    out = []
    spot.watch.lost(spot.t_us, out)
    assert [fact.stage for fact in out] == ["withdrawn"]


def test_a_second_fall_in_the_same_motion_is_told_after_a_while(spot):
    spot.moves(0.9999, 2 * CLEAR_LOOKS + 2)
    spot.moves(0.01, 260)
    spot.moves(0.9999, 2 * CLEAR_LOOKS + 2, grams=20.0)
    assert spot.told == [("alert", None), ("confirmed", 15), ("alert", None), ("confirmed", 40)]


def test_the_stations_own_alert_makes_less_enough_for_an_alert_and_is_told_to_nobody_by_itself(spot):
    spot.moves(0.2, 4)
    assert spot.told == []
    spot.watch.station_alert(spot.t_us, 0.5)
    spot.moves(0.2, 4)
    assert spot.told == []
    spot.watch.station_alert(spot.t_us, 20.0)
    spot.moves(0.2, 4)
    assert spot.told == [("alert", None)]


@pytest.mark.parametrize("late_us", [-1_900_000, 0, 150_000])
def test_who_takes_the_tag_away_lifts(late_us):
    spot = Spot()
    spot.watch.tag_left(spot.t_us + late_us)
    spot.moves(0.9999, 40)
    assert spot.told == []


def test_a_tag_that_left_long_ago_excuses_nothing(spot):
    spot.watch.tag_left(spot.t_us - 2_100_000)
    spot.moves(0.9999, 40)
    assert [stage for stage, _ in spot.told] == ["alert", "confirmed"]


@pytest.mark.parametrize(
    ("apart_us", "looks"), [(-100_000, SHAKEN_LOOKS), (90_000, SHAKEN_LOOKS), (400_000, CLEAR_LOOKS)]
)
def test_where_the_neighbours_moved_too_it_has_to_be_likely_for_longer(apart_us, looks):
    spot = Spot()
    spot.watch.neighbour_moved(spot.t_us + apart_us)
    spot.moves(0.9999, 2 * looks - 2)
    assert [stage for stage, _ in spot.told] == ["alert"]
    spot.moves(0.9999, 3)
    assert [stage for stage, _ in spot.told] == ["alert", "confirmed"]


def test_while_it_hears_those_are_asked_who_know_what_was_heard(spot):
    spot.moves(0.0, 10)
    assert (spot.says.asked, spot.hears.asked) == (5, 0)
    spot.watch.knock_history.listened(spot.t_us)
    spot.watch.knock_history.heard(spot.t_us, 80)
    spot.moves(0.0, 10)
    assert (spot.says.asked, spot.hears.asked) == (5, 5)
    assert len(spot.hears.heard) == len(HEARD)
    assert max(spot.hears.heard) >= 80
    spot.moves(0.0, HEARS_US // PERIOD_US)
    spot.says.asked = spot.hears.asked = 0
    spot.moves(0.0, 10)
    assert (spot.says.asked, spot.hears.asked) == (5, 0)
