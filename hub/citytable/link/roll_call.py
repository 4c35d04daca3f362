"""The roll call: after a start of the hub or of its broker, no station is believed before all have reported.

Stations repeat unacknowledged messages, each as soon as it learns about the new hub, and their clocks are not known
yet. In the order of arrival, the last events of an early station would be judged before the first events of a late one:
a bag that was passed while nobody listened would go to and fro. So all messages are kept as they came until each
station has answered for its clock and has sent an inventory to this hub. The inventory comes after all repeated events,
or is the first event.
"""

from collections.abc import Iterable

from citytable.link.registry import Registry
from citytable.link.wire_in import FromStation, Inventory

FIRST = 1  # a start's first event is an inventory: before it nothing can have been repeated
SLACK_US = 50_000
"""How far clocks may have run apart since they were compared; two hubs do not follow each other so soon."""


class RollCall:
    """Called by a hub that started at `began_us`, until all have reported, or until `until_us` at the latest."""

    def __init__(self, stations: Iterable[str], began_us: int, until_us: int) -> None:
        self._missing = set(stations)
        self.began_us = began_us
        self._until_us = until_us
        self._inventories: dict[tuple[str, int], Inventory] = {}
        self._kept: list[tuple[str, FromStation, int]] = []

    def call_again(self, stations: Iterable[str], began_us: int, until_us: int) -> None:
        """Call again: the hub was away once more before all had reported."""
        self._missing.update(stations)
        self.began_us, self._until_us = began_us, until_us

    def keep(self, station: str, message: FromStation, arrived_us: int) -> None:
        """Keep a message until the call is over."""
        self._kept.append((station, message, arrived_us))
        if isinstance(message, Inventory):
            known = self._inventories.setdefault((station, message.boot), message)
            if known.event_seq < message.event_seq:
                self._inventories[station, message.boot] = message

    def await_also(self, station: str) -> None:
        """Wait for one more station with a retained birth: it was there before the hub, and will repeat its events."""
        self._missing.add(station)

    def is_over(self, registry: Registry, now_us: int) -> bool:
        """Return whether all awaited stations have reported; one that said goodbye is not awaited."""
        self._missing = {name for name in self._missing if not self._has_answered(registry, name)}
        return not self._missing or now_us >= self._until_us

    def kept(self) -> list[tuple[str, FromStation, int]]:
        """Return station, message and arrival of everything kept, in the order of arrival."""
        return self._kept

    def _has_answered(self, registry: Registry, name: str) -> bool:
        record = registry.station(name)
        if record is None or record.boot is None:
            return False
        if record.dead:
            return True
        clock, inventory = record.boots[record.boot].clock, self._inventories.get((name, record.boot))
        if inventory is None or clock.offset_us is None:
            return False
        said_us = inventory.at.total_us + clock.offset_us + clock.error_us
        return inventory.event_seq == FIRST or said_us >= self.began_us - SLACK_US
