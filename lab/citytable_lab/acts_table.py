"""Act beside the platform: shake the table, make it hum, lean on it, touch it with neighbours."""

import numpy as np

from citytable_lab.plate import Floats
from citytable_lab.stage import Stage, lever
from citytable_lab.touch import holding, let_go, pulse, ramp, restless, ringing, spread


def _shake(stage: Stage, at_ms: int, share: float) -> int:
    """Strike the table so that everything on the plate weighs more and less in turn; return the length in ms."""
    rng, habits = stage.rng, stage.habits
    felt_g = share * (habits.inertia_g + stage.mass_g)
    hz = habits.table_hz * float(np.exp(rng.normal(0, 0.15)))
    swing = ringing(rng, felt_g, hz, float(np.clip(habits.table_damping * np.exp(rng.normal(0, 0.3)), 0.015, 0.4)))
    tilt = rng.normal(0, 6, 2) + rng.normal(0, 0.12, 2) * stage.height_mm
    stage.shake(at_ms, swing[:, None] * np.array([1.0, *tilt]))
    return len(swing)


def bump(stage: Stage) -> None:
    """Knock against the table, once or a few times."""
    rng = stage.rng
    start = stage.now_ms
    share = min(spread(rng, 0.03, 1.2), 0.8)
    for _ in range(int(rng.choice([1, 1, 1, 2, 3]))):
        length = _shake(stage, stage.now_ms, share)
        stage.now_ms += int(rng.uniform(120, 700))
    stage.now_ms = max(stage.now_ms, start + min(length, 1000))
    stage.disturbed("bump", start, stage.now_ms)


def cup(stage: Stage) -> None:
    """Set a cup, a box or a bag on the table: a knock, and the table bends a little for good."""
    rng = stage.rng
    start = stage.now_ms
    _shake(stage, start, min(spread(rng, 0.02, 0.9), 0.4))
    _bend(stage, start, rng.normal(0, 0.4))
    stage.wait(1.0)
    stage.disturbed("cup", start, stage.now_ms)


def _bend(stage: Stage, at_ms: int, level_g: float) -> None:
    """Let the table give way, so that the plate's own level moves."""
    arms = stage.rng.normal(0, 40, 2)
    change = level_g * np.array([1.0, *arms])
    stage.offset_g = stage.offset_g + change
    stage.step(at_ms, change, ramp(stage.rng, int(stage.rng.uniform(20, 400))))


def footsteps(stage: Stage) -> None:
    """Let somebody walk by, or a child run."""
    rng = stage.rng
    start = stage.now_ms
    step_s = rng.uniform(0.28, 0.7)
    share = min(spread(rng, 0.004, 0.9), 0.08)
    for _ in range(int(rng.integers(4, 14))):
        _shake(stage, stage.now_ms, share * rng.uniform(0.5, 1.5))
        stage.wait(step_s * rng.uniform(0.9, 1.1))
    stage.disturbed("footsteps", start, stage.now_ms)


def phone(stage: Stage) -> None:
    """Let a phone vibrate on the table, in bursts."""
    rng = stage.rng
    start = stage.now_ms
    n = int(rng.uniform(1200, 6000))
    t_s = np.arange(n) / 1000
    hz, on_s = rng.uniform(110, 260), rng.uniform(0.2, 1.5)
    bursts = (np.mod(t_s, on_s * rng.uniform(1.3, 3)) < on_s).astype(float)
    hum = min(spread(rng, 2.5, 1.2), 60.0) * np.sin(2 * np.pi * hz * t_s + 0.4 * restless(rng, n, 1, 6)) * bursts
    crawl = min(spread(rng, 0.08, 1.0), 2.0) * restless(rng, n, 3, 20) * bursts  # it walks, and the table answers
    stage.shake(start, (hum + crawl)[:, None] * np.array([1.0, *rng.normal(0, 12, 2)]))
    stage.now_ms += n
    stage.disturbed("phone", start, stage.now_ms)


def music(stage: Stage) -> None:
    """Play music on the same floor: a beat and a hum."""
    rng = stage.rng
    start = stage.now_ms
    n = int(rng.uniform(3000, 12000))
    beat_s = rng.uniform(0.35, 0.9)
    beat = np.exp(-np.mod(np.arange(n) / 1000, beat_s) / rng.uniform(0.03, 0.15))
    low = rng.uniform(35, 70)
    sound = min(spread(rng, 1.0, 1.0), 12.0) * restless(rng, n, low, low * 1.6) * beat
    stage.shake(start, sound[:, None] * np.array([1.0, *rng.normal(0, 10, 2)]))
    stage.now_ms += n
    stage.disturbed("music", start, stage.now_ms)


def tremble(stage: Stage) -> None:
    """Bounce a leg under the table."""
    rng, habits = stage.rng, stage.habits
    start = stage.now_ms
    n = int(rng.uniform(1500, 9000))
    hz = rng.uniform(3.5, 8)
    swing = np.sin(2 * np.pi * hz * np.arange(n) / 1000 + restless(rng, n, 0.2, 1.0))
    swing *= min(spread(rng, 0.004, 0.9), 0.05) * (habits.inertia_g + stage.mass_g) * np.sin(np.linspace(0, np.pi, n))
    stage.shake(start, swing[:, None] * np.array([1.0, *(rng.normal(0, 8, 2) + 0.2 * stage.height_mm)]))
    stage.now_ms += n
    stage.disturbed("tremble", start, stage.now_ms)


