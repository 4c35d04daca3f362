"""The record book: the results of each finished game, read once from its journal, and who agreed to be named.

A file beside the journal keeps it, so that a game of two hours is not replayed for every look at the wall. The file has
names only of people who agreed; an erased name is deleted from it.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from citytable.journal.entry import ABANDONED, DAMAGED, Entry, GameStarted
from citytable.journal.replay import ending
from citytable.session.box import Box, BoxedGame, Remembers
from citytable.session.play import Play
from citytable.table.mark import POINTS, Mark
from citytable.table.scene import Scene
from citytable.views.kept import keep, read_kept
from citytable.views.records import NameWish, Playable, RecordLine, RecordNames, Records


class Told(msgspec.Struct, frozen=True):
    """A finished game: which one, the day on which it began, and how far it got. A game given up has no marks."""

    game: str
    day: str
    marks: tuple[Mark, ...] = ()


class Kept(msgspec.Struct, frozen=True):
    """The content of the file, by the ids of games; names also by seat."""

    games: dict[str, Told] = {}
    names: dict[str, dict[int, str]] = {}


def marks_of(box: Box[Any, Any], game: BoxedGame[Any, Any]) -> tuple[Mark, ...]:
    """Return the results of a game: its points and the game's own marks."""
    points = [Mark(POINTS, score.total, seat) for seat, score in game.scores().items()]
    best = [max(points, key=lambda mark: mark.value)] if points else []
    own = box.marks(game.actions, game.position) if isinstance(box, Remembers) else ()
    return (*best, *own)


def marks_so_far(box: Box[Any, Any], play: Play[Any, Any], scene: Scene | None) -> tuple[Mark, ...]:
    """Return how far the game on the table got by now."""
    points = [Mark(POINTS, one.score, one.seat) for one in (scene.players if scene else ()) if one.score is not None]
    best = [max(points, key=lambda mark: mark.value)] if points else []
    own = box.marks(play.actions, play.umpire.position) if isinstance(box, Remembers) else ()
    return (*best, *own)


def told(entries: Sequence[Entry], box: Box[Any, Any], game: BoxedGame[Any, Any]) -> Told:
    """Return what the book keeps about a finished game."""
    started = entries[0]
    name = started.body.game if isinstance(started.body, GameStarted) else ""
    day = datetime.fromtimestamp(started.at_us / 1e6, UTC).date().isoformat()
    played = ending(entries) not in {ABANDONED, DAMAGED, ""}
    return Told(name, day, marks_of(box, game) if played else ())


class RecordBook:
    """Of one table. Without a path it lasts until the hub ends. `playable`: the games that the table can play."""

    def __init__(self, path: Path | None, box: Box[Any, Any], playable: Iterable[Playable] = ()) -> None:
        self._path = path
        self._box = box
        self._playable = tuple(playable)
        self._kept = Kept() if path is None else read_kept(path, Kept, "the records are read anew, without names")
        self.on_table = ""
        """The id of the game on the table."""
        self.players: tuple[str, ...] = ()
        """What its players are called, by seat."""

    @property
    def known(self) -> frozenset[str]:
        """Return the ids of the games that are in the book."""
        return frozenset(self._kept.games)

    def note(self, game_id: str, one: Told) -> None:
        """Write a game into the book."""
        self._keep(replace(self._kept, games={**self._kept.games, game_id: one}))

    def forget(self, game_id: str) -> None:
        """Remove a game from the book: it continues after a correction."""
        self._keep(replace(self._kept, games={key: one for key, one in self._kept.games.items() if key != game_id}))

    def shown(self, *, over: bool) -> Records:
        """Return the records of this table's game."""
        games = {key: one for key, one in self._games() if over or key != self.on_table}
        keys = dict.fromkeys(mark.key for one in games.values() for mark in one.marks)
        lines = tuple(self._best(key, games) for key in keys)
        box = self._box
        title = box.title if isinstance(box, Remembers) else box.name.capitalize()
        return Records(box.name, title, len(games), lines, self._playable)

    def _games(self) -> Iterator[tuple[str, Told]]:
        return ((key, one) for key, one in self._kept.games.items() if one.game == self._box.name and one.marks)

    def _best(self, key: str, games: dict[str, Told]) -> RecordLine:
        """Return the holder of a record: the first who reached it."""
        found = [(game_id, one.day, mark) for game_id, one in games.items() for mark in one.marks if mark.key == key]
        game_id, day, mark = max(found, key=lambda one: one[2].value)
        name = self._kept.names.get(game_id, {}).get(mark.seat or 0, "")
        return RecordLine(key, mark.value, mark.seat, name, day, fresh=game_id == self.on_table)

    def best(self) -> dict[str, int]:
        """Return the values of all records that games before the one on the table hold."""
        marks = [mark for key, one in self._games() if key != self.on_table for mark in one.marks]
        return {mark.key: max(one.value for one in marks if one.key == mark.key) for mark in marks}

    def names(self) -> RecordNames:
        """Return the players' names that may be kept with records, and all that are."""
        here = self._kept.names.get(self.on_table, {}).values()
        kept = sorted({name for names in self._kept.names.values() for name in names.values()})
        return RecordNames(tuple(name for name in self.players if name and name not in here), tuple(kept))

    def wish(self, wish: NameWish) -> None:
        """Keep the name of a player of the game on the table, or erase a name from all games."""
        if not wish.keep:
            names = self._kept.names.items()
            left = {game: {seat: name for seat, name in one.items() if name != wish.name} for game, one in names}
            self._keep(replace(self._kept, names={game: one for game, one in left.items() if one}))
            return
        seats = [seat for seat, name in enumerate(self.players, start=1) if name == wish.name]
        if not seats:
            raise ValueError(f"nobody at the table is called {wish.name!r}")
        named = {**self._kept.names.get(self.on_table, {}), **dict.fromkeys(seats, wish.name)}
        self._keep(replace(self._kept, names={**self._kept.names, self.on_table: named}))

    def _keep(self, kept: Kept) -> None:
        self._kept = kept
        if self._path is not None:
            keep(self._path, kept, "the records are read anew at the next start, and names have to be agreed to again")


def beside(journal: Path | None) -> Path | None:
    """Return the path of the records for a journal's table; they are kept if the journal is."""
    return None if journal is None else journal.with_name(f"{journal.stem}.records.json")
