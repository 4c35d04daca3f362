"""How long the rules of each game take, beside python-chess on the same machine in the same run.

Games of random legal decisions are recorded first and then replayed. Timed is, per action played, the full enumeration
of `legal_actions` plus one checking `push`, and for chess the full `legal_moves` plus one `push` per move. The score of
all seats after each action is set beside that action: a score that replayed the game would show at once. Random
players may block each other for ever (A46): a game is cut after `ACTIONS_MAX` actions. All times are of the processor,
so that what else the machine does hardly counts.
"""

import random
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

import chess

from citytable.bots.random_bot import RandomBot
from citytable.bots.self_play import Unending, play_out
from citytable.games import NAMES, box_of, chance_of

GAMES = 24
REPEATS = 9
ACTIONS_MAX = 700
CHESS_PLIES_MAX = 300


class Played(NamedTuple):
    """A game before its first action, and the actions."""

    start: Any
    actions: tuple[Any, ...]


def random_games(name: str) -> list[Played]:
    """Whole random games, for each number of players in turn."""
    box, games = box_of(name), []
    for seed in range(GAMES):
        rng = random.Random(seed)
        players = box.players[seed % len(box.players)]
        start = box.begin(box.options(players))
        game = start.copy()
        with suppress(Unending):
            play_out(game, [RandomBot(rng)] * players, chance_of(name, rng), ACTIONS_MAX)
        games.append(Played(start, game.actions))
    return games


def chess_games() -> list[list[chess.Move]]:
    """Random games of chess, cut at `CHESS_PLIES_MAX`."""
    games = []
    for seed in range(GAMES):
        rng, board = random.Random(seed), chess.Board()
        while len(board.move_stack) < CHESS_PLIES_MAX and (moves := list(board.legal_moves)):
            board.push(rng.choice(moves))
        games.append(board.move_stack)
    return games


def replay(games: list[Played], *, scored: bool = False) -> None:
    """What is timed for a game of ours; `scored` with `scores` after each action."""
    for start, actions in games:
        game = start.copy()
        for action in actions:
            list(game.legal_actions)
            game.push(action)
            if scored:
                game.scores()


def replay_chess(games: list[list[chess.Move]]) -> None:
    """What is timed for chess."""
    for moves in games:
        board = chess.Board()
        for move in moves:
            list(board.legal_moves)
            board.push(move)


def best_us(replayed: Callable[[], None], steps: int) -> float:
    """Microseconds of the processor per step, the best of several repeats: other work only ever adds."""
    times = []
    for _ in range(REPEATS):
        began = time.thread_time()
        replayed()
        times.append(time.thread_time() - began)
    return min(times) / steps * 1e6


def main() -> None:
    """Print the figures."""
    theirs = chess_games()
    moves = sum(map(len, theirs))
    chess_us = best_us(lambda: replay_chess(theirs), moves)
    print(f"{'python-chess':>12}: {chess_us:6.1f} us per move    (legal_moves + push, {moves} moves of {GAMES} games)")
    for name in NAMES:
        began = time.thread_time()
        ours = random_games(name)
        games_per_s = GAMES / (time.thread_time() - began)
        actions = sum(len(played.actions) for played in ours)
        action_us = best_us(lambda ours=ours: replay(ours), actions)
        scored_us = best_us(lambda ours=ours: replay(ours, scored=True), actions) - action_us
        print(f"{name:>12}: {action_us:6.1f} us per action  (legal_actions + push, {actions} actions of {GAMES} games)")
        print(f"{'':>12}  {action_us / chess_us:6.2f} times a move of python-chess; scores {scored_us:.1f} us more")
        size = actions / GAMES
        print(f"{'':>12}  {games_per_s:6.1f} random games a second, {size:.0f} actions each, with chance and bots")


if __name__ == "__main__":
    main()
