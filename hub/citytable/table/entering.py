"""What every game's box does with the values that people enter; each game defines the values."""

from collections.abc import Callable, Iterable, Mapping
from typing import Generic, NamedTuple, Protocol, TypeVar

from citytable.table.question import FieldValue
from citytable.table.values_form import ComingUp, Told, ValuesForm


class Deck(Protocol):
    """Values of which some may be unread."""

    @property
    def unread(self) -> Iterable[str]:
        """Return the things whose printed values nobody has entered."""
        ...


B = TypeVar("B")
D = TypeVar("D", bound=Deck)
P = TypeVar("P")


class Enterable(NamedTuple, Generic[D, P]):
    """A game's functions for the values printed in its box; `session.enters.Entering` describes their results."""

    enterable: Callable[[D], tuple[str, ...]]
    unread_copy: Callable[[D, str], D]
    coming_up: Callable[[P, D], tuple[ComingUp, ...]]
    form: Callable[[D, str], ValuesForm]
    with_values: Callable[[D, str, Mapping[str, FieldValue]], D]
    label: Callable[[D, str], Told | None]


class Entering(Generic[D, P, B]):
    """The part of a box whose values people enter; `boxed` puts a deck into a box."""

    def __init__(self, deck: D, boxed: Callable[[D], B], printed: Enterable[D, P]) -> None:
        self._deck = deck
        self._boxed = boxed
        self._printed = printed

    @property
    def enterable(self) -> tuple[str, ...]:
        """Return everything with values of its own."""
        return self._printed.enterable(self._deck)

    @property
    def unread(self) -> frozenset[str]:
        """Return everything without values."""
        return frozenset(self._deck.unread)

    def unread_copy(self, name: str) -> B:
        """Return the game with a copy of this name, without any values."""
        return self._boxed(self._printed.unread_copy(self._deck, name))

    def coming_up(self, position: P) -> tuple[ComingUp, ...]:
        """Return the things that have come up without values."""
        return self._printed.coming_up(position, self._deck)

    def form(self, thing: str) -> ValuesForm:
        """Return the form of a thing; raises `ValueError`."""
        return self._printed.form(self._deck, thing)

    def with_values(self, thing: str, values: Mapping[str, FieldValue]) -> B:
        """Return the game with the printed values of a thing; raises `ValueError`."""
        return self._boxed(self._printed.with_values(self._deck, thing, values))

    def label(self, thing: str) -> Told | None:
        """Return a label that distinguishes a thing from others of its kind."""
        return self._printed.label(self._deck, thing)
