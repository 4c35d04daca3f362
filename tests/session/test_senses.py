"""The senses of a table outlive its games: what is known of the table is told to the game that begins."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.pieces import HOUSE, things
from citytable.games.megacity.position import Options
from citytable.games.megacity.spots import shared_spots
from citytable.games.megacity.table_side import MegaCityTable
from citytable.link.inbox import Received
from citytable.link.wire_in import Clock, TagSeen
from citytable.sensing.reading import CellSamples
from citytable.session.play import Play
from citytable.session.senses import Senses
from citytable.table.fact import (
    MassMoving,
    MassSettled,
    SensorFault,
    StationCame,
    StationWent,
    TagCame,
    TagLeft,
    ZeroMoved,
)
from citytable.table.plan import full_plan, tag_uid
from citytable.umpire.observed import Observed

PLAN = full_plan("salon", 2, shared_spots(), things(HOUSE, 2))
SPOTS = ("city/1/0", "city/0/0", "seat/1/pad/0", "seat/2/bag")
THINGS = ("bag", "platform/7/public", None)
AT = st.integers(0, 1_000)


def _tag(kind, spot, thing):
    return AT.map(lambda t_us: kind(t_us=t_us, spot=spot, uid=tag_uid(thing) if thing else "04ff", thing=thing))


def _settled(spot, mass_g, step_g):
    return AT.map(lambda t_us: MassSettled(t_us=t_us, spot=spot, mass_g=mass_g, step_g=step_g, error_g=0.1))


def _fault(spot, what, on):
    return AT.map(lambda t_us: SensorFault(t_us=t_us, spot=spot, sensor="cell", what=what, on=on))


def _station(one, came):
    spots = tuple(plan.spot for plan in one.spots)
    if came:
        return AT.map(lambda t_us: StationCame(t_us=t_us, station=one.station, boot=7, spots=spots))
    return AT.map(lambda t_us: StationWent(t_us=t_us, station=one.station, spots=spots))


spot = st.sampled_from(SPOTS)
grams = st.floats(-3, 400)
happenings = st.one_of(
    st.builds(_tag, st.sampled_from((TagCame, TagLeft)), spot, st.sampled_from(THINGS)).flatmap(lambda one: one),
    st.builds(_settled, spot, grams, grams).flatmap(lambda one: one),
    st.builds(_fault, spot, st.sampled_from(("stuck", "silent")), st.booleans()).flatmap(lambda one: one),
    st.builds(_station, st.sampled_from(PLAN.stations), st.booleans()).flatmap(lambda one: one),
    spot.flatmap(lambda one: AT.map(lambda t_us: MassMoving(t_us=t_us, spot=one))),
    spot.flatmap(lambda one: AT.map(lambda t_us: ZeroMoved(t_us=t_us, spot=one, drift_g=2.0, error_g=0.1))),
)


def state(observed):
    """What an umpire goes by."""
    lying = {spot: there for spot, there in observed.lying.items() if there}
    return lying, observed.mass_g, observed.moving, observed.faults, observed.silent


@given(st.lists(happenings, max_size=30))
def test_whoever_is_told_how_the_table_is_knows_what_was_known(facts):
    senses, observed = Senses(PLAN), Observed()
    for fact in facts:
        senses.recall(fact)
        observed = observed.took(fact)
    told = senses.as_it_is(observed, 5_000)
    fresh, again = Senses(PLAN), Observed()
    for fact in told:
        fresh.recall(fact)
        again = again.took(fact)
    assert state(again) == state(observed)
    assert fresh.as_it_is(again, 5_000) == told
    assert fresh.zeros(date(2026, 11, 22)) == senses.zeros(date(2026, 11, 22))


def test_the_game_that_begins_hears_what_the_last_one_had_only_a_glimpse_of(table):
    there = table()
    there.hear("sector-1", there.birth())
    there.hear("supply", there.tag("supply/platform/0", tag_uid("platform/7/public")), t_us=1)
    senses = there.play.senses
    known = senses.as_it_is(there.play.umpire.observed, 2)
    there.play = Play(MegaCityTable(HOUSE), PLAN, MegaCity(Options(players=2)).position, senses=senses)
    there.play.begins_with(known)
    assert there.lying() == {"supply/platform/0": {"platform/7/public"}}
    assert there.play.take_facts() == known
    assert there.play.take_noticed() == ()
    there.hear("sector-1", there.birth(), t_us=3)
    assert there.play.take_facts() == (), "the station was there already"


def read(station, spot, thing, t_us, *, here):
    message = TagSeen(boot=7, event_seq=t_us, at=Clock(0, t_us), spot=spot, uid=tag_uid(thing), here=here)
    return Received(station, 7, message, t_us, t_us, t_us)


def whereabouts(facts):
    return [(type(fact), fact.spot, fact.t_us) for fact in facts]


def test_a_tag_left_when_it_left_though_where_it_came_to_was_heard_first():
    senses, thing = Senses(PLAN), "contract/PU3"
    column, slot = "supply/contract/public", "seat/2/card/0"
    senses.hear([read("supply", column, thing, 1, here=True)], 1)
    left, came = read("supply", column, thing, 100, here=False), read("seat-2", slot, thing, 200, here=True)
    assert senses.glimpse([came])
    assert whereabouts(senses.early()) == [(TagLeft, column, 200), (TagCame, slot, 200)]
    senses.glimpse([left])
    in_turn = [(TagLeft, column, 100), (TagCame, slot, 200)]
    assert whereabouts(senses.early()) == in_turn
    assert whereabouts(senses.hear([left], 150)) == in_turn[:1], "that it left is not told as late as that it came"
    assert whereabouts(senses.early()) == in_turn[1:]
    assert whereabouts(senses.hear([came], 250)) == in_turn[1:]


def test_what_weighs_on_spots_in_the_last_seconds_is_there_at_once_and_of_spots_with_cells_alone():
    senses = Senses(PLAN)
    (cell,) = PLAN.spot_plans()["seat/1/pad/0"].cells[:1]
    counts = tuple(round(cell.zero_counts + grams * cell.counts_per_g) for grams in (0.0, 63.0))
    for number in range(len(PLAN.spot_plans()["seat/1/pad/0"].cells)):
        senses.recorder.read(CellSamples(spot="seat/1/pad/0", cell=number, t_us=(1_000_000, 2_000_000), counts=counts))
    found = senses.tremor({"seat/1/pad/0", "seat/1/card/0", "nowhere"}, 2_500_000)
    assert [(one.spot, len(one.grams)) for one in found.curves] == [("seat/1/pad/0", 2)]


def test_what_the_readers_of_a_station_read_is_told_with_the_things_that_are_known():
    senses, thing = Senses(PLAN), "platform/7/public"
    senses.hear([read("seat-1", "seat/1/pad/0", thing, 1, here=True)], 1)
    unknown = TagSeen(boot=7, event_seq=2, at=Clock(0, 2), spot="seat/1/pad/0", uid="04ff0011", here=True)
    senses.hear([Received("seat-1", 7, unknown, 2, 2, 2)], 2)
    told = {(one.spot, one.thing) for one in senses.tags("seat-1")}
    assert told == {("seat/1/pad/0", None), ("seat/1/pad/0", thing)}
    assert senses.tags("park") == ()
    with pytest.raises(KeyError):
        senses.tags("lighthouse")
