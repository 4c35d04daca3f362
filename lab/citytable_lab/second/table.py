"""Write what happens on one spot: forces on the tile, millisecond by millisecond, and labels beside them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

GROWS_MS = 30_000


class Spot:
    """Hold a platform, its pieces, and everything that has pressed on it so far. Times in ms, forces in g, lengths mm.

    `pieces` has a row of mass, x, y and rise for each piece, the lowest first.
    """

    def __init__(self, tile_g: float, tile_mm: float, pieces: list[tuple[float, float, float, float]]) -> None:
        self.tile_g, self.tile_mm, self.pieces = tile_g, tile_mm, list(pieces)
        self.away = False
        self.now = 0
        self.labels: list[dict[str, Any]] = []
        self.lent = np.zeros(3)  # what a platform that touches this one takes over (negative) or leaves here
        self._wrench = np.zeros((GROWS_MS, 3))
        self._rest = self.resting()

    @property
    def mass_g(self) -> float:
        """Return what stands on the platform, 0 while it is away."""
        return 0.0 if self.away else sum(piece[0] for piece in self.pieces)

    @property
    def height_mm(self) -> float:
        """Return how high it stands, 0 while it is away."""
        return 0.0 if self.away else sum(piece[3] for piece in self.pieces)

    def resting(self) -> Floats:
        """Return the wrench of what lies there now."""
        return np.zeros(3) if self.away else self.standing()

    def standing(self) -> Floats:
        """Return the wrench of the platform and its building, here or in a hand."""
        total = np.array([self.tile_g, 0.0, 0.0]) + self.lent
        for mass, x, y, _ in self.pieces:
            total += mass * np.array([1.0, -y, x])
        return total

    def rest(self, seconds: float) -> None:
        """Let time pass with what lies there now."""
        self.rest_until(self.now + round(1000 * seconds))

    def rest_until(self, at_ms: int) -> None:
        """Let time pass until then."""
        n = max(0, at_ms - self.now)
        self._room(self.now + n)
        self._wrench[self.now : self.now + n] += self._rest
        self.now += n

    def run(self, wrench: Floats) -> None:
        """Let the whole load run through `wrench` [n, 3], tile and all; then what lies there rests."""
        self._room(self.now + len(wrench))
        self._wrench[self.now : self.now + len(wrench)] += wrench
        self.now += len(wrench)
        self._rest = self.resting()

    def add(self, at_ms: int, force: Floats, x: float, y: float) -> None:
        """Add a passing force at a point."""
        at_ms = max(0, at_ms)
        self._room(at_ms + len(force))
        self._wrench[at_ms : at_ms + len(force)] += force[:, None] * np.array([1.0, -y, x])

    def note(self, kind: str, sub: str, onset: int, end: int, before: tuple[float, float], **more: object) -> None:
        """Label what happened."""
        self.labels.append(
            {
                "kind": kind,
                "sub": sub,
                "t_onset_us": 1000 * onset,
                "t_end_us": 1000 * end,
                "mass_before_g": round(before[0], 3),
                "mass_after_g": round(self.mass_g, 3),
                "height_before_mm": round(before[1], 1),
                "height_after_mm": round(self.height_mm, 1),
                **more,
            }
        )

    def load(self) -> Floats:
        """Return everything until now, [n, 3]; a tile never pulls."""
        whole = self._wrench[: self.now].copy()
        whole[:, 0] = np.maximum(whole[:, 0], 0.0)
        return whole

    def _room(self, end: int) -> None:
        while end > len(self._wrench):
            self._wrench = np.concatenate([self._wrench, np.zeros((GROWS_MS, 3))])
