"""Sign bundles with the table owner's key: boards take nothing else over the link (docs/decisions/0049)."""

import os
import time
from pathlib import Path

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from citytable.doctor.bundle import Bundle
from citytable.doctor.told import Told

KEY_FILE = "bundle.key"
TAG = b"ctb1"


class NoKey(Told):
    """The key for bundles is missing or damaged; the text says where it was looked for and what to do."""


class Seal(msgspec.Struct, frozen=True):
    """Hold what an offer carries besides the bundle: its serial number, and the signature in hex."""

    serial: int
    signature: str


class SigningKey:
    """The private key of a table's owner. It is in a folder as 32 bytes in hex, readable by its owner alone."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / KEY_FILE
        try:
            self._key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(self._path.read_text("ascii").strip()))
        except FileNotFoundError:
            raise NoKey.of("no_key", path=self._path) from None
        except (OSError, ValueError) as error:
            raise NoKey.of("damaged_key", path=self._path, seen=error) from error

    @property
    def public_hex(self) -> str:
        """Return the public key, which boards get by USB."""
        return self._key.public_key().public_bytes_raw().hex()

    def seal(self, bundle: Bundle, serial: int | None = None) -> Seal:
        """Sign a bundle; without a serial number the time in seconds is used."""
        number = int(time.time()) if serial is None else serial
        text = TAG + number.to_bytes(8, "big") + bytes.fromhex(bundle.name)
        return Seal(number, self._key.sign(text).hex())


def kept_or_new_key(folder: Path) -> SigningKey:
    """Return the key of a folder, or make a new one; raises `NoKey` for a damaged one."""
    path = folder / KEY_FILE
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        secret = Ed25519PrivateKey.generate().private_bytes_raw().hex()
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
            file.write(secret + "\n")
    return SigningKey(folder)
