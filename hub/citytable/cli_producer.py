"""The commands for producers: the description of the hub's addresses, and the contrasts of a theme."""

import sys
from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from citytable.console import fail
from citytable.table.plan import Misconfigured
from citytable.views import asyncapi, openapi
from citytable.views.api_words import address_rows, type_rows
from citytable.views.theme import Colours, contrasts
from citytable.views.theme_file import read_theme, read_theme_file


class Form(StrEnum):
    """What to print."""

    OPENAPI = "openapi"
    ASYNCAPI = "asyncapi"
    WIRE = "wire"
    ADDRESSES = "addresses"
    TYPES = "types"


def api(
    form: Annotated[Form, typer.Argument(help="For programs: openapi, asyncapi, wire; tables: addresses, types.")],
) -> None:
    """Print the description of the hub's addresses, of the feed, or of the stations' wire."""
    sys.stdout.write(f"{described(form).rstrip()}\n")


def described(form: Form) -> str:
    """Return a description: JSON for programs, or a table in Markdown."""
    match form:
        case Form.OPENAPI:
            return _pretty(msgspec.json.encode(openapi.document()))
        case Form.ASYNCAPI:
            return _pretty(msgspec.json.encode(asyncapi.document()))
        case Form.WIRE:
            return _pretty(asyncapi.wire())
        case Form.ADDRESSES:
            heads = ("address", "purpose", "who may", "takes", "gives", "refuses with")
            rows = ((f"`{row.address}`", *row[2:]) for row in address_rows())
            return _table(heads, rows)
        case Form.TYPES:
            fields = ((row.name, row.about, ", ".join(f"`{field}`" for field in row.fields)) for row in type_rows())
            return _table(("type", "purpose", "fields"), fields)


def theme(
    file: Annotated[
        Path | None,
        typer.Argument(help="Theme file, as given to `citytable run --theme`; default: the pages' own colours."),
    ] = None,
) -> None:
    """Print every contrast of a theme's colours, and every fault of the theme."""
    try:
        colours = Colours() if file is None else read_theme_file(file).colours
        rows = ((one.name, one.on, f"{one.measured:.1f}", f"{one.least:.1f}") for one in contrasts(colours))
        sys.stdout.write(f"{_table(('colour', 'on', 'contrast', 'at least'), rows)}\n")
        if file is not None:
            read_theme(file)
    except Misconfigured as error:
        raise fail(error) from None


def _pretty(document: bytes) -> str:
    return msgspec.json.format(document, indent=1).decode()


def _table(heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [heads, ("---",) * len(heads), *rows]
    return "\n".join(f"| {' | '.join(line)} |".replace("  ", " ") for line in lines)


def add_to(app: typer.Typer) -> None:
    """Add these commands to `citytable`."""
    app.command()(api)
    app.command()(theme)
