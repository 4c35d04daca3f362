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
        line(t_us=12.5, counts=[1.4, 2], tof_mm=300.5, zones=[300.5] * 64),
        line(t_us=-5, counts=[2**40, 2], more="of the same"),
        line(t_us=0, counts=[1, 2], knock_mg=0),
        line(t_us=0, counts=[1, 2], knock_mg=812.5),
        line(t_us=0, counts=[1, 2], knock_mg=None),
        b'{"t_us":0,"counts":[NaN,2],"tof_mm":NaN,"zones":null,"knock_mg":-Infinity}',
        line(t_us=0, counts=[1, 2], zones=[None, -1, 300, 300.5] * 16),
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
        (line(t_us=1, counts=[10**400, 2]), "<="),
        (line(t_us=10**400, counts=[1, 2]), "<="),
        (line(t_us=None, counts=[1, 2]), "t_us"),
        (b'{"t_us":NaN,"counts":[1,1]}', "t_us"),
        (line(type="start", cal=CAL), "the stream has begun, and another spot needs a stream of its own"),
    ],
)
def test_a_line_that_is_no_sample_is_answered_by_a_fault_that_says_why(stream, bad, why):
    answer(stream, line(t_us=700, counts=[1, 2]))
    (fault,) = answer(stream, bad)
    assert (fault["kind"], fault["t_us"]) == ("fault", 700)
    assert why in fault["what"]
    assert answer(stream, line(t_us=12_700, counts=[1, 2])) == []


def laden(number):
    """80 g on the tile, 50 g of them gone after 2 s."""
    counts = 40_000 if number < 160 else 20_000
    return {"t_us": number * 12_500, "counts": [counts + number % 7, counts + number % 5]}


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        ({"tof_mm": "far"}, "tof_mm"),
        ({"tof_mm": 10**400}, "tof_mm"),
        ({"zones": [300] * 63}, "64"),
        ({"zones": ["300"] * 64}, "zones"),
        ({"knock_mg": "loud"}, "knock_mg"),
        ({"zones": [[300] * 8] * 8}, "zones"),
    ],
)
def test_where_only_the_ranges_cannot_be_read_the_counts_are_taken(bad, why):
    plain, spoilt = Stream(line(type="start", cal=CAL)), Stream(line(type="start", cal=CAL))
    told = 0
    for number in range(400):
        want = answer(plain, line(**laden(number)))
        fault, *rest = answer(spoilt, line(**laden(number), **bad))
        assert (fault["kind"], rest) == ("fault", want)
        assert why in fault["what"]
        told += len(want)
    assert told
    assert spoilt.refused == 400
    assert '"t_us": 0,' in spoilt.refusal


@pytest.mark.parametrize("ends", [2**32, 2**30, 2**30 * 1000])
def test_a_clock_that_wraps_is_no_event(ends):
    plain, wrapped = Stream(line(type="start", cal=CAL)), Stream(line(type="start", cal=CAL))
    for number in range(400):
        sample = laden(number)
        want = answer(plain, line(**sample))
        told = answer(wrapped, line(**sample | {"t_us": (sample["t_us"] + ends - 2_018_750) % ends}))
        assert [one | {"t_us": 0} for one in told] == [one | {"t_us": 0} for one in want]


def test_a_bridge_wired_the_other_way_round_is_read_by_a_negative_scale():
    swapped = CAL | {"counts_per_g": [-800.0, 800.0]}
    one, other, told = Stream(line(type="start", cal=CAL)), Stream(line(type="start", cal=swapped)), 0
    for number in range(400):
        sample = laden(number)
        a, b = sample["counts"]
        want = answer(one, line(**sample))
        assert answer(other, line(**sample | {"counts": [-a, b]})) == want
        told += len(want)
    assert told


@pytest.mark.parametrize(("apart", "doubted"), [(120, True), (5, False)])
def test_cells_whose_plugs_were_swapped_are_doubted_where_their_zeros_are_apart(apart, doubted):
    """60 g rest on two cells whose zeros are `apart` grams; with plugs swapped one shows less than nothing."""
    zeros = [0.0, 800.0 * apart]
    whats = {}
    for swapped in (False, True):
        one, told = Stream(line(type="start", cal=CAL | {"zero_counts": zeros})), []
        for number in range(160):
            counts = [zeros[0] + 24_000 + number % 7, zeros[1] + 24_000 + number % 5]
            told += answer(one, line(t_us=number * 12_500, counts=counts[::-1] if swapped else counts))
        whats[swapped] = [event["what"] for event in told if event["kind"] == "unsure"]
    assert whats[False] == []
    assert ["plugs or calibrations are swapped" in what for what in whats[True]] == [True] * doubted


def test_with_a_wrong_sign_what_is_put_on_is_less_than_no_platform_and_the_stream_says_so():
    wrong, told = Stream(line(type="start", cal=CAL | {"counts_per_g": [-800.0, -800.0]})), []
    for number in range(400):
        told += answer(wrong, line(**laden(400 - number) | {"t_us": number * 12_500}))
    assert [event["kind"] for event in told] == ["unsure"]
    assert "less than nothing" in told[0]["what"]


@given(st.binary(max_size=200))
def test_every_line_has_one_answer(noise):
    assert isinstance(answer(Stream(line(type="start", cal=CAL)), noise), list)


NUMBERS = st.one_of(
    st.none(), st.integers(-(2**23), 2**23), st.integers(), st.floats(allow_nan=False, allow_infinity=False)
)
ANYTHING = st.one_of(NUMBERS, st.booleans(), st.text(max_size=9), st.lists(NUMBERS, max_size=4))
SAMPLES = st.fixed_dictionaries(
    {"t_us": NUMBERS, "counts": st.lists(NUMBERS, max_size=3) | ANYTHING},
    optional={
        "tof_mm": ANYTHING,
        "zones": ANYTHING | NUMBERS.map(lambda mm: [mm] * 64),
        "knock_mg": ANYTHING | NUMBERS,
        "type": ANYTHING,
    },
)


@given(st.lists(SAMPLES, max_size=10))
def test_every_sample_has_one_answer_whatever_its_numbers_are(samples):
    stream = Stream(line(type="start", cal=CAL))
    for sample in samples:
        assert isinstance(answer(stream, line(**sample)), list)


def test_a_start_may_say_null_of_what_the_spot_lacks():
    nothing = dict.fromkeys(("tile_mm", "cell_xy_mm", "tof_height_mm", "tof_fov_deg", "tof_rate_hz", "start"))
    plain, other = Stream(line(type="start", cal=CAL)), Stream(line(type="start", cal=CAL | nothing))
    for number in range(400):
        assert answer(other, line(**laden(number))) == answer(plain, line(**laden(number)))


@pytest.mark.parametrize(
    ("first", "why"),
    [
        (b"", "truncated"),
        (b"{}", "type"),
        (line(type="stop", cal=CAL), "stop"),
        (line(type="start"), "cal"),
        (line(type="start", cal=CAL | {"zero_counts": [0.0]}), "one of each"),
        (line(type="start", cal=CAL | {"counts_per_g": [0.0, 1.0]}), "calibrate"),
        (line(type="start", cal=CAL | {"rate_hz": 0}), "rate_hz is 0: "),
    ],
)
def test_a_first_line_that_starts_nothing_is_refused_with_its_reason(first, why):
    with pytest.raises(BadStart, match=why):
        Stream(first)
