"""Boards in memory: flash whose power can be cut, bundles small enough to cut at every byte."""

import hashlib
from collections.abc import Callable

import pytest

from tablestation.care.store import Files
from tabletwin.flash import Flash


def made_bundle(files: dict[str, bytes], wire: int = 1, firmware: str = "0.2.0") -> bytes:
    """A bundle, written by hand: the builder of the hub must come to the same."""
    lines = "".join(f"{hashlib.sha256(data).hexdigest()} {len(data)} {path}\n" for path, data in sorted(files.items()))
    head = f"citytable-bundle 1 {wire} {firmware} {len(files)}\n"
    return (head + lines).encode() + b"".join(data for _, data in sorted(files.items()))


@pytest.fixture(scope="session")
def bundle_of() -> Callable[..., bytes]:
    return made_bundle


@pytest.fixture
def flash() -> Flash:
    return Flash()


@pytest.fixture
def files(flash) -> Files:
    return Files(flash, flash.open)
