"""The outbox keeps urgent events, numbered without gaps, until the hub reports that they are committed."""

from tablewire.messages import encode
from tablewire.topics import EVENT

ROOM = 64
PATIENCE_ROUNDS = 50  # without an acknowledgement, then everything is sent again; twice as long each time
PATIENCE_MAX = 800


class Outbox:
    """A bounded queue. A message without room is refused and counted in `lost`; a queued one is never dropped."""

    def __init__(self, boot, link):
        self._boot = boot
        self._link = link
        self._waiting = []  # (event_seq, payload), oldest first
        self._handed = 0  # how many of these the link has taken
        self._seq = 0
        self._patience = PATIENCE_ROUNDS
        self._rounds = 0
        self.online = False
        self.lost = 0

    def __len__(self):
        return len(self._waiting)

    @property
    def full(self):
        """Report whether the next message would be refused."""
        return len(self._waiting) >= ROOM

    def post(self, message):
        """Number a message, keep it, and send it if there is a link; return False if there was no room."""
        if self.full:
            self.lost += 1
            return False
        self._seq += 1
        message["boot"] = self._boot
        message["event_seq"] = self._seq
        self._waiting.append((self._seq, encode(message)))
        self._hand_on()
        return True

    def resend(self):
        """Send everything again, in order: the link or the hub is new."""
        self._handed = self._rounds = 0
        self._hand_on()

    def tend(self):
        """Send again what the link had no room for or the hub did not acknowledge. Call this ten times a second."""
        self._hand_on()
        if not self.online or not self._handed:
            return
        self._rounds += 1
        if self._rounds >= self._patience:
            self._patience = min(2 * self._patience, PATIENCE_MAX)
            self.resend()

    def acknowledge(self, boot, event_seq):
        """Remove what the hub has committed; ignore an acknowledgement for another boot."""
        if boot != self._boot:
            return
        while self._waiting and self._waiting[0][0] <= event_seq:
            self._waiting.pop(0)
            self._handed = max(0, self._handed - 1)
            self._rounds = 0
            self._patience = PATIENCE_ROUNDS

    def _hand_on(self):
        while self.online and self._handed < len(self._waiting):
            if not self._link.publish(EVENT, self._waiting[self._handed][1], True):
                return
            self._handed += 1
