"""Draw what an accelerometer is mounted on, and who sits around it. Nobody has measured any of it."""

from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from citytable_lab.plate import PAD, RATE_HZ, Floats, Plate, response

MG_OF_M_S2 = 1000 / 9.80665
N_OF_G = 9.80665e-3  # what a gram weighs


class Surroundings(msgspec.Struct, frozen=True):
    """Hold one station's base on one table, the chip in it, and the ways of people that can be heard.

    A mass that is struck answers as if on a spring: with all of itself above the spring's frequency, hardly below.
    """

    base_kg: float
    base_hz: float
    base_damping: float
    table_kg: float  # what moves with the place that is struck, and with the station
    table_hz: float
    table_damping: float
    coupling: float  # how much of it the chip feels where it sits
    high_pass_hz: float
    low_pass_hz: float
    noise_mg: float
    hard_ms: float  # how long a piece's contact with the table lasts; a cloth makes it longer
    bounce: float
    below_mm: float  # from the platform's surface down to where pieces land
    on_base: float  # share of them that hit the base itself
    unheard: float  # share of them that a lap, a sleeve or a cloth catches
    gentle_mm_s: float  # how fast a hand brings down what it sets down
    clumsy: float  # share of things let go above where they land
    lays: float  # share of pieces taken that are laid on the table at once
    bag_mg: float  # hands in the bag
    noise_per_s: float  # knocks of everybody else


def _log(rng: np.random.Generator, low: float, high: float) -> float:
    return float(np.exp(rng.uniform(np.log(low), np.log(high))))


def draw_surroundings(rng: np.random.Generator) -> Surroundings:
    """Draw a base, a table and people around it, as varied as any."""
    dull = rng.random() < 0.3  # a tablecloth, a mat, a heavy top
    clumsy = rng.random() < 0.25
    return Surroundings(
        base_kg=_log(rng, 0.2, 5),
        base_hz=_log(rng, 25, 200),
        base_damping=_log(rng, 0.05, 0.5),
        table_kg=_log(rng, 5, 60) if dull else _log(rng, 1, 30),
        table_hz=_log(rng, 40, 250),
        table_damping=_log(rng, 0.02, 0.3),
        coupling=_log(rng, 0.3, 1.2),
        high_pass_hz=_log(rng, 1, 12),
        low_pass_hz=_log(rng, 90, 250),
        noise_mg=_log(rng, 1, 4.5),
        hard_ms=_log(rng, 4, 15) if dull else _log(rng, 0.3, 4),
        bounce=float(rng.uniform(0.05, 0.5)),
        below_mm=float(rng.uniform(6, 60)),
        on_base=float(rng.uniform(0.2, 1.0)) if rng.random() < 0.5 else 0.0,
        unheard=float(rng.uniform(0, 0.2)),
        gentle_mm_s=_log(rng, 10, 80),
        clumsy=float(rng.uniform(0.1, 0.6)) if clumsy else 0.02,
        lays=float(rng.uniform(0, 0.9)),
        bag_mg=_log(rng, 4, 60),
        noise_per_s=_log(rng, 0.01, 1),
    )


class Struck(msgspec.Struct):
    """Hold newtons at 1 kHz by what they act on, and what is shaken beside them, in thousandths of g."""

    tile: Floats
    base: Floats
    table: Floats
    shaken_mg: Floats


def felt_mg(around: Surroundings, plate: Plate, struck: Struck) -> Floats:
    """Return what the chip gives out at 1 kHz before it adds its noise."""
    n = len(struck.tile)
    size = -(-(n + PAD) // 4096) * 4096
    frequency = np.fft.rfftfreq(size, 1 / RATE_HZ)
    through = response(frequency, plate.resonance_hz[0], plate.damping[0])
    on_base = _spectrum(struck.tile, size) * through + _spectrum(struck.base, size)
    felt = on_base * _moved(frequency, around.base_hz, around.base_damping) / around.base_kg
    felt += _spectrum(struck.table, size) * _moved(frequency, around.table_hz, around.table_damping) / around.table_kg
    felt = felt * MG_OF_M_S2 * around.coupling + _spectrum(struck.shaken_mg, size)
    high = 1j * frequency / (around.high_pass_hz + 1j * frequency)
    return np.asarray(np.fft.irfft(felt * high * response(frequency, around.low_pass_hz, 0.7), size)[:n])


def _spectrum(values: Floats, size: int) -> NDArray[np.complexfloating[Any, Any]]:
    return np.asarray(np.fft.rfft(values, size))


def _moved(frequency: Floats, resonance_hz: float, damping: float) -> NDArray[np.complexfloating[Any, Any]]:
    """Return the acceleration of a mass on its spring by a force, as a share of what it is without the spring."""
    x = frequency / resonance_hz
    return np.asarray(-(x**2) * response(frequency, resonance_hz, damping))
