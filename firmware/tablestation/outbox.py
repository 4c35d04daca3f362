"""The outbox: urgent events wait here, numbered without holes, until the hub says they are committed."""

from tablewire.messages import encode
from tablewire.topics import EVENT

ROOM = 64
PATIENCE_ROUNDS = 50  # without an acknowledgement, then everything is sent again; twice as long each time
PATIENCE_MAX = 800


class Outbox:
    """Bounded. What finds no room is refused and counted in `lost`; what is in it is never dropped."""

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
        self._waiting.append((self._seq, encode(message)))
        self._hand_on()
        return True

    def resend(self):
        """Send everything again, in order: the link is new, or the hub is."""
        self._handed = self._rounds = 0
        self._hand_on()

    def tend(self):
        """To be called ten times a second: what the link had no room for and what nobody acknowledges goes again."""
        self._hand_on()
        if not self.online or not self._handed:
            return
        self._rounds += 1
        if self._rounds >= self._patience:
            self._patience = min(2 * self._patience, PATIENCE_MAX)
            self.resend()

    def acknowledge(self, boot, event_seq):
        """Forget what the hub has committed; an acknowledgement of another start frees nothing."""
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
