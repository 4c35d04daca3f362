"""Keys: they distinguish the host and the players of a game from everybody else who reaches the pages.

All keys are derived from one secret and stored nowhere. The host's key stays the same from game to game; the host's PIN
changes at each start of the hub, because somebody would find six digits that never change. A seat's key and PIN belong
to one game, so yesterday's players have no access today; if the same people play another game, they keep the keys of
their first one.
"""

import hashlib
import hmac
import secrets
from pathlib import Path

from citytable.table.plan import Misconfigured
from citytable.views.viewer import HOST, Viewer
from citytable.views.whole_file import write_whole

SECRET_BYTES = 32
KEY_BYTES = 16
PIN_DIGITS = 6


def new_secret() -> bytes:
    """Return a secret for a table whose journal is not kept."""
    return secrets.token_bytes(SECRET_BYTES)


def beside(journal: Path) -> Path:
    """Return the path of the secret of a journal's table."""
    return journal.with_name(f"{journal.stem}.keys")


def renew(path: Path) -> None:
    """Replace the secret in a file, so that no key is valid any more; raise `OSError`."""
    write_whole(path, new_secret().hex())


def kept_secret(path: Path) -> bytes:
    """Return the secret in a file that only its owner may read; create it if needed. Raise `Misconfigured`."""
    try:
        if not path.exists():
            renew(path)  # whole: half a secret would lock everybody out
        path.chmod(0o600)
        secret = bytes.fromhex(path.read_text("ascii"))
    except OSError as error:
        raise Misconfigured(f"{path}: the pages' keys cannot be kept there ({error.strerror})") from None
    except ValueError:
        secret = b""
    if len(secret) != SECRET_BYTES:
        raise Misconfigured(f"{path} is not what the hub wrote: delete it, and let host and phones enter again")
    return secret


class Keys:
    """The keys of one table and one game. `start` is random and differs from start to start of the hub."""

    def __init__(self, secret: bytes, table: str, game_id: str, start: str = "") -> None:
        self.secret = secret
        """What all keys come from; it leaves the hub in none of them."""
        self._table = table
        self._game_id = game_id
        self._start = start

    def of(self, game_id: str) -> "Keys":
        """Return the keys of another game at this table."""
        return Keys(self.secret, self._table, game_id, self._start)

    def key(self, viewer: Viewer) -> str:
        """Return the key in a link and a cookie: 128 bits, which nobody can guess."""
        return self._derived("key", viewer)[:KEY_BYTES].hex()

    def pin(self, viewer: Viewer) -> str:
        """Return the PIN for people to type: a few digits, protected by the limits of `Gate`."""
        use = f"pin {self._start}" if viewer.host else "pin"
        return f"{int.from_bytes(self._derived(use, viewer)) % 10**PIN_DIGITS:0{PIN_DIGITS}}"

    def cookie_name(self, viewer: Viewer) -> str:
        """Return the name of the cookie, with the table in it: all ports of one computer share their cookies."""
        return f"citytable-{self._table}-{viewer.text.replace('/', '-')}"

    def producer_key(self) -> str:
        """Return the key that shows and hides elements of the overlay and does nothing else."""
        return self._derived("producer", HOST)[:KEY_BYTES].hex()

    def _derived(self, use: str, viewer: Viewer) -> bytes:
        game_id = "" if viewer.host else self._game_id
        words = "\0".join((use, self._table, game_id, viewer.text))
        return hmac.digest(self.secret, words.encode(), hashlib.sha256)
