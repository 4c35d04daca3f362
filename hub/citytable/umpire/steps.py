"""Steps: what scales have shown since the last confirmed action, and how people's answers change it."""

from collections.abc import Set
from dataclasses import dataclass, replace

from citytable.table.spot import Spot

SAME_G = 0.5  # two weighings of the same thing differ by less
GONE_G = 1.0  # a thing was laid on a scale and is gone: two steps, each with its own error
SAME_PART = 0.02  # or by less than that of it


@dataclass(frozen=True, slots=True)
class Step:
    """The load on a scale changed for good by `grams` while it weighed `thing`; `no` numbers the steps of a table.

    `bridged`: across a silence of its station. All that was done meanwhile is one step, which may be 0, and `own_g`
    of it may be the scale's own. `free`: it may be no act, but the rest of what was being put back. `others`: it came
    to light when the thing had gone from one scale to another, and may as well belong to one of these: the last, or one
    that it lay on meanwhile and that did not come to rest. `joined`: people said that a part of it was no act of its
    own. `stay`: when the thing had come to that scale, from another one; 0 where nobody knows. `noted`: the scale on
    which it came to light. `turns`: so many scales it lay on before that, none of which came to rest.
    `touched`: a hand was in it on the scale on which it came to light, before that rested. `as_noted`: the step
    as it was noted, if its thing lay on a scale that was no player's in the story; it is that step again once it is.
    """

    no: int
    t_us: int
    spot: Spot
    grams: float
    bridged: bool = False
    own_g: float = 0.0
    thing: str = ""
    free: bool = False
    others: tuple[Spot, ...] = ()
    joined: bool = False
    stay: int = 0
    noted: Spot | None = None
    turns: int = 0
    touched: bool = False
    as_noted: "Step | None" = None


def is_same_load(grams: float, other_g: float) -> bool:
    """Return whether two loads are the same: each is a difference of two weighings."""
    return abs(grams - other_g) <= max(GONE_G, SAME_PART * other_g)


def known(step: Step, stay: int, foreign_g: float) -> Step:
    """Return a new step of a stay of its thing, beside a weight from outside the game that it may have taken away."""
    is_gone = foreign_g > 0 and is_same_load(-step.grams, foreign_g)
    return replace(step, stay=stay, free=step.free or is_gone)


def without_acts(steps: tuple[Step, ...], numbers: Set[int]) -> tuple[tuple[Step, ...], bool]:
    """Return the steps where these were no act; True if they were parts of their neighbour on the same scale."""
    told = [step for step in steps if step.no in numbers]
    rest = tuple(step for step in steps if step.no not in numbers)
    beside = [step for step in rest if told and step.spot == told[0].spot and step.grams < 0]
    if not beside or any(step.grams > 0 or step.free for step in told):
        return rest, False
    nearest = min(beside, key=lambda step: abs(step.no - told[0].no))
    whole_g = nearest.grams + sum(step.grams for step in told)
    joined = replace(nearest, grams=whole_g, joined=True)
    return tuple(joined if step is nearest else step for step in rest), True


def weighed_anew(step: Step, grams: float) -> Step:
    """Return a step as its scale shows it once no hand is there any more."""
    return replace(step, grams=grams)


def freed(steps: tuple[Step, ...], no: int) -> tuple[Step, ...]:
    """Return the steps where nothing has to explain this one."""
    return tuple(replace(step, free=True) if step.no == no else step for step in steps)


def handed_over(steps: tuple[Step, ...], no: int, to: Spot, stay: int) -> tuple[Step, ...]:
    """Return the steps where one belongs to another of the scales between which it was done, and to its stay there."""
    return tuple(_belonging(step, to, stay) if step.no == no else step for step in steps)


def _belonging(step: Step, to: Spot, stay: int) -> Step:
    others = tuple(spot for spot in (step.spot, *step.others) if spot != to)
    return replace(step, spot=to, others=others, stay=stay, as_noted=None)


def attributed(steps: tuple[Step, ...], no: int, spot: Spot, stay: int) -> tuple[Step, ...]:
    """Return the steps where this one is known to belong to no earlier scale, and to which stay it belongs."""
    return tuple(_passed_on(step, spot, stay) if step.no == no else step for step in steps)


def astray(steps: tuple[Step, ...], no: int, spot: Spot, stay: int) -> tuple[Step, ...]:
    """Return the steps where this one belongs to the scale to which its thing came back from one that had no turn."""
    return tuple(replace(_passed_on(step, spot, stay), as_noted=step) if step.no == no else step for step in steps)


def _passed_on(step: Step, spot: Spot, stay: int) -> Step:
    later = step.others[step.others.index(spot) + 1 :] if spot in step.others else ()
    others = tuple(other for other in later if step.touched or other != step.noted)  # which weighed it at once
    return replace(step, spot=spot, others=others, stay=stay, as_noted=None)


def rest_of(steps: tuple[Step, ...], step: Step, rest_g: float, spot: Spot, stay: int) -> tuple[Step, ...]:
    """Return the steps where an estimated part of one belongs to the next of the scales between which it happened."""
    rest = replace(_passed_on(step, spot, stay), grams=rest_g, turns=step.turns + 1)
    return tuple(rest if one.no == step.no else one for one in steps)


def touched(step: Step) -> Step:
    """Return a step that was seen on a scale while a hand was in the bag."""
    return replace(step, touched=True)


def with_what_came(steps: tuple[Step, ...], spot: Spot | None) -> tuple[Step, ...]:
    """Return the steps where a scale's losses and gains belong to nobody, except their sum: that was put there.

    Somebody takes a monument away, which looks like a fall, and puts another one there.
    """
    its = [step for step in steps if step.spot == spot]
    came_g = sum(step.grams for step in its)
    rest = tuple(step for step in steps if step.spot != spot)
    return (*rest, replace(its[-1], grams=came_g)) if its and came_g > SAME_G else rest


def through(step: Step, lap: Spot) -> Step:
    """Return a step seen on another scale, as it is if its thing was also on this scale without being weighed."""
    if not step.others or step.spot == step.noted or lap in {step.spot, *step.others}:
        return step
    return replace(step, others=(*step.others[:-1], lap, step.others[-1]), turns=step.turns + 1)


def goes_on(step: Step, spot: Spot) -> bool:
    """Return whether the rest of a step belongs to the next turn, at this scale, which did not weigh it either."""
    return step.turns > 0 and spot in step.others and (step.touched or spot != step.noted)


def is_estimated(step: Step) -> bool:
    """Return whether a step covers acts of several turns and nobody knows their parts."""
    return step.turns > 1


def given_back(steps: tuple[Step, ...], last_step: int) -> tuple[Step, ...]:
    """Return the steps where a thing lost weight on its way to a scale and got it back there at once.

    Somebody poured the bag out before they laid it down, and counted. Only steps after `last_step` count.
    """
    for step in steps:
        if step.no <= last_step or step.grams <= 0:
            continue
        before = next((one for one in reversed(steps) if one.no < step.no and one.thing == step.thing), None)
        if before is None or before.noted != step.spot or step.spot not in before.others:
            continue
        if is_same_load(-before.grams, step.grams):
            steps = attributed(steps, before.no, step.spot, step.stay)
    return steps
