"""Compose whole traces: who does what on one spot, act after act, and what its sensors record of it."""

from collections.abc import Callable
from typing import Literal, TypeAlias, get_args

import msgspec
import numpy as np
from numpy.typing import NDArray

from citytable.sensing.calibration import Cal, Start
from citytable_lab import acts_falls, acts_pieces, acts_platform, acts_soft, acts_table
from citytable_lab.cells import Cells, Fault, FaultKind, convert, draw_cells, misreads, spike
from citytable_lab.habits import PIECE_G, Habits, PieceSet, draw_habits
from citytable_lab.knocks import heard
from citytable_lab.plate import Plate, cell_loads, draw_plate
from citytable_lab.ranges import Optics, draw_optics, eight_by_eight, single_zone
from citytable_lab.recording import Recording
from citytable_lab.stage import Piece, Stage
from citytable_lab.surroundings import draw_surroundings
from citytable_lab.trace_file import Label, Trace

Family: TypeAlias = Literal[
    "fall", "fall_quick", "fall_soft", "play", "lift", "lean", "neighbour", "fault", "sweep", "fall_on", "stress"
]
Act: TypeAlias = Callable[[Stage], None]
FAMILIES: tuple[Family, ...] = get_args(Family)
FALLING = ("fall", "fall_quick", "fall_soft", "sweep", "fall_on")
WHAT_FAILS: tuple[FaultKind, ...] = ("disconnect", "disconnect", "stuck", "rail", "spike", "spike")
NO_RANGES = 0.15  # share of traces whose table has no range sensor above this spot
STRESS_S = 360.0
DRAWN_SWEEPS = 0.5  # share of sweeps that are drawn though there are recordings: a real sleeve is quicker and softer

CHANGING: tuple[tuple[Act, float], ...] = (  # what leaves another building behind
    (acts_pieces.add_piece, 10),
    (acts_pieces.remove_piece, 5),
    (acts_pieces.swap_piece, 1.5),
    (acts_platform.swap_tower, 0.3),
)
STILL: tuple[tuple[Act, float], ...] = (
    (acts_pieces.nudge, 1.5),
    (acts_platform.lift_and_put, 1.2),
    (acts_platform.lift_edge, 0.4),
    (acts_platform.slide, 1.5),
    (acts_platform.lean, 3),
    (acts_table.bump, 2),
    (acts_table.cup, 0.6),
    (acts_table.footsteps, 0.6),
    (acts_table.phone, 0.8),
    (acts_table.music, 0.3),
    (acts_table.tremble, 0.4),
    (acts_table.table_lean, 0.6),
    (acts_table.creep_lean, 0.7),
    (acts_table.neighbour, 1.2),
    (acts_table.touching, 0.5),
    (acts_table.passing_hand, 0.6),
)
MORE: dict[str, tuple[tuple[Act, float], ...]] = {
    "lift": ((acts_platform.lift_and_put, 40), (acts_platform.swap_tower, 6), (acts_platform.lift_edge, 4)),
    "lean": ((acts_platform.lean, 60), (acts_pieces.nudge, 8)),
    "neighbour": (
        (acts_table.neighbour, 20),
        (acts_table.touching, 8),
        (acts_platform.slide, 12),
        (acts_table.bump, 12),
    ),
}


def compose(
    rng: np.random.Generator,
    family: Family,
    cells: int,
    piece_set: PieceSet,
    recordings: list[Recording],
    ears: np.random.Generator | None = None,
) -> Trace:
    """Compose one trace of a family.

    Without `recordings` all its falls are drawn by formulas, with them only `fall_quick` and `fall_soft`.

    `cells` is 1 to 3. The same state of `rng` and the same recordings give the same trace. `ears` adds what an
    accelerometer hears, drawn from a generator of its own, and changes nothing else.
    """
    plate, cell = draw_plate(rng, cells), draw_cells(rng, cells)
    stage, start = enact(rng, family, plate, piece_set, recordings)
    trace = measure(rng, stage, start, cell, family)
    return trace if ears is None else _listened(ears, stage, trace)


