"""The phones plan needs nothing that only Unix has, as far as a machine with Unix can tell (`without_unix.py`)."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.long(12)

HERE = Path(__file__).parent
PROGRAM = (sys.executable, "-X", "warn_default_encoding", HERE / "without_unix.py")
MARKET = "5,24,3,9,4,21,20,26,13,7,27,8,1,22,23,10"
FORBIDDEN = set('<>:"|?*\\')


@pytest.fixture
def env(tmp_path):
    """A person's own folder, and the letters of a console of the west."""
    return {"XDG_DATA_HOME": str(tmp_path), "PYTHONIOENCODING": "cp1252:strict"}


@pytest.fixture
def journal(tmp_path):
    return str(tmp_path / "evening.sqlite3")


@pytest.fixture
def run(started, env, journal):
    def start(*words):
        named = ("--phones", "--host", "127.0.0.1", "--port", "0", "--no-open", "--journal", journal)
        return started("run", *words, *named, program=PROGRAM, **env)

    return start


def test_a_table_of_phones_plays_stops_and_goes_on(run, env, journal, tmp_path):
    words = ("--game", "dilluvia", "--players", "2", "--box", "chez-zoe")
    running = run(*words)
    (host,) = running.hosts()
    for action in (f"table set_up market={MARKET}", "table draw_order order=1,2"):
        host.asks("/api/say", {"type": "statement", "action": action, "by": "host"})
    host.asks("/api/say", {"type": "guide", "on": True, "seats": [2], "by": "host"})
    host.phone(1).asks("/api/say", {"type": "statement", "action": "p1 zeppelin at=left1", "by": "seat 1"})
    assert host.asks("/api/box")["name"] == "chez-zoe"
    assert running.end(signal.SIGINT) == 0
    again = run(*words)
    again.says("going on with game .* after 3 actions")
    (host,) = again.hosts()
    game = host.asks("/api/game")["after"]
    assert again.end(signal.SIGINT) == 0
    for line in (("backup", "--journal", journal), ("export", game, "--journal", journal), ("box", "list")):
        done = subprocess.run([*PROGRAM, *line], env=os.environ | env, cwd=tmp_path, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr
    files = [path.relative_to(tmp_path) for path in tmp_path.rglob("*")]
    assert Path(f"{game}.jsonl") in files
    assert [str(path) for path in files if FORBIDDEN & set(str(path))] == []


def test_a_second_hub_is_kept_off_a_journal_that_is_in_use(run):
    """With Comeback City and MegaCity, which begin, too."""
    first = run("--game", "comeback")
    (host,) = first.hosts()
    assert host.asks("/api/view")["data"]["scene"]["game"] == "comeback"
    second = run("--game", "megacity")
    second.says("another hub|in use|journal")
    assert second.ended() == 1
    assert first.end(signal.SIGINT) == 0
    (host,) = run("--game", "megacity").hosts()
    assert host.asks("/api/view")["data"]["scene"]["game"] == "megacity"


def test_what_is_taken_away_is_gone():
    """Or else this machine played itself."""
    probe = (
        "import sys; sys.path.insert(0, sys.argv[1]); import without_unix as it; it.become_windows()\n"
        "import os, citytable.journal.alone as alone; print(hasattr(os, 'fork'), alone.msvcrt.LK_NBLCK)\n"
        "import fcntl"
    )
    done = subprocess.run([sys.executable, "-c", probe, HERE], capture_output=True, text=True, check=False)
    assert done.stdout == "False 2\n"
    assert "import of fcntl halted" in done.stderr
