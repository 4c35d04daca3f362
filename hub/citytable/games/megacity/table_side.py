"""MegaCity as it is played on the table: the core that the umpire needs of it (see `citytable.umpire.table_game`).

What else there is to a table of MegaCity is in its parts: the class of each says which protocol it brings.
"""

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from citytable.games.megacity.accepting import accepted
from citytable.games.megacity.actions import Action, EndTurn
from citytable.games.megacity.attempts import Attempts
from citytable.games.megacity.cases import accepted_cases, accepted_with_unknowns, cases, complete
from citytable.games.megacity.city_falls import CityFalls
from citytable.games.megacity.clearing import Clearance
from citytable.games.megacity.counting import Recounts
from citytable.games.megacity.deal import before_the_deal
from citytable.games.megacity.decisions import decisions
from citytable.games.megacity.game import applied, check, still_open
from citytable.games.megacity.layout import layout, stacked
from citytable.games.megacity.ledger import Replay
from citytable.games.megacity.notation import action_from_text
from citytable.games.megacity.paperwork import Paperwork
from citytable.games.megacity.pieces import Deck
from citytable.games.megacity.places import CityPlaces
from citytable.games.megacity.position import Position
from citytable.games.megacity.questions import Questions
from citytable.games.megacity.refusals import refuse_open
from citytable.games.megacity.scene import scene
from citytable.games.megacity.scoring import Score, outcome, score
from citytable.games.megacity.sides import Sides
from citytable.games.megacity.speech import Speech
from citytable.games.megacity.spots import SUPPLY_PLATFORM_SLOTS, supply_platform
from citytable.games.megacity.teaching import Teaching
from citytable.games.megacity.thoughts import Thoughts
from citytable.games.megacity.turn import actions_left
from citytable.games.megacity.turning_up import LateTiles
from citytable.games.megacity.weights import Weights
from citytable.rules.case import Case
from citytable.rules.errors import broken_rule
from citytable.table.layout import Layout
from citytable.table.scene import Scene
from citytable.table.spot import Spot


class MegaCityTable:
    """The rules and layouts of one deck, without state; it brings `Reveals` and `Allots` itself.

    `accepting`: actions count as they happened, legal or not.
    """

    def __init__(self, deck: Deck, *, accepting: bool = False) -> None:
        self._deck = deck
        self._accepting = accepting
        self._replay = Replay(deck)
        self._scored: tuple[Position, dict[int, Score]] | None = None  # the last scores
        self.parts: tuple[object, ...] = (
            Attempts(deck),
            CityFalls(),
            CityPlaces(),
            Clearance(accepting=accepting),
            LateTiles(),
            Paperwork(deck, accepting=accepting),
            Questions(deck, self.applied),
            Recounts(deck),
            Sides(),
            Speech(deck),
            Teaching(deck),
            Thoughts(deck),
            Weights(deck),
        )

    def decisions(self, position: Position) -> Iterable[Action]:
        """Return the legal decisions, outcomes open."""
        return decisions(position, self._deck)

    def cases(self, position: Position, decision: Action) -> Iterator[Case[Action, Position]]:
        """Yield the ways a decision can come out."""
        ways = accepted_cases if self._accepting else cases
        return ways(position, decision, self._deck)

    def accepting(self) -> "MegaCityTable":
        """Return the same game for what happened although a rule forbids it."""
        return MegaCityTable(self._deck, accepting=True)

    def broken_rule(self, position: Position, action: Action) -> str:
        """Return the number of the rule that forbids it; empty when it is legal."""
        return broken_rule(check, position, action, self._deck)

    def layout(self, position: Position) -> Layout:
        """Return what the table should look like."""
        return layout(position, self._deck)

    def decision(self, action: Action) -> Action:
        """Return the action with its outcome open again; that a delivery fell is not its decision."""
        return msgspec.structs.replace(action, **dict.fromkeys(action.OUTCOME)) if action.OUTCOME else action

    def complete(self, position: Position, action: Action, bindings: dict[str, str]) -> Action:
        """Return the action with the tiles that were turned up."""
        return complete(position, action, bindings, self._deck, accepting=self._accepting)

    def applied(self, position: Position, action: Action) -> Position:
        """Return the position after a complete action; raises `IllegalAction`."""
        if not self._accepting:
            check(position, action, self._deck)
        missing = still_open(action)
        if missing:
            refuse_open(action, missing)
        if self._accepting:
            return accepted(position, action, self._deck)
        return applied(position, action, self._deck)

    def supposed(self, position: Position, action: Action) -> Position:
        """Return the position after the first way an open action can come out; raises `IllegalAction`."""
        for case in self.cases(position, action):
            return case.after
        if self._accepting:
            return accepted_with_unknowns(position, action, self._deck)
        check(position, action, self._deck)
        return applied(position, action, self._deck, what_if=True)

    def unseen(self, position: Position) -> dict[Spot, frozenset[str]]:
        """Return every side of the platforms in the stack, which come up in the supply."""
        platforms = stacked(position, self._deck)
        return {supply_platform(k): platforms for k in range(SUPPLY_PLATFORM_SLOTS)} if platforms else {}

    def text(self, action: Action) -> str:
        """Return the action in notation."""
        return str(action)

    def action(self, text: str) -> Action:
        """Return the action of a notation; raises `Unreadable`."""
        return action_from_text(text)

    def seat(self, position: Position) -> int:
        """Return the seat whose turn it is; 0 before the deal and after the end."""
        return 0 if position.phase in {"setup", "end"} else position.player

    def passing(self, position: Position) -> Action | None:
        """Return the end of an ordinary turn (R7)."""
        is_ordinary = position.phase == "main" and not position.deciding
        return EndTurn(player=position.player) if is_ordinary else None

    def actions_left(self, position: Position) -> int:
        """Return how many standard actions the player may still take (R7)."""
        return actions_left(position)

    def termination(self, position: Position) -> str:
        """Return how the game ended; empty while it goes on."""
        ended = outcome(position, self._deck)
        return ended.termination if ended else ""

    def scene(
        self, confirmed: Position, provisional: Position, actions: Sequence[Action], start: Position | None = None
    ) -> Scene:
        """Return what the public sees: the table as it provisionally is, the points as they are confirmed."""
        if self._scored is None or self._scored[0] is not confirmed:
            ledger = self._replay.ledger(start or before_the_deal(confirmed.options, self._deck), actions)
            self._scored = (confirmed, score(confirmed, self._deck, ledger) if confirmed.players else {})
        return scene(confirmed, provisional, self._deck, self._scored[1], outcome(confirmed, self._deck))
