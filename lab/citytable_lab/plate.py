"""Model the plate that carries the forces on a tile to the cells under it, and rings."""

from typing import Any, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.floating[Any]]

G_OF_N = 1000 / 9.80665  # what a newton weighs
RATE_HZ = 1000  # of everything that happens on a tile
PAD = 900  # samples after the end, in which the load comes back to where it began


class Plate(msgspec.Struct, frozen=True):
    """Hold a plate on its cells: three modes (down, two tilts), and how a force is shared.

    `share` has a row for each cell and a column each for fz (1), mx and my (1/mm): a cell feels `share @ wrench` grams.
    """

    resonance_hz: tuple[float, float, float]
    damping: tuple[float, float, float]
    share: tuple[tuple[float, float, float], ...]
    cell_xy_mm: tuple[tuple[float, float], ...]


def draw_plate(rng: np.random.Generator, cells: int) -> Plate:
    """Draw a plate of 1 to 3 cells, with lever, resonance and damping as varied as builders make them."""
    down_hz = float(np.exp(rng.uniform(np.log(40), np.log(200))))
    tilts = down_hz * rng.uniform(0.6, 1.6, 2)
    modes = (down_hz, float(np.clip(tilts[0], 40, 200)), float(np.clip(tilts[1], 40, 200)))
    damping = np.exp(rng.uniform(np.log(0.02), np.log(0.2), 3))
    share, xy = _shares(rng, cells)
    return Plate(
        resonance_hz=modes,
        damping=(float(damping[0]), float(damping[1]), float(damping[2])),
        share=tuple((float(a), float(b), float(c)) for a, b, c in share),
        cell_xy_mm=tuple((round(float(x), 2), round(float(y), 2)) for x, y in xy),
    )


def _shares(rng: np.random.Generator, cells: int) -> tuple[Floats, Floats]:
    if cells == 1:  # a single-point cell: what stands off its middle reads a little wrong
        return np.array([[1.0, *rng.normal(0, 1.2e-4, 2)]]), np.zeros((1, 2))
    radius_mm = rng.uniform(22, 45)
    if cells == 2:
        half = radius_mm * np.array([[1.0, 0.0], [-1.0, 0.0]])
        return np.array([[0.5, *rng.normal(0, 1e-4, 2)] for _ in half]) + _lever(half), half
    angle = np.deg2rad(90 + 120 * np.arange(3) + rng.uniform(-4, 4, 3))
    xy = radius_mm * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    # down: sum of shares is fz; moments: sum of -y * share is mx, of x * share is my
    return np.linalg.inv(np.stack([np.ones(3), -xy[:, 1], xy[:, 0]])), xy


def _lever(half: Floats) -> Floats:
    """Share a force between two cells on the x axis: a moment about y loads one and unloads the other."""
    arm = half[:, 0]
    return np.stack([np.zeros(2), np.zeros(2), arm / np.sum(arm**2)], axis=1)


def cell_loads(plate: Plate, wrench: NDArray[np.float32], conversion_s: float) -> Floats:
    """Return what the cells' converters see: `wrench` [n, 3] at 1 kHz in g and g mm, to [n, cells] in g at 1 kHz.

    The plate's three modes act, then the converter's own filter (four conversions of `conversion_s` each, sinc to the
    fourth, as the HX711 settles): the value at a time is what a conversion ending then gives.
    """
    n = len(wrench)
    size = -(-(n + PAD) // 4096) * 4096
    frequency = np.fft.rfftfreq(size, 1 / RATE_HZ)
    sinc = np.sinc(frequency * conversion_s) ** 4 * np.exp(-4j * np.pi * frequency * conversion_s)
    modes = np.empty((n, 3))
    for axis in range(3):
        rest = float(wrench[0, axis])
        padded = np.zeros(size)
        padded[:n] = wrench[:, axis] - rest
        padded[n : n + PAD // 3] = padded[n - 1] * (0.5 + 0.5 * np.cos(np.linspace(0, np.pi, PAD // 3)))
        answer = sinc * response(frequency, plate.resonance_hz[axis], plate.damping[axis])
        modes[:, axis] = np.fft.irfft(np.fft.rfft(padded) * answer, size)[:n] + rest
    loads: Floats = modes @ np.array(plate.share).T
    return loads


def response(frequency: Floats, resonance_hz: float, damping: float) -> NDArray[np.complexfloating[Any, Any]]:
    """Return the response of a damped resonance at each frequency."""
    x = frequency / resonance_hz
    return 1 / np.asarray(1 - x**2 + 2j * damping * x, dtype=np.complex128)
