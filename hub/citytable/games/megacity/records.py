"""What a game of MegaCity can hold as a record of its table."""

from collections.abc import Sequence
from itertools import combinations

from citytable.games.megacity.actions import Action, BuildingFell, Deliver, MonumentFell, PiecesLost
from citytable.games.megacity.position import Position
from citytable.table.hexes import distance
from citytable.table.mark import Mark


def marks(actions: Sequence[Action], position: Position) -> tuple[Mark, ...]:
    """Return the tallest delivery, the city from end to end, and how often something fell."""
    delivered = [one for one in actions if isinstance(one, Deliver) and one.stood and one.height_mm]
    tallest = max(delivered, key=lambda one: one.height_mm or 0, default=None)
    found = () if tallest is None else (Mark("tallest", tallest.height_mm or 0, tallest.player),)
    return (*found, Mark("longest", longest(position)), Mark("falls", sum(map(_fell, actions))))


def longest(position: Position) -> int:
    """Return how many hexes the city is long, from one end to the other."""
    tiles = [*(one.at for one in position.buildings), *(one.at for one in position.parks)]
    return 1 + max((distance(one, other) for one, other in combinations(tiles, 2)), default=0)


def _fell(action: Action) -> bool:
    return isinstance(action, BuildingFell | PiecesLost | MonumentFell) or (
        isinstance(action, Deliver) and action.stood is False
    )