def _listened(rng: np.random.Generator, stage: Stage, trace: Trace) -> Trace:
    """Return the same trace as recorded by a station with an accelerometer."""
    around = draw_surroundings(rng)
    truth = trace.truth | {"surroundings": around}
    return msgspec.structs.replace(trace, truth=truth, knocks=heard(rng, around, stage, stage.wrench()))


def enact(
    rng: np.random.Generator, family: Family, plate: Plate, piece_set: PieceSet, recordings: list[Recording]
) -> tuple[Stage, Start]:
    """Return the stage of a trace of a family, and the pieces on it at the beginning; no sensor has seen it yet."""
    habits = draw_habits(rng, piece_set)
    if family in FALLING:
        drawn = family in ("fall_quick", "fall_soft") or (family == "sweep" and rng.random() < DRAWN_SWEEPS)
        fitting = [] if drawn else acts_falls.recordings_by(recordings, family)
        if fitting:
            return _to_recordings(rng, habits, plate, fitting)
        return _to_drawn_falls(rng, habits, plate, family)
    stage = _begun(rng, habits, plate, int(rng.integers(0, 12)))
    start = _start(stage)
    _opening(stage)
    if family == "fault":
        _plan_faults(stage)
    _act_on(stage, family)
    return stage, start


def _start(stage: Stage) -> Start:
    return Start(pieces_on=len(stage.pieces), mass_g=round(stage.mass_g, 3), height_mm=round(stage.height_mm, 1))


def _opening(stage: Stage) -> None:
    stage.wait(float(stage.rng.uniform(0.8, 3.0)))


def _choose(rng: np.random.Generator, acts: tuple[tuple[Act, float], ...]) -> Act:
    weights = np.array([weight for _, weight in acts])
    return acts[int(rng.choice(len(acts), p=weights / weights.sum()))][0]


def _length_s(rng: np.random.Generator, family: Family) -> float:
    if family == "stress":
        return STRESS_S
    return float(np.exp(rng.uniform(np.log(20), np.log(360)))) if family == "play" else float(rng.uniform(15, 60))


def _act_on(stage: Stage, family: Family) -> None:
    """Add acts until the trace is long enough."""
    rng = stage.rng
    end_ms = int(_length_s(rng, family) * 1000)
    acts = CHANGING + STILL + MORE.get(family, ())
    pause_s = rng.uniform(0.3, 3.0)
    while stage.now_ms < end_ms:
        before = stage.now_ms
        if len(stage.pieces) > 14:
            acts_pieces.remove_piece(stage)
        else:
            _choose(rng, acts)(stage)
        if family == "stress":  # an act begins every 3 to 9 s
            stage.now_ms = max(stage.now_ms + 300, before + int(rng.uniform(3000, 9000)))
        else:
            stage.wait(float(rng.exponential(pause_s)) + (0.0 if rng.random() < 0.15 else 0.4))
    stage.wait(float(rng.uniform(0.5, 2.0)))


def _plan_faults(stage: Stage) -> None:
    """Draw faults at times of their own, independent of people's acts."""
    rng = stage.rng
    cells = len(stage.plate.share)
    at_ms = stage.now_ms + int(rng.uniform(0, 6000))
    for _ in range(int(rng.integers(1, 7))):
        what, cell = WHAT_FAILS[int(rng.integers(len(WHAT_FAILS)))], int(rng.integers(cells))
        fault = spike(cell, at_ms) if what == "spike" else (what, cell, at_ms, at_ms + int(rng.uniform(700, 9000)))
        stage.faults.append(fault)
        at_ms = fault[3] + int(rng.uniform(1500, 12000))


def _to_recordings(
    rng: np.random.Generator, habits: Habits, plate: Plate, recordings: list[Recording]
) -> tuple[Stage, Start]:
    """Build a recorded tower, in part at once and then piece by piece, play its fall and what people do next.

    Sometimes repeat.
    """
    played = draw_played(rng, habits.piece_set, recordings)
    begun = int(rng.integers(0, len(played.before) + 1))
    stage = Stage(rng, habits, plate, list(played.before[:begun]))
    start = _start(stage)
    _opening(stage)
    _finish_and_play(stage, played, begun)
    if rng.random() < 0.3:
        played = draw_played(rng, habits.piece_set, recordings)
        begun = int(rng.integers(0, len(played.before) + 1))
        acts_platform.bring_another(stage, list(played.before[:begun]))
        stage.wait(float(rng.uniform(0.4, 2)))
        _finish_and_play(stage, played, begun)
    return stage, start


