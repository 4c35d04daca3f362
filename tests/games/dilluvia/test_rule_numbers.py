"""A refusal names the rule of what was tried."""

import pytest

from citytable.games.dilluvia.notation import action_from_text
from citytable.rules.errors import IllegalAction


def refusal(game, line):
    with pytest.raises(IllegalAction) as refused:
        game.push(action_from_text(line))
    return refused.value


@pytest.mark.parametrize(
    ("space", "line", "rule"),
    [
        ("territory", "p1 terrain at=6/6", "DR14"),
        ("construction", "p1 propeller at=3/7", "DR16"),
        ("acquire", "p1 acquire space=1", "DR20"),
        ("garden", "p1 garden at=5/5", "DR21"),
    ],
)
def test_an_action_without_the_aeros_names_its_own_rule(table, space, line, rule):
    game = table.ground(table.at(), 1, "5/5")
    game = table.due(table.changed(game, p1={"aeros": 0}), (space,), acted=True)
    assert table.rule(game, line) == rule


def test_an_empty_space_is_refused_by_the_rule_of_the_purchase(table):
    game = table.at()
    tile = game.position.market[0]
    game = table.changed(game, market=(0, *game.position.market[1:]), discarded=(tile,))
    table.play(game, "p1 place space=acquire")
    assert table.rule(game, "p1 acquire space=1") == "DR20"
    assert table.rule(game, "p1 acquire space=17") == "DR20"


def test_a_zeppelin_is_not_left_out(table):
    refused = refusal(table.at(phase="zeppelins"), "p1 done")
    assert refused.rule == "DR4"
    assert "zeppelin" in refused.text["en"]


@pytest.mark.parametrize(("phase", "rule"), [("zeppelins", "DR4"), ("workers", "DR8")])
def test_out_of_turn(table, phase, rule):
    assert table.rule(table.at(phase=phase), "p2 done") == rule


def test_out_of_turn_at_the_income(table):
    game = table.due(table.at(phase="income"), ("take",))
    assert table.rule(game, "p2 take colour=white") == "DR23"
    assert table.rule(game, "p1 done") == "DR23"


def test_a_tile_of_a_larger_group_and_a_grey_one_at_the_set_up(table):
    game = table.game(2)
    white, grey = game.position.white, game.position.grey

    def laid(tile):
        return refusal(game, f"table set_up market={','.join(map(str, (*white[:15], tile)))}")

    larger = laid(14)
    assert larger.rule == "DR1"
    assert "3 players" in larger.text["en"]
    assert "3 joueurs" in larger.text["fr"]
    assert [laid(tile).rule for tile in (grey[0], white[0], 62)] == ["DR1", "DR1", "DR1"]
