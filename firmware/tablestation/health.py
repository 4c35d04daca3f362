"""Health: the state of the sensors for makers, every ten seconds and on request."""

from math import sqrt

from tablestation.clock import ticks_between
from tablestation.gate import COUNTED

PERIOD_MS = 10_000
ASKED_MS = 100  # at most until a request is answered


class CellHealth:
    """The health of one cell since the last report."""

    def __init__(self, gate, ticks):
        self._gate = gate
        self._since = ticks
        self._taken = gate.taken
        self._lost = gate.lost
        self._at_rail = gate.at_rail

    def report(self, now):
        """Return a wire object without its names. Values and noise cover the last two or three seconds."""
        gate = self._gate
        passed_us = max(1, ticks_between(self._since, now))
        newest = gate.newest()
        reported = {
            "rate_hz": round(((gate.taken - self._taken) & COUNTED) * 1e6 / passed_us, 1),
            "saturated": (gate.at_rail - self._at_rail) & COUNTED,
            "distinct": len(set(newest)),
            "noise": round(noise_of(newest), 1),
            "lost": (gate.lost - self._lost) & COUNTED,
        }
        self._since, self._taken, self._lost, self._at_rail = now, gate.taken, gate.lost, gate.at_rail
        return reported


def noise_of(values):
    """Return the standard deviation from differences of neighbours, which a slow change of load does not affect."""
    if len(values) < 2:
        return 0.0
    squares = 0
    earlier = values[0]
    for value in values:
        squares += (value - earlier) * (value - earlier)
        earlier = value
    return sqrt(squares / (2 * (len(values) - 1)))


class Health:
    """The health of a whole station, as a message without its type and boot."""

    def __init__(self, port, clock, link, weigh, tags, reach):  # noqa: PLR0913, PLR0917 (all it tells of)
        self._port = port
        self._clock = clock
        self._link = link
        self._weigh = weigh
        self._tags = tags
        self._reach = reach
        self._cells = [[CellHealth(gate, weigh.block_end) for gate in scale.gates] for scale in weigh.scales]
        self._dropped = 0
        self._refused = 0

    async def report(self, refused, identity=None):
        """Return the health since the last report. `refused` counts messages to the station since its start.

        Other tasks run between two cells: each cell takes about 10 ms on a Pico.
        """
        message = {"type": "health", "at": self._clock.now()}
        if identity is not None:
            message["id"] = identity
        free_bytes = self._port.free_bytes()
        if free_bytes is not None:
            message["free_bytes"] = free_bytes
        message["gap_us"] = self._weigh.gap_us
        message["dropped"] = self._link.dropped - self._dropped
        message["refused"] = refused - self._refused
        self._weigh.gap_us = 0
        self._dropped = self._link.dropped
        self._refused = refused
        message["cells"] = cells = []
        for scale, healths in zip(self._weigh.scales, self._cells):
            for k in range(len(healths)):
                reported = healths[k].report(self._weigh.block_end)
                reported["spot"] = scale.spot
                reported["cell"] = k
                cells.append(reported)
                await self._port.sleep_ms(0)
        message["readers"] = self._tags.health()
        message["rangers"] = self._reach.health()
        return message
