"""Whole games without a table: bots decide, chance fills in the rest."""

from collections.abc import Sequence
from typing import Any

from citytable.bots.bot import Advised, Bot
from citytable.rules.chance import Chance


class Unending(RuntimeError):
    """A game that did not end within the actions it was given."""


def play_out(game: Advised[Any], bots: Sequence[Bot], chance: Chance[Any, Any], actions_max: int = 20_000) -> None:
    """Play to the end. Bot k sits on seat k + 1. Chance decides what no player does, such as the deal.

    Raises `Unending` after `actions_max` actions.
    """
    for _ in range(actions_max):
        if game.outcome() is not None:
            return
        decisions = list(game.legal_actions)
        decision = bots[game.player - 1].choose(game, decisions) if game.player else decisions[0]
        game.push(chance.outcome(game, decision))
    if game.outcome() is None:
        raise Unending(f"no end after {actions_max} actions: {game!r}")
