"""What a machine without the VM is told, tried on a suite of one test."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.fixture
def suite(tmp_path):
    """Runs it where tests/micropython/node_modules is missing; `ci` as the environment variable CI."""
    room = tmp_path / "tests/micropython"
    room.mkdir(parents=True)
    shutil.copy(HERE / "conftest.py", room)
    (room / "test_small.py").write_text("def test_it(vms):\n    pass\n")
    (tmp_path / "pytest.ini").write_text("[pytest]\nasyncio_mode = auto\naddopts = -ra\n")

    def run(ci):
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "tests"]
        environment = {"PATH": str(tmp_path), "HOME": str(tmp_path), "CI": ci, "COLUMNS": "200"}
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout

    return run


def test_it_is_skipped_aloud(suite):
    code, told = suite("")
    assert code == 0
    assert "1 skipped" in told
    assert "tests/micropython/node_modules (tools/setup.sh micropython) missing on this machine" in told


def test_in_ci_it_fails(suite):
    code, told = suite("true")
    assert code == 1
    assert "in CI no test may be skipped" in told
