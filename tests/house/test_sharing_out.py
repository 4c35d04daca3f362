"""The tests are shared out among workers: what a file makes once is made once, and the workers share the files."""

import re
import shutil
import subprocess
import sys

import pytest

pytestmark = pytest.mark.long(4)

FILE = """
import os
from pathlib import Path
import pytest

@pytest.fixture(scope="module")
def made():
    with Path("made").open("a") as file:
        print("a", file=file)

@pytest.mark.parametrize("n", range(8))
def test_shares(made, n, worker_id, new_port):
    with Path("ran").open("a") as file:
        print(Path(__file__).parent.name + "/" + Path(__file__).name, worker_id, new_port(), file=file)
"""
FILES = ("rules/test_a.py", "rules/test_b.py", "home_assistant/test_a.py", "home_assistant/test_b.py", "twin/test_a.py")


@pytest.fixture(scope="module")
def suite(tmp_path_factory, root):
    """A folder with five small files of tests, and the promises of tests/conftest.py."""
    folder = tmp_path_factory.mktemp("suite")
    for name in FILES:
        (folder / "tests" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "tests" / name).write_text(FILE)
    shutil.copy(root / "tests/conftest.py", folder / "tests")
    (folder / "pytest.ini").write_text("[pytest]\naddopts = --import-mode=importlib\n")
    return folder


def _pytest(folder, *words):
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *words, "tests"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.fixture(scope="module")
def ran(suite):
    """What they did in two workers: a line for each setting up, and (file, worker, port) of each test."""
    _pytest(suite, "-n", "2")
    made, lines = ((suite / name).read_text().splitlines() for name in ("made", "ran"))
    return made, [line.split() for line in lines]


def test_what_a_file_makes_once_is_made_once(ran):
    made, _ = ran
    assert len(made) == len(FILES)


def test_both_workers_have_work(ran):
    _, lines = ran
    assert {worker for _, worker, _ in lines} == {"gw0", "gw1"}


def test_home_assistant_is_one_workers(ran):
    _, lines = ran
    assert len({worker for file, worker, _ in lines if file.startswith("home_assistant")}) == 1


def test_no_two_tests_get_the_same_port(ran):
    _, lines = ran
    ports = [int(port) for _, _, port in lines]
    assert len(set(ports)) == len(ports) == 8 * len(FILES)
    slices = {worker: {int(port) // 1000 for _, one, port in lines if one == worker} for worker in ("gw0", "gw1")}
    assert slices["gw0"].isdisjoint(slices["gw1"])


def test_the_rooms_that_take_longest_come_first(suite):
    collected = _pytest(suite, "--collect-only", "-q")
    rooms = list(dict.fromkeys(re.findall(r"^tests/(\w+)/", collected, re.MULTILINE)))
    assert rooms == ["home_assistant", "twin", "rules"]
