"""A game in the hand of whoever writes a bot: copies, what it shows of itself, whose turn it is."""

import random

import pytest

from citytable.bots.greedy import Greedy
from citytable.games.megacity.dealer import Dealer
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.notation import action_from_text, position_from_text
from citytable.games.megacity.position import Options, Park, Pieces, Player


@pytest.fixture
def begun():
    """A game of greedy players after some turns."""
    game, dealer = MegaCity(Options(players=3)), Dealer(random.Random(4))
    game.push(dealer.outcome(game, next(iter(game.legal_actions))))
    for _ in range(90):
        game.push(dealer.outcome(game, Greedy().choose(game, list(game.legal_actions))))
    return game


def test_what_is_pushed_to_a_copy_is_not_seen_by_the_game(begun):
    copied, before, played = begun.copy(), begun.position, begun.actions
    dealer = Dealer(random.Random(1))
    for _ in range(10):
        copied.push(dealer.outcome(copied, Greedy().choose(copied, list(copied.legal_actions))))
    assert (begun.position, begun.actions) == (before, played)
    assert copied.actions[: len(played)] == played
    for _ in range(20):
        begun.pop()
    assert len(copied.actions) == len(played) + 10


def test_a_copy_can_be_taken_back_to_the_start_and_scores_the_same(begun):
    copied = begun.copy()
    assert copied.scores() == begun.scores()
    while copied.actions:
        copied.pop()
        begun.pop()
        assert copied.position is begun.position
        assert copied.scores() == begun.scores()
    assert copied.position is copied.start


def test_the_repr_reads_back_to_the_position(begun):
    again = eval(repr(begun), {"MegaCity": MegaCity, "position_from_text": position_from_text})
    assert again.position == begun.position


def test_it_is_nobodys_turn_before_the_deal_and_after_the_end(begun, table):
    assert MegaCity(Options()).player == 0
    assert begun.player == begun.position.player > 0
    game = table.game(phase="end", final="round_limit", deciding=True)
    assert game.player == 0


BOARD = """\
turn 5, seat 1, main, 0 used
               .       .       .       .
            .       .     c1:52!     .       .
        .      P2*    p2:40     .       .       .
    .       .       .      CP      x1       .       .
        .       .       .       .       .       .
            .       .       .       .       .
               .       .       .       .
"""


def test_the_city_is_drawn_with_rows_half_a_hex_apart(table, at):
    city = [
        table.built(2, "PU1", "0/-1", height_mm=40),
        table.built(1, "CO1", "1/-2", height_mm=52),
        table.built(1, "RE1", "1/0", standing=False),
    ]
    park = Park(at=at("-1/-1"), owner=2, monument=Pieces(glass=1))
    game = table.game(city=city, parks=[park], hands={2: Player(pieces=Pieces(steel=3, unknown=1))})
    drawn = str(game).splitlines()
    assert [line.split() for line in drawn[:8]] == [line.split() for line in BOARD.splitlines()]
    names = ("CP", "p2:40", "P2*", "x1")
    centres = {word: (row, line.index(word)) for row, line in enumerate(drawn[:8]) for word in names if word in line}
    assert centres["x1"][0] == centres["CP"][0]
    assert centres["p2:40"][0] == centres["P2*"][0] == centres["CP"][0] - 1
    assert centres["P2*"][1] < centres["p2:40"][1] < centres["CP"][1] < centres["x1"][1]
    assert "  seat 2: steel:3,unknown:1; contracts none; platforms none; completed PU1; 0 tokens" in drawn


def test_before_the_deal_an_empty_city_is_drawn():
    assert str(MegaCity(Options(players=2))).startswith("before the deal\n")


def test_a_game_from_the_table_shows_itself_too(table):
    game = table.game()
    game.accept(action_from_text("p2 take_pieces drawn=steel:3"))
    assert "seat 2: steel:3" in str(game)
    assert "steel:3" in repr(game)
