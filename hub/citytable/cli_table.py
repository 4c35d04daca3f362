"""The commands that look after a running table."""

from pathlib import Path
from typing import Annotated

import typer

from citytable.console import fail, say
from citytable.table.plan import Misconfigured
from citytable.views import host_note


def host(journal: Annotated[Path, typer.Option(help="File of the journal, as given to `citytable run`.")]) -> None:
    """Print the link that opens the host's page, and the PIN while it is valid."""
    try:
        say(host_note.read_note(host_note.beside(journal)).sentence)
    except Misconfigured as error:
        raise fail(error) from None


def add_to(app: typer.Typer) -> None:
    """Add these commands to `citytable`."""
    app.command()(host)
