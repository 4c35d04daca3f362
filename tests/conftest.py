"""What holds for every test: who may run beside whom, tools that are missing, and warnings in the log."""

import asyncio
import gc
import importlib.util
import itertools
import logging
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling
from xdist.workermanage import WorkerController

from citytable.link.broker import Broker
from citytable.sensing.features import NAMES

# how long an example takes says how busy the machine is
PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("sample", PATIENT, max_examples=25, derandomize=True)
settings.register_profile("soak", PATIENT, max_examples=1000, derandomize=False, print_blob=True)  # CI or not
settings.load_profile("sample")

ROOT = Path(__file__).resolve().parents[1]
SYSTEM_PATH = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/local/sbin", "/usr/sbin"])
SCREENS = ROOT / "hub/citytable/views/static/index.html"
CHROMIUMS = ("chromium-headless-shell", "chromium")  # the one without windows does the same with half the work


def _missing_for_broker() -> list[str]:
    return [] if shutil.which("mosquitto", path=SYSTEM_PATH) else ["mosquitto"]


def _chromium() -> str | None:
    return next((found for name in CHROMIUMS if (found := shutil.which(name, path=SYSTEM_PATH))), None)


def _missing_for_browser() -> list[str]:
    missing = [] if _chromium() else ["chromium"]
    return missing if SCREENS.exists() else [*missing, "the built screens (make setup)"]


def _missing_for_home_assistant() -> list[str]:
    made = ROOT / "tests/home_assistant/.venv/bin/hass"
    return _missing_for_broker() + ([] if made.exists() else ["a Home Assistant core (tools/setup.sh home-assistant)"])


def _missing_for_graphviz() -> list[str]:
    return [] if shutil.which("dot", path=SYSTEM_PATH) else ["graphviz"]


def _missing_for_nats() -> list[str]:
    return [name for name in ("nats-server", "mosquitto") if shutil.which(name, path=SYSTEM_PATH) is None]


def _missing_for_obs() -> list[str]:
    return [name for name in ("obs", "Xvfb") if shutil.which(name, path=SYSTEM_PATH) is None]


def _missing_for_postgresql() -> list[str]:
    return [] if any(Path("/usr/lib/postgresql").glob("*/bin/initdb")) else ["postgresql"]


NOT_OURS = {"node_modules", "__pycache__", "var", "static", "dist"}


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository."""
    return ROOT


@pytest.fixture(scope="session")
def chromium() -> dict[str, Any]:
    """What playwright is to start as Chromium: the system's own; root has no sandbox, and it would refuse to start."""
    return {"executable_path": _chromium(), "args": [] if os.geteuid() else ["--no-sandbox"]}


@pytest.fixture(scope="session")
def load_file() -> Iterator[Callable[[str, Path], ModuleType]]:
    """Loads a file as a module of this name; no other file of the tests imports it."""
    loaded: set[str] = set()

    def load(name: str, path: Path) -> ModuleType:
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module  # its dataclasses and structs look themselves up there
        loaded.add(name)
        spec.loader.exec_module(module)
        return module

    yield load
    for name in loaded:
        del sys.modules[name]


@pytest.fixture(scope="session")
def load_tool(root: Path, load_file: Callable[[str, Path], ModuleType]) -> Callable[[str], ModuleType]:
    """Loads a script of `tools/`, by its name, as a module of its own."""
    if str(root / "tools") not in sys.path:
        sys.path.append(str(root / "tools"))  # as Python does for a script: tools import each other
    return lambda name: load_file(name, root / f"tools/{name}.py")


@pytest.fixture(scope="session")
def sources() -> tuple[Path, ...]:
    """Every file of the repository that a person or one of our tools wrote, as a path from its root."""
    found: list[Path] = []
    for folder, folders, files in os.walk(ROOT):
        folders[:] = [name for name in folders if name not in NOT_OURS and (not name.startswith(".") or name == ".ci")]
        found += [(Path(folder) / name).relative_to(ROOT) for name in files if name != ".git"]  # of a worktree
    return tuple(sorted(found))


