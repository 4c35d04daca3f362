"""A table without sensors: a group with its box, a computer for the display, and everybody's phone."""

from pathlib import Path

import typer

from citytable.console import fail
from citytable.link.credentials import data_directory

FITTING = frozenset(
    {
        "phones",
        "game",
        "players",
        "ruling",
        "deck",
        "box",
        "port",
        "host",
        "name",
        "journal",
        "mode",
        "open_page",
        "table",
        "delay",
        "hold",
        "theme",
    }
)
"""The options of `citytable run` that mean something on such a table."""


def check_options(context: typer.Context) -> None:
    """Refuse options for stations, a broker or bots, in one sentence."""
    given = [name for name in context.params if was_given(context, name) and name not in FITTING]
    if "plan" in given:
        raise fail("--phones is a table without stations: with a --plan of your own give --no-twin instead", 2)
    if "twin" in given:
        raise fail("--phones is a table of your own already: leave out --no-twin, and --twin too", 2)
    if given:
        names = ", ".join(f"--{name.replace('_', '-')}" for name in given)
        raise fail(f"--phones is a table without stations and bots: leave out {names}", 2)
    if len(context.params["table"] or ()) > 1:
        raise fail("--phones is one table: give --table once, and start another citytable for another table", 2)


def was_given(context: typer.Context, name: str) -> bool:
    """Return whether somebody gave an option by hand."""
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def usual_journal(game: str) -> Path:
    """Return the default path of such a table's journal.

    Each game has its own file, so that another evening's game does not end this one.
    """
    folder = data_directory() / "phones"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise fail(f"{folder}: {error.strerror}: give a --journal somewhere else") from None
    return folder / f"{game}.sqlite3"
