"""A bot that looks ahead: it plays each promising decision out many times, and takes the one with the best results.

It knows only what its player knows. A position holds what is public; everything hidden or still to be drawn is dealt
again in each play-out, from the possible things (determinisation).

A play-out follows the game's own advice, for every seat, up to a horizon. All decisions are tried with the same luck,
so that only the decisions differ. Half of them are dropped after each round, the rest are tried further (sequential
halving). The advice's first choice is only given up for a clearly better one, because a few play-outs prefer some
decision by accident.
"""

import math
import random
from collections.abc import Callable, Sequence
from statistics import fmean, stdev
from typing import Any

from citytable.bots.bot import Action, Advised
from citytable.rules.budget import Budget
from citytable.rules.chance import Chance

ChanceOf = Callable[[random.Random], Chance[Any, Any]]
WINNING = 5.0
"""What the victory itself is worth, in points: enough to prefer a small sure lead to a large doubtful one."""


class Planner:
    """Looks ahead as far as its budget goes. The same random numbers give the same choices."""

    def __init__(self, rng: random.Random, chance_of: ChanceOf, budget: Budget | None = None) -> None:
        self._rng = rng
        self._luck = random.Random()
        self._chance = chance_of(self._luck)
        self._budget = budget or Budget()
        self.nodes = 0
        """How many nodes it has visited since it was made."""

    def choose(self, game: Advised[Action], decisions: Sequence[Action]) -> Action:
        """Return the decision with the best play-outs."""
        rated = sorted(decisions, key=game.advice, reverse=True)[: self._budget.width]  # stable: as Greedy has it
        if len(rated) == 1:
            return rated[0]
        until = self.nodes + self._budget.nodes
        tried: dict[int, list[float]] = {k: [] for k in range(len(rated))}
        standing = list(tried)
        seed = self._rng.getrandbits(64)
        rounds = math.ceil(math.log2(len(rated)))
        for left in range(rounds, 0, -1):
            until_then = self.nodes + (until - self.nodes) // left
            while self.nodes < until_then:
                self._try_each(game, [rated[k] for k in standing], [tried[k] for k in standing], seed)
            best = sorted(standing[1:], key=lambda k: -fmean(tried[k]))
            standing = [0, *best[: max(1, len(standing) // 2)]]
        return rated[self._better(tried, standing[1])]

    def _try_each(
        self, game: Advised[Action], decisions: Sequence[Action], results: Sequence[list[float]], seed: int
    ) -> None:
        """Play each decision out once more, with the luck that the others have."""
        for decision, found in zip(decisions, results, strict=True):
            self._luck.seed(seed + len(found))
            found.append(self._played_out(game, decision))

    def _better(self, tried: dict[int, list[float]], best: int) -> int:
        """Return 0, the advice's own choice, unless the other one did clearly better under the same luck."""
        gains = [there - here for there, here in zip(tried[best], tried[0], strict=False)]
        if len(gains) < 2:
            return 0
        error = stdev(gains) / math.sqrt(len(gains))
        return best if fmean(gains) > self._budget.doubt * error else 0

    def _played_out(self, game: Advised[Action], decision: Action) -> float:
        """Return the result for the player to act at the end of a play-out of the decision."""
        seat, ahead = game.player, game.copy()
        ahead.push(self._chance.outcome(ahead, decision))
        for _ in range(self._budget.horizon - 1):
            if ahead.outcome() is not None:
                break
            decisions = list(ahead.legal_actions)
            following = max(decisions, key=ahead.advice) if ahead.player else decisions[0]
            ahead.push(self._chance.outcome(ahead, following))
            self.nodes += 1
        self.nodes += 1
        return worth(ahead, seat)


def worth(game: Advised[Any], seat: int) -> float:
    """Return the value of a game for a seat: its points beyond the best of the others', and a victory at the end."""
    points = {at: score.total for at, score in game.scores().items()}
    others = [total for at, total in points.items() if at != seat]
    margin = points.get(seat, 0) - (max(others) if others else 0)
    outcome = game.outcome()
    if outcome is None:
        return float(margin)
    if seat in outcome.winners:
        return margin + WINNING / len(outcome.winners)
    return margin - WINNING
