"""From what stations said, in hub time, to the readings of the sensing room."""

from collections.abc import Iterator
from typing import Literal

from citytable.link.inbox import Received, SaidNoWeight, SpokeAgain, WentSilent
from citytable.link.wire_in import (
    Alert,
    Birth,
    Button,
    Death,
    Fault,
    Height,
    Inventory,
    Knocks,
    Quiet,
    Samples,
    TagSeen,
)
from citytable.sensing import reading as sensed
from citytable.table.spot import Spot

Sensor = Literal["cell", "reader", "range"]
_SENSORS: dict[str, Sensor] = {"cell": "cell", "reader": "reader", "ranger": "range", "bus": "range"}
"""The wire's names. On the bus that a station tells of hang its rangers; what it is, the stations page says."""


def _quiet(message: Quiet, t_us: int) -> Iterator[sensed.Reading]:
    for cell in message.cells:
        yield sensed.CellQuiet(
            spot=cell.spot,
            cell=cell.cell,
            t_us=t_us,
            n=cell.n,
            mean=cell.mean,
            spread=cell.spread,
            low=cell.min,
            high=cell.max,
            lost=cell.lost,
        )


def foreign(received: Received, spots: tuple[Spot, ...]) -> tuple[Spot, ...]:
    """Return the spots a message reports on that are not its station's by the plan."""
    match received.message:
        case Inventory(tags=tags):
            reported = {tag.spot for tag in tags}
        case Quiet(cells=cells):
            reported = {cell.spot for cell in cells}
        case TagSeen(spot=spot) | Alert(spot=spot) | Height(spot=spot) | Fault(spot=spot) | Samples(spot=spot):
            reported = {spot}
        case _:
            return ()
    return tuple(sorted(reported.difference(spots)))


def readings(received: Received, spots: tuple[Spot, ...]) -> Iterator[sensed.Reading]:
    """The readings in one message of a station whose spots by the plan are `spots`; of others it is not believed."""
    for reading in _readings(received, spots):
        spot: Spot | None = getattr(reading, "spot", None)
        if spot is None or spot in spots:
            yield reading


def _readings(received: Received, spots: tuple[Spot, ...]) -> Iterator[sensed.Reading]:  # noqa: C901, PLR0912  one arm per message
    t_us, station = received.t_us, received.station
    match received.message:
        case Birth():
            yield sensed.StationUp(t_us=t_us, station=station, boot=received.boot)
        case SpokeAgain():
            yield sensed.StationUp(t_us=t_us, station=station, boot=received.boot)
        case Death() | WentSilent():
            yield sensed.StationDown(t_us=t_us, station=station)
        case SaidNoWeight():
            yield sensed.NoWeight(t_us=t_us, station=station)
        case Inventory(tags=tags):
            lying = tuple((tag.spot, tag.uid) for tag in tags if tag.spot in spots)
            yield sensed.Inventory(t_us=t_us, station=station, spots=spots, tags=lying)
        case TagSeen(spot=spot, uid=uid, here=here):
            yield sensed.TagRead(t_us=t_us, spot=spot, uid=uid, here=here)
        case Button(seat=seat):
            yield sensed.Button(t_us=t_us, seat=seat)
        case Alert(spot=spot, cell=cell, drop=drop):
            yield sensed.CellAlert(t_us=t_us, spot=spot, cell=cell, drop=drop)
        case Height(spot=spot, range_mm=range_mm, spread_mm=spread_mm, n=n, contact=contact):
            yield sensed.HeightReading(
                t_us=t_us, spot=spot, range_mm=range_mm, spread_mm=spread_mm, n=n, contact=contact
            )
        case Fault(spot=spot, sensor=sensor, what=what, on=on) if sensor in _SENSORS:
            yield sensed.SensorFaultReading(t_us=t_us, spot=spot, sensor=_SENSORS[sensor], what=what, on=on)
        case Samples(spot=spot, cell=cell, counts=counts, lost=lost) as samples:
            times = samples.times_us(received.start_us)
            yield sensed.CellSamples(spot=spot, cell=cell, t_us=times, counts=counts, lost=lost)
        case Quiet() as quiet:
            yield from _quiet(quiet, t_us)
        case Knocks(peak_mg=peaks_mg) as knocks:
            times, heard_us = knocks.times_us(received.start_us), received.start_us + sum(knocks.dt_us)
            yield sensed.Knocks(station=station, t_us=times, peak_mg=peaks_mg, heard_us=heard_us)
        case _:
            return
