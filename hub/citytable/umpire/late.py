"""Late statements: just after their turn has passed, a player speaks about that turn if it is still under way."""

from collections.abc import Iterable
from typing import TypeVar

from msgspec.structs import replace

from citytable.table.spot import Spot
from citytable.umpire.committing import MOMENT_US
from citytable.umpire.matching import UNEXPLAINED
from citytable.umpire.means import Means
from citytable.umpire.node import Cue, turn_ends
from citytable.umpire.observed import Observed
from citytable.umpire.state import State
from citytable.umpire.staying import passed_us
from citytable.umpire.story import Story, filled_in, slipped_in

A = TypeVar("A")
P = TypeVar("P")

LATE_WORD_US = 10_000_000


def is_of_the_turn_before(means: Means[A, P], state: State[A, P], action: A) -> bool:
    """Return whether somebody says late that their turn was over, after their next one has begun.

    They have done nothing in the new turn yet. If they do end it, a reader will show that. They get a moment longer if
    the bag has only just come to them.
    """
    path, observed = state.path, state.observed
    begins = max(turn_ends(means.game, path), default=0)
    if begins != len(path) - 1 or means.game.passing(path[-1].position) != action:
        return False
    if (way := means.foresight.told(path[-1].position, action, accepted=True)) is None:
        return False
    moved = means.foresight.moved(path[-1].layout, way.layout)
    passed_on_us = _last_us(observed, (spot for one in moved if one.came for spot in one.spots))
    back_us = _last_us(observed, (spot for one in moved if one.left for spot in one.spots))
    patience_us = LATE_WORD_US + (MOMENT_US if observed.now_us - back_us < MOMENT_US else 0)
    spots = means.foresight.touched(path[-1].position, way.layout)
    return 0 < passed_on_us > observed.now_us - patience_us and not any(map(observed.unread, spots))


def _last_us(observed: Observed, spots: Iterable[Spot]) -> int:
    """Return when something last came to one of these spots; 0 where nothing did."""
    return max((us for spot in spots for us in observed.stays.get(spot, ())), default=0)


def told_late(means: Means[A, P], state: State[A, P], cue: Cue[A]) -> State[A, P] | None:
    """Believe a player who reports, after their turn has passed, what they did in it; None if that is impossible.

    The report replaces an inferred act, or adds one, if the table agrees about as well with it.
    """
    game, path = means.game, state.path
    player, ends = game.asker(cue.action), (0, *turn_ends(game, path))
    if cue.accepted or player is None or player == game.seat(path[-1].position):
        return None
    turn = next((k for k in range(len(ends) - 1, 0, -1) if game.seat(path[ends[k] - 1].position) == player), 0)
    over_us = passed_us(game, path, ends[turn], state.observed) if turn else 0
    if not over_us or state.observed.now_us - over_us > LATE_WORD_US:
        return None
    first, last = ends[turn - 1], ends[turn]
    for k in range(first + 1, last):
        if not path[k].cued and path[k].action is not None and is_meant(means, state, k, cue):
            return replace(state, story=filled_in(state.story, k, cue, means.explaining(state)), changed=True)
    more = (slipped_in(state.story, cue, k, means.explaining(state)) for k in range(last, first, -1))
    return next((replace(state, story=one, changed=True) for one in more if one and agrees(means, state, one)), None)


def is_meant(means: Means[A, P], state: State[A, P], k: int, cue: Cue[A]) -> bool:
    """Return whether the statement means this inferred act: the same decision, or one that only scales show."""
    game, node, before = means.game, state.path[k], state.path[k - 1]
    if node.action is None or game.asker(node.action) != game.asker(cue.action):
        return False
    on_scales = bool(node.changes) and node.layout.regions == before.layout.regions
    return game.decision(node.action) == game.decision(cue.action) or (
        on_scales and type(node.action) is type(cue.action)
    )


def agrees(means: Means[A, P], state: State[A, P], story: Story[A, P]) -> bool:
    """Return whether the table agrees about as well: the scale on which the act shows may not have rested since."""
    mismatch = means.explainer_of(state).costs.seen(state.path).mismatch
    return means.explaining(state)(story.cues).costs.seen(story.path).mismatch <= mismatch + UNEXPLAINED
