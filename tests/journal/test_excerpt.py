"""Excerpts of raw readings: what was written is read back as it was, and small."""

import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citytable.journal.excerpt import BadExcerpt, packed, unpacked
from citytable.sensing.reading import (
    CellAlert,
    CellQuiet,
    CellSamples,
    HeightReading,
    Inventory,
    Knocks,
    StationUp,
    TagRead,
)

SPOT = "seat/1/pad/0"
TIMES = st.integers(0, 1 << 53)
COUNTS = st.integers(-(1 << 31), (1 << 31) - 1)
SAMPLES = st.builds(
    CellSamples,
    spot=st.just(SPOT),
    cell=st.integers(0, 2),
    t_us=st.lists(TIMES, max_size=12).map(tuple),
    counts=st.lists(COUNTS, max_size=12).map(tuple),
    lost=st.integers(0, 9),
)
OTHERS = st.sampled_from(
    [
        CellQuiet(SPOT, 0, 1_000_000, 80, -12.5, 40.25, -90, 80),
        TagRead(5, SPOT, "04aa", here=True),
        Knocks("seat-1", (5, 20_005), (16.0, 410.0), 20_005),
        CellAlert(7, SPOT, 1, -900),
        HeightReading(9, SPOT, 212.5, 0.5, 8),
        StationUp(1, "seat-1", 7),
        Inventory(2, "seat-1", (SPOT,), ((SPOT, "04aa"),)),
    ]
)


@given(st.lists(SAMPLES | OTHERS, max_size=12).map(tuple))
def test_readings_come_back_as_they_were(readings):
    assert unpacked(packed(readings)) == readings


def test_an_even_signal_takes_less_than_two_bytes_a_conversion():
    times = [tuple(12_500 * (8 * batch + k) for k in range(8)) for batch in range(100)]
    readings = [CellSamples(SPOT, 0, t_us, tuple(1000 + t % 7 for t in t_us)) for t_us in times]
    assert len(packed(readings)) < 2 * 800


@pytest.mark.parametrize("spoil", [lambda data: data[:-9], lambda data: b"\0" + data[1:], lambda _: b""])
def test_what_is_damaged_is_said(spoil):
    with pytest.raises(BadExcerpt, match="cannot be read"):
        unpacked(spoil(packed([TagRead(5, SPOT, "04aa", here=True)])))


def test_what_is_whole_and_no_reading_is_said():
    with pytest.raises(BadExcerpt, match="cannot be read"):
        unpacked(zlib.compress(b"\x91\x81\xa7reading\xa4song"))
