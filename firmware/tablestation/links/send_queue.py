"""Messages that wait to be sent: urgent ones and samples, both bounded."""

URGENT_MAX = 160  # twice what the outbox holds, and answers: payloads are shared with the outbox, not copied
SAMPLES_BYTES_MAX = 16384


class SendQueue:
    """Two queues of (channel, payload, retain). `dropped` counts samples without room since the start."""

    def __init__(self):
        self._urgent = []
        self._samples = []
        self._samples_bytes = 0
        self.dropped = 0

    def put(self, channel, payload, urgent, retain):
        """Queue a message; return False if there is no room for an urgent one. New samples displace old ones."""
        if urgent:
            if len(self._urgent) >= URGENT_MAX:
                return False
            self._urgent.append((channel, payload, retain))
            return True
        self._samples.append((channel, payload, retain))
        self._samples_bytes += len(payload)
        while self._samples_bytes > SAMPLES_BYTES_MAX:
            self._samples_bytes -= len(self._samples.pop(0)[1])
            self.dropped += 1
        return True

    def take(self):
        """Return the next message, or None; urgent messages go before samples."""
        if self._urgent:
            return self._urgent.pop(0)
        if self._samples:
            message = self._samples.pop(0)
            self._samples_bytes -= len(message[1])
            return message
        return None

    def clear(self):
        """Drop everything: the outbox sends events again, and samples are lost."""
        self.dropped += len(self._samples)
        self._urgent, self._samples, self._samples_bytes = [], [], 0
