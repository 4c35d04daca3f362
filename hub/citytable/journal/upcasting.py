"""Upcasting: reads the bodies of older entry versions as bodies of today's version.

An entry is written once, in the version of the program that wrote it, and stays on disk byte for byte. When it is read,
its checksum is compared first; then the functions below convert its body one version at a time. Each of them is pure:
it gets the JSON object of one version and returns that of the next. It never changes its argument and returns the same
object if there is no difference.

To add a version: raise `VERSION` here, add a function for the previous version to `UPCASTERS`, raise `USER_VERSION` in
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
    """An entry was written by a newer program. The text names its version of entries."""


def _flat(body: JsonObject, field: str) -> JsonObject:
    """Return a message whose content version 1 put under `field`; a statement repeated the entry's time there."""
    content = body.get(field)
    if not isinstance(content, dict):
        return body  # not a body of version 1: the decoder will name the error
    return {"type": body["type"], **{key: value for key, value in content.items() if key != "t_us"}}


def _of_seat(body: JsonObject, tag: str) -> JsonObject:
    """Return a message that names its seat as the speaker; seat 0 was the host."""
    seat = body.get("seat")
    rest = {key: value for key, value in body.items() if key not in {"type", "seat"}}
    return {"type": tag, "by": f"seat {seat}" if seat else "host", **rest}


_FROM_1: Mapping[str, Upcaster] = MappingProxyType(
    {
        "answer": lambda body: _flat(body, "answer"),
        "statement": lambda body: _flat(body, "statement"),
        "vouch": lambda body: {**body, "type": "approval"},
        "undo_wish": lambda body: _of_seat(body, "undo_requested"),
        "undo_word": lambda body: _of_seat(body, "undo_replied"),
        "clearing": lambda body: {**body, "type": "clear_up", "do": "begin"},
        "cleared": lambda body: {**body, "type": "clear_up", "do": "close"},
    }
)


def from_version_1(body: JsonObject) -> JsonObject:
    """Return a body of version 2 for one of version 1.

    Version 2 keeps messages of people as they were sent (`table/word.py`), and holds every option of a game in
    `game_started`. Version 1 left out options at their default. Only the game knows those defaults; it keeps them for
    ever (`games/megacity/old_options.py`) and fills them in when it is started.
    """
    upcast = _FROM_1.get(body.get("type", ""))
    return body if upcast is None else upcast(body)


UPCASTERS: Mapping[int, Upcaster] = MappingProxyType({1: from_version_1})
"""By version: how a body of it becomes one of the next version."""


def brought_up(body: JsonObject, version: int) -> JsonObject:
    """Return the body of today's version for one of `version`; raises `NewerVersion` for an unknown one."""
    if version != VERSION and version not in UPCASTERS:
        raise NewerVersion(f"has version {version!r}, this program reads up to {VERSION}: update citytable")
    for step in range(version, VERSION):
        body = UPCASTERS[step](body)
    return body
