"""A game of Dilluvia Project: a stack of frozen positions.

game = Dilluvia(before_the_market(Options(players=3)))
game.push(action_from_text("table set_up market=1,2,..."))
game.push(action_from_text("table draw_order order=2,1,3"))
for decision in game.legal_actions: ...
"""

from collections.abc import Iterator

from citytable.games.dilluvia.accepting import accepted
from citytable.games.dilluvia.actions import Action
from citytable.games.dilluvia.advice import rating
from citytable.games.dilluvia.decisions import decisions
from citytable.games.dilluvia.effects import check, effect
from citytable.games.dilluvia.notation import position_to_text
from citytable.games.dilluvia.position import City, Options, Player, Position
from citytable.games.dilluvia.refusals import refuse_open
from citytable.games.dilluvia.reveals import still_open
from citytable.games.dilluvia.scoring import Score, outcome, score
from citytable.games.dilluvia.validity import check_position
from citytable.games.dilluvia.values import HOUSE, Values
from citytable.rules.errors import broken_rule
from citytable.rules.game import LegalActions, Outcome
from citytable.rules.stack import Stack


def before_the_market(options: Options, values: Values = HOUSE) -> Position:
    """Return the position before the market is laid out (DR1)."""
    return Position(
        options=options,
        players=(Player(),) * options.players,
        white=values.numbers(options.players, "white"),
        grey=values.numbers(options.players, "grey"),
        city=City(terrain=((),) * options.players),
    )


def checked(position: Position, action: Action, values: Values) -> Position:
    """Return the position after a filled-in action; raises `IllegalAction`, or `OutcomeOpen`."""
    check(position, action, values)
    if missing := still_open(action):
        refuse_open(action, missing)
    return effect(position, action, values)


def legal_actions(position: Position, values: Values) -> LegalActions[Action]:
    """Return the legal decisions in a position; `in` also takes filled-in actions."""

    def generate() -> Iterator[Action]:
        return decisions(position, values)

    return LegalActions(generate, lambda action: not broken_rule(check, position, action, values))


class Dilluvia(Stack[Action, Position]):
    """One game. Keeps the `Game` protocol of `citytable.rules.game`."""

    def __init__(self, start: Position, values: Values = HOUSE) -> None:
        """Begin in a position; raises `IllegalPosition` naming what is wrong with it."""
        check_position(start, values)
        self.values = values
        super().__init__(start)

    def __repr__(self) -> str:
        return f"Dilluvia(position_from_text({position_to_text(self.position)!r}))"

    @property
    def player(self) -> int:
        """Return the seat whose turn it is; 0 while the market is laid out and after the end."""
        return self.position.player

    @property
    def legal_actions(self) -> LegalActions[Action]:
        """Return the legal decisions now, outcomes open."""
        return legal_actions(self.position, self.values)

    def push(self, action: Action) -> None:
        """Play an action; raises `IllegalAction` naming the rule, or `OutcomeOpen`, and then nothing has changed."""
        self._append(action, checked(self.position, action, self.values))

    def accept(self, action: Action) -> None:
        """Play what happened, even if a rule forbids it; raises `IllegalAction` if it cannot have happened."""
        self._append(action, accepted(self.position, action, self.values))

    def outcome(self) -> Outcome | None:
        """Return how the game ended; None while it goes on."""
        return outcome(self.position)

    def advice(self, decision: Action) -> float:
        """Return how good a legal decision looks to the player to act, for bots."""
        return rating(self.position, decision, self.values)

    def scores(self) -> dict[int, Score]:
        """Return each seat's population, with where it comes from."""
        return {seat: score(player) for seat, player in enumerate(self.position.players, start=1)}
