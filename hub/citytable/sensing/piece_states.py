"""What is known of a platform and its pieces, for the verdicts about them. Everything that changes it stands here."""

from enum import Enum


class State(Enum):
    """The state of the load on a spot."""

    UNKNOWN = "unknown"
    KNOWN = "known"  # it rests, and what came or went is told
    OPEN = "open"  # it rests, and nobody knows yet what came or went
    MOVING = "moving"
    FALLEN = "fallen"  # it moves, and a fall was told: what rests next is what the fall left
    GONE = "gone"  # the platform is not there


class Event(Enum):
    """The events that change it."""

    RESTS = "rests"
    EMPTY = "rests empty"
    MOVES = "moves"
    JUDGED = "judged"
    FELL = "fell"


TRANSITIONS: dict[tuple[State, Event], State] = {
    (State.UNKNOWN, Event.RESTS): State.KNOWN,
    (State.UNKNOWN, Event.EMPTY): State.GONE,
    (State.KNOWN, Event.MOVES): State.MOVING,
    (State.KNOWN, Event.RESTS): State.OPEN,
    (State.KNOWN, Event.EMPTY): State.GONE,
    (State.MOVING, Event.RESTS): State.OPEN,
    (State.MOVING, Event.EMPTY): State.GONE,
    (State.MOVING, Event.FELL): State.FALLEN,
    (State.OPEN, Event.JUDGED): State.KNOWN,
    (State.OPEN, Event.MOVES): State.MOVING,
    (State.OPEN, Event.EMPTY): State.GONE,
    (State.FALLEN, Event.RESTS): State.KNOWN,
    (State.FALLEN, Event.EMPTY): State.GONE,
    (State.GONE, Event.RESTS): State.KNOWN,
}
"""Every change of state. Entering gone tells a lift, but not at first; leaving it tells a placement.

What rests without having moved does so after a fault, during which nobody saw it move.
"""
