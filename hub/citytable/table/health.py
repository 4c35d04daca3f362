"""Health: the condition of a station and its sensors, for the stations page and for makers."""

from typing import Annotated, Literal, TypeAlias

import msgspec

from citytable.table.spot import Spot

Due: TypeAlias = Literal["", "unknown", "old", "drifted"]
Count: TypeAlias = Annotated[int, msgspec.Meta(ge=0, lt=1 << 31)]


class CellHealth(msgspec.Struct, frozen=True):
    """A cell since the last report: conversions a second, how many at the end of the chip's range, noise in counts."""

    spot: Spot
    cell: Count
    rate_hz: float
    saturated: Count
    distinct: Count
    noise: float
    lost: Count


class CellZero(msgspec.Struct, frozen=True):
    """A cell's zero: its drift from the calibration, and when the spot was last bare (hub time).

    `drift_g` and `bare_us` are None until then. `calibrated` is the plan's date; `due` why it should be calibrated
    again.
    """

    spot: Spot
    cell: int
    drift_g: float | None
    bare_us: int | None
    calibrated: str | None
    due: Due


class ReaderHealth(msgspec.Struct, frozen=True):
    """A tag reader since the last report: questions it answered, and did not."""

    spot: Spot
    answered: Count
    silent: Count


class RangerHealth(msgspec.Struct, frozen=True):
    """A range sensor since the last report: `bad` readings are those it marked as invalid itself.

    `beam_clear`, `beam_broken`: the numbers of readings with a clear or a broken beam; None: its crane has no beam.
    """

    spot: Spot
    n: Count
    spread_mm: float
    bad: Count
    beam_clear: Count | None = None
    beam_broken: Count | None = None


class AccelerometerHealth(msgspec.Struct, frozen=True):
    """An accelerometer since the last report: `lost` times its readings were not fetched; the loudest window's peak."""

    rate_hz: float
    lost: Count
    peak_mg: Count


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """A station's last report. `gap_us` is its sampler's longest pause, `dropped` messages its link had no room for."""

    at_us: int  # hub time
    gap_us: int
    dropped: int
    refused: int
    free_bytes: int | None
    cells: tuple[CellHealth, ...]
    readers: tuple[ReaderHealth, ...]
    rangers: tuple[RangerHealth, ...]
    accelerometer: AccelerometerHealth | None = None


class Said(msgspec.Struct, frozen=True):
    """A line of a station's log. `level`: info, warning or error."""

    at_us: int  # hub time
    level: str
    text: str


class Health(msgspec.Struct, frozen=True):
    """One station. Times are the hub's; `offset_us` is its clock against the hub's, None before it is measured."""

    station: str
    online: bool
    boot: int
    firmware: str
    offset_us: int | None
    last_seen_us: int
    samples_lost: int
    events_lost: int
    faults: tuple[dict[str, str], ...] = ()  # language -> sentence
    kind: str = ""
    hardware: str = ""
    bundle: str = ""  # sha256 of the running bundle; empty: installed by USB
    reset: str = ""  # why it started last: power, watchdog, soft, unknown
    report: Report | None = None
    said: tuple[Said, ...] = ()  # the latest, oldest first
