"""The tools of `tools/` as modules, and the pin plans."""

from importlib import import_module

import pytest

from citytable.games.megacity.spots import shared_spots
from citytable.table.plan import full_plan
from tablestation.boards.pins import KINDS


@pytest.fixture(scope="module")
def stations(load_tool):
    """tools/stations.py."""
    return load_tool("stations")


@pytest.fixture(scope="module")
def hil(load_tool):
    """tools/hil.py."""
    return load_tool("hil")


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
    return full_plan("table", 4, shared_spots(), ())
