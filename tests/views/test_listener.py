"""The web server when connections are opened and nothing is said: real sockets, and a process of its own."""

import contextlib
import http.client
import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.patience import PATIENCE_S

from citytable.views.keys import Keys
from citytable.views.viewer import HOST

pytestmark = pytest.mark.long(8)

HERE = Path(__file__).parent
FILES = 64
HALF = b"GET /api/entered HTTP/1.1\r\nHost: table\r\n"  # and no end of the headers


@dataclass
class Child:
    """A server in another process."""

    process: subprocess.Popen[str]
    port: int
    sockets: list[socket.socket]

    def call(self, address: str = "127.0.0.1", said: bytes = b"") -> socket.socket:
        """Open a connection from one of this machine's own addresses, and say something."""
        connection = socket.create_connection(("127.0.0.1", self.port), PATIENCE_S, source_address=(address, 0))
        self.sockets.append(connection)
        connection.sendall(said)
        return connection

    def order(self, line: str) -> None:
        """Let the process do something and wait until it is done."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        assert self.process.stdout.readline() == "done\n"

    def entered(self, address: str = "127.0.0.1", **headers: str) -> tuple[int, object]:
        """Ask as a browser does; the status and what was answered."""
        asking = http.client.HTTPConnection("127.0.0.1", self.port, PATIENCE_S, source_address=(address, 0))
        with contextlib.closing(asking):
            asking.request("GET", "/api/entered", headers=headers)
            answer = asking.getresponse()
            return answer.status, json.loads(answer.read())

    def log(self) -> list[str]:
        """End the process; the lines it wrote to its log."""
        _, log = self.process.communicate(timeout=PATIENCE_S)
        return log.splitlines()


@contextlib.contextmanager
def serving(headers_s: float, per_address: int = FILES, fewest: int = 8) -> Iterator[Child]:
    arguments = [HERE / "recorded" / "midgame.json", FILES, headers_s, per_address, fewest]
    process = subprocess.Popen(
        [sys.executable, HERE / "few_files.py", *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        assert process.stdout is not None
        child = Child(process, int(process.stdout.readline()), [])
        try:
            yield child
        finally:
            for connection in child.sockets:
                connection.close()
            process.kill()


def is_closed(connection: socket.socket) -> bool:
    """Wait until the server says something or closes; True when it closed, with or without a word."""
    try:
        while connection.recv(4096):
            pass
    except ConnectionResetError:
        pass
    except TimeoutError:
        return False
    return True


@pytest.mark.parametrize("said", [b"", b"GET", HALF])
def test_a_request_that_is_never_finished_is_ended(said: bytes) -> None:
    with serving(headers_s=0.2) as child:
        assert is_closed(child.call(said=said))
        assert child.entered() == (200, [])
        assert child.log() == []


def test_half_open_requests_beyond_the_file_limit_shut_nobody_out_for_long_and_are_one_line_in_the_log() -> None:
    with serving(headers_s=0.5) as child:
        half_open = [child.call(f"127.0.1.{n % 200 + 1}", HALF) for n in range(3 * FILES)]
        assert all(is_closed(connection) for connection in half_open)
        assert child.entered() == (200, [])
        (line,) = child.log()
    assert "new ones are refused" in line
    assert f"this program may have {FILES} files open" in line


def test_one_address_does_not_take_the_places_of_all_and_is_named() -> None:
    with serving(headers_s=PATIENCE_S, per_address=5) as child:
        for _ in range(5):
            child.call("127.0.0.9", HALF)
        status, refusal = child.entered("127.0.0.9")
        assert status == 503
        assert isinstance(refusal, dict)
        assert (
            refusal["text"]["en"] == "This device already has 5 connections open. Close a screen on it and try again."
        )
        assert child.entered("127.0.0.8") == (200, [])
        (line,) = child.log()
    assert line.startswith("127.0.0.9 has 5 connections open")


def test_eight_addresses_leave_a_place_for_the_next() -> None:
    with serving(headers_s=PATIENCE_S, fewest=2) as child:
        for n in range(8 * FILES):
            child.call(f"127.0.2.{n % 8 + 1}", HALF)
        assert child.entered() == (200, [])


def test_of_a_crowd_that_takes_every_place_only_the_one_with_a_key_still_gets_in() -> None:
    keys = Keys(b"secret", "salon", "game-1")  # as the process has them
    host = f"{keys.cookie_name(HOST)}={keys.key(HOST)}"
    with serving(headers_s=PATIENCE_S) as child:
        assert child.entered("127.0.0.7", Cookie=host) == (200, ["host"])
        for n in range(2 * FILES):
            child.call(f"127.0.1.{n + 1}", HALF)
        assert child.entered("127.0.0.8")[0] == 503
        assert child.entered("127.0.0.7") == (200, [])


def test_a_place_that_became_free_is_given_again() -> None:
    with serving(headers_s=0.2, per_address=2) as child:
        for _ in range(4):
            assert is_closed(child.call(said=HALF))
        assert child.entered() == (200, [])
        assert child.log() == []


def test_without_a_free_file_the_hub_waits_says_so_once_and_goes_on() -> None:
    with serving(headers_s=PATIENCE_S) as child:
        child.order("use up")
        waiting = [child.call(f"127.0.3.{n + 1}") for n in range(FILES // 2)]
        child.order("give back")
        assert child.entered() == (200, [])
        for connection in waiting:
            connection.sendall(HALF + b"Connection: close\r\n\r\n")
        assert all(is_closed(connection) for connection in waiting)
        (line,) = child.log()
    assert line.startswith("new connections wait (Too many open files; 0 connections are open)")
