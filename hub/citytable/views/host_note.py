"""A note beside the journal with the present link to the host's page, for `citytable host` on the hub's computer.

It holds the host's key, like the secret beside it, so only its owner may read it. Beside a temporary journal it is
deleted with that journal, when the hub ends.
"""

from pathlib import Path

import msgspec

from citytable.table.plan import Misconfigured
from citytable.views.keys import Keys
from citytable.views.viewer import HOST, Viewer
from citytable.views.whole_file import write_whole


class HostNote(msgspec.Struct, frozen=True):
    """How the host's page opens. `pin` is empty once it is no longer valid."""

    page: str
    key: str
    pin: str
    play: str = ""
    """The link that takes seat 1 of a virtual table over from its bot."""
    play_pin: str = ""
    """The PIN for whoever opens the page of that link by hand."""

    @property
    def sentence(self) -> str:
        """Return the link, and the PIN if it is valid."""
        return f"{self.page}#{self.key}" + (f"   or {self.page} with the PIN {self.pin}" if self.pin else "")

    @property
    def play_sentence(self) -> str:
        """Return the link of a virtual table's first player, and the PIN."""
        page, _, _ = self.play.partition("#")
        return f"{self.play}   or {page} with the PIN {self.play_pin}   (you take seat 1 over from its bot)"


def beside(journal: Path) -> Path:
    """Return the path of the note of a journal's table."""
    return journal.with_name(f"{journal.stem}.host.json")


def note_of(keys: Keys, pages: str, *, played: bool) -> HostNote:
    """Return the note of a hub that has just started; `pages` is the address that its pages have in common.

    A table that is `played` at a browser has a link for its first player as well.
    """
    first = Viewer(seat=1)
    play, play_pin = (f"{pages}/table#{keys.key(first)}", keys.pin(first)) if played else ("", "")
    return HostNote(f"{pages}/host", keys.key(HOST), keys.pin(HOST), play, play_pin)


class KeptNote:
    """The note in its file. Raises `Misconfigured` if the file cannot be written."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._note: HostNote | None = None

    def keep(self, note: HostNote) -> None:
        """Replace the note."""
        self._note = note
        try:
            write_whole(self._path, msgspec.json.encode(note).decode())
        except OSError as error:
            raise Misconfigured(f"{self._path}: the host's link cannot be kept there ({error.strerror})") from None

    def let_play(self, note: HostNote) -> bool:
        """Take the first player's link out of a newer note; report whether it is another one than before."""
        if self._note is None or self._note.play == note.play:
            return False
        self.keep(msgspec.structs.replace(self._note, play=note.play, play_pin=note.play_pin))
        return True

    def forget_pin(self) -> None:
        """Take the PIN out: it opens nothing any more."""
        if self._note is not None:
            self.keep(msgspec.structs.replace(self._note, pin=""))


def read_note(path: Path) -> HostNote:
    """Return the note in a file; raises `Misconfigured` if there is no readable one."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=HostNote)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Misconfigured(
            f"{path} cannot be read ({error}): give the journal of a hub that is running, as the user it runs as"
        ) from None
