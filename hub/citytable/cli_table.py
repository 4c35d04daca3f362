"""The commands that look after a running table."""

from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from citytable.console import fail, say
from citytable.journal.database import JournalUnavailable, locked
from citytable.journal.owner import given_to
from citytable.table.plan import Misconfigured
from citytable.views import host_note, keys


def host(
    journal: Annotated[Path, typer.Option(help="File of the journal, as given to `citytable run`.")],
    new: Annotated[
        bool, typer.Option("--new", help="Make all links and PINs invalid, and new ones at the next start of the hub.")
    ] = False,
) -> None:
    """Print the link that opens the host's page, and the PIN while it is valid."""
    if new:
        _revoke(journal)
        return
    try:
        note = host_note.read_note(host_note.beside(journal))
    except Misconfigured as error:
        raise fail(error) from None
    say(note.sentence)
    if note.play:
        say(f"{note.play}   (you take seat 1 over from its bot)")


def _revoke(journal: Path) -> None:
    """Give a table another secret; a hub that runs would go on with the one that it has read."""
    kept = keys.beside(journal)
    if not kept.exists():
        raise fail(f"there are no keys in {kept}: give the journal of a hub that has run")
    try:
        with closing(locked(journal)):
            keys.renew(kept)
            given_to(kept.parent, kept)
            host_note.beside(journal).unlink(missing_ok=True)
    except JournalUnavailable as error:
        raise fail(error) from None
    except OSError as error:
        raise fail(f"{kept}: {error.strerror}: the old keys are still valid; check who may write there") from None
    say("the links and PINs of the host, the players and the producer are no longer valid")
    say(f"start the hub: citytable host --journal {journal} prints the new link; phones enter again")


def add_to(app: typer.Typer) -> None:
    """Add these commands to `citytable`."""
    app.command()(host)
