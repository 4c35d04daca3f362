"""The lamp from one evening to the next: a small file beside the journal, so that a power cut changes no light."""

import logging
from pathlib import Path

import msgspec

from citytable.views.lamp import Lamp
from citytable.views.whole_file import write_whole

_LOGGER = logging.getLogger(__name__)


def beside(journal: Path) -> Path:
    """Return the path of the lamp of a journal's table."""
    return journal.with_name(f"{journal.stem}.lights.json")


def kept_lamp(path: Path) -> Lamp:
    """Return the lamp in a file; without a readable file all rings shine fully."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Lamp)
    except FileNotFoundError:
        return Lamp()
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
        _LOGGER.warning("%s cannot be read (%s): the rings shine fully until somebody dims them", path, error)
        return Lamp()


def keep_lamp(path: Path, lamp: Lamp) -> None:
    """Save the lamp. If that fails, it lasts until the hub ends."""
    try:
        write_whole(path, msgspec.json.encode(lamp).decode())
    except OSError as error:
        _LOGGER.warning(
            "%s cannot be written (%s): a restart of the hub restores the old brightness",
            path,
            error,
        )
