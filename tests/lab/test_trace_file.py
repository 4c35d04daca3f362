"""Trace files: what is written is read, and what is no trace is refused with a sentence."""

import json

import msgspec
import numpy as np
import pytest

from citytable.sensing.calibration import Cal, Start
from citytable_lab.trace_file import BadTrace, Beside, Knocks, Trace, load_trace, save_trace


def meta(**content):
    return np.frombuffer(json.dumps(content).encode(), dtype=np.uint8)


def arrays(**changes):
    """The arrays of a small trace of three cells without ranges."""
    cal = {"counts_per_g": [800.0, -810.0, 790.0], "zero_counts": [1.0, 2.0, 3.0], "tile_g": 30.0}
    made = {
        "t_us": np.arange(4, dtype=np.int64) * 12_500,
        "counts": np.arange(12, dtype=np.int32).reshape(4, 3),
        "meta": meta(cal=cal, start={"pieces_on": 2, "mass_g": 20.5}, id="made", events=[{"kind": "collapse"}]),
    }
    return {**made, **changes}


def write(path, *, drop=(), **changes):
    np.savez(path, **{name: array for name, array in arrays(**changes).items() if name not in drop})
    return path


def test_what_stood_on_the_platform_at_the_start_belongs_to_the_calibration(tmp_path):
    trace = load_trace(write(tmp_path / "made.npz"))
    assert (trace.name, trace.events) == ("made", ({"kind": "collapse"},))
    assert trace.cal.start == Start(pieces_on=2, mass_g=20.5)
    assert trace.counts.tolist() == [[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11]]


def test_a_trace_without_ranges_has_none(tmp_path):
    trace = load_trace(write(tmp_path / "made.npz"))
    assert (len(trace.tof_t_us), len(trace.tof_mm)) == (0, 0)
    assert trace.zones_mm.shape == (0, 64)


def test_silence_that_was_heard_is_not_the_silence_of_no_accelerometer(tmp_path):
    trace = load_trace(write(tmp_path / "made.npz"))
    assert trace.knocks is None
    save_trace(tmp_path / "deaf.npz", trace)
    assert "knock_t_us" not in np.load(tmp_path / "deaf.npz").files
    silence = Knocks(np.empty(0, np.int64), np.empty(0, np.int16))
    save_trace(tmp_path / "silent.npz", msgspec.structs.replace(trace, knocks=silence))
    assert load_trace(tmp_path / "silent.npz").knocks.t_us.tolist() == []


def test_neighbours_that_rest_are_not_neighbours_of_which_nothing_is_known(tmp_path):
    trace = load_trace(write(tmp_path / "made.npz"))
    assert trace.beside is None
    resting = Beside(np.empty(0, np.int64), np.empty(0, np.bool_))
    save_trace(tmp_path / "resting.npz", msgspec.structs.replace(trace, beside=resting))
    assert load_trace(tmp_path / "resting.npz").beside.moves.tolist() == []


def test_a_clock_that_wraps_goes_on_in_all_times_of_the_trace(tmp_path):
    content = {
        "cal": {"counts_per_g": [800.0, 810.0, 790.0], "zero_counts": [0, 0, 0]},
        "events": [
            {"kind": "collapse", "t_onset_us": 2**30 - 30_000, "t_end_us": 10_000},
            {"kind": "disturbance", "t_onset_us": 20_000, "t_end_us": None},
        ],
    }
    wrapped = {
        "t_us": np.array([2**30 - 25_000, 2**30 - 12_500, 0, 12_500]),
        "tof_t_us": np.array([5_000, 9_000]),
        "tof_mm": np.array([300, 301], np.int16),
    }
    trace = load_trace(write(tmp_path / "made.npz", meta=meta(**content), **wrapped))
    assert trace.t_us.tolist() == [2**30 - 25_000, 2**30 - 12_500, 2**30, 2**30 + 12_500]
    assert trace.tof_t_us.tolist() == [2**30 + 5_000, 2**30 + 9_000]
    assert [event["t_onset_us"] for event in trace.events] == [2**30 - 30_000, 2**30 + 20_000]
    assert [event["t_end_us"] for event in trace.events] == [2**30 + 10_000, None]


