"""A supply that nobody fills up, or a tile that nobody reads: the game goes on, and it is named when it is seen."""

import pytest

from citytable.games.megacity.pieces import HOUSE
from citytable.games.megacity.spots import supply_platform
from citytable.table import spot as spots
from citytable.table.word import ModeChoice

pytestmark = pytest.mark.long(4)

NEW, NEXT = "platform/20/industrial", "platform/21/commercial"
GAP, PAD = supply_platform(0), spots.pad(1, 0)
UNSEEN = "p1 take_platform platform=1 revealed=?"
NAMED = "table turn_up revealed=20/industrial"
A_WHILE_US = 20_000_000


@pytest.fixture
def left_open(table):
    """The first player took a platform and drew, and the supply has had a gap for a while."""
    table.move(GAP, PAD)
    table.draw(1, 8.0)
    table.pass_bag(1, 2, drew=1)
    table.t_us += A_WHILE_US
    table.draw(2, 7.5)
    return table


def test_a_turn_in_which_the_supply_was_not_filled_up_is_confirmed_after_a_while(left_open):
    assert UNSEEN in left_open.done()
    assert left_open.done()[-1] == "p1 end_turn"
    assert [(one.kind, one.thing) for one in left_open.umpire.status().disagreements] == [("missing", "revealed/0")]
    assert left_open.umpire.questions == ()


def test_until_then_it_waits(table):
    table.move(GAP, PAD)
    table.draw(1, 8.0)
    table.pass_bag(1, 2, drew=1)
    table.draw(2, 7.5)
    assert table.done() == []
    table.lay(NEW, GAP)
    assert "p1 take_platform platform=1 revealed=20/industrial" in table.done()
    assert not any("turn_up" in one for one in table.provisional())


def test_what_comes_late_is_named_by_an_act_of_its_own(left_open):
    left_open.lay(NEW, GAP)
    assert NAMED in left_open.provisional()
    assert left_open.umpire.status().agrees
    left_open.pass_bag(2, 3, drew=1)
    assert sorted(left_open.done()[-3:]) == ["p2 end_turn", "p2 take_pieces drawn=unknown:1-3", NAMED]


def test_what_was_never_read_there_is_named_when_the_next_player_takes_it(left_open):
    left_open.lay(NEW, spots.pad(2, 0))
    left_open.lay(NEXT, GAP)
    assert left_open.provisional()[-2:] == [NAMED, "p2 take_platform platform=20 revealed=21/commercial"]
    assert left_open.umpire.status().agrees


def test_of_two_gaps_the_older_one_is_filled_first(left_open):
    left_open.move(supply_platform(1), spots.pad(2, 0))
    left_open.lay(NEW, GAP)
    assert {NAMED, "p2 take_platform platform=2 revealed=?"} <= set(left_open.provisional())


def test_a_turn_goes_on_to_be_confirmed_while_the_supply_has_its_gap(left_open):
    for seat, to in ((2, 3), (3, 1)):
        left_open.pass_bag(seat, to, drew=int(seat == 2))
    assert [one for one in left_open.done() if "end_turn" in one] == ["p1 end_turn", "p2 end_turn", "p3 end_turn"]


def test_who_saw_it_may_say_it(left_open):
    left_open.say("table turn_up")
    (question,) = left_open.umpire.questions
    assert (question.prompt, question.seat) == ("turn_up", None)
    assert NEW in question.fields[0].choices
    left_open.answer(**{question.fields[0].name: NEW})
    assert NAMED in left_open.provisional()


def test_three_tiles_are_not_forgotten_at_once(table):
    """Somebody may only look at them, or clear the supply and mean something else."""
    for k in range(3):
        table.lift(supply_platform(k))
    table.lay(NEW, GAP)
    table.pass_bag(1, 2)
    table.t_us += A_WHILE_US
    table.draw(2, 7.5)
    assert table.done() == []


