"""Small settings that outlast the evening: each is a file beside the journal, so they survive a power cut."""

import logging
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from citytable.views.whole_file import write_whole

_LOGGER = logging.getLogger(__name__)
T = TypeVar("T")


def read_kept(path: Path, kind: type[T], otherwise: str) -> T:
    """Return the value in a file; without a readable file, that of `kind()`. `otherwise` says what that means."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except FileNotFoundError:
        return kind()
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
        _LOGGER.warning("%s cannot be read (%s): %s", path, error, otherwise)
        return kind()


def keep(path: Path, value: Any, otherwise: str) -> None:
    """Save a value. If that fails, it lasts until the hub ends; `otherwise` says what happens then."""
    try:
        write_whole(path, msgspec.json.encode(value).decode())
    except OSError as error:
        _LOGGER.warning("%s cannot be written (%s): %s", path, error, otherwise)
