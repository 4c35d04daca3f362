"""Cases of MegaCity's decisions: the possible outcomes, as far as tags and scales show them.

Everything unknown stays unknown in the position after a case.
"""

from collections.abc import Iterator, Mapping
from itertools import permutations

import msgspec

from citytable.games.megacity.accepting import accepted, check_accepted
from citytable.games.megacity.actions import (
    Action,
    BuildingFell,
    CountPieces,
    Deliver,
    PiecesLost,
    Refresh,
    SetUp,
    TakePieces,
    TakePlatform,
    TurnsUp,
    TurnUp,
)
from citytable.games.megacity.game import applied, check
from citytable.games.megacity.layout import face_of
from citytable.games.megacity.pieces import Deck
from citytable.games.megacity.position import Pieces, Position
from citytable.games.megacity.standard import random_draw
from citytable.games.megacity.what_if import filled_in
from citytable.rules.case import Case
from citytable.rules.errors import IllegalAction


def _drawn(position: Position, decision: TakePieces) -> Iterator[Action]:
    if decision.announced is not None and position.bag_most:
        yield msgspec.structs.replace(decision, drawn=Pieces(**{decision.announced: 1}))
    yield msgspec.structs.replace(decision, drawn=Pieces(unknown=random_draw(position)))


def _ways(position: Position, decision: Action, deck: Deck) -> Iterator[Action]:
    match decision:
        case TakePlatform() | Refresh() | TurnUp():
            yield filled_in(position, decision, deck)
        case TakePieces() if decision.drawn is None:
            yield from _drawn(position, decision)
        case Deliver() if decision.stood is None:
            yield msgspec.structs.replace(decision, stood=True)
            yield msgspec.structs.replace(decision, stood=False)
        case SetUp() | Deliver() | BuildingFell() | PiecesLost() | CountPieces():
            yield decision  # their open fields are asked
        case _:
            yield filled_in(position, decision, deck)


def cases(position: Position, decision: Action, deck: Deck) -> Iterator[Case[Action, Position]]:
    """Yield every way the decision can come out in this position. A way the rules refuse is left out."""
    for action in _ways(position, decision, deck):
        try:
            check(position, action, deck)
        except IllegalAction:
            continue
        yield Case(action, applied(position, action, deck, what_if=True))


def accepted_cases(position: Position, decision: Action, deck: Deck) -> Iterator[Case[Action, Position]]:
    """Yield every way the decision can have come out although a rule forbids it."""
    for action in _ways(position, decision, deck):
        try:
            yield Case(action, accepted_with_unknowns(position, action, deck))
        except IllegalAction:
            continue


def accepted_with_unknowns(position: Position, action: Action, deck: Deck) -> Position:
    """Return the position after an action that happened, with unknowns for open fields; raises `IllegalAction`."""
    check_accepted(position, action, deck)
    filled = filled_in(position, _within_hand(position, action, deck), deck)
    return accepted(position, filled, deck)


def _within_hand(position: Position, action: Action, deck: Deck) -> Action:
    """Return a delivery with no more unknown pieces than its player may have."""
    if not isinstance(action, Deliver) or action.pieces is not None:
        return action
    has = position.players[action.player - 1].pieces.most
    return msgspec.structs.replace(action, pieces=Pieces(unknown=min(deck.contracts[action.contract].pieces, has)))


def complete(
    position: Position, action: Action, bindings: Mapping[str, object], deck: Deck, *, accepting: bool = False
) -> Action:
    """Put the tiles that matching found in the place of unknown ones, in an order in which they can have come up."""
    checked = accepted_with_unknowns if accepting else check
    if not isinstance(action, TakePlatform | Refresh | TurnUp) or action.revealed is None:
        return action
    for completed in named_ways(action, bindings):
        try:
            checked(position, completed, deck)
        except IllegalAction:
            continue
        return completed
    return action


def named_ways(action: TurnsUp, things: Mapping[str, object]) -> Iterator[TurnsUp]:
    """Yield the action with tiles that were read or named in the place of unknown ones, in every order.

    The order of their keys is the first.
    """
    revealed = action.revealed or ()
    found = [face for face in (face_of(str(thing)) for _, thing in sorted(things.items())) if face is not None]
    open_places = [k for k, face in enumerate(revealed) if face is None]
    for places in permutations(open_places, min(len(open_places), len(found))):
        faces = dict(zip(places, found, strict=False))
        yield msgspec.structs.replace(action, revealed=tuple(faces.get(k, face) for k, face in enumerate(revealed)))
