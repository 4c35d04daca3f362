"""Make the forces of hands and of things that land, as series of one value per millisecond."""

import numpy as np

from citytable_lab.habits import Habits
from citytable_lab.plate import Floats

GRAVITY_MM_PER_MS2 = 9.80665e-3


def spread(rng: np.random.Generator, median: float, sigma: float = 0.6) -> float:
    """Draw from a log-normal distribution."""
    return float(median * np.exp(rng.normal(0, sigma)))


def ramp(rng: np.random.Generator, n: int) -> Floats:
    """Return a rise from 0 to 1 in `n` milliseconds, in one of the ways in which hands let go or take."""
    n = max(n, 2)
    u = np.linspace(0, 1, n)
    match rng.integers(4):
        case 0:
            return u
        case 1:
            return u * u * (3 - 2 * u)
        case 2:
            bent: Floats = u ** float(np.exp(rng.normal(0, 0.6)))
            return bent
        case _:
            hurried: Floats = np.clip(np.cumsum(np.abs(rng.normal(1, 0.8, n))), 0, None)
            return np.asarray((hurried - hurried[0]) / (hurried[-1] - hurried[0]))


def restless(rng: np.random.Generator, n: int, low_hz: float, high_hz: float) -> Floats:
    """Return noise of unit strength between two frequencies."""
    size = max(64, 1 << (n - 1).bit_length())
    frequency = np.fft.rfftfreq(size, 1e-3)
    band = np.exp(-0.5 * ((frequency - (low_hz + high_hz) / 2) / max((high_hz - low_hz) / 2, 0.3)) ** 2)
    band[0] = 0
    spectrum = band * (rng.standard_normal(len(band)) + 1j * rng.standard_normal(len(band)))
    noise = np.fft.irfft(spectrum, size)[:n]
    return np.asarray(noise / max(float(noise.std()), 1e-9))


def holding(rng: np.random.Generator, habits: Habits, n: int, strength: float = 1.0) -> Floats:
    """Return the force of a hand that holds on: a level that wanders, a wobble and a tremor, in g."""
    if n < 2:
        return np.zeros(max(n, 0))
    level = spread(rng, habits.hold_g * strength, 0.7) * rng.choice([1.0, 1.0, 1.0, -0.7])
    wobble_g = spread(rng, habits.wobble_g * strength, 0.7)
    force = level + wobble_g * restless(rng, n, 0.3 * habits.wobble_hz, 1.6 * habits.wobble_hz)
    force += spread(rng, habits.tremor_g, 0.5) * restless(rng, n, habits.tremor_hz - 1.5, habits.tremor_hz + 1.5)
    edge = min(n // 2, int(rng.integers(10, 120)))
    force[:edge] *= np.linspace(0, 1, edge)
    return np.asarray(force)


def let_go(rng: np.random.Generator, force: Floats, n: int) -> Floats:
    """Return the same force, brought to 0 over its last `n` milliseconds."""
    n = min(max(n, 2), len(force))
    force = force.copy()
    force[-n:] *= 1 - ramp(rng, n)
    return force


def pulse(n: int, peak_g: float) -> Floats:
    """Return one half-sine."""
    return peak_g * np.sin(np.linspace(0, np.pi, max(n, 2)))


def press(rng: np.random.Generator, habits: Habits) -> Floats:
    """Return the force of one press: up in 20 to 150 ms, off more slowly."""
    peak_g = min(spread(rng, habits.press_g, 0.7), 160.0)
    up, down = int(rng.uniform(15, 150)), int(rng.uniform(40, 320))
    return peak_g * np.concatenate([ramp(rng, up), 1 - ramp(rng, down)])


def taps(rng: np.random.Generator, habits: Habits) -> Floats:
    """Return the force of one to four taps of a finger."""
    gap = int(rng.uniform(70, 260))
    force = np.zeros(gap * 5)
    for i in range(int(rng.integers(1, 5))):
        hit = pulse(int(rng.uniform(8, 60)), spread(rng, 1.2 * habits.press_g, 0.6))
        force[i * gap : i * gap + len(hit)] += hit[: len(force) - i * gap]
    return force


def landing(rng: np.random.Generator, mass_g: float, fall_mm: float) -> Floats:
    """Return the force of a piece that falls `fall_mm` on what it lands on, without its weight: impact, and bounces.

    Each bounce takes its weight off again for as long as it flies.
    """
    speed = float(np.sqrt(2 * GRAVITY_MM_PER_MS2 * max(fall_mm, 0.05)))  # mm per ms
    bounce = rng.uniform(0.05, 0.5)
    parts: list[Floats] = []
    for _ in range(4):
        contact = int(rng.integers(2, 8))
        impulse = mass_g * speed * (1 + bounce) / GRAVITY_MM_PER_MS2  # g ms
        hit = pulse(contact, 1.0)
        parts.append(hit * impulse / hit.sum())
        speed *= bounce
        flight = int(2 * speed / GRAVITY_MM_PER_MS2)
        if flight < 3:
            break
        parts.append(np.full(flight, -mass_g))
    return np.concatenate(parts)


def ringing(rng: np.random.Generator, peak_g: float, hz: float, damping: float) -> Floats:
    """Return the motion of something that was struck and rings out."""
    n = int(min(3000, 5000 / (damping * 2 * np.pi * hz) + 20))
    t_s = np.arange(n) / 1000
    swing: Floats = np.exp(-damping * 2 * np.pi * hz * t_s) * np.sin(2 * np.pi * hz * t_s + rng.uniform(0, 0.5))
    return peak_g * swing
