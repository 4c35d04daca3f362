"""Shocks: the decaying vibration of each station's base after a blow on it, its cells or the table.

A blow's impulse is in gram milliseconds, as in `forces`: a mass times its time of free fall. The base takes up the
impulse with its mass and rings; a soft blow lasts longer and rings less. The spring of a load cell absorbs part of a
blow on it, only part of a blow on the table comes through the feet, and each base passes a share on to the others.
None of these shares has been measured: they are drawn for each table and each blow.
"""

import math
from collections.abc import Callable, Iterable
from random import Random
from typing import NamedTuple

from tabletwin.plan import Plan

GRAVITY_MG = 1000.0
TILT_MG = 25.0
BASE_KG = (0.5, 3.0)
RINGS_HZ = (60.0, 160.0)
DIES_AWAY_US = (8_000.0, 35_000.0)
LEAST_MG = 1.0  # nothing hears less
KEPT_US = 1_000_000  # whoever asks what was felt does so within that
REACHES_OTHERS = (0.02, 0.15)  # share, through the table
EVERY_US = 40_000_000  # on average, something strikes the table that has nothing to do with the game
STRANGE_MG = (8.0, 300.0)
GRAVITY_MM_PER_MS2 = 9.80665e-3
LOWERED_MM_S = (8.0, 80.0)
FINGERS_G = (0.0, 6.0)  # of a hand that go down with what it sets down
CLUMSY, DROPPED_MM = 0.05, (2.0, 12.0)  # now and then a hand lets go too early
CLICKS, CLICK = 0.3, (3.0, 60.0)  # a piece that is taken may touch another one
PRESSES_MS = (0.3, 6.0)
ON_THE_BASE = 0.6  # share of what falls beside a platform that strikes its station's base, not the table
TILE_MM = 8.0
BOUNCE, BOUNCE_US = (0.05, 0.5), (20_000, 120_000)
FALLS_AFTER_US, FREELY = (5_000, 150_000), (0.2, 1.0)
ASIDE_MM, ASIDE_US = (1.0, 12.0), 250_000


class Way(NamedTuple):
    """The way of a blow to a base: the share that arrives, and for how long it lasts."""

    share: tuple[float, float]
    contact_us: tuple[float, float]


ON_CELLS = Way((0.15, 0.45), (500.0, 2_000.0))
ON_BASE = Way((0.6, 1.0), (300.0, 1_500.0))
ON_TABLE = Way((0.08, 0.4), (300.0, 1_500.0))
SOFTLY = Way((0.3, 0.8), (6_000.0, 25_000.0))  # cloth and fingers


class Ring(NamedTuple):
    """One shock: its peak along three axes, how fast it turns (radians a microsecond) and dies away."""

    at_us: int
    until_us: int
    peak_mg: tuple[float, float, float]
    turns: float
    dies_away_us: float

    def swing(self, t_us: int) -> float:
        """Return the share of its peak at a moment."""
        age_us = t_us - self.at_us
        return math.exp(-age_us / self.dies_away_us) * math.sin(self.turns * age_us)


class Base:
    """The base under a station."""

    def __init__(self, rng: Random) -> None:
        self.mass_kg = _between(rng, BASE_KG)
        self.rings_hz = _between(rng, RINGS_HZ)
        self.dies_away_us = _between(rng, DIES_AWAY_US)
        self.still_mg = (rng.uniform(-TILT_MG, TILT_MG), rng.uniform(-TILT_MG, TILT_MG), GRAVITY_MG)
        self.rings: list[Ring] = []
        self.still_from_us = 0  # when the last of them has died away


