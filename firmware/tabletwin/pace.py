"""Two paces of virtual time over a network: in lock-step with the hub, or in real time.

Lock-step: after each step the twin publishes how many messages each station has sent (tick); the hub answers when the
effects of all of them are committed, with the number it has sent to each station (tock). The twin delivers those in one
fixed order before time goes on, so two runs of one seed are equal message for message.
"""

import time
from collections.abc import Callable
from typing import Any

from tabletwin.mqtt import MqttNetwork
from tabletwin.table import VirtualTable

STEP_US = 100_000
TICK_AT_LEAST_US = 1_000_000
TOCK_S = 600.0  # by then it hangs: an answer is tenths of a second of work, on a busy machine many seconds
REAL_STEP_S = 0.03
LEAP_US = 1_000_000  # at most at once, or hands and hub would wait for what comes of it
BEHIND_US = 10_000_000  # less than makes a station count as silent is caught up with; more is a machine that slept
ROUNDS_MAX = 1000  # of question and answer at one moment


def begin_anew(table: VirtualTable, network: MqttNetwork, flush: Callable[[], bool]) -> None:
    """Cut the power of every station whose program wants to start again, and give it back."""
    for station in table.stations.values():
        if station.restart_due:
            flush()
            station.crash()
            network.leave(station)
            station.boot()
            network.join(station)


class HubSilent(OSError):
    """The hub did not answer a tick, or not on the wire's terms."""


class Lockstep:
    """Time that moves only when told, and never ahead of the hub."""

    def __init__(self, table: VirtualTable, network: MqttNetwork) -> None:
        self._table = table
        self._network = network
        self._n = 0
        self._ticked_us = 0
        self._excused: dict[str, int] = {}

    def begin(self) -> None:
        """Publish everything from before time moves."""
        self._network.until(lambda: self._network.hub_payload is not None, "the hub's own state")
        self.flush()
        self._tick()

    def step(self) -> None:
        """Take one step of virtual time, and send a tick if there is news."""
        now_us = self._table.now_us + STEP_US
        self._table.scheduler.advance(now_us)
        begin_anew(self._table, self._network, self.flush)
        if self.flush() or now_us - self._ticked_us >= TICK_AT_LEAST_US:
            self._tick()

    def settle(self) -> None:
        """Bring the hub to this moment."""
        if self.flush() or self._ticked_us < self._table.now_us:
            self._tick()

    def flush(self) -> bool:
        """Pass on what stations published; report whether there was anything."""
        outgoing = self._table.take_outgoing()
        for message in outgoing:
            self._network.publish(message)
        return bool(outgoing)

    def _tick(self) -> None:
        self._ticked_us = self._table.now_us
        for _ in range(ROUNDS_MAX):
            self._n += 1
            self._network.tick(self._n, self._ticked_us)
            self._deliver(self._answer())
            self._table.scheduler.advance(self._ticked_us)
            if not self.flush():
                return
        raise HubSilent(
            f"hub and stations answered each other {ROUNDS_MAX} times at {self._ticked_us} us: no end in sight"
        )

    def _answer(self) -> dict[str, int]:
        """Return how much the hub has published to each station, once everything named is committed."""
        deadline = time.monotonic() + TOCK_S
        while time.monotonic() < deadline:
            while self._network.tocks:
                tock = self._network.tocks.pop(0)
                if tock["n"] == self._n:
                    return dict(tock["sent"])
            self._network.serve(0.5)
        raise HubSilent(f"the hub did not answer tick {self._n} within {TOCK_S:.0f} s: look at its log")

    def _deliver(self, sent: dict[str, int]) -> None:
        """Wait until everything named has arrived, then hand it out station by station."""
        up = {name: station for name, station in self._table.stations.items() if station.program is not None}
        for name, count in sent.items():
            if name not in up:  # nobody was there to hear it
                self._excused[name] = count - self._network.received.get(name, 0)
        self._network.until(
            lambda: all(
                self._network.received.get(name, 0) + self._excused.get(name, 0) >= sent.get(name, 0)
                and self._network.hub_heard.get(name) == self._network.hub_payload
                for name in up
            ),
            "what the hub says it has sent to the stations",
            patience_s=TOCK_S,
        )
        inbox, self._network.inbox = self._network.inbox, []
        for name in sorted(up):
            for station, channel, payload in inbox:
                if station == name:
                    up[name].receive(channel, payload)


class RealPace:
    """Virtual time follows the clock on the wall, `speed` times as fast."""

    def __init__(self, table: VirtualTable, network: MqttNetwork, speed: float) -> None:
        self._table = table
        self._network = network
        self._speed = speed
        self._began_s = time.monotonic()
        self._began_us = table.now_us
        self._behind = False

    def step(self, others: tuple[Any, ...] = ()) -> list[Any]:
        """Wait at most 30 ms for messages or for one of `others`, which are returned when readable; catch up."""
        ready = self._network.serve(0.0 if self._behind else REAL_STEP_S, others)
        self._catch_up()
        return ready

    def _catch_up(self) -> None:
        """Advance time first, then take messages: a station asked for its clock must not answer with an old reading."""
        wanted_us = self._began_us + int((time.monotonic() - self._began_s) * 1e6 * self._speed)
        to_us = min(wanted_us, self._table.now_us + LEAP_US)
        self._behind = 0 < wanted_us - to_us <= BEHIND_US
        if wanted_us - to_us > BEHIND_US:
            self._began_us -= wanted_us - to_us
        self._table.scheduler.advance(max(self._table.now_us, to_us))
        begin_anew(self._table, self._network, self.flush)
        inbox, self._network.inbox = self._network.inbox, []
        for station, channel, payload in inbox:
            self._table.stations[station].receive(channel, payload)
        self.flush()

    def flush(self) -> bool:
        """Pass on what stations published; report whether there was anything."""
        outgoing = self._table.take_outgoing()
        for message in outgoing:
            self._network.publish(message)
        return bool(outgoing)
