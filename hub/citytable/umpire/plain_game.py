"""The umpire's answers about a game that brings the core alone: one small class for each protocol it does without."""

from collections.abc import Mapping, Set
from typing import Any, Generic, TypeVar

from citytable.rules.errors import IllegalPosition
from citytable.table.blank import Blank
from citytable.table.lesson import Step
from citytable.table.piece_mass import NO_PIECES, PieceKind
from citytable.table.question import Field
from citytable.table.spot import Spot
from citytable.umpire.table_game import TableGame

A = TypeVar("A")
P = TypeVar("P")


class NothingRevealed(Generic[A, P]):
    """For a game without `Reveals`."""

    def __init__(self, game: TableGame[A, P]) -> None:
        self._game = game

    def complete(self, _position: P, action: A, _bindings: dict[str, str]) -> A:
        """Return the action as it is."""
        return action

    def supposed(self, position: P, action: A) -> P:
        """Return the position after the first way that the action can come out; raises `IllegalAction`."""
        for case in self._game.cases(position, action):
            return case.after
        return self._game.applied(position, action)

    def unseen(self, _position: P) -> Mapping[Spot, frozenset[str]]:
        """Return nothing."""
        return {}


class NothingLate:
    """Stands in for `NamesLater`."""

    def named_later(self, _position: object) -> tuple[()]:
        """Return nothing: things that come up are seen, or the act is not known."""
        return ()


class NothingCounted:
    """Stands in for `Recounts`."""

    def recounts(self, _position: object) -> tuple[()]:
        """Return nothing: every number on which a rule depends is known."""
        return ()


class NothingAsked(Generic[A, P]):
    """For a game without `Asks`: all outcomes show."""

    def __init__(self, game: TableGame[A, P]) -> None:
        self._game = game

    def questions(
        self,
        _position: P,
        _action: A,
        _known: object,
        *,
        said: bool = False,  # noqa: ARG002  a keyword keeps its name
    ) -> tuple[Field, ...]:
        """Return nothing."""
        return ()

    def answered(self, _position: P, action: A, _values: object) -> A:
        """Raise `ValueError`: nothing was asked."""
        raise ValueError(f"nothing is asked about {self._game.text(action)}")


class NothingAnnounced(Generic[A, P]):
    """For a game without `Speaks`."""

    def __init__(self, game: TableGame[A, P]) -> None:
        self.sayable = game.decisions

    def needs_word(self, _action: A) -> bool:
        """Return False: everything may be inferred."""
        return False

    def ends_itself(self, _action: A) -> bool:
        """Return False: an act is over when the turn is."""
        return False

    def asker(self, action: A) -> int | None:
        """Return the player of the action, where it has one."""
        player: int | None = getattr(action, "player", None)
        return player


class NothingAllotted:
    """For a game without `Allots`."""

    def passing(self, _position: object) -> None:
        """Return None: no turn has a number of actions."""

    def actions_left(self, _position: object) -> int:
        """Return 0: no turn has a number of actions."""
        return 0


class NoPlaces:
    """For a game without `Places`."""

    def spots_of(self, _action: object) -> frozenset[Spot]:
        """Return no spot."""
        return frozenset()

    def rank(self, _position: object, _action: object) -> int:
        """Return the same for all."""
        return 0


class NothingInTheWay:
    """For a game without `Clears`."""

    def check_stated(self, _position: object, _action: object, _loaded: Set[str]) -> None:
        """Raise nothing: no place need be cleared."""


class NoReasons:
    """For a game without `Refuses`."""

    def attempts(self, _position: object, _thing: str, _spot: Spot) -> tuple[()]:
        """Return no attempt."""
        return ()


class NothingPondered:
    """For a game without `Ponders`."""

    def thoughts(self, _position: object) -> tuple[()]:
        """Return no decision."""
        return ()


class NothingFalls:
    """For a game without `Falls`."""

    def fallen(self, _position: object, _spot: Spot, _lost_percent: int | None) -> None:
        """Return None: nothing stands anywhere."""

    def accidents(self, _position: object) -> tuple[()]:
        """Return no accident."""
        return ()

    def accident_at(self, _action: object) -> None:
        """Return None: players decide everything."""

    def fall_of(self, _action: object) -> None:
        """Return None: nothing can fall."""

    def denied(self, _values: object) -> bool:
        """Return False: nobody is asked about falls."""
        return False


class NothingWeighed(Generic[A]):
    """For a game without `Weighs`."""

    def exchanges(self, _position: object, _action: object) -> tuple[Spot, ...]:
        """Return no scale."""
        return ()

    def moves_pieces(self, _action: object) -> bool:
        """Return true."""
        return True

    def standing(self, _position: object) -> Mapping[str, int]:
        """Return nothing that is counted."""
        return {}

    def piece_kind(self) -> PieceKind:
        """Return that there are none."""
        return NO_PIECES

    def all_pieces(self) -> int:
        """Return 0: there is no bag."""
        return 0

    def measured_thing(self, _action: object) -> str:
        """Return no thing."""
        return ""

    def counts(self, _action: object, pieces: int, _piece: object) -> Mapping[int, float]:
        """Return that it moved as many as it should."""
        return {pieces: 1.0}

    def with_count(self, action: A, _counts: object) -> A:
        """Return the action as it is."""
        return action

    def exactly(self, action: A, _pieces: int) -> tuple[A, ...]:
        """Return the action as it is."""
        return (action,)

    def as_weighed(self, action: A, _grams: float, _piece: object) -> A:
        """Return the action as it is."""
        return action


class NoPaper:
    """For a game without `OnPaper`."""

    def paper(self, _position: object, _lying: Mapping[Spot, frozenset[str]]) -> dict[str, Any]:
        """Return an empty form."""
        return {}

    def from_paper(self, _position: object, _paper: Mapping[str, Any]) -> str:
        """Raise `IllegalPosition`: there is no form."""
        raise IllegalPosition("this game has no form for its position: put its record right action by action")


class NoForms:
    """For a game without `InForms`."""

    def blanks(self) -> tuple[Blank, ...]:
        """Return no form."""
        return ()


class NoLessons:
    """For a game without `Teaches`."""

    def step(self, _position: object, *, sensed: bool) -> Step | None:  # noqa: ARG002  a keyword keeps its name
        """Return None."""
        return None

    def topic(self, _action: object) -> str:
        """Return nothing."""
        return ""


class OneTagEach:
    """For a game without `ManyTags`."""

    def component(self, thing: str) -> str:
        """Return the thing: it carries one tag."""
        return thing
