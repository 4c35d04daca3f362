"""Trial: decide by weight whether a delivery stood.

It compares the weight that stood on the pad with the weight that rests on the hex. A fall that was reported may
disagree with the weights: nothing is missing, or something is missing and nobody reported a fall. Then people are asked
once, with the likelier answer first.
"""

from collections.abc import Iterator
from itertools import chain
from typing import Generic, TypeVar

import msgspec

from citytable.table.spot import Spot
from citytable.umpire.falls import MISSED_MIN_G, Falls
from citytable.umpire.node import Node, turn_ends
from citytable.umpire.observed import Observed
from citytable.umpire.steps import Step
from citytable.umpire.whole_game import WholeGame

A = TypeVar("A")
P = TypeVar("P")

ERROR_SHARE = 0.02  # of the tower: two scales weigh it, each with its own gain


class Trial(msgspec.Struct, Generic[A], frozen=True):
    """A delivery of which people are asked whether it stood: its node, its hex, and its possible outcomes.

    Or whether it was a delivery at all: the tower lost weight on a hex and is gone from there.
    """

    k: int
    spot: Spot | None
    ways: tuple[A, A | None]  # the likelier first; None: it never was
    others: tuple[tuple[A, A | None], ...] = ()  # the same for other acts that are equally possible

    def choices(self) -> tuple[A | None, ...]:
        """Return the possible outcomes of the delivery, or of another one in its place, the likelier ones first."""
        return tuple(dict.fromkeys(way for ways in zip(self.ways, *self.others, strict=True) for way in ways))

    def after(self, last: int) -> "Trial[A] | None":
        """Return the trial in the rest of the path once its first `last` acts are confirmed."""
        return msgspec.structs.replace(self, k=self.k - last) if self.k > last else None


def lost_g(observed: Observed, spot: Spot) -> float | None:
    """Return how much less rests on a hex than its thing weighed before it came there; None if nobody knows.

    0 if the difference is within that of two scales.
    """
    there = observed.at(spot)
    if not observed.weighed(spot) or not any(observed.weights.have_weighed(thing, spot) for thing in there):
        return None
    gone_g = -sum(step.grams for step in steps_there(observed, spot))
    stood_g = observed.mass_g.get(spot, 0.0) + gone_g
    return gone_g if gone_g >= max(MISSED_MIN_G, ERROR_SHARE * stood_g) else 0.0


def steps_there(observed: Observed, spot: Spot) -> Iterator[Step]:
    """Yield the steps of the thing on a hex since it came there: those that showed when it came, and the later ones."""
    came_us = observed.stays.get(spot, (0,))[-1]  # the fall before it was taken home is already reported
    for step in observed.steps:
        if spot in {step.spot, step.noted} and step.thing in observed.at(spot) and step.t_us >= came_us:
            yield step


def trial_of(
    game: WholeGame[A, P], path: tuple[Node[A, P], ...], observed: Observed, falls: Falls[A]
) -> Trial[A] | None:
    """Return the first delivery of a path whose report and weights disagree, unless somebody said how it came out."""
    for k, spot, fell in _standing(game, path):
        if spot in falls.tried:
            continue
        missing_g, action = lost_g(observed, spot), path[k].action
        if action is None or missing_g is None:
            continue
        if spot in falls.reported and not missing_g:
            return Trial(k, spot, (action, fell))
        if missing_g and spot not in falls.reported:
            return Trial(k, spot, (fell, action))
    return next(chain(_gone(game, path), _left_there(game, path, observed, falls)), None)


def _left_there(
    game: WholeGame[A, P], path: tuple[Node[A, P], ...], observed: Observed, falls: Falls[A]
) -> Iterator[Trial[A]]:
    """Yield deliveries that fell according to a sensor and are still there when their turn is over."""
    over = max(turn_ends(game, path), default=0)
    for k, node in enumerate(path[:over]):
        is_sensed = node.cue is not None and node.cue.sensed and not node.said
        if node.action is None or not is_sensed or game.accident_at(node.action) is not None:
            continue
        for spot in observed.lying:
            stood = had_it_stood(game, path, k, spot, observed)
            if stood is not None and spot not in falls.tried and observed.weighed(spot):
                yield Trial(k, spot, (stood, node.action))


def had_it_stood(
    game: WholeGame[A, P], path: tuple[Node[A, P], ...], k: int, spot: Spot, observed: Observed
) -> A | None:
    """Return the delivery that fell by node `k` at a spot as if it had stood; None for any other act."""
    meant = (act for one in observed.at(spot) for act in game.attempts(path[k - 1].position, one, spot))
    return next((act for act in meant if game.fall_of(act) == path[k].action), None)


def _gone(game: WholeGame[A, P], path: tuple[Node[A, P], ...]) -> Iterator[Trial[A]]:
    """Yield deliveries that are believed only because a tower lost weight and was taken home."""
    for k, node in enumerate(path):
        is_weighed = node.cue is not None and node.cue.weighed
        if node.action is not None and is_weighed and game.accident_at(node.action) is None:
            yield Trial(k, None, (node.action, None))


def _standing(game: WholeGame[A, P], path: tuple[Node[A, P], ...]) -> Iterator[tuple[int, Spot, A]]:
    """Yield the acts of a path that put up something that may fall, unless somebody said that it stood."""
    for k, node in enumerate(path):
        fell = None if node.action is None or node.said else game.fall_of(node.action)
        if fell is not None and node.action is not None:
            yield from ((k, spot, fell) for spot in game.spots_of(node.action))
