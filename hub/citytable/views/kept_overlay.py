"""Keeps what a producer has taken off air, from one start of the hub to the next."""

from pathlib import Path

from msgspec.structs import replace

from citytable.views.kept import keep, read_kept
from citytable.views.overlay import Overlay
from citytable.views.state import View


class KeptOverlay:
    """The overlay in its file, or nowhere without a path."""

    def __init__(self, path: Path | None) -> None:
        self._path = path

    def on(self, view: View) -> View:
        """Return a view with this overlay; without a readable file everything is on air."""
        if self._path is None:
            return view
        return replace(view, overlay=read_kept(self._path, Overlay, "all elements are on air"))

    def keep(self, overlay: Overlay) -> None:
        """Save the overlay. If that fails, it lasts until the hub ends."""
        if self._path is not None:
            keep(self._path, overlay, "a restart of the hub puts the elements on air that were there before")


NOWHERE = KeptOverlay(None)


def beside(journal: Path | None) -> KeptOverlay:
    """Return the overlay of a journal's table, which is kept if the journal is."""
    return KeptOverlay(None if journal is None else journal.with_name(f"{journal.stem}.overlay.json"))
