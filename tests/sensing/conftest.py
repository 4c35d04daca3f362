"""A bench without a table: loads drawn by hand, cells that weigh them, and a station that sends what they convert."""

import math
import random
import statistics
from collections.abc import Callable, Iterable
from functools import partial

import pytest

from citytable.games.megacity.spots import shared_spots
from citytable.sensing.calibration import Cal
from citytable.sensing.reading import CellQuiet, CellSamples, Reading
from citytable.table.fact import Fact
from citytable.table.plan import CellPlan, Plan, full_plan

SECOND_US = 1_000_000
SCALE, ZERO = 900.0, 41_000
PERIOD_US = 12_300


def _smooth(x: float) -> float:
    """0 before 0, 1 after 1, without a corner."""
    x = min(1.0, max(0.0, x))
    return x * x * (3 - 2 * x)


def _part(cell: int, cells: int, towards: float | None) -> float:
    """The share of a cell in what acts in the middle, or in a direction (radians) off it. All together are 1."""
    off = 0.0 if towards is None or cells == 1 else 0.8 * math.cos(2 * math.pi * cell / cells - towards)
    return (1 + off) / cells


class Loads:
    """What lies on a spot as acts of people, in grams over seconds."""

    def __init__(self, start_g: float = 0.0) -> None:
        self._acts: list[tuple[Callable[[float], float], float | None]] = [(lambda t: start_g, None)]

    def at(self, t_s: float) -> float:
        return sum(act(t_s) for act, _ in self._acts)

    def on(self, cell: int, cells: int, t_s: float) -> float:
        """What one cell of so many carries of it: the same as every other, but of what happens to one side."""
        return sum(act(t_s) * _part(cell, cells, towards) for act, towards in self._acts)

    def set_down(self, t_s: float, grams: float) -> "Loads":
        """A hand puts something down in half a second, pressing a little."""
        return self._act(
            lambda t: (
                grams * (_smooth((t - t_s) / 0.4) + 0.3 * _smooth((t - t_s) / 0.3) * _smooth((t_s + 0.6 - t) / 0.2))
            )
        )

    def take(self, t_s: float, grams: float) -> "Loads":
        """A hand takes something away in a fifth of a second."""
        return self._act(lambda t: -grams * _smooth((t - t_s) / 0.2))

    def lean(self, t_s: float, grams: float, for_s: float) -> "Loads":
        """An elbow leans on it."""
        return self._act(
            lambda t: (
                (grams + 0.1 * grams * math.sin(9 * t)) * _smooth((t - t_s) / 0.3) * _smooth((t_s + for_s - t) / 0.3)
            )
        )

    def bump(self, t_s: float, grams: float) -> "Loads":
        """Somebody bumps into the table."""
        return self._act(lambda t: 0.0 if t < t_s else grams * math.exp((t_s - t) / 0.1) * math.sin(90 * (t - t_s)))

    def tremble(self, t_s: float, grams: float, for_s: float) -> "Loads":
        """Something hums on the table."""
        return self._act(lambda t: grams * math.sin(69 * t) if t_s < t < t_s + for_s else 0.0)

    def fall(self, t_s: float, grams: float) -> "Loads":
        """`grams` of a tower fall off in a third of a second, piece by piece: weightless, an impact elsewhere, gone."""

        def away(t: float, from_s: float, grams: float) -> float:
            return -grams * _smooth((t - from_s) / 0.05)

        def hit(t: float, from_s: float, grams: float) -> float:
            impact = 2.2 * grams * _smooth((t - from_s - 0.09) / 0.01) * _smooth((from_s + 0.125 - t) / 0.02)
            ringing = grams * math.exp(min(0.0, from_s + 0.1 - t) / 0.03) * math.sin(240 * (t - from_s - 0.1))
            return impact + (0.4 * ringing if t > from_s + 0.1 else 0.0)

        for n, (late_s, share) in enumerate(((0.0, 0.5), (0.08, 0.3), (0.2, 0.2))):
            self._act(partial(away, from_s=t_s + late_s, grams=share * grams), towards=0.4 * n)
            self._act(partial(hit, from_s=t_s + late_s, grams=share * grams), towards=2.5 + 0.4 * n)
        return self

    def snatch(self, t_s: float, grams: float) -> "Loads":
        """A hand or an elbow is gone at once."""
        return self._act(lambda t: -grams * _smooth((t - t_s) / 0.06))

    def drift(self, g_per_h: float) -> "Loads":
        """The zero wanders."""
        return self._act(lambda t: g_per_h * t / 3600)

    def _act(self, act: Callable[[float], float], towards: float | None = None) -> "Loads":
        self._acts.append((act, towards))
        return self


