"""The broker: mosquitto as a child of the hub, the embedded one, or one at a given address.

The child dies with the hub, even when the hub is killed (`citytable.link.child`). A mosquitto that dies is restarted on
the same port. If it also listens to stations in a network (`StationListener`), or serves only the hub, everybody logs
in, the hub as well (`citytable.link.credentials`). Otherwise it listens on the loopback to anybody, and a notice says
so. It may open as many files as the system allows, so that idle connections cannot use them up.
"""

import asyncio
import logging
import os
import re
import shutil
import socket
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal, TypeAlias

from citytable.link import embedded
from citytable.link.child import dying_with_us
from citytable.link.credentials import HUB_USER, Credentials
from citytable.link.turned_away import AGAIN_S, Idle, TurnedAway

BrokerKind: TypeAlias = Literal["mosquitto", "embedded", "external"]

PASSWORD_VARIABLE = "CITYTABLE_BROKER_PASSWORD"
LOOPBACK = "127.0.0.1"
_EVERYWHERE = {"0.0.0.0": LOOPBACK, "::": "::1"}  # a broker that listens in every network answers on the loopback
READY_S = 90.0  # one that cannot start ends at once; on a machine that is short of processor it takes a minute
ENDING_S = 5.0
RESTART_S = 0.1
SAVED_EVERY_S = 60
PORT_MAX = 65_535
PACKET_BYTES_MAX = 65_536
QUEUED_MAX = 4000
"""Messages for one client: some seconds of a whole table. What somebody floods with must not wait before the rest."""
LOG_BYTES_MAX = 1_000_000
PORTS_TRIED = 5  # a free port is free until somebody takes it, which is a matter of milliseconds
_LOGGER = logging.getLogger(__name__)
_KNOCKED = re.compile(rb"New connection from (\S+) on port")
_LOGGED_IN = re.compile(rb"New client connected from (\S+) as ")
_NO_FILES = b"Unable to accept new connection"
_PORT_TAKEN = "Address already in use"
_REFUSED = b"disconnected, not authorised"
_OPEN = (
    "the broker asks nobody on this computer for a login: any program on it can speak as a station; "
    "without --broker-port, or with --listen 127.0.0.1:1883, everybody logs in"
)
_INSTALL = "install mosquitto (sudo apt-get install mosquitto), or citytable with its extra `demo`"


class BrokerUnavailable(RuntimeError):
    """There is no broker: the text is one sentence for the host with the reason and what to do."""


class PortTaken(BrokerUnavailable):
    """Another program took the port after it was seen to be free."""


def _nobody() -> tuple[str, ...]:
    return ()


@dataclass(frozen=True)
class Broker:
    """A broker that answers at `host:port`. `notice` is a line to show to people, or empty; no `user`: no login.

    With `certificate` it speaks TLS and must show that one. `turned_away` returns the addresses that try to log in and
    are refused; for an external broker it is unknown.
    """

    host: str
    port: int
    kind: BrokerKind
    notice: str = ""
    user: str = ""
    password: str = field(default="", repr=False)
    certificate: Path | None = None
    turned_away: Callable[[], tuple[str, ...]] = field(default=_nobody, repr=False, compare=False)


@dataclass(frozen=True)
class StationListener:
    """The address at which stations of a network reach the hub's broker, and their logins. TLS with a certificate.

    Without an address they reach it on the loopback only, and log in there. `bridge` has mosquitto's own lines for a
    bridge to another broker.
    """

    address: str
    port: int
    credentials: Credentials
    certificate: Path | None = None
    key: Path | None = None
    bridge: str = field(default="", repr=False)  # with a password


def _host_and_port(text: str, what: str, example: str) -> tuple[str, int]:
    host, colon, port = text.rpartition(":")
    if not colon or not host or not port.isdecimal() or not 0 < int(port) <= PORT_MAX:
        raise BrokerUnavailable(f"{what} {text!r} is not host:port: write for example {example}")
    return host.strip("[]"), int(port)