def table_lean(stage: Stage) -> None:
    """Let a child lean on the table: it tilts slowly, a bit more, a bit less, and comes back at once or slowly."""
    rng = stage.rng
    start = stage.now_ms
    stay = int(rng.uniform(500, 9000))
    up, down = (int(np.exp(rng.uniform(np.log(60), np.log(2500)))) for _ in range(2))
    level = np.concatenate([ramp(rng, up), np.ones(stay), 1 - ramp(rng, down)])
    level *= 1 + 0.15 * restless(rng, len(level), 0.2, 2)
    tilt = rng.normal(0, 0.02, 2) * (stage.height_mm + 30)
    wrench = np.array([rng.normal(0, 0.004), *(0.5 * tilt)]) * (stage.habits.inertia_g + stage.mass_g)
    stage.shake(start, level[:, None] * wrench)
    if rng.random() < 0.6:
        _shake(stage, start, spread(rng, 0.006, 0.8))
    if rng.random() < 0.6:
        _shake(stage, start + len(level) - down, min(spread(rng, 0.01, 0.9), 0.2))
    stage.now_ms += len(level) + 200
    stage.disturbed("table_lean", start, stage.now_ms)


def creep_lean(stage: Stage) -> None:
    """Rest an arm against the base, slowly, and take it away as slowly."""
    rng = stage.rng
    start = stage.now_ms
    n = int(rng.uniform(3000, 14000))
    level = np.sin(np.linspace(0, np.pi, n)) ** rng.uniform(0.3, 2)
    level *= min(spread(rng, 1.0, 1.2), 25.0) * rng.choice([1.0, 1.0, -1.0])
    level += 0.1 * np.abs(level).max() * restless(rng, n, 0.1, 1.5) * np.sin(np.linspace(0, np.pi, n))
    stage.push(start, level, *rng.normal(0, 30, 2))
    stage.now_ms += n
    stage.disturbed("creep_lean", start, stage.now_ms)


def neighbour(stage: Stage) -> None:
    """Knock another platform against this one; what it leaves on the cells stays, or goes."""
    rng = stage.rng
    start = stage.now_ms
    at = start + int(rng.uniform(150, 900))
    hit = pulse(int(rng.integers(4, 40)), min(spread(rng, 9, 1.0), 150.0)) * rng.choice([1.0, 1.0, -1.0])
    stage.push(at, hit, *rng.normal(0, 35, 2))
    hz = rng.uniform(12, 45)
    stage.push(at, ringing(rng, min(spread(rng, 3, 1.0), 40.0), hz, rng.uniform(0.05, 0.4)), *rng.normal(0, 20, 2))
    left = np.zeros(3)
    if rng.random() < 0.8:
        left = min(spread(rng, 0.6, 0.8), 4.0) * rng.normal(0, 1) * np.array([1.0, *rng.normal(0, 40, 2)])
        left = left - rng.uniform(0.2, 1.0) * stage.offset_g  # what an earlier touch left is loosened
        stage.offset_g = stage.offset_g + left
        stage.step(at, left, ramp(rng, int(rng.uniform(5, 120))))
    stage.now_ms = at + int(rng.uniform(400, 900))
    stage.disturbed("neighbour", start, stage.now_ms, offset_g=_on_cells(stage, left))


def _on_cells(stage: Stage, wrench: Floats) -> list[float]:
    return [round(float(np.dot(share, wrench)), 2) for share in stage.plate.share]


def touching(stage: Stage) -> None:
    """Build on a neighbouring platform that touches this one: a part of all of that is felt here."""
    rng, habits = stage.rng, stage.habits
    start = stage.now_ms
    share = rng.uniform(0.02, 0.25)
    where = rng.normal(0, 35, 2)
    for _ in range(int(rng.integers(1, 5))):
        n = int(rng.uniform(200, 1500) * habits.pace)
        force = let_go(rng, holding(rng, habits, n, 2.0), int(rng.uniform(5, 120)))
        stage.push(stage.now_ms, share * force, *where)
        step = share * rng.uniform(-12, 14) * rng.uniform(0, 0.3) * lever(*where)
        stage.offset_g = stage.offset_g + step
        stage.step(stage.now_ms, step, ramp(rng, int(rng.uniform(5, 150))))
        stage.now_ms += n + int(rng.uniform(100, 900))
    stage.disturbed("touching", start, stage.now_ms)


def passing_hand(stage: Stage) -> None:
    """Show a hand that touches nothing."""
    rng = stage.rng
    n = int(rng.uniform(150, 2500))
    stage.sight.hand(stage.now_ms, stage.now_ms + n, stage.height_mm + float(rng.uniform(0, 80)))
    stage.now_ms += n