class Shocks:
    """The bases of one table. The moments of blows and of questions are virtual time; `rng` is for nothing else."""

    def __init__(self, plan: Plan, rng: Random, now_us: Callable[[], int]) -> None:
        self._rng = rng
        self._now_us = now_us
        self._station_of = {spot.spot: station.station for station in plan.stations for spot in station.spots}
        self._bases = {station.station: Base(rng) for station in plan.stations}
        self._reaches_others = rng.uniform(*REACHES_OTHERS)
        self._strange = Random(rng.random())
        self._strange_us = 0
        self._draw_next_strange()

    def strike(self, place: str, at_us: int, impulse: float, way: Way) -> None:
        """Strike a spot of the table; a spot of no station is the table itself."""
        rng = self._rng
        share, contact_us = rng.uniform(*way.share), _between(rng, way.contact_us)
        near = self._station_of.get(place)
        for name, base in self._bases.items():
            arrives = share if name == near else share * self._reaches_others
            turns = 2e-6 * math.pi * base.rings_hz * rng.uniform(0.8, 1.25)
            softened = 1.0 / math.hypot(1.0, turns * contact_us)
            peak_mg = impulse * 1e3 * turns / base.mass_kg * arrives * softened
            self._ring(base, at_us, peak_mg, turns, rng)

    def laid(self, place: str, at_us: int, mass_g: float, way: Way) -> None:
        """Let a hand set something down, and now and then drop it."""
        rng = self._rng
        fell_ms = _between(rng, LOWERED_MM_S) * 1e-3 / GRAVITY_MM_PER_MS2
        mass_g += rng.uniform(*FINGERS_G)
        dropped_mm = rng.uniform(*DROPPED_MM)
        if rng.random() < CLUMSY:
            fell_ms = _falls_ms(dropped_mm)
        self.strike(place, at_us, mass_g * fell_ms, way)

    def taken(self, place: str, from_us: int, until_us: int) -> None:
        """Let a hand take something off between two moments."""
        at_us, click = self._rng.randint(from_us, until_us), _between(self._rng, CLICK)
        if self._rng.random() < CLICKS:
            self.strike(place, at_us, click, ON_CELLS)

    def pressed(self, place: str, at_us: int, grams: float) -> None:
        """Let a hand or an elbow begin to press."""
        self.strike(place, at_us, abs(grams) * _between(self._rng, PRESSES_MS), SOFTLY)

    def missed(self, place: str, at_us: int, impulse: float) -> None:
        """Let a piece that falls beside the tile of a spot strike the base or the table, and bounce."""
        rng = self._rng
        way = ON_BASE if rng.random() < ON_THE_BASE else ON_TABLE
        self.strike(place, at_us, impulse, way)
        self.strike(place, at_us + rng.randint(*BOUNCE_US), impulse * rng.uniform(*BOUNCE), way)

    def scattered(self, place: str, at_us: int, falling: Iterable[tuple[float, float]]) -> None:
        """Drop pieces of these masses from these heights, one after the other, where there is no tile."""
        rng = self._rng
        for mass_g, height_mm in falling:
            at_us += rng.randint(*FALLS_AFTER_US)
            fell_ms = _falls_ms(height_mm * rng.uniform(*FREELY))
            self.missed(place, at_us + int(1e3 * fell_ms), mass_g * fell_ms)

    def put_aside(self, place: str, at_us: int, masses_g: Iterable[float]) -> None:
        """Let a hand lay pieces on the table in front of a spot, one after the other."""
        for mass_g in masses_g:
            at_us += self._rng.randint(0, ASIDE_US)
            self.strike(place, at_us, mass_g * _falls_ms(self._rng.uniform(*ASIDE_MM)), ON_TABLE)

    def acceleration_mg(self, station: str, t_us: int) -> tuple[float, float, float]:
        """Return what a chip on the base of a station feels at a moment of the last second, in thousandths of g."""
        self._disturb(t_us)
        base = self._bases[station]
        x, y, z = base.still_mg
        for ring in base.rings:
            if ring.at_us <= t_us < ring.until_us:
                swing = ring.swing(t_us)
                x, y, z = x + swing * ring.peak_mg[0], y + swing * ring.peak_mg[1], z + swing * ring.peak_mg[2]
        return x, y, z

    def still_mg(self, station: str) -> tuple[float, float, float]:
        """Return the share of gravity alone."""
        return self._bases[station].still_mg

    def stirs(self, station: str, from_us: int, until_us: int) -> bool:
        """Return whether a base feels anything between two moments."""
        self._disturb(until_us)
        base = self._bases[station]
        return base.still_from_us > from_us and any(
            ring.at_us < until_us and ring.until_us > from_us for ring in base.rings
        )

    def _ring(self, base: Base, at_us: int, peak_mg: float, turns: float, rng: Random) -> None:
        upright, around = rng.uniform(0.5, 1.0), rng.uniform(0.0, 2.0 * math.pi)
        if peak_mg <= LEAST_MG:
            return
        aside_mg = peak_mg * math.sqrt(1.0 - upright * upright)
        peaks_mg = (aside_mg * math.cos(around), aside_mg * math.sin(around), peak_mg * upright)
        until_us = at_us + int(base.dies_away_us * math.log(peak_mg / LEAST_MG))
        forgotten_us = self._now_us() - KEPT_US
        base.rings = [ring for ring in base.rings if ring.until_us > forgotten_us]
        base.rings.append(Ring(at_us, until_us, peaks_mg, turns, base.dies_away_us))
        base.still_from_us = max(base.still_from_us, until_us)

    def _disturb(self, until_us: int) -> None:
        """Draw the shocks of cups, telephones and knees up to a moment."""
        rng = self._strange
        while self._strange_us <= until_us:
            near = rng.choice(list(self._bases)) if self._bases else None
            strength_mg = _between(rng, STRANGE_MG)
            for name, base in self._bases.items():
                turns = 2e-6 * math.pi * base.rings_hz * rng.uniform(0.8, 1.25)
                arrives = 1.0 if name == near else self._reaches_others
                self._ring(base, self._strange_us, strength_mg * arrives, turns, rng)
            self._draw_next_strange()

    def _draw_next_strange(self) -> None:
        self._strange_us += int(self._strange.expovariate(1.0 / EVERY_US))


def _falls_ms(height_mm: float) -> float:
    """Return how long something falls from a height."""
    return math.sqrt(2.0 * height_mm / GRAVITY_MM_PER_MS2)


def _between(rng: Random, low_high: tuple[float, float]) -> float:
    """Draw a value between two bounds, small ones as likely as large ones."""
    low, high = map(math.log, low_high)
    return math.exp(rng.uniform(low, high))
