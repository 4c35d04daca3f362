"""Act on the whole platform: lift it and put it back, slide it, lean on it."""

import numpy as np

from citytable_lab.acts_pieces import draw_piece, knock
from citytable_lab.acts_table import bump
from citytable_lab.plate import Floats
from citytable_lab.stage import Piece, Stage, lever
from citytable_lab.touch import holding, let_go, pulse, ramp, restless, ringing, spread, taps


def lift_and_put(stage: Stage) -> None:
    """Lift the platform, keep it away, and put it back as it was or changed."""
    lift(stage)
    stage.wait(float(np.exp(stage.rng.uniform(np.log(0.3), np.log(8)))))
    if stage.rng.random() < 0.12:  # the empty plate is shaken meanwhile
        bump(stage)
    put(stage)


def lift(stage: Stage) -> None:
    """Grip the platform, perhaps tilt it first, and take it away."""
    rng, habits = stage.rng, stage.habits
    before = (stage.mass_g, stage.height_mm)
    come_ms = stage.now_ms
    stage.now_ms += int(rng.uniform(50, 600) * habits.pace)
    grip_ms = int(np.exp(rng.uniform(np.log(30), np.log(1800))) * habits.pace)
    grip = holding(rng, habits, grip_ms, 3.0)
    if rng.random() < 0.5:
        grip += spread(rng, 8, 0.7) * restless(rng, grip_ms, 1.5, 7)
    if rng.random() < 0.15:  # one edge comes up, goes down, and only then all of it leaves
        _half_lift(stage)
    leave = int(np.exp(rng.uniform(np.log(30), np.log(700))))
    onset_ms = stage.now_ms + grip_ms
    last = float(grip[-1]) if len(grip) else 0.0
    force = np.concatenate([grip, last * (1 - ramp(rng, leave))])
    grip_at = rng.normal(0, 18, 2)
    stage.push(stage.now_ms, force, *grip_at)
    _askew(stage, onset_ms, leave)
    if rng.random() < 0.5:
        _scrape(stage, onset_ms, leave)
    stage.lift_off(onset_ms, _leaving(rng, leave))
    stage.now_ms = onset_ms + leave
    if rng.random() < 0.2:  # the edge of the tile catches the plate once more
        hit = pulse(int(rng.integers(5, 60)), spread(rng, 8))
        stage.push(stage.now_ms + int(rng.integers(0, 120)), hit, *rng.normal(0, 25, 2))
    stage.label("platform_lifted", "lift", onset_ms, stage.now_ms, before)
    stage.sight.hand(come_ms, stage.now_ms + int(rng.uniform(100, 1500)), float(rng.uniform(0, 40)), often=0.75)


def _leaving(rng: np.random.Generator, n: int) -> Floats:
    """Return the way the weight goes: at once, or a part first and, after a pause, the rest."""
    if rng.random() < 0.7 or n < 40:
        return ramp(rng, n)
    cut, part = int(n * rng.uniform(0.2, 0.6)), rng.uniform(0.2, 0.8)
    halt = int(n * rng.uniform(0.05, 0.3))
    rest = max(n - cut - halt, 2)
    return np.concatenate([part * ramp(rng, cut), np.full(halt, part), part + (1 - part) * ramp(rng, rest)])[
        : max(n, 2)
    ]


def _askew(stage: Stage, at_ms: int, n: int) -> None:
    """Let one side leave before the other: the centre of weight wanders to an edge meanwhile."""
    rng = stage.rng
    if rng.random() < 0.4:
        return
    arm = rng.normal(0, 25, 2)
    weight = (stage.mass_g + stage.habits.tile_g) * np.sin(np.linspace(0, np.pi, n)) * rng.uniform(0.2, 1.0)
    stage.twist(at_ms, weight[:, None] * (lever(*arm) - lever(0, 0)))


def _scrape(stage: Stage, at_ms: int, n: int) -> None:
    rng = stage.rng
    noise = spread(rng, 2.0, 0.8) * restless(rng, n, 5, 30) * np.linspace(1, 0, n)
    stage.push(at_ms, noise, *rng.normal(0, 25, 2))


