"""Prepares a game to be passed on: everything except the property of the owner of the copy in play.

The owner's cards are in a deck, which `decks.shareable` keeps back. Their tags are in many entries of a game, wherever
something was read: each gets a stand-in here. A game with stand-ins replays the same.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from citytable.journal.entry import Entry, checked_entry, checksum, stored_row


def without_tags(game_id: str, entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """Return the entries with a stand-in for each tag's UID, the same throughout the game and in the same order."""
    rows = [stored_row(game_id, entry) for entry in entries]
    bodies = [msgspec.json.decode(row.body) for row in rows]
    stand_ins = _stand_ins(bodies)
    if not stand_ins:
        return tuple(entries)
    found = re.compile(r"(?<![0-9a-z])(" + "|".join(map(re.escape, stand_ins)) + r")(?![0-9a-z])", re.IGNORECASE)
    shared = []
    for row, body in zip(rows, bodies, strict=True):
        text = msgspec.json.encode(_renamed(body, found, stand_ins)).decode()
        written = replace(row, body=text)
        shared.append(checked_entry(game_id, replace(written, crc=checksum(game_id, written)), row.seq))
    return tuple(shared)


def _stand_ins(bodies: Sequence[Any]) -> dict[str, str]:
    """Return a number with the digits of an NTAG's UID for each, by the UID in lower case; both sort alike."""
    uids = sorted({uid.lower() for body in bodies for uid in _uids(body)})
    return {uid: f"{number:014x}" for number, uid in enumerate(uids, start=1)}


def _uids(value: Any) -> Iterator[str]:
    """Yield the UIDs in a body: fields of that name, and the tags of a plan."""
    if isinstance(value, Mapping):
        for name, inner in value.items():
            if name == "uid":
                yield inner
            elif name == "tags" and isinstance(inner, Mapping):
                yield from inner
            else:
                yield from _uids(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _uids(inner)


def _renamed(value: Any, found: re.Pattern[str], stand_ins: Mapping[str, str]) -> Any:
    """Return JSON with the stand-ins in every string: an unknown tag also appears as `?` and its UID in questions."""
    match value:
        case str():
            return found.sub(lambda uid: stand_ins[uid[0].lower()], value)
        case dict():
            return {_renamed(name, found, stand_ins): _renamed(one, found, stand_ins) for name, one in value.items()}
        case list():
            return [_renamed(one, found, stand_ins) for one in value]
        case _:
            return value
