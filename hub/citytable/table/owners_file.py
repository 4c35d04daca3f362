"""A file with an owner's cards, read as text."""

from pathlib import Path

from citytable.table.plan import Misconfigured


def deck_text_in(path: Path) -> str:
    """Return the text of a deck file; raises `Misconfigured`, which says what to do."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise Misconfigured(f"deck {path}: {error.strerror}: give the path of a deck file") from error
    except UnicodeDecodeError as error:
        raise Misconfigured(f"deck {path}: byte {error.start} is not UTF-8: save the file as UTF-8") from error
