"""Of all readings, those around what happened on a spot are kept, and no others."""

import pytest

from citytable.games.megacity.spots import shared_spots
from citytable.sensing.reading import Button, CellQuiet, CellSamples, Inventory, Knocks, StationDown, TagRead
from citytable.session.excerpt_recorder import AROUND_FALL_US, LEAD_US, PIECE_US, TRAIL_US, ExcerptRecorder
from citytable.table.fact import ButtonPressed, Fell, MassMoving, MassSettled, TagCame
from citytable.table.plan import full_plan

SPOT, OTHER = "city/1/0", "city/2/0"
S = 1_000_000


def quiet(at_s, spot=SPOT):
    return CellQuiet(spot, 0, at_s * S, 80, 0.0, 1.0, -2, 2)


def moving(at_s, spot=SPOT):
    return MassMoving(t_us=at_s * S, spot=spot)


def settled(at_s, spot=SPOT):
    return MassSettled(t_us=at_s * S, spot=spot, mass_g=9.0, step_g=9.0, error_g=0.1)


@pytest.fixture
def excerpts():
    return ExcerptRecorder(full_plan("salon", 2, shared_spots(()), ()))


def test_a_spot_at_rest_keeps_nothing(excerpts):
    for at_s in range(100):
        excerpts.read(quiet(at_s))
        assert excerpts.over(at_s * S) == []


def test_an_excerpt_begins_before_the_first_motion_and_ends_after_the_last_fact(excerpts):
    for at_s in range(20):
        excerpts.read(quiet(at_s))
    excerpts.note([moving(19)])
    excerpts.read(quiet(20))
    excerpts.note([settled(21)])
    for at_s in (21, 22, 23):
        excerpts.read(quiet(at_s))
        assert excerpts.over(at_s * S) == []
    excerpts.read(quiet(24))
    (one,) = excerpts.over(24 * S)
    assert (one.spot, one.from_us, one.until_us) == (SPOT, 19 * S - LEAD_US, 21 * S + TRAIL_US)
    assert one.readings == tuple(quiet(at_s) for at_s in range(16, 25))
    assert excerpts.over(99 * S) == []


def test_what_a_station_heard_is_kept_with_each_of_its_scales(excerpts):
    knock = Knocks("sector-1", (5 * S,), (80.0,), 5 * S)
    excerpts.read(knock)
    excerpts.note([moving(5), TagCame(t_us=5 * S, spot="supply/platform/0", uid="04aa", thing=None)])
    excerpts.read(Knocks("sector-1", (), (), 6 * S))
    kept = {one.spot: one.readings for one in excerpts.over(70 * S)}
    assert kept == {SPOT: (knock, Knocks("sector-1", (), (), 6 * S))}


def test_a_tag_makes_an_excerpt_on_a_spot_without_a_scale(excerpts):
    read = TagRead(5 * S, "seat/1/card/0", "04aa", here=True)
    excerpts.read(read)
    excerpts.note([TagCame(t_us=5 * S, spot=read.spot, uid=read.uid, thing="contract/CO1")])
    assert [one.readings for one in excerpts.over(8 * S)] == [(read,)]


def test_what_goes_on_moving_is_cut_into_pieces_that_follow_each_other(excerpts):
    excerpts.read(quiet(0))
    excerpts.note([moving(3)])
    pieces = []
    for at_s in range(4, 130):
        excerpts.read(CellSamples(SPOT, 0, (at_s * S,), (at_s,)))
        excerpts.note([moving(at_s)])
        pieces += excerpts.over(at_s * S)
    excerpts.note([settled(130)])
    pieces += excerpts.over(140 * S)
    assert len(pieces) == 3
    assert all(one.until_us - one.from_us <= PIECE_US + S for one in pieces)
    assert [one.until_us for one in pieces[:-1]] == [one.from_us for one in pieces[1:]]
    assert sum(one.samples for one in pieces) == 126


def test_a_scale_that_never_comes_to_rest_because_it_went_away_is_not_kept_for_ever(excerpts):
    excerpts.read(quiet(0))
    excerpts.note([moving(1)])
    pieces = []
    for at_s in range(2, 400):
        excerpts.read(quiet(at_s))
        pieces += excerpts.over(at_s * S)
    assert len(pieces) == 2


def test_spots_are_kept_apart_and_what_a_station_says_belongs_to_all_of_its_own(excerpts):
    excerpts.read(quiet(1))
    excerpts.read(quiet(1, OTHER))
    excerpts.note([moving(2), moving(2, OTHER)])
    excerpts.read(StationDown(3 * S, "sector-1"))
    excerpts.read(Inventory(3 * S, "sector-2", (), ()))
    excerpts.read(Button(3 * S, 1))
    excerpts.note([settled(3), settled(3, OTHER), ButtonPressed(t_us=3 * S, seat=1)])
    kept = {one.spot: one.readings for one in excerpts.over(9 * S)}
    assert kept == {
        SPOT: (quiet(1), StationDown(3 * S, "sector-1")),
        OTHER: (quiet(1, OTHER), StationDown(3 * S, "sector-1")),
    }


def test_the_last_seconds_of_a_station_are_there_at_rest_and_while_something_happens(excerpts):
    for at_s in range(20):
        excerpts.read(quiet(at_s))
    at_rest = {one.spot: one.readings for one in excerpts.recent("sector-1", 19 * S)}
    assert at_rest[SPOT] == tuple(quiet(at_s) for at_s in range(13, 20))
    assert at_rest[OTHER] == ()
    excerpts.note([moving(19)])
    excerpts.read(quiet(20))
    assert {one.spot: one.readings for one in excerpts.recent("sector-1", 20 * S)}[SPOT][-1] == quiet(20)
    with pytest.raises(KeyError):
        excerpts.recent("nowhere", 20 * S)


def test_what_led_to_a_fall_is_remembered_until_people_have_said_what_fell(excerpts):
    for at_s in range(20):
        excerpts.read(quiet(at_s))
    excerpts.note([moving(19), Fell(t_us=19 * S, spot=SPOT, lost_g=40.0, stage="confirmed"), settled(20)])
    for at_s in range(20, 60):
        excerpts.read(quiet(at_s))
        excerpts.over(at_s * S)
    excerpts.note([moving(60)])
    fall = excerpts.fall(SPOT)
    assert (fall.from_us, fall.until_us) == (19 * S - AROUND_FALL_US, 19 * S + AROUND_FALL_US)
    assert fall.readings == tuple(quiet(at_s) for at_s in range(16, 23))
    assert excerpts.fall(OTHER) is None


def test_a_fall_that_was_none_is_forgotten(excerpts):
    excerpts.note([moving(5), Fell(t_us=5 * S, spot=SPOT, lost_g=9.0, stage="alert")])
    assert excerpts.fall(SPOT) is not None
    excerpts.note([Fell(t_us=5 * S, spot=SPOT, lost_g=0.0, stage="withdrawn")])
    assert excerpts.fall(SPOT) is None
