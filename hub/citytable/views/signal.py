"""Signals: the sensor readings around an entry of the journal, ready to be drawn. Pure."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

import msgspec

from citytable.journal.excerpt import Excerpt
from citytable.sensing.reading import CellQuiet, CellSamples
from citytable.table.fact import (
    ButtonPressed,
    Fact,
    Fell,
    HeightMeasured,
    MassSettled,
    PiecesCounted,
    StationCame,
    StationWent,
    ZeroMoved,
)
from citytable.table.plan import CellPlan
from citytable.table.spot import Spot

POINTS_MAX = 1200
"""Of one curve: more than a screen has dots. Of each group of neighbours the lowest and the highest point are shown."""


class NoEntry(LookupError):
    """The game has no entry of that number."""


class Curve(msgspec.Struct, frozen=True):
    """The load on one spot: `grams[k]` at `t_ms[k]` after the signal's `from_us`. Empty for a spot without a scale."""

    spot: Spot
    t_ms: tuple[int, ...]
    grams: tuple[float, ...]


class Mark(msgspec.Struct, frozen=True):
    """A fact reported for a spot, `t_ms` after the signal's `from_us`; `value` in grams, millimetres or pieces."""

    spot: Spot
    t_ms: int
    fact: str  # its tag
    stage: str  # of a fall, else empty
    value: float | None


class Signal(msgspec.Struct, frozen=True):
    """`GET /api/entries/<n>/trace`: the readings behind entry `seq`, from hub time `from_us` to `until_us`.

    Without curves, no readings are stored.
    """

    seq: int
    from_us: int
    until_us: int
    curves: tuple[Curve, ...]
    marks: tuple[Mark, ...]


def signal(
    seq: int, excerpts: Sequence[Excerpt], facts: Iterable[Fact], cells: Mapping[Spot, tuple[CellPlan, ...]]
) -> Signal:
    """Return the excerpts of an entry with the facts that were reported for their spots meanwhile."""
    from_us = min((one.from_us for one in excerpts), default=0)
    until_us = max((one.until_us for one in excerpts), default=0)
    spots = sorted({one.spot for one in excerpts})
    curves = tuple(_curve(spot, excerpts, cells.get(spot, ()), from_us) for spot in spots)
    marks = tuple(_mark(fact, from_us) for fact in facts if _of(fact, excerpts))
    return Signal(seq, from_us, until_us, curves, marks)


def _of(fact: Fact, excerpts: Sequence[Excerpt]) -> bool:
    if isinstance(fact, ButtonPressed | StationCame | StationWent):
        return False
    return any(one.spot == fact.spot and one.from_us <= fact.t_us <= one.until_us for one in excerpts)


def _mark(fact: Fact, from_us: int) -> Mark:
    value = None
    match fact:
        case MassSettled(mass_g=grams):
            value = grams
        case Fell(lost_g=grams):
            value = grams
        case ZeroMoved(drift_g=grams):
            value = grams
        case PiecesCounted(n=n):
            value = n
        case HeightMeasured(low_mm=low, high_mm=high):
            value = (low + high) / 2
    return Mark(
        spot=getattr(fact, "spot", ""),
        t_ms=(fact.t_us - from_us) // 1000,
        fact=str(fact.__struct_config__.tag),
        stage=getattr(fact, "stage", ""),
        value=None if value is None else round(value, 1),
    )


def _curve(spot: Spot, excerpts: Sequence[Excerpt], cells: tuple[CellPlan, ...], from_us: int) -> Curve:
    """Return the sum of a spot's cells each time its last cell was read, with the latest readings of the others."""
    readings = chain.from_iterable(one.readings for one in excerpts if one.spot == spot)
    loads = sorted(chain.from_iterable(_loads(reading, cells) for reading in readings))
    last_g: dict[int, float] = {}
    points: list[tuple[int, float]] = []
    for t_us, cell, grams in loads:
        last_g[cell] = grams
        if cell == len(cells) - 1 and len(last_g) == len(cells) and t_us >= from_us:
            points.append(((t_us - from_us) // 1000, round(sum(last_g.values()), 2)))
    points = _thinned(points)
    return Curve(spot, tuple(t_ms for t_ms, _ in points), tuple(grams for _, grams in points))


def _loads(reading: object, cells: tuple[CellPlan, ...]) -> Iterator[tuple[int, int, float]]:
    """Yield (time, cell, grams) of every conversion and every quiet second."""
    match reading:
        case CellSamples(cell=cell, t_us=times, counts=counts) if 0 <= cell < len(cells):
            for t_us, count in zip(times, counts, strict=False):
                yield t_us, cell, _grams(count, cells[cell])
        case CellQuiet(cell=cell, t_us=t_us, mean=mean) if 0 <= cell < len(cells):
            yield t_us, cell, _grams(mean, cells[cell])


def _grams(counts: float, cell: CellPlan) -> float:
    return (counts - cell.zero_counts) / cell.counts_per_g


def _thinned(points: list[tuple[int, float]]) -> list[tuple[int, float]]:
    if len(points) <= POINTS_MAX:
        return points
    group = -(-2 * len(points) // POINTS_MAX)
    kept: list[tuple[int, float]] = []
    for start in range(0, len(points), group):
        near = points[start : start + group]
        kept += sorted({min(near, key=lambda point: point[1]), max(near, key=lambda point: point[1])})
    return kept
