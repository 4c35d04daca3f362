"""The observed table: what lies where and what weighs on the scales, as facts say it."""

from collections.abc import Collection, Set
from copy import copy
from dataclasses import dataclass, field, fields, replace
from typing import Self

from citytable.table.fact import (
    Fact,
    HeightMeasured,
    MassMoving,
    MassSettled,
    PiecesCounted,
    SensorFault,
    StationCame,
    StationWent,
    TagCame,
    TagLeft,
)
from citytable.table.spot import Spot
from citytable.umpire.piece_mass import PieceMass

UNREGISTERED = "?"  # begins the name of a tag that nobody registered; its UID follows
CARRIED_STEP_MIN_G = 0.6  # between what a thing weighed before and after it was away: two steps of two scales
OWN_G_PER_H = 5.0  # how far a scale's zero wanders while nobody listens, beyond that
OWN_MAX_G = 2.0
HOUR_US = 3_600_000_000
LINGERED_US = 3_000_000  # a turn that passes is confirmed sooner, if somebody listens
STIRRED_US = 1_500_000  # a scale that moved for so long before its load was lifted had a hand in it
LETS_GO_US = 1_500_000  # a hand that has laid something down is off it by then
LETS_GO_MAX_G = 5.0  # and pressed no more than that while the scale took it for rest
EMPTY_MAX_G = 5.0  # the lightest thing that is weighed, a park tile, is heavier


@dataclass(frozen=True, slots=True)
class Step:
    """The load on a scale changed for good by `grams` while it weighed `thing`; `no` numbers the steps of a table.

    `bridged`: across a silence of its station. All that was done meanwhile is one step, which may be 0, and `own_g`
    of it may be the scale's own. `free`: it may be no act, but the rest of what was being put back. `other`: it came to
    light when the thing had gone from one scale to another, and may as well belong to that one. `joined`: people said
    that a part of it was no act of its own.
    """

    no: int
    t_us: int
    spot: Spot
    grams: float
    bridged: bool = False
    own_g: float = 0.0
    thing: str = ""
    free: bool = False
    other: Spot = ""
    joined: bool = False


@dataclass(frozen=True, slots=True)
class Height:
    """The height of a thing, as the crane measured it."""

    low_mm: float
    high_mm: float
    t_us: int


@dataclass(frozen=True, slots=True)
class Count:
    """The number of pieces counted on a thing; `unsure`: somebody should say."""

    n: int
    unsure: bool


@dataclass(frozen=True, slots=True)
class _Carried:
    """The last weight of a thing, and the scale that weighed it.

    `away`: it has left the scale since. `unheard`: the scale was silent since. `stirred`: with a hand in it. `new_us`:
    when it was weighed first of all, if it has lain there since.
    """

    spot: Spot
    net_g: float
    t_us: int
    away: bool = False
    unheard: bool = False
    stirred: bool = False
    new_us: int | None = None


def _lets_go(last: _Carried, t_us: int, step_g: float) -> bool:
    """Return whether a thing nobody had weighed before became lighter because the hand that laid it there let go."""
    fresh = last.new_us is not None and t_us - last.new_us <= LETS_GO_US
    return fresh and -LETS_GO_MAX_G < step_g < 0 and not last.away and not last.unheard


