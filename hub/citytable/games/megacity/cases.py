"""Cases of MegaCity's decisions: how each can come out, as far as tags and scales can tell.

`applied(..., what_if=True)` makes the position after a case; what nobody has told yet stays unknown in it.
"""

from collections.abc import Iterator

import msgspec

from citytable.games.megacity.actions import (
    Action,
    Deliver,
    PlaceCentralParkMonument,
    PlaceMonument,
    Refresh,
    ReturnPieces,
    TakePieces,
    TakePlatform,
)
from citytable.games.megacity.game import applied
from citytable.games.megacity.hands import PIECES_MAX
from citytable.games.megacity.layout import face_of
from citytable.games.megacity.pieces import Deck
from citytable.games.megacity.position import Pieces, Position
from citytable.rules.case import Case
from citytable.rules.errors import IllegalAction

RANDOM_DRAW = 3  # R10
ONE_UNTOLD = Pieces(unknown=1)


def _revealed(position: Position, decision: TakePlatform | Refresh) -> Action:
    if isinstance(decision, TakePlatform):
        return msgspec.structs.replace(decision, revealed=position.stack[:1])
    there = tuple(face for face in position.supply if face is not None)
    return msgspec.structs.replace(decision, revealed=(position.stack + there)[:3])


def _drawn(position: Position, decision: TakePieces) -> Iterator[Action]:
    if decision.announced is not None and position.bag:
        yield msgspec.structs.replace(decision, drawn=Pieces(**{decision.announced: 1}))
    yield msgspec.structs.replace(decision, drawn=Pieces(unknown=min(RANDOM_DRAW, position.bag)))


def _excess(position: Position) -> Pieces:
    return Pieces(unknown=position.players[position.player - 1].pieces.total - PIECES_MAX)


def _ways(position: Position, decision: Action) -> Iterator[Action]:
    match decision:
        case TakePlatform() | Refresh():
            yield _revealed(position, decision)
        case TakePieces():
            yield from _drawn(position, decision)
        case ReturnPieces():
            yield msgspec.structs.replace(decision, returned=_excess(position))
        case PlaceMonument() | PlaceCentralParkMonument():
            yield msgspec.structs.replace(decision, piece=ONE_UNTOLD)
        case Deliver() if decision.stood is None:
            yield msgspec.structs.replace(decision, stood=True)
            yield msgspec.structs.replace(decision, stood=False)
        case _:
            yield decision


def cases(position: Position, decision: Action, deck: Deck) -> Iterator[Case[Action, Position]]:
    """Every way the decision can come out in this position. A way the rules refuse is left out."""
    for action in _ways(position, decision):
        try:
            after = applied(position, action, deck, what_if=True)
        except IllegalAction:
            continue
        yield Case(action, after)


def complete(action: Action, bindings: dict[str, str]) -> Action:
    """Put the things that matching found into the action: `revealed/0` ... in the place of untold tiles."""
    if not isinstance(action, TakePlatform | Refresh) or action.revealed is None:
        return action
    found = iter([face_of(thing) for _, thing in sorted(bindings.items())])
    revealed = tuple(next(found, None) if face is None else face for face in action.revealed)
    return msgspec.structs.replace(action, revealed=revealed)
