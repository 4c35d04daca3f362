"""A supply with a tile that nobody has seen: the game goes on, and the tile is named when it is seen."""

import pytest

from citytable.games.megacity.actions import TakePlatform, TurnUp
from citytable.games.megacity.encoding import numbers
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.layout import layout, platform_thing
from citytable.games.megacity.notation import action_from_text, position_from_text, position_to_text
from citytable.games.megacity.pieces import HOUSE
from citytable.games.megacity.position import Face
from citytable.rules.errors import IllegalAction

SEVEN, EIGHT = Face(7, "public"), Face(8, "public")
UNSEEN = "p1 take_platform platform=1 revealed=?"


@pytest.fixture
def started(table) -> MegaCity:
    return table.game()


@pytest.fixture
def game(started) -> MegaCity:
    """A game in which the first player took platform 1, and nobody saw what came up for it."""
    started.push(action_from_text(UNSEEN))
    return started


def refusal(game, action) -> str:
    with pytest.raises(IllegalAction) as error:
        game.push(action)
    return str(error.value)


def test_a_tile_that_nobody_saw_comes_last_in_the_supply(game):
    assert [face.platform for face in game.position.supply[:2]] == [2, 3]
    assert game.position.supply[2] is None
    assert position_from_text(position_to_text(game.position)) == game.position
    assert MegaCity.from_position(game.position).position == game.position


def test_it_is_named_by_nobodys_action_and_costs_none(game):
    used = game.position.actions_used
    game.push(TurnUp(revealed=(SEVEN,)))
    assert SEVEN in game.position.supply
    assert (game.player, game.position.actions_used) == (1, used)
    assert action_from_text(str(game.peek())) == game.peek() == action_from_text("table turn_up revealed=7/public")


def test_nobody_takes_it_before_it_is_named(game):
    taken = [one.platform for one in game.legal_actions if isinstance(one, TakePlatform)]
    assert taken == [2, 3]
    assert "not in the supply" in refusal(game, TakePlatform(player=1, platform=7, revealed=(EIGHT,)))


@pytest.mark.parametrize(
    ("named", "said"),
    [
        ((Face(2, "public"),), None),
        ((Face(1, "public"),), "somewhere else"),
        ((Face(2, "industrial"),), "somewhere else"),
        ((SEVEN, EIGHT), "1 platform is turned up here, not 2"),
    ],
)
def test_it_is_a_tile_that_lies_nowhere_else(game, named, said):
    """One that lies in the supply was named before, where somebody put the act right since."""
    before = game.position
    if said is None:
        game.push(TurnUp(revealed=named))
        assert game.position == before
    else:
        assert said in refusal(game, TurnUp(revealed=named))


def test_where_every_tile_is_known_none_is_named(started):
    assert "is known" in refusal(started, TurnUp(revealed=(SEVEN,)))


def test_what_was_put_right_since_is_named_once_more_without_harm(started):
    started.push(action_from_text("p1 take_platform platform=1 revealed=7/public"))
    before = started.position
    started.push(TurnUp(revealed=(SEVEN,)))
    assert started.position == before


def test_it_goes_under_the_stack_with_the_others_and_may_be_any_tile_then(game):
    game.push(action_from_text("p1 refresh revealed=7/public,8/public,9/public"))
    assert None in game.position.returned[0]
    assert None not in game.position.supply


def test_what_a_rule_forbids_may_happen_beside_it(game):
    game.accept(action_from_text("p2 take_platform platform=2 revealed=7/public"))
    assert game.position.supply[-1] is None


def test_the_table_looks_for_one_tile_that_it_does_not_know(game):
    regions = [region for region in layout(game.position, HOUSE).regions if region.unknowns]
    assert [(len(region.things), len(region.unknowns), region.filled_late) for region in regions] == [(2, 1, True)]
    assert platform_thing(SEVEN) in regions[0].unknowns[0].among
    assert platform_thing(Face(2, "industrial")) not in regions[0].unknowns[0].among


def test_a_bot_that_looks_at_it_sees_no_tile_there(game):
    known = game.copy()
    known.push(TurnUp(revealed=(SEVEN,)))
    assert len(numbers(game, 1)) == len(numbers(known, 1))
    assert numbers(game, 1) != numbers(known, 1)
