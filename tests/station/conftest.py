"""A bench for the station program: a clock that jumps, a link that remembers, drivers that say what they are told."""

import heapq
import json
from errno import EIO
from types import coroutine

import pytest

from tablestation.seam import Board, SpotBoard
from tablestation.station import Station
from tablewire.messages import decode, encode

TICKS = 1 << 30
PERIOD_US = 12_500


@coroutine
def _sleep(us):
    yield us


@coroutine
def _within(limit_us, work):
    """What `work` returns, unless it sleeps for longer than that altogether."""
    for pause_us in iter(lambda: _step(work), None):
        if isinstance(pause_us, tuple):
            return pause_us[0]
        if pause_us > limit_us:
            work.close()
            yield limit_us
            raise OSError("no answer in time")
        limit_us -= pause_us
        yield pause_us


def _step(work):
    """The next pause, or what is returned as a tuple of one."""
    try:
        return work.send(None)
    except StopIteration as stop:
        return (stop.value,)


class Port:
    """Virtual time; the ticks begin `wraps_in_us` before they wrap."""

    def __init__(self, wraps_in_us=500_000_000, boot=4711):
        self.now_us = 0
        self._start = TICKS - wraps_in_us
        self._boot = boot
        self._order = 0
        self._sleeping = []
        self.free = 100_000
        self.fields = 0
        self.overlapped = False
        self.fed_us = None

    def ticks_us(self):
        return (self._start + self.now_us) % TICKS

    def sleep_ms(self, ms):
        return _sleep(ms * 1000)

    def within(self, ms, work):
        return _within(ms * 1000, work)

    def random30(self):
        return self._boot

    def free_bytes(self):
        return self.free

    def feed(self):
        self.fed_us = self.now_us

    def spawn(self, task):
        self._order += 1
        heapq.heappush(self._sleeping, (self.now_us, self._order, task))

    def run(self, ms):
        end = self.now_us + ms * 1000
        while self._sleeping and self._sleeping[0][0] <= end:
            self.now_us, _, task = heapq.heappop(self._sleeping)
            try:
                pause = task.send(None)
            except StopIteration:
                continue
            self._order += 1
            heapq.heappush(self._sleeping, (self.now_us + pause, self._order, task))
        self.now_us = end

    def stop(self):
        for _, _, task in self._sleeping:
            task.close()


class Link:
    def __init__(self, port):
        self._port = port
        self.published = []
        self.times_us = []  # when, and how many bytes
        self.up = True
        self.dropped = 0

    def publish(self, channel, payload, urgent, retain=False):
        self.times_us.append((self._port.now_us, len(payload)))
        if self.up:
            self.published.append((channel, payload, urgent, retain))
        return self.up


