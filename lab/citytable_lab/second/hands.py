"""Move hands: targets in grams that a muscle follows late, with noise that grows with what it holds.

One value per millisecond.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

Goal = tuple[float, float]
"""For how many seconds, and how many grams."""


class Person:
    """Hold one person's hands: how quick, how strong, how unsteady."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng
        self.slow_s = float(np.exp(rng.uniform(np.log(0.012), np.log(0.09))))
        self.press_g = float(np.exp(rng.uniform(np.log(0.5), np.log(30))))
        self.unsteady = float(np.exp(rng.uniform(np.log(0.01), np.log(0.08))))
        self.tremor_g = float(np.exp(rng.uniform(np.log(0.01), np.log(0.4))))
        self.hurry = float(np.exp(rng.uniform(np.log(0.6), np.log(1.7))))

    def follow(self, goals: Sequence[Goal]) -> Floats:
        """Return the force that follows these goals one after the other, and ends near the last."""
        target = np.concatenate([np.full(max(1, round(1000 * length)), grams) for length, grams in goals])
        slow_ms = 1000 * self.slow_s * float(self.rng.uniform(0.7, 1.5))
        since = np.arange(1, int(9 * slow_ms) + 2)
        answer = since * np.exp(-since / slow_ms)
        force: Floats = np.convolve(target, answer / answer.sum())[: len(target)]
        return force + self.noise(len(force)) * (self.unsteady * np.abs(force) + self.tremor_g * (np.abs(force) > 0.05))

    def noise(self, n: int) -> Floats:
        """Return unit noise of a muscle: a hum near nine hertz on top of a slow drift."""
        hertz = np.fft.rfftfreq(n + 1000, 1e-3)
        middle = float(self.rng.uniform(7, 11))
        amount = 1 / (1 + (hertz / 0.8) ** 2) + 0.25 / (1 + ((hertz - middle) / 1.0) ** 2)
        phases = self.rng.standard_normal(len(hertz)) + 1j * self.rng.standard_normal(len(hertz))
        wave = np.fft.irfft(amount * phases, n + 1000)[:n]
        noise: Floats = wave / max(float(wave.std()), 1e-9)
        return noise

    def transfer(self) -> Floats:
        """Return how a weight goes from a hand to the tile: the hand sinks evenly, and the fingertips yield."""
        yields_mm, sinks_mm_s = self.rng.uniform(0.5, 7), self.rng.uniform(12, 120) / self.hurry
        n = max(3, round(1000 * yields_mm / sinks_mm_s))
        share = np.linspace(0, 1, n) ** float(self.rng.uniform(1.0, 1.8))
        return np.concatenate([share, np.ones(3)])
