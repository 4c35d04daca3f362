"""The model of building: what is built of decides how high it becomes and whether it stands."""

import math
import random

import msgspec
import pytest
from msgspec.structs import replace

from citytable.games.megacity.building_model import CUBE_MM, MODEL, BuildingModel, Shape
from citytable.games.megacity.dealer import Dealer
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.pieces import FORBIDS, HOUSE, REQUIREMENTS
from citytable.games.megacity.position import Options, Pieces
from citytable_lab.requirements import SHAPED

FLAT = BuildingModel(version=2, towers=0, seed=0, mean_mm=(0, 10), spread_mm=(0, 0), survives=(4, 0, -1, 0), shapes={})
EASY = replace(HOUSE.contracts["PU1"], requirements=())


@pytest.fixture
def tool(load_tool):
    return load_tool("fit_building")


def test_a_tower_is_as_high_as_its_pieces_and_the_cube_allow():
    rng = random.Random(1)
    contract = replace(EASY, height_mm=45)
    assert FLAT.built_mm(rng, Pieces(glass=5), contract) in range(45 + CUBE_MM, 56 + CUBE_MM)
    assert FLAT.built_mm(rng, Pieces(glass=2), contract) is None


def test_the_odds_are_those_of_the_regression():
    assert FLAT.chance_to_stand(Pieces(glass=5), 40, EASY) == pytest.approx(0.5)
    assert FLAT.chance_to_stand(Pieces(glass=5), 30, EASY) == pytest.approx(1 / (1 + math.exp(-1)))
    heavy = replace(FLAT, survives=(0, 0, 0, 2))
    assert heavy.chance_to_stand(Pieces(steel=1, glass=1), 30, EASY) == pytest.approx(1 / (1 + math.exp(-1)))


def test_each_requirement_adds_its_share_to_height_and_odds():
    shapes = {"courtyard": Shape(-20, -1), "upper_archway": Shape(5, 0.5)}
    model, rng = replace(FLAT, shapes=shapes), random.Random(1)
    both = replace(EASY, height_mm=1, requirements=("courtyard", "upper_archway"))
    assert model.built_mm(rng, Pieces(glass=5), both) in range(35 + CUBE_MM - 3, 35 + CUBE_MM + 4)
    assert model.chance_to_stand(Pieces(glass=5), 40, both) == pytest.approx(1 / (1 + math.exp(0.5)))
    other = replace(EASY, requirements=("no_glass", "other"))
    assert model.chance_to_stand(Pieces(steel=5), 40, other) == pytest.approx(0.5)


def test_the_model_knows_every_requirement_that_shapes_a_building():
    assert set(MODEL.shapes) == {one for one in REQUIREMENTS if one not in FORBIDS and one != "other"}


def test_the_higher_a_tower_of_as_many_pieces_the_likelier_it_falls():
    pieces = Pieces(steel=2, concrete=3, glass=3)
    chances = [MODEL.chance_to_stand(pieces, height, EASY) for height in range(30, 250, 20)]
    assert chances == sorted(chances, reverse=True)
    assert 0.5 < chances[0] < 1


@pytest.mark.parametrize("name", HOUSE.contracts)
def test_every_contract_of_the_house_can_be_built(name):
    contract, rng = HOUSE.contracts[name], random.Random(2)
    pieces = Pieces(**{"glass" if "glass" not in contract.forbidden else "steel": contract.pieces})
    built = [MODEL.built_mm(rng, pieces, contract) for _ in range(300)]
    high = [height for height in built if height is not None]
    assert len(high) > 30
    assert min(high) >= contract.height_mm


def test_deliveries_come_out_as_the_model_says():
    """Where a delivery is possible, the share that stands is what the model says of its own draws."""
    rng = random.Random(5)
    game = MegaCity(Options(players=2))
    dealer = Dealer(rng)
    while not (deliveries := [one for one in game.legal_actions if type(one).__name__ == "Deliver"]):
        decisions = list(game.legal_actions)
        best = max(decisions, key=game.advice) if game.player else decisions[0]
        game.push(dealer.outcome(game, best))
    came_out = [dealer.outcome(game, deliveries[0]) for _ in range(1500)]
    stood = [one for one in came_out if one.stood]
    contract = HOUSE.contracts[deliveries[0].contract]
    assert all(one.height_mm >= contract.height_mm for one in stood)
    pieces, expected = stood[0].pieces, []
    for _ in range(1500):
        height_mm = MODEL.built_mm(rng, pieces, contract)
        expected.append(0.0 if height_mm is None else MODEL.chance_to_stand(pieces, height_mm, contract))
    assert len(stood) / len(came_out) == pytest.approx(sum(expected) / len(expected), abs=0.06)


def _drawn(count, height_of, survives_of=lambda *_: True):
    """Towers for each requirement in turn, and for none."""
    rng, seen = random.Random(3), []
    for k in range(count):
        wanted, pieces, steel = (None, *SHAPED)[k % 6], rng.randint(3, 14), rng.random()
        height = height_of(rng, pieces, wanted)
        seen.append((pieces, height, steel, survives_of(rng, pieces, height, steel, wanted), wanted))
    return seen


def test_the_fit_finds_the_model_that_drew_its_towers(tool):
    truth, courtyard = (3.0, 0.3, -0.4, -1.0), -1.5

    def survives(rng, pieces, height, steel, wanted):
        odds = truth[0] + truth[1] * pieces + truth[2] * height / 10 + truth[3] * steel
        odds += courtyard * (wanted == "courtyard")
        return rng.random() < 1 / (1 + math.exp(-odds))

    found = tool.odds(_drawn(9000, lambda rng, *_: rng.uniform(30, 200), survives))
    assert found[:4] == pytest.approx(truth, abs=0.35)
    assert found[4:] == pytest.approx([courtyard, 0, 0, 0, 0], abs=0.35)


def test_the_fit_finds_how_heights_grow_with_the_pieces_and_what_a_shape_adds(tool):
    def height(rng, n, wanted):
        return rng.gauss(20 + 9 * n - 12 * (wanted == "no_overhang"), 5 + 2 * n)

    mean, spread = tool.heights(_drawn(6000, height))
    assert mean == pytest.approx([20, 9, 0, -12, 0, 0, 0], abs=3)
    assert spread == pytest.approx([5, 2], abs=1.5)


def test_what_is_fitted_can_be_read_as_the_model(tool):
    seen = _drawn(600, lambda rng, n, _: rng.gauss(20 + 9 * n, 5), lambda rng, *_: rng.random() < 0.8)
    model = msgspec.convert(tool.fitted(seen, 1), BuildingModel)
    assert (model.version, model.towers, set(model.shapes)) == (tool.VERSION, 600, set(SHAPED))
    assert MODEL.version == tool.VERSION


@pytest.mark.parametrize("wanted", [None, "courtyard"])
def test_a_tower_of_the_lab_is_slid_and_judged(tool, wanted):
    ((pieces, height_mm, steel, _, built_for),) = tool.towers(1, 1, wanted)
    assert tool.PIECES[0] <= pieces <= tool.PIECES[1]
    assert height_mm > 0
    assert 0 <= steel <= 1
    assert built_for == wanted
