"""What people did against a rule: it counts if it can have happened, and the game goes on from there."""

import pytest

from citytable.games.dilluvia.actions import UseTile
from citytable.games.dilluvia.notation import action_from_text
from citytable.games.dilluvia.values import HOUSE
from citytable.rules.errors import IllegalAction


def accepted(game, *lines):
    for line in lines:
        game.accept(action_from_text(line))
    return game


@pytest.mark.parametrize("phase", ["zeppelins", "shopping", "workers"])
@pytest.mark.parametrize("seat", [1, 2])
def test_a_tile_that_lies_elsewhere_is_not_used(table, phase, seat):
    game = table.at(phase=phase)
    for number in range(1, len(HOUSE.tiles) + 1):
        with pytest.raises(IllegalAction):
            game.accept(UseTile(player=seat, tile=number))


@pytest.mark.parametrize("phase", ["zeppelins", "shopping", "workers"])
@pytest.mark.parametrize("kind", [kind for kind, use in HOUSE.uses.items() if use in {"always", "end"}])
def test_a_tile_that_counts_by_itself_is_not_used(table, phase, kind):
    game = table.holding(table.at(4, phase=phase), 1, kind)
    with pytest.raises(IllegalAction):
        game.accept(UseTile(player=1, tile=table.tile(game, 1, kind)))


def test_the_tile_of_an_early_building_is_not_used_alone(table):
    game = table.holding(table.at(phase="zeppelins"), 1, "future_building")
    with pytest.raises(IllegalAction):
        game.accept(UseTile(player=1, tile=table.tile(game, 1, "future_building")))


def test_a_space_that_the_market_lacks_is_not_bought(table):
    game = table.play(table.at(phase="zeppelins"), "p1 zeppelin at=left1", "p2 zeppelin at=left2")
    for space in (0, 17):
        with pytest.raises(IllegalAction):
            game.accept(action_from_text(f"p1 buy space={space}"))


def test_a_tile_used_before_the_last_zeppelin_is_finished_first(table):
    game = table.holding(table.at(phase="zeppelins"), 2, "convert")
    table.play(game, "p1 zeppelin at=left1")
    accepted(game, f"p2 use tile={table.tile(game, 2, 'convert')}")
    assert {str(one).split()[1] for one in game.legal_actions} == {"convert", "done"}
    assert table.rule(game, "p2 zeppelin at=top1") == "DR8"
    table.play(game, "p2 convert give=white get=black", "p2 zeppelin at=top1")
    assert (game.position.phase, game.player) == ("shopping", 1)


def test_a_tile_used_before_a_zeppelin_is_not_lost(table):
    game = table.ground(table.holding(table.at(phase="zeppelins"), 1, "two_spaces"), 1, "6/6")
    accepted(game, f"p1 use tile={table.tile(game, 1, 'two_spaces')}")
    table.play(game, "p1 terrain at=5/5", "p1 terrain at=5/6", "p1 zeppelin at=left1")
    assert len(game.position.city.terrain[0]) == 3
    assert game.player == 2


def test_a_tile_used_before_its_owner_s_turn_leaves_the_turn_where_it_was(table):
    game = table.built(table.holding(table.at(phase="zeppelins"), 2, "small_aeros"), 2, 1, "6/6")
    accepted(game, f"p2 use tile={table.tile(game, 2, 'small_aeros')}")
    assert (game.player, game.position.of(2).aeros) == (1, 22)
