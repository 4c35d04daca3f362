"""What sensing costs: microseconds per sample and spot, beside an empty loop over the same samples in the same run.

Run `python tools/bench_sensing.py [SECONDS]`. A sample is one conversion of every cell of a spot. The signal is made
up: a spot that rests, is leant on and rests again; the seed is fixed, the figures are of this machine at this hour.
"""

import math
import random
import sys
import time

from citytable.sensing.reading import CellSamples
from citytable.sensing.spot_weight import SpotWeight
from citytable.table.plan import CellPlan

SPOT = "seat/1/pad/0"
RATE_HZ = 80
BATCH = 8
ROUNDS = 5


def signal(cells: int, seconds: int) -> list[CellSamples]:
    """Batches of a spot that is leant on every other five seconds."""
    dice = random.Random(7)
    out = []
    for start in range(0, seconds * RATE_HZ, BATCH):
        t_us = tuple((start + n) * 1_000_000 // RATE_HZ for n in range(BATCH))
        for cell in range(cells):
            counts = tuple(round(90_000 / cells + 900 * _lean_g(t) / cells + dice.gauss(0, 45)) for t in t_us)
            out.append(CellSamples(spot=SPOT, cell=cell, t_us=t_us, counts=counts))
    return out


def _lean_g(t_us: int) -> float:
    t_s = t_us / 1e6
    return 60 * math.sin(t_s * math.pi / 5) ** 2 if t_s % 10 < 5 else 0.0


def seconds_of_loop(readings: list[CellSamples]) -> float:
    """An empty loop over the conversions."""
    start = time.perf_counter()
    for reading in readings:
        for _t_us, _counts in zip(reading.t_us, reading.counts, strict=True):
            pass
    return time.perf_counter() - start


def seconds_of_sensing(readings: list[CellSamples], cells: int) -> float:
    """The same conversions through a spot's senses."""
    weight = SpotWeight(SPOT, (CellPlan(counts_per_g=900.0, zero_counts=0, capacity_g=1000),) * cells)
    start = time.perf_counter()
    for reading in readings:
        weight.samples(reading)
    return time.perf_counter() - start


def main() -> None:
    """Print one line per number of cells: the best of a few rounds of each."""
    seconds = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    for cells in (1, 2, 3):
        readings = signal(cells, seconds)
        samples = seconds * RATE_HZ
        loop = min(seconds_of_loop(readings) for _ in range(ROUNDS)) / samples * 1e6
        sensing = min(seconds_of_sensing(readings, cells) for _ in range(ROUNDS)) / samples * 1e6
        print(
            f"{cells} cells, {samples} samples: sensing {sensing:.2f} us, empty loop {loop:.3f} us per sample and spot"
        )


if __name__ == "__main__":
    main()
