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
        """Return the ways a decision can come out."""
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
    """A game in which things come up that nobody knew: cards from a pile, tiles from a stack."""

    def complete(self, position: P, action: A, bindings: dict[str, str]) -> A:
        """Return the action with the things that matching the table found, as far as it can have come out so."""
        ...

    def supposed(self, position: P, action: A) -> P:
        """Return the position after an action that may still be open; raises `IllegalAction`."""
        ...

    def unseen(self, position: P) -> Mapping[Spot, frozenset[str]]:
        """Return the things that lie where nobody sees them, by the spots where an act turns them up.

        Once one of them was read there, it was done.
        """
        ...


@runtime_checkable
class NamesLater(Protocol[A_co, P_contra]):
    """A game in which an act counts although nobody has seen what came up by it: an act of its own names that later."""

    def named_later(self, position: P_contra) -> Iterable[A_co]:
        """Return the acts, outcomes open, by which it becomes known what came up unseen; none where all is known."""
        ...


@runtime_checkable
class Recounts(Protocol[A_co, P_contra]):
    """A game in which a rule goes by a number that nobody knows for sure, and that may have been believed wrongly."""

    def recounts(self, position: P_contra) -> Iterable[A_co]:
        """Return the acts that only correct such a number, each so that a rule allows what it forbids by now."""
        ...


@runtime_checkable
class Clears(Protocol[A_contra, P_contra]):
    """A game in which a place must be cleared before something is done, which only scales show."""

    def check_stated(self, position: P_contra, action: A_contra, loaded: Set[str]) -> None:
        """Raise `IllegalAction` if what people state cannot be done while pieces stand on these things."""
        ...


@runtime_checkable
class Asks(Protocol[A, P_contra]):
    """A game with outcomes that no sensor shows: people are asked."""

    def questions(
        self, position: P_contra, action: A, known: Mapping[str, FieldValue], *, said: bool = False
    ) -> tuple[Field, ...]:
        """Return what must still be asked before the action can be pushed; `known` is what the sensors propose.

        Keys are fields of the form, and `lost_percent`: how much of what stood there a sensed fall took. `said`: a
        person said it, so that only what they left open is asked.
        """
        ...

    def answered(self, position: P_contra, action: A, values: Mapping[str, FieldValue]) -> A:
        """Return the action with the people's answers; raises `ValueError` with a sentence when they make no sense."""
        ...


@runtime_checkable
class Speaks(Protocol[A, P_contra]):
    """A game in which some acts are announced, belong to nobody, or end in a way of their own."""

    def sayable(self, position: P_contra) -> Iterable[A]:
        """Return what people may say was done, in words that leave nothing open but what is asked afterwards."""
        ...

    def needs_word(self, action: A) -> bool:
        """Return whether the rules ask the player to say it aloud: it is never inferred, only believed when stated."""
        ...

    def ends_itself(self, action: A) -> bool:
        """Return whether its player does something last by which it is over: nothing is put back after that."""
        ...

    def asker(self, action: A) -> int | None:
        """Return whom to ask about this action: a seat, or None for the whole table."""
        ...


@runtime_checkable
class Allots(Protocol[A_co, P_contra]):
    """A game whose turns have a number of actions, of which players hardly ever leave one unused."""

    def passing(self, position: P_contra) -> A_co | None:
        """Return the decision by which the turn passes, whatever was done in it; None where it is no such turn."""
        ...

    def actions_left(self, position: P_contra) -> int:
        """Return how many more actions the player at turn may take; 0 where the turn is not of that kind."""
        ...


@runtime_checkable
class Places(Protocol[A_contra, P_contra]):
    """A game with acts that differ only in the spot where they are done, such as the hexes of a city."""

    def spots_of(self, action: A_contra) -> frozenset[Spot]:
        """Return the spots without which this decision cannot have happened; empty: it may always have."""
        ...

    def rank(self, position: P_contra, action: A_contra) -> int:
        """Return how likely an act is among others that differ only in their spot: 0 first."""
        ...


@runtime_checkable
class Refuses(Protocol[A_co, P_contra]):
    """A game that can say which rule an act breaks which hands have begun."""

    def attempts(self, position: P_contra, thing: str, spot: Spot) -> Iterable[A_co]:
        """Return decisions, legal or not, that would bring this thing to this spot.

        Without a thing: those that would make the scale there lighter.
        """
        ...


@runtime_checkable
class Ponders(Protocol[A_co, P_contra]):
    """A game that can say why a kind of act is not possible now, to a player who thinks of it."""

    def thoughts(self, position: P_contra) -> Iterable[A_co]:
        """Return decisions of the player at turn, legal or not; of each kind the one first whose refusal says most."""
        ...


@runtime_checkable
class Falls(Protocol[A, P_contra]):
    """A game in which something can fall."""

    def fallen(self, position: P_contra, spot: Spot, lost_percent: int | None) -> A | None:
        """Return the accident that a fall at this spot most likely is, its outcome open; None: nothing stands there."""
        ...

    def accidents(self, position: P_contra) -> Iterable[A]:
        """Return accidents that a scale shows although nothing was felt to fall."""
        ...

    def accident_at(self, action: A) -> Spot | None:
        """Return where the accident happened that this action is; None for what players decide."""
        ...

    def fall_of(self, action: A) -> A | None:
        """Return the same decision come out as a fall; None when nothing can fall in it."""
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
        """Return whether an act may move pieces; if not, it only tells more of where they are."""
        ...

    def standing(self, position: P_contra) -> Mapping[str, int]:
        """Return how many pieces stand on each thing of which people have said it."""
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
        """Return how likely an act that nobody said, and that should move so many pieces, moved this many."""
        ...

    def with_count(self, action: A, counts: Collection[int]) -> A:
        """Return an act that moved one of so many pieces; as it is where its count is no question."""
        ...

    def exactly(self, action: A, pieces: int) -> tuple[A, ...]:
        """Return the ways to have moved exactly so many pieces, to see what the rules allow after that."""
        ...

    def as_weighed(self, action: A, grams: float, piece: PieceMass) -> A:
        """Return an action that nobody said, with a range where its weight leaves open how many pieces it moved.

        `grams` is what it moved altogether.
        """
        ...


@runtime_checkable
class OnPaper(Protocol[P_contra]):
    """A game whose position people can write down, and set from what is written."""

    def paper(self, position: P_contra, lying: Mapping[Spot, frozenset[str]]) -> dict[str, Any]:
        """Return the form on which people write down how the game stands, filled in as far as it is known."""
        ...

    def from_paper(self, position: P_contra, paper: Mapping[str, Any]) -> str:
        """Return the position that is written down, in notation; raises `IllegalPosition` with all that is wrong."""
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
        """Return what the player to act could do next; None where there is nothing to advise.

        It follows from the position alone, whatever was done before. `sensed`: the table has places with sensors.
        """
        ...

    def topic(self, action: A_contra) -> str:
        """Return the topic of the step that advises this action."""
        ...
