"""A tower goes from spot to spot for half an hour: the zeros that the hub learns are those that the cells have."""

from datetime import date
from math import sqrt
from random import Random

import msgspec
import pytest

from citytable.games.megacity.spots import shared_spots
from citytable.sensing.zero import DRIFT_G_PER_H, HOUR_US
from citytable.table.plan import full_plan
from tabletwin.things import Platform
from tabletwin.tower import design

pytestmark = pytest.mark.long(10)

TODAY = date(2026, 11, 22)
STATIONS = {"seat-1", "sector-1"}
GOES_TO = ("seat/1/pad/0", "seat/1/pad/1", "city/1/0", "city/2/0")
HALF_AN_HOUR_US = 1_800_000_000
NEAR_G = 0.35


@pytest.fixture
def plan():
    """A seat and a sector of the city, enough for a tower to go to and fro."""
    whole = full_plan("t", 2, shared_spots(("public",)), ("platform/1/public",))
    return msgspec.structs.replace(whole, stations=tuple(s for s in whole.stations if s.station in STATIONS))


def a_tower(world, rng):
    """A platform of the box with some pieces on it."""
    platform = Platform(1, ("public", "industrial"), "public")
    platform.tower.placed = design(rng.sample(world.box, 12), 100.0, rng)
    return platform


def half_an_hour(game, hub, rng):
    """One tower goes round, resting here and there; what it weighed wherever it rested, by the hub and in truth."""
    world, weighed, spot = game.world, [], None
    tower = a_tower(world, rng)
    while game.table.now_us < HALF_AN_HOUR_US:
        hub.wait(rng.uniform(2, 20))
        spot = rng.choice([other for other in GOES_TO if other != spot])
        world.put(spot, tower)
        hub.wait(rng.uniform(5, 200))
        weighed.append((hub.rested_g[spot], tower.mass_g))
        world.lift(spot, tower)
    hub.wait(30)  # zeros are followed within some seconds
    return weighed


def warm(game, times):
    """The room warms up: every spot drifts so many times faster than the hub expects of one at most."""
    for cells in game.world._cells.values():
        for cell in cells:
            cell._drift_g_per_us = times * DRIFT_G_PER_H / sqrt(len(cells)) / HOUR_US


SOAK = pytest.mark.soak


@pytest.mark.parametrize(("seed", "warms"), [pytest.param(5, None, marks=SOAK), pytest.param(6, 1, marks=SOAK), (6, 4)])
def test_after_half_an_hour_zeros_are_true_and_nothing_wants_calibrating(new_game, new_hub, plan, seed, warms):
    game = new_game(seed=seed, seats=2, plan=msgspec.json.encode(plan))
    if warms:
        warm(game, warms)
    hub = new_hub(game, plan)
    for rested_g, true_g in half_an_hour(game, hub, Random(seed)):
        assert rested_g == pytest.approx(true_g, abs=NEAR_G)
    for told in hub.sense.zeros(TODAY):
        cell = game.world._cells[told.spot][told.cell]
        assert told.drift_g == pytest.approx(cell._drift_g + cell._creep_g, abs=NEAR_G)
        assert told.due == "unknown"  # the plan has no date of a calibration
