"""The toy games, which nothing in the hub, the virtual table or the screens knows."""

from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="session")
def twelve(load_file) -> ModuleType:
    """Twelve cards, two players, points."""
    return load_file("twelve", Path(__file__).with_name("twelve.py"))


@pytest.fixture(scope="session")
def flood(load_file) -> ModuleType:
    """Sandbags, a die, one player or several, no points, and a defeat."""
    return load_file("flood", Path(__file__).with_name("flood.py"))
