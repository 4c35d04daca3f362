"""Updates: the station asks for a bundle chunk by chunk over the link, and puts it on trial.

    offer      the hub has a bundle          -> update wanted, have = the first chunk that is missing
    chunk k    its k-th piece                -> update receiving, have = the next one wanted
    the last   checked and unpacked          -> update ready, and a restart into it
    the start  of a bundle on trial          -> update running, and good after 60 s linked
    anything that cannot be                  -> update refused, with the reason

Chunks survive a lost link and a restart: the next offer of the same bundle continues the transfer.
"""

import binascii
import json

from tablestation.care.bundle import BadBundle, read_manifest, unpack
from tablestation.care.slots import GOOD_AFTER_S
from tablewire.messages import CHUNK_BYTES, TEXT_MAX
from tablewire.topics import UPDATE, VERSION

INCOMING = "incoming"
TICKET = "incoming.json"  # what is coming: the bundle, its size and its serial number
BUNDLE_MAX = 262144
SLACK = 32768  # of flash that stays free
_BREATH_MS = 5  # between two files: so that nothing else waits long
_FAREWELL_MS = 500
_SECOND_MS = 1000
_LIMIT_MS = 5000


class Updates:
    """The updates of one station, in its own files. `restart()` restarts the board; `trust` judges who offers a bundle.

    While a bundle arrives and is unpacked, the flash may stop the sampler for some tenths of a second at a time. Lost
    samples are counted, but do not update in the middle of a game.
    """

    def __init__(self, port, files, slots, restart, trust):  # noqa: PLR0913, PLR0917 (a board's parts)
        self._port = port
        self._files = files
        self._slots = slots
        self._restart = restart
        self._trust = trust
        self._station = None
        self._arrived = ""  # the bundle that is all there and has to be unpacked

    def attach(self, station):
        """Attach to a station before it starts."""
        self._station = station
        station.on_command("offer", self.offer)
        station.on_command("chunk", self.chunk)
        station.spawn("update", _LIMIT_MS, self.run)

    async def run(self, pulse):
        """Run for ever: report the running bundle at each connection, unpack a complete one, count the seconds of a
        trial."""
        online = False
        on_trial = not self._slots.good  # what a bundle that is installed later changes here is for the next start
        seconds = 0
        while True:
            await self._port.sleep_ms(_SECOND_MS)
            pulse.beat()
            was, online = online, self._station.outbox.online
            if online and not was:
                self._say_what_runs()
            if self._arrived:
                await self._install(pulse)
            if on_trial:
                seconds = seconds + 1 if online else 0
                on_trial = seconds < GOOD_AFTER_S
                if not on_trial:
                    self._prove()

    def offer(self, message):
        """Answer the hub's offer of a bundle."""
        bundle = message["bundle"]
        if self._arrived:
            return
        if bundle == self._slots.bundle():
            if self._slots.good:  # until then the ticket has its serial number, which is noted when it is good
                self._forget()
            self._report(bundle, "good" if self._slots.good else "running")
            return
        try:
            why = self._objection(message)
            if not why:
                self._expect(bundle, message["bytes"], message.get("serial", 0))
        except OSError as error:
            why = "flash error: {}".format(error)
        if why:
            self._report(bundle, "refused", 0, why)
            return
        have = self._have()
        self._report(bundle, "wanted", have)
        if have == message["chunks"]:
            self._arrived = bundle

    def chunk(self, message):
        """Take a chunk if it is the missing one; otherwise report which one is."""
        bundle, size, _ = self._ticket()
        if message["bundle"] != bundle:
            return
        if message["k"] == self._have():
            try:
                self._take(message["k"], binascii.a2b_base64(message["data"].encode()), size)
            except (ValueError, OSError) as error:
                self._report(bundle, "refused", self._have(), "chunk {}: {}".format(message["k"], error))
                return
        have = self._have()
        self._report(bundle, "receiving", have)
        if have * CHUNK_BYTES >= size:
            self._arrived = bundle

    def _objection(self, message):
        """Return the reason to refuse a bundle; empty if there is none."""
        if message["version"] != VERSION:
            return "it speaks wire version {}, this table speaks {}: update the hub first".format(
                message["version"], VERSION
            )
        if why := self._trust.objection(message):
            return why
        if message["bytes"] > BUNDLE_MAX:
            return "it is too big: {} bytes, at most {} are accepted".format(message["bytes"], BUNDLE_MAX)
        spare = self._slots.spare()
        if spare is None:
            return "the bundle that runs is on trial: wait until it is good"
        self._slots.clear(spare)
        arrived = self._files.size(INCOMING) or 0
        needed = 2 * message["bytes"] - arrived + SLACK
        free = self._files.free_bytes()
        if free < needed:
            return "the flash is full: {} bytes are free, {} are needed".format(free, needed)
        return ""

    def _expect(self, bundle, size, serial):
        there = self._ticket()
        if there[:2] != (bundle, size):
            self._files.remove(INCOMING)
        if there != (bundle, size, serial):
            self._files.write(TICKET, json.dumps([bundle, size, serial]).encode())

    def _ticket(self):
        """Return (bundle, bytes, serial number) of the transfer in progress, empty if there is none."""
        try:
            bundle, size, serial = json.loads(self._files.read(TICKET) or b"")
        except (ValueError, TypeError):
            return "", 0, 0
        return bundle, size, serial

    def _have(self):
        """Return the number of the next missing chunk; an incomplete one is missing."""
        size = self._ticket()[1]
        arrived = self._files.size(INCOMING) or 0
        return (size + CHUNK_BYTES - 1) // CHUNK_BYTES if arrived >= size else arrived // CHUNK_BYTES

    def _take(self, k, data, size):
        wanted = min(CHUNK_BYTES, size - k * CHUNK_BYTES)
        if len(data) != wanted:
            raise ValueError("{} bytes arrived instead of {}".format(len(data), wanted))
        self._files.write_at(INCOMING, k * CHUNK_BYTES, data)

    async def _install(self, pulse):
        bundle, self._arrived = self._arrived, ""
        have = self._have()
        try:
            slot = await self._unpacked(bundle, pulse)
        except (BadBundle, OSError) as error:
            self._forget()
            self._report(bundle, "refused", 0, str(error))
            return
        self._arrived = bundle  # nothing else is taken any more
        self._report(bundle, "ready", have)
        await self._port.sleep_ms(_FAREWELL_MS)
        self._slots.begin_trial(slot)
        self._restart()

    async def _unpacked(self, bundle, pulse):
        """Unpack the bundle into a slot, seal it, and return the slot."""
        slot = self._slots.spare()
        self._slots.clear(slot)
        text = None
        for step in unpack(self._files, INCOMING, bundle, slot):
            text = step
            pulse.beat()
            await self._port.sleep_ms(_BREATH_MS)
        with self._files.open(INCOMING) as file:
            wire = read_manifest(file).wire
        if wire != VERSION:
            raise BadBundle("it speaks wire version {}, this table speaks {}".format(wire, VERSION))
        self._slots.seal(slot, bundle, text)
        return slot

    def _say_what_runs(self):
        slots = self._slots
        if slots.failed:
            self._report(slots.failed, "rolled_back", 0, slots.why)
        elif slots.bundle():
            self._report(slots.bundle(), "good" if slots.good else "running")

    def _prove(self):
        bundle, _, serial = self._ticket()
        if bundle == self._slots.bundle():
            self._trust.prove(serial)
        self._slots.prove()
        self._forget()
        self._report(self._slots.bundle(), "good")

    def _forget(self):
        self._files.remove(TICKET)
        self._files.remove(INCOMING)

    def _report(self, bundle, state, have=0, why=""):
        message = {"type": "update", "bundle": bundle, "state": state, "have": have}
        if why:
            message["why"] = why[:TEXT_MAX]
        self._station.say(UPDATE, message, True)