def external_broker(address: str, user: str = "", password: str = "", certificate: Path | None = None) -> Broker:
    """Return a broker somebody else runs, from `host:port`; raise `BrokerUnavailable` when the text is not one."""
    host, port = _host_and_port(address, "broker address", "192.168.1.20:1883")
    if certificate is not None and not os.access(certificate, os.R_OK):
        raise BrokerUnavailable(f"{certificate} cannot be read: copy the venue's certificate to this computer")
    return Broker(host, port, "external", user=user, password=password, certificate=certificate)


def station_listener(
    address: str, credentials: Credentials, certificate: Path | None = None, key: Path | None = None
) -> StationListener:
    """Return a listener for stations at `address` ("host:port"); raise `BrokerUnavailable` for one that cannot work."""
    host, port = _host_and_port(address, "the stations' address", "192.168.50.1:1883, or 0.0.0.0:1883 for all networks")
    if (certificate is None) != (key is None):
        raise BrokerUnavailable("TLS needs the certificate and its key: give both, or neither")
    for file in (certificate, key):
        if file is not None and not os.access(file, os.R_OK):
            raise BrokerUnavailable(f"{file} cannot be read: hub/deploy/certificate.sh makes a certificate and its key")
    return StationListener(host, port, credentials, certificate, key)


def with_bridge(listener: StationListener, file: Path) -> StationListener:
    """Return a listener whose broker bridges as a file says; raises `BrokerUnavailable` if the file is empty."""
    try:
        text = file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BrokerUnavailable(f"{file} cannot be read ({error}): citytable venue bridge prints it") from None
    if not text.startswith("connection "):
        raise BrokerUnavailable(f"{file} describes no bridge: citytable venue bridge prints one")
    return replace(listener, bridge=text)


