"""The observed table: what lies where and what weighs on the scales, as facts say it.

A value: each fact gives a new one.
"""

from collections.abc import Iterable, Mapping, Set
from types import MappingProxyType
from typing import Self

import msgspec
from msgspec.structs import replace

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
from citytable.table.layout import Layout, Region
from citytable.table.piece_mass import NO_PIECES, PieceMass
from citytable.table.spot import Spot, place
from citytable.umpire.steps import Step, given_back, known
from citytable.umpire.weights import Weights

UNREGISTERED = "?"  # begins the name of a tag that nobody registered; its UID follows
STAYS_KEPT = 4
NO_THINGS: Mapping[Spot, frozenset[str]] = MappingProxyType({})
LINGERED_US = 3_000_000  # a turn that passes is confirmed sooner, if somebody listens


class Height(msgspec.Struct, frozen=True):
    """The height of a thing, as the crane measured it."""

    low_mm: float
    high_mm: float
    t_us: int


class Arrival(msgspec.Struct, frozen=True):
    """A thing was laid on a spot. `beside`: what lay in the same place then."""

    thing: str
    spot: Spot
    t_us: int
    beside: frozenset[str] = frozenset()


class Count(msgspec.Struct, frozen=True):
    """The number of pieces counted on a thing; `unsure`: somebody should say."""

    n: int
    unsure: bool


def can_tell(fact: Fact) -> bool:
    """Return whether a fact can change the explanation of the table.

    A count of pieces cannot: the step by which the pieces were counted explains what happened.
    """
    telling = TagCame | TagLeft | MassMoving | MassSettled | HeightMeasured | StationCame | StationWent | SensorFault
    return isinstance(fact, telling)


def _named(fact: TagCame | TagLeft) -> str:
    return fact.thing or f"{UNREGISTERED}{fact.uid}"


def _with_last(times_us: Mapping[Spot, tuple[int, ...]], spot: Spot, t_us: int) -> dict[Spot, tuple[int, ...]]:
    return {**times_us, spot: (*times_us.get(spot, ()), t_us)[-STAYS_KEPT:]}


