"""A game with everything that the umpire may ask: what the game does not bring is as in a game that has none of it."""

from collections.abc import Callable, Iterable, Mapping, Set
from typing import Any, Generic, TypeVar

from citytable.rules.errors import IllegalPosition
from citytable.table.blank import Blank
from citytable.table.question import Field, FieldValue
from citytable.table.spot import Spot
from citytable.umpire.table_game import (
    Asks,
    Clears,
    Falls,
    InForms,
    ManyTags,
    OnPaper,
    Places,
    Refuses,
    Reveals,
    Speaks,
    TableGame,
    Weighs,
)

A = TypeVar("A")
P = TypeVar("P")


class Plain(Generic[A, P]):
    """The answers of a game that brings the core alone."""

    def __init__(self, game: TableGame[A, P]) -> None:
        self._game = game

    def complete(self, position: P, action: A, bindings: dict[str, str]) -> A:  # noqa: ARG002  nothing is revealed
        """Return the action as it is."""
        return action

    def supposed(self, position: P, action: A) -> P:
        """Return the position after the first way that the action can come out; raises `IllegalAction`."""
        for case in self._game.cases(position, action):
            return case.after
        return self._game.applied(position, action)

    def questions(
        self,
        position: P,  # noqa: ARG002
        action: A,  # noqa: ARG002
        known: Mapping[str, FieldValue],  # noqa: ARG002
        *,
        said: bool = False,  # noqa: ARG002
    ) -> tuple[Field, ...]:
        """Return nothing: all outcomes show."""
        return ()

    def answered(self, position: P, action: A, values: Mapping[str, FieldValue]) -> A:  # noqa: ARG002
        """Raise `ValueError`: nothing was asked."""
        raise ValueError(f"nothing is asked about {self._game.text(action)}")

    def sayable(self, position: P) -> Iterable[A]:
        """Return every decision."""
        return self._game.decisions(position)

    def needs_word(self, action: A) -> bool:  # noqa: ARG002
        """Return False: everything may be inferred."""
        return False

    def ends_itself(self, action: A) -> bool:  # noqa: ARG002
        """Return False: an act is over when the turn is."""
        return False

    def asker(self, action: A) -> int | None:
        """Return the player of the action, where it has one."""
        player: int | None = getattr(action, "player", None)
        return player

    def spots_of(self, action: A) -> frozenset[Spot]:  # noqa: ARG002
        """Return no spot."""
        return frozenset()

    def rank(self, position: P, action: A) -> int:  # noqa: ARG002
        """Return the same for all."""
        return 0

    def attempts(self, position: P, thing: str, spot: Spot) -> Iterable[A]:  # noqa: ARG002
        """Return no attempt."""
        return ()

    def fallen(self, position: P, spot: Spot, lost_percent: int | None) -> A | None:  # noqa: ARG002
        """Return None: nothing stands anywhere."""
        return None

    def accidents(self, position: P) -> Iterable[A]:  # noqa: ARG002
        """Return no accident."""
        return ()

    def accident_at(self, action: A) -> Spot | None:  # noqa: ARG002
        """Return None: players decide everything."""
        return None

    def fall_of(self, action: A) -> A | None:  # noqa: ARG002
        """Return None: nothing can fall."""
        return None

    def denied(self, values: Mapping[str, FieldValue]) -> bool:  # noqa: ARG002
        """Return False: nobody is asked about falls."""
        return False

    def exchanges(self, position: P, action: A) -> tuple[Spot, ...]:  # noqa: ARG002
        """Return no scale."""
        return ()

    def standing(self, position: P) -> Mapping[str, int]:  # noqa: ARG002
        """Return nothing that is counted."""
        return {}

    def all_pieces(self) -> int:
        """Return 0: there is no bag."""
        return 0

    def measured_thing(self, action: A) -> str:  # noqa: ARG002
        """Return no thing."""
        return ""

    def paper(self, position: P, lying: Mapping[Spot, frozenset[str]]) -> dict[str, Any]:  # noqa: ARG002
        """Return an empty form."""
        return {}

    def from_paper(self, position: P, paper: Mapping[str, Any]) -> str:  # noqa: ARG002
        """Raise `IllegalPosition`: there is no form."""
        raise IllegalPosition("this game has no form for its position: put its record right action by action")

    def blanks(self) -> tuple[Blank, ...]:
        """Return no form."""
        return ()

    def component(self, thing: str) -> str:
        """Return the thing: it carries one tag."""
        return thing


