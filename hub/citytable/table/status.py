"""Status: every disagreement between the table and the game, at once."""

from typing import Literal, TypeAlias

import msgspec

from citytable.table.spot import Spot

Kind: TypeAlias = Literal[
    "missing",  # a thing is missing from these spots
    "unexpected",  # a thing is in a wrong place
    "unregistered",  # a tag that is not registered
    "mass",  # a scale shows a wrong weight
    "station_silent",
    "sensor_fault",
    "refused",  # an act that breaks a rule; `rule` names it
    "unclear",  # everything is in its place, but no story explains all reports of the sensors
]


State: TypeAlias = Literal[
    "wrong",  # it stays: an alarm
    "in_hand",  # somebody holds the thing and is about to put it down
    "settling",  # it has only just begun, or belongs to an action that is under way
]


class Disagreement(msgspec.Struct, frozen=True):
    """One difference; `spots` and `to` make it an instruction: bring `thing` from `spots` to `to`.

    `action` broke `rule`, in notation; the host may accept it. Only a `state` of "wrong" is an alarm.
    """

    kind: Kind
    spots: tuple[Spot, ...]
    thing: str = ""
    to: tuple[Spot, ...] = ()
    rule: str = ""
    action: str = ""
    text: dict[str, str] = {}  # language -> sentence
    state: State = "wrong"
    grams: float = 0.0  # so much that no action explains came on a scale, or went below 0; 0 where that is not known


class Status(msgspec.Struct, frozen=True):
    """All disagreements; empty when the table agrees with the game."""

    disagreements: tuple[Disagreement, ...] = ()

    @property
    def agrees(self) -> bool:
        """Return whether there is nothing to correct."""
        return not self.disagreements
