"""What the feed of the screens costs, beside `websockets.broadcast` of the same bytes in the same run.

- a change of the table until each of 200 spectators has it: ours from `Server.show`, which works out what has changed
  and writes it as JSON; the yardstick from the call with bytes that are ready
- rounds of twenty phones while one of them has stalled, beside rounds of twenty that read
- twenty phones with and without compression: the hub's processor time, and bytes on the wire

The readers are a process of their own, which looks at nothing but the length of a frame; both columns include it.

    .venv/bin/python tools/bench_feed.py
"""

import asyncio
import base64
import gc
import json
import selectors
import socket
import sys
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Collection, Coroutine, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import msgspec
from msgspec.structs import replace
from websockets.asyncio.server import ServerConnection, broadcast, serve

from citytable.views.feed import Feed
from citytable.views.gate import Gate
from citytable.views.keys import Keys
from citytable.views.server import Doors, Server
from citytable.views.signal import Signal
from citytable.views.state import View
from citytable.views.tags import TagHere
from citytable.views.viewer import PUBLIC, seen_by

SPECTATORS, P99 = 200, 198
PHONES, OTHERS = 20, 19
ROUNDS = 300
FIRST_SEQ = 1000
PAUSE_S = 0.02
RECORDED = Path(__file__).resolve().parents[1] / "tests/views/recorded/midgame.json"
DEFLATE = "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n"
SMALL_BUFFER = 4096
TEXT, DEFLATED, PING = 0x81, 0x40, 0x89
PONG = b"\x8a\x80\0\0\0\0"

# the readers, in a process of their own


@dataclass
class Reader:
    """One connection: counts the frames that it has read."""

    connection: socket.socket
    group: int
    waiting: bytearray = field(default_factory=bytearray)
    bytes: int = 0

    def frames(self) -> int:
        """Read what is there; return how many frames became complete."""
        data = self.connection.recv(1 << 18)
        if not data:
            raise ConnectionError("the server has closed a connection")
        self.bytes += len(data)
        self.waiting += data
        found = 0
        while (length := _frame_length(self.waiting)) and len(self.waiting) >= length:
            found += self.waiting[0] == TEXT or self.waiting[0] == TEXT | DEFLATED
            if self.waiting[0] == PING:
                self.connection.send(PONG)
            del self.waiting[:length]
        return found


def _frame_length(data: bytearray) -> int:
    """Return how long the first frame of a server is with its head; 0 while that cannot be known."""
    if len(data) < 2:
        return 0
    if data[1] < 126:
        return 2 + data[1]
    more = 2 if data[1] == 126 else 8
    return 2 + more + int.from_bytes(data[2 : 2 + more], "big") if len(data) >= 2 + more else 0


def _opened(port: int, number: int, group: int, headers: str, buffer: int = 0) -> Reader:
    connection = socket.socket()
    if buffer:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    connection.bind((f"127.0.1.{number + 1}", 0))  # one address may not have all places
    connection.connect(("127.0.0.1", port))
    key = base64.b64encode(bytes(16)).decode()
    request = (
        f"GET /feed HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n{headers}\r\n"
    )
    connection.sendall(request.encode())
    head = bytearray()
    while b"\r\n\r\n" not in head:
        head += connection.recv(1)
    assert b" 101 " in head, head
    connection.setblocking(False)
    return Reader(connection, group)


class Readers:
    """Groups of readers; each group is of one server."""

    def __init__(self, groups: Sequence[dict[str, Any]]) -> None:
        self._readers = selectors.DefaultSelector()
        self._all: list[Reader] = []
        self._arrived: defaultdict[int, list[int]] = defaultdict(list)
        for number, group in enumerate(groups):
            for one in range(group["readers"]):
                stalls = one < group["stalled"]
                reader = _opened(group["port"], one, number, group["headers"], SMALL_BUFFER if stalls else 0)
                self._all.append(reader)
                if not stalls:
                    self._readers.register(reader.connection, selectors.EVENT_READ, reader)

    def arrivals(self, group: int, wanted: int) -> list[int]:
        """Return when each of these readers of a group had its next frame, in nanoseconds."""
        there = self._arrived[group]
        while len(there) < wanted:
            for key, _ in self._readers.select():
                reader: Reader = key.data
                self._arrived[reader.group] += [time.monotonic_ns()] * reader.frames()
        self._arrived[group] = there[wanted:]
        return there[:wanted]

    def bytes_of(self, group: int) -> int:
        """Return how many bytes the readers of a group have read."""
        return sum(reader.bytes for reader in self._all if reader.group == group)


def read_for_others() -> None:
    """Do what the standard input says: open groups of readers, then wait for rounds of them."""
    readers = Readers(json.loads(sys.stdin.readline()))
    print("ready", flush=True)
    for line in sys.stdin:
        order = json.loads(line)
        found = readers.arrivals(order["group"], order["wanted"]) if "wanted" in order else []
        print(json.dumps(found or readers.bytes_of(order["group"])), flush=True)


