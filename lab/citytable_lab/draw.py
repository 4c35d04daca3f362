"""Draw folders of labelled, synthetic traces for training, development and test.

Trace number i of a seed is the same whatever else is drawn, as long as the libraries of falls are the same.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from msgspec.structs import replace

from citytable_lab.compose import FAMILIES, STRESS_S, Family, compose
from citytable_lab.habits import PieceSet
from citytable_lab.recording import Recording, load_recordings
from citytable_lab.trace_file import Trace, save_trace

EARS = 1  # what sets the seed of what is heard apart
MIX: dict[Family, float] = {
    "fall": 0.28,
    "fall_quick": 0.11,
    "fall_soft": 0.09,
    "play": 0.20,
    "lift": 0.06,
    "lean": 0.06,
    "neighbour": 0.05,
    "fault": 0.05,
    "sweep": 0.06,
    "fall_on": 0.04,
}


def draw_family(rng: np.random.Generator, mix: Mapping[Family, float]) -> Family:
    """Draw a family by its share of a mix."""
    shares = np.array([mix.get(family, 0.0) for family in FAMILIES])
    return FAMILIES[int(rng.choice(len(FAMILIES), p=shares / shares.sum()))]


def draw_traces(
    seed: int,
    traces: int,
    cells: int,
    piece_set: PieceSet,
    recordings: Sequence[Recording],
    *,
    accelerometer: bool = False,
) -> Iterator[Trace]:
    """Draw `traces` traces of all families in the shares of `MIX`; an `accelerometer` adds what it hears."""
    for number in range(traces):
        rng = np.random.default_rng([seed, number])
        family = draw_family(rng, MIX)
        name = f"{piece_set}-{cells}-{seed}-{number:05d}"
        ears = _ears(seed, number) if accelerometer else None
        yield replace(compose(rng, family, cells, piece_set, list(recordings), ears), name=name)


def stress_traces(
    seed: int, hours: float, cells: int, piece_set: PieceSet, *, accelerometer: bool = False
) -> Iterator[Trace]:
    """Draw `hours` of play without falls, in chunks of 360 s with an act every 3 to 9 s.

    Each chunk has people of its own.
    """
    for number in range(max(1, round(hours * 3600 / STRESS_S))):
        rng = np.random.default_rng([seed, number])
        ears = _ears(seed, number) if accelerometer else None
        yield replace(compose(rng, "stress", cells, piece_set, [], ears), name=f"stress-{seed}-{number:05d}")


def _ears(seed: int, number: int) -> np.random.Generator:
    """Return a generator of its own, so that everything else is drawn as without an accelerometer."""
    return np.random.default_rng([seed, number, EARS])


def draw_folder(folder: Path, traces: Iterator[Trace]) -> None:
    """Write each trace into `folder`; make the folder if it is missing."""
    folder.mkdir(parents=True, exist_ok=True)
    for trace in traces:
        save_trace(folder / f"{trace.name}.npz", trace)


def all_falls(libraries: Sequence[Path]) -> list[Recording]:
    """Read the recordings of several libraries; raise `BadLibrary` with a sentence."""
    return [recording for library in libraries for recording in load_recordings(library)]
