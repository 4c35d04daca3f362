"""Falls: what a sensor felt fall, from the first suspicion until the fall is believed and the pieces lie still.

A fall counts from the moment in which it was suspected: it is not part of anything that was finished by then. Pieces
may also be gone although no sensor felt a fall: the scale of the hex is lighter, and its tag has not moved.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from itertools import pairwise
from typing import Generic, NamedTuple, Self, TypeVar

import msgspec
from msgspec.structs import replace

from citytable.table.fact import Fell, MassSettled
from citytable.table.hexes import distance
from citytable.table.likelihood import CITY, LIGHTER_G, measured
from citytable.table.spot import Spot, hex_of
from citytable.umpire.node import Node, turn_ends
from citytable.umpire.observed import Observed
from citytable.umpire.story import Story
from citytable.umpire.whole_game import WholeGame

A = TypeVar("A")
P = TypeVar("P")
T = TypeVar("T")

MISSED_MIN_G = LIGHTER_G
MISSED_CONFIDENCE = round(measured()[CITY].lighter.likely, 2)  # that pieces fell although no sensor felt it
TOUCHING_SHARE = 0.5  # of a loss: if a hex beside it gained this share, a platform leans on it


class Felt(NamedTuple, Generic[A]):
    """A fall that is believed, and the decisions that were finished before it.

    `since_us`: when it was first suspected; 0 if no sensor felt it, and a scale is lighter than before (`weighed`).
    """

    fact: Fell
    finished: tuple[A, ...]
    since_us: int = 0
    weighed: bool = False


class Suspicion(NamedTuple, Generic[A]):
    """When something was suspected to fall, and what was finished then."""

    since_us: int
    finished: tuple[A, ...]


class Falling(NamedTuple, Generic[A]):
    """A fall whose pieces are still moving, the load before it, and how it was suspected."""

    fact: Fell
    before_g: float | None
    suspicion: Suspicion[A]


class Falls(msgspec.Struct, Generic[A], frozen=True):
    """The falls of one table.

    `lost_percent` is how much each spot lost in the last fall that was sensed. `suspected` is how a fall was first
    suspected there. `reported` and `tried` are about deliveries under way. `unbelieved` are missing weights that no
    story explained, each with the other disagreements at that time: as long as these are the same, a further search is
    useless.
    """

    lost_percent: Mapping[Spot, int] = msgspec.field(default_factory=dict)
    suspected: Mapping[Spot, Suspicion[A]] = msgspec.field(default_factory=dict)
    falling: Mapping[Spot, Falling[A]] = msgspec.field(default_factory=dict)
    reported: frozenset[Spot] = frozenset()  # where a fall was sensed, and the scale shows nothing of it
    tried: frozenset[Spot] = frozenset()  # where people have said whether a delivery stood
    unbelieved: frozenset[tuple[Spot, float, int, frozenset[str]]] = frozenset()

    def open(self) -> bool:
        """Return whether something may be falling now."""
        return bool(self.suspected or self.falling)

    def waiting(self, spot: Spot) -> bool:
        """Return whether something may be falling there now."""
        return spot in self.suspected or spot in self.falling

    def forgotten(self) -> Self:
        """Wait no longer for what was suspected."""
        return replace(self, suspected={}, falling={}).done_with()

    def done_with(self) -> Self:
        """Forget what concerns deliveries that were under way."""
        return replace(self, reported=frozenset(), tried=frozenset(), unbelieved=frozenset())

    def lost(self, spot: Spot, percent: int) -> Self:
        """Note that so much is gone of what stood at a spot."""
        return replace(self, lost_percent={**self.lost_percent, spot: percent})

    def felt(
        self, fact: Fell, finished: tuple[A, ...], observed: Observed, *, told: bool
    ) -> tuple[Self, Felt[A] | None]:
        """Take a fact; return the fall that it confirms, if any. `told`: people are already asked what fell there."""
        spot, now = fact.spot, Suspicion(fact.t_us, finished)
        if fact.stage == "alert":
            return replace(self, suspected={spot: now, **self.suspected}), None
        since = self.suspected.get(spot, now)
        decided = replace(self, suspected=_without(self.suspected, spot))
        if fact.stage != "confirmed" or told:
            return decided, None
        if spot in observed.moving:  # it is still falling: how much is gone shows when it rests
            falling = Falling(fact, observed.mass_g.get(spot), since)
            return replace(decided, falling={**self.falling, spot: falling}), None
        return decided, Felt(fact, since.finished, since.since_us)

    def settled(self, fact: MassSettled) -> tuple[Self, Felt[A] | None]:
        """Return the fall whose pieces now lie still: the load at rest shows how much is gone."""
        falling = self.falling.get(fact.spot)
        if falling is None:
            return self, None
        lost_g = 0.0 if falling.before_g is None else max(0.0, falling.before_g - fact.mass_g)
        fell, since = replace(falling.fact, t_us=fact.t_us, lost_g=lost_g), falling.suspicion
        felt = Felt(fell, since.finished, since.since_us)
        return replace(self, falling=_without(self.falling, fact.spot)), felt


def _without(known: Mapping[Spot, T], spot: Spot) -> dict[Spot, T]:
    return {other: value for other, value in known.items() if other != spot}


def unfelt(observed: Observed) -> Iterator[Fell]:
    """Return the hexes at rest that are lighter by some pieces than when an action was last confirmed, as falls.

    If a platform that touches another one took over a part of its weight, that part has not fallen.
    """
    gained_g: defaultdict[Spot, float] = defaultdict(float)
    last_us: dict[Spot, int] = {}
    for step in observed.steps:
        if hex_of(step.spot) is not None and step.thing in observed.at(step.spot):
            gained_g[step.spot] += step.grams + step.own_g
            last_us[step.spot] = step.t_us
    for spot, grams in gained_g.items():
        if -grams < MISSED_MIN_G or observed.unweighed(spot) or not observed.weighed(spot):
            continue
        beside = (gained_g[other] for other in gained_g if _apart(spot, other) == 1)
        most_g = (1 + TOUCHING_SHARE) * -grams  # a glass that stands there took nothing over
        if sum(taken_g for taken_g in beside if 0 < taken_g <= most_g) < TOUCHING_SHARE * -grams:
            yield Fell(t_us=last_us[spot], spot=spot, lost_g=-grams, stage="confirmed", confidence=MISSED_CONFIDENCE)


def kept(game: WholeGame[A, P], node: Node[A, P], observed: Observed) -> frozenset[Spot]:
    """Return the hexes from which the rules let nobody take a piece: a building stands there.

    After a fall people gather what is left, and they set down and take monuments by hand.
    """
    weighed = {scale.spot for scale in node.layout.scales}
    return frozenset(
        spot
        for spot in observed.lying
        if spot not in weighed and hex_of(spot) is not None and game.fallen(node.position, spot, None) is not None
    )


def _apart(one: Spot, other: Spot) -> int | None:
    """Return how many hexes lie from one spot to another; None where one of them is none of the city."""
    a, b = hex_of(one), hex_of(other)
    return None if a is None or b is None else distance(a, b)


def back(
    game: WholeGame[A, P], path: tuple[Node[A, P], ...], missing: Collection[Spot], observed: Observed
) -> int | None:
    """Return the node of the path whose loss the scale no longer shows: people put the pieces back."""
    for k, node in enumerate(path):
        if node.action is not None and node.cue is not None and node.cue.weighed:
            spot = game.accident_at(node.action)
            if spot is not None and spot not in missing and observed.weighed(spot):
                return k
    return None


def busy(game: WholeGame[A, P], path: tuple[Node[A, P], ...]) -> set[Spot]:
    """Return the spots where a lighter scale proves nothing.

    A delivery shakes it, people are asked or have answered, or pieces belong on it.
    """
    spots = {scale.spot for scale in path[-1].layout.scales}
    for node in path:
        if node.action is not None:
            at = game.accident_at(node.action)
            spots |= game.spots_of(node.action) if at is None else {at}
    return spots


def under_way_to(game: WholeGame[A, P], story: Story[A, P], spot: Spot, k: int) -> tuple[int, A | None]:
    """Return the node of the story that goes to this spot, and the same node as a fall.

    The first such node from `k` on counts.
    """
    found: tuple[int, A | None] = (0, None)
    for no, node in enumerate(story.path):
        if node.action is None or spot not in game.spots_of(node.action):
            continue
        found = (no, game.fall_of(node.action))
        if found[1] is not None and no >= k:
            break
    return found


def finished(
    game: WholeGame[A, P], path: tuple[Node[A, P], ...], answered: Collection[str], *, complete: bool
) -> tuple[A, ...]:
    """Return the decisions that are finished: those before the delivery under way.

    A delivery is under way, and something may still fall in it, while its outcome is not known or the path does not
    explain everything (`complete`). Once its turn has passed it is no longer under way.
    """
    done: list[A] = []
    passed = max(turn_ends(game, path), default=0)
    for k, (before, node) in enumerate(pairwise(path), start=1):
        action = node.action
        if action is None:
            break
        if k > passed and game.fall_of(action) is not None:
            open_yet = game.text(action) not in answered and game.questions(before.position, action, {})
            if open_yet or (node is path[-1] and not complete):
                break
        done.append(game.decision(action))
    return tuple(done)
