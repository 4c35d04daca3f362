"""Facts: reports of sensing about the table, with time and confidence.

A fact is about the table, never about a game: `TagCame` is a fact, "contract taken" is an explanation. `t_us` is hub
time in microseconds; `confidence` is between 0 and 1.
"""

from typing import Literal, TypeAlias

import msgspec

from citytable.table.spot import Spot

Stage: TypeAlias = Literal["alert", "confirmed", "withdrawn"]


class _Fact(msgspec.Struct, frozen=True, kw_only=True, tag_field="fact"):
    t_us: int
    confidence: float = 1.0


class TagCame(_Fact, frozen=True, tag="tag_came"):
    """A tag is read at a spot. `thing` is None if the `uid` is not registered."""

    spot: Spot
    uid: str
    thing: str | None


class TagLeft(_Fact, frozen=True, tag="tag_left"):
    """A tag is no longer read at a spot."""

    spot: Spot
    uid: str
    thing: str | None


class MassMoving(_Fact, frozen=True, tag="mass_moving"):
    """The load on a spot left its stable state; its present value is unknown."""

    spot: Spot


class MassSettled(_Fact, frozen=True, tag="mass_settled"):
    """The load on a spot is stable at `mass_g` grams, give or take `error_g`; `step_g` since it last was."""

    spot: Spot
    mass_g: float
    step_g: float
    error_g: float


class ZeroMoved(_Fact, frozen=True, tag="zero_moved"):
    """A bare spot weighs `drift_g`, within `error_g`: masses reported from now on are corrected by it."""

    spot: Spot
    drift_g: float
    error_g: float


class PiecesCounted(_Fact, frozen=True, tag="pieces_counted"):
    """The number of pieces on a thing at a spot, counted as it was built; `unsure`: ask people."""

    spot: Spot
    n: int
    unsure: bool


class Fell(_Fact, frozen=True, tag="fell"):
    """Something fell on or from a spot; `lost_g` grams left it."""

    spot: Spot
    lost_g: float
    stage: Stage


class HeightMeasured(_Fact, frozen=True, tag="height_measured"):
    """A tower's height lies in [`low_mm`, `high_mm`], measured by `source` (crane, ruler)."""

    spot: Spot
    low_mm: float
    high_mm: float
    source: Literal["crane", "ruler"]


class ButtonPressed(_Fact, frozen=True, tag="button_pressed"):
    """The button of a seat was pressed."""

    seat: int


class StationCame(_Fact, frozen=True, tag="station_came"):
    """A station is online; its spots are reliable once it has reported them. `boot` distinguishes its starts."""

    station: str
    boot: int
    spots: tuple[Spot, ...]


class StationWent(_Fact, frozen=True, tag="station_went"):
    """A station is silent; the things on its spots are unknown, not gone."""

    station: str
    spots: tuple[Spot, ...]


class SensorFault(_Fact, frozen=True, tag="sensor_fault"):
    """A sensor at a spot cannot be believed (`on` True) or can again (`on` False)."""

    spot: Spot
    sensor: Literal["cell", "reader", "range"]
    what: str
    on: bool


Fact: TypeAlias = (
    TagCame
    | TagLeft
    | MassMoving
    | MassSettled
    | ZeroMoved
    | PiecesCounted
    | Fell
    | HeightMeasured
    | ButtonPressed
    | StationCame
    | StationWent
    | SensorFault
)
