"""What holds for every test: tools that are missing are said aloud, and warnings in the log are not ignored."""

import importlib.util
import logging
import os
import shutil
import sys
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import HealthCheck, settings

from citytable.sensing.features import NAMES

# how long an example takes says how busy the machine is
settings.register_profile("ours", settings(), deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("ours")

ROOT = Path(__file__).resolve().parents[1]
SYSTEM_PATH = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/local/sbin", "/usr/sbin"])
SCREENS = ROOT / "hub/citytable/views/static/index.html"


def _missing_for_broker() -> list[str]:
    return [] if shutil.which("mosquitto", path=SYSTEM_PATH) else ["mosquitto"]


def _missing_for_browser() -> list[str]:
    missing = [] if shutil.which("chromium", path=SYSTEM_PATH) else ["chromium"]
    return missing if SCREENS.exists() else [*missing, "the built screens (make setup)"]


def _missing_for_home_assistant() -> list[str]:
    made = ROOT / "tests/home_assistant/.venv/bin/hass"
    return _missing_for_broker() + ([] if made.exists() else ["a Home Assistant core (tools/setup.sh home-assistant)"])


NOT_OURS = {"node_modules", "__pycache__", "var", "static", "dist"}


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository."""
    return ROOT


@pytest.fixture(scope="session")
def load_tool(root: Path) -> Iterator[Callable[[str], ModuleType]]:
    """Loads a script of `tools/`, by its name, as a module of its own."""
    loaded: set[str] = set()

    def load(name: str) -> ModuleType:
        spec = importlib.util.spec_from_file_location(name, root / f"tools/{name}.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module  # its dataclasses look themselves up there
        loaded.add(name)
        spec.loader.exec_module(module)
        return module

    yield load
    for name in loaded:
        del sys.modules[name]


@pytest.fixture(scope="session")
def sources() -> tuple[Path, ...]:
    """Every file of the repository that a person or one of our tools wrote, as a path from its root."""
    found: list[Path] = []
    for folder, folders, files in os.walk(ROOT):
        folders[:] = [name for name in folders if name not in NOT_OURS and (not name.startswith(".") or name == ".ci")]
        found += [(Path(folder) / name).relative_to(ROOT) for name in files]
    return tuple(sorted(found))


NEEDS = {"broker": _missing_for_broker, "browser": _missing_for_browser, "home_assistant": _missing_for_home_assistant}


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
