"""Chooses the game of a table and its copy: those of the command line, or else those of its last game.

If the host chose another game at the table than the command line names, that game continues at the next start.
"""

from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from citytable.box_file import cards_in, load_box, open_box, path_of
from citytable.cli_options import USUAL
from citytable.console import fail, warn
from citytable.games import NAMES, UnknownGame, box_of
from citytable.journal.database import JournalUnavailable
from citytable.journal.decks import cards_of
from citytable.journal.entry import GameStarted
from citytable.journal.store import Store
from citytable.session.box import Box
from citytable.settings import Settings
from citytable.table.plan import Misconfigured, load_plan

AnyBox = Box[Any, Any]


class LastPlayed(msgspec.Struct, frozen=True):
    """The latest game of a journal: its name, the number of players, and the name of its deck or its box."""

    game: str
    deck: str
    players: int | None  # None: its options are invalid
    instead_of: str = ""  # the game of the command line that the host left for it


class Chosen(msgspec.Struct, frozen=True):
    """The game with its cards, and the file of the owner's copy; `before`: the journal's last game, if it has any."""

    box: AnyBox
    box_path: Path | None
    before: LastPlayed | None

    def usual_players(self, plan: Path | None) -> int:
        """Return the number of players if nobody names one.

        It is that of the last game, at most as many as the table has seats. Ends the command with a sentence if the
        plan cannot be read.
        """
        before = self.before
        usual = before.players if before is not None and before.game == self.box.name else None
        try:
            return min(usual or USUAL, load_plan(plan).seats if plan is not None else self.box.players[-1])
        except Misconfigured as error:
            raise fail(error) from None


def chosen_game(
    game: str, box_name: str | None, deck: Path | None, journal: Path | None, *, named: bool, twin: bool
) -> Chosen:
    """Return the game and its copy. `named`: the user named `game`; otherwise the journal's last game continues.

    Ends the command with a sentence if that is impossible.
    """
    before = None if twin or journal is None else last_played(journal)
    if box_name:
        path, cards = _own_box(box_name, game if named else "", deck)
        return Chosen(cards, path, before)
    if before is None or (named and game != before.game):
        return Chosen(game_box(game, deck), None, before)
    if deck is None and (found := _copy_of(before)) is not None:
        return Chosen(*found, before)
    return Chosen(game_box(before.game, deck), None, before)


def last_played(journal: Path) -> LastPlayed | None:
    """Return the latest game of a journal; None for a new file, and for one that the hub cannot read and reports."""
    if not journal.is_file():
        return None
    try:
        with Store.read(journal) as store:
            row = store.latest()
            entries = () if row is None else store.entries(row.id).entries
    except JournalUnavailable:
        return None
    started, cards = entries[0].body if entries else None, cards_of(entries)
    if not isinstance(started, GameStarted) or cards is None or started.game not in NAMES:
        return None
    players = None
    with suppress(ValueError):
        players = box_of(started.game).read(started.options).players
    return LastPlayed(started.game, cards.deck, players, started.instead_of)


def gone_on(settings: Settings) -> Settings:
    """Return the settings with the game that people chose at the table instead, if the table last played it."""
    before = None if settings.twin or settings.journal_path is None else last_played(settings.journal_path)
    if before is None or not before.players or before.game == settings.box.name:
        return settings
    if before.instead_of != settings.asked_for:
        return settings  # somebody has named another game since
    box, path = _copy_of(before) or (box_of(before.game), None)
    found = replace(settings, box=box, box_path=path, options=box.options(before.players), go_on=True)
    try:
        found.plan()
    except Misconfigured:  # the table has lost a seat since
        return settings
    return found


def _copy_of(before: LastPlayed) -> tuple[AnyBox, Path] | None:
    """Return the owner's copy of the latest game, if it is on this computer."""
    try:
        path = path_of(before.deck)
        file = load_box(path)
    except Misconfigured:
        return None
    return (file.box(), path) if file.game == before.game else None


def game_box(game: str, deck: Path | None = None) -> AnyBox:
    """Return the box of a game with these cards; errors in either are one sentence."""
    try:
        box: AnyBox = box_of(game)
        return box if deck is None else cards_in(deck, box)
    except UnknownGame as error:
        raise fail(error, 2) from None
    except Misconfigured as error:
        raise fail(error) from None


def _own_box(name: str, game: str, deck: Path | None) -> tuple[Path, AnyBox]:
    """Return the file and the cards of the owner's copy of this name; a new name makes a new box."""
    if deck is not None:
        raise fail("--box has its own cards: leave --deck out", 2)
    try:
        opened = open_box(name, game)
    except (Misconfigured, OSError) as error:
        raise fail(error) from None
    if opened.is_new:
        warn(f"box {name!r} is new: the pages ask for what is printed on a thing when it first comes up", "yellow")
    return opened.path, opened.file.box()
