"""Passing: what was drawn from a bag while it was on its way from one cradle to another.

No scale felt it. The next cradle finds the bag lighter. The rules decide whether one player drew before passing it on,
or the next one before laying it down; where both may have, the account of the turn does, or people.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias, TypeVar

from citytable.table.spot import Spot
from citytable.umpire.costs import Explanation
from citytable.umpire.matching import UNEXPLAINED
from citytable.umpire.node import Node, last_act, turn_ends
from citytable.umpire.observed import Observed
from citytable.umpire.staying import brought, brought_to, stay
from citytable.umpire.steps import Step, astray, handed_over, through
from citytable.umpire.story import Explaining, Story, explained
from citytable.umpire.whole_game import WholeGame

A = TypeVar("A")
P = TypeVar("P")

ExplainingTable: TypeAlias = Callable[[Observed], Explaining[A, P]]


def drawn_from_a_lap(observed: Observed, story: Story[A, P]) -> tuple[tuple[Step, Spot], ...]:
    """The steps that may belong to another scale of this story than the one they are looked for at, with that scale."""
    scales = {scale.spot for node in story.path for scale in node.layout.scales}
    return tuple((step, other) for step in observed.steps for other in step.others if {step.spot, other} <= scales)


def through_laps(game: WholeGame[A, P], path: Sequence[Node[A, P]], observed: Observed) -> Observed:
    """Return the table where a step may be of each turn between two scales in which nobody laid down what is passed."""
    ends, steps = turn_ends(game, path), observed.steps
    for k, end in enumerate(ends[:-1]):
        later = set[Spot]().union(*(brought_to(path, one) for one in ends[k + 1 :]))
        for region in brought(path[end - 1], path[end]):
            laps = [spot for spot in region.spots if stay(game, path, end, spot, observed) is None]
            for lap in laps if len(laps) == len(region.spots) else ():
                its = {step.no for step in steps if step.thing in region.things and step.noted in later}
                steps = tuple(through(step, lap) if step.no in its else step for step in steps)
    return observed if steps == observed.steps else observed.with_steps(steps)


def brought_back(path: Sequence[Node[A, P]], observed: Observed) -> Observed:
    """Return the table where a step is of the scale to which its thing came back from one that the story never has.

    Somebody laid the bag on a neighbour's cradle for a moment, and drew. If the story has
    that scale now, it was a turn.
    """
    scales = {scale.spot for node in path for scale in node.layout.scales}
    steps = tuple(one.as_noted if one.as_noted and one.as_noted.spot in scales else one for one in observed.steps)
    stays = {spot: observed.stays.get(spot, ()) for spot in scales}
    for step in steps:
        astray_us = max((us for us in observed.stays.get(step.spot, ()) if us < step.t_us), default=0)
        if step.spot in scales or step.noted not in scales.intersection(step.others) or not astray_us:
            continue
        lay = [(us, spot) for spot, all_us in stays.items() for us in all_us if us < astray_us]
        lay = lay or [(0, spot) for spot in scales if step.thing in path[0].layout.region_of(spot).things]
        if lay and max(lay)[1] == step.noted:
            came_us = max((us for us in stays[step.noted] if us <= step.t_us), default=0)
            steps = astray(steps, step.no, step.noted, came_us)
    return observed if steps == observed.steps else observed.with_steps(steps)


def by_the_other(observed: Observed, story: Story[A, P]) -> Iterator[Observed]:
    """Yield the table as it is if the other player drew, for every step that may be either player's."""
    for step, at in drawn_from_a_lap(observed, story):
        yield _by_the_other(observed, step, at)


def _by_the_other(observed: Observed, step: Step, at: Spot) -> Observed:
    stays = (us for us in observed.stays.get(at, ()) if us <= step.t_us)
    stay_there = max(stays, default=0) if at == step.noted else 0  # it did not come to rest anywhere else
    return observed.with_steps(handed_over(observed.steps, step.no, at, stay_there))


def next_player_drew(
    game: WholeGame[A, P],
    story: Story[A, P],
    best: Explanation[A, P],
    explaining: ExplainingTable[A, P],
    observed: Observed,
) -> tuple[Story[A, P], Explanation[A, P], Observed]:
    """Return the story, its explanation and the table, or those by which the other player drew.

    These only if they explain one step more, and the player before had no action left: else the account of their turn
    tells who drew. What they drew in their lap, and gave back in part, is one step that no act makes.
    """
    ends = turn_ends(game, best.path)
    if ends and game.actions_left(best.path[last_act(best.path, ends[-1] - 1)].position):
        return story, best, observed
    on_trial = (one for one in drawn_from_a_lap(observed, story) if one[0].spot in best.scales)
    for step, at in on_trial:  # while the scale before agrees, something else is wrong
        other = _by_the_other(observed, step, at)
        retold, better = explained(story, explaining(other))
        if better.mismatch <= best.mismatch - UNEXPLAINED:
            return retold, better, other
    return story, best, observed