def test_two_new_tiles_beside_one_that_stayed_are_no_refresh_whose_third_nobody_saw(table):
    """All places are taken: nothing lies there that is not known."""
    for k, (thing, to) in enumerate(((NEW, spots.pad(2, 0)), (NEXT, spots.pad(3, 0)))):
        table.move(supply_platform(k), to)
        table.lay(thing, supply_platform(k))
    assert not any("refresh" in one for one in table.provisional())


def test_a_tile_that_is_said_to_have_come_up_and_is_not_laid_there_yet_was_taken_by_nobody(table_of_two):
    """It was told as taken, which left no action for what its player said next (A 67008)."""
    table = table_of_two
    face = table.lift(GAP)
    known = table.position.supply
    number = next(one for one in sorted(HOUSE.platforms) if all(one != face.platform for face in known))
    came_up = f"{number}/{HOUSE.platforms[number][0]}"
    table.station("seat-1", tuple(spots.pad(1, k) for k in range(3)), up=False)
    table.say(f"p1 take_platform platform={face.split('/')[1]} revealed={came_up}")
    table.draw(1, 0.1)
    assert [one.split()[1] for one in table.provisional()] == ["take_platform"]


def test_a_tile_that_is_turned_over_at_once_was_taken_and_rezoned(table):
    """Nothing came up in its place, and neither act alone looks like what lies there (B 64022)."""
    table.move(GAP, PAD)
    face = table.lift(PAD)
    number, up = face.split("/")[1:]
    back = next(side for side in HOUSE.platforms[int(number)] if side != up)
    table.draw(1, 0.1)
    table.lay(f"platform/{number}/{back}", PAD)
    table.pass_bag(1, 2)
    table.t_us += A_WHILE_US
    table.draw(2, 7.5)
    assert [one.split()[1] for one in table.done()] == ["take_platform", "rezone", "end_turn"]


def test_nor_are_those_that_come_after_a_tile_that_nobody_saw(left_open):
    """A refresh takes the unknown tile away with the others: all three that come up are new."""
    for k in (1, 2):
        left_open.lift(supply_platform(k))
    left_open.lay(NEW, GAP)
    assert not any(one.certain for one in left_open.umpire.provisional)


def test_nobody_forgets_it_twice_in_one_story(table):
    """As long as the first gap is not confirmed, the second is no explanation."""
    table.move(GAP, PAD)
    table.pass_bag(1, 2)
    table.move(supply_platform(1), spots.pad(2, 0))
    assert not any(one.certain for one in table.umpire.provisional)


def test_a_tile_that_lies_nowhere_was_not_taken(table):
    """It may be put back."""
    table.lift(GAP)
    table.draw(1, 8.0)
    table.pass_bag(1, 2, drew=1)
    table.t_us += A_WHILE_US
    table.draw(2, 7.5)
    assert not any("take_platform" in one for one in table.done())


def test_a_game_without_rules_goes_on_as_well(left_open):
    """What is accepted may come beside a tile that nobody saw."""
    left_open.umpire.say(ModeChoice(mode="record", by="host"))
    left_open.move(supply_platform(1), spots.pad(3, 0))
    left_open.lay(NEW, GAP)
    left_open.lay(NEXT, supply_platform(1))
    assert any("p3 take_platform platform=2" in one for one in left_open.provisional())


def test_a_place_is_empty_because_somebody_holds_what_lay_there(table):
    """What had come up for the tile on the pad was told to have come up for the one in the hand (B 92023)."""
    taken = table.lift(supply_platform(2))
    table.lay(taken, PAD)
    table.lay(NEW, supply_platform(2))
    table.t_us += A_WHILE_US
    number, side = table.lift(GAP).split("/")[1:]
    turned = f"platform/{number}/{next(one for one in HOUSE.platforms[int(number)] if one != side)}"
    table.lay(turned, GAP)
    table.t_us += A_WHILE_US
    table.lift(GAP)
    table.pass_bag(1, 2)
    table.wait(5)
    assert [one for one in (*table.done(), *table.provisional()) if "take_platform" in one] == [
        f"p1 take_platform platform={taken.split('/')[1]} revealed=20/industrial"
    ]
