"""The bag goes all the way round while something waits for its place: what was done then is told in its own turn."""

import pytest

from citytable.games.megacity.spots import contract_column, supply_platform
from citytable.table import spot as spots

pytestmark = pytest.mark.long(4)

ONE = "platform/1/public"
REFILL = "platform/13/industrial"
TAKES_ONE = "p1 take_platform platform=1 revealed=13/industrial"


def test_a_card_held_for_an_idle_round(evening):
    """The bag went 2, 3, 1, 2; the draw is of turn 5, not of turn 2."""
    evening.draws(1, 8.8)
    evening.passes(1)
    evening.does("p2 take_contract contract=IN1")
    evening.lift_card("IN1", "IN2")
    evening.passes(2)
    evening.pass_round(3, 1)
    evening.wait(10)
    evening.table.lay("contract/IN1", spots.card(2, 0))
    evening.draws(2, 8.8)
    evening.passes(2)
    evening.ends_right()


def test_a_gap_in_the_supply_for_an_idle_round(evening):
    evening.does(TAKES_ONE)
    evening.move_tile(supply_platform(0), spots.pad(1, 0))
    evening.pass_round(1, 2, 3)
    evening.table.lay(REFILL, supply_platform(0))
    evening.draws(1, 8.8)
    evening.passes(1)
    evening.ends_right()


def test_a_platform_in_the_lap_for_an_idle_round(evening):
    evening.does(TAKES_ONE)
    evening.table.lift(supply_platform(0))
    evening.pass_round(1, 2, 3)
    evening.lay_tile(ONE, spots.pad(1, 0))
    evening.table.lay(REFILL, supply_platform(0))
    evening.draws(1, 8.8)
    evening.passes(1)
    evening.ends_right()


def test_a_gap_for_a_round_after_a_draw(evening):
    evening.does(TAKES_ONE)
    evening.move_tile(supply_platform(0), spots.pad(1, 0))
    evening.draws(1, 8.8)
    evening.passes(1)
    evening.pass_round(2, 3)
    evening.table.lay(REFILL, supply_platform(0))
    evening.draws(1, 8.8)
    evening.passes(1)
    evening.ends_right()


def test_a_sleeve_on_central_park_for_a_round(evening):
    evening.takes_card(1, "PU1")
    evening.add("city/0/0", 3.5)
    evening.passes(1)
    evening.draws(2, 8.8)
    evening.passes(2)
    evening.passes(3)
    evening.add("city/0/0", -3.5)
    evening.draws(1, 8.6)
    evening.passes(1)
    evening.ends_right()


def test_a_sleeve_on_central_park_for_two_rounds(evening):
    evening.takes_card(1, "PU1")
    evening.add("city/0/0", 3.5)
    evening.takes_one()
    evening.passes(1)
    evening.pass_round(2, 3)
    evening.draws(1, 8.6, 8.9)
    evening.passes(1)
    evening.pass_round(2, 3)
    evening.add("city/0/0", -3.5)
    evening.draws(1, 8.6)
    evening.passes(1)
    evening.ends_right()


def test_a_card_looked_at_for_a_round_and_put_back(evening):
    evening.lift_card("PU1", "PU2")
    evening.draws(1, 8.8)
    evening.passes(1)
    evening.draws(2, 9.0)
    evening.passes(2)
    evening.passes(3)
    evening.table.lift(contract_column("public"))
    evening.table.lay("contract/PU1", contract_column("public"))
    evening.wait(20)
    evening.nothing_wrong()
    evening.draws(1, 8.6, 8.6)
    evening.passes(1)
    evening.ends_right()
