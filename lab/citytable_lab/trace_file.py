"""Read and write trace files: recorded or drawn raw signals of one platform, with labels.

A trace is one `.npz` file: `t_us` int64[n] increasing, `counts` int[n, cells] with one to three cells, and `meta`, the
bytes of a JSON object with `cal`, `start` and `events`. It may hold ranges: `tof_t_us` int64[m] and `tof_mm` int16[m]
of a single zone, `zones_t_us` int64[k] and `zones_mm` int16[k, 64] of eight by eight; -1 is an invalid one. With an
accelerometer it holds `knock_t_us` int64[j] and `knock_mg` int16[j], both empty if nothing was heard. Where the spots
beside it were watched it holds `beside_t_us` int64[b] and `beside_moves` bool[b]: whether one of their loads moves from
then on; before the first time none does.

A clock that wraps in a file goes on in the trace: boards count microseconds in 30, 31 or 32 bits and begin again at 0
after 18, 36 or 72 minutes. Any other step backwards is refused.
"""

import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from citytable.sensing.calibration import Cal, Start
from citytable.sensing.pace import GAP_US

FORMAT = 1
TIMES = ("t_us", "tof_t_us", "zones_t_us", "knock_t_us", "beside_t_us")
LABEL_TIMES = ("t_onset_us", "t_end_us")
WRAPS_US = (2**30, 2**31, 2**32)

Times: TypeAlias = NDArray[np.int64]
Counts: TypeAlias = NDArray[np.int32]
Ranges: TypeAlias = NDArray[np.int16]
Label: TypeAlias = dict[str, Any]


class BadTrace(ValueError):
    """The file is not a trace; the text says what was seen and what is needed."""


class Knocks(NamedTuple):
    """Hold what an accelerometer heard: the ends of the windows with a knock, and their peaks in thousandths of g."""

    t_us: Times
    mg: NDArray[np.int16]


class Beside(NamedTuple):
    """Hold what the spots beside this one told: times, and whether one of their loads moves from then on."""

    t_us: Times
    moves: NDArray[np.bool_]


def wrap_of(t_us: NDArray[np.integer[Any]]) -> int | None:
    """Return after how many microseconds this clock wraps: 0 if it never goes back, None if it goes back otherwise."""
    steps_us = np.diff(t_us.astype(np.int64, copy=False))
    back_us = steps_us[steps_us < 0]
    if not back_us.size:
        return 0
    return next((wrap for wrap in WRAPS_US if ((back_us + wrap >= 0) & (back_us + wrap <= GAP_US)).all()), None)


