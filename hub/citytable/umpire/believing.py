"""Believing: a cue, stated by people or sensed, enters the story; the result is None if it fits nowhere."""

from typing import TypeVar

from msgspec.structs import replace

from citytable.umpire.means import Means
from citytable.umpire.node import Cue
from citytable.umpire.state import State
from citytable.umpire.story import Story, cued, slipped_in

A = TypeVar("A")
P = TypeVar("P")


def retold(state: State[A, P], story: Story[A, P] | None) -> State[A, P] | None:
    """Believe another story from now on; return None if there is none."""
    return None if story is None else replace(state, story=story, changed=True)


def believed_at(means: Means[A, P], state: State[A, P], cue: Cue[A], k: int) -> State[A, P] | None:
    """Insert a cue into the path as its node `k`, before the nodes there; return None if that is impossible."""
    told = retold(state, slipped_in(state.story, cue, k, means.explaining(state)))
    return None if told is None else replace(told, best=means.seen(told))


def believed(means: Means[A, P], state: State[A, P], cue: Cue[A]) -> State[A, P] | None:
    """Insert a cue into the explanation, if necessary in place of inferred acts; return None if it fits nowhere."""
    return retold(state, cued(state.story, cue, means.explaining(state)))
