"""Drawn by weight: how many pieces a draw that nobody reported may have been.

A chosen piece is announced aloud (R10), which no sensor hears. So a light draw may be one piece or three. The masses of
pieces are taken for a gamma distribution; its mean is what a piece of this table weighs.
"""

import math
import tomllib
from importlib.resources import files

import msgspec
from msgspec.structs import replace

from citytable.games.megacity.actions import Action, TakePieces
from citytable.games.megacity.position import Pieces
from citytable.games.megacity.standard import RANDOM_DRAW

SPREAD = 0.62  # the standard deviation of a piece's mass in the house set, as a share of the average
CHOSEN = 1  # R10: one piece, if it is announced


class _Rate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One assumption, and where it comes from."""

    rate: float
    source: str


_RATES = msgspec.convert(
    tomllib.loads(files(__package__ or "").joinpath("draws.toml").read_text(encoding="utf-8")), dict[str, _Rate]
)


def as_weighed(action: Action, grams: float, piece_g: float, reported: int) -> Action:
    """Return a draw of three at random as a range where it may have been the one piece of an announcement.

    So many announcements (`reported`) were reported in this game.
    """
    if not isinstance(action, TakePieces) or action.announced is not None:
        return action
    is_sure = chosen_share(grams, piece_g, reported) < _RATES["declared_bound"].rate
    if is_sure or action.drawn != Pieces(unknown=RANDOM_DRAW):
        return action
    return replace(action, drawn=Pieces(unknown=CHOSEN, maybe=RANDOM_DRAW - CHOSEN))


def chosen_share(grams: float, piece_g: float, reported: int) -> float:
    """Return how likely a draw of so many grams that nobody reported was one piece, and not three."""
    prior = _unreported(reported)
    one, three = prior * _density(CHOSEN, grams, piece_g), (1 - prior) * _density(RANDOM_DRAW, grams, piece_g)
    return one / (one + three)


def _unreported(reported: int) -> float:
    """Return the share of chosen pieces among draws that nobody reported, by how many were reported (a beta prior)."""
    aloud, weight = _RATES["announced_aloud_only"].rate, _RATES["weight_of_that_before_a_game"].rate
    chosen = _RATES["chosen_piece"].rate * aloud * weight / (weight + reported)
    return chosen / (1 - _RATES["chosen_piece"].rate + chosen)


def _density(pieces: int, grams: float, piece_g: float) -> float:
    """Return the density of the mass of so many pieces, in units of its own that are the same for any number."""
    of_one = 1 / SPREAD**2
    shape, x = of_one * pieces, grams / (piece_g / of_one)
    return math.exp((shape - 1) * math.log(x) - x - math.lgamma(shape))
