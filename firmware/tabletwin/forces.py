"""Forces: the load on a spot over time, as the converters under it show it.

The wobble of a plate and the movements of hands are assumptions: a hand that takes a thing grips it, and the load
leaves over a time; a hand that sets a thing down presses it and lets go. A falling piece tips, leaves the scale, and
may land on it again. The blow lasts some milliseconds, but each conversion averages the last four, so it shows longer.
"""

import math
from abc import ABC, abstractmethod
from random import Random

SETTLE_US = 50_000  # four conversions
WOBBLE_US = 90_000.0
RUNG_OUT_US = 700_000
PLATE_HZ = (70.0, 200.0)
TREMBLE_HZ = (7.5, 12.5)
GRIP_G, GRIP_US = (0.5, 4.0), (100_000, 400_000)
LEAVE_US = (60_000, 450_000)
LANDING_US = (20_000, 120_000)
PRESS_G, PRESS_US = (1.0, 10.0), (100_000, 400_000)
LET_GO_US = (40_000, 160_000)
TREMBLE = (0.03, 0.2)  # share of a grip or a press
BOUNCE, BOUNCE_US = (0.05, 0.5), (20_000, 120_000)  # of a blow, the second one's share, and when it comes
STRUCK_US = BOUNCE_US[1] + SETTLE_US  # as long as blows show
ROLL, ROLL_HZ = (0.1, 0.4), (4.0, 30.0)  # share of a weight that rolls to and fro
STIRRED, STIRRED_G = (0.02, 0.1), (0.1, 0.5)  # wobble after a hand: shares of the load, and grams


class Force(ABC):
    """Something that presses on a spot between two moments. `left_g` is what stays of it afterwards."""

    __slots__ = ("at_us", "left_g", "until_us")

    def __init__(self, at_us: int, until_us: int, left_g: float) -> None:
        self.at_us = at_us
        self.until_us = until_us
        self.left_g = left_g

    @abstractmethod
    def grams(self, t_us: int) -> float:
        """Return the force at a moment inside."""


class Step(Force):
    """A load that is there, or gone, in an instant: a converter takes a while to show it."""

    __slots__ = ()

    def __init__(self, at_us: int, delta_g: float, lasts_us: int = SETTLE_US) -> None:
        super().__init__(at_us, at_us + lasts_us, delta_g)

    def grams(self, t_us: int) -> float:
        """Return the load so far."""
        return self.left_g * smooth((t_us - self.at_us) / SETTLE_US)


class Wobble:
    """A plate that was struck or let go, and rings out."""

    __slots__ = ("_hz", "_peak_g")

    def __init__(self, peak_g: float, hz: float) -> None:
        self._peak_g = peak_g
        self._hz = hz

    def grams(self, age_us: int) -> float:
        """Return its swing at an age."""
        return self._peak_g * math.exp(-age_us / WOBBLE_US) * math.sin(age_us * self._hz * 6.283e-6)


class Push(Force):
    """A hand, an elbow or a passing platform: rises, trembles, goes away again."""

    __slots__ = ("_peak_g", "_tremble")

    def __init__(self, at_us: int, duration_us: int, peak_g: float, tremble: float) -> None:
        super().__init__(at_us, at_us + max(1, duration_us), 0.0)
        self._peak_g = peak_g
        self._tremble = tremble

    def grams(self, t_us: int) -> float:
        """Return a raised cosine with a tremble on it."""
        phase = (t_us - self.at_us) / (self.until_us - self.at_us)
        envelope = 0.5 - 0.5 * math.cos(6.2832 * phase)
        return self._peak_g * envelope * (1.0 + self._tremble * math.sin(phase * 97.0))


class Handled(Force):
    """The force of a hand on a load that it takes or sets down. `done_us` is when it is off: what follows rings out.

    Its own force is `hold_g`, which comes, trembles and goes.
    """

    __slots__ = ("_hold_g", "_hz", "_tremble", "_wobble", "done_us")

    def __init__(self, at_us: int, done_us: int, delta_g: float, hold_g: float, rng: Random) -> None:
        super().__init__(at_us, done_us + RUNG_OUT_US, delta_g)
        self.done_us = done_us
        self._hold_g = hold_g
        self._hz = rng.uniform(*TREMBLE_HZ)
        self._tremble = rng.uniform(*TREMBLE)
        stirred_g = abs(delta_g) * rng.uniform(*STIRRED) + rng.uniform(*STIRRED_G)
        self._wobble = Wobble(stirred_g, rng.uniform(*PLATE_HZ))

    def _held_g(self, age_us: int, envelope: float) -> float:
        return self._hold_g * envelope * (1.0 + self._tremble * math.sin(age_us * self._hz * 6.283e-6))


