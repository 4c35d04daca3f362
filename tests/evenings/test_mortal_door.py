"""A hub of an evening that was killed knows what it knew, and stations that are silent until they have told."""

from itertools import groupby

import pytest

from citytable.evenings.mortal_door import MortalDoor
from citytable.evenings.performance import Performance
from citytable.evenings.troubled import with_troubles
from citytable.evenings.troupe import Settings, evening
from citytable.rehearsal.megacity.evenings.evening import HABITS, TROUPE, perform
from citytable.rehearsal.megacity.evenings.referee import Referee

pytestmark = pytest.mark.long(45)

S = 1_000_000
USUAL = Settings(habits=HABITS.habits, table="full")


@pytest.fixture(scope="module")
def played() -> Performance:
    return perform(8, USUAL)


def heard_until(played: Performance, at_s: int) -> MortalDoor:
    door = MortalDoor(Referee().table, played.start, played.plan)
    for _, batch in groupby((one for one in played.facts if one.t_us < at_s * S), key=lambda fact: fact.t_us // S):
        facts = tuple(batch)
        door.feed(facts, facts[-1].t_us)
        door.judge()
    return door


@pytest.mark.parametrize("at_s", [20, 60, 90])
def test_a_hub_that_was_killed_knows_what_it_knew(played: Performance, at_s: int) -> None:
    door = heard_until(played, at_s)
    confirmed, shown = list(door.confirmed), [one.action for one in door.shown()]
    door.come_back()
    assert door.judge() == ()
    assert door.confirmed == confirmed
    assert [one.action for one in door.shown()] == shown
    silent = {text.split()[1] for text in door.complaints() if text.startswith("station_silent")}
    assert silent == {one.station for one in played.plan.stations}


def test_it_knows_what_people_set(played: Performance) -> None:
    door = heard_until(played, 60)
    done = [one.action for one in played.done if one.t_us < 60 * S]
    ends = [k for k, act in enumerate(done, start=1) if Referee().ends_turn(act)]
    door.set_as_it_stands(done[: ends[-1]] if ends else [])
    door.judge()
    before = [one.action for one in door.shown()]
    door.come_back()
    assert [one.action for one in door.shown()] == before


def test_an_evening_with_faults_is_the_same_twice_and_says_which_there_were() -> None:
    settings = Settings(habits=HABITS.habits, faults=True)
    once, again = evening(TROUPE, 61005, settings), evening(TROUPE, 61005, settings)
    assert (once.end, once.story, once.questions) == (again.end, again.story, again.questions)
    assert {"hub_killed", "broker_killed"} & set(once.habits)


def test_what_is_said_while_the_hub_is_away_is_said_when_it_is_back() -> None:
    troubled = [with_troubles(perform(seed, Settings(habits=HABITS.habits))) for seed in range(61001, 61006)]
    assert any(one.away_us for one in troubled)
    for one in troubled:
        for word in one.said:
            assert not any(from_us <= word.t_us < until_us for from_us, until_us in one.away_us)