def _finish_and_play(stage: Stage, played: acts_falls.Played, begun: int) -> None:
    _build(stage, list(played.before[begun:]))
    acts_falls.play(stage, played)
    _afterwards(stage)


def draw_played(rng: np.random.Generator, piece_set: PieceSet, recordings: list[Recording]) -> acts_falls.Played:
    """Return one of the recordings, as heavy as pieces of the set."""
    recording = recordings[int(rng.integers(len(recordings)))]
    scale = float(rng.uniform(0.85, 1.15))
    if piece_set == "house":
        low, high = PIECE_G["house"]
        scale = float(rng.uniform(low + 0.5, high - 2)) * recording.n_pieces / sum(p.mass_g for p in recording.pieces)
    return acts_falls.prepare(rng, recording, scale)


def _build(stage: Stage, pieces: list[Piece]) -> None:
    """Set every piece in its place, with acts in between that leave the building as it is."""
    rng = stage.rng
    busy = rng.uniform(0, 0.6)
    for piece in pieces:
        if rng.random() < busy:
            _choose(rng, STILL)(stage)
            stage.wait(float(rng.uniform(0.2, 1.5)))
        acts_pieces.set_down(stage, [piece])
        stage.wait(float(rng.exponential(0.8)) + (0.0 if rng.random() < 0.2 else 0.4))
    for _ in range(int(rng.integers(0, 3))):
        _choose(rng, STILL)(stage)
        stage.wait(float(rng.uniform(0.3, 1.5)))
    stage.wait(float(rng.uniform(0.2, 2.0)))


def _afterwards(stage: Stage) -> None:
    """Wait for a while, or bring hands in at once: gather pieces, take the platform, go on building."""
    rng = stage.rng
    stage.wait(float(np.exp(rng.uniform(np.log(0.4), np.log(4)))))
    match rng.integers(4):
        case 0 if not stage.lifted:
            acts_platform.lift_and_put(stage)
        case 1:
            for _ in range(int(rng.integers(1, 4))):
                acts_pieces.remove_piece(stage)
                stage.wait(float(rng.uniform(0.1, 1.0)))
        case 2:
            for _ in range(int(rng.integers(1, 3))):
                acts_pieces.add_piece(stage)
                stage.wait(float(rng.uniform(0.1, 1.0)))
        case _:
            pass
    stage.wait(float(rng.uniform(0.5, 2.5)))


def _to_drawn_falls(rng: np.random.Generator, habits: Habits, plate: Plate, family: Family) -> tuple[Stage, Start]:
    stage = _begun(rng, habits, plate, int(rng.integers(0, 9)))
    start = _start(stage)
    _opening(stage)
    for _ in range(int(rng.choice([1, 1, 2, 3]))):
        wanted = int(rng.integers(2, 13))
        new = [acts_pieces.draw_piece(stage) for _ in range(min(max(0, wanted - len(stage.pieces)), 5))]
        _build(stage, new or [acts_pieces.draw_piece(stage)])
        if family == "fall_soft":
            acts_soft.fall_softly(stage)
        else:
            acts_falls.topple(stage, sweep=family == "sweep", stays_on=family == "fall_on")
        _afterwards(stage)
    return stage, start


def _begun(rng: np.random.Generator, habits: Habits, plate: Plate, count: int) -> Stage:
    """Return a stage with `count` pieces on it."""
    drawing = Stage(rng, habits, plate, [])
    for _ in range(count):
        drawing.pieces.append(acts_pieces.draw_piece(drawing))
    return Stage(rng, habits, plate, drawing.pieces)


