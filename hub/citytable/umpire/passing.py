"""Passing: what was drawn from a bag while it was on its way from one cradle to another.

No scale felt it. The next cradle finds the bag lighter, and the rules decide, or people, whether one player
drew before passing it on, or the next one before laying it down.
"""

from collections.abc import Callable, Sequence
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from citytable.table.spot import Spot
from citytable.umpire.explaining import Explanation
from citytable.umpire.node import Node
from citytable.umpire.observed import Observed
from citytable.umpire.steps import Step, attributed, handed_over
from citytable.umpire.story import Explaining, Story, explained
from citytable.umpire.unfitting import unfitting

A = TypeVar("A")
P = TypeVar("P")

ExplainingTable: TypeAlias = Callable[[Observed], Explaining[A, P]]


def _drawn_from_a_lap(observed: Observed, story: Story[A, P]) -> tuple[tuple[Step, Spot], ...]:
    """The steps that may belong to another scale of this story than the one they are looked for at, with that scale."""
    scales = {scale.spot for node in story.path for scale in node.layout.scales}
    return tuple((step, other) for step in observed.steps for other in step.others if {step.spot, other} <= scales)


def next_player_drew(
    story: Story[A, P], best: Explanation[A, P], explaining: ExplainingTable[A, P], observed: Observed
) -> tuple[Story[A, P], Explanation[A, P], Observed]:
    """Return the story, its explanation and the table, or those by which the other player drew.

    These only if they explain the whole table.
    """
    on_trial = (one for one in _drawn_from_a_lap(observed, story) if one[0].spot in best.scales)
    for step, at in on_trial:  # while the scale before agrees, something else is wrong
        other = observed.with_steps(handed_over(observed.steps, step.no, at))
        retold, complete = explained(story, explaining(other))
        if complete.complete:
            return retold, complete, other
    return story, best, observed


class Drawn(NamedTuple, Generic[A]):
    """A step that two players may have made, and what each has done then; the story says that it was `mine`."""

    step: Step
    at: Spot  # the scale of the other player
    mine: A
    other: A


def drawn_by_whom(story: Story[A, P], explaining: ExplainingTable[A, P], observed: Observed) -> Drawn[A] | None:
    """A step of which the story says that one player drew, where the whole table looks the same if another one did."""
    for step, at in _drawn_from_a_lap(observed, story):
        mine = _at(step.spot, story.path)
        by_other = observed.with_steps(handed_over(observed.steps, step.no, at))
        explainer = explaining(by_other)(story.cues)
        tellings = (explainer.best(begun) for begun in (story.path[:1], story.path))
        retold = next((told for told in tellings if told.complete), None)
        if retold is None:
            continue
        other = _at(at, retold.path)
        if mine is not None and other is not None:
            return Drawn(step, at, mine, other)
    return None


def _at(spot: Spot, path: Sequence[Node[A, P]]) -> A | None:
    """The last act of a path that shows on this scale."""
    acts = (node.action for node in reversed(path) if any(change.spot == spot for change in node.changes))
    return next(acts, None)


def decided(observed: Observed, drawn: Drawn[A], choices: Sequence[str], choice: str) -> Observed:
    """Return the table where people said who made a step: `choices` are what it is on its own scale, and on the other.

    Raises `Unfitting` for anything else.
    """
    scale = dict(zip(choices, (drawn.step.spot, drawn.at), strict=True))
    if choice not in scale:
        raise unfitting("no_fit", seen=repr(choice))
    return observed.with_steps(attributed(observed.steps, drawn.step.no, scale[choice]))
