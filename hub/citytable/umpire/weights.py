"""Weights: what the scales show, the last weight of each thing, and the steps in between."""

from collections.abc import Mapping, Sequence, Set
from typing import Self

import msgspec
from msgspec.structs import replace

from citytable.table.fact import MassSettled
from citytable.table.spot import Spot
from citytable.umpire.steps import Step, is_same_load, touched, weighed_anew

CARRIED_STEP_MIN_G = 0.6  # the difference allowed between a thing's weights before and after it was away: two scales
OWN_G_PER_H = 5.0  # and how far a scale's zero may drift while its station is silent
OWN_MAX_G = 2.0
HOUR_US = 3_600_000_000
STIRRED_US = 1_500_000  # a scale that moved for so long before its load was lifted had a hand in it
STIRRED_AT_ONCE_US = 3_000_000  # and one that moved for so long after it was laid down
LETS_GO_US = 1_500_000  # by then a hand that has laid something down has let go
LETS_GO_MAX_G = 5.0  # and it pressed no more than that while the scale seemed to rest
EMPTY_MAX_G = 5.0  # the lightest thing that is weighed, a park tile, is heavier


class Carried(msgspec.Struct, frozen=True):
    """The last weight of a thing, and the scale that weighed it.

    `away`: it has left the scale since. `unheard`: the scale was silent since. `stirred`: a hand was in it. `new_us`:
    when it was first weighed, if it has been there since. `gone`: the scale has been empty since it left; what the
    scale carried and lost after that was something else, or the thing unread. `visited`: the scales on which it was
    since without any of them coming to rest. `rested_g`: its weight at rest before it was lifted. `came`: the step by
    which it was heavier than before when its scale first weighed it; `before_g`: its weight before that.
    """

    spot: Spot
    net_g: float
    t_us: int
    away: bool = False
    unheard: bool = False
    stirred: bool = False
    new_us: int | None = None
    gone: bool = False
    visited: tuple[Spot, ...] = ()
    rested_g: float | None = None
    came: Step | None = None
    before_g: tuple[float, ...] = ()

    @property
    def known_g(self) -> tuple[float, ...]:
        """The known weights of a thing: at rest, and by the loss of its scale when it was lifted. One may be wrong."""
        return (self.net_g,) if self.rested_g is None else (self.net_g, self.rested_g)

    def changed_g(self, net_g: float) -> float:
        """Return how much heavier a thing is than when it was taken away; 0 if it agrees with either known weight."""
        return _nearest_g(self.known_g, net_g)


def _nearest_g(known_g: Sequence[float], net_g: float) -> float:
    return min((net_g - was_g for was_g in known_g), key=abs)


def _lets_go(last: Carried, t_us: int, step_g: float) -> bool:
    """Return whether a thing that nobody had weighed before became lighter because a hand let go of it."""
    fresh = last.new_us is not None and t_us - last.new_us <= LETS_GO_US
    return fresh and -LETS_GO_MAX_G < step_g < 0 and not last.away and not last.unheard


def _hand_was_on_it(last: Carried, t_us: int, step_g: float) -> bool:
    """Return whether a scale weighed a thing that came heavier with a hand on it, which has let go."""
    soon = last.came is not None and t_us - last.came.t_us <= LETS_GO_US
    return soon and step_g < 0 and not last.away and not last.unheard


def _step(no: int, t_us: int, thing: str, last: Carried, grams: float, spot: Spot) -> Step | None:
    """Return the step of a thing since it was last weighed, noted on `spot`; None if there is none."""
    if last.away and abs(grams) < CARRIED_STEP_MIN_G:
        grams = 0.0
    if not grams and not last.unheard:
        return None
    hours = max(0, t_us - last.t_us) / HOUR_US
    own_g = min(OWN_MAX_G, CARRIED_STEP_MIN_G + OWN_G_PER_H * hours) if last.unheard else 0.0
    its = last.visited[0] if last.visited and spot == last.spot else last.spot  # it was elsewhere, and came back
    between = (last.spot, *last.visited, spot) if its != last.spot or not last.stirred else (last.spot, *last.visited)
    others = tuple(reversed(dict.fromkeys(other for other in reversed(between) if other != its)))  # in their order
    return Step(no, t_us, its, grams, last.unheard, own_g, thing, others=others, noted=spot, turns=len(last.visited))


