"""A recorded signal runs through the same senses as the table's own."""

import json

import numpy as np
import pytest

COUNTS_PER_G = 820.0


@pytest.fixture
def trace(tmp_path):
    """400 g at rest, of which 150 g fall after three seconds; one cell at 80 conversions a second."""
    rng = np.random.default_rng(1)
    falling = [371, 298, 214, 262, 231, 256, 244]
    grams = np.array([400] * 240 + falling + [250] * 240)
    counts = np.rint(grams * COUNTS_PER_G + rng.normal(0, 18, len(grams))).astype(np.int32)
    meta = {"cal": {"counts_per_g": [COUNTS_PER_G], "zero_counts": [0.0], "tile_g": 0.0}}
    path = tmp_path / "fall.npz"
    np.savez(
        path,
        t_us=np.arange(len(grams), dtype=np.int64) * 12_500,
        counts=counts[:, None],
        meta=np.frombuffer(json.dumps(meta).encode(), dtype=np.uint8),
    )
    return path


def test_a_fall_in_a_trace_is_told_as_a_fact(citytable, trace):
    done = citytable("sense", "replay", trace)
    facts = [json.loads(line) for line in done.stdout.splitlines()]
    (fell,) = [fact for fact in facts if fact["fact"] == "fell" and fact["stage"] == "confirmed"]
    assert fell["lost_g"] == pytest.approx(150, abs=1)
    assert [fact["mass_g"] for fact in facts if fact["fact"] == "mass_settled"][-1] == pytest.approx(250, abs=1)


def test_a_file_that_is_no_trace_is_refused_in_one_sentence(citytable, tmp_path):
    (tmp_path / "letter.npz").write_text("dear diary")
    done = citytable("sense", "replay", tmp_path / "letter.npz")
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert "no .npz file" in done.stderr
    assert "allow_pickle" not in done.stderr
