"""A turn: what only one of several drivers may have at a time, such as the RF field, or the address all begin with."""

WAIT_MS = 2


class Turn:
    """Given back by whoever has it, always; so whoever waits waits no longer than the others' deadlines.

    `owing` is who gave it back without having left things in order: the next one sees to that first.
    """

    def __init__(self):
        self.taken = False
        self.owing = None

    def take(self):
        """True when it is ours now."""
        if self.taken:
            return False
        self.taken = True
        return True

    async def wait(self, sleep_ms):
        """Until it is ours."""
        while not self.take():
            await sleep_ms(WAIT_MS)

    def give_back(self):
        """The next one's."""
        self.taken = False
