"""Traces are drawn from the command line."""

import numpy as np
import pytest


def test_a_folder_of_traces_is_drawn_and_the_same_seed_draws_it_again(citytable, tmp_path):
    done = citytable(
        "sense", "draw", tmp_path / "one", "--traces", "3", "--seed", "2", "--cells", "1", "--set", "house"
    )
    assert done.stdout.startswith("3 traces in ")
    citytable("sense", "draw", tmp_path / "two", "--traces", "3", "--seed", "2", "--cells", "1", "--set", "house")
    names = sorted(path.name for path in (tmp_path / "one").iterdir())
    assert names == ["house-1-2-00000.npz", "house-1-2-00001.npz", "house-1-2-00002.npz"]
    for name in names:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_with_an_accelerometer_the_same_traces_have_what_it_hears(citytable, tmp_path):
    for folder, words in (("deaf", []), ("hearing", ["--accelerometer"])):
        citytable("sense", "draw", tmp_path / folder, "--traces", "1", "--seed", "3", "--cells", "1", *words)
    deaf, hearing = (dict(np.load(tmp_path / folder / "heavy-1-3-00000.npz")) for folder in ("deaf", "hearing"))
    assert set(hearing) - set(deaf) == {"knock_t_us", "knock_mg"}
    assert all(np.array_equal(deaf[name], hearing[name]) for name in set(deaf) - {"meta"})


@pytest.mark.parametrize(
    ("words", "sentence"),
    [(["--falls", "none.npz"], "give the path of a library of falls"), ([], "give a folder that can be written to")],
)
def test_what_is_missing_or_in_the_way_is_told_in_one_sentence(citytable, tmp_path, words, sentence):
    (tmp_path / "taken").write_text("a file")
    done = citytable("sense", "draw", tmp_path / "taken", "--traces", "1", *words)
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert sentence in done.stderr