class Relay:
    """Stands between a client and a broker. It can hold what is said, garble it, or cut the connections."""

    def __init__(self, to: Broker) -> None:
        self._to = to
        self._writers: list[asyncio.StreamWriter] = []
        self._serving: list[asyncio.Task[None]] = []
        self._flows = asyncio.Event()
        self._flows.set()
        self._nonsense = {"there": b"", "back": b""}
        self.connections = 0

    async def start(self) -> Broker:
        """Return the broker as its clients are to find it."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return Broker("127.0.0.1", self._server.sockets[0].getsockname()[1], "external")

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        if (task := asyncio.current_task()) is not None:
            self._serving.append(task)
        self._writers.append(writer)
        try:
            far_reader, far_writer = await asyncio.open_connection(self._to.host, self._to.port)
        except OSError:
            writer.close()
            return
        self._writers.append(far_writer)
        if not self._server.is_serving():
            self.cut()
        await asyncio.gather(self._pump(reader, far_writer, "there"), self._pump(far_reader, writer, "back"))

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, way: str) -> None:
        with suppress(OSError):
            while piece := await reader.read(4096):
                await self._flows.wait()
                said, self._nonsense[way] = self._nonsense[way], b""
                writer.write(said + piece)
        writer.close()

    def freeze(self) -> None:
        """From now on nothing comes through, and nobody hangs up."""
        self._flows.clear()

    def thaw(self) -> None:
        """What was held comes through, and what follows."""
        self._flows.set()

    def garble(self, way: str, raw: bytes) -> None:
        """Say this before the next piece that goes `there`, to the broker, or `back`."""
        self._nonsense[way] = raw

    def cut(self) -> None:
        """Hang up on everybody who is connected."""
        for writer in self._writers:
            writer.close()
        self._writers.clear()

    async def stop(self) -> None:
        """Hang up on everybody, whatever is still to be sent, and wait until that is done."""
        self.thaw()  # what still holds a piece would wait for ever
        self._server.close()
        for _ in range(3):
            await asyncio.sleep(0)  # who knocked last is still being let in: accepted, connected, served
        for writer in self._writers:
            writer.transport.abort()
        await asyncio.gather(*self._serving, return_exceptions=True)
        await asyncio.sleep(0)  # a socket is closed after what ends its transport


@pytest.fixture(scope="session")
def relay_to() -> type[Relay]:
    """Stands between a client and the broker it is given."""
    return Relay


@pytest.fixture(scope="session", autouse=True)
def _data_of_its_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let nothing be kept in the home of the person who runs the tests, and no two workers keep it together."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        yield


GARBAGE_AT = 50_000  # new objects; looking for garbage after each 700 is a twentieth of the work
PORTS = range(20_000, 32_000)  # below those that the system hands out by itself, or a connection takes one meanwhile
PORTS_A_WORKER = 1_000


@pytest.fixture(scope="session")
def new_port(worker_id: str) -> Callable[[], int]:
    """Return a TCP port that is free and that no other worker of pytest-xdist gives out, a new one at each call."""
    worker = int(worker_id.removeprefix("gw")) if worker_id.startswith("gw") else 0
    slices = len(PORTS) // PORTS_A_WORKER
    ports = list(PORTS[worker % slices * PORTS_A_WORKER :][:PORTS_A_WORKER])
    random.SystemRandom().shuffle(ports)  # somebody else's run on this machine begins elsewhere

    def new() -> int:
        while ports:
            port = ports.pop()
            with socket.socket() as probe, suppress(OSError):
                probe.bind(("127.0.0.1", port))
                return port
        pytest.fail(f"this worker has used up its {PORTS_A_WORKER} ports")

    return new


@pytest.fixture
def free_port(new_port: Callable[[], int]) -> int:
    """Return a TCP port that is free."""
    return new_port()


def _scope(nodeid: str) -> str:
    """Return whose tests this one shares what they set up with: those of its file, or of a folder in `TOGETHER`."""
    path = nodeid.partition("::")[0]
    return next((folder for folder in TOGETHER if folder in path), path)


class ByFile(LoadScopeScheduling):
    """Give each file of tests to one worker, which makes what the file shares once; what `TOGETHER` names likewise."""

    def _split_scope(self, nodeid: str) -> str:
        return _scope(nodeid)

    def remove_node(self, node: WorkerController) -> str | None:
        """Share out what a worker that ended had left; return the test that ended it, which nobody runs again."""
        work = self.assigned_work.pop(node)
        left = [(tests, name) for tests in work.values() for name, is_done in tests.items() if not is_done]
        if not left:
            return None
        tests, ended_by = left[0]
        tests[ended_by] = True
        self.workqueue.update({scope: tests for scope, tests in work.items() if not all(tests.values())})
        for other in self.assigned_work:
            self._reschedule(other)
        return ended_by


TOGETHER = ("tests/home_assistant/",)  # one core for all its files
TURNS = 10  # CI plays a tenth of the tests marked `long`
WAITING = ("home_assistant", "docs", "micropython", "system", "app", "doctor", "house", "hardware")
"""Rooms whose tests wait for other processes much of their time, those with the longest files first."""
BUSY = ("rehearsal", "umpire", "browser", "twin", "lab")
"""Rooms that keep a core busy, likewise; all others follow."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Return two workers more than there are cores: many tests wait for a browser, a broker or another process."""
    return (os.cpu_count() or 1) + 2


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> ByFile:
    """Share the tests out by files, in the order in which they are collected, whatever `--dist` says.

    `--dist loadgroup` of pytest-xdist 3.8 does nothing beside pytest 9.2.
    """
    config.option.loadscopereorder = False
    return ByFile(config, log)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add --soak and --long."""
    what = "search long, and with other seeds for each SEED: what `make soak-tests` does"
    parser.addoption("--soak", type=int, metavar="SEED", default=None, help=what)
    turns = [*map(str, range(1, TURNS + 1))]
    what = f"of the files marked `long`, run one of {TURNS} shares, or the share whose turn it is at this commit"
    parser.addoption("--long", choices=["all", "turn", *turns], default="all", help=what)


@pytest.hookimpl(tryfirst=True)  # hypothesis reads its option in the same hook
def pytest_configure(config: pytest.Config) -> None:
    """Describe our markers, and make a soak of the run where one is asked for."""
    gc.set_threshold(GARBAGE_AT)
    config.addinivalue_line("markers", "soak: takes long; only `make soak-tests` runs it")
    config.addinivalue_line("markers", "long(s): its file keeps a core busy for about that long; CI runs it by turns")
    config.addinivalue_line("markers", "seeds(names, sample, soak): like parametrize, and `soak` fresh seeds in a soak")
    if (seed := config.getoption("soak")) is not None:
        settings.load_profile("soak")
        config.option.hypothesis_seed = seed
    if config.getoption("long") == "turn":
        config.option.long = _turn_of_this_commit()  # the workers of pytest-xdist are told it


def _turn_of_this_commit() -> str:
    """The same whenever this commit is tested; the first without git, as in an unpacked archive."""
    asked = ["git", "-C", str(ROOT), "rev-parse", "HEAD"]
    try:
        commit = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return "1"
    return str(1 + int(commit, base=16) % TURNS)


def pytest_report_header(config: pytest.Config) -> list[str]:
    """Print what runs the same soak or the same share of the long tests again."""
    seed, turn = config.getoption("soak"), config.getoption("long")
    told = [] if seed is None else [f"soak: {seed} is the seed; make soak-tests SEED={seed} runs it again"]
    return told if turn == "all" else [*told, f"long tests: share {turn} of {TURNS}; make test runs all of them"]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give a test marked `seeds` its fixed sample, and in a soak the same again with fresh seeds, `soak` of them."""
    if (marker := metafunc.definition.get_closest_marker("seeds")) is None:
        return
    names, sample = marker.args
    cases, soak = list(sample), metafunc.config.getoption("soak")
    if soak is not None:
        lots = random.Random(f"{soak} {metafunc.definition.nodeid}")
        at = names.split(", ").index("seed")
        for case in itertools.islice(itertools.cycle(sample), marker.kwargs["soak"]):
            plain = getattr(case, "values", case)  # of a pytest.param
            values = list(plain) if isinstance(plain, Sequence) else [plain]
            values[at] = lots.randrange(10**6)
            cases.append(tuple(values) if len(values) > 1 else values[0])
    metafunc.parametrize(names, cases)


