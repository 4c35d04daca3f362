"""Draw traces of a hex of the city: platforms come and go with their buildings, and nobody takes or adds a piece.

Buildings are brought and slid in, neighbours' are pushed against them, people lean, straighten, bump and sweep, and
things fall. After a fall hands are there: pieces are put back or gathered, or the platform is taken away. Now and then
the hex holds a park, whose only piece, a monument, people set down and take by hand; of that hex nothing is known.

Shares are guesses, of what happens to one building between its delivery and the end of a game.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from msgspec.structs import replace

from citytable.sensing.calibration import Start
from citytable_lab import acts_falls, acts_pieces, acts_platform, acts_soft, acts_table
from citytable_lab.beside import FIRST, with_beside
from citytable_lab.cells import draw_cells
from citytable_lab.compose import Act, Family, blind, draw_played, measure
from citytable_lab.habits import PieceSet, draw_habits
from citytable_lab.plate import draw_plate
from citytable_lab.recording import Recording
from citytable_lab.stage import Piece, Stage
from citytable_lab.trace_file import Trace

ACTS: tuple[tuple[Act, float], ...] = (
    (acts_table.neighbour, 3),
    (acts_platform.slide, 1),
    (acts_platform.lift_and_put, 0.4),
    (acts_platform.lift_edge, 0.2),
    (acts_platform.swap_tower, 0.2),
    (acts_pieces.nudge, 0.5),
    (acts_platform.lean, 0.6),
    (acts_table.bump, 1.5),
    (acts_table.cup, 0.5),
    (acts_table.footsteps, 0.5),
    (acts_table.phone, 0.3),
    (acts_table.music, 0.2),
    (acts_table.tremble, 0.3),
    (acts_table.table_lean, 0.5),
    (acts_table.creep_lean, 0.5),
    (acts_table.touching, 0.4),
    (acts_table.passing_hand, 1),
    (acts_pieces.add_piece, 0.1),  # the cube, or a last piece that was forgotten
)
LABELS_OF_GAME = 500  # acts that the hexes of a game feel: 32 buildings, and 16 of each as they are labelled
BY_PIECES = ("pull", "drop", "misplace")  # what makes recorded towers fall while somebody takes or adds a piece
FALLS: dict[Family, float] = {"fall": 0.45, "fall_quick": 0.2, "fall_soft": 0.18, "sweep": 0.12, "fall_on": 0.05}
QUIET, PARK = 0.4, 0.06  # share of traces in which nothing falls, and of those of a park
BROUGHT = 0.5  # share of traces that begin with a delivery
LENGTH_S = (40.0, 150.0)
PIECES = (2, 12)


def city_traces(
    seed: int, traces: int, cells: int, piece_set: PieceSet, recordings: Sequence[Recording]
) -> Iterator[Trace]:
    """Draw so many traces of hexes of the city, without range sensors."""
    for number in range(traces):
        rng = np.random.default_rng([seed, number])
        trace = city_trace(rng, cells, piece_set, recordings, float(rng.uniform(*LENGTH_S)), falls=rng.random() > QUIET)
        yield replace(trace, name=f"city-{piece_set}-{cells}-{seed}-{number:05d}")


def city_stress(seed: int, hours: float, cells: int, piece_set: PieceSet, length_s: float) -> Iterator[Trace]:
    """Draw hours on hexes of the city in which nothing falls, in traces of `length_s`."""
    for number in range(max(1, round(hours * 3600 / length_s))):
        rng = np.random.default_rng([seed, number])
        trace = city_trace(rng, cells, piece_set, (), length_s, falls=False)
        yield replace(trace, name=f"city-stress-{seed}-{number:05d}")


def city_trace(
    rng: np.random.Generator,
    cells: int,
    piece_set: PieceSet,
    recordings: Sequence[Recording],
    length_s: float,
    *,
    falls: bool,
) -> Trace:
    """Draw one trace; with `falls` something falls once or twice."""
    recordings = [one for one in recordings if one.trigger not in BY_PIECES]
    plate, cell = draw_plate(rng, cells), draw_cells(rng, cells)
    stage = Stage(rng, draw_habits(rng, piece_set), plate, [])
    park = rng.random() < PARK
    stage = Stage(rng, stage.habits, plate, [] if park else _tower(stage))
    start = Start(len(stage.pieces), round(stage.mass_g, 3), round(stage.height_mm, 1))
    stage.wait(float(rng.uniform(0.8, 3.0)))
    if park:
        _park(stage, length_s)
    else:
        _building(stage, length_s, recordings, falls=falls)
    trace = blind(measure(rng, stage, start, cell, "city"))
    return with_beside(rng, replace(trace, cal=replace(trace.cal, kept=not park)), FIRST)


def _tower(stage: Stage) -> list[Piece]:
    """Return the pieces of a building, one above or beside the other."""
    drawing = Stage(stage.rng, stage.habits, stage.plate, [])
    for _ in range(int(stage.rng.integers(PIECES[0], PIECES[1] + 1))):
        drawing.pieces.append(acts_pieces.draw_piece(drawing))
    return drawing.pieces


def _deliver(stage: Stage, pieces: list[Piece]) -> None:
    """Bring a platform with a building to this hex, and slide it to its neighbours."""
    acts_platform.bring_another(stage, pieces)
    for _ in range(int(stage.rng.integers(0, 4))):
        stage.wait(float(stage.rng.uniform(0.05, 1.0)))
        acts_platform.slide(stage)


def _acts(stage: Stage, count: int, pause_s: float) -> None:
    weights = np.array([weight for _, weight in ACTS])
    for at in stage.rng.choice(len(ACTS), count, p=weights / weights.sum()).tolist():
        ACTS[at][0](stage)
        stage.wait(float(stage.rng.exponential(pause_s)) + 0.4)


def _building(stage: Stage, length_s: float, recordings: list[Recording], *, falls: bool) -> None:
    """Play around a building until the trace is long enough."""
    rng = stage.rng
    pause_s = float(rng.uniform(0.6, 4.0))
    if rng.random() < BROUGHT:
        _deliver(stage, _tower(stage))
        stage.wait(float(rng.uniform(0.4, 3)))
    falls_ms = [] if not falls else sorted(rng.uniform(4, length_s, int(rng.choice([1, 1, 2]))) * 1000)
    while stage.now_ms < length_s * 1000 or falls_ms:
        if falls_ms and stage.now_ms > min(falls_ms[0], length_s * 900):
            falls_ms.pop(0)
            _fall(stage, recordings, pause_s)
            _put_right(stage)
        else:
            _acts(stage, 1, pause_s)
    stage.wait(float(rng.uniform(2.6, 4)))


def _fall(stage: Stage, recordings: list[Recording], pause_s: float) -> None:
    """Let something fall: recorded towers are delivered first, others fall as they stand here."""
    rng = stage.rng
    families = list(FALLS)
    family = families[int(rng.choice(len(families), p=np.array(list(FALLS.values()))))]
    fitting = [] if family in ("fall_quick", "fall_soft") else acts_falls.recordings_by(recordings, family)
    if fitting and not (family == "sweep" and rng.random() < 0.5):
        played = draw_played(rng, stage.habits.piece_set, fitting)
        _deliver(stage, list(played.before))
        _acts(stage, int(rng.integers(0, 4)), pause_s)
        if _stands(stage, played.before):
            acts_falls.play(stage, played)
        return
    if len(stage.pieces) < PIECES[0]:
        _deliver(stage, _tower(stage))
        stage.wait(float(rng.uniform(0.5, 3)))
    if family == "fall_soft":
        acts_soft.fall_softly(stage)
    else:
        acts_falls.topple(stage, sweep=family == "sweep", stays_on=family == "fall_on")


def _stands(stage: Stage, pieces: tuple[Piece, ...]) -> bool:
    """Return whether exactly this building still stands here."""
    return not stage.lifted and stage.pieces == list(pieces)


def _put_right(stage: Stage) -> None:
    """Do what people do after a fall: nothing, put a piece back, or take the platform away.

    What is left of a building that collapsed they may gather by hand (R35); what lost a few pieces stands on.
    """
    rng = stage.rng
    stage.wait(float(np.exp(rng.uniform(np.log(1.2), np.log(10)))))
    match int(rng.choice(4, p=(0.35, 0.2, 0.2, 0.25))):
        case 1:
            for _ in range(int(rng.integers(1, 3))):
                acts_pieces.add_piece(stage)
                stage.wait(float(rng.uniform(0.3, 2)))
        case 2 if stage.labels[-1]["kind"] == "collapse":
            while stage.pieces:
                acts_pieces.take(stage, min(len(stage.pieces), int(rng.integers(1, 4))))
                stage.wait(float(rng.uniform(0.2, 2)))
        case 3:
            _deliver(stage, _tower(stage))
        case _:
            pass
    stage.wait(float(rng.uniform(2.6, 4)))


def _park(stage: Stage, length_s: float) -> None:
    """Play around a park, on which a monument is set, taken, or changed for another."""
    while stage.now_ms < length_s * 1000:
        if stage.rng.random() < 0.15:
            acts_pieces.swap_piece(stage)
        else:
            _acts(stage, 1, 2.0)
