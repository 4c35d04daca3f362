"""Label a simulated episode: which pieces fell, when the fall began and when it was over."""

import msgspec
import numpy as np
from numpy.typing import NDArray

from citytable_lab.recording import DT_S, Outcome
from citytable_lab.tower import inside_hexagon

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
FALLEN_MM = 5.0  # lower than this, a piece has come down
STILL_MM_S = 8.0
IMPACT_SHARE = 0.6
BRIEFEST_S = 0.03
REST_G = 0.4
GRAVITY = 9.81


class Course(msgspec.Struct, frozen=True, eq=False):
    """Hold an episode as it went, relative to the tile.

    `at_mm` float[t, n, 3] and `speed_mm_s` float[t, n] of the pieces' middles every `look_s`; `force_g` float[k] every
    `DT_S`; `pieces` are those of the tower, a newcomer comes after them; `taken` is the piece that a hand takes away;
    `trigger_s` is when a hand first touched something, or the tile or a piece was first moved.
    """

    at_mm: Floats
    speed_mm_s: Floats
    look_s: float
    force_g: Floats
    tile_mm: float
    pieces: int
    taken: int | None
    trigger_s: float
    height_mm: tuple[float, float]


class Verdict(msgspec.Struct, frozen=True):
    """Hold the labels of an episode, as in `Labels`.

    It is not `clear` when a newcomer stayed and weighs as much as what fell, or when a piece sank and never moved fast.
    """

    outcome: Outcome
    onset_s: float | None
    impact_s: float | None
    end_s: float
    before_g: float
    after_g: float
    fallen: int
    off: int
    clear: bool


def judge(course: Course) -> Verdict:
    """Label an episode."""
    fell, off = _fell(course)
    mine = slice(0, course.pieces)
    before_g = float(course.force_g[: round(0.15 / DT_S)].mean())
    after_g = float(course.force_g[-round(0.08 / DT_S) :].mean())
    fell_here = np.flatnonzero(fell[mine])
    onset_s = min((_onset_s(course, int(piece)) for piece in fell_here), default=None)
    end_s = max(_end_s(course, off, after_g), onset_s or 0.0)
    added = bool((~off[course.pieces :]).any())
    return Verdict(
        outcome=_outcome(course, fell[mine]),
        onset_s=onset_s,
        impact_s=None if onset_s is None else _impact_s(course, before_g),
        end_s=end_s,
        before_g=before_g,
        after_g=after_g,
        fallen=len(fell_here),
        off=int(off[mine].sum()),
        clear=not (added and after_g >= before_g) and (onset_s is None or end_s - onset_s > BRIEFEST_S),
    )


def _fell(course: Course) -> tuple[Flags, Flags]:
    """Return for each piece whether it came down or is off, and whether it is off."""
    end = course.at_mm[-1]
    off = np.array([not inside_hexagon(x, y, course.tile_mm) or z < 0 for x, y, z in end])
    return off | (course.at_mm[0, :, 2] - end[:, 2] > FALLEN_MM), off


def _outcome(course: Course, fell: Flags) -> Outcome:
    by_themselves = fell.copy()
    if course.taken is not None:
        by_themselves[course.taken] = False
    before, after = course.height_mm
    if not by_themselves.any():
        return "stood" if course.taken is None else "pulled"
    if fell.sum() * 2 >= course.pieces or after * 2 <= before:
        return "collapse"
    return "partial_collapse"


def _onset_s(course: Course, piece: int) -> float:
    """Return when the motion began in which a piece came down.

    After its last rest before it was lower, or gone sideways.
    """
    way = course.at_mm[:, piece] - course.at_mm[0, piece]
    gone = (way[:, 2] < -FALLEN_MM / 2) | (np.hypot(way[:, 0], way[:, 1]) > 4 * FALLEN_MM)
    first = int(np.argmax(gone)) if gone.any() else len(gone) - 1
    still = np.flatnonzero(course.speed_mm_s[:first, piece] < STILL_MM_S)
    return float((still[-1] if len(still) else 0) * course.look_s)


def _impact_s(course: Course, before_g: float) -> float | None:
    start = round(course.trigger_s / DT_S)
    hit = np.abs(smooth(course.force_g, 4) - before_g)[start:] > IMPACT_SHARE * before_g
    return float((start + np.argmax(hit)) * DT_S) if hit.any() else None


def _end_s(course: Course, off: Flags, after_g: float) -> float:
    """Return when neither the force nor a piece on the tile moves any more."""
    forces = np.flatnonzero(np.abs(smooth(course.force_g, 10) - after_g) > REST_G)
    moving = np.flatnonzero((course.speed_mm_s[:, ~off] > 2 * STILL_MM_S).any(axis=1))
    force_s = forces[-1] * DT_S if len(forces) else 0.0
    motion_s = moving[-1] * course.look_s if len(moving) else 0.0
    return float(max(force_s, motion_s, course.trigger_s))


def smooth(values: Floats, width: int) -> Floats:
    """Return a running mean, with the ends as they are."""
    padded = np.pad(values, (width // 2, width - 1 - width // 2), mode="edge")
    return np.convolve(padded, np.full(width, 1 / width), mode="valid")