def _searches(item: pytest.Item) -> bool:
    """Whether a test finds more when it may search for longer."""
    is_marked = any(item.get_closest_marker(name) for name in ("soak", "seeds"))
    return is_marked or getattr(getattr(item, "obj", None), "is_hypothesis_test", False)


def _chosen(items: list[pytest.Item], config: pytest.Config) -> list[pytest.Item]:
    """The tests of this run: those that search, in a soak; otherwise all but those that are for a soak alone."""
    if config.getoption("soak") is not None:
        return [item for item in items if _searches(item)]
    usual = [item for item in items if not item.get_closest_marker("soak")]
    if (turn := config.getoption("long")) == "all":
        return usual
    mine = _shares_of_long_tests(usual)[int(turn) - 1]
    return [item for item in usual if not item.get_closest_marker("long") or _scope(item.nodeid) in mine]


def _shares_of_long_tests(items: Iterable[pytest.Item]) -> list[set[str]]:
    """Share out what is marked `long`, so that each share takes about as long: the longest first, to the lightest."""
    files = {(_scope(item.nodeid), item.path): mark for item in items if (mark := item.get_closest_marker("long"))}
    takes_s: dict[str, float] = {}
    for (name, _), mark in files.items():
        takes_s[name] = takes_s.get(name, 0) + mark.args[0]
    shares: list[set[str]] = [set() for _ in range(TURNS)]
    for name in sorted(takes_s, key=lambda name: (-takes_s[name], name)):
        min(shares, key=lambda share: sum(takes_s[one] for one in share)).add(name)
    return shares


