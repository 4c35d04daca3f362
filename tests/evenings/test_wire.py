"""What a hub has of the facts of an evening while hub, broker, network and stations fail."""

import random
from collections.abc import Iterable
from itertools import pairwise

from citytable.evenings.performance import Heard
from citytable.evenings.troubles import KINDS, Trouble, drawn_troubles
from citytable.evenings.wire import Wire
from citytable.link.registry import GONE_US, SILENT_US
from citytable.table.fact import Fact, MassMoving, MassSettled, StationCame, StationWent, TagCame, TagLeft
from citytable.table.plan import Plan, SpotPlan, StationPlan

S = 1_000_000
BAGS = ("seat/1/bag", "seat/2/bag")
PLAN = Plan(
    table="t",
    seats=2,
    stations=tuple(
        StationPlan(f"seat-{seat}", "seat", (SpotPlan(spot, reader=True),)) for seat, spot in enumerate(BAGS, start=1)
    ),
    tags={"aa": "bag"},
)


def came(at_s: float, spot: str) -> TagCame:
    return TagCame(t_us=round(at_s * S), spot=spot, uid="aa", thing="bag")


def left(at_s: float, spot: str) -> TagLeft:
    return TagLeft(t_us=round(at_s * S), spot=spot, uid="aa", thing="bag")


def moves(at_s: float, spot: str) -> MassMoving:
    return MassMoving(t_us=round(at_s * S), spot=spot)


def rests(at_s: float, spot: str, mass_g: float, step_g: float) -> MassSettled:
    return MassSettled(t_us=round(at_s * S), spot=spot, mass_g=mass_g, step_g=step_g, error_g=0.05)


def begins() -> list[Fact]:
    """Both stations are there, and the bag lies at seat 1."""
    facts: list[Fact] = []
    for station, spot in zip(("seat-1", "seat-2"), BAGS, strict=True):
        facts.append(StationCame(t_us=0, station=station, boot=1, spots=(spot,)))
        here = spot == BAGS[0]
        facts += [came(0, spot)] if here else []
        facts.append(rests(0, spot, 400.0 if here else 0.0, 400.0 if here else 0.0))
    return facts


DRAWN: list[Fact] = [moves(11, BAGS[0]), rests(13, BAGS[0], 390.0, -10.0)]
PASSED: list[Fact] = [
    moves(15, BAGS[0]),
    left(15.2, BAGS[0]),
    rests(16, BAGS[0], 0.0, -390.0),
    moves(17, BAGS[1]),
    came(17.2, BAGS[1]),
    rests(18, BAGS[1], 390.0, 390.0),
]


def hears(facts: Iterable[Fact], *troubles: Trouble) -> list[Heard]:
    return [one for one in Wire(PLAN, random.Random(1)).heard([*begins(), *facts], troubles) if one.at_us > 0]


def told(heard: Iterable[Heard]) -> list[Fact]:
    return [one.fact for one in heard]


def steps(heard: Iterable[Heard]) -> list[tuple[str, float]]:
    return [(one.fact.spot, round(one.fact.step_g, 1)) for one in heard if isinstance(one.fact, MassSettled)]


def stations(heard: Iterable[Heard]) -> list[tuple[str, str, int]]:
    facts = (one.fact for one in heard)
    return [(type(one).__name__, one.station, one.t_us) for one in facts if isinstance(one, StationCame | StationWent)]


def test_where_nothing_fails_the_hub_has_all_at_its_time() -> None:
    heard = hears([*DRAWN, *PASSED])
    assert told(heard) == [*DRAWN, *PASSED]
    assert all(one.at_us == one.fact.t_us for one in heard)


def test_a_hub_that_was_killed_has_tags_late_and_of_each_scale_one_step() -> None:
    heard = hears([*DRAWN, *PASSED], Trouble("hub_killed", 10 * S, 30 * S))
    tags = [one for one in heard if isinstance(one.fact, TagCame | TagLeft)]
    assert told(tags) == [left(15.2, BAGS[0]), came(17.2, BAGS[1])]
    assert all(one.at_us > 30 * S for one in tags)
    assert steps(heard) == [(BAGS[0], -400.0), (BAGS[1], 390.0)] or steps(heard) == [
        (BAGS[1], 390.0),
        (BAGS[0], -400.0),
    ]
    assert stations(heard) == [("StationCame", name, 30 * S) for name in ("seat-1", "seat-2")]
    assert not any(isinstance(one.fact, MassMoving) for one in heard)


