"""Traces: files of raw counts, replayed through the same senses as the table's own stations."""

import json

import numpy as np
import pytest

from citytable.doctor.trace import BadTrace, load_trace, replay_trace
from citytable.table.fact import Fell, MassSettled

TILE_G = 30.0


def write(path, *, drop=(), **changes):
    """A trace file whose arrays are what `changes` says, without those in `drop`."""
    np.savez(path, **{name: array for name, array in changes.items() if name not in drop})
    return path


@pytest.fixture
def arrays(kit):
    """The arrays of a synthetic trace, by the loads on its platform; all cells on one clock."""

    def make(loads, seconds, *, cells=3, scale=820.0, seed=1):
        bench = kit.Bench(cells, seed=seed, scale=scale)
        streams = bench.convert(loads, seconds)
        n = min(len(stream) for stream in streams)
        cal = {
            "counts_per_g": [cell.counts_per_g for cell in bench.plans],
            "zero_counts": [float(cell.zero_counts) for cell in bench.plans],
            "tile_g": TILE_G,
        }
        return {
            "t_us": np.array([t_us for t_us, _ in streams[0][:n]], dtype=np.int64),
            "counts": np.array([[counts for _, counts in stream[:n]] for stream in streams], dtype=np.int32).T,
            "meta": meta(cal=cal, id="made", events=[{"kind": "collapse"}]),
        }

    return make


def meta(**content):
    return np.frombuffer(json.dumps(content).encode(), dtype=np.uint8)


@pytest.mark.parametrize("cells", [1, 3])
@pytest.mark.parametrize("scale", [820.0, -820.0])
def test_a_trace_of_a_build_that_collapses_tells_steps_and_the_fall(kit, arrays, tmp_path, cells, scale):
    loads = kit.Loads(TILE_G + 60).set_down(2, 9).lean(5, 100, 1.5).fall(9, 40)
    trace = load_trace(write(tmp_path / "made.npz", **arrays(loads, 13, cells=cells, scale=scale)))
    assert (trace.name, trace.events) == ("made", ({"kind": "collapse"},))
    facts = list(replay_trace(trace))
    assert kit.told(facts, MassSettled)[0].mass_g == pytest.approx(60, abs=0.3)
    assert [f.step_g for f in kit.told(facts, MassSettled) if f.step_g] == pytest.approx([9, -40], abs=0.4)
    assert [f.stage for f in kit.told(facts, Fell)] == ["alert", "confirmed"]


def test_a_trace_of_a_lifted_platform_tells_no_fall(kit, arrays, tmp_path):
    loads = kit.Loads(TILE_G + 60).take(3, TILE_G + 60).set_down(6, TILE_G + 60)
    facts = list(replay_trace(load_trace(write(tmp_path / "made.npz", **arrays(loads, 9)))))
    assert [f.mass_g for f in kit.told(facts, MassSettled)] == pytest.approx([60, -TILE_G, 60], abs=0.3)
    assert "confirmed" not in [f.stage for f in kit.told(facts, Fell)]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"drop": ("counts",)}, r"array 'counts' is missing, found \['meta', 't_us'\]"),
        ({"meta": np.frombuffer(b"{", dtype=np.uint8)}, "meta"),
        ({"meta": meta(id="no calibration")}, "meta: .*cal"),
        ({"meta": meta(cal={"counts_per_g": [1.0, 0.0, 2.0], "zero_counts": [1, 2, 3]})}, "no scale of 0"),
        ({"meta": meta(cal={"counts_per_g": [1.0], "zero_counts": [1, 2]})}, "one to three cells need one of each"),
        ({"meta": meta(cal={"counts_per_g": [1.0], "zero_counts": [1]})}, r"counts has shape \(\d+, 3\)"),
        (
            {"counts": np.zeros((5, 3), dtype=np.int32)},
            r"counts has shape \(5, 3\) of int32, needs whole numbers of shape",
        ),
        ({"t_us": np.array([[1], [2]])}, "t_us has shape"),
        ({"t_us": np.array([3, 1, 2]), "counts": np.zeros((3, 3), dtype=np.int32)}, "back in time"),
        ({"t_us": np.array([0.5, 1.5])}, "whole microseconds"),
        ({"t_us": np.array([{}])}, "no .npz file that can be read"),
    ],
)
def test_a_broken_trace_is_refused_with_a_sentence(kit, arrays, tmp_path, changes, sentence):
    path = write(tmp_path / "broken.npz", **{**arrays(kit.Loads(50), 1), **changes})
    with pytest.raises(BadTrace, match=sentence) as refused:
        load_trace(path)
    assert "broken.npz" in str(refused.value)


@pytest.mark.parametrize("content", [b"", b"counts,1,2,3", b"PK\x03\x04 cut off"])
def test_a_file_that_is_no_archive_is_refused_with_a_sentence(tmp_path, content):
    path = tmp_path / "made.npz"
    path.write_bytes(content)
    with pytest.raises(BadTrace, match=r"no \.npz file that can be read"):
        load_trace(path)


def test_one_bare_array_and_a_missing_file_are_refused_with_a_sentence(tmp_path):
    np.save(tmp_path / "bare.npy", np.zeros(3))
    with pytest.raises(BadTrace, match="one bare array"):
        load_trace(tmp_path / "bare.npy")
    with pytest.raises(BadTrace, match="give the path"):
        load_trace(tmp_path / "missing.npz")
