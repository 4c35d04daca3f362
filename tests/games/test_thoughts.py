"""What a player of MegaCity may think of: a kind of which nothing is allowed is refused by the rule that forbids it."""

from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.pieces import HOUSE
from citytable.games.megacity.position import Face, Options, Pieces, Player
from citytable.games.megacity.table_side import MegaCityTable
from citytable.umpire.declining import declined
from citytable.umpire.whole_game import whole

GAME = whole(MegaCityTable(HOUSE))
PLATFORM = (Face(14, "commercial"),)
RICH = Pieces(concrete=4, glass=4)


def refusals(position):
    """The rules that forbid the kinds of which nothing is allowed, by kind."""
    return {action.split()[1]: refusal.rule for action, refusal in declined(GAME, position)}


def sentences(position):
    """The sentences of the refusals, by kind."""
    return {action.split()[1]: refusal.text["en"] for action, refusal in declined(GAME, position)}


def test_before_the_deal_nobody_thinks_of_anything():
    assert list(GAME.thoughts(MegaCity(Options(players=2)).position)) == []


def test_a_third_contract_is_refused_by_the_limit_and_without_a_platform_a_delivery_for_that(table):
    position = table.game(hands={1: Player(contracts=("CO1", "CO5"))}).position
    assert refusals(position) == {"take_contract": "R8", "deliver": "R24"}
    assert sentences(position)["deliver"] == "You have no platform to build on. Take one first."


def test_without_a_contract_a_delivery_is_refused_for_that(table):
    position = table.game(hands={1: Player(platforms=PLATFORM)}).position
    assert sentences(position)["deliver"] == "You have no open contract. Take one first."


def test_a_delivery_with_too_few_pieces_and_one_after_another_action_name_their_rules(table):
    poor = table.game(hands={1: Player(contracts=("CO5",), platforms=PLATFORM)})
    assert refusals(poor.position)["deliver"] == "R17"
    rich = table.game(hands={1: Player(contracts=("CO5",), platforms=PLATFORM, pieces=RICH)})
    assert "deliver" not in refusals(rich.position)
    table.do(rich, "p1 reorganise column=public")
    assert refusals(rich.position) == {"deliver": "R7"}


def test_when_all_actions_are_used_every_other_one_is_refused_for_that(table):
    game = table.game(players=3)
    table.do(game, *["p1 reorganise column=public"] * 2)
    assert set(refusals(game.position).values()) == {"R7"}
    assert "end_turn" not in refusals(game.position)
