"""A PostgreSQL server of Debian's package, in a folder of its own, and stores in it."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest

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

    def kill(self) -> None:
        """End it as a power cut would: nobody says goodbye."""
        self._run("pg_ctl", "stop", "--wait", "--mode", "immediate")

    def new_database(self) -> str:
        """Return the address of an empty database."""
        self._databases += 1
        name = f"venue{self._databases}"
        with psycopg.connect(self._at("postgres"), autocommit=True) as connection:
            connection.execute(f"create database {name} template template0".encode())
        return self._at(name)

    def _at(self, database: str) -> str:
        return f"host={self._folder} user=venue dbname={database}"


@pytest.fixture(scope="module")
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
