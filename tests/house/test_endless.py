"""A test that waits for ever ends all the same, and is named: also where its fixtures wait for ever after it."""

import shutil
import subprocess
import sys

import pytest

pytestmark = pytest.mark.long(10)

LIMIT_S = 120  # far more than it takes, and an end to our own waiting
SUITE = """
import signal
import threading
import pytest

def for_ever():
    threading.Event().wait()

def test_before():
    pass

@pytest.fixture
def clings():
    yield
    for_ever()

@pytest.fixture
def clings_too():
    yield
    for_ever()

"""
WAITS = "def test_waits(): for_ever()"
CLINGS = "def test_waits(clings, clings_too): for_ever()"
DEAF = "def test_waits():\n    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})\n    for_ever()"


@pytest.mark.parametrize(
    ("endless", "ends", "said"),
    [
        (WAITS, "1 failed, 1 passed", "Timeout (>0.5s)"),
        (CLINGS, "1 failed, 1 passed, 1 error", "Timeout (>0.5s)"),
        (DEAF, "1 failed, 1 passed", "crashed while running"),
    ],
    ids=["waits", "clings", "is deaf"],
)
def test_an_endless_test_is_named_and_ends(tmp_path, root, endless, ends, said):
    shutil.copy(root / "tests/conftest.py", tmp_path)
    (tmp_path / "test_endless.py").write_text(SUITE + endless)
    limits = ["-o", "timeout=0.5", "-o", "faulthandler_timeout=2"]
    where = ["-c", str(root / "pyproject.toml"), "--rootdir", str(tmp_path), "-p", "no:cacheprovider", str(tmp_path)]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-n", "1", *limits, *where],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=LIMIT_S,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    assert said in done.stdout
    assert "test_endless.py::test_waits" in done.stdout
    assert f"{ends} in " in done.stdout.splitlines()[-1]
