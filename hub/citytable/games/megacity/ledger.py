"""The ledger: which action gave which point, which a position alone does not say.

A game keeps one ledger beside each position of its stack, so that a score need not replay the game, and `pop`
only drops the last one. It belongs neither to the notation nor to the equality of a position.
"""

from collections.abc import Sequence

import msgspec

from citytable.games.megacity.actions import Action, Deliver, PlaceCentralParkMonument, PlaceMonument
from citytable.games.megacity.delivery import bonuses, knocked_over
from citytable.games.megacity.effects import happened
from citytable.games.megacity.pieces import Deck
from citytable.games.megacity.position import Position
from citytable.table.hexes import CENTRE, Hex


class Token(msgspec.Struct, frozen=True, gc=False):
    """A prestige token: its reason (R28, R29, R34, R42) and the number of the action that won it."""

    reason: str
    action_no: int


class Ledger(msgspec.Struct, frozen=True):
    """The numbers, from 1, of the actions that completed a contract, placed a park's monument, won a token."""

    completed: dict[str, int] = {}
    monuments: dict[Hex, int] = {}
    tokens: dict[int, tuple[Token, ...]] = {}  # by seat
    last: int | None = None  # the last action of all

    def after(self, before: Position, action: Action, position: Position, deck: Deck) -> "Ledger":
        """Return the ledger after an action that led from `before` to `position`."""
        number = (self.last or 0) + 1
        completed, monuments = self.completed, self.monuments
        match action:
            case Deliver(stood=True):
                completed = completed | {action.contract: number}
            case PlaceMonument():
                monuments = monuments | {action.park: number}
            case PlaceCentralParkMonument():
                monuments = monuments | {CENTRE: number}
        return Ledger(completed, monuments, self._tokens(before, action, position, deck, number), number)

    def _tokens(
        self, before: Position, action: Action, position: Position, deck: Deck, number: int
    ) -> dict[int, tuple[Token, ...]]:
        seat = getattr(action, "player", 0)
        if not seat or position.players[seat - 1].tokens <= before.players[seat - 1].tokens:
            return self.tokens
        won = tuple(Token(reason, number) for reason in _reasons(before, action, deck))
        return self.tokens | {seat: (*self.tokens.get(seat, ()), *won)}


def _reasons(before: Position, action: Action, deck: Deck) -> tuple[str, ...]:
    """Name the reasons for an action's tokens, each a key of the language files."""
    if isinstance(action, Deliver):
        return bonuses(knocked_over(before, action, deck), action)
    return ("token_central_park",) if isinstance(action, PlaceCentralParkMonument) else ("token_recycle",)


class Replay:
    """The ledger of a game whose actions are given again each time, for where no stack was kept.

    Only the actions since the last time are replayed; all of them where others were taken back or put right.
    """

    def __init__(self, deck: Deck) -> None:
        self._deck = deck
        self._start: Position | None = None
        self._actions: list[Action] = []
        self._position: Position | None = None
        self._ledger = Ledger()

    def ledger(self, start: Position, actions: Sequence[Action]) -> Ledger:
        """Return the ledger after these actions from the position `start`."""
        known = len(self._actions)
        if self._position is None or start != self._start or list(actions[:known]) != self._actions:
            self._start, self._position, self._ledger, self._actions, known = start, start, Ledger(), [], 0
        for action in actions[known:]:
            after = happened(self._position, action, self._deck)
            self._ledger = self._ledger.after(self._position, action, after, self._deck)
            self._position = after
            self._actions.append(action)
        return self._ledger
