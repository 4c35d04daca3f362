"""What a decision looks worth, to players that never look ahead."""

import pytest

from citytable.bots.greedy import Greedy
from citytable.games.megacity.advice import rating
from citytable.games.megacity.pieces import Deck
from citytable.games.megacity.position import Face, Pieces, Player

FULL = (Face(8, "commercial"), Face(10, "public"))  # no third one is allowed to three players


@pytest.mark.parametrize("platforms", [FULL, FULL[::-1]])
def test_a_platform_takes_over_from_one_whose_other_side_is_needed(table, platforms):
    # 8 is public on its other side, 10 residential; soak's game of three with seed 51 went round for ever
    hand = Player(
        contracts=("PU8", "RE8"), platforms=platforms, pieces=Pieces(steel=5, concrete=4, glass=3), completed=("CO6",)
    )
    game = table.game(players=3, hands={1: hand})
    chosen = []
    for _ in range(2):
        chosen.append(Greedy().choose(game, list(game.legal_actions)))
        game.push(chosen[-1])
    assert {str(action) for action in chosen} == {"p1 rezone platform=8", "p1 rezone platform=10"}
    assert {face.up for face in game.position.players[0].platforms} == {"public", "residential"}


def test_who_can_get_no_platform_for_the_contract_he_has_the_pieces_for_draws_for_the_other(table):
    # CO7 could be built but for a platform; PU8 has one and lacks a piece that is not steel; soak, lost sector, 8015
    hand = Player(
        contracts=("CO7", "PU8"),
        platforms=(Face(4, "public"), Face(11, "residential")),
        pieces=Pieces(steel=4, concrete=6, glass=2),
        completed=("IN1",),
    )
    game = table.game(players=3, hands={1: hand})
    assert str(Greedy().choose(game, list(game.legal_actions))).startswith("p1 take_pieces")


@pytest.mark.parametrize(("sides", "chosen"), [("public", "refresh"), ("industrial", "take_pieces")])
def test_who_needs_a_platform_that_cannot_come_any_more_calls_the_end(table, sides, chosen):
    # all with a public side were built upon; soak, lost sector, seed 9107, turned the rest over for ever
    hand = Player(contracts=("PU7", "PU8"), pieces=Pieces(steel=4, concrete=5, glass=4), completed=("IN1",))
    game = table.game(players=3, hands={1: hand}, supply=tuple(Face(n, "commercial") for n in (14, 16, 22)))
    left = dict.fromkeys(table.deck.platforms, ("commercial", sides))
    left |= dict.fromkeys((14, 16, 22), ("commercial", "residential"))
    deck = Deck("poor", "house", tuple(table.deck.contracts.values()), left, table.deck.pieces)
    best = max(game.legal_actions, key=lambda action: rating(game.position, action, deck))
    assert str(best).split()[1] == chosen
