"""Which of two contracts a building is for shows when one of them is turned over; until then nobody guesses."""

import pytest
from msgspec.structs import replace

from citytable.umpire.node import Cue
from citytable.umpire.story import explained

PU1, PU2 = (f"p1 deliver contract={one} platform=1 at=1/0 stood=yes" for one in ("PU1", "PU2"))


@pytest.fixture
def two(table, building, deal):
    """Seat 1 holds two public contracts, and brings their building to 1/0."""
    table.take_contract(1, *deal.columns[0][1:3])
    for seat, to in ((1, 2), (2, 3), (3, 1)):
        table.pass_bag(seat, to, drew=0)
        if table.umpire.questions:
            table.answer(which="nothing")
    table.confirmed.clear()
    table.move("seat/1/pad/0", "city/1/0")
    return table


def asked(table):
    return [(one.prompt, one.fields[0].choices) for one in table.umpire.questions]


def test_whose_turn_is_over_and_turned_over_neither_contract_is_asked_which_it_was(two):
    two.pass_bag(1, 2)
    assert asked(two) == [("which", (PU1, PU2))]
    two.answer(which=PU2)
    assert [(one.prompt, one.about) for one in two.umpire.questions] == [("deliver", PU2)]


def test_the_contract_that_is_turned_over_is_the_one(two):
    two.lift(two.where("contract/PU2"))
    assert [(one.prompt, one.about) for one in two.umpire.questions] == [("deliver", PU2)]


def test_nothing_is_confirmed_before_that_is_answered(two):
    two.pass_bag(1, 2)
    for seat, to in ((2, 3), (3, 1)):
        two.pass_bag(seat, to)
    assert two.done() == []


@pytest.mark.parametrize("contract", ["PU1", "PU2"])
def test_of_a_building_that_fell_it_is_asked_which_contract_it_was_to_be(two, contract):
    """The first was confirmed, and no contract is turned over that would tell (A 47024)."""
    fell = [one.replace("stood=yes", "stood=no") for one in (PU1, PU2)]
    two.fall("city/1/0")
    two.move("city/1/0", "seat/1/pad/0")
    two.pass_bag(1, 2)
    assert asked(two) == [("which", tuple(fell))]
    told = next(one for one in fell if contract in one)
    two.answer(which=told)
    assert two.done() == [told, "p1 end_turn"]


def test_a_story_that_was_given_up_does_not_come_back_with_what_people_have_denied(two):
    """They answered which contract it was to be, and were asked the same for ever (A 93015)."""
    two.fall("city/1/0")
    two.move("city/1/0", "seat/1/pad/0")
    state, means = two.umpire._state, two.umpire._means
    answered = Cue(means.game.action("p3 end_turn"))  # which no story of this table has room for
    story = replace(state.story, path=state.path[:1], cues=(answered,), given_up=state.path)
    told, _ = explained(story, means.explaining(state))
    assert told.path == state.path[:1]
    same, _ = explained(replace(story, cues=state.story.cues), means.explaining(state))
    assert same.path == state.path


def test_where_a_player_said_what_fell_nothing_is_asked(two):
    fell = PU2.replace("stood=yes", "stood=no")
    two.say(fell)
    two.move("city/1/0", "seat/1/pad/0")
    two.pass_bag(1, 2)
    assert two.done() == [fell, "p1 end_turn"]


@pytest.fixture
def weighed(table, building, deal):
    """Seat 1 holds two public contracts, and its building stands weighed on the pad."""
    table.take_contract(1, *deal.columns[0][1:3])
    for seat, to in ((1, 2), (2, 3), (3, 1)):
        table.pass_bag(seat, to)
    table.confirmed.clear()
    table.weigh("city/1/0", 0.0)
    table.weigh("seat/1/pad/0", 46.0)
    table.move("seat/1/pad/0", "city/1/0")
    table.weigh("seat/1/pad/0", 0.0)
    table.weigh("city/1/0", 16.0)
    return table


def test_a_tower_that_lost_weight_may_have_been_for_either_contract(weighed):
    """Asked was only about the first: whoever tried for the other one had no answer to give (B 52035)."""
    fell = tuple(one.replace("stood=yes", "stood=no") for one in (PU1, PU2))
    assert asked(weighed) == [("which", (*fell, PU1, PU2))]
    weighed.answer(which=fell[1])
    weighed.move("city/1/0", "seat/1/pad/0")
    weighed.pass_bag(1, 2)
    assert weighed.done() == [fell[1], "p1 end_turn"]


@pytest.mark.parametrize("contract", ["PU1", "PU2"])
def test_a_tower_that_lost_weight_and_stood_is_asked_about_no_second_time(weighed, contract):
    stood = next(one for one in (PU1, PU2) if contract in one)
    weighed.answer(which=stood)
    assert [(one.prompt, one.about) for one in weighed.umpire.questions] == [("deliver", stood)]


def test_a_tower_that_lost_weight_and_is_taken_home_may_have_been_for_either_contract(weighed):
    """It was denied that it was for the first, and so it had never been there (B 52035)."""
    fell = tuple(one.replace("stood=yes", "stood=no") for one in (PU1, PU2))
    weighed.move("city/1/0", "seat/1/pad/0")
    weighed.weigh("city/1/0", 0.0)
    weighed.weigh("seat/1/pad/0", 16.0)
    assert asked(weighed) == [("besides", (*fell, "nothing"))]
    weighed.pass_bag(1, 2)
    weighed.answer(which=fell[1])
    assert weighed.done() == [fell[1], "p1 end_turn"]