def test_a_trace_that_is_written_is_read_as_it_was(tmp_path):
    trace = Trace(
        name="round",
        scenario="play",
        duration_s=0.05,
        cal=Cal(
            counts_per_g=(820.5,),
            zero_counts=(-3.25,),
            tile_g=31.5,
            tile_mm=90.0,
            cell_xy_mm=((0.0, 0.0),),
            tof_height_mm=400.0,
            start=Start(pieces_on=3, mass_g=30.25, height_mm=60.0),
        ),
        t_us=np.array([0, 12_500], dtype=np.int64),
        counts=np.array([[5], [-6]], dtype=np.int32),
        events=({"kind": "piece_added", "piece_g": 9.5},),
        tof_t_us=np.array([40_000], dtype=np.int64),
        tof_mm=np.array([-1], dtype=np.int16),
        zones_t_us=np.array([45_000], dtype=np.int64),
        zones_mm=np.full((1, 64), 390, dtype=np.int16),
        knocks=Knocks(np.array([10_000], dtype=np.int64), np.array([812], dtype=np.int16)),
        truth={"creep": 0.001},
    )
    save_trace(tmp_path / "round.npz", trace)
    read = load_trace(tmp_path / "round.npz")
    for field in Trace.__struct_fields__:
        assert np.array_equal(getattr(read, field), getattr(trace, field)), field


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"drop": ("counts",)}, r"array 'counts' is missing, found \['meta', 't_us'\]"),
        ({"meta": np.frombuffer(b"{", dtype=np.uint8)}, "meta"),
        ({"meta": meta(id="no calibration")}, "meta: .*cal"),
        ({"meta": meta(cal={"counts_per_g": [1.0, 0.0, 2.0], "zero_counts": [1, 2, 3]})}, "no cell has a scale of 0"),
        ({"meta": meta(cal={"counts_per_g": [1.0], "zero_counts": [1, 2]})}, "give one of each for every cell"),
        ({"meta": meta(cal={"counts_per_g": [1.0], "zero_counts": [1]})}, r"counts has shape \(4, 3\)"),
        ({"counts": np.zeros((5, 3), dtype=np.int32)}, r"counts has shape \(5, 3\) of int32, needs whole numbers"),
        ({"t_us": np.array([[1], [2]])}, "t_us has shape"),
        ({"t_us": np.array([3, 1, 2, 4])}, "t_us goes back in time"),
        ({"t_us": np.array([0.5, 1.5])}, "whole microseconds"),
        ({"t_us": np.array([{}])}, "this is not a readable .npz file"),
        ({"tof_t_us": np.array([1, 2]), "tof_mm": np.array([300])}, r"tof_mm has shape \(1,\)"),
        ({"zones_t_us": np.array([1]), "zones_mm": np.zeros((1, 16), dtype=np.int16)}, r"needs .* \(1, 64\)"),
        ({"knock_t_us": np.array([1, 2]), "knock_mg": np.array([300])}, r"knock_mg has shape \(1,\)"),
        ({"knock_t_us": np.array([1, 2])}, r"knock_mg has shape \(0,\)"),
        ({"beside_t_us": np.array([1, 2]), "beside_moves": np.array([1, 0])}, "beside_moves has shape .2,. of int64"),
        ({"beside_t_us": np.array([1, 2])}, r"beside_moves has shape \(0,\)"),
        ({"knock_t_us": np.array([2, 1]), "knock_mg": np.array([30, 30])}, "knock_t_us goes back in time"),
    ],
)
def test_a_broken_trace_is_refused_with_a_sentence(tmp_path, changes, sentence):
    path = write(tmp_path / "broken.npz", **changes)
    with pytest.raises(BadTrace, match=sentence) as refused:
        load_trace(path)
    assert "broken.npz" in str(refused.value)


@pytest.mark.parametrize("content", [b"", b"counts,1,2,3", b"PK\x03\x04 cut off"])
def test_a_file_that_is_no_archive_is_refused_with_a_sentence(tmp_path, content):
    path = tmp_path / "made.npz"
    path.write_bytes(content)
    with pytest.raises(BadTrace, match=r"this is not a readable \.npz file"):
        load_trace(path)


def test_one_bare_array_and_a_missing_file_are_refused_with_a_sentence(tmp_path):
    np.save(tmp_path / "bare.npy", np.zeros(3))
    with pytest.raises(BadTrace, match="one bare array"):
        load_trace(tmp_path / "bare.npy")
    with pytest.raises(BadTrace, match="give the path"):
        load_trace(tmp_path / "missing.npz")
