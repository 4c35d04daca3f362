"""Define what the umpire needs from a game: a core for every game, and protocols for features that only some have.

A game implements a protocol if it, or one of its parts (`InParts`), has all methods of the protocol. `whole_game.py`
fills in the others. Every method is a pure function of its arguments. This stays internal until three games have used
it.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from typing import Any, Protocol, TypeVar, runtime_checkable

from citytable.rules.case import Case
from citytable.table.blank import Blank
from citytable.table.layout import Layout
from citytable.table.lesson import Step
from citytable.table.piece_mass import PieceKind, PieceMass
from citytable.table.question import Field, FieldValue
from citytable.table.scene import Scene
from citytable.table.spot import Spot

A = TypeVar("A")
P = TypeVar("P")
A_co = TypeVar("A_co", covariant=True)
A_contra = TypeVar("A_contra", contravariant=True)
P_contra = TypeVar("P_contra", contravariant=True)


class TableGame(Protocol[A, P]):
    """The core: a game as it is played on the table."""

    def decisions(self, position: P) -> Iterable[A]:
        """Return the legal decisions, outcomes open."""
        ...

    def cases(self, position: P, decision: A) -> Iterable[Case[A, P]]:
        """Return the outcomes that a decision can have."""
        ...

    def decision(self, action: A) -> A:
        """Return the action with its outcome open again; hashable."""
        ...

    def applied(self, position: P, action: A) -> P:
        """Return the position after a complete action; raises `IllegalAction`."""
        ...

    def broken_rule(self, position: P, action: A) -> str:
        """Return the number of the rule that forbids the action; empty when it is legal."""
        ...

    def accepting(self) -> "TableGame[A, P]":
        """Return the same game for what happened although a rule forbids it: nothing is checked by the rules."""
        ...

    def layout(self, position: P) -> Layout:
        """Return what the table should look like."""
        ...

    def text(self, action: A) -> str:
        """Return the action in notation."""
        ...

    def action(self, text: str) -> A:
        """Return the action of a notation; raises `Unreadable`."""
        ...

    def seat(self, position: P) -> int:
        """Return whose turn it is; 0 for nobody's."""
        ...

    def termination(self, position: P) -> str:
        """Return how the game ended; empty while it goes on."""
        ...

    def scene(self, confirmed: P, provisional: P, actions: Sequence[A], start: P | None) -> Scene:
        """Return what the public sees: the table as it provisionally is, the points as they are confirmed.

        `actions` are those that led there from `start`; None: from the beginning.
        """
        ...


@runtime_checkable
class InParts(Protocol):
    """A game that brings protocols in objects of their own; each of them brings one or several."""

    parts: tuple[object, ...]


@runtime_checkable
class Reveals(Protocol[A, P]):
    """A game in which unknown things come up: cards from a pile, tiles from a stack."""

    def complete(self, position: P, action: A, bindings: dict[str, str]) -> A:
        """Return the action with the things that matching the table found, as far as it can have had this outcome."""
        ...

    def supposed(self, position: P, action: A) -> P:
        """Return the position after an action that may still be open; raises `IllegalAction`."""
        ...

    def unseen(self, position: P) -> Mapping[Spot, frozenset[str]]:
        """Return the things that nobody sees, by the spots where an act turns them up.

        Once a reader has read one of them there, the act has happened.
        """
        ...


@runtime_checkable
class NamesLater(Protocol[A_co, P_contra]):
    """A game in which an act counts although nobody has seen what came up by it: an act of its own names that later."""

    def named_later(self, position: P_contra) -> Iterable[A_co]:
        """Return the acts, outcomes open, that name things which came up unseen; none if everything is known."""
        ...


@runtime_checkable
class Recounts(Protocol[A_co, P_contra]):
    """A game in which a rule depends on a number that nobody knows for sure and that may be wrong."""

    def recounts(self, position: P_contra) -> Iterable[A_co]:
        """Return the acts that only correct such a number, each so that a rule allows what it now forbids."""
        ...


@runtime_checkable
class Clears(Protocol[A_contra, P_contra]):
    """A game in which a place must be cleared before an act, which only scales show."""

    def check_stated(self, position: P_contra, action: A_contra, loaded: Set[str]) -> None:
        """Raise `IllegalAction` if what people state cannot be done while pieces stand on these things."""
        ...


@runtime_checkable
class Asks(Protocol[A, P_contra]):
    """A game with outcomes that no sensor shows: people are asked."""

    def questions(
        self, position: P_contra, action: A, known: Mapping[str, FieldValue], *, said: bool = False
    ) -> tuple[Field, ...]:
        """Return what people must still be asked before the action can be pushed; `known` is what the sensors propose.

        Keys are fields of the form, and `lost_percent`: how much of what stood there a sensed fall took. `said`: a
        person stated it, so only what they left open is asked.
        """
        ...

    def answered(self, position: P_contra, action: A, values: Mapping[str, FieldValue]) -> A:
        """Return the action with the people's answers; raises `ValueError` with a sentence when they make no sense."""
        ...


@runtime_checkable
class Speaks(Protocol[A, P_contra]):
    """A game in which some acts are announced, belong to nobody, or end in a way of their own."""

    def sayable(self, position: P_contra) -> Iterable[A]:
        """Return the statements that people may make about an act; open is only what they are asked afterwards."""
        ...

    def needs_word(self, action: A) -> bool:
        """Return whether the rules require a statement aloud: the act is never inferred, only believed when stated."""
        ...

    def ends_itself(self, action: A) -> bool:
        """Return whether the act is over with its player's last motion: nothing is put back after that."""
        ...

    def asker(self, action: A) -> int | None:
        """Return whom to ask about this action: a seat, or None for the whole table."""
        ...


