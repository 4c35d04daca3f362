"""Which bundles a board takes: those that its table's owner has signed, and none that is older than what it has run.

    signed text   "ctb1", the serial number in 8 bytes (the highest first), the sha256 of the bundle in 32
    signature     Ed25519 (RFC 8032), 64 bytes, in the offer as 128 hex digits
    serial        grows with every signature: seconds since 1970 when it was made

The file `keys.json` has the public keys in hex, up to two, so that a key can be changed. USB alone puts it
there, and `serial` with the time of the flash: nothing signed before that comes back. A board without a key takes no
bundle over the link.
"""

import json
from binascii import unhexlify

from tablestation.care.ed25519 import verify

SERIAL = "serial"  # the file with the highest serial number of a bundle that was good, or the time of the flash
TAG = b"ctb1"
KEYS_MAX = 2
KEYS = "keys.json"


class Trust:
    """The keys of one board, and the newest bundle it has run."""

    def __init__(self, files):
        self._files = files
        self._keys = _keys(files)
        self._last = None  # an offer is repeated; its signature is verified once

    def objection(self, message):
        """Return the reason to refuse an offer; empty if there is none. It may take seconds on a board."""
        signature = message.get("signature", "")
        serial = message.get("serial", 0)
        if not self._keys:
            return "this board has no key to trust: flash it again by USB (citytable station flash)"
        if not signature:
            return "it is not signed: send it with citytable station update"
        if serial < self.newest():
            return "it is older than this board's program: {} comes before {}: is a clock wrong?".format(
                serial, self.newest()
            )
        offer = message["bundle"], serial, signature
        if offer != self._last:
            if not self._is_signed(*offer):
                return "it is signed by a key that this board does not trust"
            self._last = offer
        return ""

    def newest(self):
        """Return the serial number below which nothing is taken: the newest good bundle's, or the time of the flash."""
        text = self._files.read(SERIAL)
        return int(text) if text and text.isdigit() else 0

    def prove(self, serial):
        """Note that a bundle with this serial number is good: older ones are refused from now on."""
        if serial > self.newest():
            self._files.write(SERIAL, str(serial).encode())

    def _is_signed(self, bundle, serial, signature):
        text = TAG + serial.to_bytes(8, "big") + unhexlify(bundle)
        raw = unhexlify(signature)
        for key in self._keys:
            if verify(key, text, raw):
                return True
        return False


def _keys(files):
    """Return the keys of the board; none if the file is missing or makes no sense."""
    try:
        return [unhexlify(key) for key in json.loads(files.read(KEYS) or b"[]")[:KEYS_MAX]]
    except (ValueError, TypeError):
        return []
