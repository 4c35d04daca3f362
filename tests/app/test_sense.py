"""The commands about sensing, as somebody calls them who has traces or samples."""

import json
import subprocess

import numpy as np
import pytest

pytestmark = pytest.mark.long(7)

COUNTS_PER_G = 820.0


@pytest.fixture
def trace(tmp_path):
    """100 g at rest, to which somebody adds 12 g after three seconds; one cell at 80 conversions a second."""
    rng = np.random.default_rng(1)
    setting_down = [101, 104, 108, 113, 117, 120, 119, 117, 115, 114, 113, 112]
    grams = np.array([100] * 240 + setting_down + [112] * 240)
    counts = np.rint(grams * COUNTS_PER_G + rng.normal(0, 18, len(grams))).astype(np.int32)
    added = {"kind": "piece_added", "sub": "piece", "t_onset_us": 3_000_000, "t_end_us": 3_150_000}
    added |= {"mass_before_g": 100.0, "mass_after_g": 112.0}
    cal = {"counts_per_g": [COUNTS_PER_G], "zero_counts": [0.0], "tile_g": 0.0}
    meta = {"cal": cal, "start": {"pieces_on": 9, "mass_g": 100.0}, "events": [added]}
    path = tmp_path / "added.npz"
    np.savez(
        path,
        t_us=np.arange(len(grams), dtype=np.int64) * 12_500,
        counts=counts[:, None],
        meta=np.frombuffer(json.dumps(meta).encode(), dtype=np.uint8),
    )
    return path


def test_a_trace_is_told_as_events_and_drawn(citytable, trace, tmp_path):
    done = citytable("sense", "replay", trace, "--picture", tmp_path / "added.svg")
    events = [json.loads(line) for line in done.stdout.splitlines()]
    (added,) = [event for event in events if event["kind"] == "piece_added"]
    assert (added["stage"], added["mass_g"]) == ("confirmed", pytest.approx(12, abs=0.3))
    assert "piece added" in (tmp_path / "added.svg").read_text()


def test_a_folder_of_traces_is_scored(citytable, trace):
    done = citytable("sense", "score", trace.parent)
    assert "1 traces, 0 falls, 1 other interactions" in done.stdout
    assert "| piece added, recall" in done.stdout
    assert "false falls, by the act under way: none" in done.stdout


def test_a_score_may_be_brief(citytable, trace):
    done = citytable("sense", "score", trace.parent, "--brief", "--blind")
    assert done.stdout.startswith("1 traces, 0 falls")
    assert "| piece added, recall" in done.stdout
    assert "by the act under way" not in done.stdout
    assert "height after a fall" not in done.stdout


def test_a_score_is_one_json_object_too(citytable, trace):
    done = citytable("sense", "score", trace.parent, "--json", "--processes", 2)
    told = json.loads(done.stdout)
    (row,) = [row for row in told["rows"] if row["what"] == "piece added, recall"]
    assert (row["n"], row["of"], row["must"]) == (1, 1, 0.97)
    assert told["scores"][0]["trace"] == "added"


def test_a_folder_without_traces_is_refused_in_one_sentence(citytable, tmp_path):
    done = citytable("sense", "score", tmp_path)
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert "there is no trace in this folder" in done.stderr


def test_a_stream_answers_every_sample_before_the_next_one_comes(citytable_path):
    start = {"type": "start", "cal": {"counts_per_g": [COUNTS_PER_G], "zero_counts": [0.0]}}
    with subprocess.Popen(
        [citytable_path, "sense", "stream"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        running.stdin.write(json.dumps(start) + "\n")
        for number in range(20):
            running.stdin.write(json.dumps({"t_us": number * 12_500, "counts": [1000 + number % 3]}) + "\n")
            running.stdin.flush()
            assert running.stdout.readline() == "[]\n"
        for _ in range(3):
            running.stdin.write("hm\n")
            running.stdin.flush()
            assert json.loads(running.stdout.readline())[0]["kind"] == "fault"
        running.stdin.close()
        assert running.stdout.read() == ""
        first, count = running.stderr.read().splitlines()
        assert first.startswith("citytable: no sample: 'hm': ")
        assert count == "citytable: 3 lines could not be read in full"
        assert running.wait() == 0


def test_a_stream_that_nobody_reads_any_more_ends_in_peace(citytable_path, tmp_path):
    lines = [json.dumps({"type": "start", "cal": {"counts_per_g": [COUNTS_PER_G], "zero_counts": [0.0]}})]
    lines += [json.dumps({"t_us": number * 12_500, "counts": [1000]}) for number in range(2000)]
    (tmp_path / "lines").write_text("\n".join(lines))
    with (
        (tmp_path / "lines").open() as given,
        subprocess.Popen(
            [citytable_path, "sense", "stream"], stdin=given, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as running,
    ):
        running.stdout.readline()
        running.stdout.close()
        assert running.wait() == 0
        assert running.stderr.read() == ""


def test_a_stream_that_starts_with_nonsense_says_so_and_ends(citytable_path):
    done = subprocess.run(
        [citytable_path, "sense", "stream"], input="hello\n", capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert 'begin with {"type":"start","cal":{...}}' in done.stderr


def test_a_stream_needs_nothing_of_the_lab(citytable_path, tmp_path):
    """It starts at once because neither the lab's packages nor the rest of the house come with it."""
    listing = "import sys; from citytable.command import main\ntry: main()\nexcept SystemExit: print(*sys.modules)"
    done = subprocess.run(
        [citytable_path.parent / "python", "-c", listing, "sense", "stream"],
        input='{"type":"start","cal":{"counts_per_g":[1],"zero_counts":[0]}}\n{"t_us":0,"counts":[1]}\n',
        capture_output=True,
        text=True,
        check=True,
    )
    answer, modules = done.stdout.splitlines()
    assert answer == "[]"
    assert not {"numpy", "aiohttp", "aiomqtt", "matplotlib"} & set(modules.split())


def test_a_file_that_is_no_trace_is_refused_in_one_sentence(citytable, tmp_path):
    (tmp_path / "letter.npz").write_text("dear diary")
    done = citytable("sense", "replay", tmp_path / "letter.npz")
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert "this is not a readable .npz file" in done.stderr
    assert "allow_pickle" not in done.stderr
