"""Act out building: pieces set down and taken, one or several, gently or not."""

import numpy as np

from citytable.table.sizes import SIZES
from citytable_lab.habits import PIECE_G
from citytable_lab.plate import Floats
from citytable_lab.stage import Piece, Stage
from citytable_lab.touch import holding, landing, let_go, press, pulse, ramp, restless, ringing, spread, taps

HIGHEST_MM = SIZES.tower_mm
REACH_MM = 36.0  # from the middle of a tile to where a piece may stand


def draw_piece(stage: Stage, *, cube: bool = False) -> Piece:
    """Draw a piece of the trace's set somewhere on the tile, standing on the others or beside them."""
    rng, low_high = stage.rng, PIECE_G[stage.habits.piece_set]
    mass_g = rng.uniform(0.7, 1.3) if cube else rng.uniform(*low_high)
    x_mm, y_mm = rng.normal(0, REACH_MM / 2.5, 2).clip(-REACH_MM, REACH_MM)
    small = 8.0 if cube else float(rng.choice([0, 8, 10, 15, 20, 20, 25, 30, 40, 60]))
    if stage.habits.piece_set == "house":
        small *= 0.6
    if not stage.height_mm:
        small = max(small, 8.0)
    rise_mm = small if stage.height_mm < HIGHEST_MM else 0.0  # beside the others
    return Piece(round(float(mass_g), 3), float(x_mm), float(y_mm), rise_mm, cube)


def add_piece(stage: Stage) -> None:
    """Set a piece down and let it go; sometimes it is a cube, or a stack of several pieces."""
    rng, habits = stage.rng, stage.habits
    count = int(rng.integers(2, 5)) if rng.random() < habits.stacks else 1
    cube = count == 1 and rng.random() < 0.12
    set_down(stage, [draw_piece(stage, cube=cube) for _ in range(count)])


def set_down(stage: Stage, pieces: list[Piece]) -> None:
    """Set `pieces` down as one: they arrive, are pressed, held, tapped, and let go."""
    rng, habits = stage.rng, stage.habits
    before = (stage.mass_g, stage.height_mm)
    come_ms = stage.now_ms
    _approach(stage)
    if rng.random() < habits.fumbles:
        _fumble(stage, pieces)
    onset_ms = stage.now_ms
    weight_g = sum(piece.mass_g for piece in pieces)
    x_mm, y_mm = _middle(pieces)
    contact = _dropped(stage, weight_g, x_mm, y_mm) if rng.random() < habits.drops else _lowered(stage, x_mm, y_mm)
    for piece in pieces:
        stage.put_on(onset_ms, piece, contact)
    label = "cube" if len(pieces) == 1 and pieces[0].cube else "piece"
    stage.label("piece_added", label, onset_ms, stage.now_ms, before, piece_g=round(weight_g, 3), n=len(pieces))
    leave_ms = int(rng.uniform(30, 700) * habits.pace)
    stage.sight.hand(come_ms, stage.now_ms + leave_ms, before[1])
    stage.now_ms += leave_ms // 2


def _middle(pieces: list[Piece]) -> tuple[float, float]:
    mass_g = sum(piece.mass_g for piece in pieces)
    return (
        sum(piece.mass_g * piece.x_mm for piece in pieces) / mass_g,
        sum(piece.mass_g * piece.y_mm for piece in pieces) / mass_g,
    )


def _approach(stage: Stage) -> None:
    """Bring the hand in; it may brush or knock against what stands there."""
    rng, habits = stage.rng, stage.habits
    n = int(rng.uniform(120, 1300) * habits.pace)
    if rng.random() < 0.45:
        brush = spread(rng, 0.3 * habits.wobble_g, 0.8) * restless(rng, n, 1, 7)
        stage.push(stage.now_ms, brush * np.linspace(0, 1, n), *rng.normal(0, 20, 2))
    if rng.random() < 0.12:
        knock(stage, stage.now_ms + int(rng.integers(0, n)))
    stage.now_ms += n


