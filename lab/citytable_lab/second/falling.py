"""Simulate pieces that fall: each tips like a rod, flies, lands on a damped spring, slides, and may leave.

Pieces do not touch each other. Forces are grams on the tile with the points where they act, one row per millisecond.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

GRAVITY = 9810.0  # mm/s^2
STEP_S, STEPS_PER_MS = 0.00025, 4
LONGEST_MS = 4000
STILL_MM_S = 4.0


class Fallen(NamedTuple):
    """Hold a fall: the wrench [n, 3] of the pieces that take part, from their first motion to rest; who stayed."""

    wrench: Floats
    stays: NDArray[np.bool_]
    at_mm: Floats


class Ground(NamedTuple):
    """Hold what pieces land on: the tile's radius, the contact's frequency and damping, friction."""

    radius_mm: float
    contact_hz: float
    damping: float
    friction: float


def fall(
    rng: np.random.Generator, mass_g: Floats, at_mm: Floats, rises_mm: Floats, ground: Ground, pushed_mm_s: Floats
) -> Fallen:
    """Let pieces of `mass_g` that stand at `at_mm` [n, 2] with centres `rises_mm` high fall one after the other.

    `pushed_mm_s` [2] is what a hand gives all of them.
    """
    n = len(mass_g)
    starts_s = np.cumsum(rng.exponential(rng.choice([0.01, 0.05, 0.2]), n)) - 0.0
    starts_s -= starts_s.min()
    bodies = _Bodies(rng, mass_g, at_mm, rises_mm, ground, pushed_mm_s)
    rows: list[Floats] = []
    for ms in range(LONGEST_MS):
        row = np.zeros(3)
        for part in range(STEPS_PER_MS):
            row += bodies.step(starts_s <= (ms + part / STEPS_PER_MS) / 1000)
        rows.append(row / STEPS_PER_MS)
        if bodies.over():
            break
    stays = ~bodies.gone
    return Fallen(np.array(rows), stays, bodies.xy.copy())


class _Bodies:
    """All pieces of one fall."""

    def __init__(
        self,
        rng: np.random.Generator,
        mass_g: Floats,
        at_mm: Floats,
        rises_mm: Floats,
        ground: Ground,
        pushed_mm_s: Floats,
    ) -> None:
        n = len(mass_g)
        self.mass, self.ground = mass_g, ground
        self.xy, self.foot = at_mm.astype(float).copy(), at_mm.astype(float).copy()
        self.arm = np.maximum(rises_mm, 6.0)
        heading = np.arctan2(at_mm[:, 1], at_mm[:, 0]) + rng.normal(0, 0.9, n)
        push = float(np.hypot(*pushed_mm_s))
        if push > 1.0:
            heading = np.arctan2(pushed_mm_s[1], pushed_mm_s[0]) + rng.normal(0, 0.35, n)
        self.heading = np.stack([np.cos(heading), np.sin(heading)], axis=1)
        self.lean = np.deg2rad(rng.uniform(1.5, 9.0, n))
        self.turn = push / self.arm * rng.uniform(0.3, 1.0, n)
        self.lets_go = np.deg2rad(rng.uniform(45, 80, n))
        self.tips = np.ones(n, dtype=bool)
        self.gone = np.zeros(n, dtype=bool)
        self.rests = np.zeros(n, dtype=bool)
        self.z, self.vz = self.arm * np.cos(self.lean), np.zeros(n)
        self.v = np.zeros((n, 2))
        self.stiff = (2 * np.pi * ground.contact_hz * rng.lognormal(0, 0.3, n)) ** 2  # per gram
        self.half = rng.uniform(4.0, 9.0, n)  # from a piece's middle to what it lies on

    def over(self) -> bool:
        """Report whether everything is gone or at rest."""
        return bool((self.gone | self.rests).all())

    def step(self, begun: NDArray[np.bool_]) -> Floats:
        """Advance by one step; return the mean wrench of the pieces on the tile."""
        force = np.where(self.gone, 0.0, self.mass)
        where = self.xy.copy()
        tipping = self.tips & begun
        if tipping.any():
            force[tipping] = self._tip(tipping)
        where[self.tips] = self.foot[self.tips]
        loose = ~self.tips & ~self.gone & ~self.rests
        if loose.any():
            force[loose] = self._fly(loose)
        return np.array([force.sum(), -(force * where[:, 1]).sum(), (force * where[:, 0]).sum()])

    def _tip(self, who: NDArray[np.bool_]) -> Floats:
        arm, lean, turn = self.arm[who], self.lean[who], self.turn[who]
        faster = 0.75 * GRAVITY / arm * np.sin(lean)
        falls = -arm * (faster * np.sin(lean) + turn**2 * np.cos(lean))
        self.turn[who] = turn + faster * STEP_S
        self.lean[who] = lean + self.turn[who] * STEP_S
        self.z[who] = arm * np.cos(self.lean[who])
        self.xy[who] = self.foot[who] + (arm * np.sin(self.lean[who]))[:, None] * self.heading[who]
        pressed = self.mass[who] * np.maximum(0.0, 1 + falls / GRAVITY)
        free = who.copy()
        free[who] = (self.lean[who] > self.lets_go[who]) | (pressed <= 0) | (self.z[who] <= self.half[who])
        self.v[free] = (self.arm[free] * self.turn[free] * np.cos(self.lean[free]))[:, None] * self.heading[free]
        self.vz[free] = -self.arm[free] * self.turn[free] * np.sin(self.lean[free])
        self.tips[free] = False
        return pressed

    def _fly(self, who: NDArray[np.bool_]) -> Floats:
        on_tile = np.hypot(self.xy[who, 0], self.xy[who, 1]) < self.ground.radius_mm
        deep = np.where(on_tile, self.half[who] - self.z[who], 0.0)
        sunk = deep > 0
        damped = 2 * self.ground.damping * np.sqrt(self.stiff[who]) * self.vz[who]
        lift = np.where(sunk, np.maximum(0.0, self.stiff[who] * deep - damped), 0.0)
        self.vz[who] += (lift - GRAVITY) * STEP_S
        self.z[who] += self.vz[who] * STEP_S
        speed = np.hypot(self.v[who, 0], self.v[who, 1])
        braked = np.maximum(0.0, speed - self.ground.friction * lift * STEP_S)
        self.v[who] *= (braked / np.maximum(speed, 1e-9))[:, None]
        self.xy[who] += self.v[who] * STEP_S
        calm = sunk & (speed < STILL_MM_S) & (np.abs(self.vz[who]) < STILL_MM_S)
        self.rests[who] |= calm
        self.gone[who] |= ~on_tile & (self.z[who] < -5.0)
        pressed: Floats = self.mass[who] * lift / GRAVITY
        return np.where(calm, self.mass[who], pressed)
