"""The toy game, which nothing in the hub, the virtual table or the screens knows."""

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="session")
def twelve() -> Iterator[ModuleType]:
    """The module `twelve.py` beside this file."""
    spec = importlib.util.spec_from_file_location("twelve", Path(__file__).with_name("twelve.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["twelve"] = module  # its structs look themselves up there
    spec.loader.exec_module(module)
    yield module
    del sys.modules["twelve"]
