"""The tools of `tools/` as modules, and the pin plans."""

from importlib import import_module

import pytest

from citytable.doctor.parts import read_parts
from citytable.games.megacity.spots import shared_spots
from citytable.table.plan import full_plan
from tablestation.boards.pins import KINDS


@pytest.fixture(scope="module")
def stations(load_tool):
    """tools/stations.py."""
    return load_tool("stations")


@pytest.fixture(scope="module")
def carriers(load_tool):
    """tools/carriers.py."""
    return load_tool("carriers")


@pytest.fixture(scope="module")
def power(load_tool):
    """tools/power.py."""
    return load_tool("power")


@pytest.fixture(scope="session")
def parts(root):
    """The parts list, by name."""
    return {part.name: part for part in read_parts(root / "hardware/bom.csv")}


@pytest.fixture(scope="module")
def hil(load_tool):
    """tools/hil.py."""
    return load_tool("hil")


@pytest.fixture(scope="module")
def steps(load_tool):
    """tools/steps.py."""
    return load_tool("steps")


@pytest.fixture(scope="module")
def carrier_picture(load_tool):
    """tools/carrier_picture.py."""
    return load_tool("carrier_picture")


@pytest.fixture(scope="module")
def day(load_tool):
    """tools/first_bench_day.py."""
    return load_tool("first_bench_day")


@pytest.fixture(params=KINDS)
def kind(request):
    """Every kind of station."""
    return request.param


@pytest.fixture
def pins(kind):
    """The pin plan of a kind."""
    return import_module(f"tablestation.boards.pins.{kind}").PINS


@pytest.fixture(scope="session")
def full_table_of():
    """`full_table_of(seats)`: the plan of a table that senses everything."""
    return lambda seats: full_plan("table", seats, shared_spots(), ())


@pytest.fixture(scope="session")
def full_table(full_table_of):
    """The plan of such a table with four seats."""
    return full_table_of(4)