class Bench:
    """Cells on converters: each cell with its own rate, phase, noise and sign, deterministic by `seed`."""

    def __init__(
        self,
        cells: int = 3,
        seed: int = 7,
        noise_counts: float = 40.0,
        scale: float = SCALE,
        period_us: int = PERIOD_US,
    ) -> None:
        self.plans = tuple(
            CellPlan(counts_per_g=scale * (1 + 0.02 * k), zero_counts=ZERO + 900 * k, capacity_g=1000)
            for k in range(cells)
        )
        self._random = random.Random(seed)
        self._noise_counts = noise_counts
        self._period_us = period_us

    def convert(self, loads: Loads, seconds: float, start_s: float = 0.0) -> list[list[tuple[int, int]]]:
        """(t_us, counts) per cell. A conversion averages the load over two periods, as the chip's filter does."""
        return [self._convert_cell(k, loads, seconds, start_s) for k in range(len(self.plans))]

    def _convert_cell(self, k: int, loads: Loads, seconds: float, start_s: float) -> list[tuple[int, int]]:
        plan, cells = self.plans[k], len(self.plans)
        period_us = self._period_us + 170 * k * self._period_us // PERIOD_US
        t_us = round(start_s * SECOND_US) + 1_900 * k
        taps_s = [back_s * self._period_us / PERIOD_US for back_s in (0.0, 0.008, 0.016, 0.024)]
        out = []
        while t_us < (start_s + seconds) * SECOND_US:
            t_s = t_us / SECOND_US
            grams = sum(loads.on(k, cells, t_s - back) for back in taps_s) / 4
            noise = self._random.gauss(0, self._noise_counts)
            out.append((t_us, round(plan.zero_counts + grams * plan.counts_per_g + noise)))
            t_us += period_us + self._random.randrange(-40, 40)
        return out


