"""Readings: what the link hands to sensing. Station messages with their times already converted to hub microseconds.

Each kind has a tag, so that readings can be kept and read back: `citytable.journal.stretch`.
"""

from typing import Literal, TypeAlias

import msgspec

from citytable.table.spot import Spot


class CellSamples(msgspec.Struct, frozen=True, tag_field="reading", tag="samples"):
    """Raw conversions of one load cell, oldest first; `t_us` and `counts` have one entry each per conversion.

    `lost` counts the conversions lost since the last message of this cell.
    """

    spot: Spot
    cell: int
    t_us: tuple[int, ...]
    counts: tuple[int, ...]
    lost: int = 0


class CellQuiet(msgspec.Struct, frozen=True, tag_field="reading", tag="quiet"):
    """One summary of a resting cell's conversions in the second that ended at `t_us`, in counts."""

    spot: Spot
    cell: int
    t_us: int
    n: int
    mean: float
    spread: float  # standard deviation
    low: int
    high: int
    lost: int = 0


class Knocks(msgspec.Struct, frozen=True, tag_field="reading", tag="knocks"):
    """The knocks a station's accelerometer heard, oldest first: the end and the peak of every window that knocked.

    Peaks are without gravity, in thousandths of g. Until `heard_us` nothing else knocked.
    """

    station: str
    t_us: tuple[int, ...]
    peak_mg: tuple[float, ...]
    heard_us: int


class TagRead(msgspec.Struct, frozen=True, tag_field="reading", tag="tag"):
    """A tag came to a reader or left it; the station has debounced it."""

    t_us: int
    spot: Spot
    uid: str
    here: bool


class Inventory(msgspec.Struct, frozen=True, tag_field="reading", tag="inventory"):
    """All tags lying on a station's `spots` after its start, as (spot, uid).

    What was believed to lie there and is not listed has left.
    """

    t_us: int
    station: str
    spots: tuple[Spot, ...]
    tags: tuple[tuple[Spot, str], ...]


class Button(msgspec.Struct, frozen=True, tag_field="reading", tag="button"):
    """A seat's button was pressed."""

    t_us: int
    seat: int


class HeightReading(msgspec.Struct, frozen=True, tag_field="reading", tag="height"):
    """The crane's range down to its paddle: the mean of `n` ranges and their standard deviation.

    `contact`: whether its beam confirms that the paddle rests on something; None: there is no beam, or nobody knows.
    """

    t_us: int
    spot: Spot
    range_mm: float
    spread_mm: float
    n: int
    contact: bool | None = None


class CellAlert(msgspec.Struct, frozen=True, tag_field="reading", tag="alert"):
    """The station itself saw a cell's counts drop fast, by `drop` counts (its sign follows the wiring)."""

    t_us: int
    spot: Spot
    cell: int
    drop: int


class SensorFaultReading(msgspec.Struct, frozen=True, tag_field="reading", tag="fault"):
    """The station itself found a sensor at fault, or well again."""

    t_us: int
    spot: Spot
    sensor: Literal["cell", "reader", "range"]
    what: str
    on: bool


class StationUp(msgspec.Struct, frozen=True, tag_field="reading", tag="up"):
    """A station announced itself; `boot` tells its starts apart."""

    t_us: int
    station: str
    boot: int


class StationDown(msgspec.Struct, frozen=True, tag_field="reading", tag="down"):
    """A station is silent or said goodbye."""

    t_us: int
    station: str


class NoWeight(msgspec.Struct, frozen=True, tag_field="reading", tag="no_weight"):
    """A station lives, and has told nothing of its cells for long."""

    t_us: int
    station: str


Reading: TypeAlias = (
    CellSamples
    | CellQuiet
    | Knocks
    | TagRead
    | Inventory
    | Button
    | HeightReading
    | CellAlert
    | SensorFaultReading
    | StationUp
    | StationDown
    | NoWeight
)
