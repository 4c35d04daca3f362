"""Falls on the virtual table: pieces tip, strike and roll, scales end at what still lies there, the senses notice."""

import json
from array import array
from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citytable.games.megacity.spots import shared_spots
from citytable.table.fact import Fell
from citytable.table.plan import full_plan
from tabletwin.drivers import Accelerometer
from tabletwin.forces import SETTLE_US, Landed, Tipped, blow
from tabletwin.hands.megacity.falling import Fall
from tabletwin.things import Platform
from tabletwin.tower import design

pytestmark = pytest.mark.long(5)

MS = 1000
HEX = "city/1/0"
seeds = st.integers(0, 10_000)
masses_g = st.floats(0.4, 20.0)


def test_a_blow_shows_while_the_converter_settles_and_keeps_its_momentum():
    shown = [blow(age_us) for age_us in range(-10 * MS, SETTLE_US + 10 * MS, 100)]
    assert sum(shown) / 10 == pytest.approx(1.0, abs=1e-6)
    assert shown[0] == shown[-1] == 0.0


@given(masses_g, st.integers(10 * MS, 250 * MS), st.floats(0.0, 0.3))
def test_what_tips_leans_on_its_edge_and_is_gone(mass_g, tip_us, kick):
    tipped = Tipped(0, mass_g, tip_us, kick)
    shown = [tipped.grams(t_us) for t_us in range(0, tipped.until_us + MS, MS)]
    assert shown[0] == pytest.approx(0.0)
    assert shown[-1] == pytest.approx(-mass_g)
    assert min(shown) >= -mass_g - 1e-6
    assert max(shown) <= 0.3 * mass_g


@given(seeds, masses_g, st.floats(10.0, 2000.0))
def test_what_lands_strikes_far_harder_than_it_weighs_and_lies_there_at_its_weight(seed, mass_g, impulse):
    landed = Landed(0, mass_g, impulse, 400 * MS, Random(seed))
    shown = [landed.grams(t_us) for t_us in range(0, landed.until_us + MS, MS)]
    assert max(shown) >= 0.05 * impulse
    assert shown[-1] == pytest.approx(mass_g)


@given(seeds, st.lists(st.tuples(masses_g, st.floats(0.0, 120.0), st.booleans()), min_size=1, max_size=9))
def test_a_fall_takes_from_the_tile_what_ends_beside_it(seed, pieces):
    fall = Fall(Random(seed), 5 * MS)
    for mass_g, height_mm, off in pieces:
        fall.piece(0, mass_g, height_mm, off=off)
    gone_g = sum(mass_g for mass_g, _, off in pieces if off)
    assert sum(force.left_g for force in fall.forces) == pytest.approx(-gone_g)
    assert all(force.left_g == 0.0 for force in fall.beside)
    assert 50 * MS < fall.lasts_us < 3_000 * MS


@pytest.fixture
def plan():
    """A seat and a sector of the city."""
    whole = full_plan("t", 2, shared_spots(("public", "industrial")), ("platform/1/public", "bag"))
    stations = tuple(one for one in whole.stations if one.station in {"seat-1", "sector-1"})
    return msgspec.structs.replace(whole, stations=stations)


class Evening:
    """A tower on a hex, a hub's senses, and what they took for a fall meanwhile."""

    def __init__(self, game, hub):
        self.game, self._hub = game, hub
        self.tile = Platform(1, ("public", "industrial"), "public")

    def stands(self, spot, seed):
        rng = Random(seed)
        self.tile.tower.placed = design(rng.sample(self.game.world.box, 8), 80.0, rng)
        self._hub.wait(4)
        self.game.world.put(spot, self.tile)
        self._hub.wait(4)
        return self

    def loudest_mg(self, station, **act):
        """Of the knocks that the station's base feels meanwhile, and of what strikes the table by chance."""
        listening = Accelerometer(self.game.world.shocks, station, self.game.table.scheduler, lambda t_us: t_us)
        for _ in self._done(act):
            listening.take(array("i", [0] * 4), array("i", [0] * 4))
        return listening.loudest_mg

    def falls_told(self, **act):
        before = len(self._hub.told)
        for _ in self._done(act):
            continue
        self._hub.wait(4)
        told = self._hub.told[before:]
        return sum(isinstance(fact, Fell) and fact.stage == "confirmed" for fact in told)

    def _done(self, act):
        request = self.game.hands.begin(json.dumps({"id": 1, "acts": [act]}))
        while not request.done:
            self._hub.wait(0.1)
            yield


@pytest.fixture
def evening(new_game, new_hub, plan):
    def begin(seed):
        game = new_game(seed=seed, seats=2, plan=msgspec.json.encode(plan))
        return Evening(game, new_hub(game, plan))

    return begin


def test_buildings_that_fall_are_felt_to_fall(evening):
    told = [evening(seed).stands(HEX, seed).falls_told(act="collapse", at=[1, 0]) for seed in range(6)]
    assert sum(map(bool, told)) >= 2


def test_a_building_that_falls_knocks_louder_than_one_that_is_taken_down(evening):
    fell, taken, elsewhere = [], [], []
    for seed in range(5):
        fell.append(evening(seed).stands(HEX, seed).loudest_mg("sector-1", act="collapse", at=[1, 0]))
        elsewhere.append(evening(seed).stands(HEX, seed).loudest_mg("seat-1", act="collapse", at=[1, 0]))
        one = evening(seed).stands("seat/1/pad/0", seed)
        taken.append(one.loudest_mg("seat-1", act="unbuild", seat=1, platform=1))
    assert sorted(fell)[2] > 4 * sorted(taken)[2]
    assert sorted(fell)[2] > 4 * sorted(elsewhere)[2]


@pytest.mark.seeds("seed", range(3), soak=50)
def test_a_scale_ends_at_what_still_lies_there(evening, seed):
    one = evening(seed).stands(HEX, seed)
    one.falls_told(act="lose_pieces", at=[1, 0])
    assert one.game.grams(HEX) == pytest.approx(one.tile.mass_g, abs=0.6)
    one.falls_told(act="collapse", at=[1, 0])
    assert one.game.grams(HEX) == pytest.approx(one.tile.mass_g, abs=0.6)


@pytest.mark.seeds("seed", range(3), soak=50)
def test_what_hands_build_measure_and_take_down_does_not_fall(evening, seed, monkeypatch):
    monkeypatch.setattr("tabletwin.hands.megacity.building.COLLAPSES_WHILE_BUILDING", 0.0)
    one = evening(seed).stands("seat/1/pad/0", seed)
    pieces = one.tile.tower.pieces
    counts = {name: sum(piece.material == name for piece in pieces) for name in ("steel", "concrete", "glass")}
    assert one.falls_told(act="measure", seat=1, platform=1) == 0
    assert one.falls_told(act="unbuild", seat=1, platform=1) == 0
    assert one.falls_told(act="build", seat=1, platform=1, pieces=counts, at_least_mm=60, cube=True) == 0
    assert one.falls_told(act="hesitate", seat=1, what="platform") == 0
