"""A box file holds one owner's copy of a game, by its name: the values of its things, and their tags.

It belongs to the owner and is in the folder `boxes` of their data. Tables and reports do not contain it.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from threading import Lock
from typing import Any, Literal

import msgspec

from citytable.games import NAMES, box_of
from citytable.link.credentials import data_directory
from citytable.session.box import Box
from citytable.session.copy import Check
from citytable.session.enters import Entering, Enters
from citytable.table.plan import Misconfigured, foreign_thing
from citytable.table.question import FieldValue
from citytable.views.whole_file import write_whole

_NAME = re.compile(r"[A-Za-z0-9-]{1,32}")
_ENDING = ".box.json"


class BoxFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The contents of a box file. `values` are those of a deck file of the game, `tags` as in a plan."""

    citytable_box: Literal[1]
    name: str
    game: str
    values: dict[str, Any]
    tags: dict[str, str] = {}

    def box(self) -> Box[Any, Any]:
        """Return the game with these values; raises `Misconfigured`."""
        house: Box[Any, Any] = box_of(self.game)
        return house.with_deck_text(json.dumps(self.values), f"box {self.name}")


def boxes_folder() -> Path:
    """Return the folder of the boxes of this computer's user."""
    return data_directory() / "boxes"


def path_of(name: str, folder: Path | None = None) -> Path:
    """Return the path of a box; raises `Misconfigured` for an invalid name."""
    if not _NAME.fullmatch(name):
        raise Misconfigured(f"{name!r} is no name of a box: use 1-32 letters, digits or dashes")
    return (folder or boxes_folder()) / f"{name}{_ENDING}"


def load_box(path: Path) -> BoxFile:
    """Read a box file; raises `Misconfigured`."""
    try:
        found = msgspec.json.decode(path.read_bytes(), type=BoxFile)
    except OSError as error:
        raise Misconfigured(f"box {path}: {error.strerror}: `citytable box new` makes one") from error
    except msgspec.DecodeError as error:
        raise Misconfigured(f"box {path}: {error}: correct the file, or take a copy that you kept") from error
    if found.game not in NAMES:
        raise Misconfigured(f"box {path}: {found.game!r} is no game of this hub: it has {', '.join(NAMES)}")
    found.box()
    return found


def new_box(name: str, game: str) -> BoxFile:
    """Return a box without any values; raises `Misconfigured` if the game's values cannot be entered."""
    house: Any = box_of(game)
    if not isinstance(house, Enters):
        raise Misconfigured(f"{game} has no values that people enter: leave --box out")
    return with_box(BoxFile(1, name, game, {}), house.entering.unread_copy(name))


def cards_in(path: Path, house: Box[Any, Any]) -> Box[Any, Any]:
    """Return a game with the cards of a deck file or of a box file; raises `Misconfigured`."""
    if not path.name.endswith(_ENDING):
        return house.with_deck(path)
    file = load_box(path)
    if file.game != house.name:
        raise Misconfigured(f"box {path}: it is a box of {file.game}, not of {house.name}: give --game {file.game}")
    return file.box()


class Opened(msgspec.Struct, frozen=True):
    """A box file with its path; `is_new`: there was no box of this name."""

    path: Path
    file: BoxFile
    is_new: bool = False


def open_box(name: str, game: str = "") -> Opened:
    """Return the box of this name, or a new one of the named game, or of the first game if none is named.

    Raises `Misconfigured`, also for a box of another game than the named one, and `OSError`.
    """
    path = path_of(name)
    if not path.exists():
        file = new_box(name, game or NAMES[0])
        write_box(path, file)
        return Opened(path, file, is_new=True)
    file = load_box(path)
    if game and file.game != game:
        raise Misconfigured(
            f"box {name!r} is a box of {file.game}, not of {game}: leave --game out, or name another box"
        )
    return Opened(path, file)


def with_box(file: BoxFile, box: Box[Any, Any]) -> BoxFile:
    """Return the box file with the values of a box."""
    return msgspec.structs.replace(file, values=json.loads(box.deck_text()))


def write_box(path: Path, file: BoxFile) -> None:
    """Write a box file that only its owner may read; raises `OSError` with the path and the reason."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_whole(path, json.dumps(msgspec.to_builtins(file), indent=1) + "\n")
    except OSError as error:
        why = error.strerror or str(error)
        raise OSError(
            f"box {path}: it cannot be written there ({why}): free the folder for writing, or the disk"
        ) from error


_ONE_BY_ONE = Lock()  # a hub may change one file from several places


def change_box(path: Path, changed: Callable[[BoxFile], BoxFile]) -> BoxFile:
    """Read a box file again, write the result of `changed`, and return it.

    Raises `Misconfigured`, `OSError`, and the errors of `changed`.
    """
    with _ONE_BY_ONE:
        before = load_box(path)
        after = changed(before)
        if after != before:
            write_box(path, after)
        return after


def _readable(_box: Box[Any, Any]) -> None:
    """Check only that a box can be read."""


def enter_values(path: Path, thing: str, values: Mapping[str, FieldValue], check: Check = _readable) -> Box[Any, Any]:
    """Write the values of a thing into a box file, and return the box as it is in the file then.

    Writes nothing if `check` of that box raises. Raises `OSError`, and `ValueError` for invalid values.
    """

    def entered(file: BoxFile) -> BoxFile:
        more = with_box(file, entering_of(file).with_values(thing, values))
        check(more.box())  # do not write values that cannot be read back
        return more

    return change_box(path, entered).box()


def entering_of(file: BoxFile) -> Entering[Any]:
    """Return those values of a box that people enter."""
    box: Any = file.box()
    values: Entering[Any] = box.entering
    return values


def boxes_in(folder: Path | None = None) -> Iterator[tuple[Path, BoxFile]]:
    """Yield the boxes of a folder, by their names; one that cannot be read is left out."""
    for path in sorted((folder or boxes_folder()).glob(f"*{_ENDING}")):
        try:
            yield path, load_box(path)
        except Misconfigured:
            continue


def foreign_tags(own: Path | None) -> dict[str, str]:
    """Return the tags of all boxes except this one, on things named with their box."""
    folder = boxes_folder() if own is None else own.parent
    others = (file for path, file in boxes_in(folder) if path != own)
    return {uid: foreign_thing(file.name, thing) for file in others for uid, thing in file.tags.items()}
