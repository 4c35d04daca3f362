"""Towers that lose pieces at rest, turns that end by word, and tiles that go from the stack where they are used."""

import pytest

from citytable.games.megacity.spots import supply_platform
from citytable.table import spot as spots

pytestmark = pytest.mark.long(4)

PIECE_G = 2.9
NEXT = [f"platform/{number}/industrial" for number in (13, 14, 15)]
TAKES_ONE = "p1 take_platform platform=1 revealed=13/industrial"
FAILS = "p1 deliver contract=PU1 platform=1 at=1/0 stood=no"
DRAWS = "p{} take_pieces drawn=unknown:3"
ENDS = "p{} end_turn"


def test_an_unfelt_fall_taken_home_with_the_pieces(evening):
    """What the hex lost while the platform rested there is not nothing: the turn may not pass as an idle one."""
    evening.builds()
    evening.does("p1 deliver contract=PU1 platform=1 at=1/0 stood=no", ENDS.format(1))
    evening.carry(spots.pad(1, 0), "city/1/0")
    evening.add("city/1/0", -3 * PIECE_G)
    evening.wait(10)
    evening.carry("city/1/0", spots.pad(1, 0))
    evening.add(spots.pad(1, 0), 3 * PIECE_G)
    evening.pass_bag(1, 2)
    evening.ends_right()


def test_an_unfelt_fall_taken_home_pieces_to_the_heap(evening):
    """All four pieces left the hex at rest, and only the tile and cube went home."""
    evening.builds()
    evening.does(FAILS)
    evening.carry(spots.pad(1, 0), "city/1/0")
    evening.add("city/1/0", -4 * PIECE_G)
    evening.wait(20)
    evening.carry("city/1/0", spots.pad(1, 0))
    evening.passes(1)
    evening.draws(2, 8.7)
    evening.passes(2)
    evening.ends_right()


def test_a_fall_with_an_alert_only_taken_home(evening):
    evening.builds()
    evening.does(FAILS)
    evening.carry(spots.pad(1, 0), "city/1/0")
    evening.table.fall("city/1/0", stage="alert", lost_g=4 * PIECE_G)
    evening.add("city/1/0", -4 * PIECE_G)
    evening.wait(20)
    evening.carry("city/1/0", spots.pad(1, 0))
    evening.passes(1)
    evening.draws(2, 8.7)
    evening.passes(2)
    evening.ends_right()


def test_it_is_said_to_be_over_and_the_next_player_draws_before_the_bag_comes(evening):
    """Only a player who said that the turn is over, or the next one, can have drawn: ask."""
    evening.takes_card(1, "PU1")
    evening.table.say("p1 end_turn")
    evening.does_early(DRAWS.format(2))
    evening.draw(1, 8.7)
    evening.does(ENDS.format(1), DRAWS.format(2))
    evening.wait(60)
    evening.pass_bag(1, 2)
    evening.takes_card(2, "IN1")
    evening.passes(2)
    evening.ends_right()


def test_it_is_said_to_be_over_and_the_next_player_refreshes_before_the_bag_comes(evening):
    evening.takes_card(1, "PU1")
    evening.table.say("p1 end_turn")
    evening.does(ENDS.format(1))
    evening.refreshes(2, *NEXT[:3])
    evening.sweeps(*NEXT[:3])
    evening.wait(10)
    evening.pass_bag(1, 2)
    evening.draws(2, 8.8)
    evening.passes(2)
    evening.ends_right()


def test_a_turned_up_platform_goes_from_the_stack_to_the_own_pad(evening):
    evening.does(TAKES_ONE, "p1 take_platform platform=13 revealed=14/industrial", ENDS.format(1))
    evening.lay_tile(evening.lift_tile(supply_platform(0)), spots.pad(1, 0))
    evening.lay_tile(NEXT[0], spots.pad(1, 1))
    evening.table.lay(NEXT[1], supply_platform(0))
    evening.pass_bag(1, 2)
    evening.ends_right()


def test_a_turned_up_platform_goes_from_the_stack_to_the_next_players_pad(evening):
    """The refill goes to the pad of the next player who takes it, from the stack."""
    evening.does(TAKES_ONE)
    evening.move_tile(supply_platform(0), spots.pad(1, 0))
    evening.draws(1, 8.7)
    evening.passes(1)
    evening.does("p2 take_platform platform=13 revealed=14/industrial")
    evening.lay_tile(NEXT[0], spots.pad(2, 0))
    evening.table.lay(NEXT[1], supply_platform(0))
    evening.passes(2)
    evening.ends_right()


def test_a_tile_of_the_stack_in_the_supply_by_mistake(evening):
    evening.takes_one()
    evening.table.lift(supply_platform(1))
    evening.table.lay(NEXT[1], supply_platform(1))
    evening.wait(8)
    evening.table.lift(supply_platform(1))
    evening.table.lay("platform/2/public", supply_platform(1))
    evening.draws(1, 8.7)
    evening.passes(1)
    evening.draws(2, 8.7)
    evening.passes(2)
    evening.ends_right()
