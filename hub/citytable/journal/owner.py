"""To whom files of a table belong: to the owner of their folder, also where root has written them."""

import os
import sys
from contextlib import suppress
from pathlib import Path


def given_to_owner(path: Path) -> None:
    """Give a file, and what stands beside it under its name, to the owner of its folder: a hub could not go on with it.

    Nothing is done unless root has written them. Media that know no owners are left alone.
    """
    for one in path.parent.glob(path.name + "*"):
        given_to(path.parent, one)


def given_to(like: Path, path: Path) -> None:
    """Give one file to the owner of another one, where root has written it."""
    if sys.platform == "win32" or os.geteuid() != 0:
        return
    owner = like.stat()
    with suppress(PermissionError):
        os.chown(path, owner.st_uid, owner.st_gid)
