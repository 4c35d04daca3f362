"""A9: a building is cleared before its platform is turned over; the pad's scale knows whether it was."""

import pytest

from citytable.games.megacity.pieces import HOUSE
from citytable.games.megacity.spots import supply_platform
from citytable.rules.errors import IllegalAction
from citytable.table.fact import SensorFault
from citytable.table.word import Ruling

pytestmark = pytest.mark.long(3)

TILE_G, PIECES_G = 60.0, 25.0
SUPPLY = tuple(map(supply_platform, range(3)))


@pytest.fixture
def pad(table, deal):
    """The pad of seat 1 on which the platform it took lies and was weighed."""
    thing = next(one for one in table.lying.values() if one.startswith("platform/"))
    spot = table.free(1, "pad")
    table.move(table.where(thing), spot)
    table.weigh(spot, TILE_G)
    return spot


def rezoned(table, pad):
    """Say that the platform on this pad was rezoned; gives its number and the side that lay up."""
    number, side = table.lying[pad].split("/")[1:]
    table.say(f"p1 rezone platform={number}")
    return number, side


def test_a9_a_platform_with_pieces_on_it_is_not_rezoned(table, pad):
    table.weigh(pad, TILE_G + PIECES_G)
    with pytest.raises(IllegalAction, match=r"^A9: There are pieces on platform \d+: take them off") as refusal:
        rezoned(table, pad)
    assert "retirez-les" in refusal.value.text["fr"]
    assert [one.split()[1] for one in table.provisional()] == ["take_platform"]


def test_a9_cleared_it_is(table, pad):
    table.weigh(pad, TILE_G + PIECES_G)
    table.weigh(pad, TILE_G + 0.2)
    rezoned(table, pad)
    assert [one.split()[1] for one in table.provisional()] == ["take_platform", "rezone"]


@pytest.mark.parametrize("fault", [False, True])
def test_a_pad_that_says_nothing_sure_refuses_nothing(table, pad, fault):
    table.weigh(pad, TILE_G + PIECES_G)
    if fault:
        table._tell(SensorFault(t_us=table._now(), spot=pad, sensor="cell", what="stuck", on=True))
    else:
        table.stir(pad)
    rezoned(table, pad)
    assert [one.split()[1] for one in table.provisional()] == ["take_platform", "rezone"]


def test_the_host_may_let_it_stand(table, pad):
    table.weigh(pad, TILE_G + PIECES_G)
    number = table.lying[pad].split("/")[1]
    table.umpire.say(Ruling(action=f"p1 rezone platform={number}", by="host"))
    table.umpire.judge()
    assert [one.split()[1] for one in table.provisional()] == ["take_platform", "rezone"]


def test_a_platform_turned_over_when_its_turn_was_over_long_ago_is_looked_at(table, deal):
    """Nothing else explained it than a rezoning in that turn, which left no action for its draw (A 31002)."""
    thing = next(one for one in table.lying.values() if one.startswith("platform/"))
    for grams in (4.0, 9.0):
        table.draw(1, grams)
    spot = table.where(thing)
    table.move(spot, "seat/1/pad/0")
    table.lay("platform/20/industrial", spot)
    table.pass_bag(1, 2)
    assert [one.prompt for one in table.umpire.questions] == ["account"]
    table.draw(2, 2.38)
    number, side = table.lift("seat/1/pad/0").split("/")[1:]
    table.lay(f"platform/{number}/{next(one for one in HOUSE.platforms[int(number)] if one != side)}", "seat/1/pad/0")
    table.draw(2, 5.5)
    assert "account" in [one.prompt for one in table.umpire.questions]
    assert not [one for one in table.provisional() if "rezone" in one]