def full_stream(spot: str, cells: list[list[tuple[int, int]]], batch_us: int = 100_000) -> list[Reading]:
    """Every conversion, in batches per cell, in the order a station sends them."""
    batches: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for k, conversions in enumerate(cells):
        for t_us, counts in conversions:
            batches.setdefault((t_us // batch_us, k), []).append((t_us, counts))
    return [samples_of(spot, key[1], batches[key]) for key in sorted(batches)]


def samples_of(spot: str, cell: int, conversions: Iterable[tuple[int, int]]) -> CellSamples:
    t_us, counts = zip(*conversions, strict=True)
    return CellSamples(spot=spot, cell=cell, t_us=t_us, counts=counts)


class Gate:
    """A station's gate for one spot, in little, looking ten times a second.

    While all cells rest it sends one summary a second. When one moves it sends two seconds of history of every cell,
    then everything, until two seconds after the last sign of motion.
    """

    def __init__(self, spot: str, scale: float, cells: int) -> None:
        self._spot = spot
        self._far = abs(scale) * 0.5 / cells
        self._levels: list[float | None] = [None] * cells
        self._past: list[list[tuple[int, int]]] = [[] for _ in range(cells)]
        self._second: list[list[int]] = [[] for _ in range(cells)]
        self._left = 0
        self._rested = 0

    def look(self, t_us: int, blocks: list[list[tuple[int, int]]]) -> list[Reading]:
        """What the station sends after a tenth of a second with these conversions of each cell."""
        moves = [self._moves(k, [counts for _, counts in block]) for k, block in enumerate(blocks)]
        if not any(moves) and not self._left:
            return self._rest(t_us, blocks)
        out: list[Reading] = []
        for k, block in enumerate(blocks):
            history = [] if self._left else self._past[k]
            out += [samples_of(self._spot, k, history[n : n + 40]) for n in range(0, len(history), 40)]
            out.append(samples_of(self._spot, k, block))
        self._past = [[] for _ in blocks]
        self._second = [[] for _ in blocks]
        self._rested = 0
        self._left = 20 if any(moves) else self._left - 1
        return out

    def _moves(self, k: int, counts: list[int]) -> bool:
        mean = sum(counts) / len(counts)
        level, self._levels[k] = self._levels[k], mean
        return level is not None and (abs(mean - level) > self._far or max(counts) - min(counts) > 4 * self._far)

    def _rest(self, t_us: int, blocks: list[list[tuple[int, int]]]) -> list[Reading]:
        for k, block in enumerate(blocks):
            self._past[k] = [sample for sample in self._past[k] + block if sample[0] > t_us - 2 * SECOND_US]
            self._second[k] += [counts for _, counts in block]
        self._rested += 1
        if self._rested < 10:
            return []
        self._rested = 0
        seconds, self._second = self._second, [[] for _ in blocks]
        return [self._quiet(t_us, k, values) for k, values in enumerate(seconds)]

    def _quiet(self, t_us: int, k: int, values: list[int]) -> CellQuiet:
        return CellQuiet(
            spot=self._spot,
            cell=k,
            t_us=t_us,
            n=len(values),
            mean=statistics.fmean(values),
            spread=statistics.pstdev(values),
            low=min(values),
            high=max(values),
        )


def gated_stream(spot: str, bench: Bench, cells: list[list[tuple[int, int]]]) -> list[Reading]:
    """The same conversions as a gating station sends them."""
    gate = Gate(spot, bench.plans[0].counts_per_g, len(cells))
    tenths: dict[int, list[list[tuple[int, int]]]] = {}
    for k, conversions in enumerate(cells):
        for t_us, counts in conversions:
            tenths.setdefault(t_us // 100_000, [[] for _ in cells])[k].append((t_us, counts))
    return [reading for n, blocks in sorted(tenths.items()) for reading in gate.look((n + 1) * 100_000, blocks)]


def cal_of(cells: int, scale: float, tile_g: float, rate_hz: float = 80.0) -> Cal:
    """The calibration of `rows_of`."""
    plans = Bench(cells, scale=scale).plans
    return Cal(
        counts_per_g=tuple(plan.counts_per_g for plan in plans),
        zero_counts=tuple(float(plan.zero_counts) for plan in plans),
        tile_g=tile_g,
        rate_hz=rate_hz,
    )


def rows_of(
    loads: Loads, seconds: float, cells: int = 3, scale: float = SCALE, rate_hz: float = 1e6 / PERIOD_US
) -> list[tuple[int, list[int]]]:
    """A signal as rows of counts, every cell on the first one's clock. Quick converters are the noisier ones."""
    period_us = round(1e6 / rate_hz)
    bench = Bench(cells, noise_counts=40.0 * (PERIOD_US / period_us) ** 0.5, scale=scale, period_us=period_us)
    streams = bench.convert(loads, seconds)
    return [(row[0][0], [counts for _, counts in row]) for row in zip(*streams, strict=False)]


class Says:
    """Trees that always say the same."""

    def __init__(self, chance: float) -> None:
        self._chance = chance

    def chance(self, _x: list[float]) -> float:
        return self._chance


class Kit:
    """What tests of this room are built from."""

    NEVER, ALWAYS = Says(0.0), Says(1.0)

    Loads = Loads
    Bench = Bench
    full_stream = staticmethod(full_stream)
    gated_stream = staticmethod(gated_stream)
    samples_of = staticmethod(samples_of)
    cal = staticmethod(cal_of)
    rows = staticmethod(rows_of)

    @staticmethod
    def told(facts: Iterable[Fact], *kinds: type) -> list[Fact]:
        """The facts of these kinds, in order."""
        return [fact for fact in facts if isinstance(fact, kinds)]


@pytest.fixture(scope="session")
def kit() -> type[Kit]:
    return Kit


@pytest.fixture(scope="session")
def plan() -> Plan:
    return full_plan("table-1", 2, shared_spots(("red", "blue")), ("platform-1/up", "platform-2/up", "card-1"))
