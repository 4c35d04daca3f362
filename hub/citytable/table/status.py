"""Status: every disagreement between the table and the game, at once."""

from typing import Literal, TypeAlias

import msgspec

from citytable.table.spot import Spot

Kind: TypeAlias = Literal[
    "missing",  # a thing should lie on these spots and does not
    "unexpected",  # a thing lies where it should not
    "unregistered",  # a tag nobody registered
    "mass",  # a scale does not show what it should
    "station_silent",
    "sensor_fault",
    "refused",  # an act that breaks a rule; `rule` names it
    "unclear",  # nothing lies wrong, and yet no story explains everything that the sensors reported
]


State: TypeAlias = Literal[
    "wrong",  # it stays: an alarm
    "in_hand",  # somebody holds the thing and is about to put it down
    "settling",  # it has only just begun, or belongs to an action that is under way
]


class Disagreement(msgspec.Struct, frozen=True):
    """One difference, and by `spots` and `to` the instruction it is: bring `thing` from `spots` to `to`.

    `action` is what was done against `rule`, in notation: what the host may let stand. Only a `state` of "wrong" is an
    alarm.
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
        """Return True when there is nothing to put right."""
        return not self.disagreements
