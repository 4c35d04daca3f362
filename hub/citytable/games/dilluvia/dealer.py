"""Chance: what shuffled stacks and a drawn order decide (`citytable.rules.chance`)."""

import random

from msgspec.structs import replace

from citytable.games.dilluvia.actions import Action, DrawOrder, Refill, SetUp
from citytable.games.dilluvia.game import Dilluvia
from citytable.games.dilluvia.market import refill_count
from citytable.games.dilluvia.values import SPACES


class Dealer:
    """Shuffles and draws."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def outcome(self, game: Dilluvia, decision: Action) -> Action:
        """Return the decision with every open field filled in."""
        position = game.position
        match decision:
            case SetUp():
                return replace(decision, market=self._off(position.white)[:SPACES])
            case DrawOrder():
                return replace(decision, order=self._off(tuple(range(1, position.options.players + 1))))
            case Refill():
                stacks = (*self._off(position.white), *self._off(position.grey))
                return replace(decision, tiles=stacks[: refill_count(position)])
            case _:
                return decision

    def _off(self, stack: tuple[int, ...]) -> tuple[int, ...]:
        """Return a stack in an order that is drawn."""
        return tuple(self._rng.sample(stack, len(stack)))