@dataclass(slots=True)
class Observed:
    """Everything the sensors show now. `lying` maps a spot to the things read there (an unregistered tag as `?<uid>`).

    `readers` are the spots that have one, `scales` those that have one and a reader; None: every spot does.
    """

    readers: frozenset[Spot] | None = None
    scales: frozenset[Spot] | None = None
    lying: dict[Spot, frozenset[str]] = field(default_factory=dict)
    silent: dict[str, tuple[Spot, ...]] = field(default_factory=dict)  # station -> its spots
    mass_g: dict[Spot, float] = field(default_factory=dict)  # settled loads
    moving: set[Spot] = field(default_factory=set)
    _moving_us: dict[Spot, int] = field(default_factory=dict)  # since when
    steps: list[Step] = field(default_factory=list)
    heights: dict[str, Height] = field(default_factory=dict)
    counts: dict[str, Count] = field(default_factory=dict)
    sureness: dict[Spot, float] = field(default_factory=dict)  # of what was last read there, where it is not 1
    faults: dict[tuple[Spot, str], str] = field(default_factory=dict)
    piece: PieceMass = field(default_factory=PieceMass)  # what pieces weigh, as far as it is known
    _carried: dict[str, _Carried] = field(default_factory=dict)  # what each thing weighed last, and where
    _net_g: dict[Spot, float] = field(default_factory=dict)  # the load since the scale was last empty
    bare_g: dict[str, float] = field(default_factory=dict)  # the least that each thing ever weighed: nothing on it
    _came_us: dict[Spot, int] = field(default_factory=dict)  # when something was last laid there
    _not_heard_again: set[Spot] = field(default_factory=set)  # scales that were silent and did not settle since
    _step_no: int = 0

    def apart(self) -> Self:
        """A copy that goes its own way."""
        return replace(self, **{part.name: copy(getattr(self, part.name)) for part in fields(self)})

    def at(self, spot: Spot) -> frozenset[str]:
        """The things read at a spot."""
        return self.lying.get(spot, frozenset())

    def unheard(self, spot: Spot) -> bool:
        """Return whether the spot's station is silent, so that nothing can be said of it."""
        return any(spot in spots for spots in self.silent.values())

    def unread(self, spot: Spot) -> bool:
        """Return whether nobody can say what lies there: it has no reader, one at fault, or its station is silent."""
        bare = self.readers is not None and spot not in self.readers
        return bare or (spot, "reader") in self.faults or self.unheard(spot)

    def unreadable(self) -> frozenset[Spot]:
        """Spots whose reader is at fault: what it read last may be gone."""
        return frozenset(spot for spot, sensor in self.faults if sensor == "reader")

    def unweighed(self, spot: Spot) -> bool:
        """Return whether nobody can say what weighs there.

        It has no scale, a cell at fault, or a station that is silent.
        """
        bare = self.scales is not None and spot not in self.scales
        return bare or (spot, "cell") in self.faults or self.unheard(spot)

    def take(self, fact: Fact) -> bool:
        """Take a fact in; True when it can change what the table is explained by."""
        match fact:
            case TagCame():
                name = fact.thing or f"{UNREGISTERED}{fact.uid}"
                self.lying[fact.spot] = self.at(fact.spot) | {name}
                self._came_us[fact.spot] = fact.t_us
                self._trust(fact)
                self._weigh(fact.spot, fact.t_us)
            case TagLeft():
                self._leave(fact)
            case MassMoving():
                self.moving.add(fact.spot)
                self._moving_us.setdefault(fact.spot, fact.t_us)
            case MassSettled():
                self._settle(fact)
            case HeightMeasured() | PiecesCounted():
                return self._measure(fact)
            case StationCame() | StationWent():
                self._hear(fact)
            case SensorFault():
                self._fault(fact)
            case _:
                return False
        return True

    def lingered(self, fact: TagLeft) -> bool:
        """Return whether what leaves lay there for a while in a silence, after which the scale has not told yet."""
        lay_us = fact.t_us - self._came_us.get(fact.spot, fact.t_us)
        return fact.spot in self._not_heard_again and lay_us >= LINGERED_US

    def _measure(self, fact: HeightMeasured | PiecesCounted) -> bool:
        if isinstance(fact, PiecesCounted):
            self.counts |= dict.fromkeys(self.at(fact.spot), Count(fact.n, fact.unsure))
            return False  # the step it was counted by explains what was done
        self.heights |= dict.fromkeys(self.at(fact.spot), Height(fact.low_mm, fact.high_mm, fact.t_us))
        return True

    def _trust(self, fact: TagCame | TagLeft) -> None:
        self.sureness.pop(fact.spot, None)
        if fact.confidence < 1:
            self.sureness[fact.spot] = fact.confidence

    def _leave(self, fact: TagLeft) -> None:
        self._trust(fact)
        thing = fact.thing or f"{UNREGISTERED}{fact.uid}"
        self.lying[fact.spot] = self.at(fact.spot) - {thing}
        last = self._carried.get(thing)
        if last is not None and last.spot == fact.spot:
            stirred = fact.t_us - self._moving_us.get(fact.spot, fact.t_us) >= STIRRED_US
            self._carried[thing] = replace(last, away=True, stirred=stirred)

    def _hear(self, fact: StationCame | StationWent) -> None:
        if isinstance(fact, StationWent):
            self.silent[fact.station] = fact.spots
            self._lose(fact.spots)
        else:
            self.silent.pop(fact.station, None)

    def _fault(self, fact: SensorFault) -> None:
        if not fact.on:
            self.faults.pop((fact.spot, fact.sensor), None)
            return
        self.faults[fact.spot, fact.sensor] = fact.what
        if fact.sensor == "cell":
            self._lose((fact.spot,))

    def _lose(self, spots: Collection[Spot]) -> None:
        """From now on nothing is told of what these scales carry."""
        self._not_heard_again.update(spot for spot in spots if spot in self.mass_g)
        for thing, last in self._carried.items():
            if last.spot in spots:
                self._carried[thing] = replace(last, unheard=True)

    def _settle(self, fact: MassSettled) -> None:
        self.moving.discard(fact.spot)
        self._moving_us.pop(fact.spot, None)
        self._not_heard_again.discard(fact.spot)
        was_empty = self.mass_g.get(fact.spot, 0.0) < EMPTY_MAX_G
        self.mass_g[fact.spot] = fact.mass_g
        if fact.mass_g < EMPTY_MAX_G:
            self._emptied(fact.spot, -fact.step_g)
            self._net_g[fact.spot] = 0.0
            return
        self._net_g[fact.spot] = fact.step_g if was_empty else self._net_g.get(fact.spot, 0.0) + fact.step_g
        self._weigh(fact.spot, fact.t_us, 0.0 if was_empty else fact.step_g)

    def _emptied(self, spot: Spot, lifted_g: float) -> None:
        """Take the weight of a lifted thing from the loss of the scale: a scale's zero wanders, the steps do not."""
        for thing, last in self._carried.items():
            if last.away and last.spot == spot and lifted_g > EMPTY_MAX_G:
                self._carried[thing] = replace(last, net_g=lifted_g)

    def _weigh(self, spot: Spot, t_us: int, step_g: float = 0.0) -> None:
        """Note what the things lying on a settled scale weigh, and the step since they were last weighed.

        While a thing stays, `step_g` of the scale tells; when it was away, the difference to what it weighed before.
        A step belongs to the scale a thing was last on: what left the bag on its way to the next cradle left it there.
        A nearly empty scale weighs nothing: the tag was read before the load came, or stays readable after it went.
        """
        net_g = self._net_g.get(spot, 0.0)
        if net_g < EMPTY_MAX_G or spot in self.moving or spot in self._not_heard_again:
            return
        for thing in self.at(spot):
            last = self._carried.get(thing)
            new_us = t_us if last is None else None if last.away else last.new_us
            self._carried[thing] = _Carried(spot, net_g, t_us, new_us=new_us)
            self.bare_g[thing] = min(net_g, self.bare_g.get(thing, net_g))
            if last is not None and not _lets_go(last, t_us, step_g):
                self._note_step(t_us, thing, last, net_g - last.net_g if last.away else step_g, spot)

    def _note_step(self, t_us: int, thing: str, last: _Carried, grams: float, spot: Spot) -> None:
        if last.away and abs(grams) < CARRIED_STEP_MIN_G:
            grams = 0.0
        if not grams and not last.unheard:
            return
        hours = max(0, t_us - last.t_us) / HOUR_US
        own_g = min(OWN_MAX_G, CARRIED_STEP_MIN_G + OWN_G_PER_H * hours) if last.unheard else 0.0
        self._step_no += 1
        other = "" if last.stirred or spot == last.spot else spot
        self.steps.append(Step(self._step_no, t_us, last.spot, grams, last.unheard, own_g, thing, other=other))

    def weighed(self, spot: Spot) -> bool:
        """Return whether the scale is at rest and has weighed what lies on it.

        A spot without a scale has nothing to weigh, and nobody waits for a scale at fault.
        """
        if spot not in self.mass_g or (spot, "cell") in self.faults:
            return True
        still = spot not in self.moving and spot not in self._not_heard_again
        at_rest = still or self.unweighed(spot)  # a silent scale never says that it rests
        return at_rest and all(self._was_weighed(thing, spot) for thing in self.at(spot))

    def _was_weighed(self, thing: str, spot: Spot) -> bool:
        last = self._carried.get(thing)
        return last is not None and last.spot == spot and not last.away

    def lost_percent(self, spot: Spot, lost_g: float) -> int | None:
        """Return how much of what stood on the thing at a spot is gone after `lost_g` fell off it.

        None when that is unknown.
        What the thing itself weighs is the least it ever weighed, as long as it was weighed without a load.
        """
        bare_g = sum(self.bare_g.get(thing, 0.0) for thing in self.at(spot))
        stood_g = self._net_g.get(spot, 0.0) + lost_g - bare_g
        return round(100 * lost_g / stood_g) if bare_g and 0 < lost_g <= stood_g else None

    def forget_steps(self, spot: Spot) -> None:
        """People say that nothing happened there: what the scale showed was its own."""
        self.steps = [step for step in self.steps if step.spot != spot]

    def steps_of(self, thing: str) -> list[Step]:
        """The steps that the scales showed of a thing."""
        return [step for step in self.steps if step.thing == thing]

    def no_act(self, numbers: Set[int]) -> bool:
        """People say that these steps were no act; True where they were parts of the one beside them on their scale."""
        told = [step for step in self.steps if step.no in numbers]
        self.steps = [step for step in self.steps if step.no not in numbers]
        beside = [k for k, step in enumerate(self.steps) if told and step.spot == told[0].spot and step.grams < 0]
        if not beside or any(step.grams > 0 or step.free for step in told):
            return False
        k = min(beside, key=lambda k: abs(self.steps[k].no - told[0].no))
        whole_g = self.steps[k].grams + sum(step.grams for step in told)
        self.steps[k] = replace(self.steps[k], grams=whole_g, joined=True)
        return True

    def forget_steps_of(self, thing: str) -> None:
        """Forget the steps of a thing: they were no act."""
        self.steps = [step for step in self.steps if step.thing != thing]

    def weighs_g(self, thing: str) -> float | None:
        """Return what a thing weighed when it last was weighed; None when it never was."""
        last = self._carried.get(thing)
        return None if last is None else last.net_g

    def free(self, no: int) -> None:
        """From now on nothing need explain this step."""
        self.steps = [replace(step, free=True) if step.no == no else step for step in self.steps]

    def hand_over(self, no: int) -> None:
        """This step belongs to the other scale of the two between which it was done."""
        swapped = (replace(step, spot=step.other, other=step.spot) if step.no == no else step for step in self.steps)
        self.steps = list(swapped)

    def settle(self, no: int, spot: Spot) -> None:
        """People say that this step belongs to that scale."""
        told = (replace(step, spot=spot, other="") if step.no == no else step for step in self.steps)
        self.steps = list(told)

    @property
    def last_step(self) -> int:
        """The number of the latest step."""
        return self._step_no

    def forget_away(self, weighed: Set[Spot]) -> None:
        """Forget the things taken off a scale that is none of these: they come back empty, or with something else."""
        self._carried = {thing: last for thing, last in self._carried.items() if not last.away or last.spot in weighed}

    def _turn_over(self) -> None:
        """Begin a new turn: from now on a weight of a thing is a step of the scale it lies on now.

        Pieces taken out of the bag before the next cradle has weighed it would be looked for at the cradle before.
        """
        for spot, things in self.lying.items():
            for thing in things:
                last = self._carried.get(thing)
                if last is not None and last.away:
                    self._carried[thing] = replace(last, spot=spot)

    def keep_steps(self, numbers: Set[int] = frozenset()) -> None:
        """Forget all steps but these: a confirmed action explains them, or no action will."""
        self.steps = [step for step in self.steps if step.no in numbers]
        self._turn_over()
