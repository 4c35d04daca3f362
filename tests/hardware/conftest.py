"""The tools of `tools/` as modules, and the pin plans."""

import importlib.util
import sys
from importlib import import_module

import pytest

from citytable.games.megacity.position import TYPES
from citytable.table.plan import full_plan
from tablestation.boards.pins import KINDS


def _tool(root, name):
    spec = importlib.util.spec_from_file_location(name, root / f"tools/{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def stations(root):
    """tools/stations.py."""
    yield _tool(root, "stations")
    del sys.modules["stations"]


@pytest.fixture(scope="module")
def hil(root):
    """tools/hil.py."""
    yield _tool(root, "hil")
    del sys.modules["hil"]


@pytest.fixture(params=KINDS)
def kind(request):
    """Every kind of station."""
    return request.param


@pytest.fixture
def pins(kind):
    """The pin plan of a kind."""
    return import_module(f"tablestation.boards.pins.{kind}").PINS


@pytest.fixture(scope="session")
def full_table():
    """The plan of a table that senses everything, with four seats."""
    return full_plan("table", 4, TYPES, ())
