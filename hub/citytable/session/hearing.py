"""Accelerometers of the plan that are silent: meanwhile falls are detected by weight alone, and play goes on."""

from collections.abc import Iterable

from citytable.link.complaints import complaint
from citytable.link.inbox import Received, SpokeAgain, WentSilent
from citytable.link.wire_in import Birth, Death, Knocks
from citytable.table.plan import Plan

DEAF_US = 10_000_000
"""By what else the station said meanwhile: who listens says so once a second. Where a hub or a network stalls, nobody
knows of an accelerometer."""


class Hearing:
    """Waits for the accelerometers of a plan, of those stations that are there."""

    def __init__(self, plan: Plan) -> None:
        self._awaited = frozenset(one.station for one in plan.stations if one.accelerometer)
        self._births: dict[str, Birth] = {}
        self._heard_us: dict[str, int] = {}
        self._spoke_us: dict[str, int] = {}
        self._deaf: frozenset[str] = frozenset()

    def mind(self, received: Iterable[Received]) -> None:
        """Take in messages of stations."""
        for one in received:
            if one.station not in self._awaited:
                continue
            self._spoke_us[one.station] = one.t_us
            match one.message:
                case Birth() as birth:
                    self._begins(one, birth)
                case SpokeAgain(birth=birth):
                    self._begins(one, birth)
                case Knocks():
                    self._heard_us[one.station] = one.t_us
                case Death() | WentSilent():
                    self._heard_us.pop(one.station, None)
        self._deaf = frozenset(name for name, us in self._heard_us.items() if self._spoke_us[name] - us > DEAF_US)

    def _begins(self, one: Received, birth: Birth) -> None:
        self._births[one.station] = birth
        self._heard_us[one.station] = one.t_us

    def complaints(self) -> dict[str, dict[str, str]]:
        """Return a sentence in each language for every station whose accelerometer is missed."""
        return {name: complaint(self._why(name)) for name in self._deaf}

    def _why(self, station: str) -> str:
        birth = self._births.get(station)
        return "no_accelerometer" if birth is not None and birth.accelerometer is None else "deaf"