def test_a_broker_that_was_killed_hides_only_what_scales_told() -> None:
    heard = hears([*DRAWN, *PASSED], Trouble("broker_killed", 10 * S, 20 * S))
    assert [one for one in told(heard) if isinstance(one, TagCame | TagLeft)] == [
        left(15.2, BAGS[0]),
        came(17.2, BAGS[1]),
    ]
    assert sorted(steps(heard)) == [(BAGS[0], -400.0), (BAGS[1], 390.0)]
    assert stations(heard) == []


def test_a_scale_on_which_nothing_changed_tells_nothing_after_the_broker_was_killed() -> None:
    there_and_back: list[Fact] = [*DRAWN, moves(15, BAGS[0]), rests(17, BAGS[0], 400.0, 10.0)]
    assert hears(there_and_back, Trouble("broker_killed", 10 * S, 20 * S)) == []


def test_a_hub_that_hears_no_station_for_long_takes_all_for_gone() -> None:
    heard = hears(DRAWN, Trouble("broker_killed", 10 * S, 40 * S))
    went = [("StationWent", name, 10 * S + SILENT_US) for name in ("seat-1", "seat-2")]
    assert stations(heard) == [*went, *(("StationCame", name, 40 * S) for name in ("seat-1", "seat-2"))]


def test_a_broker_that_stands_still_delays_everything_and_loses_nothing() -> None:
    heard = hears([*DRAWN, *PASSED], Trouble("broker_frozen", 10 * S, 20 * S, drops=False))
    assert sorted(told(heard), key=lambda one: one.t_us) == [*DRAWN, *PASSED]
    assert all(one.at_us > 20 * S for one in heard)


def test_only_the_station_whose_network_stalls_is_late() -> None:
    heard = hears([*DRAWN, *PASSED], Trouble("stalled", 10 * S, 15_500_000, "seat-1", drops=False))
    late = {one.fact.t_us for one in heard if one.at_us > one.fact.t_us}
    assert late == {one.t_us for one in (*DRAWN, *PASSED[:2])}
    assert stations(heard) == []


def test_a_station_whose_network_stalls_for_long_is_gone_and_what_it_tells_counts_from_its_return_on() -> None:
    heard = hears([*DRAWN, *PASSED], Trouble("stalled", 10 * S, 25 * S, "seat-1", drops=False))
    assert stations(heard) == [("StationWent", "seat-1", 10 * S + GONE_US), ("StationCame", "seat-1", 25 * S)]
    # the other station has read the bag, so it has left this one
    assert [(type(one).__name__, one.t_us) for one in told(heard) if isinstance(one, TagCame | TagLeft)] == [
        ("TagLeft", round(17.2 * S)),
        ("TagCame", round(17.2 * S)),
    ]
    assert (BAGS[0], -400.0) in steps(heard)


def test_an_unplugged_station_tells_only_what_it_finds() -> None:
    on_pad = [left(15, BAGS[0]), moves(15, BAGS[0]), rests(16, BAGS[0], 0.0, -400.0)]
    heard = hears(on_pad, Trouble("unplugged", 6 * S, 10 * S, "seat-1"), Trouble("unplugged", 14 * S, 40 * S, "seat-1"))
    found = [one.fact for one in heard if isinstance(one.fact, TagLeft)]
    assert [(one.confidence, one.t_us > 40 * S) for one in found] == [(0.9, True)]
    boots = [one.fact.boot for one in heard if isinstance(one.fact, StationCame)]
    assert len(set(boots)) == len(boots) == 2
    assert steps(heard) == [(BAGS[0], 0.0), (BAGS[0], -400.0)] or steps(heard) == [(BAGS[0], -400.0)]


def test_every_kind_of_trouble_comes_up_before_one_comes_up_again() -> None:
    troubles = drawn_troubles(random.Random(3), PLAN, 3000 * S)
    assert {one.kind for one in troubles[:5]} == set(KINDS)
    assert all(one.until_us < after.from_us for one, after in pairwise(troubles))
    assert drawn_troubles(random.Random(3), PLAN, 3000 * S) == troubles
