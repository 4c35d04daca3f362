"""Updates: a bundle comes over the link, chunk by chunk as the station asks for it, and is put on trial.

    offer      the hub has a bundle          -> update wanted, have = the first chunk that is missing
    chunk k    its k-th piece                -> update receiving, have = the next one wanted
    the last   checked and unpacked          -> update ready, and a restart into it
    the start  of a bundle on trial          -> update running, and good after 60 s linked
    anything that cannot be                  -> update refused, with the reason

What has arrived stays over a lost link and a restart: the next offer of the same bundle goes on where it was.
"""

import binascii
import json

from tablestation.care.bundle import BadBundle, read_manifest, unpack
from tablestation.care.slots import GOOD_AFTER_S
from tablewire.messages import CHUNK_BYTES, encode
from tablewire.topics import UPDATE, VERSION

INCOMING = "incoming"
TICKET = "incoming.json"  # what is coming: the bundle and its size
BUNDLE_MAX = 262144
SLACK = 32768  # of flash that stays free
_BREATH_MS = 5  # between two files: so that nothing else waits long
_FAREWELL_MS = 500
_SECOND_MS = 1000


class Updates:
    """The updates of one station. `linked()` says whether the hub is there, `restart()` starts the board anew."""

    def __init__(self, port, link, boot, files, slots, linked, restart):  # noqa: PLR0913, PLR0917 (what a board gives)
        self._port = port
        self._link = link
        self._boot = boot
        self._files = files
        self._slots = slots
        self._linked = linked
        self._restart = restart
        self._busy = False

    def commands(self):
        """What a station's hub may ask of it here, by type of message."""
        return {"offer": self.offer, "chunk": self.chunk}

    def connected(self):
        """The link is there: say what runs, and whether something had to be rolled back."""
        slots = self._slots
        if slots.failed:
            self._tell(slots.failed, "rolled_back", 0, slots.why)
        else:
            self._tell(slots.bundle(), "good" if slots.good else "running")

    async def run(self):
        """For as long as the bundle that runs has to prove itself."""
        seconds = 0
        while not self._slots.good:
            await self._port.sleep_ms(_SECOND_MS)
            seconds = seconds + 1 if self._linked() else 0
            if seconds >= GOOD_AFTER_S:
                self._prove()

    def offer(self, message):
        """The hub has a bundle."""
        bundle = message["bundle"]
        if self._busy:
            return
        if bundle == self._slots.bundle():
            self._forget()
            self._tell(bundle, "good" if self._slots.good else "running")
            return
        try:
            why = self._objection(message)
            if not why:
                self._expect(bundle, message["bytes"])
        except OSError as error:
            why = "the flash says {}".format(error)
        if why:
            self._tell(bundle, "refused", 0, why)
            return
        have = self._have()
        self._tell(bundle, "wanted", have)
        if have == message["chunks"]:
            self._finish(bundle)

    def chunk(self, message):
        """A piece of it: taken when it is the one that is missing; else the station says which one that is."""
        bundle, size = self._ticket()
        if self._busy or message["bundle"] != bundle:
            return
        if message["k"] == self._have():
            try:
                self._take(message["k"], binascii.a2b_base64(message["data"]), size)
            except (ValueError, OSError) as error:
                self._tell(bundle, "refused", self._have(), "chunk {}: {}".format(message["k"], error))
                return
        have = self._have()
        self._tell(bundle, "receiving", have)
        if have * CHUNK_BYTES >= size:
            self._finish(bundle)

    def _objection(self, message):
        """Why a bundle cannot be taken; empty when it can."""
        if message["version"] != VERSION:
            return "it speaks wire version {}, this table speaks {}: update the hub first".format(
                message["version"], VERSION
            )
        if message["bytes"] > BUNDLE_MAX:
            return "it is too big: {} bytes, at most {} are accepted".format(message["bytes"], BUNDLE_MAX)
        spare = self._slots.spare()
        if spare is None:
            return "the bundle that runs is on trial: wait until it is good"
        if self._ticket()[0] != message["bundle"]:
            self._forget()
        self._slots.clear(spare)
        arrived = self._files.size(INCOMING) or 0
        needed = 2 * message["bytes"] - arrived + SLACK
        free = self._files.free_bytes()
        if free < needed:
            return "the flash is full: {} bytes are free, {} are needed".format(free, needed)
        return ""

    def _expect(self, bundle, size):
        if self._ticket() != (bundle, size):
            self._files.remove(INCOMING)
            self._files.write(TICKET, json.dumps([bundle, size]).encode())

    def _ticket(self):
        """(bundle, bytes) of what is coming; empty when nothing is."""
        try:
            bundle, size = json.loads(self._files.read(TICKET) or b"")
        except (ValueError, TypeError):
            return "", 0
        return bundle, size

    def _have(self):
        """The next chunk that is missing: a torn one is."""
        size = self._ticket()[1]
        arrived = self._files.size(INCOMING) or 0
        return (size + CHUNK_BYTES - 1) // CHUNK_BYTES if arrived >= size else arrived // CHUNK_BYTES

    def _take(self, k, data, size):
        wanted = min(CHUNK_BYTES, size - k * CHUNK_BYTES)
        if len(data) != wanted:
            raise ValueError("{} bytes arrived instead of {}".format(len(data), wanted))
        self._files.write_at(INCOMING, k * CHUNK_BYTES, data)

    def _finish(self, bundle):
        self._busy = True
        self._port.spawn(self._install(bundle))

    async def _install(self, bundle):
        have = self._have()
        try:
            slot = await self._unpacked(bundle)
        except (BadBundle, OSError) as error:
            self._forget()
            self._busy = False
            self._tell(bundle, "refused", 0, str(error))
            return
        self._tell(bundle, "ready", have)
        await self._port.sleep_ms(_FAREWELL_MS)
        self._slots.begin_trial(slot)
        self._restart()

    async def _unpacked(self, bundle):
        """The slot that holds the bundle now, sealed."""
        slot = self._slots.spare()
        self._slots.clear(slot)
        text = None
        for step in unpack(self._files, INCOMING, bundle, slot):
            text = step
            await self._port.sleep_ms(_BREATH_MS)
        with self._files.open(INCOMING) as file:
            wire = read_manifest(file).wire
        if wire != VERSION:
            raise BadBundle("it speaks wire version {}, this table speaks {}".format(wire, VERSION))
        self._slots.seal(slot, bundle, text)
        return slot

    def _prove(self):
        self._slots.prove()
        self._forget()
        self._tell(self._slots.bundle(), "good")

    def _forget(self):
        self._files.remove(TICKET)
        self._files.remove(INCOMING)

    def _tell(self, bundle, state, have=0, why=""):
        message = {"type": "update", "boot": self._boot, "bundle": bundle, "state": state, "have": have}
        if why:
            message["why"] = why[:200]
        self._link.publish(UPDATE, encode(message), True)