def find_mosquitto() -> str | None:
    """Find the installed mosquitto; Debian keeps it in /usr/sbin, which is not on everybody's PATH."""
    return shutil.which("mosquitto", path=os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin")))


def _bound(port: int, address: str = LOOPBACK) -> int:
    """Return the port, shown to be free (0: any free one); raise `BrokerUnavailable`."""
    with socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((address, port))
        except OSError as error:
            where = "" if address == LOOPBACK else f" at {address}"
            raise BrokerUnavailable(
                f"port {port} cannot be used for the broker{where} ({error.strerror}): "
                "stop the program that has it, or choose another port"
            ) from error
        return int(probe.getsockname()[1])


def _doors(port: int, stations: StationListener | None) -> list[str]:
    """Return the lines about logins: the same on every listener, as mosquitto 3 drops the setting for one."""
    if stations is None:
        return [f"listener {port} {LOOPBACK}", "allow_anonymous true"]
    lines = [f"listener {port} {LOOPBACK}"]
    if stations.address:
        lines.append(f"listener {stations.port} {stations.address}")
    if stations.certificate is not None and stations.key is not None:
        lines += [f"certfile {stations.certificate.absolute()}", f"keyfile {stations.key.absolute()}"]
    return [
        *lines,
        "allow_anonymous false",
        f"password_file {stations.credentials.passwords}",
        f"acl_file {stations.credentials.access}",
        f"pid_file {stations.credentials.pid_file}",
        f"max_packet_size {PACKET_BYTES_MAX}",
        "log_type notice",
    ]


def _address(connection: str) -> str:
    return connection.rpartition(":")[0]


def mosquitto_configuration(
    port: int, state_dir: Path, user: str | None, stations: StationListener | None = None
) -> str:
    """Return the text of mosquitto.conf.

    Retained messages are saved when the broker ends and now and then. Saving stops the broker for a moment, so it must
    not happen with every message; connected clients send their messages again to a restarted broker.
    """
    lines = [
        *_doors(port, stations),
        "set_tcp_nodelay true",
        "persistence true",
        f"persistence_location {state_dir}/",
        f"autosave_interval {SAVED_EVERY_S}",
        "max_inflight_messages 100",
        f"max_queued_messages {QUEUED_MAX}",
        "log_dest stderr",
        "log_type error",
        "log_type warning",
    ]
    if user is not None:
        lines.append(f"user {user}")
    if stations is not None and stations.bridge:
        lines.append(stations.bridge)  # last, because the following lines belong to it
    return "\n".join(lines) + "\n"


class _Mosquitto:
    """One mosquitto child, kept running."""

    def __init__(self, program: str, port: int, state_dir: Path, stations: StationListener | None = None) -> None:
        self._program = program
        self.port = port
        self._conf = state_dir / "mosquitto.conf"
        self._log = state_dir / "mosquitto.log"
        self._doors = [(LOOPBACK, port)]
        if stations is not None and stations.address:
            self._doors.append((_EVERYWHERE.get(stations.address, stations.address), stations.port))
        user = "root" if os.geteuid() == 0 else None
        self._conf.write_text(mosquitto_configuration(port, state_dir, user, stations))
        self._child: asyncio.subprocess.Process | None = None
        self._keeper: asyncio.Task[None] | None = None
        self._listener: asyncio.Task[None] | None = None
        self._turned_away = TurnedAway()
        self._idle = Idle()
        self._no_files_again_s = 0.0

    async def start(self) -> None:
        await self._launch()
        self._keeper = asyncio.create_task(self._keep_running(), name="mosquitto keeper")

    async def _launch(self) -> None:
        child = self._child = await asyncio.create_subprocess_exec(
            *dying_with_us(self._program, "-c", str(self._conf), many_files=True),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is for the hub, which says goodbye over this broker
        )
        self._log.unlink(missing_ok=True)
        self._listener = asyncio.create_task(self._listen(child), name="mosquitto's log")
        await self._answering(child)

    async def _listen(self, child: asyncio.subprocess.Process) -> None:
        """Keep mosquitto's log until it ends, and report stations that it refused."""
        if child.stderr is None:
            return
        knocked = b"somebody"
        written = 0
        async for line in child.stderr:
            if found := _KNOCKED.search(line):
                knocked = found[1]
                self._notice_idle(knocked.decode("ascii", "replace"))
            elif found := _LOGGED_IN.search(line):
                self._idle.logged_in(found[1].decode("ascii", "replace"))
            elif _REFUSED in line:
                self._report_refused(_address(knocked.decode("ascii", "replace")))
            elif _NO_FILES in line:
                self._report_no_files()
            written = len(line) if written > LOG_BYTES_MAX else written + len(line)
            with suppress(OSError), self._log.open("wb" if written == len(line) else "ab") as log:
                log.write(line)

    def turned_away(self) -> tuple[str, ...]:
        """Return the addresses that are refused."""
        return self._turned_away.trying(asyncio.get_running_loop().time())

    def _report_refused(self, address: str) -> None:
        if self._turned_away.heed(address, asyncio.get_running_loop().time()):
            _LOGGER.warning("the broker did not let %s in: wrong user or password; adopt that station again", address)

    def _notice_idle(self, connection: str) -> None:
        now_s = asyncio.get_running_loop().time()
        if self._idle.opened(connection, now_s) and self._turned_away.heed(address := _address(connection), now_s):
            _LOGGER.warning("%s opens connections at the broker and does not log in: stop the program there", address)

    def _report_no_files(self) -> None:
        now_s = asyncio.get_running_loop().time()
        if now_s >= self._no_files_again_s:
            self._no_files_again_s = now_s + AGAIN_S
            _LOGGER.warning(
                "the broker may open no more files, so no station can join: close what connects to it, or raise the "
                "limit (`ulimit -Hn`, or LimitNOFILE= in the systemd unit)"
            )

    async def _answering(self, child: asyncio.subprocess.Process) -> None:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + READY_S
        while child.returncode is None and loop.time() < deadline:
            with suppress(OSError):
                for host, port in self._doors:  # mosquitto opens one after the other
                    _, writer = await asyncio.open_connection(host, port)
                    writer.close()
                return
            await asyncio.sleep(0.005)
        if child.returncode is None:
            child.kill()
            await child.wait()
            raise BrokerUnavailable(f"mosquitto ({self._program}) did not answer on port {self.port}: see {self._log}")
        if self._listener is not None:
            await self._listener
        said = self._log.read_text(errors="replace").strip().splitlines()
        raise (PortTaken if _PORT_TAKEN in "".join(said) else BrokerUnavailable)(
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
        if child is not None and child.returncode is None:
            child.terminate()
            try:
                async with asyncio.timeout(ENDING_S):
                    await child.wait()
            except TimeoutError:
                child.kill()
                await child.wait()
        if self._listener is not None:
            await self._listener


@asynccontextmanager
async def running_mosquitto(
    program: str,
    port: int = 0,
    state_dir: Path | None = None,
    stations: StationListener | None = None,
    *,
    private: bool = False,
) -> AsyncIterator[Broker]:
    """Run mosquitto on the loopback, and for stations of a network.

    `state_dir` keeps its retained messages from one evening to the next. With `stations` that is the credentials'
    folder. A `private` one has a login made for this run, for the hub and its own processes only.
    """
    async with AsyncExitStack() as stack:
        if private and stations is None:
            scratch = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="citytable-broker-")))
            stations = StationListener("", 0, Credentials(scratch, "table"))
        if stations is not None:
            directory = _prepared(stations)
        elif state_dir is None:
            directory = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="citytable-broker-")))
        else:
            directory = _made(state_dir)
        child = await _started(stack, program, port, directory, stations)
        login = ("", "") if stations is None else (HUB_USER, stations.credentials.login(HUB_USER))
        notice = _OPEN if stations is None else ""
        yield Broker(LOOPBACK, child.port, "mosquitto", notice, *login, turned_away=child.turned_away)


