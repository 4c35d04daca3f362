"""Upcasting: read the bodies of older entry versions as bodies of today's version.

An entry is written once, in the version of the program that wrote it, and stays on its medium byte for byte. When it
is read, its checksum is compared first; then its body is brought up one version at a time by the functions below. Each
of them is pure: it gets the JSON object of one version and returns that of the next. It never changes what it was given
and returns the same object where nothing is different.

A new version: raise `VERSION` here, write what its bodies looked like before into `UPCASTERS`, raise `USER_VERSION` in
`store.py` so that an older program leaves the database alone, and write a golden database (`tests/journal/golden`).
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

VERSION = 2
"""The version of the bodies that this program writes."""

JsonObject: TypeAlias = dict[str, Any]
Upcaster: TypeAlias = Callable[[JsonObject], JsonObject]


class NewerVersion(ValueError):
    """An entry was written by a newer program. The text says by which version of entries."""


def options_in_full(body: JsonObject) -> JsonObject:
    """Read a body of version 1 as one of version 2, in which `game_started` holds every option of its game.

    Version 1 left out options at their default. What those defaults were only the game knows, which keeps them for
    ever (`games/megacity/old_options.py`) and fills them in when it is started. So nothing is to be changed here.
    """
    return body


UPCASTERS: Mapping[int, Upcaster] = MappingProxyType({1: options_in_full})
"""By version: how a body of it becomes one of the next version."""


def brought_up(body: JsonObject, version: int) -> JsonObject:
    """Return the body of today's version for one of `version`; raises `NewerVersion` for an unknown one."""
    if version != VERSION and version not in UPCASTERS:
        raise NewerVersion(f"has version {version!r}, this program reads up to {VERSION}: update citytable")
    for step in range(version, VERSION):
        body = UPCASTERS[step](body)
    return body
