"""The toy games, which nothing in the hub, the virtual table or the screens knows."""

import importlib.util
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

import pytest


@contextmanager
def _toy(name: str) -> Iterator[ModuleType]:
    """The module of this name beside this file."""
    spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name(f"{name}.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # its structs look themselves up there
    spec.loader.exec_module(module)
    yield module
    del sys.modules[name]


@pytest.fixture(scope="session")
def twelve() -> Iterator[ModuleType]:
    """Twelve cards, two players, points."""
    with _toy("twelve") as module:
        yield module


@pytest.fixture(scope="session")
def flood() -> Iterator[ModuleType]:
    """Sandbags, a die, one player or several, no points, and a defeat."""
    with _toy("flood") as module:
        yield module
