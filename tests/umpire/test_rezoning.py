"""A9: a building is cleared before its platform is turned over; the pad's scale knows whether it was."""

import pytest

from citytable.rules.errors import IllegalAction
from citytable.table.fact import SensorFault
from citytable.table.word import Ruling

TILE_G, PIECES_G = 60.0, 25.0


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
