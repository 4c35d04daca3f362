"""The lamp from one evening to the next."""

from pathlib import Path

from citytable.views.kept import keep, read_kept
from citytable.views.lamp import Lamp


def beside(journal: Path) -> Path:
    """Return the path of the lamp of a journal's table."""
    return journal.with_name(f"{journal.stem}.lights.json")


def kept_lamp(path: Path) -> Lamp:
    """Return the lamp in a file; without a readable file all rings shine fully."""
    return read_kept(path, Lamp, "the rings shine fully until somebody dims them")


def keep_lamp(path: Path, lamp: Lamp) -> None:
    """Save the lamp. If that fails, it lasts until the hub ends."""
    keep(path, lamp, "a restart of the hub restores the old brightness")
