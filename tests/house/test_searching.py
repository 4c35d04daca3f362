"""Searches have a small fixed sample in every run, and go on from another seed in each soak; long files take turns."""

import os
import re
import shutil
import subprocess
import sys

import pytest

pytestmark = pytest.mark.long(20)

OWN_NUMBER = re.compile(r"max_examples=\d|derandomize=")
SUITE = """
import pytest
from hypothesis import given, settings, strategies as st

def test_an_example():
    pass

@pytest.mark.soak
def test_too_long():
    pass

@pytest.mark.parametrize("case", [1, pytest.param(2, marks=pytest.mark.soak)])
def test_cases(case):
    pass

@pytest.mark.seeds("players, seed", [(2, 1), pytest.param(3, 2, marks=pytest.mark.soak)], soak=2)
def test_games(players, seed):
    pass

@given(st.integers())
def test_a_search(n):
    print("searched", n)

@settings(max_examples=settings().max_examples // 4)
@given(st.integers())
def test_a_dear_search(n):
    print("dear", n)
"""


@pytest.fixture(scope="module")
def suite(tmp_path_factory, root):
    folder = tmp_path_factory.mktemp("suite")
    (folder / "tests").mkdir()
    shutil.copy(root / "tests/conftest.py", folder / "tests")
    (folder / "tests/test_small.py").write_text(SUITE)
    (folder / "pytest.ini").write_text("[pytest]\naddopts = --strict-markers\n")
    return folder


@pytest.fixture
def run(suite):
    """`run(...)`: what ran, and what was searched, in order."""

    def ran(*words: str) -> tuple[list[str], list[str]]:
        command = [sys.executable, "-m", "pytest", "-v", "-s", "-p", "no:cacheprovider", *words, "tests"]
        ours = {name: value for name, value in os.environ.items() if name != "PYTEST_ADDOPTS"}
        done = subprocess.run(command, cwd=suite, env=ours, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout
        searched = re.findall(r"^.*?((?:searched|dear) -?\d+)$", done.stdout, re.MULTILINE)
        return re.findall(r"test_small\.py::(\S+)", done.stdout), searched

    return ran


def test_every_run_has_the_same_small_sample(run):
    names, searched = run()
    assert names == ["test_an_example", "test_cases[1]", "test_games[2-1]", "test_a_search", "test_a_dear_search"]
    assert run() == (names, searched)
    assert (sum("searched" in one for one in searched), sum("dear" in one for one in searched)) == (25, 6)


def test_a_soak_runs_what_was_left_out_and_searches_longer(run):
    names, searched = run("--soak", "7")
    assert names[:2] == ["test_too_long", "test_cases[2]"]
    assert names[2:4] == ["test_games[2-1]", "test_games[3-2]"]
    assert [name[:12] for name in names[4:6]] == ["test_games[2", "test_games[3"]
    assert names[6:] == ["test_a_search", "test_a_dear_search"]
    assert sum("searched" in one for one in searched) > 500


def test_a_soak_can_be_run_again_and_another_has_other_seeds(run):
    first, second = run("--soak", "7"), run("--soak", "8")
    assert run("--soak", "7") == first
    assert first[0][:4] == second[0][:4]
    assert first[0][4] != second[0][4]
    assert first[1] != second[1]


@pytest.fixture(scope="module")
def long_files(suite):
    """Eleven files that take long, beside the one that does not: the names of their tests, by what a share takes."""
    (suite / "tests/home_assistant").mkdir()
    takes_s = {
        "test_a": 30,
        "test_b": 20,
        "home_assistant/test_c": 9,
        "home_assistant/test_d": 9,
        "test_e": 8,
        "test_f": 7,
        "test_g": 6,
        "test_h": 5,
        "test_i": 4,
        "test_j": 3,
        "test_k": 2,
    }
    for path, s in takes_s.items():
        text = f"import pytest\n\npytestmark = pytest.mark.long({s})\n\ndef test_it():\n    pass\n"
        (suite / f"tests/{path}.py").write_text(text)
    alone = {"1": "a", "2": "b", "4": "e", "5": "f", "6": "g", "7": "h", "8": "i", "9": "j", "10": "k"}
    yield {"3": {"test_c", "test_d"}, **{share: {f"test_{one}"} for share, one in alone.items()}}
    for path in (suite / "tests").rglob("test_[a-k].py"):
        path.unlink()


@pytest.fixture
def collected(suite, long_files):
    """`collected(...)`: the long files that are chosen; beside them everything that is quick is."""

    def chosen(*words: str) -> set[str]:
        command = [sys.executable, "-m", "pytest", "-q", "--collect-only", "-p", "no:cacheprovider", *words]
        done = subprocess.run(command, cwd=suite, capture_output=True, text=True, check=True)
        assert "test_small.py::test_an_example" in done.stdout
        assert "test_too_long" not in done.stdout
        return set(re.findall(r"(test_[a-k])\.py::test_it", done.stdout))

    return chosen


@pytest.mark.parametrize("share", ["1", "3", "10"])
def test_shares_of_the_long_files_take_about_as_long_and_what_is_set_up_once_stays_together(
    collected, long_files, share
):
    assert collected("--long", share) == long_files[share]


def test_a_commit_has_its_turn_and_whoever_asks_for_nothing_gets_everything(collected, suite, long_files):
    assert collected() == {f"test_{one}" for one in "abcdefghijk"}
    assert collected("--long", "turn") == long_files["1"]  # without git
    subprocess.run(["git", "init", "-q", "."], cwd=suite, check=True)
    who = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    turns = []
    for at in range(3):
        made = {**os.environ, "GIT_AUTHOR_DATE": f"@{at} +0000", "GIT_COMMITTER_DATE": f"@{at} +0000"}
        subprocess.run(["git", *who, "commit", "-q", "--allow-empty", "-m", "one"], cwd=suite, env=made, check=True)
        turns.append(collected("--long", "turn"))
        assert collected("--long", "turn") == turns[-1]
    assert all(turn in long_files.values() for turn in turns)
    assert len({frozenset(turn) for turn in turns}) > 1


def test_no_test_names_a_number_of_examples_of_its_own(root, sources):
    """It says a share of `settings().max_examples`, or a soak would search no longer than any other run."""
    tests = [path for path in sources if path.parts[0] == "tests" and path.suffix == ".py"]
    ours = {"tests/conftest.py", "tests/house/test_searching.py"}
    named = [str(path) for path in tests if OWN_NUMBER.search((root / path).read_text("utf-8"))]
    assert [path for path in named if path not in ours] == []
