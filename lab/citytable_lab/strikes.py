"""Derive the knocks of a trace from its labels: pieces that land, hands that set down, noises beside the platform.

Pieces that fall off leave the platform when the load shows it, and land as much later as they have to fall. Momenta are
in millinewton seconds: a gram times a metre a second.
"""

from collections.abc import Iterator
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from citytable_lab.plate import Floats
from citytable_lab.surroundings import Surroundings
from citytable_lab.touch import GRAVITY_MM_PER_MS2, spread
from citytable_lab.trace_file import Label

Where: TypeAlias = Literal["tile", "base", "table"]
SMOOTH_MS = 30
TAKEN_BY_HAND = ("pull",)  # of the pieces that such a fall loses, one is in a hand
LIGHTEST_G = 0.3  # a piece that leans on the tile's edge weighs nothing there, and something where it lands


class Strike(NamedTuple):
    """Hold a momentum that meets something, and for how long."""

    at_ms: float
    impulse_mns: float
    contact_ms: float
    where: Where


class Rustle(NamedTuple):
    """Hold noise for a while: hands in a bag, something that scrapes, a telephone (`hz`, else no tone)."""

    at_ms: float
    for_ms: float
    peak_mg: float
    hz: float = 0.0


Sound: TypeAlias = Strike | Rustle