class Observed(msgspec.Struct, frozen=True):
    """Everything that the sensors show now.

    `lying` maps a spot to the things read there (an unregistered tag as `?<uid>`). `readers` are the spots that have a
    reader, `scales` those that have a scale and a reader; None: every spot has.
    """

    readers: frozenset[Spot] | None = None
    scales: frozenset[Spot] | None = None
    lying: Mapping[Spot, frozenset[str]] = msgspec.field(default_factory=dict)
    silent: Mapping[str, tuple[Spot, ...]] = msgspec.field(default_factory=dict)  # station -> its spots
    weights: Weights = Weights()
    heights: Mapping[str, Height] = msgspec.field(default_factory=dict)
    counts: Mapping[str, Count] = msgspec.field(default_factory=dict)
    sureness: Mapping[Spot, float] = msgspec.field(default_factory=dict)  # of what was last read there, if it is not 1
    faults: Mapping[tuple[Spot, str], str] = msgspec.field(default_factory=dict)
    piece: PieceMass = PieceMass.of(NO_PIECES)  # what pieces weigh, as far as known
    rested_us: Mapping[Spot, int] = msgspec.field(default_factory=dict)  # when each scale last rested laden
    came_us: Mapping[Spot, int] = msgspec.field(default_factory=dict)  # when something was last laid there
    left_us: Mapping[str, int] = msgspec.field(default_factory=dict)  # when each registered thing last left a reader
    left_at: Mapping[str, Spot] = msgspec.field(default_factory=dict)  # and where that was
    lain_at: Mapping[str, frozenset[Spot]] = msgspec.field(default_factory=dict)  # where each thing has been
    set_out_us: Mapping[str, int] = msgspec.field(default_factory=dict)  # when it left the spot from which it came here
    stays: Mapping[Spot, tuple[int, ...]] = msgspec.field(default_factory=dict)  # when things came there from elsewhere
    sent_us: Mapping[Spot, tuple[int, ...]] = msgspec.field(default_factory=dict)  # and when each of them set out
    arrivals: tuple[Arrival, ...] = ()  # the last arrival of each thing at each spot since the confirmed position
    heard_us: int = 0  # when a station last came back: its first reports may have been true for a while
    now_us: int = 0  # the time of the latest fact
    turn_us: int = 0  # since when the turn of the confirmed position has lasted, as far as a reader showed it
    kept_us: int = 0  # when steps were last forgotten: an action was confirmed, or the table judged again
    foreign_g: Mapping[Spot, float] = msgspec.field(default_factory=dict)  # weights on scales that belong to no game
    held: frozenset[str] = frozenset()  # things that people say are in a hand, and with which they did nothing else
    vouched: frozenset[Spot] = frozenset()  # where people let things stand unread, until a reader shows something

    @property
    def mass_g(self) -> Mapping[Spot, float]:
        """The settled loads."""
        return self.weights.mass_g

    @property
    def moving(self) -> Set[Spot]:
        """The scales that are not at rest."""
        return self.weights.moving_us.keys()

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps that the scales showed, oldest first."""
        return self.weights.steps

    @property
    def bare_g(self) -> Mapping[str, float]:
        """The lowest weight that each thing ever had."""
        return self.weights.bare_g

    @property
    def read(self) -> frozenset[str]:
        """Everything that is read somewhere."""
        return frozenset[str]().union(*self.lying.values())

    def at(self, spot: Spot) -> frozenset[str]:
        """The things read at a spot."""
        return self.lying.get(spot, frozenset())

    def on_its_way(self, thing: str, region: Region, layout: Layout) -> bool:
        """Return whether a thing may be in a lap on its first way to a region to which a layout brings it.

        A thing that somebody lifted off such a region is not on its way to another one.
        """
        fresh = region.fetched and not has_lain(self, thing, region.spots)
        return fresh and thing in self.left_at and self.left_at[thing] not in layout.fetched_to

    def unheard(self, spot: Spot) -> bool:
        """Return whether the spot's station is silent, so that nothing is known about the spot."""
        return bool(self.silent) and any(spot in spots for spots in self.silent.values())

    def unread(self, spot: Spot) -> bool:
        """Return whether no reader can say what is there.

        The spot has no reader, a faulty one or one that people do not trust, or its station is silent.
        """
        bare = self.readers is not None and spot not in self.readers
        return bare or (spot, "reader") in self.faults or spot in self.vouched or self.unheard(spot)

    def unreadable(self) -> frozenset[Spot]:
        """The spots whose reader is faulty or not trusted: the thing that was last read there may be gone."""
        return self.vouched.union(spot for spot, sensor in self.faults if sensor == "reader")

    def unweighed(self, spot: Spot) -> bool:
        """Return whether no scale can say what weighs there.

        The spot has no scale or a faulty cell, or its station is silent.
        """
        bare = self.scales is not None and spot not in self.scales
        return bare or (spot, "cell") in self.faults or self.unheard(spot)

    def weighed(self, spot: Spot) -> bool:
        """Return whether the scale is at rest and has weighed what is on it.

        A spot without a scale has nothing to weigh, and nobody waits for a faulty scale.
        """
        if spot not in self.mass_g or (spot, "cell") in self.faults:
            return True
        at_rest = self.weights.at_rest(spot) or self.unweighed(spot)  # a silent scale never says that it rests
        return at_rest and all(self.weights.have_weighed(thing, spot) for thing in self.at(spot))

    def lost_percent(self, spot: Spot, lost_g: float) -> int | None:
        """Return how much of what stood at a spot is gone after `lost_g` fell off it; None when that is unknown."""
        return self.weights.lost_percent(spot, lost_g, self.at(spot))

    def weighs_g(self, thing: str) -> float | None:
        """Return the last weight of a thing; None if it was never weighed."""
        last = self.weights.carried.get(thing)
        return None if last is None else last.net_g

    def steps_of(self, thing: str) -> list[Step]:
        """Return the steps of a thing."""
        return [step for step in self.steps if step.thing == thing]

    def lingered(self, fact: TagLeft) -> bool:
        """Return whether a thing that leaves was there for a while in a silence, and its scale has not reported yet."""
        lay_us = fact.t_us - self.came_us.get(fact.spot, fact.t_us)
        return fact.spot in self.weights.not_heard_again and lay_us >= LINGERED_US

    def took(self, fact: Fact) -> Self:
        """Return the table after a fact."""
        after = self._took(fact)._stamped(self.weights.last_step)
        return replace(after, now_us=fact.t_us) if fact.t_us > after.now_us else after

    def _stamped(self, last_step: int) -> Self:
        """Return the table with the steps after that one assigned to the stays of their things on their scales."""
        if self.weights.last_step == last_step:
            return self
        steps = (one if one.no <= last_step else self._known(one) for one in self.steps)
        return self.with_steps(given_back(tuple(steps), last_step))

    def _known(self, step: Step) -> Step:
        stay = 0 if self.unread(step.spot) else self._stay_of(step)
        return known(step, stay, self.foreign_g.get(step.spot, 0.0))

    def _stay_of(self, step: Step) -> int:
        """Return when the thing of a new step had come to its scale, before it went on to others; 0 for never.

        It may have been there once more on its way, when nothing weighed it.
        """
        stays = self.stays.get(step.spot, ())
        went_us = next((us for other in step.others[:1] for us in reversed(self.stays.get(other, ()))), 0)
        return max((us for us in stays if us < went_us), default=max(stays, default=0))

    def _took(self, fact: Fact) -> Self:
        match fact:
            case TagCame():
                return self._came(fact)
            case TagLeft():
                return self._left(fact)
            case MassMoving():
                return replace(self, weights=self.weights.moved(fact.spot, fact.t_us))
            case MassSettled():
                rested_us = {**self.rested_us, fact.spot: fact.t_us} if self.at(fact.spot) else self.rested_us
                weights = self.weights.settled(fact, self.at(fact.spot))
                return replace(self, weights=weights, rested_us=rested_us)
            case HeightMeasured():
                height = Height(fact.low_mm, fact.high_mm, fact.t_us)
                return replace(self, heights={**self.heights, **dict.fromkeys(self.at(fact.spot), height)})
            case PiecesCounted():
                count = Count(fact.n, fact.unsure)
                return replace(self, counts={**self.counts, **dict.fromkeys(self.at(fact.spot), count)})
            case StationCame() | StationWent():
                return self._heard(fact)
            case SensorFault():
                return self._fault(fact)
            case _:
                return self

    def _came(self, fact: TagCame) -> Self:
        things = self._without(fact) | {_named(fact)}
        set_out_us = self._set_out(fact)
        is_new = set_out_us is not self.set_out_us
        stays, sent_us = self.stays, self.sent_us
        if is_new:
            stays = _with_last(stays, fact.spot, fact.t_us)
            sent_us = _with_last(sent_us, fact.spot, set_out_us[_named(fact)])
        return replace(
            self,
            lying={**self.lying, fact.spot: things},
            held=self.held - {_named(fact)},
            vouched=self.vouched - {fact.spot},
            lain_at={**self.lain_at, _named(fact): self.lain_at.get(_named(fact), frozenset()) | {fact.spot}},
            came_us={**self.came_us, fact.spot: fact.t_us},
            arrivals=self._arrivals_with(fact),
            set_out_us=set_out_us,
            stays=stays,
            sent_us=sent_us,
            sureness=self._trusted(fact),
            weights=self.weights.weighed(fact.spot, fact.t_us, things),
        )

    def _without(self, fact: TagCame | TagLeft) -> frozenset[str]:
        """Return what is at a spot without this tag, whose thing may have been registered since it came."""
        return self.at(fact.spot) - {_named(fact), f"{UNREGISTERED}{fact.uid}"}

    def _arrivals_with(self, fact: TagCame) -> tuple[Arrival, ...]:
        if fact.thing is None:
            return self.arrivals
        others = (one for one in self.arrivals if (one.thing, one.spot) != (fact.thing, fact.spot))
        there = (things for spot, things in self.lying.items() if place(spot) == place(fact.spot))
        return (*others, Arrival(fact.thing, fact.spot, fact.t_us, frozenset[str]().union(*there) - {fact.thing}))

    def _set_out(self, fact: TagCame) -> Mapping[str, int]:
        """Return when things left their places, after one came; not if it was only lifted, or laid beside that."""
        thing = _named(fact)
        if thing in self.left_at and place(self.left_at[thing]) == place(fact.spot):
            return self.set_out_us
        return {**self.set_out_us, thing: self.left_us.get(thing, fact.t_us)}

    def _left(self, fact: TagLeft) -> Self:
        return replace(
            self,
            lying={**self.lying, fact.spot: self._without(fact)},
            left_us=self.left_us if fact.thing is None else {**self.left_us, fact.thing: fact.t_us},
            left_at=self.left_at if fact.thing is None else {**self.left_at, fact.thing: fact.spot},
            sureness=self._trusted(fact),
            weights=self.weights.lifted(_named(fact), fact.spot, fact.t_us),
        )

    def _trusted(self, fact: TagCame | TagLeft) -> Mapping[Spot, float]:
        others = {spot: sure for spot, sure in self.sureness.items() if spot != fact.spot}
        return others | {fact.spot: fact.confidence} if fact.confidence < 1 else others

    def _heard(self, fact: StationCame | StationWent) -> Self:
        if isinstance(fact, StationWent):
            silent = {**self.silent, fact.station: fact.spots}
            return replace(self, silent=silent, weights=self.weights.lost(frozenset(fact.spots)))
        silent = {name: spots for name, spots in self.silent.items() if name != fact.station}
        return replace(self, silent=silent, heard_us=fact.t_us)

    def _fault(self, fact: SensorFault) -> Self:
        sensor = (fact.spot, fact.sensor)
        if not fact.on:
            return replace(self, faults={at: what for at, what in self.faults.items() if at != sensor})
        weights = self.weights.lost({fact.spot}) if fact.sensor == "cell" else self.weights
        return replace(self, faults={**self.faults, sensor: fact.what}, weights=weights)

    def with_steps(self, steps: tuple[Step, ...]) -> Self:
        """Return the table with these steps in place of its own: people have said more about them."""
        return replace(self, weights=replace(self.weights, steps=steps))

    def keeping(
        self,
        numbers: Set[int] = frozenset(),
        *,
        since_us: int = 0,
        unread: Mapping[Spot, frozenset[str]] = NO_THINGS,
        ahead: Set[str] = frozenset(),
    ) -> Self:
        """Forget all steps except these, and arrivals until `since_us` (0: now), when the current turn began.

        A confirmed action explains them, or no action ever will. `unread`: the things at places without a reader, by
        that action. `ahead`: the things that have gone further since, by acts that are not confirmed.
        """
        arrivals = tuple(one for one in self.arrivals if since_us and one.t_us > since_us)
        lying = {spot: things - ahead for spot, things in self.lying.items()}
        weights = self.weights.kept(numbers, {**lying, **unread})
        turn_us = since_us or self.now_us
        return replace(self, weights=weights, arrivals=arrivals, turn_us=turn_us, kept_us=self.now_us)

    def forgetting_away(self, weighed: Set[Spot]) -> Self:
        """Forget things that were taken off scales other than these: they come back empty, or with something else."""
        return replace(self, weights=self.weights.forgetting_away(weighed))


def as_told(observed: Observed) -> Observed:
    """Return the part of a table on which stories depend: without the time, and the present motion of the scales."""
    table = replace(observed, weights=Weights(steps=observed.steps), heights={}, counts={}, sureness={})
    return replace(table, came_us={}, rested_us={}, now_us=0, kept_us=0)


def has_lain(observed: Observed, thing: str, spots: Iterable[Spot]) -> bool:
    """Return whether a reader ever read a thing at one of these spots."""
    return not observed.lain_at.get(thing, frozenset()).isdisjoint(spots)
