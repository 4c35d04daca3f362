"""Draw traces of the second generator: who plays, what falls, and what one to three cells read of it."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from citytable.sensing.calibration import Cal, Start
from citytable_lab.beside import SECOND, with_beside
from citytable_lab.second.acts import CALM, Players
from citytable_lab.second.city import play_city
from citytable_lab.second.table import Spot
from citytable_lab.trace_file import Trace

Floats = NDArray[np.float64]

FALL_SHARE = 0.12  # of the acts
# counts per gram of cells of so many kilograms; 1 mV/V is 1.2 times as much, well inside the spread that is drawn
SCALES = {1: 1800.0, 3: 600.0, 5: 360.0}


def second_traces(seed: int, traces: int, cells: int, piece_set: str, *, city: bool = False) -> Iterator[Trace]:
    """Draw `traces` traces of play in which things fall now and then, of 20 to 90 s, without a range sensor.

    In the `city` nobody takes single pieces.
    """
    for number in range(traces):
        rng = np.random.default_rng([seed, number, 2])
        name = f"second-{'city-' if city else ''}{piece_set}-{cells}-{seed}-{number:05d}"
        yield _trace(rng, name, cells, piece_set, city=city)


def _trace(rng: np.random.Generator, name: str, cells: int, piece_set: str, *, city: bool = False) -> Trace:
    tile_mm = float(rng.uniform(84, 130))
    spot = Spot(float(rng.uniform(14, 55)), tile_mm, [])
    players = Players(rng, piece_set, spot)
    for _ in range(int(rng.integers(0, 9))):
        mass = float(rng.uniform(*players.low_high))
        x, y = (rng.uniform(-1, 1, 2) * 24).tolist()
        spot.pieces.append((mass, x, y, float(rng.choice([9, 14, 19, 24, 33]))))
    start = Start(len(spot.pieces), round(spot.mass_g, 3), round(spot.height_mm, 1))
    spot.run(np.repeat(spot.resting()[None], int(rng.uniform(1200, 3000)), axis=0))
    (play_city if city else _play)(rng, players, float(rng.uniform(20, 90)))
    rate_hz = round(float(rng.uniform(72, 93)), 2)
    scale = float(rng.choice(list(SCALES.values()))) * rng.lognormal(0, 0.15, cells) * rng.choice([-1, 1])
    zero = rng.uniform(-150_000, 150_000, cells)
    shares, xy = _geometry(rng, cells)
    t_us, grams = _sampled(rng, spot.load() @ shares.T, rate_hz)
    counts = _counted(rng, grams, scale, zero, rate_hz)
    cal = Cal(
        counts_per_g=tuple(scale.tolist()),
        zero_counts=tuple(zero.round().tolist()),
        tile_g=round(spot.tile_g, 2),
        tile_mm=round(tile_mm, 1),
        cell_xy_mm=tuple((float(x), float(y)) for x, y in xy),
        rate_hz=rate_hz,
        heaviest_g=players.low_high[1],
        kept=city,
        start=start,
    )
    labels = tuple(sorted(spot.labels, key=lambda label: int(label["t_onset_us"])))
    trace = Trace(
        name=name, cal=cal, t_us=t_us, counts=counts, events=labels, scenario="second", duration_s=spot.now / 1000
    )
    return with_beside(rng, trace, SECOND) if city else trace


def _play(rng: np.random.Generator, players: Players, seconds: float) -> None:
    spot = players.spot
    acts, weights = zip(*CALM, strict=True)
    shares = np.array(weights) / sum(weights)
    pause_s = float(rng.uniform(0.6, 3.0))
    while spot.now < 1000 * seconds:
        if len(spot.pieces) > 2 and rng.random() < FALL_SHARE:
            players.falls()
            spot.rest(float(rng.uniform(1.0, 4.0)))
        elif len(spot.pieces) > 13:
            players.take()
        else:
            acts[int(rng.choice(len(acts), p=shares))](players)
        spot.rest(float(rng.exponential(pause_s)) + 0.3)
    spot.rest(2.6)


def _geometry(rng: np.random.Generator, cells: int) -> tuple[Floats, Floats]:
    """Return what each cell feels of a wrench, and where the cells are."""
    if cells == 1:
        return np.array([[1.0, *rng.normal(0, 1e-4, 2)]]), np.zeros((1, 2))
    angle = 2 * np.pi * np.arange(cells) / cells + rng.uniform(0, 1)
    xy = float(rng.uniform(24, 42)) * np.stack([np.cos(angle), np.sin(angle)], 1)
    levers = np.stack([np.ones(cells), -xy[:, 1], xy[:, 0]], axis=1)
    return np.linalg.pinv(levers.T), xy


def _sampled(rng: np.random.Generator, loads: Floats, rate_hz: float) -> tuple[NDArray[np.int64], Floats]:
    """Return the times in us and grams of conversions: two moving means, after a plate that rings once or twice."""
    hertz, damping = float(rng.uniform(55, 170)), float(rng.uniform(0.04, 0.3))
    since = np.arange(250) / 1000
    rings = np.exp(-2 * np.pi * hertz * damping * since) * np.sin(2 * np.pi * hertz * since)
    width = max(2, round(2000 / rate_hz))
    kernel = np.convolve(np.convolve(rings / rings.sum(), np.ones(width) / width), np.ones(width) / width)
    padded = np.concatenate([np.repeat(loads[:1], len(kernel), axis=0), loads])
    felt = np.stack(
        [np.convolve(padded[:, cell], kernel)[len(kernel) : len(padded)] for cell in range(loads.shape[1])], 1
    )
    at_ms = np.arange(float(rng.uniform(0, 12)), len(loads) - 1, 1000 / rate_hz)
    at_ms = at_ms[rng.random(len(at_ms)) > float(rng.uniform(0, 0.004))]
    grams = np.stack([np.interp(at_ms, np.arange(len(felt)), felt[:, cell]) for cell in range(felt.shape[1])], 1)
    return np.round(1000 * at_ms).astype(np.int64), grams


def _counted(rng: np.random.Generator, grams: Floats, scale: Floats, zero: Floats, rate_hz: float) -> NDArray[np.int32]:
    """Return raw counts: gains a little off, white noise, and a zero that walks."""
    n, cells = grams.shape
    felt = grams * (1 + rng.normal(0, 0.0015, cells)) + rng.normal(0, 0.15, cells)
    felt += np.cumsum(rng.standard_normal((n, cells)), axis=0) * float(rng.uniform(0, 0.02)) / np.sqrt(60 * rate_hz)
    noise = rng.standard_normal((n, cells)) * rng.uniform(35, 110, cells)
    return np.rint(felt * scale + zero + noise).astype(np.int32)
