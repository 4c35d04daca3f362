"""What a player may think of: a kind of which nothing is allowed is refused by the rule that forbids it."""

import pytest

from citytable.games.dilluvia.position import Cubes
from citytable.games.dilluvia.table_side import DilluviaTable
from citytable.games.dilluvia.values import HOUSE
from citytable.umpire.declining import declined
from citytable.umpire.whole_game import whole

GAME = whole(DilluviaTable(HOUSE))


def refusals(game):
    """The rules that forbid the kinds of which nothing is allowed, by kind."""
    return {action.split()[1]: refusal.rule for action, refusal in declined(GAME, game.position)}


def test_before_the_market_lies_nobody_thinks_of_anything(table):
    assert list(GAME.thoughts(table.game().position)) == []


def test_each_phase_refuses_what_belongs_to_another(table):
    zeppelins, shopping = refusals(table.at(phase="zeppelins")), refusals(table.at(phase="workers"))
    assert zeppelins["buy"] == "DR5"
    assert zeppelins["place"] == "DR8"
    assert zeppelins["done"] == "DR4"
    assert shopping["zeppelin"] == "DR4"
    assert shopping["terrain"] == shopping["acquire"] == "DR8"
    assert "place" not in shopping


def test_a_building_without_ground_or_cubes_is_refused_by_the_rule_of_buildings(table):
    due = ("construction", 1, 1)
    assert refusals(table.due(table.at(), due))["build"] == "DR17"
    poor = table.ground(table.due(table.at(), due, p1={"cubes": Cubes()}), 1, "5/11")
    assert refusals(poor)["build"] == "DR17"


def test_a_tile_that_was_used_is_refused_and_one_that_counts_by_itself_comes_to_nobodys_mind(table):
    kinds = [tile.kind for tile in HOUSE.tiles]
    own = next(kind for kind in kinds if HOUSE.use(kind) not in {"once", "turn"})
    assert "use" not in refusals(table.holding(table.at(), 1, own))


@pytest.mark.seeds("players, seed", [(2, 31), (3, 32)], soak=30)
def test_whatever_is_declined_is_of_no_kind_that_is_allowed_and_has_two_languages(table, players, seed):
    for game, decisions, _ in table.walk(players, seed, greedy=0.8):
        allowed = {str(decision).split()[1] for decision in decisions}
        for action, refusal in declined(GAME, game.position):
            assert action.split()[1] not in allowed
            assert refusal.rule.startswith("DR")
            assert refusal.text["en"] != refusal.text["fr"]
