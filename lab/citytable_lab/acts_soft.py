"""Act out falls without a blow: a sleeve takes pieces along, a finger leans on them, a piece rolls off by itself."""

import numpy as np

from citytable_lab.acts_falls import label_fall
from citytable_lab.plate import Floats
from citytable_lab.sight import VIEW_MS
from citytable_lab.stage import Piece, Stage, lever
from citytable_lab.touch import landing, ramp, restless, spread

SLEEVE_G = (0.5, 25.0)  # what a sleeve that drags presses on the tile
FINGER_G = (0.5, 8.0)  # what it takes to push a light tower over slowly
ROLLS_MM = (1.0, 10.0)  # what a piece drops before it rolls


def fall_softly(stage: Stage) -> None:
    """Let pieces go in one of the soft ways."""
    if not stage.pieces:
        return
    ways = ("sleeve", "finger", "roll")
    trigger = ways[int(stage.rng.choice(3, p=(0.4, 0.3, 0.3)))]
    before, began = (stage.mass_g, stage.height_mm), stage.now_ms
    total = len(stage.pieces)
    count = _how_many(stage.rng, trigger, total)
    lead_ms = _touched(stage, trigger)
    onset = stage.now_ms + lead_ms
    at, end = onset, onset
    for piece in reversed(stage.pieces[total - count :]):
        end = max(end, _rolls(stage, piece, at) if trigger == "roll" else _taken_along(stage, piece, at))
        at += int(stage.rng.exponential(120 if trigger == "sleeve" else 60))
    del stage.pieces[total - count :]
    stage.now_ms = end + int(stage.rng.uniform(0, 300))
    more = {"trigger": trigger, "t_trigger_us": began * 1000, "n_pieces": total, "n_fallen": count, "n_off": count}
    label_fall(stage, onset, end, before, more)


def _how_many(rng: np.random.Generator, trigger: str, total: int) -> int:
    """Return how many pieces go: most before a sleeve, one or two that roll."""
    if trigger == "sleeve":
        return max(1, round(total * rng.uniform(0.5, 1.0)))
    if trigger == "roll":
        return min(total, 1 + int(rng.random() < 0.25))
    return int(rng.integers(1, total + 1))


def _log(rng: np.random.Generator, low_high: tuple[float, float]) -> float:
    return float(np.exp(rng.uniform(*np.log(low_high))))


def _touched(stage: Stage, trigger: str) -> int:
    """Bring in whatever touches the tower; return after how many milliseconds the first piece moves."""
    rng = stage.rng
    if trigger == "roll" and rng.random() < 0.5:
        return int(rng.uniform(0, 300))
    lead, more = int(rng.uniform(60, 900)), int(rng.uniform(80, 900))
    force_g = _log(rng, SLEEVE_G if trigger == "sleeve" else FINGER_G)
    force: Floats = force_g * np.concatenate([ramp(rng, lead), 1 - ramp(rng, more)])
    force *= 1 + 0.2 * restless(rng, len(force), 1, 9)
    sideways = rng.normal(0, 0.5, 2) * max(stage.height_mm, 20.0)
    stage.twist(stage.now_ms, force[:, None] * np.array([rng.normal(0.1, 0.4), *sideways]))
    stage.sight.hand(stage.now_ms - 200, stage.now_ms + len(force), max(stage.height_mm, 20.0) * rng.uniform(0.2, 1.0))
    return lead


def _taken_along(stage: Stage, piece: Piece, at_ms: int) -> int:
    """Let a piece go with what pushes it: its weight is shared with the sleeve, and gone at the edge. Nothing lands."""
    rng = stage.rng
    slow = int(_log(rng, (40, 500)))
    own = piece.mass_g * lever(piece.x_mm, piece.y_mm)
    stage.step(at_ms, -own, ramp(rng, slow))
    rub: Floats = spread(rng, 0.1 * piece.mass_g, 0.8) * restless(rng, slow, 2, 20)
    stage.push(at_ms, rub * (1 - np.linspace(0, 1, slow)), piece.x_mm, piece.y_mm)
    return at_ms + slow


def _rolls(stage: Stage, piece: Piece, at_ms: int) -> int:
    """Let a piece tip, come down on the tile from low, roll, and drop off the edge."""
    rng = stage.rng
    tip, roll, leave = (int(_log(rng, span)) for span in ((20, 300), (120, 1500), (8, 90)))
    own, heading = piece.mass_g * lever(piece.x_mm, piece.y_mm), rng.normal(0, 26, 2)
    there = piece.mass_g * lever(*heading)
    stage.step(at_ms, -own, ramp(rng, tip))
    stage.step(at_ms, there, ramp(rng, tip))
    hit = landing(rng, piece.mass_g, _log(rng, ROLLS_MM)) * rng.uniform(0.05, 0.6)
    stage.push(at_ms + tip, hit, *heading)
    rolling: Floats = spread(rng, 0.06 * piece.mass_g, 0.7) * restless(rng, roll, 3, 25)
    stage.push(at_ms + tip, rolling, *heading)
    end = at_ms + tip + roll
    stage.step(end, -there, ramp(rng, leave))
    return max(end + leave, at_ms + VIEW_MS)
