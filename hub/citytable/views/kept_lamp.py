"""The lamp from one evening to the next: a small file beside the journal, so that a power cut changes no light."""

import logging
from pathlib import Path

import msgspec

from citytable.views.lamp import Lamp
from citytable.views.whole_file import write_whole

_LOGGER = logging.getLogger(__name__)


def beside(journal: Path) -> Path:
    """Where the lamp of a journal's table is."""
    return journal.with_name(f"{journal.stem}.lights.json")


def kept_lamp(path: Path) -> Lamp:
    """The lamp in a file; all rings shine fully where there is none, or one that cannot be read."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Lamp)
    except FileNotFoundError:
        return Lamp()
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
        _LOGGER.warning("%s cannot be read (%s): the rings shine fully until somebody dims them", path, error)
        return Lamp()


def keep_lamp(path: Path, lamp: Lamp) -> None:
    """Write the lamp down. Where that cannot be, it lasts as long as the hub."""
    try:
        write_whole(path, msgspec.json.encode(lamp).decode())
    except OSError as error:
        _LOGGER.warning("%s cannot be written (%s): when the hub starts anew the rings shine as before", path, error)
