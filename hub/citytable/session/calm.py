"""Calm: which disagreements are alarms, and which are hands at work. Pure: the time is handed in.

A thing that lies nowhere is in somebody's hand, and a card that lies on too long belongs to the action that is under
way. Both are the game itself. What stays longer than people take for it is an alarm. Stations and sensors that fail
are alarms at once, and so is everything that is to be put back after an undo.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from msgspec.structs import replace

from citytable.table.status import Disagreement, Kind, State, Status

IN_HAND_US = 20_000_000  # a platform with a tower on it is carried slowly
SETTLING_US = 2_500_000  # hands put down, look, and push straight
_Key: TypeAlias = tuple[str, tuple[str, ...], str, tuple[str, ...], str]  # of a disagreement, whatever its sentence
_AT_ONCE: frozenset[Kind] = frozenset({"station_silent", "sensor_fault"})


@dataclass(frozen=True)
class Calm:
    """Remembers since when every disagreement has been there (hub time)."""

    since_us: Mapping[_Key, int] = field(default_factory=dict)

    def after(self, status: Status, t_us: int) -> "Calm":
        """Return what is remembered after a look at the status at this time."""
        return Calm({_key(one): self.since_us.get(_key(one), t_us) for one in status.disagreements})

    def judged(self, status: Status, t_us: int, under_way: Iterable[str]) -> Status:
        """Return the status with the state of every disagreement; `under_way` are the actions in notation."""
        named = {value for action in under_way for value in _values(action)}
        return Status(tuple(replace(one, state=self._state(one, t_us, named)) for one in status.disagreements))

    def _state(self, one: Disagreement, t_us: int, named: set[str]) -> State:
        age_us = t_us - self.since_us.get(_key(one), t_us)
        if one.kind in _AT_ONCE:
            return "wrong"
        if one.kind == "missing":
            return "in_hand" if age_us < IN_HAND_US else "wrong"
        belongs = one.kind == "unexpected" and not named.isdisjoint(one.thing.split("/")[1:2])
        return "settling" if age_us < (IN_HAND_US if belongs else SETTLING_US) else "wrong"


def _key(one: Disagreement) -> _Key:
    return one.kind, one.spots, one.thing, one.to, one.action


def _values(action: str) -> list[str]:
    return [value for word in action.split() if "=" in word for value in word.partition("=")[2].split(",")]
