"""Estimates from the weight how many pieces an unreported draw may have been.

A chosen piece is announced aloud (R10), which no sensor hears. So a light draw may be one piece or three. The masses of
pieces are assumed to follow a gamma distribution, whose mean is the mass of a piece of this table.
"""

import tomllib
from collections.abc import Collection, Mapping
from importlib.resources import files

import msgspec
from msgspec.structs import replace

from citytable.games.megacity.actions import Action, ReturnPieces, TakePieces
from citytable.games.megacity.position import MATERIALS, Pieces
from citytable.games.megacity.standard import RANDOM_DRAW
from citytable.table.piece_mass import PieceMass

CHOSEN = 1  # R10: one piece, if it is announced


class _Rate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One assumption and its source."""

    rate: float
    source: str


_RATES = msgspec.convert(
    tomllib.loads(files(__package__ or "").joinpath("draws.toml").read_text(encoding="utf-8")), dict[str, _Rate]
)


def as_weighed(action: Action, grams: float, piece: PieceMass) -> Action:
    """Return a draw of three at random as a range if it may have been the one piece of an announcement."""
    if not isinstance(action, TakePieces) or action.announced is not None:
        return action
    is_sure = chosen_share(grams, piece, action.player) < _RATES["declared_bound"].rate
    if is_sure or action.drawn != Pieces(unknown=RANDOM_DRAW):
        return action
    return replace(action, drawn=Pieces(unknown=CHOSEN, maybe=RANDOM_DRAW - CHOSEN))


def counts(action: Action, pieces: int, piece: PieceMass) -> Mapping[int, float]:
    """Return the probability of each number of pieces for an unreported act.

    A draw of three may be one piece that was chosen. For a return whose number the rules leave open, every number is
    equally likely.
    """
    if isinstance(action, TakePieces) and action.announced is None and pieces in {RANDOM_DRAW, CHOSEN}:
        chosen = _unreported(piece.reported_by(action.player))
        return {RANDOM_DRAW: 1 - chosen, CHOSEN: chosen}
    if isinstance(action, ReturnPieces) and action.returned is not None:
        least, most = action.returned.total, action.returned.most
        return dict.fromkeys(range(least, most + 1), 1 / (most + 1 - least))
    return {pieces: 1.0}


def with_count(action: Action, numbers: Collection[int]) -> Action:
    """Return a draw at random, or a return, of this number of pieces; any other action unchanged."""
    if not numbers:
        return action
    pieces = Pieces(unknown=min(numbers), maybe=max(numbers) - min(numbers))
    match action:
        case TakePieces(announced=None, drawn=Pieces()):
            return action if pieces.most == CHOSEN else replace(action, drawn=pieces)
        case ReturnPieces(returned=Pieces() as returned) if returned.maybe:
            return replace(action, returned=pieces)
    return action


def exactly(action: Action, pieces: int) -> tuple[Action, ...]:
    """Return the ways to have moved exactly so many pieces: one is drawn of a material that was announced (R10)."""
    if isinstance(action, TakePieces) and action.announced is None and pieces == CHOSEN:
        return tuple(replace(action, announced=one, drawn=Pieces(**{one: CHOSEN})) for one in MATERIALS)
    return (with_count(action, (pieces,)),)


def chosen_share(grams: float, piece: PieceMass, seat: int) -> float:
    """Return how likely a draw of so many grams that its player, at `seat`, did not report was one piece and not three.

    Some players announce to the table as well, and others never do.
    """
    prior = _unreported(piece.reported_by(seat))
    one, three = prior * piece.density(CHOSEN, grams), (1 - prior) * piece.density(RANDOM_DRAW, grams)
    return one / (one + three)


def _unreported(reported: int) -> float:
    """Return the share of chosen pieces among a player's unreported draws, by how many they reported (a beta prior)."""
    aloud, weight = _RATES["announced_aloud_only"].rate, _RATES["weight_of_that_before_a_game"].rate
    chosen = _RATES["chosen_piece"].rate * aloud * weight / (weight + reported)
    return chosen / (1 - _RATES["chosen_piece"].rate + chosen)
