"""Believing: a cue, said by people or sensed, enters the story; None where it fits nowhere."""

from typing import TypeVar

from msgspec.structs import replace

from citytable.umpire.means import Means
from citytable.umpire.node import Cue
from citytable.umpire.state import State
from citytable.umpire.story import Story, cued, slipped_in

A = TypeVar("A")
P = TypeVar("P")


def retold(state: State[A, P], story: Story[A, P] | None) -> State[A, P] | None:
    """Believe another story from now on; None when there is none."""
    return None if story is None else replace(state, story=story, changed=True)


def believed_at(means: Means[A, P], state: State[A, P], cue: Cue[A], k: int) -> State[A, P] | None:
    """Take a cue into the path as its node `k`, before what is there; None when that cannot have been."""
    told = retold(state, slipped_in(state.story, cue, k, means.explaining(state)))
    return None if told is None else replace(told, best=means.seen(told))


def believed(means: Means[A, P], state: State[A, P], cue: Cue[A]) -> State[A, P] | None:
    """Take a cue into the explanation, in place of what was inferred if need be; None when it fits nowhere."""
    return retold(state, cued(state.story, cue, means.explaining(state)))
