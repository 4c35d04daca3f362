"""The games that have hands: one folder each, found by the game's name."""

from importlib import import_module

from tabletwin.hands import bench, disorder, eyes, piles, plain
from tabletwin.hands.hand import ACTS, Act

GAMES = ("megacity", "comeback", "dilluvia")
ROOMS = (bench, disorder, eyes, piles, plain)  # importing them registers the acts of every game


def acts_of(game: str) -> dict[str, Act]:
    """Return the acts of every game and those of this one; an empty folder, or none, adds nothing."""
    general = ACTS[__package__]
    if game not in GAMES:
        return general
    return general | ACTS.get(import_module(f"{__package__}.{game}").__name__, {})


def by_hand(game: str) -> frozenset[str]:
    """Return the names of the acts that a person at a browser may ask for."""
    own = getattr(import_module(f"{__package__}.{game}"), "BY_HAND", ()) if game in GAMES else ()
    return frozenset((*plain.BY_HAND, *own))
