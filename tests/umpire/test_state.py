"""The state of an umpire is a value: whatever comes gives a new one, and the same from the same."""

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from msgspec import Struct

from citytable.games.megacity.pieces import HOUSE
from citytable.games.megacity.table_side import MegaCityTable
from citytable.rules.errors import GameError
from citytable.table.fact import (
    Fell,
    HeightMeasured,
    MassMoving,
    MassSettled,
    PiecesCounted,
    SensorFault,
    StationCame,
    StationWent,
    TagCame,
    TagLeft,
)
from citytable.table.word import Answer, Approval, ModeChoice, Ruling, Statement, TableStays
from citytable.umpire.correcting import put_right
from citytable.umpire.judging import judged
from citytable.umpire.means import Means
from citytable.umpire.observed import Observed
from citytable.umpire.restoring import AsItWas
from citytable.umpire.saying import said
from citytable.umpire.state import State
from citytable.umpire.taking import took
from citytable.umpire.under_way import under_way
from citytable.umpire.whole_game import whole

BAGS = ("seat/1/bag", "seat/2/bag")
SPOTS = (*BAGS, "city/0/0", "city/1/0", "seat/1/card/0", "seat/1/pad/0", "supply/platform/0")
LATER_US = st.integers(0, 4_000_000)


class Judge(Struct, frozen=True):
    """A tick."""


class Correction(Struct, frozen=True):
    """Somebody takes back what came after the first position."""

    restoring: bool


class AnswerFirst(Struct, frozen=True):
    """Somebody answers the oldest question by one of its choices, or this number."""

    number: int


class ApproveFirst(Struct, frozen=True):
    """Somebody taps the oldest act."""


def tags(things):
    came, spot, thing = st.sampled_from((TagCame, TagLeft)), st.sampled_from(SPOTS), st.sampled_from(things)
    return st.builds(
        lambda kind, t_us, at, what: kind(t_us=t_us, spot=at, uid=what, thing=what), came, LATER_US, spot, thing
    )


def weights():
    spot, step_g = st.sampled_from(SPOTS), st.sampled_from((-20.0, -9.0, -3.0, -0.4, 3.0, 9.0))
    moving = st.builds(MassMoving, t_us=LATER_US, spot=spot)
    loads_g = st.sampled_from((0.0, 15.0, 880.0, 900.0))
    return moving | st.builds(
        MassSettled, t_us=LATER_US, spot=spot, mass_g=loads_g, step_g=step_g, error_g=st.just(0.1)
    )


def others():
    spot, station = st.sampled_from(SPOTS), st.sampled_from((BAGS, ("city/0/0", "city/1/0")))
    return st.one_of(
        st.builds(
            HeightMeasured,
            t_us=LATER_US,
            spot=spot,
            low_mm=st.just(30.0),
            high_mm=st.just(34.0),
            source=st.just("crane"),
        ),
        st.builds(PiecesCounted, t_us=LATER_US, spot=spot, n=st.integers(0, 5), unsure=st.booleans()),
        st.builds(Fell, t_us=LATER_US, spot=spot, lost_g=st.just(9.0), stage=st.sampled_from(("alert", "confirmed"))),
        st.builds(StationWent, t_us=LATER_US, station=st.just("one"), spots=station),
        st.builds(StationCame, t_us=LATER_US, station=st.just("one"), boot=st.just(7), spots=station),
        st.builds(
            SensorFault,
            t_us=LATER_US,
            spot=spot,
            sensor=st.sampled_from(("cell", "reader")),
            what=st.just("silent"),
            on=st.booleans(),
        ),
    )


def words():
    acts = ("p1 take_pieces drawn=unknown:3", "p1 end_turn", "p1 take_platform", "p2 end_turn", "no act")
    return st.one_of(
        st.builds(Statement, by=st.just("table"), action=st.sampled_from(acts)),
        st.builds(Ruling, by=st.just("host"), action=st.sampled_from(acts)),
        st.builds(ModeChoice, by=st.just("host"), mode=st.sampled_from(("enforce", "advise", "record"))),
        st.builds(TableStays, by=st.just("host")),
        st.builds(AnswerFirst, st.integers(0, 100)),
        st.just(ApproveFirst()),
        st.builds(Correction, st.booleans()),
    )


