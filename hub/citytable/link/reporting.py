"""Reports the health of every station for the stations page, also of those with unreadable or too many messages."""

from collections import Counter, deque

import msgspec

from citytable.link.budgets import Budgets
from citytable.link.complaints import complaint
from citytable.link.registry import Registry, Standing
from citytable.link.wire_in import BadMessage
from citytable.table.health import Health

NOTES_KEPT = 200
BAD_SHOWN_US = 60_000_000
"""How long the stations page tells of a message that could not be read."""


class Reporting:
    """The reports on the stations of a table. `notes` are the latest unreadable messages, `bad_messages` counts them.

    They are counted by station; under the empty name if there are more names than the hub keeps.
    """

    def __init__(self, registry: Registry, budgets: Budgets) -> None:
        self.notes: deque[BadMessage] = deque(maxlen=NOTES_KEPT)
        self.bad_messages: Counter[str] = Counter()
        self._registry = registry
        self._budgets = budgets
        self._last_bad: dict[str, BadMessage] = {}
        self._heard_us = 0

    def heard(self, arrived_us: int) -> None:
        """Note that a message arrived: time has come so far."""
        self._heard_us = max(self._heard_us, arrived_us)

    def note(self, bad: BadMessage) -> None:
        """Note a message that cannot be read."""
        self.notes.append(bad)
        known = bad.station in self.bad_messages or self._registry.has_place(bad.station, self.bad_messages)
        name = bad.station if known else ""
        self.bad_messages[name] += 1
        self._last_bad[name] = bad

    def health(self) -> tuple[Health, ...]:
        """Return the health of every station by name, also of those with unreadable messages."""
        known = self._registry.health()
        names = {station.station for station in known}
        bad = {name: last for name, last in self._last_bad.items() if self._heard_us - last.arrived_us <= BAD_SHOWN_US}
        floods = self._budgets.flooding(self._heard_us)
        others = {name: last.arrived_us for name, last in bad.items()} | dict.fromkeys(floods, self._heard_us)
        strangers = (_stranger(name, at_us) for name, at_us in others.items() if name and name not in names)
        everybody = sorted((*known, *strangers), key=lambda station: station.station)
        return tuple(
            self._reported(station, bad.get(station.station), floods.get(station.station, 0)) for station in everybody
        )

    def standing(self) -> tuple[Standing, ...]:
        """Return the standing of every station: the part of `health` that people see at once."""
        if not self._last_bad and not self._budgets.flooding(self._heard_us):
            return self._registry.standing()
        return tuple((one.station, one.online, one.faults) for one in self.health())

    def _reported(self, health: Health, bad: BadMessage | None, shed: int) -> Health:
        faults = health.faults
        if shed:
            faults = (complaint("floods", count=shed), *faults)
        if bad is not None:
            count = self.bad_messages[health.station]
            faults = (*faults, complaint("unreadable", count=count, topic=bad.topic, seen=bad.sentence))
        return health if faults == health.faults else msgspec.structs.replace(health, faults=faults)


def _stranger(name: str, last_seen_us: int) -> Health:
    """Return the health of a station of which not one message could be read."""
    return Health(
        station=name,
        online=False,
        boot=0,
        firmware="",
        offset_us=None,
        last_seen_us=last_seen_us,
        samples_lost=0,
        events_lost=0,
    )
