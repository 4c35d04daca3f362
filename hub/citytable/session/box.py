"""Define the box: everything that the hub needs from a game. Each game makes one in its `box.py`.

A box holds its cards: `with_deck` gives the same game with an owner's own.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, Self, TypeVar, runtime_checkable

from citytable.languages import Language
from citytable.rules.game import Game
from citytable.table.mark import Mark
from citytable.table.plan import SharedSpots
from citytable.table.printed import Printed
from citytable.umpire.table_game import TableGame

A = TypeVar("A")
P = TypeVar("P")
P_co = TypeVar("P_co", covariant=True)
A_contra = TypeVar("A_contra", contravariant=True)
P_contra = TypeVar("P_contra", contravariant=True)


class GameOptions(Protocol):
    """The options a group agrees on before a game: a frozen value of the game's own, which has at least this."""

    @property
    def players(self) -> int:
        """Return the number of players."""
        ...


class Score(Protocol):
    """One player's points, with the lines they come from (`citytable.table.scene.Line`)."""

    @property
    def total(self) -> int:
        """Return the sum."""
        ...

    @property
    def lines(self) -> tuple[Any, ...]:
        """Return the reasons for the points."""
        ...


class BoxedGame(Game[A, P_co], Protocol[A, P_co]):
    """A game that remembers its actions."""

    @property
    def start(self) -> P_co:
        """Return the position in which it began."""
        ...

    @property
    def actions(self) -> tuple[A, ...]:
        """Return the actions that led from its start to its position."""
        ...

    def advice(self, decision: A) -> float:
        """Return how good a legal decision looks to the player to act; higher is better."""
        ...

    def scores(self) -> Mapping[int, Score]:
        """Return the points by seat; nothing in a game without points."""
        ...


class Box(Protocol[A, P]):
    """One game, in its box."""

    @property
    def name(self) -> str:
        """Return the name of its folder."""
        ...

    @property
    def players(self) -> range:
        """Return the number of players."""
        ...

    @property
    def deck(self) -> str:
        """Return the name of its cards."""
        ...

    def with_deck(self, path: Path) -> Self:
        """Return the same game with an owner's cards; raises `Misconfigured`."""
        ...

    def deck_text(self) -> str:
        """Return the cards as text, to be kept for years; empty in a game that an owner brings nothing to."""
        ...

    def with_deck_text(self, text: str, name: str) -> Self:
        """Return the same game with the cards of a text that was kept; raises `Misconfigured`."""
        ...

    def fingerprint(self) -> str:
        """Return a hash over everything in the box that an owner may replace, to distinguish decks of the same name."""
        ...

    def options(self, players: int, *, simplified: bool = False) -> GameOptions:
        """Return the options for so many players, all else as usual; a game may have no easier rules."""
        ...

    def next_options(self, before: P, players: int, *, simplified: bool) -> GameOptions:
        """Return the options for the next game after one at `before`: options that are not asked for stay."""
        ...

    def is_simplified(self, position: P) -> bool | None:
        """Return whether the easier rules apply; None in a game without any."""
        ...

    def options_in(self, position: P) -> GameOptions:
        """Return the options of a position's game."""
        ...

    def written(self, options: Any) -> dict[str, Any]:
        """Return options as a journal keeps them."""
        ...

    def read(self, written: Mapping[str, Any]) -> GameOptions:
        """Return the options that a journal kept; raises `ValueError`."""
        ...

    def changed(self, wanted: Any, found: Any) -> tuple[str, ...]:
        """Return the differences between the options in a journal and the wanted ones, each with its value."""
        ...

    def begin(self, options: Any) -> BoxedGame[A, P]:
        """Return a game in its first position."""
        ...

    def at(self, options: Any, text: str) -> BoxedGame[A, P]:
        """Return a game of these options in a position that is written down; raises `GameError`."""
        ...

    def action(self, text: str) -> A:
        """Return the action of a notation; raises `Unreadable`."""
        ...

    def table(self) -> TableGame[A, P]:
        """Return the game as it is played on the table."""
        ...

    def things(self, players: int) -> tuple[str, ...]:
        """Return everything in the box that carries a tag, for so many players."""
        ...

    def shared_spots(self) -> SharedSpots:
        """Return the spots between the players that a full table has for this game."""
        ...


@runtime_checkable
class Prints(Protocol):
    """A part of a box whose cards and tiles can be printed on paper."""

    def printed(self, language: Language) -> tuple[Printed, ...]:
        """Return the printed things, each under its own name."""
        ...


@runtime_checkable
class Agrees(Protocol):
    """A part of a box whose options have `rulings`: questions that groups may answer differently."""

    @property
    def rulings(self) -> Mapping[str, Mapping[Language, str]]:
        """Return the sentence of each ruling when it applies, by its name and language."""
        ...


@runtime_checkable
class Suspends(Protocol):
    """A part of a box whose game has acts that an audience waits for."""

    @property
    def suspense(self) -> frozenset[str]:
        """Return the verbs of these acts, as in notation."""
        ...


@runtime_checkable
class Remembers(Protocol[A_contra, P_contra]):
    """A part of a box whose game has records of its own besides its points."""

    @property
    def title(self) -> str:
        """Return the game's name for people, the same in every language."""
        ...

    def marks(self, actions: Sequence[A_contra], position: P_contra) -> tuple[Mark, ...]:
        """Return the results of a game, from its actions that count and the position after them."""
        ...


def title_of(box: Box[Any, Any]) -> str:
    """Return the game's name for people."""
    return box.title if isinstance(box, Remembers) else box.name.capitalize()
