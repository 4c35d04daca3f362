"""The parts list of the table, `hardware/bom.csv`: the number and the price of each part."""

import csv
from collections.abc import Mapping
from math import ceil
from pathlib import Path

import msgspec

from citytable.doctor.bundle import package_folder

KINDS = ("bought", "printed", "cut", "board", "harness", "fastener")
OWNERS = ("sector", "park", "seat", "supply", "hub", "table", "first")
"""What parts are counted for: one station of each kind, the hub with what every table has once, a city's table, and
what a first station needs on a desk where there is nothing else."""

FIRST = {"park": 1, "first": 1}
"""One station for one evening: the smallest, with one place that weighs, reads and shines, and what tries it.

A pad of a seat would need three cells and a crane, on the carrier of the whole seat."""

STARTER_SEATS = 2
"""The fewest players of a game: who begins with a starter table adds a seat when somebody asks for it."""


class BadParts(ValueError):
    """The parts list cannot be read; the text names the file, the line and what to correct."""


class Part(msgspec.Struct, frozen=True):
    """A line of the list. `each` is the number by owner, `unit_eur` an estimate made in the month `priced`.

    A `pack` is the amount sold at once, also an estimate: a number of screws, or metres of wire, whose `each` is in
    metres. `unit_eur` is the price of a pack if there is one.
    """

    name: str
    kind: str
    each: dict[str, int]
    optional: bool
    pack: int | None
    unit_eur: float
    priced: str
    sources: tuple[str, ...]
    note: str

    @property
    def by_the_metre(self) -> bool:
        """Report whether it is counted in metres."""
        return self.name.startswith("wire-")


class Line(msgspec.Struct, frozen=True):
    """A line of a bill: a part, the number to buy (of wire rolls, of screws packs), and its price in euros."""

    part: Part
    number: int
    eur: float


def full_table(seats: int) -> dict[str, int]:
    """Return the stations of a table that senses everything."""
    return {"sector": 6, "park": 1, "seat": seats, "supply": 1, "hub": 1, "table": 1}


def starter_table(seats: int = STARTER_SEATS) -> dict[str, int]:
    """Return the stations of a table of seats alone."""
    return {"seat": seats, "hub": 1}


def parts_file() -> Path:
    """Return the list's path: in the repository or, in a wheel, beside this file; raise `BadParts`."""
    for path in (package_folder("tablestation").parents[1] / "hardware/bom.csv", Path(__file__).with_name("bom.csv")):
        if path.exists():
            return path
    raise BadParts("hardware/bom.csv is missing: reinstall citytable")


def read_parts(path: Path) -> tuple[Part, ...]:
    """Read a parts list; raise `BadParts`."""
    with path.open(encoding="utf-8", newline="") as file:
        return tuple(_part(f"{path}, line {number}", row) for number, row in enumerate(csv.DictReader(file), 2))


def _part(where: str, row: dict[str, str]) -> Part:
    try:
        if row["kind"] not in KINDS:
            raise BadParts(f"{where}: the kind is {row['kind']!r}: use one of {', '.join(KINDS)}")
        return Part(
            name=row["name"],
            kind=row["kind"],
            each={owner: int(row[owner]) for owner in OWNERS},
            optional=row["optional"] == "yes",
            pack=int(row["pack"]) if row["pack"] else None,
            unit_eur=float(row["unit_eur"]),
            priced=row["priced"],
            sources=tuple(row[name] for name in ("source_1", "source_2") if row[name]),
            note=row["note"],
        )
    except (KeyError, TypeError) as error:
        raise BadParts(f"{where}: the column {error} is missing") from error
    except ValueError as error:
        raise BadParts(f"{where}: {error}") from error


def bill(parts: tuple[Part, ...], owners: Mapping[str, int], *, optional: bool = True) -> tuple[Line, ...]:
    """Return the parts for these numbers of owners, in the order of the list, with or without optional parts."""
    chosen = [part for part in parts if optional or not part.optional]
    needed = [(part, sum(part.each[owner] * n for owner, n in owners.items())) for part in chosen]
    numbers = [(part, ceil(number / (part.pack or 1))) for part, number in needed]
    return tuple(Line(part, number, number * part.unit_eur) for part, number in numbers if number)
