"""Hold recorded falls: the forces of a pushed, pulled or shaken tower on its tile, and the outcome.

Recordings stand between the physics, which is slow and has no sensors, and the traces, which are quick and have many:
one fall is measured by many sensors. A library of them is one `.npz` file.
"""

import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

FORMAT = "citytable falls 1"
DT_S = 0.001  # of the wrench
GAZE_DT_S = 0.02  # of what a sensor above would see

Floats = NDArray[np.float32]
Outcome = Literal["collapse", "partial_collapse", "stood", "pulled"]


class PieceCast(NamedTuple):
    """Hold one piece of a tower: name of its shape, its material, its mass."""

    shape: str
    material: str
    mass_g: float


class Labels(msgspec.Struct, frozen=True):
    """Hold what happened in a recording; times from its start, heights above the tile's top, masses without the tile.

    `t_onset_s` is the start of the continuous motion of the first piece that falls, `t_impact_s` the first moment the
    force differs by more than 60 % of the building's weight, `t_end_s` when force and pieces are at rest again.
    `mass_before_g` and `mass_after_g` are weighed at rest: a piece that leans from the table against the tile counts
    with what it lays on the tile. The first `n_pieces` of `pieces` are the tower's, one that a hand brought comes after
    them; of the tower's, `n_fallen` came down or are off, `n_off` lie outside the tile or were taken by a hand.
    """

    seed: int
    trigger: str
    outcome: Outcome
    pieces: tuple[PieceCast, ...]
    t_trigger_s: float
    t_onset_s: float | None
    t_impact_s: float | None
    t_end_s: float
    mass_before_g: float
    mass_after_g: float
    height_before_mm: float
    height_after_mm: float
    n_pieces: int
    n_fallen: int
    n_off: int
    tile_mm: float
    friction: float
    dt_s: float = DT_S


class Recording(Labels, frozen=True, eq=False, kw_only=True):
    """Hold the labels with the signals.

    `wrench` float32[n, 3] every `dt_s`: (fz_n, mx_nm, my_nm), what everything that touches the tile does to it: force
    downwards positive; right-handed moments about the centre of the tile's top, so that a force f pressing down at (x,
    y) gives mx = -y f and my = +x f. Without the tile's own weight, plate or table. `top_mm` float32[m] every 20 ms:
    the highest point of any piece over the tile. `hand_mm` float32[m]: the lowest point of a hand or arm over the tile,
    above its top; nan while there is none.
    """

    wrench: Floats
    top_mm: Floats
    hand_mm: Floats

    def labels(self) -> Labels:
        """Return the labels without the signals."""
        return Labels(**{name: getattr(self, name) for name in Labels.__struct_fields__})


class BadLibrary(ValueError):
    """The file is not a library of falls; the text says what was seen and what is needed."""


def save_recordings(path: Path, recordings: Sequence[Recording]) -> None:
    """Write a library; an existing file is replaced."""
    head = msgspec.json.encode({"format": FORMAT, "labels": [recording.labels() for recording in recordings]})
    with path.open("wb") as file:  # numpy would give a bare path another suffix
        np.savez_compressed(
            file,
            allow_pickle=False,
            meta=np.frombuffer(head, dtype=np.uint8),
            wrench=_joined([recording.wrench for recording in recordings], (0, 3)),
            top_mm=_joined([recording.top_mm for recording in recordings], (0,)),
            hand_mm=_joined([recording.hand_mm for recording in recordings], (0,)),
            wrench_n=np.array([len(recording.wrench) for recording in recordings], dtype=np.int64),
            gaze_n=np.array([len(recording.top_mm) for recording in recordings], dtype=np.int64),
        )


def load_recordings(path: Path) -> list[Recording]:
    """Read a library; raise `BadLibrary` with a sentence."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
        return list(_recordings(arrays))
    except OSError as error:
        raise BadLibrary(f"{path}: {error.strerror or error}: give the path of a library of falls") from error
    except KeyError as error:
        raise BadLibrary(
            f"{path}: array {error} is missing: draw the falls again with `citytable sense falls`"
        ) from error
    except (ValueError, TypeError, EOFError, zipfile.BadZipFile) as error:
        why = str(error).split(". ", maxsplit=1)[0]
        raise BadLibrary(
            f"{path}: this is not a readable library of falls ({why}): draw the falls again with `citytable sense "
            f"falls`"
        ) from error


class _Head(msgspec.Struct):
    format: Literal["citytable falls 1"]
    labels: list[Labels]


def _recordings(arrays: dict[str, NDArray[Any]]) -> Iterator[Recording]:
    labels = msgspec.json.decode(arrays["meta"].tobytes(), type=_Head).labels
    wrenches = _parts(arrays["wrench"], arrays["wrench_n"], len(labels))
    tops = _parts(arrays["top_mm"], arrays["gaze_n"], len(labels))
    hands = _parts(arrays["hand_mm"], arrays["gaze_n"], len(labels))
    for label, wrench, top_mm, hand_mm in zip(labels, wrenches, tops, hands, strict=True):
        fields = {name: getattr(label, name) for name in Labels.__struct_fields__}
        yield Recording(**fields, wrench=wrench, top_mm=top_mm, hand_mm=hand_mm)


def _joined(parts: list[Floats], empty: tuple[int, ...]) -> Floats:
    return np.concatenate([np.zeros(empty, dtype=np.float32), *parts])


def _parts(whole: NDArray[Any], lengths: NDArray[np.int64], count: int) -> list[Floats]:
    if len(lengths) != count or lengths.sum() != len(whole):
        raise ValueError(f"{count} labels, but {len(lengths)} signals with {lengths.sum()} of {len(whole)} values")
    return [np.asarray(part, dtype=np.float32) for part in np.split(whole, np.cumsum(lengths)[:-1])] if count else []
