"""A game of Comeback City: a stack of frozen positions. It keeps the `Game` protocol of `citytable.rules.game`.

game = ComebackCity()
game.push(action_from_text("table set_up bonuses=ZR1,ZC3 redrawn=none row=R01,... hand=I01,G02"))
for decision in game.legal_actions: ...
"""

from collections.abc import Iterator

from citytable.games.comeback.accepting import accepted
from citytable.games.comeback.actions import Action
from citytable.games.comeback.advice import rating
from citytable.games.comeback.decisions import decisions
from citytable.games.comeback.deck import HOUSE, Deck
from citytable.games.comeback.effects import check, effect
from citytable.games.comeback.notation import position_to_text
from citytable.games.comeback.points import Score, outcome, score
from citytable.games.comeback.position import Options, Position
from citytable.games.comeback.refusals import refuse_open
from citytable.games.comeback.validity import before_the_deal, check_position
from citytable.rules.errors import broken_rule
from citytable.rules.game import LegalActions, Outcome, open_fields
from citytable.rules.stack import Stack


def legal_actions(position: Position, deck: Deck) -> LegalActions[Action]:
    """Return the legal decisions in a position; `in` also takes filled-in actions."""

    def generate() -> Iterator[Action]:
        return iter(decisions(position, deck))

    return LegalActions(generate, lambda action: not broken_rule(check, position, action, deck))


def seat(position: Position) -> int:
    """Return 1 while the player acts; 0 before the set-up and after the end."""
    return 0 if position.phase in {"setup", "end"} else 1


class ComebackCity(Stack[Action, Position]):
    """One game."""

    def __init__(self, options: Options | None = None, deck: Deck = HOUSE) -> None:
        self._start(before_the_deal(options or Options(), deck), deck)

    def _start(self, position: Position, deck: Deck) -> None:
        check_position(position, deck)
        self.deck = deck
        super().__init__(position)

    @classmethod
    def from_position(cls, position: Position, deck: Deck = HOUSE) -> "ComebackCity":
        """Return a game that goes on from a position; raises `IllegalPosition` naming what is wrong with it."""
        game = cls.__new__(cls)
        game._start(position, deck)
        return game

    def __repr__(self) -> str:
        return f"ComebackCity.from_position(position_from_text({position_to_text(self.position)!r}))"

    @property
    def player(self) -> int:
        """Return 1 while the player acts; 0 before the set-up and after the end."""
        return seat(self.position)

    @property
    def legal_actions(self) -> LegalActions[Action]:
        """Return the legal decisions now, outcomes open."""
        return legal_actions(self.position, self.deck)

    def push(self, action: Action) -> None:
        """Play an action; raises `IllegalAction` naming the rule, or `OutcomeOpen`, and then nothing has changed."""
        check(self.position, action, self.deck)
        self._check_known(action)
        self._append(action, effect(self.position, action, self.deck))

    def accept(self, action: Action) -> None:
        """Play what happened, even if a rule forbids it; raises `IllegalAction` if it cannot have happened."""
        self._check_known(action)
        self._append(action, accepted(self.position, action, self.deck))

    def _check_known(self, action: Action) -> None:
        if missing := open_fields(action):
            refuse_open(action, missing)

    def outcome(self) -> Outcome | None:
        """Return how the game ended; None while it goes on."""
        return outcome(self.position, self.deck)

    def advice(self, decision: Action) -> float:
        """Return how good a legal decision looks, for bots."""
        return rating(self.position, decision, self.deck)

    def scores(self) -> dict[int, Score]:
        """Return the points as they lie."""
        return {1: score(self.position, self.deck)}
