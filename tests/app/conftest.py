"""The command `citytable` as a process of its own, as people start it."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Callable, Iterator
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

import pytest
from tests.patience import PATIENCE_S
from typer.testing import CliRunner

from citytable.cli import app

CITYTABLE = Path(sys.executable).parent / "citytable"
STARTERS = ("run", "rehearse", "station")  # their signals and their log are the whole process's


def _children(pid: int) -> list[int]:
    """Every process that a process started, and what those started."""
    found = []
    for task in Path(f"/proc/{pid}/task").glob("*"):
        for child in (task / "children").read_text().split():
            found += [int(child), *_children(int(child))]
    return found


def _is_gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except OSError:
        return True


class Host:
    """Whoever opened a link that a running citytable printed."""

    def __init__(self, page: str, key: str, who: str = "host") -> None:
        self._page = page
        self._browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        self.asks("/api/enter", {"as": who, "key": key})

    def asks(self, path: str, body: dict[str, Any] | None = None) -> Any:
        """What the hub answers; what is sent is `body`."""
        said = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self._page + path, said, {"Content-Type": "application/json"})
        with self._browser.open(request, timeout=PATIENCE_S) as answer:
            return json.load(answer)

    def phone(self, seat: int) -> "Host":
        """A phone that scanned the code of a seat."""
        link = self.asks("/api/phones")[seat - 1]["link"]
        return Host(self._page, link.partition("#")[2], f"seat/{seat}")

    def view(self) -> dict[str, Any]:
        """What the display shows."""
        return self.asks("/api/view")["data"]

    def begins(self, players: int, **wish: Any) -> str:
        """The next game, `game="comeback"` another one; the name of the one before."""
        after = self.asks("/api/game")["after"]
        said = {"type": "next_game", "after": after, "players": players, "simplified": not wish, "by": "host"}
        self.asks("/api/say", said | wish)
        return after


class Running:
    """One `citytable` that goes on until it is told to stop."""

    def __init__(self, program: tuple[str | Path, ...], words: tuple[str, ...], env: dict[str, str]) -> None:
        self._lines: list[str] = []
        self._heard = threading.Condition()
        self.process = subprocess.Popen(
            [*program, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=os.environ | env
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            with self._heard:
                self._lines.append(line.rstrip("\n"))
                self._heard.notify_all()
        with self._heard:
            self._heard.notify_all()

    @property
    def said(self) -> str:
        """All its lines."""
        return "\n".join(self._lines)

    def says(self, pattern: str) -> re.Match[str]:
        """The first line that fits, as soon as it is there."""
        with self._heard:
            there = self._heard.wait_for(lambda: re.search(pattern, self.said), PATIENCE_S)
        assert there, f"it never said {pattern!r}, but:\n{self.said}"
        return there

    def view(self) -> dict[str, Any]:
        """What its display shows."""
        port = self.says(r"display  http://127\.0\.0\.1:(\d+)/display")[1]
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/view", timeout=PATIENCE_S) as answer:
            return json.load(answer)["data"]

    def hosts(self) -> list[Host]:
        """One for each table whose page is there."""
        return [Host(found["page"].removesuffix("/host"), found["key"]) for found in self.notes()]

    def notes(self) -> list[dict[str, str]]:
        """What `citytable host` reads, for each table whose page is there."""
        self.says("phones ")
        journals = re.findall(r"^host     citytable host --journal (.+)$", self.said, re.MULTILINE)
        return [json.loads(Path(file).with_suffix(".host.json").read_bytes()) for file in journals]

    def broker(self) -> tuple[str, str]:
        """Host and port of its broker."""
        found = self.says(r"broker   (\S+):(\d+) ")
        return found[1], found[2]

    def children(self, *names: str) -> list[int]:
        """Its processes, once there is one of each name."""
        pids: list[int] = []

        def there() -> bool:
            pids[:] = _children(self.process.pid)
            running = [Path(f"/proc/{pid}/cmdline").read_text() for pid in pids]
            return all(any(name in line for line in running) for name in names)

        wait_until(there)
        return pids

    def pid_of(self, name: str) -> int:
        """Its process of that name, once there is one."""
        pids = self.children(name)
        return next(pid for pid in pids if name in Path(f"/proc/{pid}/cmdline").read_text())

    def end(self, number: int) -> int:
        """Send a signal; its exit code."""
        self.process.send_signal(number)
        return self.ended()

    def ended(self) -> int:
        """Its exit code, once it has ended."""
        code = self.process.wait(PATIENCE_S)
        self._reader.join(PATIENCE_S)
        assert not self._reader.is_alive(), "a program that it started lives on and keeps its output open"
        if self.process.stdout is not None:
            self.process.stdout.close()
        return code


def wait_until(condition: Callable[[], Any]) -> None:
    """As soon as it holds; fails when it never does."""
    tick = threading.Event()
    for _ in range(PATIENCE_S * 50):
        if condition():
            return
        tick.wait(0.02)
    pytest.fail(f"it did not come about in {PATIENCE_S} s")


@pytest.fixture
def until() -> Callable[[Callable[[], Any]], None]:
    return wait_until


@pytest.fixture
def gone() -> Callable[[int], bool]:
    """Whether a process has ended."""
    return _is_gone


@pytest.fixture
def started() -> Iterator[Callable[..., Running]]:
    """`started("run", ...)`: the command, running; killed at the end of the test if it still runs.

    `program` starts it another way.
    """
    running: list[Running] = []

    def start(*words: str, program: tuple[str | Path, ...] = (CITYTABLE,), **env: str) -> Running:
        running.append(Running(program, words, env))
        return running[-1]

    yield start
    for one in running:
        if one.process.poll() is None:
            one.end(signal.SIGKILL)
        one.ended()


@pytest.fixture
def citytable() -> Callable[..., subprocess.CompletedProcess[str]]:
    """`citytable("replay", ...)`: a command run to its end; in a process of its own if it starts others."""

    def run(*words: str | Path, **env: str) -> subprocess.CompletedProcess[str]:
        command = [str(CITYTABLE), *map(str, words)]
        if words[0] in STARTERS:
            return subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ | env)
        done = CliRunner().invoke(app, command[1:], env=env, catch_exceptions=False)
        return subprocess.CompletedProcess(command, done.exit_code, done.stdout, done.stderr)

    return run


@pytest.fixture
def citytable_path() -> Path:
    """Where the command is, for whoever talks to it while it runs."""
    return CITYTABLE