def measure(rng: np.random.Generator, stage: Stage, start: Start, cell: Cells, scenario: str) -> Trace:
    """Return the trace that sensors record of a stage."""
    wrench = stage.wrench()
    stage.faults = [fault for fault in stage.faults if fault[3] < stage.now_ms] + misreads(rng, cell, stage.now_ms)
    t_us, counts = convert(rng, cell, cell_loads(stage.plate, wrench, 1 / cell.rate_hz), stage.faults)
    optics, seen = draw_optics(rng), stage.sight.seen(stage.now_ms)
    trace = Trace(
        name="drawn",
        scenario=scenario,
        duration_s=stage.now_ms / 1000,
        cal=_cal(stage, start, cell, optics),
        t_us=t_us,
        counts=counts,
        events=_events(stage, wrench),
        truth={"cells": cell, "plate": stage.plate, "optics": optics, "habits": stage.habits},
    )
    if rng.random() < NO_RANGES:
        return blind(trace)
    tof_t_us, tof_mm = single_zone(rng, optics, seen, stage.now_ms)
    zones_t_us, zones_mm = eight_by_eight(rng, optics, seen, stage.now_ms)
    return msgspec.structs.replace(trace, tof_t_us=tof_t_us, tof_mm=tof_mm, zones_t_us=zones_t_us, zones_mm=zones_mm)


def blind(trace: Trace) -> Trace:
    """Return the same trace as recorded without a range sensor above the spot."""
    cal = msgspec.structs.replace(trace.cal, tof_height_mm=0.0, tof_fov_deg=0.0, tof_rate_hz=0.0)
    no_us, no_mm = np.empty(0, np.int64), np.empty(0, np.int16)
    return msgspec.structs.replace(
        trace, cal=cal, tof_t_us=no_us, tof_mm=no_mm, zones_t_us=no_us, zones_mm=no_mm.reshape(0, 64)
    )


def _cal(stage: Stage, start: Start, cell: Cells, optics: Optics) -> Cal:
    return Cal(
        counts_per_g=cell.counts_per_g,
        zero_counts=cell.zero_counts,
        tile_g=stage.habits.tile_g,
        tile_mm=stage.habits.tile_mm,
        cell_xy_mm=stage.plate.cell_xy_mm,
        rate_hz=cell.rate_hz,
        tof_height_mm=optics.height_mm,
        tof_fov_deg=optics.fov_deg,
        tof_rate_hz=optics.rate_hz,
        heaviest_g=PIECE_G[stage.habits.piece_set][1],
        start=start,
    )


def _events(stage: Stage, wrench: NDArray[np.float32]) -> tuple[Label, ...]:
    """Return all labels in the order of their beginning; a fault stands beside the acts of that time."""
    for label in stage.labels:
        if label["sub"] == "fall" and "t_impact_us" not in label:
            label.update(_impact(label, wrench[:, 0] - stage.habits.tile_g))
    faults = [_fault_label(stage, fault) for fault in stage.faults]
    return tuple(sorted(stage.labels + faults, key=lambda label: int(label["t_onset_us"])))


def _impact(label: Label, load_g: NDArray[np.float32]) -> Label:
    """Return when the force first differed from the building's weight by more than 60 % of it, if it ever did."""
    from_ms, to_ms = label["t_onset_us"] // 1000, label["t_end_us"] // 1000
    far = np.abs(load_g[from_ms:to_ms] - label["mass_before_g"]) > 0.6 * label["mass_before_g"]
    return {"t_impact_us": (from_ms + int(np.argmax(far))) * 1000} if far.any() else {}


def _fault_label(stage: Stage, fault: Fault) -> Label:
    what, cell, from_ms, to_ms = fault
    past = [label for label in stage.labels if label["t_onset_us"] <= from_ms * 1000]
    last = max(past, key=lambda label: int(label["t_onset_us"]), default=None)
    start_g, start_mm = stage.began
    mass_g = start_g if last is None else last["mass_after_g"]
    height_mm = start_mm if last is None else last["height_after_mm"]
    return {
        "kind": "fault",
        "sub": "disconnect" if what == "rail" else what,
        "t_onset_us": from_ms * 1000,
        "t_end_us": to_ms * 1000,
        "mass_before_g": mass_g,
        "mass_after_g": mass_g,
        "height_before_mm": height_mm,
        "height_after_mm": height_mm,
        "cell": cell,
    }