def _half_lift(stage: Stage) -> None:
    """Lift one edge and let it down again."""
    rng = stage.rng
    n = int(rng.uniform(120, 900))
    share = rng.uniform(0.1, 0.7) * (stage.mass_g + stage.habits.tile_g)
    stage.push(stage.now_ms, -share * np.sin(np.linspace(0, np.pi, n)) ** 2, *rng.normal(0, 25, 2))
    stage.now_ms += n
    stage.push(stage.now_ms, ringing(rng, spread(rng, 15), 60, 0.15))
    stage.now_ms += int(rng.uniform(20, 300))


def put(stage: Stage) -> None:
    """Set the platform down, hard or softly, hold it, perhaps shift it into place, and let go."""
    rng, habits = stage.rng, stage.habits
    come_ms = stage.now_ms
    stage.now_ms += int(rng.uniform(60, 600))
    onset_ms = stage.now_ms
    weight_g = habits.tile_g + sum(piece.mass_g for piece in stage.pieces)
    arrive = int(np.exp(rng.uniform(np.log(6), np.log(420))))
    _strike(stage, onset_ms, weight_g, arrive)
    stage.put_down(onset_ms, ramp(rng, arrive))
    held = int(rng.uniform(120, 1300) * habits.pace)
    force = holding(rng, habits, arrive + held, 2.5)
    if rng.random() < 0.4:
        force[arrive:] += spread(rng, 6, 0.7) * restless(rng, held, 2, 9)
    force = let_go(rng, force, int(np.exp(rng.uniform(np.log(5), np.log(200)))))
    stage.push(onset_ms, force, *rng.normal(0, 20, 2))
    stage.now_ms = onset_ms + len(force)
    if rng.random() < 0.3:
        released = stage.now_ms
        stage.now_ms -= min(held // 2, 300)
        _stick_slip(stage, int(rng.uniform(80, 700)), spread(rng, 6))
        stage.now_ms = max(stage.now_ms, released)
    stage.label("platform_placed", "put", onset_ms, stage.now_ms, (0.0, 0.0))
    stage.sight.hand(come_ms, stage.now_ms + int(rng.uniform(50, 600)), float(rng.uniform(0, 40)))


def _strike(stage: Stage, at_ms: int, weight_g: float, arrive: int) -> None:
    rng = stage.rng
    if rng.random() < 0.25:
        return
    hard = spread(rng, 0.25 * weight_g, 0.8) if arrive < 120 else spread(rng, 0.08 * weight_g, 0.8)
    for i in range(int(rng.integers(1, 4))):
        hit = pulse(int(rng.integers(3, 14)), min(hard / (i + 1), 400.0))
        stage.push(at_ms + i * int(rng.uniform(15, 90)), hit, *rng.normal(0, 25, 2))


def swap_tower(stage: Stage) -> None:
    """Take one platform away and bring another that is more or less like it."""
    keep = int(stage.rng.integers(0, len(stage.pieces) + 1))
    new = [draw_piece(stage) for _ in range(int(stage.rng.integers(0, 8)))]
    bring_another(stage, [*stage.pieces[:keep], *new])


def bring_another(stage: Stage, pieces: list[Piece]) -> None:
    """Take this platform away and bring one with `pieces` on it."""
    lift(stage)
    stage.wait(float(np.exp(stage.rng.uniform(np.log(0.4), np.log(4)))))
    stage.pieces = pieces
    put(stage)


def _stick_slip(stage: Stage, n: int, strength_g: float) -> None:
    rng = stage.rng
    low = rng.uniform(3, 12)
    noise = strength_g * restless(rng, n, low, low * rng.uniform(1.5, 4))
    noise *= 1 + 0.8 * np.abs(restless(rng, n, 1, 4))
    edge = min(n // 2, 60)
    noise[:edge] *= np.linspace(0, 1, edge)
    noise[n - edge :] *= np.linspace(1, 0, edge)
    arms = rng.normal(0, 20, 2)
    stage.push(stage.now_ms, noise, *arms)
    stage.now_ms += n


def slide(stage: Stage) -> None:
    """Slide the platform on its plate: a hand's force, with sticking and slipping."""
    rng, habits = stage.rng, stage.habits
    start = stage.now_ms
    n = int(rng.uniform(250, 2200) * habits.pace)
    sign = rng.choice([1.0, 1.0, -1.0])
    level = np.full(n, sign * min(spread(rng, 7, 0.9), 70.0))
    up, down = (min(n // 2, int(rng.uniform(20, 350))) for _ in range(2))
    level[:up] *= ramp(rng, up)
    level[n - down :] *= 1 - ramp(rng, down)
    stage.push(start, np.maximum(level, -0.8 * (stage.mass_g + habits.tile_g)), *rng.normal(0, 20, 2))
    _stick_slip(stage, n, min(spread(rng, 3.5, 0.9), 30.0))
    if rng.random() < 0.3:
        knock(stage, start + int(rng.integers(0, n)))
    stage.now_ms += int(rng.uniform(50, 300))
    stage.sight.hand(start - 150, stage.now_ms, float(rng.uniform(0, 60)), often=0.35)
    stage.disturbed("slide", start, stage.now_ms)


def lift_edge(stage: Stage) -> None:
    """Tilt the platform to look at it, and set it back."""
    start = stage.now_ms
    for _ in range(int(stage.rng.integers(1, 4))):
        _half_lift(stage)
    stage.sight.hand(start - 200, stage.now_ms + 200, 10.0, often=0.7)
    stage.disturbed("wobble_lift", start, stage.now_ms)


def lean(stage: Stage) -> None:
    """Rest a hand, an arm or an elbow on the tile or the tower; it may slip, drum, or leave at once."""
    rng, habits = stage.rng, stage.habits
    start = stage.now_ms
    force_g = float(np.exp(rng.uniform(np.log(4), np.log(1500 if rng.random() < 0.4 else 300))))
    up = int(np.exp(rng.uniform(np.log(25), np.log(2200))))
    stay = int(np.exp(rng.uniform(np.log(60), np.log(5000))))
    down = int(np.exp(rng.uniform(np.log(4), np.log(900))))
    level = np.concatenate([ramp(rng, up), np.ones(stay), 1 - ramp(rng, down)])
    n = len(level)
    restless_share = rng.uniform(0.01, 0.15)
    level *= 1 + restless_share * restless(rng, n, 0.4, 4) + 0.3 * restless_share * restless(rng, n, 7.5, 12.5)
    if rng.random() < 0.35:
        level *= _slipping(rng, n)
    where = rng.normal(0, 28, 2)
    stage.push(start, force_g * level, *where)
    if rng.random() < 0.2:
        stage.push(start + up, taps(rng, habits), *where)
    if rng.random() < habits.two_handed:
        stage.push(start + int(rng.uniform(0, n / 2)), 0.5 * force_g * level[: n // 2 + 1], *-where)
    stage.now_ms += n + int(rng.uniform(20, 500))
    stage.sight.hand(start - 30, stage.now_ms, float(rng.uniform(0, 1)) * stage.height_mm, often=0.55)
    peak_g = round(force_g * float(level.max()), 1)
    stage.disturbed("lean", start, stage.now_ms, peak_g=peak_g)


def _slipping(rng: np.random.Generator, n: int) -> Floats:
    """Return the share of a lean that is left after each slip of the hand."""
    left = np.ones(n)
    for _ in range(int(rng.integers(1, 4))):
        at = int(rng.integers(n // 8, n))
        fall = int(np.exp(rng.uniform(np.log(4), np.log(200))))
        to = rng.uniform(0.15, 1.2)
        left[at:] *= to
        end = min(at + fall, n)
        left[at:end] *= 1 + (1 / to - 1) * (1 - ramp(rng, fall)[: end - at])
    return left
