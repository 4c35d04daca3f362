"""The commands about the games a table has kept: backing up its journal, and restoring it."""

import time
from pathlib import Path
from typing import Annotated

import typer

from citytable.console import fail, say, warn
from citytable.journal.backup import KEPT, back_up, backups_of, restore
from citytable.journal.store import JournalUnavailable

JournalFile = Annotated[Path, typer.Option("--journal", help="The journal, as given to `citytable run`.")]


def backup(
    journal: JournalFile,
    to: Annotated[Path | None, typer.Option(help="Folder for it; `backups` beside the journal if not given.")] = None,
    keep: Annotated[int, typer.Option(min=1, help="How many backups stay there, the newest.")] = KEPT,
) -> None:
    """Copy a journal, also while a hub runs on it, and check the copy."""
    try:
        made = back_up(journal, to or backups_of(journal), time.strftime("%Y-%m-%d-%H%M%S", time.gmtime()), keep)
    except JournalUnavailable as error:
        raise fail(error) from None
    say(f"backed up to {made}")


def restored(
    file: Annotated[Path, typer.Argument(help="The backup.")],
    journal: JournalFile,
) -> None:
    """Put a backup in the journal's place; the journal that was there is kept. The hub must be stopped.

    Of a damaged backup what is sound is put there, and the exit code is 1.
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
        say(f"what was there is kept as {done.aside}")
    if done.damage:
        raise typer.Exit(1)


def add_to(app: typer.Typer) -> None:
    """Add these commands to `citytable`."""
    app.command()(backup)
    app.command("restore")(restored)
