"""The slots from which a board starts: `a` and `b` for bundles, and `base`, which was installed over USB.

A bundle is on trial until the station was linked for GOOD_AFTER_S. Every start on trial is counted before it begins.
After TRIES of them the previous program runs again; it also does so, at once, if the files of a slot do not match their
manifest.

This file stands alone, because a copy of it lies beside `boot.py`. It keeps two files:

    slots.json      {"now", "before": a slot, "good": bool, "tries": int, "failed", "why": text}
    a/manifest      the bundle's sha256 in a line of its own, then a line `sha256 bytes path` for each file
"""

import binascii
import hashlib
import json

BASE = "base"
PLACES = ("a", "b")
STATE = "slots.json"
MANIFEST = "manifest"
TRIES = 3
GOOD_AFTER_S = 60
_BLOCK = 2048


def digest(hashed):
    """Return the hex digits of a hash."""
    return binascii.hexlify(hashed.digest()).decode()


def hashing(files, name):
    """Hash a file in small steps; the last one yields its sha256 as hex. Raise OSError."""
    hashed = hashlib.sha256()
    with files.open(name) as file:
        block = file.read(_BLOCK)
        while block:
            hashed.update(block)
            block = file.read(_BLOCK)
            yield None
    yield digest(hashed)


class Slots:
    """The slots of one board, in its files."""

    def __init__(self, files):
        self._files = files
        state = self._load()
        self.now = state["now"]
        self.before = state["before"]
        self.good = state["good"]
        self.tries = state["tries"]
        self.failed = state["failed"]  # the bundle that was rolled back, until the next trial
        self.why = state["why"]

    def choose(self):
        """Choose the slot of this start and return its folder. Call once at every start, before the program is
        touched."""
        try:
            self._count()
            damage = self._damage(self.now)
            while damage:
                self._roll_back(damage)
                damage = self._damage(self.now)
        except OSError as error:  # a start that cannot be counted must not be made
            self.now, self.why = BASE, "the flash cannot be used: {}".format(error)
        return self.now

    def bundle(self):
        """Return the sha256 of the running bundle; empty for the program installed over USB."""
        return self._manifest(self.now)[0]

    def spare(self):
        """Return the slot that is neither running nor the fallback; None while the running bundle is on trial."""
        if not self.good:
            return None
        return PLACES[1] if self.now == PLACES[0] else PLACES[0]

    def clear(self, slot):
        """Clear a slot that does not run. A half-empty slot is safe: a start checks every file."""
        self._files.remove_folder(slot)

    def seal(self, slot, bundle, manifest):
        """Mark a slot whose files are complete as a bundle."""
        self._files.write(slot + "/" + MANIFEST, (bundle + "\n" + manifest).encode())

    def begin_trial(self, slot):
        """Use this slot from the next start on."""
        self.before = self.now
        self.now = slot
        self.good = False
        self.tries = 0
        self.failed = self.why = ""
        self._save()

    def prove(self):
        """Record that the running bundle is good."""
        if not self.good:
            self.good = True
            self._save()

    def _count(self):
        if self.good:
            return
        if self.tries >= TRIES:
            self._roll_back("{} starts did not stay linked for {} s".format(TRIES, GOOD_AFTER_S))
            return
        self.tries += 1
        self._save()

    def _roll_back(self, why):
        self.failed = self._manifest(self.now)[0]
        self.why = why
        self.now, self.before = self.before if self.before != self.now else BASE, BASE
        self.good = True
        self.tries = 0
        self._save()

    def _damage(self, slot):
        """Return what is wrong with a slot's files; empty if nothing is."""
        if slot == BASE:
            return ""
        bundle, lines = self._manifest(slot)
        if not bundle:
            return "slot {} has no manifest".format(slot)
        for line in lines:
            words = line.split(" ", 2)
            name = slot + "/" + words[-1]
            if len(words) != 3 or str(self._files.size(name)) != words[1] or self._hash(name) != words[0]:
                return "slot {}: {} is damaged".format(slot, words[-1])
        return ""

    def _hash(self, name):
        reported = None
        for step in hashing(self._files, name):
            reported = step
        return reported

    def _manifest(self, slot):
        """Return (bundle, lines) of a slot."""
        content = None if slot == BASE else self._files.read(slot + "/" + MANIFEST)
        try:
            lines = (content or b"").decode().split("\n")
        except UnicodeError:
            return "", []
        return lines[0], [line for line in lines[1:] if line]

    def _load(self):
        state = {"now": BASE, "before": BASE, "good": True, "tries": 0, "failed": "", "why": ""}
        try:
            kept = json.loads(self._files.read(STATE) or b"{}")
        except ValueError:
            kept = None
        if not isinstance(kept, dict) or not all(isinstance(kept.get(name), type(state[name])) for name in state):
            return state  # new, not ours, or worn out: what was put on by USB is always there
        if kept["now"] in PLACES + (BASE,) and kept["before"] in PLACES + (BASE,):
            state.update(kept)
        return state

    def _save(self):
        self._files.write(
            STATE,
            json.dumps(
                {
                    "now": self.now,
                    "before": self.before,
                    "good": self.good,
                    "tries": self.tries,
                    "failed": self.failed,
                    "why": self.why,
                }
            ).encode(),
        )