class Child:
    """The process of the readers, asked from here."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    def order(self, order: object) -> None:
        """Send an order."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(order).encode() + b"\n")

    async def answer(self) -> Any:
        """Return the answer to the oldest order that waits."""
        assert self._process.stdout is not None
        return json.loads(await self._process.stdout.readline())


@asynccontextmanager
async def reading(groups: Sequence[dict[str, Any]]) -> AsyncIterator[Child]:
    """Run the readers."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, __file__, "--read"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=1 << 20,
    )
    child = Child(process)
    try:
        child.order(groups)
        assert process.stdout is not None
        await process.stdout.readline()
        yield child
    finally:
        process.kill()
        await process.wait()


def group(port: int, readers: int, *, stalled: int = 0, headers: str = "") -> dict[str, Any]:
    """Return an order to open readers at a server."""
    return {"port": port, "readers": readers, "stalled": stalled, "headers": headers}


# the servers


def _nobody(*_: object) -> Any:
    raise AssertionError("nobody asks this in a bench")


class _Game:
    """What a wall asks of the game: the tremor of a delivery, of which there is none here."""

    @property
    def senses(self) -> "_Game":
        """Return itself."""
        return self

    def tags(self, _station: str) -> tuple[TagHere, ...]:
        """Return no tag."""
        return ()

    def tremor(self, _spots: Collection[str], now_us: int) -> Signal:
        """Return no curve."""
        return Signal(0, now_us, now_us, (), ())


def server_of(view: View) -> Server:
    """Return a server that shows a view, and that nobody speaks to."""
    asked = ("say", "health", "zeros", "turned_away", "entries", "record", "vitals", "identify")
    nobody = dict.fromkeys((*asked, "choices", "hands", "keep_overlay"), _nobody)
    doors = Doors(**nobody, game=_Game, now_us=lambda: view.t_us)
    return Server(view, doors, Gate(Keys(b"bench", "bench", "game"), time.monotonic, 3), first_seq=FIRST_SEQ)


@asynccontextmanager
async def served(view: View) -> AsyncIterator[tuple[int, Server]]:
    """Serve a view; give the port, and the server."""
    server = server_of(view)
    try:
        yield await server.start("127.0.0.1", 0), server
    finally:
        await server.stop()


class Table:
    """A table of which one thing changes again and again, behind a server of ours."""

    def __init__(self) -> None:
        self._view = msgspec.json.decode(RECORDED.read_bytes(), type=View)
        self._feed = Feed(seen_by(PUBLIC, self._view), FIRST_SEQ)
        self.server = server_of(self._view)

    def change(self) -> View:
        """Return the table after somebody's turn."""
        scene = self._view.scene
        assert scene is not None
        turned = replace(scene, turn=scene.turn + 1)
        self._view = replace(self._view, t_us=self._view.t_us + 100_000, scene=turned)
        return self._view

    def message(self) -> bytes:
        """Return what the feed says about the change."""
        (event,) = self._feed.show(seen_by(PUBLIC, self._view))
        return msgspec.json.encode(event)


@asynccontextmanager
async def shown() -> AsyncIterator[tuple[Table, int]]:
    """Serve a table by our server; give it with its port."""
    table = Table()
    port = await table.server.start("127.0.0.1", 0)
    try:
        yield table, port
    finally:
        await table.server.stop()


@asynccontextmanager
async def yardstick() -> AsyncIterator[tuple[set[ServerConnection], int]]:
    """Serve by `websockets`; give the connections, and the port."""
    there: set[ServerConnection] = set()

    async def attend(connection: ServerConnection) -> None:
        there.add(connection)
        await connection.wait_closed()

    async with serve(attend, "127.0.0.1", 0, compression=None, ping_interval=None) as server:
        yield there, server.sockets[0].getsockname()[1]


# what is measured


@dataclass
class Column:
    """The rounds of one way."""

    name: str
    group: int
    wanted: int
    enough: int
    show: Callable[[], None]
    prepare: Callable[[], object] = lambda: None
    ms: list[float] = field(default_factory=list)
    rounds_ms: list[float] = field(default_factory=list)
    own_s: float = 0.0

    async def round(self, child: Child) -> None:
        """Show one change and wait until the readers have it."""
        self.prepare()
        child.order({"group": self.group, "wanted": self.wanted})
        await asyncio.sleep(PAUSE_S)
        own_s, begun_ns = time.process_time(), time.monotonic_ns()
        self.show()
        arrived = [(at_ns - begun_ns) / 1e6 for at_ns in await child.answer()]
        self.own_s += time.process_time() - own_s
        self.ms += arrived
        self.rounds_ms.append(sorted(arrived)[self.enough - 1])

    @property
    def p99_ms(self) -> float:
        """Return the time within which 99 of 100 readers had a change."""
        return quantiles(self.ms, n=100)[98]

    @property
    def round_ms(self) -> float:
        """Return the middle of the times after which enough readers had a change."""
        return median(self.rounds_ms)


