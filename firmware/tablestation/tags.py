"""Reads tags one reader after the other, because two fields at once disturb each other.

A reading that differs from the known state is repeated at once until it is sure: the same tag twice is an arrival,
nothing three times a departure. A single missed read is neither. A reader that does not answer in time is at fault
and removes no tag; the others continue.
"""

ARRIVAL_READS = 2
DEPARTURE_READS = 3
TRIES = 6  # then it is the turn of the others
READ_MS = 500
PAGES_MS = 1000
QUESTIONS_MAX = 4
SILENT = "the tag reader does not answer: check its cable"


class Tags:
    """All readers of a station. `lying` holds the tag believed to lie on each."""

    def __init__(self, port, clock, boards, faults):
        self._port = port
        self._clock = clock
        self._faults = faults
        self._readers = [(board.spot, board.reader) for board in boards if board.reader is not None]
        self.lying = [None] * len(self._readers)
        self._answered = [0] * len(self._readers)
        self._silent = [0] * len(self._readers)
        self._faulty = [False] * len(self._readers)
        self._questions = []

    def inventory(self):
        """Return all tags that lie on readers, as wire objects."""
        return [
            {"spot": self._readers[k][0], "uid": self.lying[k]}
            for k in range(len(self._readers))
            if self.lying[k] is not None
        ]

    def health(self):
        """Return how often each reader answered and was silent since the last report, as wire objects."""
        reported = []
        for k in range(len(self._readers)):
            reported.append({"spot": self._readers[k][0], "answered": self._answered[k], "silent": self._silent[k]})
            self._answered[k] = self._silent[k] = 0
        return reported

    def ask(self, spot, first, n, answer):
        """Queue a read of tag pages; return False if there is no reader at the spot, or too many reads wait.

        `answer(uid, data)` is called later; `data` is None if the read failed.
        """
        for k in range(len(self._readers)):
            if self._readers[k][0] == spot and len(self._questions) < QUESTIONS_MAX:
                self._questions.append((k, first, n, answer))
                return True
        return False

    async def first_look(self, pulse):
        """Read every reader until the result is sure, without sending events."""
        for k in range(len(self._readers)):
            seen = await self._read(k, pulse)
            if seen is not None:
                await self._make_sure(k, seen, pulse, None)

    async def run(self, pulse, post):
        """Read in turn for ever, if there are readers. `post` takes tag events."""
        while self._readers:
            for k in range(len(self._readers)):
                seen = await self._read(k, pulse)
                if seen != self.lying[k]:
                    await self._make_sure(k, seen, pulse, post)
                if self._questions:
                    await self._read_pages(pulse)

    async def _make_sure(self, k, seen, pulse, post):
        same = 1
        for _ in range(TRIES):
            again = await self._read(k, pulse)
            same = same + 1 if again == seen else 1
            seen = again
            if seen == self.lying[k]:
                return
            if same >= (DEPARTURE_READS if seen is None else ARRIVAL_READS):
                self._believe(k, seen, post)
                return

    async def _read(self, k, pulse):
        pulse.beat()
        try:
            seen = await self._port.within(READ_MS, self._readers[k][1].read())
        except OSError:
            self._silent[k] += 1
            self._report_fault(k, True)
            return self.lying[k]  # a silent reader says nothing about the tag
        self._answered[k] += 1
        if self._faulty[k]:
            self._report_fault(k, False)
        return seen

    def _report_fault(self, k, on):
        self._faulty[k] = on
        self._faults.report(self._readers[k][0], "reader", SILENT, on)

    async def _read_pages(self, pulse):
        k, first, n, answer = self._questions.pop(0)
        pulse.beat()
        try:
            data = await self._port.within(PAGES_MS, self._readers[k][1].pages(first, n))
        except OSError:
            data = None
        answer(self.lying[k] or "", data)

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
