"""Accept the connections of the web server, and no more of them than the hub can carry.

asyncio's own server accepts every connection. When the process may open no more files, it logs every failed attempt, a
hundred thousand times a minute. This listener keeps files free for the journal and the broker, limits the connections
of each address (`citytable.views.places`), waits after a failure, and logs each kind of trouble once in a while. The
deadline for the headers of a request is aiohttp's: `keepalive_timeout` counts from the first moment of a connection.
"""

import asyncio
import contextlib
import errno
import socket
import sys
from collections import Counter

from aiohttp import web

from citytable.views.lost import log, refusal_in_http
from citytable.views.places import Limits, Places, crowd, place_of
from citytable.views.refusals import Refused, refused

if sys.platform != "win32":
    import resource


class Listener:
    """Listens for one aiohttp server; `start` once, then `stop`."""

    def __init__(self, server: web.Server, limits: Limits) -> None:
        self._server = server
        self._limits = limits
        self._places = Places(limits)
        self._addresses: dict[web.RequestHandler, str] = {}
        self._logged_s: dict[str, float] = {}
        self._sockets: list[socket.socket] = []
        self._tasks: list[asyncio.Task[None]] = []

    def know(self, address: str) -> None:
        """Note that somebody at this address has shown a key: some places are theirs."""
        self._places.know(address)

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
        """Stop accepting connections; open ones stay open."""
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
        if refusal := self._no_place(connection, place_of(address)):
            with contextlib.suppress(OSError):
                connection.send(refusal_in_http(refusal))
            connection.close()
            await asyncio.sleep(0)  # however many are refused, everything else goes on
            return
        try:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(self._limits.unsent_s * 1000))
            _, handler = await asyncio.get_running_loop().connect_accepted_socket(self._server, connection)
        except OSError:
            connection.close()  # it has left already
            return
        self._addresses[handler] = place_of(address)

    def _no_place(self, connection: socket.socket, address: str) -> Refused | None:
        """Return the refusal of a connection without a place; None if it has one."""
        open_now = set(self._server.connections)
        self._addresses = {handler: at for handler, at in self._addresses.items() if handler in open_now}
        # the system gives the lowest free number, so all lower ones are open, whatever opened them
        others = connection.fileno() - len(open_now)
        room = int(min(self._limits.connections, self._files_max() - others))
        free = self._places.free(address, room, len(open_now))
        if free <= 0:
            self._log("all", f"{self._crowd()}: new ones are refused, {_what_to_do()}")
            return refused(503, "no_place")
        share = self._places.share(free)
        if sum(at == address for at in self._addresses.values()) < share:
            return None
        self._log(
            "address",
            f"{address} has {share} connections open and new ones from there are refused: "
            "close some of its pages, or stop the program there that opens them",
        )
        return refused(503, "no_place_here", most=share)

    def _crowd(self) -> str:
        return crowd(Counter(self._addresses.values()))

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
