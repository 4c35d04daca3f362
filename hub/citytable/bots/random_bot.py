"""A bot that plays anything legal, to reach every corner of the rules."""

import random
from collections.abc import Sequence

from citytable.bots.bot import Action, Advised


class RandomBot:
    """Every decision is as likely as every other."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def choose(self, game: Advised[Action], decisions: Sequence[Action]) -> Action:  # noqa: ARG002  a Bot is given the game
        """Return one of the decisions."""
        return self._rng.choice(decisions)