class Taken(Handled):
    """A load that a hand takes: gripped first, then it leaves along a smooth curve, and the grip with it."""

    __slots__ = ("_grip_us",)

    def __init__(self, at_us: int, delta_g: float, rng: Random) -> None:
        self._grip_us = rng.randint(*GRIP_US)
        done_us = at_us + self._grip_us + rng.randint(*LEAVE_US)
        super().__init__(at_us, done_us, delta_g, rng.uniform(*GRIP_G), rng)

    def grams(self, t_us: int) -> float:
        """Return the grip, and the part of the load that has gone."""
        if t_us >= self.done_us:
            return self.left_g + self._wobble.grams(t_us - self.done_us)
        age_us, grip_us = t_us - self.at_us, self._grip_us
        if age_us < grip_us:
            return self._held_g(age_us, smooth(2.0 * age_us / grip_us))
        gone = smooth((age_us - grip_us) / (self.done_us - self.at_us - grip_us))
        return self.left_g * gone + self._held_g(age_us, 1.0 - gone)


class Laid(Handled):
    """A load that a hand sets down: it lands lightly, is pressed, and let go."""

    __slots__ = ("_landing_us", "_let_go_us")

    def __init__(self, at_us: int, delta_g: float, rng: Random) -> None:
        self._landing_us = rng.randint(*LANDING_US)
        self._let_go_us = rng.randint(*LET_GO_US)
        done_us = at_us + self._landing_us + rng.randint(*PRESS_US) + self._let_go_us
        super().__init__(at_us, done_us, delta_g, rng.uniform(*PRESS_G), rng)

    def grams(self, t_us: int) -> float:
        """Return the landing load, its wobble, and the finger on it."""
        age_us = t_us - self.at_us
        if age_us < self._landing_us:
            landed = smooth(age_us / self._landing_us)
            return self.left_g * landed + self._held_g(age_us, landed)
        resting_g = self.left_g + self._wobble.grams(age_us - self._landing_us)
        if t_us >= self.done_us:
            return resting_g
        return resting_g + self._held_g(age_us, smooth((self.done_us - t_us) / self._let_go_us))


class Tipped(Force):
    """A piece that tips over an edge and is gone: it leans on what it stood on until it lets go."""

    __slots__ = ("_kick_g",)

    def __init__(self, at_us: int, mass_g: float, tip_us: int, kick: float) -> None:
        super().__init__(at_us, at_us + tip_us + SETTLE_US, -mass_g)
        self._kick_g = kick * mass_g

    def grams(self, t_us: int) -> float:
        """Return the load that is gone, less the kick on leaving."""
        part = (t_us - self.at_us) / (self.until_us - self.at_us)
        return self.left_g * smooth(part) + self._kick_g * math.sin(math.pi * min(1.0, part))


class Landed(Step):
    """A piece that lands, bounces once and rolls until it lies. With `left_g` 0 it only strikes the spot and flies on.

    A blow's `impulse` is in gram milliseconds: the weight that would have pressed for a millisecond.
    """

    __slots__ = ("_bounce", "_flight_us", "_impulse", "_roll_g", "_roll_hz", "_roll_us")

    @property
    def blows(self) -> tuple[tuple[int, float], ...]:
        """Return when each part strikes, and how hard."""
        bounced = self.at_us + self._flight_us, self._impulse * self._bounce
        return (self.at_us, self._impulse), bounced

    def __init__(self, at_us: int, left_g: float, impulse: float, roll_us: int, rng: Random) -> None:
        super().__init__(at_us, left_g, max(roll_us, STRUCK_US))
        self._impulse = impulse
        self._bounce = rng.uniform(*BOUNCE)
        self._flight_us = rng.randint(*BOUNCE_US)
        self._roll_g = left_g * rng.uniform(*ROLL)
        self._roll_hz = rng.uniform(*ROLL_HZ)
        self._roll_us = roll_us

    def grams(self, t_us: int) -> float:
        """Return the blows, the weight that is there again, and the rolling."""
        age_us = t_us - self.at_us
        blows = blow(age_us) + self._bounce * blow(age_us - self._flight_us)
        rolling = self._roll_g * max(0.0, 1.0 - age_us / self._roll_us) * math.sin(age_us * self._roll_hz * 6.283e-6)
        return super().grams(t_us) + self._impulse * blows + rolling


def blow(age_us: int) -> float:
    """Return a blow of one gram millisecond as the mean of four conversions shows it: a bump of that area."""
    part = age_us / SETTLE_US
    return 8.0 / 3.0 * math.sin(math.pi * part) ** 4 * 1e3 / SETTLE_US if 0.0 < part < 1.0 else 0.0


def smooth(part: float) -> float:
    """Return a step from 0 to 1 that starts and ends at rest; it is clamped beyond its ends."""
    inside = min(1.0, max(0.0, part))
    return inside * inside * (3.0 - 2.0 * inside)