def unwrapped(t_us: Iterable[int], wrap_us: int, first_us: int) -> list[int]:
    """Return times of one clock without its wraps: each as near after the one before as can be, from `first_us` on."""
    out: list[int] = []
    now_us = first_us
    for at_us in t_us:
        back_us = now_us - at_us - wrap_us // 2  # a little earlier is no wrap: labels and ranges begin when they like
        now_us = at_us + max(0, -(-back_us // wrap_us)) * wrap_us
        out.append(now_us)
    return out


def _no_times() -> Times:
    return np.empty(0, dtype=np.int64)


def _no_ranges() -> Ranges:
    return np.empty(0, dtype=np.int16)


def _no_zones() -> Ranges:
    return np.empty((0, 64), dtype=np.int16)


class Trace(msgspec.Struct, frozen=True, eq=False, kw_only=True):
    """Hold a whole trace. `counts[i]` holds the raw counts of all cells at `t_us[i]`; `events` are its labels, if any.

    `cal` includes what stood on the platform at the start. A detector must not see `truth`. `knocks` is None where
    there was no accelerometer, `beside` where nobody told what moved beside the spot.
    """

    name: str
    cal: Cal
    t_us: Times
    counts: Counts
    events: tuple[Label, ...] = ()
    tof_t_us: Times = msgspec.field(default_factory=_no_times)
    tof_mm: Ranges = msgspec.field(default_factory=_no_ranges)
    zones_t_us: Times = msgspec.field(default_factory=_no_times)
    zones_mm: Ranges = msgspec.field(default_factory=_no_zones)
    knocks: Knocks | None = None
    beside: Beside | None = None
    scenario: str = ""
    duration_s: float = 0.0
    truth: dict[str, Any] = msgspec.field(default_factory=dict)


class _Meta(msgspec.Struct):
    cal: Cal
    id: str = ""
    scenario: str = ""
    duration_s: float | None = None
    start: Start = Start()
    events: tuple[Label, ...] = ()
    truth: dict[str, Any] = {}


def load_trace(path: Path) -> Trace:
    """Read a trace; raise `BadTrace` with a sentence."""
    arrays = _arrays(path)
    for name in ("t_us", "counts", "meta"):
        if name not in arrays:
            raise BadTrace(f"{path}: array {name!r} is missing, found {sorted(arrays)!r}: record the trace again")
    try:
        meta = msgspec.json.decode(arrays["meta"].tobytes(), type=_Meta)
    except msgspec.DecodeError as error:
        raise BadTrace(f"{path}: meta: {error}: meta is the UTF-8 bytes of a JSON object with 'cal'") from error
    events = _unwrap(arrays, meta.events)
    t_us, counts = arrays["t_us"], arrays["counts"]
    _check_times(path, "t_us", t_us)
    _check_rows(path, "counts", counts, (len(t_us), len(meta.cal.counts_per_g)))
    tof_t_us, tof_mm = _pair(path, arrays, "tof", ())
    zones_t_us, zones_mm = _pair(path, arrays, "zones", (64,))
    return Trace(
        name=meta.id or path.stem,
        scenario=meta.scenario,
        duration_s=_end_s(t_us) if meta.duration_s is None else meta.duration_s,
        cal=msgspec.structs.replace(meta.cal, start=meta.start),
        events=events,
        truth=meta.truth,
        t_us=t_us.astype(np.int64, copy=False),
        counts=counts.astype(np.int32, copy=False),
        tof_t_us=tof_t_us,
        tof_mm=tof_mm,
        zones_t_us=zones_t_us,
        zones_mm=zones_mm,
        knocks=_knocks(path, arrays),
        beside=_beside(path, arrays),
    )


def save_trace(path: Path, trace: Trace) -> None:
    """Write a trace as `load_trace` reads it."""
    cal: dict[str, Any] = msgspec.to_builtins(trace.cal)
    meta = {
        "format": FORMAT,
        "id": trace.name,
        "scenario": trace.scenario,
        "duration_s": trace.duration_s,
        "start": cal.pop("start"),
        "cal": cal,
        "events": trace.events,
        "truth": trace.truth,
    }
    more: dict[str, Any] = {}
    if trace.knocks is not None:
        more |= {"knock_t_us": trace.knocks.t_us, "knock_mg": trace.knocks.mg}
    if trace.beside is not None:
        more |= {"beside_t_us": trace.beside.t_us, "beside_moves": trace.beside.moves}
    np.savez_compressed(
        path,
        meta=np.frombuffer(msgspec.json.encode(meta), dtype=np.uint8),
        t_us=trace.t_us,
        counts=trace.counts,
        tof_t_us=trace.tof_t_us,
        tof_mm=trace.tof_mm,
        zones_t_us=trace.zones_t_us,
        zones_mm=trace.zones_mm,
        **more,
    )


def _arrays(path: Path) -> dict[str, NDArray[Any]]:
    try:
        with path.open("rb") as file:  # opened here, because numpy leaves a broken one open
            archive = np.load(file, allow_pickle=False)
            if not isinstance(archive, np.lib.npyio.NpzFile):
                raise BadTrace(f"{path}: this is one bare array: give an .npz archive of arrays")
            return {name: archive[name] for name in archive.files}
    except OSError as error:
        raise BadTrace(f"{path}: {error.strerror or error}: give the path of an .npz file") from error
    except (ValueError, EOFError, zipfile.BadZipFile) as error:
        raise BadTrace(
            f"{path}: this is not a readable .npz file ({_first_sentence(error)}): give a recorded trace"
        ) from error


def _first_sentence(error: Exception) -> str:
    """Return numpy's error without its advice to load a file unsafely that is not a trace."""
    return str(error).split(". ")[0]


def _unwrap(arrays: dict[str, NDArray[Any]], events: tuple[Label, ...]) -> tuple[Label, ...]:
    """Let all times in `arrays`, and those of the labels, go on where the samples' clock wrapped."""
    t_us = arrays["t_us"]
    wrap_us = wrap_of(t_us) if t_us.ndim == 1 and t_us.dtype.kind in "iu" else 0
    if not wrap_us:
        return events
    first_us = int(t_us[0])
    for name in TIMES:
        if name in arrays and arrays[name].ndim == 1 and arrays[name].dtype.kind in "iu":
            arrays[name] = np.array(unwrapped(arrays[name].tolist(), wrap_us, first_us), dtype=np.int64)
    out: list[Label] = []
    for event in events:
        times = [field for field in LABEL_TIMES if isinstance(event.get(field), int)]
        goes_on = unwrapped([event[field] for field in times], wrap_us, first_us)
        first_us = goes_on[0] if goes_on else first_us
        out.append({**event, **dict(zip(times, goes_on, strict=True))})
    return tuple(out)


def _check_times(path: Path, name: str, t_us: NDArray[Any]) -> None:
    if t_us.ndim != 1 or t_us.dtype.kind not in "iu":
        raise BadTrace(f"{path}: {name} has shape {t_us.shape} of {t_us.dtype}, needs whole microseconds in one row")
    if (t_us[1:] < t_us[:-1]).any():
        raise BadTrace(f"{path}: {name} goes back in time: sort the samples by time")


def _check_rows(path: Path, name: str, rows: NDArray[Any], shape: tuple[int, ...]) -> None:
    if rows.shape != shape or rows.dtype.kind not in "iu":
        raise BadTrace(
            f"{path}: {name} has shape {rows.shape} of {rows.dtype}, needs whole numbers of shape {shape}: one row "
            "per time, one column per cell or zone"
        )


def _pair(path: Path, arrays: dict[str, NDArray[Any]], name: str, row: tuple[int, ...]) -> tuple[Times, Ranges]:
    """Return the times and millimetres of one range sensor; both are empty if the trace has none."""
    t_us = arrays.get(f"{name}_t_us", _no_times())
    mm = arrays.get(f"{name}_mm", np.empty((0, *row), dtype=np.int16))
    _check_times(path, f"{name}_t_us", t_us)
    _check_rows(path, f"{name}_mm", mm, (len(t_us), *row))
    return t_us.astype(np.int64, copy=False), mm.astype(np.int16, copy=False)


def _knocks(path: Path, arrays: dict[str, NDArray[Any]]) -> Knocks | None:
    if "knock_t_us" not in arrays:
        return None
    t_us, mg = arrays["knock_t_us"], arrays.get("knock_mg", np.empty(0, dtype=np.int16))
    _check_times(path, "knock_t_us", t_us)
    if mg.shape != t_us.shape or mg.dtype.kind not in "iu":
        raise BadTrace(f"{path}: knock_mg has shape {mg.shape} of {mg.dtype}, needs one whole number for each time")
    return Knocks(t_us.astype(np.int64, copy=False), mg.astype(np.int16, copy=False))


def _beside(path: Path, arrays: dict[str, NDArray[Any]]) -> Beside | None:
    if "beside_t_us" not in arrays:
        return None
    t_us, moves = arrays["beside_t_us"], arrays.get("beside_moves", np.empty(0, dtype=np.bool_))
    _check_times(path, "beside_t_us", t_us)
    if moves.shape != t_us.shape or moves.dtype.kind != "b":
        raise BadTrace(
            f"{path}: beside_moves has shape {moves.shape} of {moves.dtype}, needs one boolean for each time"
        )
    return Beside(t_us.astype(np.int64, copy=False), moves)


def _end_s(t_us: NDArray[Any]) -> float:
    return float(t_us[-1]) / 1e6 if len(t_us) else 0.0
