"""Accept the connections of the web server, and no more of them than the hub can carry.

asyncio's own server accepts every connection. When the process may open no more files, it logs every failed attempt, a
hundred thousand times a minute. This listener keeps files free for the journal and the broker, limits the connections
of each address, waits after a failure, and logs each kind of trouble once in a while. The deadline for the headers of a
request is aiohttp's: `keepalive_timeout` counts from the first moment of a connection.
"""

import asyncio
import contextlib
import errno
import socket
import sys
from collections import Counter
from dataclasses import dataclass

from aiohttp import web

from citytable.views.lost import log, refusal_in_http
from citytable.views.refusals import refused

if sys.platform != "win32":
    import resource


@dataclass(frozen=True)
class Limits:
    """The limits of the web server. Seconds are those of the event loop."""

    headers_s: float = 10.0  # for a whole request line with its headers, and for a connection without any request
    per_address: int = 128  # more than a café's screens behind one proxy need
    connections: int = 1000
    files_kept: int = 128  # of the process's limit, for everything but connections
    unsent_s: float = 20.0  # how long a reader may leave what was sent to it unread
    accept_again_s: float = 1.0  # after the system could not accept
    log_again_s: float = 600.0
    names: tuple[str, ...] = ()  # beside those that nobody on the internet can own, what the hub may be called


LIMITS = Limits()


class Listener:
    """Listens for one aiohttp server; `start` once, then `stop`."""

    def __init__(self, server: web.Server, limits: Limits) -> None:
        self._server = server
        self._limits = limits
        self._addresses: dict[web.RequestHandler, str] = {}
        self._logged_s: dict[str, float] = {}
        self._sockets: list[socket.socket] = []
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self, host: str, port: int) -> int:
        """Listen at every address of the host; return the port. Raises `OSError`."""
        loop = asyncio.get_running_loop()
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        try:
            for family, address in sorted({(family, address[:2]) for family, _, _, _, address in found}):
                opened = socket.create_server((str(address[0]), int(address[1])), family=family, backlog=128)
                opened.setblocking(False)
                self._sockets.append(opened)
        except OSError:
            await self.stop()
            raise
        self._tasks = [loop.create_task(self._accept(opened), name="accept") for opened in self._sockets]
        return int(self._sockets[0].getsockname()[1])

    async def stop(self) -> None:
        """Accept nothing more; connections that are open stay open."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for opened in self._sockets:
            opened.close()
        self._tasks, self._sockets = [], []

    async def _accept(self, listening: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                connection, address = await loop.sock_accept(listening)
            except ConnectionError:
                continue  # it left before it was its turn
            except OSError as error:
                if error.errno not in (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM):
                    raise
                self._log("system", f"new connections wait ({error.strerror}; {self._crowd()}), {_what_to_do()}")
                await asyncio.sleep(self._limits.accept_again_s)
                continue
            await self._take(connection, str(address[0]))

    async def _take(self, connection: socket.socket, address: str) -> None:
        """Hand a connection to the server, or refuse it."""
        if key := self._no_place(connection, address):
            with contextlib.suppress(OSError):
                connection.send(refusal_in_http(refused(503, key, most=self._limits.per_address)))
            connection.close()
            await asyncio.sleep(0)  # however many are refused, everything else goes on
            return
        try:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(self._limits.unsent_s * 1000))
            _, handler = await asyncio.get_running_loop().connect_accepted_socket(self._server, connection)
        except OSError:
            connection.close()  # it has left already
            return
        self._addresses[handler] = address

    def _no_place(self, connection: socket.socket, address: str) -> str:
        """Return the key of the refusal for a connection that has no place; empty if it has one."""
        open_now = set(self._server.connections)
        self._addresses = {handler: at for handler, at in self._addresses.items() if handler in open_now}
        # the system gives the lowest free number, so everything below it is open, whoever in this process opened it
        if len(open_now) >= self._limits.connections or connection.fileno() >= self._files_max():
            self._log("all", f"{self._crowd()}: new ones are refused, {_what_to_do()}")
            return "no_place"
        if sum(at == address for at in self._addresses.values()) >= self._limits.per_address:
            self._log(
                "address",
                f"{address} has {self._limits.per_address} connections open and new ones from there are refused: "
                "close some of its pages, or stop the program there that opens them",
            )
            return "no_place_here"
        return ""

    def _crowd(self) -> str:
        most = Counter(self._addresses.values()).most_common(1)
        whose = f", {most[0][1]} of them from {most[0][0]}" if most else ""
        return f"{len(self._addresses)} connections are open{whose}"

    def _files_max(self) -> float:
        limit = _files_limit()
        return limit - min(self._limits.files_kept, limit // 4)

    def _log(self, kind: str, line: str) -> None:
        now_s = asyncio.get_running_loop().time()
        if now_s - self._logged_s.get(kind, float("-inf")) >= self._limits.log_again_s:
            self._logged_s[kind] = now_s
            log.warning("%s", line)


def _files_limit() -> float:
    if sys.platform == "win32":
        return float("inf")
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return float("inf") if soft == resource.RLIM_INFINITY else soft


def _what_to_do() -> str:
    return (
        f"this program may have {_files_limit():.0f} files open: close screens that nobody watches, "
        "or raise that limit (`ulimit -n`, or LimitNOFILE= in the systemd unit)"
    )
