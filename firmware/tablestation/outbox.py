"""The outbox: urgent events wait here, numbered without holes, until the hub says they are committed."""

from tablewire.messages import encode
from tablewire.topics import EVENT

ROOM = 64


class Outbox:
    """Bounded. What finds no room is refused and counted in `lost`; what is in it is never dropped."""

    def __init__(self, boot, link):
        self._boot = boot
        self._link = link
        self._waiting = []  # (event_seq, payload), oldest first
        self._seq = 0
        self.online = False
        self.lost = 0

    def __len__(self):
        return len(self._waiting)

    @property
    def full(self):
        """Whether the next message would be refused."""
        return len(self._waiting) >= ROOM

    def post(self, message):
        """Number a message, keep it, and send it when there is a link; False when there was no room."""
        if self.full:
            self.lost += 1
            return False
        self._seq += 1
        message["boot"] = self._boot
        message["event_seq"] = self._seq
        payload = encode(message)
        self._waiting.append((self._seq, payload))
        if self.online:
            self._link.publish(EVENT, payload, True)
        return True

    def resend(self):
        """Send everything again, in order: the link is new, or the hub is."""
        for _, payload in self._waiting:
            self._link.publish(EVENT, payload, True)

    def acknowledge(self, boot, event_seq):
        """Forget what the hub has committed; an acknowledgement of another start frees nothing."""
        if boot != self._boot:
            return
        while self._waiting and self._waiting[0][0] <= event_seq:
            self._waiting.pop(0)
