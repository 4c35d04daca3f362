"""The engine and a second reader of the rulebook agree: on what may be done, on what it does, and on who has won."""

import pytest

from citytable.games.dilluvia.values import COLOURS

GAMES = [(2, 1), (3, 1), (4, 1)]


def accounts(player):
    return {
        "aeros": player.aeros, "cubes": {colour: player.cubes.of(colour) for colour in COLOURS},
        "prestige": player.prestige, "population": player.gained.total, "money": player.mat_money,
        "resources": player.mat_resources, "renown": player.mat_prestige, "step": player.marker, "extra": player.extra,
        "dark": player.left, "special": int(player.special), "ship": player.zeppelin,
        "tiles": {held.tile: held.used for held in player.tiles},
    }  # fmt: skip


@pytest.mark.seeds("players, seed", GAMES, soak=60)
def test_two_readers_play_the_same_game(table, book, players, seed):
    second = book.Book(players)
    for game, decisions, action in table.walk(players, seed, greedy=0.6):
        assert {str(decision) for decision in decisions} == second.legal(), game
        assert len(decisions) == len(set(decisions))
        second.did(str(action))
    end = game.position
    assert {seat: accounts(end.of(seat)) for seat in second.who} == second.who
    assert list(game.outcome().winners) == second.winners()


@pytest.mark.seeds("players, seed", [(2, 11), (3, 12)], soak=60)
def test_two_readers_keep_the_same_accounts_after_every_action(table, book, players, seed):
    second = book.Book(players)
    for game, _, action in table.walk(players, seed, greedy=0.9):
        second.did(str(action))
        after = game.copy()
        after.push(action)
        position = after.position
        assert (position.phase, position.turn, position.player) == (second.phase, second.turn, second.now)
        assert {seat: accounts(position.of(seat)) for seat in second.who} == second.who, str(action)