def _woven(items: list[pytest.Item]) -> list[pytest.Item]:
    """Return the tests of a room that waits and of one that computes in turn, file by file, so that no core rests."""
    files: dict[Path, list[pytest.Item]] = {}
    for item in items:
        files.setdefault(item.path, []).append(item)

    def rank(path: Path, rooms: Sequence[str]) -> int:
        return min((k for k, room in enumerate(rooms) if room in path.parts), default=len(rooms))

    waits = {path: at for path in files if (at := rank(path, WAITING)) < len(WAITING)}
    waiting = sorted(waits, key=lambda path: waits[path])
    busy = sorted(files.keys() - waits.keys(), key=lambda path: (rank(path, BUSY), path))
    order = itertools.chain.from_iterable(itertools.zip_longest(waiting, busy))
    return [item for path in order if path is not None for item in files[path]]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is for another kind of run, and begin with the files that take longest."""
    chosen = _chosen(items, config)
    left_out = set(items) - set(chosen)
    config.hook.pytest_deselected(items=[item for item in items if item in left_out])
    items[:] = _woven(chosen)


@contextmanager
def _limiting_each_wait(config: pytest.Config) -> Iterator[None]:
    """Let an alarm ring again and again: pytest-timeout's rings once for a test, and each of its fixtures may wait."""
    asked = config.getoption("timeout")
    limit_s = float((config.getini("timeout") if asked is None else asked) or 0)

    def give_up(*_: object) -> None:
        pytest.fail(f"what a fixture does after the test took more than {limit_s} s")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, limit_s, limit_s)  # 0: none
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None, object, object]:
    """After the last test of a file: throw its garbage away, and spare the collector whatever lives on.

    That is thousands of tests and all modules: looking through them again and again took a seventh of the time.
    """
    with _limiting_each_wait(item.config):
        outcome = yield
    if nextitem is None or nextitem.path != item.path:
        gc.collect()
        gc.freeze()
    return outcome


NEEDS = {
    "broker": _missing_for_broker,
    "browser": _missing_for_browser,
    "graphviz": _missing_for_graphviz,
    "home_assistant": _missing_for_home_assistant,
    "nats": _missing_for_nats,
    "obs": _missing_for_obs,
    "postgresql": _missing_for_postgresql,
}


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test whose tool is missing; in CI (environment variable `CI`) it fails instead."""
    for marker, missing in NEEDS.items():
        if item.get_closest_marker(marker) is None or not (what := missing()):
            continue
        reason = f"{' and '.join(what)} missing on this machine"
        if os.environ.get("CI"):
            pytest.fail(f"{reason}, and in CI no test may be skipped", pytrace=False)
        pytest.skip(reason)


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say as the last thing, in capitals, what was not tested."""
    skipped = terminalreporter.stats.get("skipped", [])
    if not skipped:
        return
    terminalreporter.write_sep("!", f"{len(skipped)} TESTS DID NOT RUN", yellow=True, bold=True)
    reasons = sorted({str(report.longrepr[2]) if report.longrepr else "" for report in skipped})
    for reason in reasons:
        terminalreporter.write_line(reason)


class _Warnings(logging.Handler):
    """Keeps what citytable's loggers say at WARNING and above."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"{record.levelname} {record.name}: {record.getMessage()}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """A warning in citytable's log fails the test, unless the test takes `caplog` and so has asked to see it."""
    warnings, logger = _Warnings(), logging.getLogger("citytable")
    logger.addHandler(warnings)
    try:
        outcome = yield
    finally:
        logger.removeHandler(warnings)
    if warnings.lines and "caplog" not in getattr(item, "fixturenames", ()):
        pytest.fail("warnings in the log (take caplog to expect them):\n" + "\n".join(warnings.lines), pytrace=False)
    return outcome


class _Keen:
    """Stands in for the trees: takes every loss for a likely fall as long as something is left.

    Not for a certain one: the evidence for that comes together sooner than a screen is told of the suspicion.
    """

    def chance(self, x: list[float]) -> float:
        lost = x[NAMES.index("d16")] < -1.0 and x[NAMES.index("share")] > 0.3
        return 0.9 if lost else 0.0


@pytest.fixture
def every_loss_is_a_fall(monkeypatch):
    """For tests of what becomes of a fall: how light a tower the trees hear fall is the lab's business."""
    monkeypatch.setattr("citytable.sensing.fall.fall_forest", _Keen)
    monkeypatch.setattr("citytable.sensing.fall.heard_forest", _Keen)
