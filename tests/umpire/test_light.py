"""What came to light was turned up by some act, also when it lies nowhere any more."""

import pytest

from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.pieces import HOUSE
from citytable.games.megacity.position import Options
from citytable.games.megacity.spots import shared_spots, supply_platform
from citytable.games.megacity.table_side import MegaCityTable
from citytable.table import spot as spots
from citytable.table.plan import full_plan
from citytable.umpire.node import Node, replayed
from citytable.umpire.reaching import came_up, turned_up_too_soon
from citytable.umpire.umpire import Umpire

pytestmark = pytest.mark.long(13)

NEW = ("platform/20/residential", "platform/21/commercial", "platform/22/commercial")
NEWER = ("platform/18/industrial", "platform/19/residential", "platform/23/residential")


def refresh(table, things):
    for k in range(3):
        table.lift(supply_platform(k))
    for k, thing in enumerate(things):
        table.lay(thing, supply_platform(k))


def refresh_one_by_one(table, things):
    for k, thing in enumerate(things):
        table.lift(supply_platform(k))
        table.lay(thing, supply_platform(k))


def kinds(texts):
    return [" ".join(text.split()[:2]) for text in texts]


def test_a_supply_that_is_refreshed_twice_was_refreshed_twice(table):
    """The second time one tile after the other: in between it looks like tiles taken into a lap."""
    refresh(table, NEW)
    refresh_one_by_one(table, NEWER)
    assert kinds(table.provisional()) == ["p1 refresh", "p1 refresh"]
    table.pass_bag(1, 2)
    assert table.done()[0] == "p1 refresh revealed=20/residential,21/commercial,22/commercial"


@pytest.mark.parametrize("slot", range(3))
def test_a_tile_taken_into_a_lap_was_taken_though_the_supply_is_another_one_by_now(table, slot):
    """The tile in its place lay beside the old ones."""
    taken = table.lift(supply_platform(slot)).split("/")[1]
    table.lay(NEWER[0], supply_platform(slot))
    refresh(table, NEW)
    assert table.provisional()[0] == f"p1 take_platform platform={taken} revealed=18/industrial"
    assert kinds(table.provisional()) == ["p1 take_platform", "p1 refresh"]


@pytest.mark.parametrize("slot", range(3))
def test_a_tile_taken_into_a_lap_was_taken_though_nothing_was_judged_until_all_was_done(table, slot):
    """It was told to have been swept away, and the tile in its place to have been taken (A 91024)."""
    table.untold = []
    taken = table.lift(supply_platform(slot)).split("/")[1]
    table.lay(NEWER[0], supply_platform(slot))
    table.t_us += 2_000_000
    refresh(table, NEW)
    table.umpire.feed(table.untold)
    table.umpire.judge()
    assert table.provisional()[0] == f"p1 take_platform platform={taken} revealed=18/industrial"
    assert kinds(table.provisional()) == ["p1 take_platform", "p1 refresh"]


def test_what_lay_there_in_an_earlier_turn_tells_nothing_of_this_one(table):
    refresh(table, NEW)
    refresh(table, NEWER)
    table.pass_bag(1, 2)
    table.move(supply_platform(0), spots.pad(2, 0))
    table.lay("platform/17/residential", supply_platform(0))
    assert kinds(table.provisional()) == ["p2 take_platform"]
    assert table.umpire.status().agrees


def test_a_side_that_somebody_looks_at_was_never_in_the_stack(table):
    thing = table.lift(supply_platform(0))
    number, side = thing.split("/")[1:]
    other = next(one for one in ("public", "residential", "commercial", "industrial") if one != side)
    table.lay(f"platform/{number}/{other}", supply_platform(0))
    table.lift(supply_platform(0))
    table.lay(thing, supply_platform(0))
    assert table.provisional() == []
    assert table.umpire.status().agrees


def test_what_was_seen_while_the_table_was_set_up_was_turned_up_by_nobody(deal, fact_table, lay_out):
    """Tiles of the game before are put away, or somebody shuffles them."""
    game = MegaCity(Options(players=3), HOUSE)
    table = fact_table(Umpire(MegaCityTable(HOUSE), game.position, full_plan("salon", 3, shared_spots(), ())))
    for k, thing in enumerate(NEW):
        table.lay(thing, supply_platform(k))
    for k in range(3):
        table.lift(supply_platform(k))
    table.lay("central-park", "city/0/0")
    lay_out(table, deal)
    table.lay("bag", spots.bag(1))
    table.weigh(spots.bag(1), table.bag_g)
    table.say(str(deal))
    assert "set_up" in table.done()[0]