def after(means, state, came, start):
    """The state after whatever came; the same one when it is refused."""
    match came:
        case Judge():
            return judged(means, state)[0]
        case Correction(restoring=restoring):
            return put_right(means, state, start, restoring=restoring, scales=AsItWas(start, {"bag": (900.0,)}))
        case AnswerFirst(number=number):
            question = next(iter(state.questions), None)
            fields = question.fields if question else ()
            values = {one.name: one.choices[number % len(one.choices)] if one.choices else number for one in fields}
            word = Answer(by="table", question=question.id if question else "none", values=values)
        case ApproveFirst():
            word = Approval(by="host", actions=tuple(one.action for one in under_way(means, state)[:1]) or ("none",))
        case Statement() | Ruling() | ModeChoice() | TableStays():
            word = came
        case _:
            return took(means, state, came)
    try:
        return said(means, state, word)
    except (GameError, ValueError):
        return state


def move(thing, spot, to, *, below=None):
    left, came = TagLeft(t_us=0, spot=spot, uid=thing, thing=thing), TagCame(t_us=1, spot=to, uid=thing, thing=thing)
    return (left, came, *(() if below is None else (TagCame(t_us=1, spot=spot, uid=below, thing=below),)), Judge())


def weigh(spot, mass_g, step_g):
    moving = MassMoving(t_us=0, spot=spot)
    return (moving, MassSettled(t_us=1, spot=spot, mass_g=mass_g, step_g=step_g, error_g=0.1), Judge())


def by_a_lap(bag_g, drawn_g):
    """The bag is handed on, and somebody draws from it on its way."""
    left, came = (
        kind(t_us=0, spot=spot, uid="bag", thing="bag") for kind, spot in zip((TagLeft, TagCame), BAGS, strict=True)
    )
    return (left, *weigh(BAGS[0], 0.0, -bag_g), came, *weigh(BAGS[1], bag_g - drawn_g, bag_g - drawn_g))


def test_whatever_comes_leaves_the_state_before_as_it_was_and_leads_to_the_same_again(table, deal):
    begun, start = table.umpire._state, table.position
    columns = [tuple(f"contract/{contract}" for contract in column[:2]) for column in deal.columns]
    things = ("bag", *(column[0] for column in columns), "platform/20/industrial", "park/1")
    contract = move(columns[0][0], table.where(columns[0][0]), "seat/1/card/0", below=columns[0][1])
    draw, lap, passed = weigh(BAGS[0], table.bag_g - 9.0, -9.0), by_a_lap(table.bag_g, 9.0), by_a_lap(table.bag_g, 0.0)
    single = st.one_of(tags(things), weights(), others(), words(), st.just(Judge())).map(lambda one: (one,))
    fell = tuple(Fell(t_us=0, spot="city/0/0", lost_g=9.0, stage=stage) for stage in ("alert", "confirmed"))

    @settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
    @given(st.lists(single | st.sampled_from((contract, draw, lap, passed)), max_size=8))
    @example([contract, lap, (AnswerFirst(0), Judge())])
    @example([contract, draw, (ApproveFirst(), Judge(), Correction(restoring=True)), weigh(BAGS[0], 895.0, 4.0)])
    @example([contract, passed, fell, (ModeChoice(by="host", mode="record"), Correction(restoring=True), Judge())])
    def holds(parts):
        came = [one for part in parts for one in part]
        means, states, pictures = Means(whole(MegaCityTable(HOUSE))), [begun], [repr(begun)]
        for one in came:
            states.append(after(means, states[-1], one, start))
            pictures.append(repr(states[-1]))
        assert [repr(state) for state in states] == pictures
        fresh = Means(whole(MegaCityTable(HOUSE)))
        for one, before, then in zip(came, states[:-1], states[1:], strict=True):
            assert after(fresh, before, one, start) == then
            changed.update(name for name in State.__struct_fields__ if getattr(before, name) != getattr(then, name))

    changed = set()
    holds()
    assert {"observed", "story", "best", "questions", "account", "falls", "mode", "restoring", "outstanding"} <= changed


@pytest.mark.parametrize("name", ["lying", "weights", "silent"])
def test_an_observed_table_cannot_be_changed(name):
    with pytest.raises(AttributeError):
        setattr(Observed(), name, {})