async def _started(
    stack: AsyncExitStack, program: str, port: int, directory: Path, stations: StationListener | None
) -> _Mosquitto:
    """Start mosquitto, which stops with the stack. If any port will do, take another when the free one is lost."""
    tries = 1 if port else PORTS_TRIED
    while True:
        child = _Mosquitto(program, _bound(port), directory, stations)
        stack.push_async_callback(child.stop)
        try:
            await child.start()
        except PortTaken:
            tries -= 1
            if not tries:
                raise
        else:
            return child


def _prepared(stations: StationListener) -> Path:
    """Prepare the folder of credentials, and check that the stations' address is free."""
    if stations.address:
        _bound(stations.port, stations.address)
    directory = _made(stations.credentials.directory)
    try:
        stations.credentials.prepare()
    except OSError as error:
        raise BrokerUnavailable(f"the stations' logins in {directory} cannot be kept ({error.strerror})") from error
    return directory


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
    external: Broker | None = None,
    port: int = 0,
    state_dir: Path | None = None,
    kind: BrokerKind | None = None,
    stations: StationListener | None = None,
    private: bool = False,
) -> AsyncIterator[Broker]:
    """Run a broker while inside; raises `BrokerUnavailable`.

    `external` is one that somebody else runs; otherwise mosquitto is started, or the embedded broker if mosquitto is
    missing (`kind` insists on one of the two). `port` 0 takes any free port. `stations` is where stations of a network
    connect; a `private` mosquitto is for the hub and its own processes, and needs a login made for this run.
    """
    if external is not None:
        yield external
        return
    program = None if kind == "embedded" else find_mosquitto()
    if program is not None:
        async with running_mosquitto(program, port, state_dir, stations, private=private) as broker:
            yield broker
        return
    if stations is not None:
        raise BrokerUnavailable("stations of a network need mosquitto: sudo apt-get install mosquitto")
    if kind == "mosquitto" or not embedded.is_installed():
        raise BrokerUnavailable(f"no MQTT broker is installed: {_INSTALL}")
    free = _bound(port)
    async with embedded.running_embedded(free):
        yield Broker(
            LOOPBACK,
            free,
            "embedded",
            notice="mosquitto is not installed: using the embedded broker (amqtt), for demonstrations only; "
            "it asks nobody for a login, so any program on this computer can speak as a station",
        )
