"""The shelf: the games that a session may play next, and how one begins on a table in use.

The first entries of a game hold everything known about the table, so recalling it needs no other game's journal.
"""

from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

import msgspec

from citytable.journal.entry import Draft, FactNoted, GameStarted
from citytable.languages.sentences import Sentences
from citytable.rules.errors import Unfitting
from citytable.session.play import Play
from citytable.table.word import ModeChoice, NextGame, PlayAgain
from citytable.umpire.table_game import TableGame
from citytable.views.next_game import Choices, OtherGame

A = TypeVar("A")
P = TypeVar("P")

SENTENCES = Sentences(__package__, "shelf.json")


class FreshGame(msgspec.Struct, Generic[A, P], frozen=True):
    """A game that is about to begin: its id in the journal, its first entry, its rules and its first position."""

    game_id: str
    started: GameStarted
    game: TableGame[A, P]
    start: P


class Shelf(Protocol[A, P]):
    """Takes games out for one table. `position` is one of the game that is played now."""

    def choices(self, position: P, after: str, names: tuple[str, ...], *, over: bool) -> Choices:
        """Return the choices after this game, with these names of players."""
        ...

    def leaves(self, wish: NextGame, people: str) -> Callable[[], None] | None:
        """Return the settings for a restart with another game, or None for the same game.

        `people` is the game of the phones that stay connected. Raises `Unfitting` with a sentence.
        """
        ...

    def again(self, after: str, position: P, names: tuple[str, ...], by: str) -> NextGame:
        """Return the wish for the same game with the same people; raises `Unfitting` if only the host may begin it."""
        ...

    async def take(self, wish: NextGame, position: P) -> FreshGame[A, P]:
        """Return the game that was chosen; nothing is written. Raises `Unfitting` with a sentence."""
        ...


class OtherGames(Protocol):
    """The games that a table can begin instead of the one on it: it starts again with one of them."""

    def choices(self) -> tuple[OtherGame, ...]:
        """Return the games."""
        ...

    def leaves(self, wish: NextGame, people: str) -> Callable[[], None]:
        """Return the settings for a restart with the game of this wish; raises `Unfitting` with a sentence."""
        ...


def nobody_plays(play: Play[A, P]) -> bool:
    """Return whether a game is over, or was cleared up."""
    return bool(play.termination) or (play.clearing is not None and play.clearing.closed)


def once_more(word: PlayAgain, shelf: Shelf[A, P], play: Play[A, P], game_id: str) -> NextGame:
    """Return the wish of players who want their game once more; raises `Unfitting` with a sentence."""
    if not nobody_plays(play):
        raise Unfitting(SENTENCES.text("going_on"))
    return shelf.again(game_id, play.umpire.position, play.names, word.by)


def dealt(
    fresh: FreshGame[A, P], started: GameStarted, before: Play[A, P], now_us: int
) -> tuple[Play[A, P], tuple[Draft, ...]]:
    """Return a play of the game on the table as it is after `before`, in the same mode; and its first entries."""
    play = Play(fresh.game, before.plan, fresh.start, senses=before.senses)
    play.names, play.copy, play.bot = started.names, before.copy, before.bot
    play.begins_with(before.senses.as_it_is(before.umpire.observed, now_us))
    drafts = [Draft(now_us, "referee", started)]
    if before.umpire.mode != play.umpire.mode:
        mode = ModeChoice(mode=before.umpire.mode, by=started.by)
        play.umpire.say(mode)
        drafts.append(Draft(now_us, "referee", mode))
    drafts += [Draft(now_us, "sensor", FactNoted(fact=fact)) for fact in play.take_facts()]
    return play, tuple(drafts)
