"""Model range sensors that look at towers, with parameters drawn separately for every unit.

Nothing here was measured: noise, scale and reflectance are drawn from wide assumptions (`docs/reference/accuracy.md`).
A beam's range is the mean of all its rays, each weighted by reflectance over distance squared, in whole millimetres.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from citytable.sensing.reading import HeightReading
from citytable.table.sizes import SIZES

Floats = NDArray[np.float64]
ROWS = 8
RAYS = 4  # to a side of a zone
GUIDE_MM, BEAM_MM = 0.12, 0.2  # play of a guide; how far a piece reaches into a beam before it counts as broken
AGREE_MM, HAND_MOVES_MM = 0.6, 3.0  # between two lowerings
PLATFORM_MM = SIZES.platform_flat_mm
PADDLE_MM = SIZES.paddle_range_mm  # from the crane's sensor to its paddle on the bare platform
AVERAGED = 12
BLOCK_MM = 150.0  # as its owner measured it
INVALID = -1


class Block(NamedTuple):
    """Hold a piece as light meets it: its bounds in mm from the middle of the platform's top, and its reflectance."""

    x: tuple[float, float]  # away from a sensor at the side
    y: tuple[float, float]
    z: tuple[float, float]
    reflectance: float


Tower = tuple[Block, ...]


def draw_tower(rng: np.random.Generator) -> Tower:
    """Draw a crooked stack of 2 to 14 blocks, some of them clear or black."""
    blocks: list[Block] = []
    top_mm, x_mm, y_mm = 0.0, rng.uniform(-18, 18), rng.uniform(-18, 18)
    for _ in range(rng.integers(2, 15)):
        high_mm, wide_mm, deep_mm = rng.uniform(6, 34), rng.uniform(10, 46), rng.uniform(10, 46)
        x_mm, y_mm = (float(np.clip(at + rng.normal(0, 5), -25, 25)) for at in (x_mm, y_mm))
        reflectance = float(rng.choice((0.05, 0.12, 0.4, 0.8)))  # black, clear, grey, white
        blocks.append(
            Block(
                (x_mm - deep_mm / 2, x_mm + deep_mm / 2),
                (y_mm - wide_mm / 2, y_mm + wide_mm / 2),
                (top_mm, top_mm + high_mm),
                reflectance,
            )
        )
        top_mm += high_mm
        if top_mm > 225:
            break
    return tuple(blocks)


def height_mm(tower: Tower) -> float:
    """Return the height of a tower."""
    return tower[-1].z[1]


