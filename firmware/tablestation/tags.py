"""Reading tags: one reader after the other, because two fields at once disturb each other.

What a reader says differently from what is believed is read again at once until it is sure: the same tag twice is an
arrival, nothing three times a departure. A single missed read is neither.
"""

ARRIVAL_READS = 2
DEPARTURE_READS = 3
TRIES = 6  # then the others have their turn


class Tags:
    """All readers of a station. `lying` holds what is believed to lie on each."""

    def __init__(self, clock, boards):
        self._clock = clock
        self._readers = [(board.spot, board.reader) for board in boards if board.reader is not None]
        self.lying = [None] * len(self._readers)
        self._silent = [False] * len(self._readers)

    def inventory(self):
        """Every tag that lies there, as wire objects."""
        return [
            {"spot": self._readers[k][0], "uid": self.lying[k]}
            for k in range(len(self._readers))
            if self.lying[k] is not None
        ]

    async def first_look(self):
        """Read every reader until it is sure, telling nobody."""
        for k in range(len(self._readers)):
            await self._look(k, None)

    async def run(self, post):
        """For ever; `post` takes tag and fault events."""
        while self._readers:
            for k in range(len(self._readers)):
                await self._look(k, post)

    async def _look(self, k, post):
        believed = self.lying[k]
        seen = await self._read(k, post)
        if seen == believed:
            return
        same = 1
        for _ in range(TRIES):
            again = await self._read(k, post)
            same = same + 1 if again == seen else 1
            seen = again
            if seen == believed:
                return
            if same >= (DEPARTURE_READS if seen is None else ARRIVAL_READS):
                self._believe(k, seen, post)
                return

    async def _read(self, k, post):
        try:
            seen = await self._readers[k][1].read()
        except OSError:
            if post is not None:
                self._tell_silence(k, True, post)
            return self.lying[k]  # a silent reader says nothing about the tag
        if self._silent[k] and post is not None:
            self._tell_silence(k, False, post)
        return seen

    def _believe(self, k, uid, post):
        spot = self._readers[k][0]
        before = self.lying[k]
        self.lying[k] = uid
        if post is None:
            return
        at = self._clock.now()
        if before is not None:
            post({"type": "tag", "at": at, "spot": spot, "uid": before, "here": False})
        if uid is not None:
            post({"type": "tag", "at": at, "spot": spot, "uid": uid, "here": True})

    def _tell_silence(self, k, on, post):
        if self._silent[k] == on:
            return
        what = "the tag reader does not answer: check its cable"
        fault = {"type": "fault", "at": self._clock.now(), "spot": self._readers[k][0], "sensor": "reader"}
        fault["what"] = what
        fault["on"] = on
        if post(fault):
            self._silent[k] = on
