"""The people of each game at the virtual table, found by the game's name."""

from collections.abc import Callable, Mapping
from importlib import import_module
from operator import eq
from typing import Any

import msgspec

from citytable.bots.bot import Bot
from citytable.evenings.troupe import Troupe
from citytable.rehearsal.company import Company, Scenery
from citytable.session.box import Box, GameOptions


def _reason(reason: str, words: Mapping[str, str]) -> str:
    return f"{reason} {' '.join(words.values())}".strip()


def _none_unsure(_position: object) -> int:
    return 0


class People(msgspec.Struct, frozen=True):
    """The people of one game, made in `rehearsal/<name>/__init__.py`."""

    company: Callable[[Box[Any, Any], GameOptions, tuple[Bot, ...], Scenery], Company[Any, Any]]
    points: Callable[[str, Mapping[str, str]], str] = _reason
    """Returns the purpose of a score line in English, from its reason and its words."""
    holds: Callable[[Any, Any], bool] = eq
    """Returns whether the truth, the second position, lies within the first, which the hub believes."""
    unsure: Callable[[Any], int] = _none_unsure
    """Returns how many pieces or cards more than they surely hold all players may hold in a position."""
    settled: Callable[[str], str] = str
    """Returns the part of an act's notation that does not change while its outcome becomes known."""
    in_terminal: Callable[..., object] | None = None
    """Plays it in the terminal: options, random numbers, the person's seat, the `Room`, and `rival`, the bot on the
    other seats. None where nobody has written it."""
    evenings: Mapping[str, Troupe] = {}
    """Play evenings of it on the level of facts, by the name of the family; the first is the usual one."""


def people_of(game: str) -> People:
    """Return the people who play a game of this hub."""
    people: People = import_module(f"{__package__}.{game}").PEOPLE
    return people
