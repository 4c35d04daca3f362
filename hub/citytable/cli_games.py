"""The commands about the games in a table's journal: back it up, restore it, and export a game."""

import time
from pathlib import Path
from typing import Annotated

import typer

from citytable.console import fail, say, warn
from citytable.journal.archive import archive
from citytable.journal.backup import KEPT, back_up, backups_of, restore
from citytable.journal.decks import cards_of, deck_of, shareable
from citytable.journal.export import NotAnExport, read_export, write_export
from citytable.journal.sharing import without_tags
from citytable.journal.store import BadCommit, JournalUnavailable, Store

JournalFile = Annotated[Path, typer.Option("--journal", help="File of the journal, as given to `citytable run`.")]

DAY_US = 86_400_000_000


def backup(
    journal: JournalFile,
    to: Annotated[
        Path | None, typer.Option(help="Folder for the backup; default: `backups` beside the journal.")
    ] = None,
    keep: Annotated[int, typer.Option(min=1, help="How many backups to keep there; older ones are deleted.")] = KEPT,
) -> None:
    """Copy a journal and check the copy; a hub may be running on the journal."""
    try:
        made = back_up(journal, to or backups_of(journal), time.strftime("%Y-%m-%d-%H%M%S", time.gmtime()), keep)
    except JournalUnavailable as error:
        raise fail(error) from None
    say(f"backed up to {made}")


def archived(
    journal: JournalFile,
    days: Annotated[int, typer.Option("--older-than", min=1, help="Days; games that began later stay.")],
    to: Annotated[Path | None, typer.Option(help="Folder; default: `archive` beside the journal.")] = None,
) -> None:
    """Move old games out of a journal, each into a file with its cards and tags. Stop the hub first.

    The last game stays. `citytable import` brings one back; records are kept beside the journal and stay.
    """
    folder = to or journal.with_name("archive")
    try:
        done = archive(journal, folder, (time.time_ns() // 1000) - days * DAY_US)
    except JournalUnavailable as error:
        raise fail(error) from None
    say(f"{len(done.gone)} games went to {folder}, {done.stay} stay in {journal}")


def restored(
    file: Annotated[Path, typer.Argument(help="File of the backup.")],
    journal: JournalFile,
) -> None:
    """Replace the journal with a backup, and keep the old journal. Stop the hub first.

    If the backup is damaged, its sound part is restored, and the exit code is 1.
    """
    try:
        done = restore(journal, file)
    except JournalUnavailable as error:
        raise fail(error) from None
    for line in done.damage:
        warn(line, "yellow")
    for row in done.games:
        say(f"{row.id}  {row.game}, {row.entries} entries, {'over' if row.over else 'not over'}")
    say(f"restored {journal} from {file}")
    if done.aside is not None:
        say(f"the journal that was there is now {done.aside}")
    if done.damage:
        raise typer.Exit(1)


def export(
    game: Annotated[str, typer.Argument(help="The game, as `citytable restore` and the hub name it.")],
    journal: JournalFile,
    to: Annotated[Path | None, typer.Option(help="The file; `<game>.jsonl` where you are if not given.")] = None,
    with_deck: Annotated[
        bool, typer.Option("--with-deck", help="Write an owner's cards and tags, too: not for files you pass on.")
    ] = False,
) -> None:
    """Write a game with its deck to one file for `citytable replay`. The hub may be running.

    An owner's own cards and the tags of the things stay at home unless you ask for them: tags have stand-ins then.

    If the game is damaged, its sound part is written, and the exit code is 1.
    """
    file = to or Path(f"{game}.jsonl")
    try:
        with Store.read(journal) as store:
            found = store.entries(game)
            if not found.entries:
                known = ", ".join(store.ids()) or "none"
                raise fail(found.damage or f"journal {journal} has no game {game!r}; its games are: {known}")
            deck = deck_of(cards_of(found.entries), store.decks())
        written = deck if with_deck else shareable(deck)
        entries = found.entries if with_deck else without_tags(game, found.entries)
        write_export(file, game, entries, written)
    except JournalUnavailable as error:
        raise fail(error) from None
    if deck is None:
        warn(f"the deck of {game} is not kept in {journal}: keep the deck's file together with {file}", "yellow")
    elif written is None:
        warn(f"the owner's cards of {game} stay here: to replay {file} elsewhere, give them with --deck", "yellow")
    say(f"wrote {len(found.entries)} entries to {file}")
    if found.damage:
        warn(found.damage, "yellow")
        raise typer.Exit(1)


def imported(
    file: Annotated[Path, typer.Argument(help="A game that `citytable export` wrote.")],
    journal: JournalFile,
) -> None:
    """Add an exported game, with its deck, to a journal. Stop the hub first; it later continues an unfinished game.

    If the file is damaged, its sound part is added, and the exit code is 1.
    """
    try:
        found = read_export(file)
        with Store.open(journal) as store:
            for line in store.damage:
                warn(line, "yellow")
            if found.deck is not None:
                store.keep_deck(found.deck)
            store.take_in(found.game_id, found.entries)
    except (BadCommit, JournalUnavailable, NotAnExport) as error:
        raise fail(error) from None
    say(f"added {found.game_id} with {len(found.entries)} entries to {journal}")
    if found.damage:
        warn(found.damage, "yellow")
        raise typer.Exit(1)


def add_to(app: typer.Typer) -> None:
    """Add these commands to `citytable`."""
    app.command()(backup)
    app.command("archive")(archived)
    app.command("restore")(restored)
    app.command()(export)
    app.command("import")(imported)
