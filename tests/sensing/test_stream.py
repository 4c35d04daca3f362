"""The stream: one answer for every line, whatever the line is."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citytable.sensing import detector
from citytable.sensing.stream import BadStart, Stream

CAL = {"counts_per_g": [800.0, 800.0], "zero_counts": [0.0, 0.0], "tile_g": 20.0, "rate_hz": 80.0}


def line(**fields):
    return json.dumps(fields).encode()


@pytest.fixture
def stream():
    return Stream(line(type="start", cal=CAL))


def answer(stream, bytes_):
    answered = stream.answer(bytes_)
    assert b"\n" not in answered
    return json.loads(answered)


def test_the_stream_says_what_the_detector_says(stream):
    """40 g put down after 2 s, and one cell unplugged after 6 s."""
    beside, said, told = detector(CAL), [], []
    for number in range(640):
        grams = 60 if number < 160 else 100
        counts = [grams * 400 + number % 7, -(2**23) if number > 480 else grams * 400 + number % 5]
        said += answer(stream, line(t_us=number * 12_500, counts=counts, tof_mm=None))
        told += beside.update(number * 12_500, counts, None)
    assert [(event["kind"], event["t_us"]) for event in said] == [(event.kind, event.t_us) for event in told]
    assert {"piece_added", "fault"} <= {event["kind"] for event in said}
    assert {"kind", "t_us", "mass_g", "n", "height_mm", "stage"} <= set(said[0])


@pytest.mark.parametrize(
    "good",
    [
        line(t_us=0, counts=[1, 2], tof_mm=-1, zones=[-1] * 64),
        line(t_us=0, counts=[1, 2]),
        line(t_us=0, counts=[1, None], tof_mm=None),
        line(t_us=0, counts=[1]),
        line(t_us=0.0, counts=[1.0, 2], tof_mm=300.0),
        line(t_us=-5, counts=[2**40, 2], more="of the same"),
    ],
)
def test_a_sample_may_lack_what_its_sensors_lack(stream, good):
    assert answer(stream, good) == []


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        (b"", "truncated"),
        (b"good evening", "malformed"),
        (b"\xff\xfe", "malformed"),
        (b"[]", "object"),
        (line(counts=[1, 2]), "t_us"),
        (line(t_us=1, counts=[]), "0 counts of a spot with 2 cells"),
        (line(t_us=1, counts=[1, 2, 3]), "3 counts of a spot with 2 cells"),
        (line(t_us=1, counts="many"), "counts"),
        (b'{"t_us":1,"counts":[NaN,1]}', "malformed"),
        (line(type="start", cal=CAL), "t_us"),
    ],
)
def test_a_line_that_is_no_sample_is_answered_by_a_fault_that_says_why(stream, bad, why):
    answer(stream, line(t_us=700, counts=[1, 2]))
    (fault,) = answer(stream, bad)
    assert (fault["kind"], fault["t_us"]) == ("fault", 700)
    assert why in fault["what"]
    assert answer(stream, line(t_us=12_700, counts=[1, 2])) == []


@given(st.binary(max_size=200))
def test_every_line_has_one_answer(noise):
    assert isinstance(answer(Stream(line(type="start", cal=CAL)), noise), list)


@pytest.mark.parametrize(
    ("first", "why"),
    [
        (b"", "truncated"),
        (b"{}", "type"),
        (line(type="stop", cal=CAL), "stop"),
        (line(type="start"), "cal"),
        (line(type="start", cal=CAL | {"zero_counts": [0.0]}), "one of each"),
        (line(type="start", cal=CAL | {"counts_per_g": [0.0, 1.0]}), "calibrate"),
    ],
)
def test_a_first_line_that_starts_nothing_is_refused_with_its_reason(first, why):
    with pytest.raises(BadStart, match=why):
        Stream(first)