@runtime_checkable
class Allots(Protocol[A_co, P_contra]):
    """A game whose turns have a number of actions, of which players hardly ever leave one unused."""

    def passing(self, position: P_contra) -> A_co | None:
        """Return the decision that passes the turn, whatever was done in it; None if it is no such turn."""
        ...

    def actions_left(self, position: P_contra) -> int:
        """Return how many more actions the player at turn may take; 0 where the turn is not of that kind."""
        ...


@runtime_checkable
class Places(Protocol[A_contra, P_contra]):
    """A game with acts that differ only in the spot where they are done, such as the hexes of a city."""

    def spots_of(self, action: A_contra) -> frozenset[Spot]:
        """Return the spots without which this decision cannot have happened; empty if it needs none."""
        ...

    def rank(self, position: P_contra, action: A_contra) -> int:
        """Return how likely an act is among others that differ only in their spot: 0 first."""
        ...


@runtime_checkable
class Refuses(Protocol[A_co, P_contra]):
    """A game that can say which rule is broken by an act that people have begun with their hands."""

    def attempts(self, position: P_contra, thing: str, spot: Spot) -> Iterable[A_co]:
        """Return decisions, legal or not, that would bring this thing to this spot.

        Without a thing: those that would make the scale there lighter.
        """
        ...


@runtime_checkable
class Ponders(Protocol[A_co, P_contra]):
    """A game that can say why a kind of act is not possible now, to a player who thinks of it."""

    def thoughts(self, position: P_contra) -> Iterable[A_co]:
        """Return decisions of the player at turn, legal or not; of each kind the most telling refusal first."""
        ...


@runtime_checkable
class Falls(Protocol[A, P_contra]):
    """A game in which something can fall."""

    def fallen(self, position: P_contra, spot: Spot, lost_percent: int | None) -> A | None:
        """Return the most likely accident of a fall at this spot, its outcome open; None: nothing stands there."""
        ...

    def accidents(self, position: P_contra) -> Iterable[A]:
        """Return accidents that a scale shows although no sensor felt a fall."""
        ...

    def accident_at(self, action: A) -> Spot | None:
        """Return the spot of the accident that this action is; None for acts that players decide."""
        ...

    def fall_of(self, action: A) -> A | None:
        """Return the same decision with a fall as its outcome; None if nothing can fall in it."""
        ...

    def denied(self, values: Mapping[str, FieldValue]) -> bool:
        """Return whether an answer says that a sensed accident never happened."""
        ...


@runtime_checkable
class Weighs(Protocol[A, P_contra]):
    """A game with pieces that are weighed, counted or measured."""

    def exchanges(self, position: P_contra, action: A) -> tuple[Spot, ...]:
        """Return the scales on which the action takes one piece off and puts another on."""
        ...

    def moves_pieces(self, action: A) -> bool:
        """Return whether an act may move pieces; if not, it only adds to what is known about them."""
        ...

    def standing(self, position: P_contra) -> Mapping[str, int]:
        """Return how many pieces stand on each thing, as far as people have said it."""
        ...

    def piece_kind(self) -> PieceKind:
        """Return what is known of the game's pieces."""
        ...

    def all_pieces(self) -> int:
        """Return how many pieces are in the bag before the game begins."""
        ...

    def measured_thing(self, action: A) -> str:
        """Return the thing whose measured height this action needs; empty when it needs none."""
        ...

    def counts(self, action: A, pieces: int, piece: PieceMass) -> Mapping[int, float]:
        """Return how likely it is that an inferred act, which should move so many pieces, moved this many."""
        ...

    def with_count(self, action: A, counts: Collection[int]) -> A:
        """Return an act that moved one of these numbers of pieces; unchanged if its count is no question."""
        ...

    def exactly(self, action: A, pieces: int) -> tuple[A, ...]:
        """Return the ways in which exactly so many pieces can have moved, to see what the rules allow after that."""
        ...

    def as_weighed(self, action: A, grams: float, piece: PieceMass) -> A:
        """Return an inferred action, with a range if its weight allows several numbers of pieces.

        `grams` is what it moved altogether.
        """
        ...


@runtime_checkable
class OnPaper(Protocol[P_contra]):
    """A game whose position people can write down, and that can be set from this."""

    def paper(self, position: P_contra, lying: Mapping[Spot, frozenset[str]]) -> dict[str, Any]:
        """Return the form on which people write down how the game stands, filled in as far as that is known."""
        ...

    def from_paper(self, position: P_contra, paper: Mapping[str, Any]) -> str:
        """Return the position that is written down, in notation; raise `IllegalPosition` with all its faults."""
        ...


@runtime_checkable
class InForms(Protocol):
    """A game whose actions can be filled in as forms, by people who put the record right."""

    def blanks(self) -> tuple[Blank, ...]:
        """Return the actions as forms."""
        ...


@runtime_checkable
class ManyTags(Protocol):
    """A game with components that carry several tags, such as a tile with one on each side."""

    def component(self, thing: str) -> str:
        """Return the component of the box that a tagged thing is, or is one side of."""
        ...


@runtime_checkable
class Teaches(Protocol[A_contra, P_contra]):
    """A game with lessons for people who play it for the first time."""

    def step(self, position: P_contra, *, sensed: bool) -> Step | None:
        """Return what the player to act could do next; None if there is no advice.

        It follows from the position alone, whatever happened before. `sensed`: the table has places with sensors.
        """
        ...

    def topic(self, action: A_contra) -> str:
        """Return the topic of the step that advises this action."""
        ...
