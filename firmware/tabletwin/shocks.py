"""Shocks: what the base of each station feels of what strikes it, its cells or the table: rings that die away.

A blow's impulse is in gram milliseconds, as in `forces`: a mass times the time it fell freely. A base of some mass
takes it up and rings; a soft blow lasts longer and rings less. Of what strikes the load cells their spring keeps a
part, of what strikes the table only a part comes through the feet, and of what one base feels the others feel a share.
Nobody has measured any of this: it is drawn anew for each table and each blow.
"""

import math
from collections.abc import Callable
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


class Way(NamedTuple):
    """How a blow comes to a base: the share that arrives, and for how long it lasts."""

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
        """The share of its peak at a moment."""
        age_us = t_us - self.at_us
        return math.exp(-age_us / self.dies_away_us) * math.sin(self.turns * age_us)


class Base:
    """What a station stands on."""

    def __init__(self, rng: Random) -> None:
        self.mass_kg = _between(rng, BASE_KG)
        self.rings_hz = _between(rng, RINGS_HZ)
        self.dies_away_us = _between(rng, DIES_AWAY_US)
        self.still_mg = (rng.uniform(-TILT_MG, TILT_MG), rng.uniform(-TILT_MG, TILT_MG), GRAVITY_MG)
        self.rings: list[Ring] = []


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
        """Something strikes at a spot of the table; one that belongs to no station is the table itself."""
        rng = self._rng
        share, contact_us = rng.uniform(*way.share), _between(rng, way.contact_us)
        near = self._station_of.get(place)
        for name, base in self._bases.items():
            arrives = share if name == near else share * self._reaches_others
            turns = 2e-6 * math.pi * base.rings_hz * rng.uniform(0.8, 1.25)
            softened = 1.0 / math.hypot(1.0, turns * contact_us)
            peak_mg = impulse * 1e3 * turns / base.mass_kg * arrives * softened
            self._ring(base, at_us, peak_mg, turns, rng)

    def acceleration_mg(self, station: str, t_us: int) -> tuple[float, float, float]:
        """What a chip on the base of a station feels at a moment of the last second, in thousandths of g."""
        self._disturb(t_us)
        base = self._bases[station]
        x, y, z = base.still_mg
        for ring in base.rings:
            if ring.at_us <= t_us < ring.until_us:
                swing = ring.swing(t_us)
                x, y, z = x + swing * ring.peak_mg[0], y + swing * ring.peak_mg[1], z + swing * ring.peak_mg[2]
        return x, y, z

    def still_mg(self, station: str) -> tuple[float, float, float]:
        """What it feels of the Earth alone."""
        return self._bases[station].still_mg

    def stirs(self, station: str, from_us: int, until_us: int) -> bool:
        """Whether a base feels anything between two moments."""
        self._disturb(until_us)
        return any(ring.at_us < until_us and ring.until_us > from_us for ring in self._bases[station].rings)

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

    def _disturb(self, until_us: int) -> None:
        """Cups, telephones and knees up to a moment."""
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


def _between(rng: Random, low_high: tuple[float, float]) -> float:
    """Anything between, the small as likely as the large."""
    low, high = map(math.log, low_high)
    return math.exp(rng.uniform(low, high))
