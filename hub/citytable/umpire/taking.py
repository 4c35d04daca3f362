"""Taking: how a fact changes an umpire's state, before the table is explained again."""

from typing import TypeVar

from msgspec.structs import replace

from citytable.table.fact import ButtonPressed, Fact, Fell, TagLeft
from citytable.umpire.accidents import felt
from citytable.umpire.confirming import turn_passed_at
from citytable.umpire.judging import explained_anew
from citytable.umpire.means import Means
from citytable.umpire.observed import can_tell
from citytable.umpire.restoring import still_to_come
from citytable.umpire.state import State

A = TypeVar("A")
P = TypeVar("P")


def took(means: Means[A, P], state: State[A, P], fact: Fact) -> State[A, P]:
    """Return the state after a fact."""
    if isinstance(fact, TagLeft) and state.observed.lingered(fact):
        state = _with_turns_passed(means, state)
    if not isinstance(fact, Fell | ButtonPressed):
        rests, observed = still_to_come(state.rests, state.observed.took(fact))
        state = replace(state, observed=observed, rests=rests, changed=state.changed or can_tell(fact))
    if fact.t_us >= state.looks_again_us:
        state = replace(state, looks_again_us=0)
    return felt(means, state, fact)


def pass_time(state: State[A, P], t_us: int) -> State[A, P]:
    """Return the state at that time, if nothing was sensed since the last fact."""
    return replace(state, observed=replace(state.observed, now_us=t_us), looks_again_us=0, changed=True)


def _with_turns_passed(means: Means[A, P], state: State[A, P]) -> State[A, P]:
    """Keep turns that passed in a silence: readers report that the bag was at the next seat meanwhile."""
    state, is_explained = explained_anew(means, state)
    story = state.story
    if is_explained and state.best.complete:
        last = turn_passed_at(means, state)
        story = story.affirmed(*(node.action for node in state.path[1 : last + 1]))
    return replace(state, story=story, changed=True)
