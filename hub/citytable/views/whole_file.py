"""A small file that is complete or does not exist, even after a power cut, and that only its owner may read."""

import os
from pathlib import Path


def write_whole(path: Path, text: str) -> None:
    """Replace the contents of a file by a text (ASCII); raise `OSError`."""
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="ascii") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