class Strikes:
    """Draw the sounds of acts, from a generator that nothing else is drawn from."""

    def __init__(self, rng: np.random.Generator, around: Surroundings, tile_g: float) -> None:
        self._rng = rng
        self._around = around
        self._tile_g = tile_g

    def of(self, label: Label, load_g: Floats) -> Iterator[Sound]:
        """Return the sounds of one labelled act; `load_g` is the building's weight at 1 kHz."""
        onset_ms, end_ms = label["t_onset_us"] / 1000, label["t_end_us"] / 1000
        match label["kind"]:
            case "piece_added":
                yield from self._added(onset_ms, abs(label["piece_g"]))
            case "piece_removed":
                yield from self._removed(onset_ms, end_ms, abs(label["piece_g"]))
            case "platform_lifted":
                yield from self._lifted(end_ms, self._tile_g + label["mass_before_g"])
            case "platform_placed":
                yield from self._put(onset_ms, self._tile_g + label["mass_after_g"], "base")
            case "collapse" | "partial_collapse":
                yield from self._fell(label, load_g)
            case "disturbance":
                yield from self._disturbed(label["sub"], onset_ms, end_ms)

    def _log(self, low: float, high: float) -> float:
        return float(np.exp(self._rng.uniform(np.log(low), np.log(high))))

    def _hand_mm_s(self) -> float:
        """Return the speed of something when a hand sets it down, or lets it go above its place."""
        rng, around = self._rng, self._around
        if rng.random() < around.clumsy:
            return _speed(float(rng.uniform(3, 30)))
        return spread(rng, around.gentle_mm_s, 0.5)

    def _hard_ms(self) -> float:
        return spread(self._rng, self._around.hard_ms, 0.4)

    def _bounces(self, at_ms: float, impulse_mns: float, speed_mm_s: float, where: Where) -> Iterator[Strike]:
        """Let something strike, fly up again and strike once more."""
        bounce = self._around.bounce * self._rng.uniform(0.5, 1.0)
        for _ in range(4):
            yield Strike(at_ms, impulse_mns * (1 + bounce), self._hard_ms(), where)
            speed_mm_s, impulse_mns = speed_mm_s * bounce, impulse_mns * bounce
            at_ms += 2 * speed_mm_s / 1000 / GRAVITY_MM_PER_MS2
            if speed_mm_s < 15:
                return

    def _added(self, onset_ms: float, mass_g: float) -> Iterator[Sound]:
        rng = self._rng
        if rng.random() < 0.4:  # from the bag, or from among others on the table
            for_ms = self._log(100, 1500)
            yield Rustle(onset_ms - for_ms - self._log(200, 2000), for_ms, spread(rng, self._around.bag_mg))
        if rng.random() < 0.9:
            # fingers are heavier than a piece, and softer
            yield Strike(onset_ms, mass_g * self._hand_mm_s() / 1000 * spread(rng, 1.5), self._log(0.5, 6), "tile")

    def _removed(self, onset_ms: float, end_ms: float, mass_g: float) -> Iterator[Sound]:
        rng = self._rng
        if rng.random() < 0.4:  # a click when it comes loose, or against its neighbour on its way
            at_ms = rng.uniform(onset_ms, end_ms + 60)
            yield Strike(at_ms, mass_g * self._log(5, 60) / 1000, self._log(0.5, 5), "tile")
        if rng.random() < self._around.lays:
            speed_mm_s = self._hand_mm_s()
            where: Where = "base" if rng.random() < self._around.on_base else "table"
            at_ms = end_ms + self._log(150, 2500)
            yield from self._bounces(at_ms, mass_g * speed_mm_s / 1000 * spread(rng, 1.5), speed_mm_s, where)
        elif rng.random() < 0.3:
            yield Rustle(end_ms + self._log(200, 2500), self._log(60, 800), spread(rng, self._around.bag_mg))

    def _lifted(self, end_ms: float, mass_g: float) -> Iterator[Sound]:
        if self._rng.random() < 0.7:  # it is put somewhere
            yield from self._put(end_ms + self._log(300, 4000), mass_g, "table")

    def _put(self, at_ms: float, mass_g: float, where: Where) -> Iterator[Strike]:
        """Let one edge come first, then the others."""
        for _ in range(int(self._rng.integers(1, 4))):
            share = self._rng.uniform(0.2, 1.0)
            yield Strike(at_ms, mass_g * share * self._hand_mm_s() / 1000, self._log(0.7, 8), where)
            at_ms += self._log(8, 120)

    def _fell(self, label: Label, load_g: Floats) -> Iterator[Sound]:
        """Let every piece that is off land somewhere, unless a hand holds it or something soft catches it."""
        rng, around = self._rng, self._around
        off = label["n_off"] - (label["trigger"] in TAKEN_BY_HAND)
        if off < 1:
            return
        lost_g = max(label["mass_before_g"] - label["mass_after_g"], off * LIGHTEST_G)
        masses = rng.dirichlet(np.full(off, 6.0)) * lost_g
        swept = label["trigger"] == "sweep"
        far = self._log(0.15, 0.6) if swept else self._log(0.4, 1.1)
        for mass_g, left_ms in zip(masses, _leaves(label, load_g, masses), strict=True):
            if rng.random() < around.unheard:
                continue
            top_mm = rng.uniform(0.05, 1.0) * label["height_before_mm"] if rng.random() < 0.5 else rng.uniform(0, 10)
            fall_mm = around.below_mm + top_mm
            speed_mm_s = _speed(fall_mm)
            at_ms = left_ms + rng.uniform(0.6, 1.05) * speed_mm_s / 1000 / GRAVITY_MM_PER_MS2
            at_ms += rng.uniform(0, 300) if swept else 0.0
            where: Where = "base" if rng.random() < around.on_base else "table"
            yield from self._bounces(at_ms, float(mass_g) * speed_mm_s / 1000 * far, speed_mm_s, where)

    def _disturbed(self, sub: str, onset_ms: float, end_ms: float) -> Iterator[Sound]:
        rng = self._rng
        match sub:
            case "touch":
                yield from self._hits(int(rng.integers(0, 4)), onset_ms, end_ms, (0.05, 1.5), (3, 30), "tile")
            case "slide":
                yield Rustle(onset_ms, end_ms - onset_ms, self._log(4, 120))
                yield from self._hits(int(rng.integers(0, 3)), onset_ms, end_ms, (0.1, 4), (1, 15), "base")
            case "lean":
                yield from self._hits(int(rng.integers(0, 2)), onset_ms, onset_ms + 30, (0.2, 6), (4, 50), "base")
            case "wobble_lift":
                yield from self._put(end_ms - self._log(5, 300), self._tile_g, "base")
            case "bump":
                yield from self._hits(int(rng.integers(1, 3)), onset_ms, onset_ms + 300, (5, 300), (3, 25), "table")
            case "cup":
                yield from self._hits(1, onset_ms, onset_ms + 5, (2, 60), (0.5, 6), "table")
            case "phone":
                yield Rustle(onset_ms, end_ms - onset_ms, self._log(3, 300), hz=rng.uniform(110, 260))
            case "neighbour":
                yield from self._hits(int(rng.integers(1, 3)), onset_ms, end_ms, (0.1, 6), (1, 12), "base")
            case "touching":
                yield from self._hits(int(rng.integers(1, 6)), onset_ms, end_ms, (0.03, 3), (0.5, 8), "base")

    def _hits(
        self,
        count: int,
        from_ms: float,
        to_ms: float,
        impulse_mns: tuple[float, float],
        contact_ms: tuple[float, float],
        where: Where,
    ) -> Iterator[Strike]:
        for _ in range(count):
            yield Strike(self._rng.uniform(from_ms, to_ms), self._log(*impulse_mns), self._log(*contact_ms), where)


def _speed(fall_mm: float) -> float:
    """Return the speed in millimetres a second after a fall of that depth."""
    return 1000 * float(np.sqrt(2 * GRAVITY_MM_PER_MS2 * max(fall_mm, 0.05)))


def _leaves(label: Label, load_g: Floats, masses: Floats) -> list[float]:
    """Return when each of `masses` is off for good, in ms: the load is never again as much as with half of it."""
    from_ms = max(label["t_onset_us"] // 1000, 0)
    during = load_g[from_ms : label["t_end_us"] // 1000 + 300]
    if len(during) < 2 * SMOOTH_MS:
        return [float(from_ms)] * len(masses)
    smooth = np.convolve(during, np.full(SMOOTH_MS, 1 / SMOOTH_MS), mode="same")
    smooth[: SMOOTH_MS // 2], smooth[-SMOOTH_MS // 2 :] = during[0], smooth[-SMOOTH_MS // 2 - 1]
    still = np.maximum.accumulate(smooth[::-1])[::-1]
    left_g = label["mass_before_g"] - np.cumsum(masses) + masses / 2
    return [float(from_ms + np.count_nonzero(still >= mass_g)) for mass_g in left_g]
