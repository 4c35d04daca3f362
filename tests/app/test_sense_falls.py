"""Falls are drawn from the command line."""

import pytest

from citytable_lab.recording import load_recordings

pytestmark = pytest.mark.long(7)


def test_a_library_of_falls_is_drawn_one_seed_after_the_other(citytable, tmp_path):
    done = citytable("sense", "falls", tmp_path / "falls.npz", "--episodes", "2", "--seed", "10")
    assert done.stdout.startswith("2 falls in ")
    assert [recording.seed for recording in load_recordings(tmp_path / "falls.npz")] == [10, 11]


def test_a_place_that_cannot_be_written_is_told_before_anything_is_drawn(citytable, tmp_path):
    done = citytable("sense", "falls", tmp_path / "nowhere" / "falls.npz")
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert "give a file that can be written" in done.stderr
