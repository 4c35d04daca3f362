"""Excerpts: the raw readings of one spot around an event there, and the entries that rest on them.

On disk an excerpt is a list of readings in MessagePack, deflated. The times and counts of conversions are written as
differences, because conversions come at an even pace and a cell's load changes little between them: times as
differences of differences, counts as differences. Each cell's differences continue from its earlier conversions, across
messages.
"""

import zlib
from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise
from typing import Self, TypeAlias

import msgspec
from msgspec.structs import replace

from citytable.languages.sentences import Sentences
from citytable.rules.errors import LocalisedError
from citytable.sensing.reading import CellSamples, Reading
from citytable.table.spot import Spot

FORMAT = 1
SENTENCES = Sentences(__package__, "traces.json")

_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(tuple[Reading, ...])
_Last: TypeAlias = dict[int, tuple[int, int, int]]  # cell -> its last time, step of time and counts


class BadExcerpt(LocalisedError):
    """An excerpt is damaged on disk, or of another program. The text names it and the error."""

    @classmethod
    def worded(cls, key: str, **words: object) -> Self:
        """Return the error with the sentence `key` of `traces.json`."""
        text = SENTENCES.text(key, **words)
        return cls(text["en"], text)


class Excerpt(msgspec.Struct, frozen=True):
    """The readings of a spot in hub time [`from_us`, `until_us`], in the order in which they were heard."""

    spot: Spot
    from_us: int
    until_us: int
    readings: tuple[Reading, ...]

    @property
    def samples(self) -> int:
        """Return how many conversions of load cells it holds."""
        return sum(len(reading.t_us) for reading in self.readings if isinstance(reading, CellSamples))


class Link(msgspec.Struct, frozen=True):
    """An entry (its number and hub time) rests on the signal of `spot` in hub time [`from_us`, `until_us`]."""

    seq: int
    at_us: int
    spot: Spot
    from_us: int
    until_us: int


def packed(readings: Sequence[Reading]) -> bytes:
    """Return the readings as they are written."""
    last: _Last = {}
    steps = [_in_steps(one, last) if isinstance(one, CellSamples) else one for one in readings]
    return zlib.compress(_encoder.encode(steps), 6)


def unpacked(data: bytes) -> tuple[Reading, ...]:
    """Return the readings that `packed` wrote; raises `BadExcerpt`."""
    last: _Last = {}
    try:
        steps = _decoder.decode(zlib.decompress(data))
        return tuple(_from_steps(one, last) if isinstance(one, CellSamples) else one for one in steps)
    except (zlib.error, msgspec.DecodeError) as error:
        raise BadExcerpt.worded("unreadable", error=error, seen=repr(data[:12])) from error


def _in_steps(samples: CellSamples, last: _Last) -> CellSamples:
    if not samples.t_us or len(samples.t_us) != len(samples.counts):
        return samples  # no differences to take: kept and read as it is
    t_us, step_us, counts = last.get(samples.cell, (0, 0, 0))
    times = _differences(t_us, samples.t_us)
    last[samples.cell] = (samples.t_us[-1], times[-1], samples.counts[-1])
    return replace(samples, t_us=_differences(step_us, times), counts=_differences(counts, samples.counts))


def _from_steps(steps: CellSamples, last: _Last) -> CellSamples:
    if not steps.t_us or len(steps.t_us) != len(steps.counts):
        return steps
    t_us, step_us, counts = last.get(steps.cell, (0, 0, 0))
    times = _sums(step_us, steps.t_us)
    samples = replace(steps, t_us=_sums(t_us, times), counts=_sums(counts, steps.counts))
    last[steps.cell] = (samples.t_us[-1], times[-1], samples.counts[-1])
    return samples


def _differences(first: int, values: Iterable[int]) -> tuple[int, ...]:
    return tuple(after - before for before, after in pairwise((first, *values)))


def _sums(first: int, steps: Iterable[int]) -> tuple[int, ...]:
    return tuple(accumulate(steps, initial=first))[1:]
