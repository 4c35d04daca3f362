"""A game of MegaCity: what may be done, what it does, and a stack of positions so that it can be taken back.

game = MegaCity(Options(players=3))
game.push(action_from_text("table set_up columns=... supply=... start=1 drawn=..."))
for decision in game.legal_actions: ...
"""

from collections.abc import Iterator
from typing import Self

from citytable.games.megacity.accepting import accepted
from citytable.games.megacity.actions import Action, Deliver
from citytable.games.megacity.advice import rating
from citytable.games.megacity.deal import before_the_deal
from citytable.games.megacity.decisions import decisions
from citytable.games.megacity.drawing import drawn
from citytable.games.megacity.effects import check, effect
from citytable.games.megacity.ledger import Ledger
from citytable.games.megacity.notation import position_to_text
from citytable.games.megacity.pieces import HOUSE, Deck
from citytable.games.megacity.position import Options, Position
from citytable.games.megacity.refusals import refuse_open
from citytable.games.megacity.scoring import Score, outcome, score
from citytable.games.megacity.validity import check_conserved, check_position
from citytable.games.megacity.what_if import filled_in
from citytable.rules.errors import broken_rule
from citytable.rules.game import LegalActions, Outcome, open_fields
from citytable.rules.stack import Stack

__all__ = ["MegaCity", "applied", "check", "legal_actions", "outcome", "score", "still_open"]


def still_open(action: Action) -> tuple[str, ...]:
    """Return the outcome fields that `push` wants filled in."""
    if not isinstance(action, Deliver):
        return open_fields(action) if action.OUTCOME else ()
    knocked = ("knocked",) if any(open_fields(accident) for accident in action.knocked) else ()
    if action.stood is False:
        return knocked
    unknown = action.pieces is not None and action.pieces.unknown
    return open_fields(action) + (("pieces",) if unknown else ()) + knocked


def applied(position: Position, action: Action, deck: Deck, *, what_if: bool = False) -> Position:
    """Return the position after an action, unchecked: it must be legal and its outcome known.

    With `what_if` an open outcome is filled with what nobody knows yet: unknown tiles (`None` in the supply), unknown
    pieces, a delivery that stands with as many unknown pieces as its contract asks and a height of 0 mm.
    """
    if what_if:
        action = filled_in(position, action, deck)
    return effect(position, action, deck)


def legal_actions(position: Position, deck: Deck) -> LegalActions[Action]:
    """Return the legal decisions in a position; `in` also takes filled-in actions and accidents."""

    def generate() -> Iterator[Action]:
        return iter(decisions(position, deck))

    return LegalActions(generate, lambda action: not broken_rule(check, position, action, deck))


class MegaCity(Stack[Action, Position]):
    """One game: a stack of frozen positions. Keeps the `Game` protocol of `citytable.rules.game`."""

    def __init__(self, options: Options | None = None, deck: Deck = HOUSE) -> None:
        position = before_the_deal(options or Options(), deck)
        check_position(position, deck)
        self._start(position, deck)

    def _start(self, position: Position, deck: Deck) -> None:
        self.deck = deck
        self._ledgers = [Ledger()]
        super().__init__(position)

    @classmethod
    def from_position(cls, position: Position, deck: Deck = HOUSE) -> "MegaCity":
        """Return a game that goes on from a position; raises `IllegalPosition` naming what is wrong with it."""
        check_position(position, deck)
        return cls._at(position, deck)

    @classmethod
    def from_table(cls, position: Position, deck: Deck = HOUSE) -> "MegaCity":
        """Return the same, whatever rules were broken on the way; raises `IllegalPosition` if it cannot be."""
        check_conserved(position, deck)
        return cls._at(position, deck)

    @classmethod
    def _at(cls, position: Position, deck: Deck) -> "MegaCity":
        game = cls.__new__(cls)
        game._start(position, deck)
        return game

    def copy(self) -> Self:
        """Return the same game with a stack of its own. Cheap: positions are frozen, so both share them."""
        game = super().copy()
        game._ledgers = self._ledgers.copy()
        return game

    def __repr__(self) -> str:
        return f"MegaCity.from_table(position_from_text({position_to_text(self.position)!r}))"

    def __str__(self) -> str:
        return drawn(self.position)

    @property
    def player(self) -> int:
        """Return the seat whose turn it is; 0 before the deal and after the end."""
        return 0 if self.position.phase == "end" else self.position.player

    @property
    def legal_actions(self) -> LegalActions[Action]:
        """Return the legal decisions now, outcomes open."""
        return legal_actions(self._positions[-1], self.deck)

    def push(self, action: Action) -> None:
        """Play an action; raises `IllegalAction` naming the rule, or `OutcomeOpen`, and then nothing has changed."""
        position = self._positions[-1]
        check(position, action, self.deck)
        if action.OUTCOME and (missing := still_open(action)):
            refuse_open(action, missing)
        self._append(action, effect(position, action, self.deck))

    def accept(self, action: Action) -> None:
        """Play what happened, even if a rule forbids it; raises `IllegalAction` if it cannot have happened."""
        if missing := still_open(action):
            refuse_open(action, missing)
        self._append(action, accepted(self._positions[-1], action, self.deck))

    def _append(self, action: Action, after: Position) -> None:
        self._ledgers.append(self._ledgers[-1].after(self._positions[-1], action, after, self.deck))
        super()._append(action, after)

    def pop(self) -> Action:
        """Take the last action back; raises `IndexError` when nothing was pushed."""
        action = super().pop()
        self._ledgers.pop()
        return action

    def peek(self) -> Action:
        """Return the last action; raises `IndexError` when nothing was pushed."""
        return self._actions[-1]

    def outcome(self) -> Outcome | None:
        """Return how the game ended; None while it goes on."""
        return outcome(self._positions[-1], self.deck)

    def advice(self, decision: Action) -> float:
        """Return how good a legal decision looks to the player to act, for bots."""
        return rating(self._positions[-1], decision, self.deck)

    def scores(self) -> dict[int, Score]:
        """Return each seat's score as if the game ended here, every point with its reason."""
        return score(self._positions[-1], self.deck, self._ledgers[-1])
