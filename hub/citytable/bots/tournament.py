"""Tournaments: bots play many games against each other, with an error bar on each result.

The games of one seed begin with the same luck, and in them every bot sits on every seat equally often: neither the seat
nor the deal speaks for a bot.
"""

import math
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from statistics import fmean, stdev
from typing import Any

import msgspec

from citytable.bots.bot import Advised, Bot
from citytable.bots.planner import ChanceOf
from citytable.bots.self_play import Unending, play_out

BotOf = Callable[[random.Random], Bot]
GameOf = Callable[[], Advised[Any]]
DEVIATIONS = 1.96  # of a normal distribution, within which 95 % lie
ACTIONS_MAX = 6_000


class Played(msgspec.Struct, frozen=True):
    """One game of the lot with this seed. `bots` names the bots of seats 1, 2, ...

    `termination` is empty if the game did not end.
    """

    seed: int
    bots: tuple[str, ...]
    termination: str
    winners: tuple[int, ...]
    points: tuple[int, ...]


class Interval(msgspec.Struct, frozen=True):
    """A mean within its 95 % interval."""

    low: float
    mean: float
    high: float


class Difference(msgspec.Struct, frozen=True):
    """By how much one bot did better than another per game. Within a lot neither deal nor seat speaks for a bot."""

    better: str
    worse: str
    lots: int
    victories: Interval
    points: Interval


class Standing(msgspec.Struct, frozen=True):
    """The results of one bot: its victories per game, where several winners share one, and its points per game."""

    bot: str
    games: int
    victories: Interval
    points: Interval


def mean_of(values: Sequence[float]) -> Interval:
    """Return the mean of independent values in its interval, which is endless for fewer than two."""
    mean = fmean(values)
    error = DEVIATIONS * stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.inf
    return Interval(mean - error, mean, mean + error)


def share_of(values: Sequence[float]) -> Interval:
    """Return a mean of values from 0 to 1 in Wilson's interval, which keeps a width even if all are equal."""
    count, mean, square = len(values), fmean(values), DEVIATIONS**2
    middle = (mean + square / (2 * count)) / (1 + square / count)
    spread = math.sqrt(mean * (1 - mean) / count + square / (4 * count**2)) * DEVIATIONS / (1 + square / count)
    return Interval(max(0.0, middle - spread), mean, min(1.0, middle + spread))


def difference_of(values: Sequence[float]) -> Interval:
    """Return the mean of differences from -1 to 1 in Bonett and Price's interval.

    It counts one more pair each way than there was, so it keeps a width even if all are equal.
    """
    wider = mean_of([*values, 1.0, -1.0])
    return Interval(max(-1.0, wider.low), fmean(values), min(1.0, wider.high))


def tournament(
    bots: Mapping[str, BotOf], begin: GameOf, chance_of: ChanceOf, players: int, seeds: Iterable[int]
) -> Iterator[Played]:
    """Play, for each seed, as many games as there are bots, so that each bot sits once on every seat."""
    names = tuple(bots)
    for seed in seeds:
        for first in range(len(names)):
            who = tuple(names[(first + seat) % len(names)] for seat in range(players))
            seated = [bots[name](random.Random(f"{seed} {name}")) for name in who]
            yield play(seed, who, seated, begin(), chance_of(random.Random(seed)))


def play(seed: int, who: tuple[str, ...], seated: Sequence[Bot], game: Advised[Any], chance: Any) -> Played:
    """Play one game to its end, or until it has had 6,000 actions."""
    with suppress(Unending):
        play_out(game, seated, chance, ACTIONS_MAX)
    outcome = game.outcome()
    points = tuple(score.total for _, score in sorted(game.scores().items()))
    if outcome is None:
        return Played(seed, who, "", (), points)
    return Played(seed, who, outcome.termination, outcome.winners, points)


def standings(games: Sequence[Played]) -> list[Standing]:
    """Return the result of each bot, the best first."""
    names = dict.fromkeys(name for game in games for name in game.bots)
    found = [_standing(name, games) for name in names]
    return sorted(found, key=lambda one: (-one.victories.mean, -one.points.mean))


def differences(games: Sequence[Played]) -> list[Difference]:
    """Return how much better each bot is than the next one of the standings, lot by lot."""
    names = [one.bot for one in standings(games)]
    return [_difference(*pair, games) for pair in pairwise(names)]


def _standing(name: str, games: Sequence[Played]) -> Standing:
    victories, points = _results(name, games)
    return Standing(name, len(victories), share_of(victories), mean_of(points))


def _difference(better: str, worse: str, games: Sequence[Played]) -> Difference:
    victories, points = [], []
    for seed in dict.fromkeys(game.seed for game in games):
        lot = [game for game in games if game.seed == seed]
        (won, gained), (lost, left) = _results(better, lot), _results(worse, lot)
        victories.append(fmean(won) - fmean(lost))
        points.append(fmean(gained) - fmean(left))
    return Difference(better, worse, len(points), difference_of(victories), mean_of(points))


def _results(name: str, games: Sequence[Played]) -> tuple[list[float], list[float]]:
    """Return the victories and the points of a bot, seat by seat."""
    victories, points = [], []
    for game in games:
        for seat, bot in enumerate(game.bots, start=1):
            if bot == name:
                victories.append(1 / len(game.winners) if seat in game.winners else 0.0)
                points.append(float(game.points[seat - 1]) if game.points else 0.0)
    return victories, points
