"""Comeback City as it is played on the table: the core that the umpire needs of it, and what turns up."""

from collections.abc import Iterator, Sequence
from itertools import chain

from msgspec.structs import replace

from citytable.games.comeback.accepting import accepted, check_possible
from citytable.games.comeback.actions import Action, Flip, Strike, action_from_text
from citytable.games.comeback.dealer import to_flip
from citytable.games.comeback.decisions import decisions
from citytable.games.comeback.deck import DISASTERS, Deck
from citytable.games.comeback.effects import check, effect
from citytable.games.comeback.forms import Forms
from citytable.games.comeback.game import seat
from citytable.games.comeback.layout import layout
from citytable.games.comeback.paper import Paper
from citytable.games.comeback.points import outcome
from citytable.games.comeback.position import Position
from citytable.games.comeback.questions import Questions
from citytable.games.comeback.refusals import refuse_open
from citytable.games.comeback.scene import scene
from citytable.games.comeback.speech import Attempts, GridPlaces, Speech
from citytable.games.comeback.teaching import Teaching
from citytable.games.comeback.thoughts import Thoughts
from citytable.rules.case import Case
from citytable.rules.errors import IllegalAction, broken_rule
from citytable.rules.game import open_fields
from citytable.table.layout import Layout
from citytable.table.scene import Scene
from citytable.table.spot import Spot


class ComebackTable:
    """The rules and layouts of one deck, without state; it brings `Reveals` itself.

    `accepting`: actions count as they happened, legal or not.
    """

    def __init__(self, deck: Deck, *, accepting: bool = False) -> None:
        self._deck = deck
        self._accepting = accepting
        self.parts: tuple[object, ...] = (
            Attempts(),
            Forms(deck),
            GridPlaces(),
            Paper(deck),
            Questions(deck, self.applied),
            Speech(deck),
            Teaching(deck),
            Thoughts(deck),
        )

    def decisions(self, position: Position) -> list[Action]:
        """Return the legal decisions, outcomes open."""
        return decisions(position, self._deck)

    def cases(self, position: Position, decision: Action) -> Iterator[Case[Action, Position]]:
        """Yield the ways a decision can come out: open, as where nobody reads it, and with each card that may show."""
        for action in chain((decision,), _seen(position, decision)):
            try:
                yield Case(action, self.supposed(position, action))
            except IllegalAction:
                continue

    def decision(self, action: Action) -> Action:
        """Return the action with its outcome open again."""
        return replace(action, **dict.fromkeys(action.OUTCOME)) if action.OUTCOME else action

    def complete(self, position: Position, action: Action, bindings: dict[str, str]) -> Action:  # noqa: ARG002  see cases
        """Return the action: each card that turns up is a case of its own."""
        return action

    def supposed(self, position: Position, action: Action) -> Position:
        """Return the position after an action; one that is open has changed nothing yet. Raises `IllegalAction`."""
        if self._accepting:
            check_possible(position, action, self._deck)
        else:
            check(position, action, self._deck)
        if open_fields(action):
            return position
        return self.applied(position, action)

    def unseen(self, _position: Position) -> dict[Spot, frozenset[str]]:
        """Return nothing: a card may be read while its player only looks at it."""
        return {}

    def applied(self, position: Position, action: Action) -> Position:
        """Return the position after a complete action; raises `IllegalAction`."""
        if not self._accepting:
            check(position, action, self._deck)
        if missing := open_fields(action):
            refuse_open(action, missing)
        return (accepted if self._accepting else effect)(position, action, self._deck)

    def broken_rule(self, position: Position, action: Action) -> str:
        """Return the number of the rule that forbids it; empty when it is legal."""
        return broken_rule(check, position, action, self._deck)

    def accepting(self) -> "ComebackTable":
        """Return the same game for what happened although a rule forbids it."""
        return ComebackTable(self._deck, accepting=True)

    def layout(self, position: Position) -> Layout:
        """Return what the table should look like."""
        return layout(position, self._deck)

    def text(self, action: Action) -> str:
        """Return the action in notation."""
        return str(action)

    def action(self, text: str) -> Action:
        """Return the action of a notation; raises `Unreadable`."""
        return action_from_text(text)

    def seat(self, position: Position) -> int:
        """Return 1 while the player acts; 0 before the set-up and after the end."""
        return seat(position)

    def termination(self, position: Position) -> str:
        """Return how the game ended; empty while it goes on."""
        ended = outcome(position, self._deck)
        return ended.termination if ended else ""

    def scene(
        self,
        confirmed: Position,
        provisional: Position,
        actions: Sequence[Action],
        start: Position | None,  # noqa: ARG002  no line of the score names its action
    ) -> Scene:
        """Return what the public sees: the table as it provisionally is, the points as they are confirmed."""
        return scene(confirmed, provisional, actions, self._deck)


def _seen(position: Position, decision: Action) -> Iterator[Action]:
    """Yield the decision with each outcome that shows on a reader."""
    if isinstance(decision, Flip) and decision.card is None:
        yield from (replace(decision, card=card) for card in to_flip(position))
    if isinstance(decision, Strike) and decision.disaster is None:
        yield from (replace(decision, disaster=kind) for kind in DISASTERS)