@pytest.mark.parametrize("anew", [False, True])
def test_what_lay_on_a_pad_already_did_not_come_up_for_what_was_taken_after_that(table, anew):
    """A tile came up where nobody read it, and lay on a pad; then another one was taken (B 56005)."""
    story = table.umpire._state.path
    table.lay("platform/20/industrial", "seat/2/pad/0")
    table.t_us += 5_000_000
    if anew:
        table.station("supply", (supply_platform(0),), up=True)
    taken = table.lift(supply_platform(0))
    table.lay(taken, "seat/1/pad/0")
    table.lay("platform/21/residential", supply_platform(0))
    means, state = table.umpire._means, table.umpire._state
    platform = taken.split("/")[1]
    for revealed, too_soon in (("20/industrial", 0 if anew else 1), ("21/residential", 0)):
        act = means.game.action(f"p1 take_platform platform={platform} revealed={revealed}")
        path = replayed(means.game, story[:1], (Node(act, None, story[0].position, story[0].layout, ()),))
        assert turned_up_too_soon(came_up(means.foresight, path, state.observed)) == too_soon


def test_a_tile_that_came_up_and_was_turned_over_and_back_is_one_tile(table):
    """A neighbour looks at its other side, and it lies in the supply for a moment as that (strangers, 12022)."""
    table.move(supply_platform(0), table.free(1, "pad"))
    table.lay(NEW[0], supply_platform(0))
    other = next(side for side in HOUSE.platforms[20] if side != "residential")
    for side in (other, "residential"):
        table.lift(supply_platform(0))
        table.lay(f"platform/20/{side}", supply_platform(0))
    table.pass_bag(1, 2)
    assert kinds(table.done())[-2:] == ["p1 take_platform", "p1 end_turn"]


def test_tiles_that_are_taken_one_after_the_other_were_replaced_in_that_order(table_of_two):
    """While the second was in a hand, the supply had been refreshed with it, and it was taken first (A 73004)."""
    table, new = table_of_two, [*NEWER, *NEW[:2]]
    for k in range(3):
        table.lift(supply_platform(k))
    for k in range(3):
        table.lay(new[k], supply_platform(k))
    for tile in new[3:5]:
        table.t_us += 4_000_000
        taken = table.lift(supply_platform(0))
        table.lay(taken, "seat/1/pad/0")
        table.lay(tile, supply_platform(0))
    table.pass_bag(1, 2)
    faces = [tile.removeprefix("platform/") for tile in new]
    acts = [one for one in (*table.done(), *table.provisional()) if "revealed" in one]
    assert acts == [
        f"p1 refresh revealed={','.join(faces[:3])}",
        f"p1 take_platform platform={faces[0].split('/')[0]} revealed={faces[3]}",
        f"p1 take_platform platform={faces[3].split('/')[0]} revealed={faces[4]}",
    ]


def test_a_tile_that_lay_on_its_pad_before_another_one_set_out_was_taken_first(table):
    """It had been lifted for a look long before, and the tile in its place came up when both were gone (B 88007)."""
    first, second = table.lift(supply_platform(0)), table.lying[supply_platform(1)]
    table.t_us += 20_000_000
    table.lay(first, "seat/1/pad/0")
    table.lift(supply_platform(1))
    table.lay(NEW[0], supply_platform(0))
    table.lay(NEW[1], supply_platform(1))
    table.lay(second, "seat/1/pad/1")
    table.pass_bag(1, 2)
    assert [one for one in table.done() if "revealed" in one] == [
        f"p1 take_platform platform={first.split('/')[1]} revealed=20/residential",
        f"p1 take_platform platform={second.split('/')[1]} revealed=21/commercial",
    ]


@pytest.mark.parametrize("wait_us", [2_000_000, 9_000_000])
def test_a_tile_that_its_player_laid_on_a_neighbours_pad_was_taken_though_the_next_one_refreshed(table, deal, wait_us):
    """The refresh was told to have begun in the turn before, and the turn was confirmed without the tile (C 1113)."""
    table.take_contract(1, *deal.columns[0][:2])
    taken = table.lift(supply_platform(1))
    table.lay(taken, "seat/2/pad/0")
    table.lay(NEWER[0], supply_platform(1))
    table.t_us += wait_us
    table.pass_bag(1, 2)
    refresh(table, NEW)
    table.t_us += wait_us
    table.move("seat/2/pad/0", "seat/1/pad/0")
    assert kinds(table.done()) == ["p1 take_contract", "p1 take_platform", "p1 end_turn"]
    assert kinds(table.provisional()) == ["p2 refresh"]