class Cell:
    """A conversion every 12.5 ms: what `level` says, with a ripple of +-20 counts."""

    def __init__(self, port, level=10_000):
        self._port = port
        self.level = level if callable(level) else (lambda _t_us, _level=level: _level)
        self.alive = True
        self.ripple = 20
        self.period_us = PERIOD_US
        self.lost = 0
        self._next_us = PERIOD_US

    def drain(self, counts, ticks, at):
        n = 0
        while self._next_us <= self._port.now_us and at + n < len(counts):
            if self.alive:
                ripple = (self.ripple, -self.ripple)[self._next_us // self.period_us % 2]
                counts[at + n] = self.level(self._next_us) + ripple
                ticks[at + n] = (self._port.ticks_us() - (self._port.now_us - self._next_us)) % TICKS
                n += 1
            self._next_us += self.period_us
        return n


class Reader:
    """Reads what `says(t_us)` says; "silent" is a reader that does not answer, "hangs" one that never returns."""

    def __init__(self, port):
        self._port = port
        self.says = lambda _t_us: None
        self.memory = None
        self.reads = 0

    async def read(self):
        await self._field(40_000)
        self.reads += 1
        said = self.says(self._port.now_us)
        if said == "hangs":
            await _sleep(10**12)
        if said == "silent":
            raise OSError("no answer")
        return said

    async def pages(self, first, n):
        await self._field(60_000)
        if self.memory is None:
            raise OSError("no tag")
        return self.memory[4 * first : 4 * (first + n)]

    async def _field(self, us):
        """One RF field on, and who else has one."""
        self._port.fields += 1
        self._port.overlapped = self._port.overlapped or self._port.fields > 1
        await _sleep(us)
        self._port.fields -= 1


class Ring:
    def __init__(self):
        self.frames = []

    def write(self, rgb):
        self.frames.append(bytes(rgb))


class Once:
    """A button: gives what was put into it, one per call."""

    def __init__(self):
        self.waiting = []

    def take(self):
        return self.waiting.pop(0) if self.waiting else None


class Ranger:
    """A reading of `mm` every 33 ms; none at all when that is None, and no answer when it is "silent"."""

    def __init__(self, port):
        self._port = port
        self.mm = 45
        self._last_us = 0

    def start(self):
        self.take()

    def take(self):
        if self.mm == "silent":
            raise OSError(EIO, "no answer")
        if self.mm is None or self._port.now_us - self._last_us < 33_000:
            return None
        self._last_us = self._port.now_us
        return (self.mm, 0)


class BenchBoard(Board):
    """Looks at its cells every `poll_ms`."""

    def __init__(self, port, spots, button, ring_ma):
        super().__init__("seat", spots, button, 2, ring_ma)
        self._port = port
        self.poll_ms = 20
        self.shown = 0
        self.lamps = []

    async def pause(self):
        await self._port.sleep_ms(self.poll_ms)

    def show_rings(self):
        self.shown += 1

    def lamp(self, on):
        self.lamps.append(bool(on))


COUNTS_PER_G = 1000


class Bench:
    """One station on fakes. `cells`, `readers`, `rings`, `rangers` by spot."""

    def __init__(self, port=None, ring_ma=400):
        self.port = port or Port()
        self.link = Link(self.port)
        self.cells, self.readers, self.rings, self.rangers = {}, {}, {}, {}
        self.button = Once()
        self.ring_ma = ring_ma
        self.accelerometer = None
        self._spots = []
        self.station = None

    def spot(self, name, cells=(), reader=False, ring=0, crane=False, alert_g=0):
        self.cells[name] = [Cell(self.port, level) for level in cells]
        self.readers[name], self.rings[name], self.rangers[name] = Reader(self.port), Ring(), Ranger(self.port)
        spot = SpotBoard(name, self.cells[name])
        spot.alert_g, spot.counts_per_g = alert_g, [COUNTS_PER_G] * len(cells)
        spot.reader = self.readers[name] if reader else None
        spot.ring, spot.ring_leds = (self.rings[name], ring) if ring else (None, 0)
        spot.ranger = self.rangers[name] if crane else None
        self._spots.append(spot)
        return self

    def start(self, connected=True):
        self.board = BenchBoard(self.port, self._spots, self.button, self.ring_ma)
        self.board.accelerometer = self.accelerometer
        self.station = Station(self.port, self.link, self.board)
        self.station.start()
        self.link.up = connected
        if connected:
            self.station.connected()
        return self

    def run(self, ms):
        self.port.run(ms)
        return self

    def told(self, *types):
        """Messages of these types so far, each checked against the wire; an event that is sent again counts once."""
        once = dict.fromkeys((channel, payload) for channel, payload, _, _ in self.link.published)
        messages = [decode(channel, payload) for channel, payload in once]
        return [message for message in messages if not types or message["type"] in types]

    def forget(self):
        self.link.published.clear()

    def hear(self, channel, **message):
        """A message of the hub."""
        self.station.receive(channel, encode(message))

    def ack(self, event_seq, boot=None):
        self.hear("ack", type="ack", boot=self.station.boot if boot is None else boot, event_seq=event_seq)

    def raw(self):
        return [json.loads(payload) for _, payload, _, _ in self.link.published]


@pytest.fixture
def make_bench():
    """`make_bench()` gives an empty bench: add spots, then start it."""

    made = []

    def make(wraps_in_us=500_000_000, boot=4711, ring_ma=400):
        made.append(Bench(Port(wraps_in_us, boot), ring_ma))
        return made[-1]

    yield make
    for one in made:
        one.port.stop()


@pytest.fixture
def bench(make_bench):
    return make_bench()