async def _rounds(child: Child, columns: Sequence[Column], rounds: int) -> None:
    gc.collect()
    for number in range(rounds):
        for column in columns[:: 1 if number % 2 else -1]:
            await column.round(child)


async def spectators() -> None:
    """Print the way of a change to all spectators, beside a broadcast of the same bytes."""
    async with AsyncExitStack() as stack:
        (ours, port), (zipped, zipped_port) = [await stack.enter_async_context(shown()) for _ in range(2)]
        there, bare_port = await stack.enter_async_context(yardstick())
        groups = [
            group(bare_port, SPECTATORS),
            group(port, SPECTATORS),
            group(zipped_port, SPECTATORS, headers=DEFLATE),
        ]
        child = await stack.enter_async_context(reading(groups))
        mirror, said = Table(), b""

        def prepare() -> None:
            nonlocal said
            mirror.change()
            said = mirror.message()

        columns = [
            Column("websockets.broadcast", 0, SPECTATORS, P99, lambda: broadcast(there, said.decode()), prepare),
            Column("a change of the table", 1, SPECTATORS, P99, lambda: ours.server.show(ours.change())),
            Column("the same, compressed", 2, SPECTATORS, P99, lambda: zipped.server.show(zipped.change())),
        ]
        for column in columns[1:]:  # the snapshots with which each feed begins
            child.order({"group": column.group, "wanted": SPECTATORS})
            await child.answer()
        await _rounds(child, columns, ROUNDS)
        print(f"a change of {len(said)} bytes to {SPECTATORS} spectators, {ROUNDS} rounds of each, turn about:")
        bare = columns[0]
        for column in columns:
            print(
                f"{column.name:>22}: p50 {median(column.ms):5.2f} ms, p99 {column.p99_ms:5.2f} ms = "
                f"{column.p99_ms / bare.p99_ms:4.2f} times the yardstick; p99 of the middle round "
                f"{column.round_ms:5.2f} ms = {column.round_ms / bare.round_ms:4.2f} times"
            )


async def stalled() -> None:
    """Print what one phone that reads nothing costs the rounds of the others."""
    async with AsyncExitStack() as stack:
        (well, port), (bad, bad_port) = [await stack.enter_async_context(shown()) for _ in range(2)]
        groups = [group(port, PHONES, headers=DEFLATE), group(bad_port, PHONES, stalled=1, headers=DEFLATE)]
        child = await stack.enter_async_context(reading(groups))
        columns = [
            Column("all of them read", 0, PHONES, OTHERS, lambda: well.server.show(well.change())),
            Column("one has stalled", 1, OTHERS, OTHERS, lambda: bad.server.show(bad.change())),
        ]
        for column in columns:
            child.order({"group": column.group, "wanted": column.wanted})
            await child.answer()
        await _rounds(child, columns, ROUNDS)
        print(f"{PHONES} phones, {ROUNDS} rounds of each, turn about, until {OTHERS} of them have the change:")
        for column in columns:
            print(f"{column.name:>22}: p50 {column.round_ms:5.2f} ms, all {sum(column.rounds_ms):6.1f} ms")
        lost = 1 - columns[0].round_ms / columns[1].round_ms
        print(f"{'a stalled phone costs':>22}: {100 * lost:5.1f}% of the rounds of the others, by the middle ones")


async def compressed() -> None:
    """Print what compression costs the hub, and what it saves on the wire."""
    async with AsyncExitStack() as stack:
        tables = [await stack.enter_async_context(shown()) for _ in range(2)]
        headers = ("", DEFLATE)
        groups = [group(port, PHONES, headers=said) for (_, port), said in zip(tables, headers, strict=True)]
        child = await stack.enter_async_context(reading(groups))
        (plain, _), (zipped, _) = tables
        columns = [
            Column("as it is", 0, PHONES, PHONES, lambda: plain.server.show(plain.change())),
            Column("compressed", 1, PHONES, PHONES, lambda: zipped.server.show(zipped.change())),
        ]
        for column in columns:
            child.order({"group": column.group, "wanted": PHONES})
            await child.answer()
        before = [await _bytes(child, column) for column in columns]
        await _rounds(child, columns, ROUNDS)
        print(f"{PHONES} phones, {ROUNDS} rounds of each, turn about:")
        for column, begun in zip(columns, before, strict=True):
            read = (await _bytes(child, column) - begun) / ROUNDS / PHONES
            print(
                f"{column.name:>22}: {read:6.0f} bytes to each phone, {1e6 * column.own_s / ROUNDS:5.0f} us of "
                f"the hub's processor for all of them, p99 {column.p99_ms:5.2f} ms"
            )


async def _bytes(child: Child, column: Column) -> int:
    child.order({"group": column.group})
    return int(await child.answer())


def main() -> None:
    """Measure and print."""
    if "--read" in sys.argv:
        read_for_others()
        return
    parts: tuple[Callable[[], Coroutine[Any, Any, None]], ...] = (spectators, stalled, compressed)
    for part in parts:
        asyncio.run(part())


if __name__ == "__main__":
    main()
