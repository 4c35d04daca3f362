"""The station: its tasks, and what it answers to the hub.

At every start it looks at all its readers before it says anything about tags, and begins with an inventory; so the hub
never has to guess what happened while the station was away.
"""

from tablestation import FIRMWARE
from tablestation.clock import Clock
from tablestation.light import Light
from tablestation.outbox import ROOM, Outbox
from tablestation.seam import HUB_STATE
from tablestation.tags import Tags
from tablestation.weigh import Weigh
from tablewire.messages import BadMessage, decode, encode
from tablewire.topics import ACK, LIGHT, PING, PONG, STATE

BUTTON_MS = 50
CRANE_MS = 200


class Station:
    """One start of one station. A restart is a new object: its `boot`, clock and sequence numbers begin anew."""

    def __init__(self, port, link, board):
        self._port = port
        self._link = link
        self._board = board
        self.boot = port.random30()
        self._clock = Clock(port)
        self.outbox = Outbox(self.boot, link)
        self._weigh = Weigh(port, self._clock, link, self.boot, board.spots)
        self._tags = Tags(self._clock, board.spots)
        self._light = Light(board.spots, board.ring_ma)
        self._looked = False
        self._hub_boot = None
        self.refused = 0

    def start(self):
        """Begin all tasks."""
        self._port.spawn(self._weigh.run(self._post))
        self._port.spawn(self._light.run(self._port))
        self._port.spawn(self._begin())

    def will(self):
        """The payload the broker publishes, retained, on the state channel when this start is gone."""
        return encode({"type": "death", "boot": self.boot})

    def connected(self):
        """The link is there (again): say who we are, and everything that waits."""
        birth = {"type": "birth", "boot": self.boot, "kind": self._board.kind, "firmware": FIRMWARE}
        birth["at"] = self._clock.now()
        birth["spots"] = [spot.describe() for spot in self._board.spots]
        self._link.publish(STATE, encode(birth), True, True)
        self.outbox.online = True
        self.outbox.resend()

    def disconnected(self):
        """The link is gone: events wait, samples are lost (their sequence numbers show it)."""
        self.outbox.online = False

    def receive(self, channel, payload):
        """Whatever the hub says; what is not on the wire's terms is counted and ignored."""
        arrived = self._clock.now()
        try:
            message = decode(STATE if channel == HUB_STATE else channel, payload)
        except BadMessage:
            self.refused += 1
            return
        if channel == ACK:
            self.outbox.acknowledge(message["boot"], message["event_seq"])
            self._tell_losses()
        elif channel == LIGHT:
            self._light.show(message["rings"])
        elif channel == PING:
            pong = {"type": "pong", "boot": self.boot, "id": message["id"], "received": arrived}
            pong["sent"] = self._clock.now()
            self._link.publish(PONG, encode(pong), True)
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

    def _post(self, message):
        """False when it has to be told again later: nothing comes before the first inventory, and a fault that finds
        no room is not lost, because it lasts."""
        if not self._looked or (message["type"] == "fault" and self.outbox.full):
            return False
        self.outbox.post(message)
        return True

    def _post_inventory(self):
        if not self._looked:
            return
        message = {"type": "inventory", "at": self._clock.now(), "tags": self._tags.inventory()}
        if self.outbox.lost:
            message["events_lost"] = self.outbox.lost
        if self.outbox.post(message) and "events_lost" in message:
            self.outbox.lost = 0

    def _tell_losses(self):
        if self.outbox.lost and len(self.outbox) <= ROOM // 2:
            self._post_inventory()

    async def _begin(self):
        await self._tags.first_look()
        self._looked = True
        self._post_inventory()
        self._port.spawn(self._tags.run(self._post))
        self._port.spawn(self._watch_crane())
        if self._board.button is not None:
            self._port.spawn(self._watch_button())

    async def _watch_button(self):
        while True:
            await self._port.sleep_ms(BUTTON_MS)
            if self._board.button.take():
                self._post({"type": "button", "at": self._clock.now(), "seat": self._board.seat})

    async def _watch_crane(self):
        cranes = [(spot.spot, spot.crane) for spot in self._board.spots if spot.crane is not None]
        while cranes:
            await self._port.sleep_ms(CRANE_MS)
            for spot, crane in cranes:
                reading = crane.take()
                if reading is not None:
                    message = {"type": "height", "at": self._clock.now(), "spot": spot}
                    message["range_mm"], message["spread_mm"], message["n"] = reading
                    self._post(message)
