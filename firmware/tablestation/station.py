"""The station: its tasks, and its answers to the hub.

At every start it reads all its readers before it reports any tag, and begins with an inventory. So the hub never has to
guess what happened while the station was away.
"""

from tablestation import FIRMWARE
from tablestation.clock import Clock
from tablestation.faults import Faults
from tablestation.health import ASKED_MS, Health
from tablestation.health import PERIOD_MS as HEALTH_MS
from tablestation.knocks import Knocks
from tablestation.light import Light
from tablestation.outbox import ROOM, Outbox
from tablestation.reach import Rangers
from tablestation.reporter import PERIOD_MS as REPORT_MS
from tablestation.reporter import Reporter
from tablestation.seam import HUB_STATE
from tablestation.supervisor import Supervisor
from tablestation.tags import Tags
from tablestation.weigh import Weighing
from tablewire.messages import TEXT_MAX, BadMessage, decode, encode
from tablewire.topics import ACK, COMMAND, HEALTH, LIGHT, LOG, PAGES, PING, PONG, STATE

BUTTON_MS = 50
EARLY_MAX = 16  # events before the first inventory
LINES_KEPT = 8  # of the log, while there is no link


class Station:
    """One start of a station. A restart is a new object with a new `boot`, clock and sequence numbers."""

    def __init__(self, port, link, board):
        self._port = port
        self._link = link
        self._board = board
        self.boot = port.random30()
        self._clock = Clock(port)
        self.outbox = Outbox(self.boot, link)
        self.faults = Faults(self._clock)
        self._knocks = None
        if board.accelerometer is not None:
            self._knocks = Knocks(port, board.accelerometer, self.log)
        self._weigh = Weighing(port, board, self._alert, self._knocks)
        self._reporter = Reporter(self._clock, link, self.boot, self._weigh, self.faults, self._knocks)
        self._tags = Tags(port, self._clock, board.spots, self.faults)
        self._light = Light(board)
        self._reach = Rangers(port, self._clock, board.spots, self.faults)
        self._health = Health(port, self._clock, link, self._weigh, self._tags, self._reach)
        self._supervisor = Supervisor(port, self.log)
        self._lines = []
        self._looked = False
        self._early = []
        self._inspector = None  # the id of the last request for health
        self._hub_boot = None
        self.refused = 0
        self._commands = {"identify": self._identify, "inspect": self._inspect, "read_pages": self._read_pages}
        self._commands["scales"] = self._calibrate

    def start(self):
        """Start all tasks."""
        spawn = self.spawn
        if self._knocks is not None:
            self._knocks.begin()
        if self._weigh.scales:
            spawn("weigh", 1_000, self._weigh.run)
        spawn("reporter", 2_000, self._report)
        spawn("light", 2_000, self._shine)
        spawn("tags", 3_000, self._read_tags)
        spawn("health", 3_000, self._report_health)
        if self._reach.monitors:
            spawn("reach", 3_000, self._measure)
        if self._board.button is not None:
            spawn("button", 2_000, self._watch_button)
        self._port.spawn(self._supervisor.run())

    def spawn(self, name, limit_ms, work):
        """Run `work(pulse)` as a task of this station.

        It must call `pulse.beat()` at least every `limit_ms` (0: never) and must not raise: otherwise the board
        restarts.
        """
        self._supervisor.spawn(name, limit_ms, work)

    def on_command(self, kind, do):
        """Call `do(message)` for commands of this type."""
        self._commands[kind] = do

    def say(self, channel, message, urgent=False):
        """Publish a message of this boot; return False if the link could not take it."""
        message["boot"] = self.boot
        return self._link.publish(channel, encode(message), urgent)

    def log(self, level, text):
        """Write a line for people, at once or with the next link; only the newest few are kept."""
        line = {"type": "log", "at": self._clock.now(), "level": level, "text": text[:TEXT_MAX]}
        if not self.outbox.online or not self.say(LOG, line, True):
            self._lines.append(line)
            if len(self._lines) > LINES_KEPT:
                self._lines.pop(0)

    def will(self):
        """Return the payload that the broker publishes, retained, on the state channel when this boot is gone."""
        return encode({"type": "death", "boot": self.boot})

    def connected(self):
        """Announce this station on a new link, and send everything that waits."""
        birth = {"type": "birth", "boot": self.boot, "kind": self._board.kind, "firmware": FIRMWARE}
        birth["at"] = self._clock.now()
        birth["spots"] = [spot.describe() for spot in self._board.spots]
        birth.update(self._board.about)
        if self._knocks is not None:
            birth["accelerometer"] = self._knocks.answers
        self._link.publish(STATE, encode(birth), True, True)
        self.outbox.online = True
        self.outbox.resend()
        lines, self._lines = self._lines, []
        for line in lines:
            self.say(LOG, line, True)

    def disconnected(self):
        """Keep events from now on; samples are lost, and their sequence numbers show it."""
        self.outbox.online = False

    def receive(self, channel, payload):
        """Handle a message of the hub; count and ignore one that breaks the rules of the wire."""
        arrived = self._clock.now()
        try:
            message = decode(STATE if channel == HUB_STATE else channel, payload)
        except BadMessage:
            self.refused += 1
            return
        if channel == ACK:
            self.outbox.acknowledge(message["boot"], message["event_seq"])
            self._report_losses()
        elif channel == LIGHT:
            self._light.show(message["rings"])
        elif channel == PING:
            pong = {"type": "pong", "id": message["id"], "received": arrived, "sent": self._clock.now()}
            self.say(PONG, pong, True)
        elif channel == COMMAND:
            self._obey(message)
        elif channel == HUB_STATE and message["type"] == "hub" and message["online"]:
            self._meet_hub(message["boot"])

    def _meet_hub(self, hub_boot):
        if hub_boot == self._hub_boot:
            return
        first, self._hub_boot = self._hub_boot is None, hub_boot
        if first:
            return  # the birth's inventory is for this hub
        self.outbox.resend()
        self._post_inventory()
        self.faults.send_again()

    def _obey(self, message):
        do = self._commands.get(message["type"])
        if do is None:
            self.refused += 1
            self.log("warning", "this station does not know the command {}".format(message["type"]))
        else:
            do(message)

    def _identify(self, message):
        self._light.identify(message["seconds"])

    def _inspect(self, message):
        self._inspector = message["id"]

    def _calibrate(self, message):
        for scale in message["scales"]:
            if not self._weigh.calibrate(scale["spot"], scale["counts_per_g"]):
                self.log("warning", "the plan's cells at {} are not this board's".format(scale["spot"]))

    def _read_pages(self, message):
        spot, first = message["spot"], message["first"]

        def answer(uid, data):
            if data is None:
                self.log("warning", "could not read pages of the tag at {}: put a tag there and ask again".format(spot))
                return
            pages = {"type": "pages", "id": message["id"], "spot": spot, "uid": uid, "first": first}
            pages["data"] = "".join(["{:02x}".format(byte) for byte in data])
            self.say(PAGES, pages, True)

        if not self._tags.ask(spot, first, message["n"], answer):
            self.log(
                "warning", "cannot read a tag at {}: there is no reader, or too many reads are waiting".format(spot)
            )

    def _alert(self, scale):
        watch = scale.watch
        self._post(
            {"type": "alert", "at": self._clock.now(), "spot": scale.spot, "cell": watch.cell, "drop": watch.drop}
        )

    def _post(self, message):
        """Queue an event; return False for a fault that must be offered again.

        A fault without room is not lost, because it lasts. Nothing is sent before the first inventory; other events
        are held back until then.
        """
        if message["type"] == "fault" and (not self._looked or self.outbox.full):
            return False
        if self._looked:
            self.outbox.post(message)
        elif len(self._early) < EARLY_MAX:
            self._early.append(message)
        else:
            self.outbox.lost += 1
        return True

    def _post_inventory(self):
        if not self._looked:
            return
        message = {"type": "inventory", "at": self._clock.now(), "tags": self._tags.inventory()}
        if self.outbox.lost:
            message["events_lost"] = self.outbox.lost
        if self.outbox.post(message) and "events_lost" in message:
            self.outbox.lost = 0

    def _report_losses(self):
        if self.outbox.lost and len(self.outbox) <= ROOM // 2:
            self._post_inventory()

    async def _report(self, pulse):
        while True:
            await self._port.sleep_ms(REPORT_MS)
            pulse.beat()
            await self._reporter.send(self._port, self._post)
            self.outbox.tend()

    async def _read_tags(self, pulse):
        await self._tags.first_look(pulse)
        self._looked = True
        self._post_inventory()
        early, self._early = self._early, []
        for message in early:
            self._post(message)
        await self._tags.run(pulse, self._post)

    async def _report_health(self, pulse):
        waited_ms = 0
        while True:
            await self._port.sleep_ms(ASKED_MS)
            pulse.beat()
            waited_ms += ASKED_MS
            if self._inspector is None and waited_ms < HEALTH_MS:
                continue
            identity, self._inspector = self._inspector, None
            if identity is None:
                waited_ms = 0
            health = await self._health.report(self.refused, identity)
            if self._knocks is not None:
                health["accelerometer"] = self._knocks.health()
            self.say(HEALTH, health)

    async def _shine(self, pulse):
        await self._light.run(pulse, self._port)

    async def _measure(self, pulse):
        await self._reach.run(pulse, self._post)

    async def _watch_button(self, pulse):
        while True:
            await self._port.sleep_ms(BUTTON_MS)
            pulse.beat()
            if self._board.button.take():
                self._post({"type": "button", "at": self._clock.now(), "seat": self._board.seat})
