"""The promises of tests/conftest.py, tried on a small suite of their own."""

import shutil
import subprocess
import sys

import pytest

SUITE = """
import logging
import pytest

@pytest.mark.browser
def test_needs_a_browser():
    pass

def test_warns():
    logging.getLogger("citytable.link").warning("lost the broker at %s", "here")

def test_warns_and_asked_to_see_it(caplog):
    logging.getLogger("citytable.link").warning("lost the broker")
    assert "lost" in caplog.text

def test_somebody_elses_logger_warns():
    logging.getLogger("aiohttp").warning("not ours")
"""


@pytest.fixture
def suite(tmp_path, root):
    """Runs SUITE where no browser is installed; `ci` as the environment variable CI."""
    (tmp_path / "tests").mkdir()
    shutil.copy(root / "tests/conftest.py", tmp_path / "tests")
    (tmp_path / "tests/test_small.py").write_text(SUITE)
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers =\n  browser: x\n  broker: x\n")

    def run(ci: str) -> str:
        command = [sys.executable, "-m", "pytest", "-v", "-p", "no:cacheprovider", "tests"]
        environment = {"PATH": str(tmp_path), "HOME": str(tmp_path), "CI": ci, "COLUMNS": "200"}
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        return done.stdout

    return run


def test_what_cannot_run_is_skipped_and_said_aloud_at_the_end(suite):
    told = suite(ci="")
    assert "test_needs_a_browser SKIPPED" in told
    assert "1 TESTS DID NOT RUN" in told
    assert "chromium and the built screens (make setup) missing" in told.split("TESTS DID NOT RUN")[1]


def test_in_ci_nothing_is_skipped(suite):
    told = suite(ci="true")
    assert "SKIPPED" not in told
    assert "in CI no test may be skipped" in told


def test_a_warning_of_ours_fails_a_test_that_did_not_ask_for_it(suite):
    told = suite(ci="")
    assert "test_warns FAILED" in told
    assert "WARNING citytable.link: lost the broker at here" in told
    assert "test_warns_and_asked_to_see_it PASSED" in told
    assert "test_somebody_elses_logger_warns PASSED" in told
