"""Calm: distinguishes alarms from hands at work among the disagreements. Pure: the time is handed in.

A thing that is nowhere is in somebody's hand, a card in the wrong place may belong to the action under way, and a tower
may rest for a moment where it must not stay. All this is part of the game. A disagreement becomes an alarm if it lasts
longer than people take for such acts. Failures of stations and sensors are alarms at once, and so is everything that
must be put back after an undo.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from msgspec.structs import replace

from citytable.table.status import Disagreement, Kind, State, Status

IN_HAND_US = 20_000_000  # a platform with a tower on it is carried slowly
SETTLING_US = 2_500_000  # hands put down, look, and push straight
RESTING_US = 6_000_000  # identifies a disagreement
_Key: TypeAlias = tuple[str, tuple[str, ...], str, tuple[str, ...], str]  # of a disagreement, whatever its sentence
_AT_ONCE: frozenset[Kind] = frozenset({"station_silent", "sensor_fault"})


@dataclass(frozen=True)
class Calm:
    """Remembers since when every disagreement has been there (hub time)."""

    since_us: Mapping[_Key, int] = field(default_factory=dict)

    def after(self, status: Status, t_us: int) -> "Calm":
        """Return the memory after a look at the status at this time."""
        return Calm({_key(one): self.since_us.get(_key(one), t_us) for one in status.disagreements})

    def judged(self, status: Status, t_us: int, under_way: Iterable[str]) -> Status:
        """Return the status with the state of every disagreement; `under_way` are the actions in notation."""
        named = _named(under_way)
        return Status(tuple(replace(one, state=self._state(one, t_us, named)) for one in status.disagreements))

    def ripens_us(self, status: Status, t_us: int, under_way: Iterable[str]) -> int | None:
        """Return when the next disagreement becomes an alarm; None if all are alarms, or there is none."""
        named = _named(under_way)
        due = (self._since_us(one, t_us) + _patience_us(one, named) for one in status.disagreements)
        return min((at_us for at_us in due if at_us > t_us), default=None)

    def _state(self, one: Disagreement, t_us: int, named: set[str]) -> State:
        if t_us - self._since_us(one, t_us) >= _patience_us(one, named):
            return "wrong"
        return "in_hand" if one.kind == "missing" else "settling"

    def _since_us(self, one: Disagreement, t_us: int) -> int:
        return self.since_us.get(_key(one), t_us)


def _patience_us(one: Disagreement, named: set[str]) -> int:
    """Return how long a disagreement may last before it is an alarm; `named` are the things of the acts under way."""
    if one.kind in _AT_ONCE:
        return 0
    if one.kind in {"refused", "mass"}:
        return RESTING_US
    belongs = one.kind == "unexpected" and not named.isdisjoint(one.thing.split("/")[1:2])
    return IN_HAND_US if belongs or one.kind in {"missing", "unclear"} else SETTLING_US


def _key(one: Disagreement) -> _Key:
    return one.kind, one.spots, one.thing, one.to, one.action


def _named(actions: Iterable[str]) -> set[str]:
    """Return all values that actions in notation name."""
    return {
        value
        for action in actions
        for word in action.split()
        if "=" in word
        for value in word.partition("=")[2].split(",")
    }
