"""Under systemd: a socket of its kind hears that the hub is ready, alive, and stopping."""

import asyncio
import itertools
import json
import signal
import socket
import threading
import urllib.request
from contextlib import suppress

import pytest
from tests.patience import PATIENCE_S

from citytable.supervised import supervised

pytestmark = pytest.mark.long(4)


@pytest.fixture
def systemd(tmp_path):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind(str(tmp_path / "notify"))
        line.settimeout(PATIENCE_S)
        yield line, str(tmp_path / "notify")


@pytest.mark.broker
def test_a_hub_says_that_it_is_ready_alive_and_stopping(started, systemd):
    line, path = systemd
    running = started(
        *("run", "--no-twin", "--no-open", "--port", "0", "--serial", ""), NOTIFY_SOCKET=path, WATCHDOG_USEC="300000"
    )
    assert [line.recv(64) for _ in range(4)] == [b"READY=1", *[b"WATCHDOG=1"] * 3]
    port = running.says(r"display  http://127\.0\.0\.1:(\d+)/display")[1]
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=PATIENCE_S) as answer:
        assert json.load(answer) == {"ok": True, "wrong": []}
    assert running.end(signal.SIGINT) == 0
    assert b"STOPPING=1" in iter(lambda: line.recv(64), b"")


async def test_a_hub_that_is_stuck_is_not_said_to_be_alive(systemd, monkeypatch):
    line, path = systemd
    monkeypatch.setenv("NOTIFY_SOCKET", path)
    monkeypatch.setenv("WATCHDOG_USEC", "3000")
    asked = asyncio.Event()

    def is_alive() -> bool:
        asked.set()
        return False

    async with supervised(is_alive):
        for _ in range(3):
            asked.clear()
            await asked.wait()
    assert [line.recv(64) for _ in range(2)] == [b"READY=1", b"STOPPING=1"]


def fill(path: str) -> None:
    """Send to a socket whatever it takes without being read."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as full:
        full.setblocking(False)
        full.connect(path)
        with suppress(BlockingIOError):
            while True:
                full.send(b"WATCHDOG=1")


def asked(times):
    """Return what says that a hub is alive, and an event that is set when it was asked so often."""
    pings, enough = itertools.count(1), asyncio.Event()

    def is_alive() -> bool:
        if next(pings) == times:
            enough.set()
        return True

    return is_alive, enough


def test_a_supervisor_that_reads_nothing_does_not_hold_the_hub_up(systemd, monkeypatch):
    _, path = systemd
    fill(path)
    monkeypatch.setenv("NOTIFY_SOCKET", path)
    monkeypatch.setenv("WATCHDOG_USEC", "3000")

    async def lives_for_thirty_pings() -> None:
        is_alive, enough = asked(30)
        async with supervised(is_alive):
            await enough.wait()

    thread = threading.Thread(target=lambda: asyncio.run(lives_for_thirty_pings()), daemon=True)
    thread.start()
    thread.join(20)
    assert not thread.is_alive()


async def test_a_supervisor_that_comes_back_hears_that_the_hub_is_alive(tmp_path, monkeypatch):
    path = str(tmp_path / "gone")
    monkeypatch.setenv("NOTIFY_SOCKET", path)
    monkeypatch.setenv("WATCHDOG_USEC", "3000")
    is_alive, away = asked(3)
    async with supervised(is_alive):
        await away.wait()
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as anew:
            anew.bind(path)
            anew.settimeout(20)
            assert await asyncio.to_thread(anew.recv, 64) == b"WATCHDOG=1"


async def test_a_hub_that_begins_anew_with_another_box_is_not_said_to_stop(systemd, monkeypatch):
    line, path = systemd
    monkeypatch.setenv("NOTIFY_SOCKET", path)
    for _ in range(2):
        async with supervised(lambda: False, goes_on=lambda: True):
            pass
    assert [line.recv(64) for _ in range(2)] == [b"READY=1"] * 2


async def test_without_a_supervisor_nothing_is_asked(monkeypatch):
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    async with supervised(lambda: pytest.fail("nobody wants to know")):
        await asyncio.sleep(0)