class Weights(msgspec.Struct, frozen=True):
    """The weights on the scales of one table.

    `things` are always those that are read on the scale in question.
    """

    mass_g: Mapping[Spot, float] = msgspec.field(default_factory=dict)  # settled loads
    moving_us: Mapping[Spot, int] = msgspec.field(default_factory=dict)  # the scales not at rest, and since when
    steps: tuple[Step, ...] = ()
    last_step: int = 0  # the number of the latest step
    carried: Mapping[str, Carried] = msgspec.field(default_factory=dict)
    net_g: Mapping[Spot, float] = msgspec.field(default_factory=dict)  # the load since the scale was last empty
    bare_g: Mapping[str, float] = msgspec.field(default_factory=dict)  # the least that a thing weighed: nothing on it
    not_heard_again: frozenset[Spot] = frozenset()  # scales that were silent and did not settle since

    def moved(self, spot: Spot, t_us: int) -> Self:
        """Note that the load on a scale left its stable state."""
        return self if spot in self.moving_us else replace(self, moving_us={**self.moving_us, spot: t_us})

    def lost(self, spots: Set[Spot]) -> Self:
        """Note that these scales no longer report what they carry."""
        return replace(
            self,
            not_heard_again=self.not_heard_again | (spots & self.mass_g.keys()),
            carried={
                thing: replace(last, unheard=True) if last.spot in spots else last
                for thing, last in self.carried.items()
            },
        )

    def settled(self, fact: MassSettled, things: frozenset[str]) -> Self:
        """Note the load on which a scale has come to rest."""
        spot, step_g = fact.spot, fact.step_g
        was_empty = self.mass_g.get(spot, 0.0) < EMPTY_MAX_G
        is_empty = fact.mass_g < EMPTY_MAX_G
        laden = spot not in self.mass_g and step_g < EMPTY_MAX_G  # its first report: the step itself was not received
        came_g = fact.mass_g if laden else step_g
        net_g = 0.0 if is_empty else came_g if was_empty else self.net_g.get(spot, 0.0) + step_g
        net_g = step_g if self._came_beside(spot, things, net_g, step_g) else net_g
        rests = replace(
            self,
            mass_g={**self.mass_g, spot: fact.mass_g},
            net_g={**self.net_g, spot: net_g},
            moving_us={moving: since_us for moving, since_us in self.moving_us.items() if moving != spot},
            not_heard_again=self.not_heard_again - {spot},
        )
        if is_empty:
            return rests._emptied(spot, -step_g)
        if not things and not was_empty and not laden:
            return rests._unread(spot, fact.t_us, step_g)
        stirred = fact.t_us - self.moving_us.get(spot, fact.t_us) >= STIRRED_AT_ONCE_US
        return rests.weighed(spot, fact.t_us, things, 0.0 if was_empty else step_g, stirred=stirred)

    def _came_beside(self, spot: Spot, things: Set[str], net_g: float, step_g: float) -> bool:
        """Return whether a thing laid on a laden scale weighs as much as the step, by its earlier weight.

        Somebody had put their phone there. If a hand let go at once, the whole load is its weight.
        """
        came = [last for last in map(self.carried.get, things) if last is not None and last.away]
        if len(things) != 1 or not came or self.mass_g.get(spot, 0.0) < EMPTY_MAX_G or step_g < EMPTY_MAX_G:
            return False
        return abs(came[0].changed_g(step_g)) < abs(came[0].changed_g(net_g))

    def _emptied(self, spot: Spot, lifted_g: float) -> Self:
        """Take the weight of a lifted thing from the loss of the scale: a scale's zero drifts, the steps do not."""
        if lifted_g <= EMPTY_MAX_G:
            return self
        lifted = {
            thing: replace(last, net_g=lifted_g, gone=True, rested_g=last.net_g)
            for thing, last in self.carried.items()
            if last.away and last.spot == spot and not last.gone
        }
        return replace(self, carried={**self.carried, **lifted})

    def _unread(self, spot: Spot, t_us: int, step_g: float) -> Self:
        """Take a step for that of a thing that is still there unread: its scale was not empty since.

        If what is left is what was laid down beside it, the thing was lifted.
        """
        there = {
            thing: last
            for thing, last in self.carried.items()
            if last.away and last.spot == spot and not last.gone and not last.unheard and not last.visited
        }
        if len(there) != 1:
            return self
        ((thing, last),) = there.items()
        left_g = self.net_g[spot]
        if abs(left_g) < EMPTY_MAX_G:  # beside what was there before
            return self._emptied(spot, -step_g)
        its = (one for one in self.steps if one.thing == thing and one.spot == spot)
        beside = next((one for one in its if is_same_load(one.grams, left_g)), None)
        if beside is not None and step_g < 0:
            carried = {**self.carried, thing: replace(last, net_g=last.net_g - beside.grams)}
            rest = tuple(one for one in self.steps if one is not beside)
            return replace(self, carried=carried, steps=rest)._emptied(spot, -step_g)
        step = _step(self.last_step + 1, t_us, thing, replace(last, away=False), step_g, spot)
        if step is None:
            return self
        known = replace(last, net_g=last.net_g + step_g, t_us=t_us)
        return replace(
            self, carried={**self.carried, thing: known}, steps=(*self.steps, step), last_step=self.last_step + 1
        )

    def weighed(
        self, spot: Spot, t_us: int, things: frozenset[str], step_g: float = 0.0, *, stirred: bool = False
    ) -> Self:
        """Note the weights of the things on a settled scale, and the steps since their last weighing.

        `stirred`: a hand was in them since they were laid there. While a thing stays, `step_g` of the scale counts; if
        it was away, the difference from its earlier weight does. A step belongs to the scale that the thing left: what
        left the bag on its way to the next cradle left it at the old one. If the thing comes back to the cradle that
        had weighed it, the step belongs to the cradle in between, which did not weigh it. A nearly empty scale weighs
        nothing: the tag was read before the load came, or stays readable after it went.
        """
        net_g = self.net_g.get(spot, 0.0)
        if net_g < EMPTY_MAX_G or not self.at_rest(spot):
            return self
        carried, bare_g, steps = dict(self.carried), dict(self.bare_g), list(self.steps)
        last_step = self.last_step
        for thing in things:
            last = carried.get(thing)
            new_us = t_us if last is None else None if last.away else last.new_us
            carried[thing] = Carried(spot, net_g, t_us, new_us=new_us)
            bare_g[thing] = min(net_g, bare_g.get(thing, net_g))
            if last is None or _lets_go(last, t_us, step_g):
                continue
            if last.came is not None and _hand_was_on_it(last, t_us, step_g):
                steps = [one for one in steps if one.no != last.came.no]
                grams = _nearest_g(last.before_g, net_g)
                steps += [weighed_anew(last.came, grams)] if abs(grams) >= CARRIED_STEP_MIN_G else []
                continue
            known = replace(last, stirred=last.stirred and not stirred)
            step = _step(last_step + 1, t_us, thing, known, last.changed_g(net_g) if last.away else step_g, spot)
            if step is not None:
                step = touched(step) if stirred else step
                steps.append(step)
                last_step = step.no
                if last.away and step.grams > 0:
                    carried[thing] = replace(carried[thing], came=step, before_g=last.known_g)
        return replace(self, carried=carried, bare_g=bare_g, steps=tuple(steps), last_step=last_step)

    def lifted(self, thing: str, spot: Spot, t_us: int) -> Self:
        """Note that a thing left a spot."""
        last = self.carried.get(thing)
        if last is None or (last.spot != spot and not last.away):
            return self
        if last.spot != spot:
            visited = (*last.visited, spot) if spot in self.mass_g and spot not in last.visited else last.visited
            return replace(self, carried={**self.carried, thing: replace(last, visited=visited)})
        stirred = t_us - self.moving_us.get(spot, t_us) >= STIRRED_US
        return replace(self, carried={**self.carried, thing: replace(last, away=True, stirred=stirred)})

    def at_rest(self, spot: Spot) -> bool:
        """Return whether the scale rests, and has reported so if it was silent."""
        return spot not in self.moving_us and spot not in self.not_heard_again

    def may_let_go(self, t_us: int) -> bool:
        """Return whether a thing became heavier on its way, and the hand that laid it down may still be on it."""
        came = (last.came for last in self.carried.values() if not last.away)
        return any(step is not None and t_us - step.t_us < LETS_GO_US for step in came)

    def have_weighed(self, thing: str, spot: Spot) -> bool:
        """Return whether this scale was the last to weigh a thing, which has not left it since."""
        last = self.carried.get(thing)
        return last is not None and last.spot == spot and not last.away

    def lost_percent(self, spot: Spot, lost_g: float, things: frozenset[str]) -> int | None:
        """Return how much of what stood on the thing at a spot is gone after `lost_g` fell off; None if unknown.

        The thing's own weight is the least that it ever had, if it was once weighed without a load.
        """
        bare_g = sum(self.bare_g.get(thing, 0.0) for thing in things)
        stood_g = self.net_g.get(spot, 0.0) + lost_g - bare_g
        return round(100 * lost_g / stood_g) if bare_g and 0 <= lost_g <= stood_g and stood_g else None

    def kept(self, numbers: Set[int], lying: Mapping[Spot, frozenset[str]]) -> Self:
        """Forget all steps except these, and begin a new turn.

        From now on a weight of a thing is a step of the scale on which it is now. Otherwise pieces taken out of the bag
        before the next cradle has weighed it would be looked for at the previous cradle.
        """
        carried = dict(self.carried)
        for spot, things in lying.items():
            for thing in things:
                last = carried.get(thing)
                if last is not None and last.away:
                    carried[thing] = replace(last, spot=spot, visited=(spot,) if spot != last.spot else ())
        return replace(self, carried=carried, steps=tuple(step for step in self.steps if step.no in numbers))

    def forgetting_away(self, weighed: Set[Spot]) -> Self:
        """Forget the things taken off other scales than these: they come back empty, or with something else."""
        kept = {thing: last for thing, last in self.carried.items() if not last.away or last.spot in weighed}
        return replace(self, carried=kept)
