"""What the umpire needs of a game: its rules without state, and the table each position asks for."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from citytable.rules.case import Case
from citytable.table.blank import Blank
from citytable.table.layout import Layout
from citytable.table.question import Field, FieldValue
from citytable.table.scene import Scene
from citytable.table.spot import Spot

A = TypeVar("A")
P = TypeVar("P")


class TableGame(Protocol[A, P]):
    """A game as it is played on the table. Every method is a pure function of its arguments."""

    def decisions(self, position: P) -> Iterable[A]:
        """The legal decisions, outcomes open."""
        ...

    def sayable(self, position: P) -> Iterable[A]:
        """What people may say was done, in words that leave nothing open but what is asked afterwards."""
        ...

    def spots_of(self, action: A) -> frozenset[Spot]:
        """Spots of the table without which this decision cannot have happened; empty: it may always have."""
        ...

    def rank(self, position: P, action: A) -> int:
        """How likely an act is among others that differ only in their spot: 0 first."""
        ...

    def cases(self, position: P, decision: A) -> Iterable[Case[A, P]]:
        """The ways a decision can come out."""
        ...

    def accepting(self) -> "TableGame[A, P]":
        """The same game for what happened although a rule forbids it: its cases and positions are not checked."""
        ...

    def broken_rule(self, position: P, action: A) -> str:
        """The number of the rule that forbids the action; empty when it is legal."""
        ...

    def layout(self, position: P) -> Layout:
        """What the table should look like."""
        ...

    def decision(self, action: A) -> A:
        """The action with its outcome open again; hashable."""
        ...

    def complete(self, position: P, action: A, bindings: dict[str, str]) -> A:
        """The action with the things that matching the table found, as far as it can have come out so."""
        ...

    def needs_word(self, action: A) -> bool:
        """True when the rules ask the player to say it aloud: it is never inferred, only believed when stated."""
        ...

    def ends_itself(self, action: A) -> bool:
        """Whether its player does something last by which it is over before his turn is: nothing is put back then."""
        ...

    def questions(
        self, position: P, action: A, known: Mapping[str, FieldValue], *, said: bool = False
    ) -> tuple[Field, ...]:
        """What must still be asked before the action can be pushed; `known` is what the sensors propose.

        Keys are fields of the form, and `lost_percent`: how much of what stood there a sensed fall took. `said`: a
        person said it, so that only what he left open is asked.
        """
        ...

    def answered(self, position: P, action: A, values: Mapping[str, FieldValue]) -> A:
        """The action with the people's answers; raises `ValueError` with a sentence when they make no sense."""
        ...

    def denied(self, values: Mapping[str, FieldValue]) -> bool:
        """Whether an answer says that a sensed accident never happened."""
        ...

    def exchanges(self, position: P, action: A) -> tuple[Spot, ...]:
        """Scales on which the action takes one piece off and puts another on."""
        ...

    def applied(self, position: P, action: A) -> P:
        """The position after a complete action; raises `IllegalAction`."""
        ...

    def supposed(self, position: P, action: A) -> P:
        """The position after an action that may still be open; raises `IllegalAction`."""
        ...

    def standing(self, position: P) -> Mapping[str, int]:
        """How many pieces stand on each thing of which people have said it."""
        ...

    def asker(self, action: A) -> int | None:
        """Whom to ask about this action: a seat, or None for the whole table."""
        ...

    def measured_thing(self, action: A) -> str:
        """The thing whose measured height this action needs; empty when it needs none."""
        ...

    def fallen(self, position: P, spot: Spot, lost_percent: int | None) -> A | None:
        """The accident that a fall at this spot most likely is, its outcome open; None when nothing stands there."""
        ...

    def accidents(self, position: P) -> Iterable[A]:
        """Accidents that a scale shows although nothing was felt to fall."""
        ...

    def accident_at(self, action: A) -> Spot | None:
        """Where the accident happened that this action is; None for what players decide."""
        ...

    def fall_of(self, action: A) -> A | None:
        """The same decision come out as a fall; None when nothing can fall in it."""
        ...

    def attempts(self, position: P, thing: str, spot: Spot) -> Iterable[A]:
        """Decisions, legal or not, that would bring this thing to this spot: to tell which rule forbids it.

        Without a thing: those that would make the scale there lighter.
        """
        ...

    def text(self, action: A) -> str:
        """The action in notation."""
        ...

    def action(self, text: str) -> A:
        """The action of a notation; raises `Unreadable`."""
        ...

    def blanks(self) -> tuple[Blank, ...]:
        """The actions as forms, for those who put the record right."""
        ...

    def seat(self, position: P) -> int:
        """Whose turn it is; 0 for nobody's."""
        ...

    def termination(self, position: P) -> str:
        """How the game ended; empty while it goes on."""
        ...

    def paper(self, position: P, lying: Mapping[Spot, frozenset[str]]) -> dict[str, Any]:
        """The form on which people write down how the game stands, filled in with what is known and what is read."""
        ...

    def from_paper(self, position: P, paper: Mapping[str, Any]) -> str:
        """The position that is written down, in notation; raises `IllegalPosition` with all that is wrong."""
        ...

    def component(self, thing: str) -> str:
        """The component of the box that a tagged thing is, or is one side of."""
        ...

    def all_pieces(self) -> int:
        """How many pieces are in the bag before the game begins."""
        ...

    def scene(self, confirmed: P, provisional: P, actions: Sequence[A], start: P | None) -> Scene:
        """What the public sees: the table as it provisionally is, the points as they are confirmed.

        `actions` are those that led there from `start`; None: from the beginning.
        """
        ...