def nothing_in_the_way(_position: object, _action: object, _loaded: Set[str]) -> None:
    """Raise nothing: no place need be cleared."""


# one piece: a line for each thing that may be asked
class WholeGame(Generic[A, P]):
    """All of a game's methods as attributes, so that a call costs no more than the game's own."""

    def __init__(self, game: TableGame[A, P]) -> None:
        self.decisions = game.decisions
        self.cases = game.cases
        self.decision = game.decision
        self.applied = game.applied
        self.broken_rule = game.broken_rule
        self.layout = game.layout
        self.text = game.text
        self.action = game.action
        self.seat = game.seat
        self.termination = game.termination
        self.scene = game.scene
        self._core = game
        self._accepting: WholeGame[A, P] | None = None
        self._take_acts(game)
        self._take_things(game)

    def _take_acts(self, game: TableGame[A, P]) -> None:
        """Take what concerns actions: from the game, or from a plain one."""
        plain: Plain[A, P] = Plain(game)
        reveals: Reveals[A, P] = game if isinstance(game, Reveals) else plain
        self.complete, self.supposed = reveals.complete, reveals.supposed
        asks: Asks[A, P] = game if isinstance(game, Asks) else plain
        self.questions, self.answered = asks.questions, asks.answered
        speaks: Speaks[A, P] = game if isinstance(game, Speaks) else plain
        self.sayable, self.needs_word = speaks.sayable, speaks.needs_word
        self.ends_itself, self.asker = speaks.ends_itself, speaks.asker
        places: Places[A, P] = game if isinstance(game, Places) else plain
        self.spots_of, self.rank = places.spots_of, places.rank
        self.check_stated: Callable[[P, A, Set[str]], None] = (
            game.check_stated if isinstance(game, Clears) else nothing_in_the_way
        )
        refuses: Refuses[A, P] = game if isinstance(game, Refuses) else plain
        self.attempts = refuses.attempts

    def _take_things(self, game: TableGame[A, P]) -> None:
        """Take what concerns things: from the game, or from a plain one."""
        plain: Plain[A, P] = Plain(game)
        falls: Falls[A, P] = game if isinstance(game, Falls) else plain
        self.fallen, self.accidents, self.accident_at = falls.fallen, falls.accidents, falls.accident_at
        self.fall_of, self.denied = falls.fall_of, falls.denied
        weighs: Weighs[A, P] = game if isinstance(game, Weighs) else plain
        self.exchanges, self.standing = weighs.exchanges, weighs.standing
        self.all_pieces, self.measured_thing = weighs.all_pieces, weighs.measured_thing
        on_paper: OnPaper[P] = game if isinstance(game, OnPaper) else plain
        self.paper, self.from_paper = on_paper.paper, on_paper.from_paper
        in_forms: InForms = game if isinstance(game, InForms) else plain
        self.blanks = in_forms.blanks
        many_tags: ManyTags = game if isinstance(game, ManyTags) else plain
        self.component = many_tags.component

    def accepting(self) -> "WholeGame[A, P]":
        """Return the same game for what happened although a rule forbids it."""
        if self._accepting is None:
            self._accepting = WholeGame(self._core.accepting())
        return self._accepting


def whole(game: "TableGame[A, P] | WholeGame[A, P]") -> WholeGame[A, P]:
    """Return the game with everything that may be asked."""
    return game if isinstance(game, WholeGame) else WholeGame(game)
