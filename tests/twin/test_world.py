"""What lies where, and what the cells under it carry: nothing is left on them when nothing lies there."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletwin.forces import Tipped
from tabletwin.pieces import SHAPES, Piece
from tabletwin.plan import Plan
from tabletwin.shocks import Shocks
from tabletwin.things import Card, Platform
from tabletwin.tower import Placed
from tabletwin.world import World

SPOT = "seat/1/pad/0"
TINY_G = 1e-9


class Scale:
    """A cell that only remembers what it carries once all forces have died away."""

    def __init__(self):
        self.carries_g = 0.0

    def carry(self, steady_g):
        self.carries_g = steady_g

    def press(self, force, share):
        self.carries_g += force.left_g * share


def a_world(plan=None, seed=1, now_us=lambda: 0):
    plan = plan or Plan("t", 2, (), {})
    return World(plan, [], Random(seed), now_us, Shocks(plan, Random(seed), now_us))


def table(seed=1, cells=3):
    world = a_world(seed=seed)
    scales = [Scale() for _ in range(cells)]
    world.under(SPOT, scales)
    return world, scales


def carried(scales):
    return [scale.carries_g for scale in scales]


def a_platform():
    return Platform(1, ("public", "residential"), "public")


@pytest.mark.seeds("seed", range(5), soak=100)
def test_what_is_lifted_leaves_every_cell_as_it_was(seed):
    world, scales = table(seed)
    platform = a_platform()
    for _ in range(20):
        world.put(SPOT, platform)
        world.lift(SPOT, platform)
    assert carried(scales) == pytest.approx([0.0] * 3, abs=TINY_G)


@given(st.integers(0, 99), st.lists(st.booleans(), max_size=30), st.integers(1, 3))
def test_cells_carry_what_lies_there_and_none_less_than_nothing(seed, comes, cells):
    world, scales = table(seed, cells)
    things = []
    for came in comes:
        if came:
            things.append(Card("PU1", "public"))
            world.put(SPOT, things[-1])
        elif things:
            world.lift(SPOT, things.pop(0))
        assert sum(carried(scales)) == pytest.approx(sum(thing.mass_g for thing in things), abs=TINY_G)
        assert min(carried(scales)) > -TINY_G
        if not things:
            assert carried(scales) == pytest.approx([0.0] * cells, abs=TINY_G)


def test_a_push_leaves_nothing_behind():
    world, scales = table()
    world.put(SPOT, a_platform())
    before = carried(scales)
    world.push(SPOT, 300.0, 1_000_000)
    assert carried(scales) == before


def test_a_station_that_starts_anew_finds_every_load_where_it_was():
    world, scales = table()
    platform = a_platform()
    world.put(SPOT, platform)
    again = [Scale() for _ in scales]
    world.under(SPOT, again)
    assert carried(again) == carried(scales)
    world.lift(SPOT, platform)
    assert carried(again) == pytest.approx([0.0] * 3, abs=TINY_G)


def test_cells_that_start_late_carry_what_lies_there_already():
    world, platform = a_world(), a_platform()
    world.put(SPOT, platform)
    scales = [Scale(), Scale()]
    world.under(SPOT, scales)
    assert sum(carried(scales)) == pytest.approx(platform.mass_g)
    world.lift(SPOT, platform)
    assert carried(scales) == pytest.approx([0.0] * 2, abs=TINY_G)


class Clock:
    now_us = 0

    def __call__(self):
        return self.now_us


def test_the_tag_of_what_is_lifted_is_read_until_it_is_off():
    clock, platform = Clock(), a_platform()
    plan = Plan("t", 2, (), {platform.name: "04aa", "contract/PU1": "04bb"})
    world = a_world(plan, now_us=clock)
    world.put(SPOT, Card("PU1", "public"))
    world.put(SPOT, platform)
    takes_us = world.lift(SPOT, platform)
    assert world.top(SPOT).name == "contract/PU1", "nobody else can take it any more"
    clock.now_us = takes_us - 1
    assert world.uid(SPOT) == "04aa"
    clock.now_us = takes_us
    assert world.uid(SPOT) == "04bb"


def test_what_lay_below_does_not_hide_what_lies_on_it():
    card, platform = Card("PU1", "public"), a_platform()
    world = a_world(Plan("t", 2, (), {platform.name: "04aa"}))
    world.put(SPOT, card)
    world.put(SPOT, platform)
    world.lift(SPOT, card)
    assert world.uid(SPOT) == "04aa"


def test_what_falls_off_is_gone_from_the_cells_and_hands_take_their_time():
    world, scales = table()
    platform = a_platform()
    assert 160_000 <= world.put(SPOT, platform) <= 680_000
    platform.tower.placed.append(Placed(Piece(1, "steel", SHAPES[3], 9.0), 8.0))
    assert world.feel(SPOT) > 0
    assert world.feel(SPOT) == 0, "nothing has changed since"
    platform.tower.placed.clear()
    world.fall(SPOT, [Tipped(0, 9.0, 80_000, 0.1)])
    assert sum(carried(scales)) == pytest.approx(platform.mass_g, abs=TINY_G)
    assert 160_000 <= world.lift(SPOT, platform) <= 850_000
