"""Dilluvia Project as it is played on the table: the core that the umpire needs of it, and its parts."""

from collections.abc import Iterable, Iterator, Sequence

from citytable.games.dilluvia.accepting import accepted, accepted_so_far
from citytable.games.dilluvia.actions import Action, DrawOrder, Refill, SetUp
from citytable.games.dilluvia.attempts import Attempts
from citytable.games.dilluvia.decisions import decisions
from citytable.games.dilluvia.effects import check, effect
from citytable.games.dilluvia.forms import Forms
from citytable.games.dilluvia.game import checked
from citytable.games.dilluvia.layout import layout, tile_thing
from citytable.games.dilluvia.notation import action_from_text
from citytable.games.dilluvia.paper import Paper
from citytable.games.dilluvia.position import Position
from citytable.games.dilluvia.questions import Questions
from citytable.games.dilluvia.refusals import refuse_open
from citytable.games.dilluvia.reveals import named, still_open, with_unknowns
from citytable.games.dilluvia.scene import scene
from citytable.games.dilluvia.scoring import outcome
from citytable.games.dilluvia.speech import Speech
from citytable.games.dilluvia.spots import market_spot
from citytable.games.dilluvia.teaching import Teaching
from citytable.games.dilluvia.thoughts import Thoughts
from citytable.games.dilluvia.values import SPACES, Values
from citytable.rules.case import Case
from citytable.rules.errors import IllegalAction, broken_rule
from citytable.table.layout import Layout
from citytable.table.scene import Scene
from citytable.table.spot import Spot


class DilluviaTable:
    """The rules and layouts of these values, without state; it brings `Reveals` itself.

    `accepting`: actions count as they happened, legal or not.
    """

    def __init__(self, values: Values, *, accepting: bool = False) -> None:
        self._values = values
        self._accepting = accepting
        self.parts: tuple[object, ...] = (
            Attempts(),
            Questions(self.applied),
            Speech(values),
            Teaching(values),
            Thoughts(values),
            Forms(values),
            Paper(values),
        )

    def decisions(self, position: Position) -> Iterable[Action]:
        """Return the legal decisions, outcomes open."""
        return decisions(position, self._values)

    def cases(self, position: Position, decision: Action) -> Iterator[Case[Action, Position]]:
        """Yield the one way a decision can come out: tiles that nobody has seen yet are unknown."""
        action = with_unknowns(position, decision)
        try:
            yield Case(action, self.supposed(position, action))
        except IllegalAction:
            return

    def decision(self, action: Action) -> Action:
        """Return the action with its outcome open again."""
        return type(action)() if isinstance(action, SetUp | DrawOrder | Refill) else action

    def complete(self, position: Position, action: Action, bindings: dict[str, str]) -> Action:
        """Return the action with the tiles that were read."""
        return named(position, action, bindings)

    def supposed(self, position: Position, action: Action) -> Position:
        """Return the position after an action of which tiles may be unknown; raises `IllegalAction`."""
        action = with_unknowns(position, action)
        if isinstance(action, DrawOrder) and (missing := still_open(action)):
            refuse_open(action, missing)  # nobody's order is known before it is drawn
        if self._accepting:
            return accepted_so_far(position, action, self._values)
        check(position, action, self._values)
        return effect(position, action, self._values)

    def unseen(self, position: Position) -> dict[Spot, frozenset[str]]:
        """Return the tiles of both piles, which come up in the market; nothing before the set-up."""
        if position.phase == "setup":
            return {}
        tiles = frozenset(map(tile_thing, (*position.white, *position.grey)))
        return {market_spot(space): tiles for space in range(1, SPACES + 1)}

    def applied(self, position: Position, action: Action) -> Position:
        """Return the position after a complete action; raises `IllegalAction`."""
        return (accepted if self._accepting else checked)(position, action, self._values)

    def broken_rule(self, position: Position, action: Action) -> str:
        """Return the number of the rule that forbids the action; empty when it is legal."""
        return broken_rule(check, position, action, self._values)

    def accepting(self) -> "DilluviaTable":
        """Return the same game for what happened although a rule forbids it."""
        return DilluviaTable(self._values, accepting=True)

    def layout(self, position: Position) -> Layout:
        """Return what the table should look like."""
        return layout(position, self._values)

    def text(self, action: Action) -> str:
        """Return the action in notation."""
        return str(action)

    def action(self, text: str) -> Action:
        """Return the action of a notation; raises `Unreadable`."""
        return action_from_text(text)

    def seat(self, position: Position) -> int:
        """Return whose turn it is; 0 while tiles come up, and after the end."""
        return position.player

    def termination(self, position: Position) -> str:
        """Return how the game ended; empty while it goes on."""
        ended = outcome(position)
        return ended.termination if ended else ""

    def scene(
        self, confirmed: Position, provisional: Position, _actions: Sequence[Action], _start: Position | None = None
    ) -> Scene:
        """Return what the public sees: everything, the points as they are confirmed."""
        return scene(confirmed, provisional, self._values)
