"""Trees of decisions, counted twice: by the engine, and by the second reader of the rulebook."""

import copy

import pytest

DEPTH, WIDEST, EVERY = 2, 20, 17


def grown(game, depth):
    if not depth or game.player == 0:
        return 1
    total = 0
    for decision in list(game.legal_actions):
        game.push(decision)
        total += grown(game, depth - 1)
        game.pop()
    return total


def grown_by(book, depth):
    if not depth or book.now == 0:
        return 1
    total = 0
    for line in sorted(book.legal()):
        further = copy.deepcopy(book)
        further.did(line)
        total += grown_by(further, depth - 1)
    return total


@pytest.mark.seeds("players, seed", [(2, 21), (3, 22)], soak=40)
def test_two_readers_count_the_same_trees(table, book, players, seed):
    second, counted = book.Book(players), 0
    for k, (game, decisions, action) in enumerate(table.walk(players, seed, greedy=0.9)):
        if k % EVERY == 0 and game.player and len(decisions) <= WIDEST:
            assert grown(game.copy(), DEPTH) == grown_by(second, DEPTH), str(game)
            counted += 1
        second.did(str(action))
    assert counted  # a short game has few positions that are narrow enough
