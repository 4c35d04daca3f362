"""Model an accelerometer in a station's base: the windows of a trace whose peak it reports.

Everything is drawn from a generator of its own, so that a trace is the same with and without an accelerometer.
"""

from collections.abc import Iterable
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from citytable.sensing.knock_history import LEAST_MG
from citytable_lab.plate import Floats
from citytable_lab.stage import Stage
from citytable_lab.strikes import Rustle, Sound, Strike, Strikes
from citytable_lab.surroundings import N_OF_G, Struck, Surroundings, felt_mg
from citytable_lab.touch import ringing
from citytable_lab.trace_file import Knocks

WINDOW_MS = 10
MOST_MG = 4000  # the chip's range
BAGS_PER_S = 0.03  # hands in the bag that belong to no act here


def heard(rng: np.random.Generator, around: Surroundings, stage: Stage, wrench: NDArray[np.float32]) -> Knocks:
    """Return the knocks of what happens on a stage; `wrench` is the stage's."""
    n = stage.now_ms
    load_g = wrench[:, 0].astype(np.float64) - stage.habits.tile_g
    strikes = Strikes(rng, around, stage.habits.tile_g)
    sounds = chain(*(strikes.of(label, load_g) for label in stage.labels), _bags(rng, around, n))
    struck = Struck(
        tile=N_OF_G * (load_g - load_g[:1]),
        base=np.zeros(n),
        table=np.zeros(n),
        shaken_mg=stage.shaken_mg() + _others(rng, around, n),
    )
    _sound(rng, struck, sounds)
    felt = felt_mg(around, stage.plate, struck) + rng.normal(0, around.noise_mg, n)
    return _windows(int(rng.integers(WINDOW_MS)), felt)


def _sound(rng: np.random.Generator, struck: Struck, sounds: Iterable[Sound]) -> None:
    """Apply all `sounds`."""
    for sound in sounds:
        if isinstance(sound, Strike):
            onto = {"tile": struck.tile, "base": struck.base, "table": struck.table}[sound.where]
            push = np.sin(np.linspace(0, np.pi, max(1, round(sound.contact_ms)) + 2)[1:-1])
            _add(onto, sound.at_ms, sound.impulse_mns * push / push.sum())
        else:
            _add(struck.shaken_mg, sound.at_ms, _noise(rng, sound))


def _add(onto: Floats, at_ms: float, values: Floats) -> None:
    start = int(at_ms)
    skip, end = max(-start, 0), min(start + len(values), len(onto))
    if end > start + skip:
        onto[start + skip : end] += values[skip : end - start]


def _noise(rng: np.random.Generator, rustle: Rustle) -> Floats:
    """Return bursts of noise, or of a tone, with about the given peaks."""
    n = max(2, int(rustle.for_ms))
    burst_ms = rng.uniform(20, 400)
    loud = np.interp(np.arange(n), np.arange(0, n + burst_ms, burst_ms), rng.random(int(n / burst_ms) + 2) ** 2)
    if rustle.hz:
        sound: Floats = np.sin(2 * np.pi * rustle.hz * np.arange(n) / 1000)
    else:
        sound = rng.standard_normal(n) / 2.5
    return rustle.peak_mg * loud * sound


def _bags(rng: np.random.Generator, around: Surroundings, n: int) -> list[Rustle]:
    count = rng.poisson(BAGS_PER_S * n / 1000)
    return [
        Rustle(rng.uniform(0, n), float(np.exp(rng.uniform(np.log(200), np.log(3000)))), around.bag_mg)
        for _ in range(count)
    ]


def _others(rng: np.random.Generator, around: Surroundings, n: int) -> Floats:
    """Draw the knocks of everybody else at the table: at any time, one by one or a few in a row."""
    felt = np.zeros(n)
    for at_ms in rng.uniform(0, n, rng.poisson(around.noise_per_s * n / 1000)):
        peak_mg, hz = np.exp(rng.uniform(np.log([8, 40]), np.log([400, 250])))
        when = at_ms
        for _ in range(int(rng.choice([1, 1, 2, 3]))):
            _add(felt, when, ringing(rng, float(peak_mg), float(hz), around.table_damping)[:300])
            when, peak_mg = when + rng.uniform(20, 250), peak_mg * rng.uniform(0.2, 1.0)
    return felt


def _windows(first_ms: int, felt: Floats) -> Knocks:
    """Return the windows whose peak is worth reporting, each at its end."""
    count = (len(felt) - first_ms) // WINDOW_MS
    peaks = np.abs(felt[first_ms : first_ms + count * WINDOW_MS]).reshape(count, WINDOW_MS).max(axis=1, initial=0.0)
    loud = np.flatnonzero(peaks >= LEAST_MG)
    t_us = (first_ms + (loud + 1) * WINDOW_MS).astype(np.int64) * 1000
    return Knocks(t_us, np.minimum(np.rint(peaks[loud]), MOST_MG).astype(np.int16))
