"""Open outcomes filled in with unknowns, for the umpire's what-ifs."""

from typing import Any

from msgspec.structs import replace

from citytable.games.megacity.actions import (
    Action,
    BuildingFell,
    Deliver,
    PiecesLost,
    PlaceCentralParkMonument,
    PlaceMonument,
    Refresh,
    ReturnPieces,
    TakePieces,
    TakePlatform,
    TurnUp,
)
from citytable.games.megacity.ending import excess, most_excess
from citytable.games.megacity.hands import NOTHING
from citytable.games.megacity.pieces import Deck
from citytable.games.megacity.position import Pieces, Position
from citytable.games.megacity.stack import SUPPLY
from citytable.games.megacity.standard import random_draw


def filled_in(position: Position, action: Action, deck: Deck) -> Action:
    """Return the action with every open field filled; what is known stays."""
    if not action.OUTCOME:
        return action
    open_now = {name for name in action.OUTCOME if getattr(action, name) is None}
    if not open_now:
        return action
    proposed = _proposed(position, action, deck)
    return replace(action, **{name: value for name, value in proposed.items() if name in open_now})


def _proposed(position: Position, action: Action, deck: Deck) -> dict[str, Any]:
    match action:
        case TakePlatform():
            return {"revealed": (None,) * min(1, len(position.stack))}
        case Refresh():
            return {"revealed": (None,) * min(SUPPLY, len(position.stack) + len(position.supply))}
        case TurnUp():
            return {"revealed": (None,)}
        case TakePieces():
            return {"drawn": _drawn(position, action)}
        case ReturnPieces():
            most = most_excess(position)
            least = min(max(1, excess(position)), most)
            return {"returned": Pieces(unknown=least, maybe=most - least)}
        case PlaceMonument() | PlaceCentralParkMonument():
            return {"piece": Pieces(unknown=1)}
        case Deliver():
            unknown = Pieces(unknown=deck.contracts[action.contract].pieces)
            return {"stood": True, "height_mm": 0, "pieces": unknown, "judged": True}
        case BuildingFell():
            return {"to_box": 0, "left": 0}
        case PiecesLost():
            return {"to_box": NOTHING, "to_bag": NOTHING}
    return {}


def _drawn(position: Position, action: TakePieces) -> Pieces:
    if action.announced is not None and position.bag_most:
        return Pieces(**{action.announced: 1})
    return Pieces(unknown=random_draw(position))