class Paddle:
    """Model a crane's sensor over its paddle: one unit on one evening, zeroed on a bare platform, scaled on a block."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self._scale = 1 + rng.normal(0, 0.005)
        self._offset_mm = rng.normal(0, 8)
        self._noise_mm = rng.uniform(0.6, 2.6)
        self.zero_mm = float(np.mean([self._mean(PADDLE_MM)[0] for _ in range(3)]))
        block_mm = BLOCK_MM + rng.normal(0, 0.3)
        near_mm = float(np.mean([self._mean(PADDLE_MM - block_mm)[0] for _ in range(3)]))
        self.scale = BLOCK_MM / (self.zero_mm - near_mm)
        self._warm_mm = rng.normal(0, 0.4)

    def read(self, t_us: int, spot: str, at_mm: float) -> HeightReading:
        """Return the mean of one lowering on something `at_mm` high."""
        askew_mm = math.sin(math.radians(abs(self._rng.normal(0, 1)))) * self._rng.uniform(-15, 15)
        seen_through_mm = self._rng.uniform(0, 1.2) if self._rng.random() < 0.2 else 0.0
        mean_mm, spread_mm = self._mean(PADDLE_MM - at_mm + askew_mm + seen_through_mm + self._warm_mm)
        return HeightReading(t_us=t_us, spot=spot, range_mm=mean_mm, spread_mm=spread_mm, n=AVERAGED)

    def _mean(self, range_mm: float) -> tuple[float, float]:
        """Return mean and standard deviation of whole millimetres, as the station sends them."""
        true_mm = self._offset_mm + range_mm * self._scale
        ranges = np.rint(self._rng.normal(true_mm, self._noise_mm, AVERAGED))
        return round(float(np.mean(ranges)), 1), round(float(np.std(ranges, ddof=1)), 1)


class Overhead:
    """Model a sensor above the middle of the platform that looks down, with one beam or with 8x8 zones."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self.sensor_mm = rng.uniform(280, 420)
        self._fov = math.radians(rng.uniform(18, 27))
        self._zones_fov = math.radians(45)

    def single(self, tower: Tower) -> int:
        """Return the one range."""
        tops, weights = self._look(tower, self._fov, ROWS * RAYS)
        return round(float(np.sum(tops * weights) / np.sum(weights)) + self._rng.normal(0, 3))

    def zones(self, tower: Tower) -> tuple[int, ...]:
        """Return the 64 ranges."""
        ranges, weights = self._look(tower, self._zones_fov, ROWS * RAYS)
        means = _by_zone(ranges * weights) / _by_zone(weights) + self._rng.normal(0, 3, (ROWS, ROWS))
        return _as_reported(means, self._rng)

    def _look(self, tower: Tower, fov: float, rays: int) -> tuple[Floats, Floats]:
        slopes = np.tan((np.arange(rays) + 0.5) / rays * fov - fov / 2)
        down, across = np.meshgrid(slopes, slopes, indexing="ij")
        far = np.full(down.shape, self.sensor_mm)
        reflectance = np.where(np.hypot(down, across) * self.sensor_mm < PLATFORM_MM / 2, 0.6, 0.3)
        for block in tower:
            depth_mm = self.sensor_mm - block.z[1]
            hit = _between(down * depth_mm, block.x) & _between(across * depth_mm, block.y)
            far = np.where(hit, depth_mm, far)
            reflectance = np.where(hit, block.reflectance, reflectance)
        return far, reflectance / far**2


class Carriage:
    """Model a carriage on a guide with a linear scale, and a beam across the whole pad at the paddle's underside.

    The beam is broken by the highest point of whatever stands on the pad, so the paddle cannot come down beside it. A
    hand breaks it, too; but it does not hold still, and a height counts only when two lowerings agree.
    """

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self._scale = 1 + rng.normal(0, 0.0004)
        self._zero_mm = rng.normal(0, 0.08)

    def height(self, tower_mm: float, hand_mm: float | None) -> float | None:
        """Return the mean of two lowerings on a tower, or on a hand over it; None where they do not agree."""
        first, second = self._lowered(tower_mm, hand_mm), self._lowered(tower_mm, hand_mm)
        return (first + second) / 2 if abs(first - second) <= AGREE_MM else None

    def _lowered(self, tower_mm: float, hand_mm: float | None) -> float:
        at_mm = tower_mm if hand_mm is None else max(tower_mm, hand_mm + self._rng.normal(0, HAND_MOVES_MM))
        play_mm, broken_mm = self._rng.normal(0, GUIDE_MM), self._rng.uniform(-BEAM_MM, BEAM_MM)
        return round(self._zero_mm + at_mm * self._scale + play_mm + broken_mm, 1)


def _between(values: Floats, bounds: tuple[float, float]) -> NDArray[np.bool_]:
    return (values >= bounds[0]) & (values <= bounds[1])


def _by_zone(rays: Floats) -> Floats:
    sums: Floats = rays.reshape(ROWS, RAYS, ROWS, RAYS).sum(axis=(1, 3))
    return sums


def _as_reported(means: Floats, rng: np.random.Generator) -> tuple[int, ...]:
    lost = rng.random(means.shape) < 0.03
    return tuple(int(value) for value in np.where(lost, INVALID, np.rint(means)).ravel())
