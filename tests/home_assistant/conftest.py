"""Tables as Home Assistant sees them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from citytable.table.plan import CellPlan, Plan, SpotPlan, StationPlan, full_plan
from citytable.views.state import View
from citytable.views.viewer import PUBLIC, Seen, seen_by

HERE = Path(__file__).parent
COLUMNS = ("public", "industrial", "commercial", "residential")


@pytest.fixture(scope="session")
def plan() -> Plan:
    """A full table for three."""
    return full_plan("salon", 3, COLUMNS, ())


@pytest.fixture(scope="session")
def small_plan() -> Plan:
    """Central Park with a cell, a hex without one, and a seat."""
    cell = CellPlan(counts_per_g=1803.0, zero_counts=0, capacity_g=1000)
    park = StationPlan("park", "park", (SpotPlan("city/0/0", (cell,), ring_leds=12), SpotPlan("city/1/-1")))
    return Plan("salon", 1, (park, StationPlan("seat-1", "seat", (SpotPlan("seat/1/pad/0", (cell,)),), 1)), {})


@pytest.fixture(scope="session")
def midgame(root: Path) -> View:
    """A game of three, under way."""
    return msgspec.json.decode((root / "tests/views/recorded/midgame.json").read_bytes(), type=View)


@pytest.fixture(scope="session")
def seen() -> Callable[[View], Seen]:
    """What the public sees of a view."""
    return lambda view: seen_by(PUBLIC, view)


@pytest.fixture(scope="session")
def golden() -> Callable[[str, dict[str, bytes]], None]:
    """`golden(name, messages)`: they are what the file has. A wanted change is made by writing the file anew."""

    def compare(name: str, messages: dict[str, bytes]) -> None:
        told: dict[str, Any] = {topic: json.loads(payload) for topic, payload in messages.items()}
        file = HERE / "golden" / name
        assert told == json.loads(file.read_text()), f"{file} has something else"

    return compare