@pytest.fixture
def turned(table, pad):
    """Seat 1's platform, taken long ago, other side up when they pass the bag; what they drew is still being asked."""
    thing = table.lying[pad]
    table.lay("platform/20/industrial", next(spot for spot in SUPPLY if spot not in table.lying))
    for seat, to in ((1, 2), (2, 3), (3, 1)):
        table.pass_bag(seat, to, drew=0)
    assert table.provisional() == []
    number, up = thing.split("/")[1:]
    other = next(side for side in HOUSE.platforms[int(number)] if side != up)
    for grams in (4.0, 4.5):
        table.draw(1, grams)
    table.lift(pad)
    table.lay(f"platform/{number}/{other}", pad)
    table.pass_bag(1, 2)
    assert [one.prompt for one in table.umpire.questions] == ["account"]
    return thing


def turn_back(table, pad, thing):
    table.lift(pad)
    table.lay(thing, pad)


def rezonings(table):
    return [text for text in table.provisional() if "rezone" in text]


def test_a_platform_that_its_player_turns_back_in_their_next_turn_was_rezoned_twice(table, pad, turned):
    """They turned it to and fro; it lies as it did before, and a story without both rezonings was as good (B 48002)."""
    for seat, to in ((2, 3), (3, 1)):
        table.pass_bag(seat, to)
    other = table.lying[pad]
    for side in (turned, other, turned):
        turn_back(table, pad, side)
    assert len(rezonings(table)) == 2


def test_one_that_is_turned_back_when_the_bag_is_gone_was_looked_at(table, pad, turned):
    turn_back(table, pad, turned)
    assert rezonings(table) == []
    assert table.umpire.status().agrees


def test_one_that_is_turned_back_while_the_bag_is_passed_is_waited_for(table, pad, deal):
    """It left room for what the next player had drawn early, and that was confirmed as theirs at once (A 63007)."""
    table.lay("platform/20/industrial", next(spot for spot in SUPPLY if spot not in table.lying))
    for seat, to in ((1, 2), (2, 3), (3, 1)):
        table.pass_bag(seat, to, drew=0)
    before = table.lying[pad]
    number, up = before.split("/")[1:]
    other = next(side for side in HOUSE.platforms[int(number)] if side != up)
    table.confirmed.clear()
    table.take_contract(1, *deal.columns[0][:2])
    turn_back(table, pad, f"platform/{number}/{other}")
    table.draw(1, 9.0)
    table.lift("seat/1/bag")
    turn_back(table, pad, before)
    table.weigh("seat/1/bag", 0.0)
    table.lay("bag", "seat/2/bag")
    table.weigh("seat/2/bag", table.bag_g)
    assert table.done() == []
    table.t_us += 9_000_000
    table.weigh("seat/3/pad/1", 0.1)
    assert [one.split()[1] for one in table.done()] == ["take_contract", "take_pieces", "end_turn"]


def test_one_that_is_turned_back_when_the_turn_before_its_own_is_answered_is_waited_for(table, building):
    """Seat 2 looked at it in their next turn, and had passed the bag when it lay the other side up (A 69023)."""
    table.move("seat/1/pad/0", "city/1/0")
    table.lift(table.where("contract/PU1"))
    table.pass_bag(1, 2)
    assert [one.prompt for one in table.umpire.questions] == ["deliver"]
    spot = next(spot for spot in SUPPLY if spot in table.lying)
    thing = table.lying[spot]
    number, up = thing.split("/")[1:]
    other = next(side for side in HOUSE.platforms[int(number)] if side != up)
    table.move(spot, "seat/2/pad/0")
    table.lay("platform/23/residential", spot)
    turn_back(table, "seat/2/pad/0", f"platform/{number}/{other}")
    table.pass_bag(2, 3)
    for side in (thing, f"platform/{number}/{other}"):
        turn_back(table, "seat/2/pad/0", side)
    table.pass_bag(3, 1, drew=0)
    turn_back(table, "seat/2/pad/0", thing)
    table.answer(height_mm=31, steel=4, concrete=0, glass=0, judged=True)
    assert [one for one in table.done() if one.startswith("p2")] == []
    turn_back(table, "seat/2/pad/0", f"platform/{number}/{other}")
    table.t_us += 9_000_000
    table.weigh("seat/3/pad/1", 0.1)
    assert [one.split()[1] for one in table.done() if one.startswith("p2")] == ["take_platform", "rezone", "end_turn"]
