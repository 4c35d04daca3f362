"""Record what range sensors could see on one spot: the building's top, hands above it, and whether a tile is there.

Time is in milliseconds from the start of the trace.
"""

import msgspec
import numpy as np
from numpy.typing import NDArray

from citytable_lab.habits import Habits

VIEW_MS = 20  # between two looks of the range sensors' model


class RangeView(msgspec.Struct):
    """Hold what range sensors could see, every `VIEW_MS`: NaN where there is no hand."""

    top_mm: NDArray[np.float32]
    hand_mm: NDArray[np.float32]
    hand_share: NDArray[np.float32]  # of the field of view
    tile_here: NDArray[np.bool_]


class Sight:
    """Record one spot from the first millisecond on, when its tile is there."""

    def __init__(self, rng: np.random.Generator, habits: Habits, height_mm: float) -> None:
        self._rng = rng
        self._habits = habits
        self._tops: list[tuple[int, float]] = [(0, height_mm)]
        self._presence: list[tuple[int, bool]] = [(0, True)]
        self._tracks: list[tuple[int, NDArray[np.float32]]] = []
        self._hands: list[tuple[int, NDArray[np.float32], float]] = []

    def tile(self, at_ms: int, *, here: bool) -> None:
        """Let the tile be there from here on, or be away."""
        self._presence.append((at_ms, here))

    def top(self, at_ms: int, height_mm: float) -> None:
        """Set the height of the building from here on."""
        self._tops.append((at_ms, height_mm))

    def top_track(self, at_ms: int, top_mm: NDArray[np.float32]) -> None:
        """Set the building's height while it moves, every `VIEW_MS`."""
        self._tracks.append((at_ms, top_mm))

    def hand(self, from_ms: int, to_ms: int, height_mm: float, often: float = 1.0) -> None:
        """Bring a hand into the range sensors' view; it works at about a height, and goes.

        It stays out of view in a share `1 - often` of such acts, and as the people of this trace do.
        """
        habits, rng = self._habits, self._rng
        if rng.random() > habits.hand_seen * often:
            return
        n = max(2, (to_ms - from_ms) // VIEW_MS)
        path = height_mm + np.zeros(n)
        rise = min(n // 2, int(rng.integers(1, 12)))
        away = rng.uniform(0, 120, 2) * (rng.random(2) < 0.3)
        path[:rise] += np.linspace(away[0], 0, rise)
        path[n - rise :] += np.linspace(0, away[1], rise)
        path += np.cumsum(rng.normal(0, habits.hand_roams_mm, n))
        self.hand_track(from_ms, path.astype(np.float32))

    def hand_track(self, at_ms: int, hand_mm: NDArray[np.float32]) -> None:
        """Set a hand's lowest point above the platform, every `VIEW_MS`; NaN where there is none.

        A sensor above sees its back, a wrist, a sleeve: higher by an amount of these people's own.
        """
        habits, rng = self._habits, self._rng
        share = 1.0 if habits.hand_share == 1.0 else float(np.clip(rng.normal(habits.hand_share, 0.12), 0.25, 1.0))
        above_mm = np.float32(max(0.0, habits.hand_above_mm + rng.normal(0, 12)))
        self._hands.append((at_ms, hand_mm + above_mm, share))

    def seen(self, until_ms: int) -> RangeView:
        """Return all that was to be seen until then."""
        n = until_ms // VIEW_MS + 1
        top = np.zeros(n, dtype=np.float32)
        here = np.ones(n, dtype=np.bool_)
        for at_ms, height_mm in sorted(self._tops, key=lambda top: top[0]):
            top[at_ms // VIEW_MS :] = height_mm
        for at_ms, present in self._presence:
            here[at_ms // VIEW_MS :] = present
        for at_ms, track in self._tracks:
            _overlay(top, at_ms // VIEW_MS, track)
        hand = np.full(n, np.nan, dtype=np.float32)
        share = np.zeros(n, dtype=np.float32)
        for at_ms, track, view in self._hands:
            _overlay(hand, at_ms // VIEW_MS, track)
            _overlay(share, at_ms // VIEW_MS, np.full(len(track), view, dtype=np.float32))
        return RangeView(top_mm=top, hand_mm=hand, hand_share=share, tile_here=here)


def _overlay(onto: NDArray[np.float32], at: int, values: NDArray[np.float32]) -> None:
    skip = max(-at, 0)
    end = min(at + len(values), len(onto))
    if end > at + skip:
        onto[at + skip : end] = values[skip : end - at]
