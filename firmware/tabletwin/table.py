"""The virtual table without a network: world, stations and virtual time."""

from random import Random
from typing import Protocol

from tabletwin.board import Sent, VirtualStation
from tabletwin.drivers import Ring
from tabletwin.pieces import whole_set
from tabletwin.plan import Plan
from tabletwin.scheduler import Impossible, Scheduler
from tabletwin.shocks import Shocks
from tabletwin.world import World


class Network(Protocol):
    """The network between stations: the real one speaks MQTT, tests use one in memory."""

    def join(self, station: VirtualStation) -> None:
        """Connect a station that has just booted and call its `link_up`."""

    def leave(self, station: VirtualStation) -> None:
        """Cut a station off without a farewell."""


class VirtualTable:
    """Everything that depends on the seed only. `outgoing` holds what stations published and nobody took yet."""

    def __init__(self, plan: Plan, seed: int) -> None:
        self.plan = plan
        self.seed = seed
        self.scheduler = Scheduler()
        self.outgoing: list[Sent] = []
        rng = Random(f"{seed}/world")
        shocks = Shocks(plan, Random(f"{seed}/shocks"), self._now_us)
        self.world = World(plan, whole_set(rng), rng, self._now_us, shocks)
        self.stations = {
            station.station: VirtualStation(station, self.world, self.scheduler, seed, self.outgoing.append)
            for station in plan.stations
        }

    @property
    def now_us(self) -> int:
        """Return the virtual time since the start."""
        return self.scheduler.now_us

    def power_on(self, network: Network) -> None:
        """Boot every station."""
        for station in self.stations.values():
            station.boot()
            network.join(station)

    def power_off(self) -> None:
        """End every program."""
        for station in self.stations.values():
            station.crash()

    def ring(self, spot: str) -> Ring:
        """Return the ring at a spot; raise Impossible if there is none."""
        for station in self.stations.values():
            if spot in station.rings:
                return station.rings[spot]
        raise Impossible(f"at {spot} is no ring")

    def take_outgoing(self) -> list[Sent]:
        """Return the messages that stations published since the last call, in order."""
        taken = list(self.outgoing)
        self.outgoing.clear()
        return taken

    def _now_us(self) -> int:
        return self.scheduler.now_us
