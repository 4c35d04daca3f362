"""Libraries of recorded falls."""

from pathlib import Path

import numpy as np
import pytest

from citytable_lab.recording import BadLibrary, PieceCast, Recording, load_recordings, save_recordings


def a_recording(seed: int, length: int) -> Recording:
    return Recording(
        seed=seed,
        trigger="push",
        outcome="partial_collapse",
        pieces=(PieceCast("cube", "glass", 8.25), PieceCast("post", "steel", 9.5)),
        t_trigger_s=0.3,
        t_onset_s=0.35,
        t_impact_s=None,
        t_end_s=0.9,
        mass_before_g=17.75,
        mass_after_g=8.25,
        height_before_mm=70.0,
        height_after_mm=20.0,
        n_pieces=2,
        n_fallen=1,
        n_off=1,
        tile_mm=90.0,
        friction=0.4,
        wrench=np.arange(3 * length, dtype=np.float32).reshape(length, 3),
        top_mm=np.linspace(70, 20, length // 20, dtype=np.float32),
        hand_mm=np.full(length // 20, np.nan, dtype=np.float32),
    )


@pytest.mark.parametrize("lengths", [[], [400], [400, 900, 20]])
def test_a_library_comes_back_as_it_was_written(tmp_path: Path, lengths: list[int]) -> None:
    written = [a_recording(seed, length) for seed, length in enumerate(lengths)]
    save_recordings(tmp_path / "falls.npz", written)
    read = load_recordings(tmp_path / "falls.npz")
    assert [recording.labels() for recording in read] == [recording.labels() for recording in written]
    for ours, theirs in zip(written, read, strict=True):
        for name in ("wrench", "top_mm", "hand_mm"):
            np.testing.assert_array_equal(getattr(ours, name), getattr(theirs, name))


def broken_files(folder: Path) -> dict[str, Path]:
    (folder / "text").write_text("no archive")
    (folder / "empty").write_bytes(b"")
    np.savez(folder / "other.npz", t_us=np.arange(3))
    np.savez(folder / "meta.npz", meta=np.frombuffer(b'{"format": "citytable falls 9", "labels": []}', dtype=np.uint8))
    save_recordings(folder / "good.npz", [a_recording(1, 100)])
    with np.load(folder / "good.npz") as good:
        arrays = {**good, "wrench": good["wrench"][:50]}
    np.savez(folder / "short.npz", **arrays)
    return {path.stem: path for path in folder.iterdir()} | {"missing": folder / "missing.npz"}


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("missing", "No such file.*give the path"),
        ("text", "this is not a readable library of falls.*draw the falls again"),
        ("empty", "this is not a readable library of falls"),
        ("other", "array 'meta' is missing: draw the falls again"),
        ("meta", "this is not a readable library of falls.*citytable falls 9"),
        ("short", "1 labels, but 1 signals with 100 of 50 values"),
    ],
)
def test_a_broken_library_is_told_in_a_sentence(tmp_path: Path, name: str, sentence: str) -> None:
    with pytest.raises(BadLibrary, match=sentence):
        load_recordings(broken_files(tmp_path)[name])
