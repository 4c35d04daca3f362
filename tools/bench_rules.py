"""How long the rules take, beside python-chess on the same machine in the same run.

Games of random legal decisions are recorded first and then replayed. Timed is, per action played, the full enumeration
of `legal_actions` plus one checking `push`, and for chess the full `legal_moves` plus one `push` per move. The score of
all seats after each action is set beside that action: a score that replayed the game would show at once. Random
MegaCity players can block each other for ever (A46): their games have a round limit.
"""

import random
import time
from collections.abc import Callable

import chess

from citytable.bots.random_bot import RandomBot
from citytable.bots.self_play import play_out
from citytable.games.megacity.actions import Action
from citytable.games.megacity.dealer import Dealer
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.position import Options, Rulings

GAMES = 24
REPEATS = 5
ROUND_LIMIT = 40
CHESS_PLIES_MAX = 300


def megacity_games() -> list[tuple[Options, tuple[Action, ...]]]:
    """Whole random games for 2, 3 and 4 players."""
    games = []
    for seed in range(GAMES):
        rng = random.Random(seed)
        options = Options(players=2 + seed % 3, rulings=Rulings(round_limit=ROUND_LIMIT))
        game = MegaCity(options)
        play_out(game, [RandomBot(rng)] * options.players, Dealer(rng))
        games.append((options, game.actions))
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


def replay_megacity(games: list[tuple[Options, tuple[Action, ...]]]) -> None:
    """What is timed for MegaCity."""
    for options, actions in games:
        game = MegaCity(options)
        for action in actions:
            list(game.legal_actions)
            game.push(action)


def replay_scored(games: list[tuple[Options, tuple[Action, ...]]]) -> None:
    """The same, with `scores` after each action."""
    for options, actions in games:
        game = MegaCity(options)
        for action in actions:
            list(game.legal_actions)
            game.push(action)
            game.scores()


def replay_chess(games: list[list[chess.Move]]) -> None:
    """What is timed for chess."""
    for moves in games:
        board = chess.Board()
        for move in moves:
            list(board.legal_moves)
            board.push(move)


def best_us(replay: Callable[[], None], steps: int) -> float:
    """Microseconds per step, the best of several repeats: what else the machine does only ever adds."""
    times = []
    for _ in range(REPEATS):
        began = time.perf_counter()
        replay()
        times.append(time.perf_counter() - began)
    return min(times) / steps * 1e6


def main() -> None:
    """Print the figures."""
    began = time.perf_counter()
    ours = megacity_games()
    games_per_s = GAMES / (time.perf_counter() - began)
    theirs = chess_games()
    actions, moves = sum(len(played) for _, played in ours), sum(map(len, theirs))
    ours_us = best_us(lambda: replay_megacity(ours), actions)
    theirs_us = best_us(lambda: replay_chess(theirs), moves)
    print(f"MegaCity: {ours_us:6.1f} us per action  (legal_actions + push, {actions} actions of {GAMES} random games)")
    print(f"python-chess: {theirs_us:6.1f} us per move  (legal_moves + push, {moves} moves of {GAMES} random games)")
    print(f"ratio: {ours_us / theirs_us:.2f}  (below 1: MegaCity's rules are the faster ones)")
    scored_us = best_us(lambda: replay_scored(ours), actions) - ours_us
    print(f"scores: {scored_us:6.1f} us after each action = {scored_us / ours_us:.2f} times the action itself")
    size = actions / GAMES
    print(f"whole random MegaCity games: {games_per_s:.1f} per second, {size:.0f} actions each, dealer included")


if __name__ == "__main__":
    main()
