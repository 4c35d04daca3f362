"""Traces: recorded or simulated raw signals of one platform, and what sensing makes of them.

A trace is one `.npz` file: `t_us` int64[n] increasing, `counts` int[n, cells] with one to three cells, and `meta`,
the bytes of a JSON object with `cal` (`counts_per_g`, `zero_counts`, one each per cell, and `tile_g`). Reading it needs
numpy.
"""

import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from citytable.sensing.reading import CellSamples
from citytable.sensing.spot_weight import SpotWeight
from citytable.table.fact import Fact
from citytable.table.plan import CellPlan

if TYPE_CHECKING:
    from numpy.typing import NDArray

TRACE_SPOT = "seat/1/pad/0"  # a trace does not say where it was taken; a build pad has three cells
CAPACITY_G = 5000  # nor which cells: the largest a table uses
BATCH = 8  # about 100 ms, as a station sends


class BadTrace(ValueError):
    """A file that is no trace: the text says what was seen and what is needed."""


class Calibration(msgspec.Struct, frozen=True):
    """How counts become grams: (counts - zero_counts) / counts_per_g per cell, and what the bare tile weighs."""

    counts_per_g: tuple[float, ...]
    zero_counts: tuple[float, ...]
    tile_g: float = 0.0

    def cells(self) -> tuple[CellPlan, ...]:
        """The cells as a plan has them."""
        return tuple(
            CellPlan(counts_per_g=scale, zero_counts=round(zero), capacity_g=CAPACITY_G)
            for scale, zero in zip(self.counts_per_g, self.zero_counts, strict=True)
        )


class Trace(msgspec.Struct, frozen=True):
    """A whole trace. `counts[i]` holds the raw counts of all cells at `t_us[i]`; `events` are its labels, if any."""

    name: str
    cal: Calibration
    t_us: tuple[int, ...]
    counts: tuple[tuple[int, ...], ...]
    events: tuple[dict[str, Any], ...] = ()


class _Meta(msgspec.Struct):
    cal: Calibration
    id: str = ""
    events: tuple[dict[str, Any], ...] = ()


def load_trace(path: Path) -> Trace:
    """Read a trace; raises `BadTrace` with a sentence."""
    arrays = _arrays(path)
    for name in ("t_us", "counts", "meta"):
        if name not in arrays:
            raise BadTrace(f"{path}: array {name!r} is missing, found {sorted(arrays)!r}: record the trace anew")
    try:
        meta = msgspec.json.decode(arrays["meta"].tobytes(), type=_Meta)
    except msgspec.DecodeError as error:
        raise BadTrace(f"{path}: meta: {error}: meta is the UTF-8 bytes of a JSON object with 'cal'") from error
    _check_shapes(path, arrays["t_us"], arrays["counts"], meta.cal)
    return Trace(
        name=meta.id or path.stem,
        cal=meta.cal,
        t_us=tuple(arrays["t_us"].tolist()),
        counts=tuple(map(tuple, arrays["counts"].tolist())),
        events=meta.events,
    )


def replay_trace(trace: Trace) -> Iterator[Fact]:
    """The facts a trace holds, in batches as a station sends them; masses are told without the tile."""
    weight = SpotWeight(TRACE_SPOT, trace.cal.cells(), tare_g=trace.cal.tile_g)
    for start in range(0, len(trace.t_us), BATCH):
        t_us = trace.t_us[start : start + BATCH]
        rows = trace.counts[start : start + BATCH]
        for cell, counts in enumerate(zip(*rows, strict=True)):
            yield from weight.samples(CellSamples(spot=TRACE_SPOT, cell=cell, t_us=t_us, counts=counts))


def _arrays(path: Path) -> "dict[str, NDArray[Any]]":
    try:
        import numpy as np  # noqa: PLC0415  the hub runs without numpy; only traces need it
    except ImportError as error:
        raise BadTrace(f"{path}: reading a trace needs numpy: install numpy") from error
    try:
        with path.open("rb") as file:  # opened here, because numpy leaves a broken one open
            archive = np.load(file, allow_pickle=False)
            if not isinstance(archive, np.lib.npyio.NpzFile):
                raise BadTrace(f"{path}: one bare array, not an .npz archive of arrays")
            return {name: archive[name] for name in archive.files}
    except OSError as error:
        raise BadTrace(f"{path}: {error.strerror or error}: give the path of an .npz file") from error
    except (ValueError, EOFError, zipfile.BadZipFile) as error:
        raise BadTrace(
            f"{path}: no .npz file that can be read ({_first_sentence(error)}): give a recorded trace"
        ) from error


def _first_sentence(error: Exception) -> str:
    """Without numpy's advice to load a file that is no trace unsafely."""
    return str(error).split(". ")[0]


def _check_shapes(path: Path, t_us: "NDArray[Any]", counts: "NDArray[Any]", cal: Calibration) -> None:
    cells = len(cal.counts_per_g)
    if not 1 <= cells <= 3 or len(cal.zero_counts) != cells or 0 in cal.counts_per_g:
        raise BadTrace(
            f"{path}: cal has counts_per_g {cal.counts_per_g!r} and zero_counts {cal.zero_counts!r}: "
            "one to three cells need one of each, and no scale of 0"
        )
    if t_us.ndim != 1 or t_us.dtype.kind not in "iu":
        raise BadTrace(f"{path}: t_us has shape {t_us.shape} of {t_us.dtype}, needs whole microseconds in one row")
    if counts.shape != (len(t_us), cells) or counts.dtype.kind not in "iu":
        raise BadTrace(
            f"{path}: counts has shape {counts.shape} of {counts.dtype}, "
            f"needs whole numbers of shape {(len(t_us), cells)}: one row per time, one column per cell"
        )
    if (t_us[1:] < t_us[:-1]).any():
        raise BadTrace(f"{path}: t_us goes back in time: sort the samples by time")
