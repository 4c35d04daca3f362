"""The games: one folder each, independent of each other and of all I/O. A game has the name of its folder."""

import random
from importlib import import_module
from typing import Any

from citytable.rules.budget import Budget
from citytable.rules.chance import Chance

NAMES = ("megacity", "comeback", "dilluvia")
"""Every game of this hub, the one first that is played when nobody names one. Hands and screens have the same list."""


class UnknownGame(ValueError):
    """Somebody asks for a game that is not here: the text names those that are."""


def box_of(name: str) -> Any:
    """Return the box of a game (a `citytable.session.box.Box`); raises `UnknownGame`."""
    if name not in NAMES:
        raise UnknownGame(f"there is no game {name!r} here: --game {', '.join(NAMES)}")
    return import_module(f"{__name__}.{name}.box").BOX


def houses_of(name: str) -> tuple[Any, ...]:
    """Return the box of a game with the house's values of every version, today's first; raises `UnknownGame`."""
    today = box_of(name)
    return (today, *getattr(import_module(f"{__name__}.{name}.box"), "EARLIER_BOXES", ()))


def chance_of(name: str, rng: random.Random) -> Chance[Any, Any]:
    """Return the chance of a game, which draws with these random numbers; raises `UnknownGame`."""
    box_of(name)
    dealer: Chance[Any, Any] = import_module(f"{__name__}.{name}.dealer").Dealer(rng)
    return dealer


def budget_of(name: str) -> Budget:
    """Return how far a bot looks ahead in a game by default; raises `UnknownGame`."""
    budget: Budget = box_of(name).budget
    return budget
