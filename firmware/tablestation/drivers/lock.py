"""A lock for what only one of several drivers may have at a time, such as the RF field or the common start address."""

WAIT_MS = 2


class Lock:
    """A lock. Every holder releases it, so nobody waits longer than the deadlines of the others.

    `owing` is the holder that released it without cleaning up: the next one does that first.
    """

    def __init__(self):
        self.taken = False
        self.owing = None

    def take(self):
        """Take the lock if it is free; return True if it is now held."""
        if self.taken:
            return False
        self.taken = True
        return True

    async def wait(self, sleep_ms):
        """Wait until the lock is held."""
        while not self.take():
            await sleep_ms(WAIT_MS)

    def release(self):
        """Release the lock."""
        self.taken = False
