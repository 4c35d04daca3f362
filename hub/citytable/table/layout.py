"""Layouts: what the table should look like. A game writes them, the umpire and the lights read them."""

import msgspec

from citytable.table.spot import Spot


class Unknown(msgspec.Struct, frozen=True):
    """A thing not seen yet: one of `among`. Matching binds `name` to the thing that lies there."""

    name: str
    among: frozenset[str]


class Region(msgspec.Struct, frozen=True):
    """Interchangeable spots that together hold exactly `things` and one thing per unknown, anywhere, and nothing else."""

    spots: tuple[Spot, ...]
    things: tuple[str, ...] = ()
    unknowns: tuple[Unknown, ...] = ()


class Scale(msgspec.Struct, frozen=True):
    """How many building pieces should weigh on a set of spots (the bag on whichever cradle; a monument on its park)."""

    name: str
    spots: tuple[Spot, ...]
    pieces: int


class Light(msgspec.Struct, frozen=True):
    """What the ring of a spot tells: a role, never a colour. `seat` where the role belongs to a player."""

    spot: Spot
    role: str
    seat: int | None = None


class Layout(msgspec.Struct, frozen=True):
    """The whole table in one state of a game. Every spot a game uses stands in exactly one region."""

    regions: tuple[Region, ...]
    scales: tuple[Scale, ...] = ()
    lights: tuple[Light, ...] = ()
