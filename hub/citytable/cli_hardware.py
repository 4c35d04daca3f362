"""The commands for builders: `citytable hardware ...`."""

from typing import Annotated

import typer
from rich import box
from rich.table import Table

from citytable.console import fail, out, say
from citytable.doctor.parts import (
    FIRST,
    KINDS,
    STARTER_SEATS,
    BadParts,
    Line,
    bill,
    full_table,
    parts_file,
    read_parts,
    starter_table,
)

SEATS = 4  # of a whole table, unless somebody says otherwise
hardware = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="List the parts of a table.",
)


@hardware.callback()
def _group() -> None:
    """Keep `bom` a command of its own, though it is the only one so far."""


@hardware.command()
def bom(
    seats: Annotated[
        int | None,
        typer.Option(min=2, max=4, show_default=False, help="Number of seats; default: 4, or 2 with --starter."),
    ] = None,
    starter: Annotated[bool, typer.Option("--starter", help="A starter table: only seats and the hub.")] = False,
    first: Annotated[
        bool, typer.Option("--first", help="A first station, for one evening, without optional parts.")
    ] = False,
) -> None:
    """Print the parts to buy and make, with estimated prices and their sums."""
    if starter and first:
        raise fail("give --starter or --first: a starter table, or a single station", 2)
    if first and seats:
        raise fail("leave out --seats: a first station has none", 2)
    owners = FIRST if first else starter_table(seats or STARTER_SEATS) if starter else full_table(seats or SEATS)
    try:
        lines = bill(read_parts(parts_file()), owners, optional=not first)
    except BadParts as error:
        raise fail(error) from None
    for kind in KINDS:
        if found := [line for line in lines if line.part.kind == kind]:
            out.print(_table(kind, found))
    dates = sorted({line.part.priced for line in lines})
    say(f"all together about {_sum(lines):.0f} EUR, without shipping and tools")
    if eur := _sum([line for line in lines if line.part.optional]):
        say(f"{eur:.0f} EUR of them are for optional parts")
    say(f"prices, and sizes of packs and rolls: estimates of {', '.join(dates)}")
    say("part numbers and notes: hardware/bom.csv")


def _sum(lines: list[Line] | tuple[Line, ...]) -> float:
    return sum(line.eur for line in lines)


def _table(kind: str, lines: list[Line]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_footer=True)
    table.add_column("quantity", justify="right")
    table.add_column(kind, "together", min_width=36)
    table.add_column("EUR each", justify="right")
    table.add_column("EUR", f"{_sum(lines):.2f}", justify="right")
    for line in lines:
        name = line.part.name + (" (optional)" if line.part.optional else "")
        if line.part.pack:
            name += f", {line.part.pack} m" if line.part.by_the_metre else f", pack of {line.part.pack}"
        table.add_row(str(line.number), name, f"{line.part.unit_eur:.2f}", f"{line.eur:.2f}")
    return table


def add_to(app: typer.Typer) -> None:
    """Add these commands to `citytable`."""
    app.add_typer(hardware, name="hardware")
