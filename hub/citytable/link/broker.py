"""The broker: mosquitto as a child of the hub, the embedded one, or an address somebody gives.

The child dies with the hub, even when the hub is killed (`citytable.link.child`). A mosquitto that dies is started
again on the same port.
"""

import asyncio
import os
import shutil
import socket
import tempfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from citytable.link import embedded
from citytable.link.child import dying_with_us

BrokerKind: TypeAlias = Literal["mosquitto", "embedded", "external"]

LOOPBACK = "127.0.0.1"
READY_S = 5.0
RESTART_S = 0.1
_INSTALL = "install mosquitto (sudo apt-get install mosquitto) or the embedded broker (pip install 'citytable[demo]')"


class BrokerUnavailable(RuntimeError):
    """No broker can be had: the text is one sentence for the host, saying what is wrong and what to do."""


@dataclass(frozen=True)
class Broker:
    """A broker that answers at `host:port`. `notice` is a line to show to people, or empty."""

    host: str
    port: int
    kind: BrokerKind
    notice: str = ""


def external_broker(address: str) -> Broker:
    """A broker somebody else runs, from `host:port`; raises `BrokerUnavailable` when the text is not one."""
    host, colon, port = address.rpartition(":")
    if not colon or not host or not port.isdecimal() or not 0 < int(port) < 65536:
        raise BrokerUnavailable(f"broker address {address!r} is not host:port: write for example 192.168.1.20:1883")
    return Broker(host.strip("[]"), int(port), "external")


def find_mosquitto() -> str | None:
    """Where mosquitto is installed; Debian keeps it in /usr/sbin, which is not on everybody's PATH."""
    return shutil.which("mosquitto", path=os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin")))


def _bound(port: int) -> int:
    """The port, shown to be free (0: any free one); raises `BrokerUnavailable`."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
        except OSError as error:
            raise BrokerUnavailable(
                f"port {port} cannot be used for the broker ({error.strerror}): "
                "stop the program that has it, or choose another port"
            ) from error
        return int(probe.getsockname()[1])


def mosquitto_configuration(port: int, state_dir: Path, user: str | None) -> str:
    """The text of mosquitto.conf: anonymous as it listens on the loopback only, saving changes within a second."""
    lines = [
        f"listener {port} {LOOPBACK}",
        "allow_anonymous true",
        "set_tcp_nodelay true",
        "persistence true",
        f"persistence_location {state_dir}/",
        "autosave_interval 1",
        "autosave_on_changes true",
        "max_inflight_messages 100",
        "max_queued_messages 20000",
        "log_dest stderr",
        "log_type error",
        "log_type warning",
    ]
    if user is not None:
        lines.append(f"user {user}")
    return "\n".join(lines) + "\n"


class _Mosquitto:
    """One mosquitto child, kept running."""

    def __init__(self, program: str, port: int, state_dir: Path) -> None:
        self._program = program
        self.port = port
        self._conf = state_dir / "mosquitto.conf"
        self._log = state_dir / "mosquitto.log"
        user = "root" if os.geteuid() == 0 else None
        self._conf.write_text(mosquitto_configuration(port, state_dir, user))
        self._child: asyncio.subprocess.Process | None = None
        self._keeper: asyncio.Task[None] | None = None

    async def start(self) -> None:
        await self._launch()
        self._keeper = asyncio.create_task(self._keep_running(), name="mosquitto keeper")

    async def _launch(self) -> None:
        with self._log.open("wb") as log:
            self._child = await asyncio.create_subprocess_exec(
                *dying_with_us(self._program, "-c", str(self._conf)),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,  # Ctrl-C is for the hub, which says goodbye over this broker
            )
        await self._answering(self._child)

    async def _answering(self, child: asyncio.subprocess.Process) -> None:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + READY_S
        while child.returncode is None and loop.time() < deadline:
            with suppress(OSError):
                _, writer = await asyncio.open_connection(LOOPBACK, self.port)
                writer.close()
                return
            await asyncio.sleep(0.005)
        if child.returncode is None:
            child.kill()
            await child.wait()
            raise BrokerUnavailable(f"mosquitto ({self._program}) did not answer on port {self.port}: see {self._log}")
        said = self._log.read_text(errors="replace").strip().splitlines()
        raise BrokerUnavailable(
            f"mosquitto ({self._program}) ended at once with code {child.returncode}, "
            f"saying {(said[-1] if said else 'nothing')!r}: try it by hand with -c {self._conf}"
        )

    async def _keep_running(self) -> None:
        while True:
            if self._child is not None:
                await self._child.wait()
            await asyncio.sleep(RESTART_S)
            with suppress(BrokerUnavailable):
                await self._launch()

    async def stop(self) -> None:
        if self._keeper is not None:
            self._keeper.cancel()
            with suppress(asyncio.CancelledError):
                await self._keeper
        child = self._child
        if child is None or child.returncode is not None:
            return
        child.terminate()
        try:
            await asyncio.wait_for(child.wait(), READY_S)
        except TimeoutError:
            child.kill()
            await child.wait()


@asynccontextmanager
async def running_mosquitto(program: str, port: int = 0, state_dir: Path | None = None) -> AsyncIterator[Broker]:
    """Run mosquitto on the loopback; `state_dir` keeps its retained messages from one evening to the next."""
    async with AsyncExitStack() as stack:
        if state_dir is None:
            directory = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="citytable-broker-")))
        else:
            directory = _made(state_dir)
        child = _Mosquitto(program, _bound(port), directory)
        stack.push_async_callback(child.stop)
        await child.start()
        yield Broker(LOOPBACK, child.port, "mosquitto")


def _made(directory: Path) -> Path:
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BrokerUnavailable(
            f"the broker's directory {directory} cannot be made ({error.strerror}): choose another"
        ) from error
    return directory.absolute()


@asynccontextmanager
async def running_broker(
    *,
    address: str | None = None,
    port: int = 0,
    state_dir: Path | None = None,
    kind: BrokerKind | None = None,
) -> AsyncIterator[Broker]:
    """A broker for as long as the block runs; raises `BrokerUnavailable`.

    `address` ("host:port") takes a broker somebody else runs; otherwise mosquitto is started, or the embedded broker
    where mosquitto is missing (`kind` insists on one of the two). `port` 0 takes any free port.
    """
    if address is not None:
        yield external_broker(address)
        return
    program = None if kind == "embedded" else find_mosquitto()
    if program is not None:
        async with running_mosquitto(program, port, state_dir) as broker:
            yield broker
        return
    if kind == "mosquitto" or not embedded.is_installed():
        raise BrokerUnavailable(f"no MQTT broker is installed: {_INSTALL}")
    free = _bound(port)
    async with embedded.running_embedded(free):
        yield Broker(
            LOOPBACK,
            free,
            "embedded",
            notice="mosquitto is not installed: using the embedded broker (amqtt), for demonstrations only",
        )
