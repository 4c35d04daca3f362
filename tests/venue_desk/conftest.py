"""PostgreSQL, NATS and mosquitto of Debian's packages, in folders of their own, and what the desk makes of them."""

import asyncio
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import psycopg
import pytest
from tests.patience import PATIENCE_S

from citytable.link.broker import Broker
from citytable.venue_desk.bridge import Node, bridge_configuration, nats_configuration
from citytable.venue_desk.store import Store


def _user() -> dict[str, Any]:
    """Whom the server runs as: it refuses to be root, and then it is the package's own user."""
    if os.geteuid():
        return {}
    owner = pwd.getpwnam("postgres")
    return {"user": owner.pw_uid, "group": owner.pw_gid, "extra_groups": []}


class PostgreSQL:
    """A server that can be killed and started again; it listens on a socket in its folder only."""

    def __init__(self, folder: Path) -> None:
        self._bin = max(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[4])).parent
        self._folder, self._data = folder, folder / "data"
        self._log = folder / "log"
        self._databases = 0
        self._runs = False
        self._run("initdb", "--username=venue", "--auth=trust", "--no-locale", "--encoding=UTF8", "--no-sync")
        self.start()

    def _run(self, program: str, *words: str) -> None:
        made = subprocess.run(
            [str(self._bin / program), *words, "--pgdata", str(self._data)],
            cwd=self._folder,
            stdout=subprocess.PIPE if program == "initdb" else subprocess.DEVNULL,  # a server keeps a pipe open
            stderr=subprocess.STDOUT,
            check=False,
            **_user(),
        )
        assert made.returncode == 0, made.stdout or self._log.read_text()

    def start(self) -> None:
        where = f"-c listen_addresses='' -c unix_socket_directories='{self._folder}' -c fsync=off"
        self._run("pg_ctl", "start", "--wait", "--log", str(self._log), "--options", where)
        self._runs = True

    def kill(self) -> None:
        """End it as a power cut would: nobody says goodbye."""
        if self._runs:
            self._run("pg_ctl", "stop", "--wait", "--mode", "immediate")
        self._runs = False

    def new_database(self) -> str:
        """Return the address of an empty database."""
        if not self._runs:  # a test that failed has left it so
            self.start()
        self._databases += 1
        name = f"venue{self._databases}"
        with psycopg.connect(self._at("postgres"), autocommit=True) as connection:
            connection.execute(f"create database {name} template template0".encode())
        return self._at(name)

    def _at(self, database: str) -> str:
        return f"host={self._folder} user=venue dbname={database}"


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgreSQL]:
    """Run a server; its folder is not in pytest's, which another user may not enter."""
    folder = Path(tempfile.mkdtemp(prefix="citytable-pg-"))
    try:
        if user := _user():
            os.chown(folder, user["user"], user["group"])
        server = PostgreSQL(folder)
        yield server
        server.kill()
    finally:
        shutil.rmtree(folder)


@pytest.fixture
def address(postgresql) -> str:
    """Return the address of an empty database."""
    return postgresql.new_database()


@pytest.fixture
async def store(address) -> AsyncIterator[Store]:
    """Open a store in an empty database."""
    async with Store.opened(address) as store:
        yield store


@pytest.fixture
def another(address):
    """Open one more store of the same database, as another process would."""

    @asynccontextmanager
    async def opened() -> AsyncIterator[Store]:
        async with Store.opened(address) as store:
            yield store

    return opened


SECRET = 'sec"ret ä'  # what has to be quoted
TABLES = ("north", "south")
SYSTEM_PATH = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/local/sbin", "/usr/sbin"])


class Server:
    """A program that listens on a port; it can be killed and started again."""

    def __init__(self, port: int, *command: str) -> None:
        program = shutil.which(command[0], path=SYSTEM_PATH)
        assert program is not None
        self.port = port
        self._command = [program, *command[1:]]
        self._child: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self._child = subprocess.Popen(self._command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline_s = time.monotonic() + PATIENCE_S
        while not self._listens():
            assert self._child.poll() is None, f"{self._command} ended at once"
            assert time.monotonic() < deadline_s, f"{self._command} runs, and does not listen on {self.port}"

    def _listens(self) -> bool:
        with socket.socket() as probe:
            probe.settimeout(1)
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def kill(self) -> None:
        if self._child is not None:
            self._child.kill()
            self._child.wait()
            self._child = None


@pytest.fixture
def servers() -> Iterator[list[Server]]:
    """Collect servers, which are killed at the end."""
    started: list[Server] = []
    yield started
    for server in reversed(started):
        server.kill()


@pytest.fixture
def serve(servers) -> Callable[..., Server]:
    """Start a program on a port, until the end of the test."""

    def start(port: int, *command: str) -> Server:
        server = Server(port, *command)
        servers.append(server)
        server.start()
        return server

    return start


@pytest.fixture
def nats(tmp_path, new_port, serve) -> Server:
    """Run the venue's broker as `citytable venue broker` says."""
    config, port, mqtt_port = tmp_path / "nats.conf", new_port(), new_port()
    node = Node(folder=tmp_path / "nats", host="127.0.0.1", port=port, mqtt_port=mqtt_port)
    config.write_text(nats_configuration(node, SECRET, TABLES))
    return serve(mqtt_port, "nats-server", "--config", str(config))


@pytest.fixture
def table_broker(tmp_path, new_port, serve) -> Callable[..., Server]:
    """Run a table's mosquitto, which bridges to a port as `citytable venue bridge` says."""

    def run(table: str, *venue_ports: int, certificate: Path | None = None) -> Server:
        port, config = new_port(), tmp_path / f"{table}.conf"
        user = "user root\n" if os.geteuid() == 0 else ""
        bridge = bridge_configuration(table, [f"127.0.0.1:{to}" for to in venue_ports], SECRET, certificate)
        config.write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\n{user}{bridge}")
        return serve(port, "mosquitto", "-c", str(config))

    return run


@pytest.fixture(scope="session")
def secret() -> str:
    """Return the desk's password."""
    return SECRET


@pytest.fixture
def venue_broker(nats) -> Broker:
    """Return what the desk connects to."""
    return Broker("127.0.0.1", nats.port, "external", user="desk", password=SECRET)


class Road:
    """The network between a table and its venue, which can be cut."""

    def __init__(self, port: int, to_port: int) -> None:
        self.port = port  # one of the system's own could be somebody else's, after a cut
        self._to_port = to_port
        self._ways: set[asyncio.StreamWriter] = set()
        self._carrying: set[asyncio.Task[object] | None] = set()
        self._server: asyncio.Server | None = None

    async def open(self) -> None:
        self._server = await asyncio.start_server(self._carry, "127.0.0.1", self.port)

    async def cut(self) -> None:
        assert self._server is not None
        self._server.close()
        for way in self._ways:
            way.transport.abort()
        await asyncio.gather(*self._carrying, return_exceptions=True)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection("127.0.0.1", self._to_port)
        self._ways |= {writer, back}
        self._carrying.add(task := asyncio.current_task())
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(_pour(reader, back))
                group.create_task(_pour(there, writer))
        finally:
            self._ways -= {writer, back}
            self._carrying.discard(task)


async def _pour(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while read := await reader.read(65_536):
            writer.write(read)
            await writer.drain()
    writer.transport.abort()


@pytest.fixture
async def road(nats, new_port) -> AsyncIterator[Road]:
    """Lay a road to the venue's broker."""
    road = Road(new_port(), nats.port)
    await road.open()
    yield road
    await road.cut()