def knock(stage: Stage, at_ms: int) -> None:
    """Bump against the building: short, mostly sideways, felt as moments."""
    rng, habits = stage.rng, stage.habits
    peak_g = spread(rng, 0.7 * habits.press_g, 0.8)
    hit = pulse(int(rng.integers(3, 40)), min(peak_g, 120.0))
    sideways = rng.normal(0, 1, 2) * stage.height_mm * 0.5
    stage.twist(at_ms, hit[:, None] * np.array([rng.normal(0, 0.5), *sideways]))


def _fumble(stage: Stage, pieces: list[Piece]) -> None:
    """Set a piece down and take it up again before it is let go, or hold it against its place for a while."""
    rng, habits = stage.rng, stage.habits
    weight_g = sum(piece.mass_g for piece in pieces)
    x_mm, y_mm = _middle(pieces)
    n = int(rng.uniform(80, 900) * habits.pace)
    up, down = (min(n // 2, int(rng.uniform(5, 150))) for _ in range(2))
    share = rng.uniform(0.1, 1.0) * weight_g
    level = np.full(n, share) + spread(rng, 0.6 * habits.wobble_g) * restless(rng, n, 1, 8)
    level[:up] *= ramp(rng, up)
    level[n - down :] *= 1 - ramp(rng, down)
    stage.push(stage.now_ms, level, x_mm, y_mm)
    stage.now_ms += n + int(rng.uniform(20, 600) * habits.pace)


def _dropped(stage: Stage, weight_g: float, x_mm: float, y_mm: float) -> Floats:
    """Drop a piece before it stands: it falls, bounces, rocks, and no hand presses it."""
    rng = stage.rng
    fall_mm = float(np.exp(rng.uniform(np.log(0.3), np.log(15))))
    hit = landing(rng, weight_g, fall_mm)
    stage.push(stage.now_ms, hit, x_mm, y_mm)
    rock = int(rng.uniform(30, 500))
    rocking = spread(rng, 0.15 * weight_g) * restless(rng, rock, 8, 30) * np.linspace(1, 0, rock) ** 2
    stage.twist(stage.now_ms, rocking[:, None] * np.array([0.3, *rng.normal(0, 8, 2)]))
    stage.now_ms += len(hit) + rock // 2
    return np.linspace(0, 1, 3)


def _lowered(stage: Stage, x_mm: float, y_mm: float) -> Floats:
    """Lower a piece by hand, which then presses, holds, taps, and goes."""
    rng, habits = stage.rng, stage.habits
    start = stage.now_ms
    contact = ramp(rng, int(np.exp(rng.uniform(np.log(3), np.log(220)))))
    held = int(rng.uniform(120, 1400) * habits.pace)
    force = holding(rng, habits, max(held, len(contact)))
    for _ in range(int(rng.choice([0, 1, 1, 1, 2]))):
        push = press(rng, habits)
        at = int(rng.integers(0, max(1, len(force) // 3)))
        end = min(at + len(push), len(force))
        force[at:end] += push[: end - at]
    if rng.random() < habits.taps:
        force = np.concatenate([force, taps(rng, habits)])
    if rng.random() < habits.two_handed:
        other = holding(rng, habits, len(force))
        stage.push(start, let_go(rng, other, int(rng.uniform(5, 150))), -x_mm, -y_mm)
    force = let_go(rng, force, int(np.exp(rng.uniform(np.log(4), np.log(160)))))
    force = np.concatenate([force, -pulse(int(rng.integers(8, 60)), abs(spread(rng, 0.06 * habits.press_g)))])
    lean = rng.normal(0, 0.3, 2) * stage.height_mm  # a hand that pushes sideways high up
    stage.push(start, force, x_mm, y_mm)
    stage.twist(start, np.stack([0 * force, force * lean[0], force * lean[1]], axis=1) * 0.5)
    stage.now_ms += len(force)
    return contact


def remove_piece(stage: Stage) -> None:
    """Grip and take the last piece, or the last few."""
    rng, habits = stage.rng, stage.habits
    if not stage.pieces:
        return
    count = min(len(stage.pieces), int(rng.integers(2, 5)) if rng.random() < habits.stacks else 1)
    take(stage, count)


def take(stage: Stage, count: int) -> None:
    """Take the last `count` pieces in one hand."""
    rng, habits = stage.rng, stage.habits
    before = (stage.mass_g, stage.height_mm)
    taken = stage.pieces[-count:]
    x_mm, y_mm = _middle(taken)
    come_ms = stage.now_ms
    _approach(stage)
    n = int(rng.uniform(60, 1200) * habits.pace)
    grip = holding(rng, habits, n, 1.4)
    if rng.random() < 0.5:  # wiggled loose: pressed and pulled in turn
        grip += spread(rng, habits.press_g * 0.3, 0.7) * restless(rng, n, 2, 8)
    if rng.random() < 0.4:  # part of its weight is in the hand before it goes
        grip -= rng.uniform(0.1, 0.7) * sum(piece.mass_g for piece in taken) * ramp(rng, n)
    leave = int(np.exp(rng.uniform(np.log(14), np.log(320))) * count**0.7)  # a hand starts from rest, and fingers give
    end_force = np.full(leave, grip[-1] if n else 0.0) * (1 - ramp(rng, leave))
    stage.push(stage.now_ms, np.concatenate([grip, end_force]), x_mm, y_mm)
    onset_ms = stage.now_ms + n
    curve = ramp(rng, leave)
    for _ in range(count):
        stage.take_off(onset_ms, len(stage.pieces) - 1, curve)
    stage.now_ms = onset_ms + leave
    if rng.random() < 0.35:
        _after_taking(stage, x_mm, y_mm)
    if rng.random() < 0.25:
        _sprung(stage, sum(piece.mass_g for piece in taken), x_mm, y_mm)
    weight_g = before[0] - stage.mass_g
    stage.label("piece_removed", "piece", onset_ms, onset_ms + leave, before, piece_g=round(-weight_g, 3), n=count)
    stage.sight.hand(come_ms, stage.now_ms + int(rng.uniform(30, 600)), before[1])


def _after_taking(stage: Stage, x_mm: float, y_mm: float) -> None:
    """Move what was left behind: a piece that stuck makes it jump back, or scrapes along a neighbour."""
    rng, habits = stage.rng, stage.habits
    n = int(rng.uniform(30, 350))
    scrape = spread(rng, 0.4 * habits.wobble_g, 0.8) * restless(rng, n, 4, 25) * np.linspace(1, 0, n)
    stage.push(stage.now_ms, scrape, x_mm, y_mm)
    stage.now_ms += n // 2


def _sprung(stage: Stage, taken_g: float, x_mm: float, y_mm: float) -> None:
    """Let what is rid of a load in an instant ring, as if something had come down."""
    rng = stage.rng
    swing = ringing(rng, spread(rng, 0.15 * taken_g, 0.8), float(rng.uniform(6, 40)), float(rng.uniform(0.03, 0.25)))
    stage.push(stage.now_ms, swing, x_mm, y_mm)


def swap_piece(stage: Stage) -> None:
    """Take a piece and set down another at once, or the same one elsewhere."""
    if not stage.pieces:
        add_piece(stage)
        return
    same = stage.pieces[-1]
    take(stage, 1)
    stage.wait(float(stage.rng.uniform(0, 0.6)))
    new = draw_piece(stage)
    if stage.rng.random() < 0.5:
        new = Piece(same.mass_g, new.x_mm, new.y_mm, same.rise_mm, same.cube)
    set_down(stage, [new])


def nudge(stage: Stage) -> None:
    """Straighten what stands with the fingers: pushes without a change of weight, labelled as a touch."""
    rng, habits = stage.rng, stage.habits
    start = stage.now_ms
    n = int(rng.uniform(150, 1800) * habits.pace)
    force = let_go(rng, holding(rng, habits, n, 1.2), int(rng.uniform(5, 200)))
    where = rng.normal(0, 22, 2)
    stage.push(start, force, *where)
    for _ in range(int(rng.integers(0, 4))):
        knock(stage, start + int(rng.integers(0, n)))
    stage.now_ms += n + 60
    stage.sight.hand(start - 200, stage.now_ms + 200, stage.height_mm * float(rng.uniform(0.3, 1.0)))
    stage.disturbed("touch", start, stage.now_ms)
