"""The wire between the sensors of an evening and its hub: what the hub has of the facts when something fails, and when.

What stations tell falls into two kinds (docs/reference/wire.md). Events (tags, heights, buttons) are kept until the hub
has written them down: they come late, each with its own time. What scales tell is not kept: afterwards only the load is
known that rests there then. In short:

| trouble | events | scales | stations |
|---|---|---|---|
| the hub is killed | late | lost | gone since its last entry, until all have told |
| the broker is killed | late | lost | there, unless it takes `SILENT_US` |
| the broker stands still | late | later, or lost | there |
| the network of a station stalls | late | later, or lost | there, unless it takes `GONE_US` |
| a station is unplugged | lost; then what lies there | lost | gone after `GONE_US`, and a new start |

What a station that was gone without a new start tells late counts from its return on.
Where the sensing keeps a state of its own (which tag lies where), that itself is used. What a scale that comes back
tells is its load, and the step since the hub last knew it: no station sets its zero again.
"""

import heapq
import random
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from itertools import count
from typing import TypeAlias

from msgspec.structs import replace

from citytable.evenings.performance import Heard
from citytable.evenings.troubles import FIGURES, Trouble
from citytable.link.registry import GONE_US, SILENT_US
from citytable.sensing.motion import STEP_G
from citytable.sensing.tags import INVENTORY_CONFIDENCE, Tags
from citytable.table import spot as spots
from citytable.table.fact import (
    ButtonPressed,
    Fact,
    Fell,
    HeightMeasured,
    MassMoving,
    MassSettled,
    PiecesCounted,
    SensorFault,
    StationCame,
    StationWent,
    TagCame,
    TagLeft,
    ZeroMoved,
)
from citytable.table.plan import Plan
from citytable.table.spot import Spot

Event: TypeAlias = TagCame | TagLeft | HeightMeasured | ButtonPressed
"""What a station repeats until the hub has written it down."""


class _Scale:
    """A scale as it is, and as the hub knows it."""

    def __init__(self) -> None:
        self.moves = False
        self.mass_g = 0.0
        self.error_g = 0.0
        self.is_known = False  # the hub knows what rests there
        self.told = False  # it has ever told the hub anything
        self.owed_g = 0.0  # steps that the hub has not heard of
        self.zero: ZeroMoved | None = None  # and the zero
        self.counted: PiecesCounted | None = None  # and the count
        self.suspects = False  # a fall that is neither confirmed nor withdrawn


class Wire:
    """Take all facts of an evening with `heard`, once."""

    def __init__(self, plan: Plan, rng: random.Random) -> None:
        self._rng = rng
        self._spots_of = {one.station: tuple(there.spot for there in one.spots) for one in plan.stations}
        self._station_of = plan.station_of()
        self._tags = Tags(plan.tags)  # as the hub knows them
        self._lying: dict[Spot, dict[str, None]] = {}  # as the stations know them
        self._scales: defaultdict[Spot, _Scale] = defaultdict(_Scale)
        self._boots: dict[str, int] = {}  # of the stations that are there
        self._known: dict[str, int] = {}  # and as the hub knows it
        self._starts: dict[str, int] = {}  # how often each was unplugged
        self.away_us: list[tuple[int, int]] = []
        """From when to when the hub was away, or heard nobody yet: words that people say wait for that, too."""
        self._trouble: Trouble | None = None
        self._gone: set[str] = set()  # in this trouble
        self._kept: list[Fact] = []  # what comes late
        self._heard: list[Heard] = []
        self._due: list[tuple[int, int, Callable[[int], None]]] = []
        self._numbers = count()

    def heard(self, facts: Iterable[Fact], troubles: Sequence[Trouble]) -> tuple[Heard, ...]:
        """Return the facts that reach the hub, out of these in the order of time, and the time at which they do."""
        for trouble in troubles:
            self._at(trouble.from_us, partial(self._begins, trouble))
        for fact in facts:
            self._until(fact.t_us)
            self._take(fact)
        self._until(None)
        return tuple(sorted(self._heard, key=lambda one: one.at_us))

    def _at(self, t_us: int, then: Callable[[int], None]) -> None:
        heapq.heappush(self._due, (t_us, next(self._numbers), then))

    def _until(self, t_us: int | None) -> None:
        while self._due and (t_us is None or self._due[0][0] < t_us):
            at_us, _, then = heapq.heappop(self._due)
            then(at_us)

    def _drawn_us(self, name: str) -> int:
        return round(1e6 * self._rng.uniform(*FIGURES.pair(name)))

    def _tell(self, fact: Fact, at_us: int | None = None) -> None:
        self._heard.append(Heard(fact.t_us if at_us is None else max(at_us, fact.t_us), fact))

    # what sensors tell

    def _take(self, fact: Fact) -> None:
        """Take what happens at the table."""
        self._note(fact)
        station = fact.station if isinstance(fact, StationCame | StationWent) else self._station_of_fact(fact)
        trouble = self._trouble
        if trouble is None or trouble.station not in {"", station}:
            self._pass_on(fact)
        elif isinstance(fact, StationCame | StationWent):
            return  # when the trouble is over, it is seen who is there
        elif isinstance(fact, Event):
            if trouble.kind != "unplugged":
                self._kept.append(fact)
        elif trouble.drops:
            self._lose(fact)
        else:
            self._kept.append(fact)

    def _station_of_fact(self, fact: Fact) -> str:
        spot = spots.bag(fact.seat) if isinstance(fact, ButtonPressed) else getattr(fact, "spot", "")
        return self._station_of.get(spot, "")

    def _note(self, fact: Fact) -> None:
        """Note the state of the table, whether the hub receives it or not."""
        match fact:
            case TagCame():
                self._lying.setdefault(fact.spot, {})[fact.uid] = None
            case TagLeft():
                self._lying.setdefault(fact.spot, {}).pop(fact.uid, None)
            case MassMoving():
                self._scales[fact.spot].moves = True
            case MassSettled():
                scale = self._scales[fact.spot]
                scale.moves, scale.mass_g, scale.error_g = False, fact.mass_g, fact.error_g
            case StationCame():
                self._boots[fact.station] = fact.boot
            case StationWent():
                self._boots.pop(fact.station, None)
            case _:
                pass

    def _lose(self, fact: Fact) -> None:
        """Lose the report of a scale."""
        match fact:
            case MassSettled():
                self._scales[fact.spot].owed_g += fact.step_g
            case ZeroMoved():
                self._scales[fact.spot].zero = fact
            case PiecesCounted():
                self._scales[fact.spot].counted = fact
            case _:
                pass

    # what the hub has

    def _pass_on(self, fact: Fact, at_us: int | None = None) -> None:
        """Pass a fact to the hub as it is, or as it appears with what the hub knows."""
        match fact:
            case TagCame() | TagLeft():
                told = self._tags.read(fact.t_us, fact.spot, fact.uid, here=isinstance(fact, TagCame))
                for one in told:
                    self._tell(replace(one, confidence=fact.confidence), at_us)
            case MassMoving():
                self._moving(fact, at_us)
            case MassSettled():
                self._settled(fact, at_us)
            case PiecesCounted():
                scale = self._scales[fact.spot]
                self._tell(replace(fact, unsure=fact.unsure or scale.counted is not None), at_us)
                scale.counted = None
            case StationCame():
                self._known[fact.station] = fact.boot
                self._tell(self._as_started(fact), at_us)
            case StationWent():
                self._goes(fact.station, fact.t_us, at_us)
            case Fell():
                self._scales[fact.spot].suspects = fact.stage == "alert"
                self._tell(fact, at_us)
            case ZeroMoved() | HeightMeasured() | ButtonPressed() | SensorFault():
                self._tell(fact, at_us)

    def _as_started(self, fact: StationCame) -> StationCame:
        return replace(fact, boot=fact.boot + 1000 * self._starts.get(fact.station, 0))

    def _moving(self, fact: MassMoving, at_us: int | None = None) -> None:
        scale = self._scales[fact.spot]
        if scale.is_known or not scale.told:
            self._tell(fact, at_us)
        scale.is_known = False

    def _settled(self, fact: MassSettled, at_us: int | None = None) -> None:
        scale = self._scales[fact.spot]
        if scale.owed_g:
            step_g = fact.step_g + scale.owed_g
            fact = replace(fact, step_g=step_g if abs(step_g) >= STEP_G else 0.0)
        scale.owed_g, scale.is_known, scale.told = 0.0, True, True
        self._tell(fact, at_us)

    def _goes(self, station: str, t_us: int, at_us: int | None = None) -> None:
        """Let the hub notice that a station is gone: it knows nothing about its scales any more."""
        if self._known.pop(station, None) is None:
            return
        self._tell(StationWent(t_us=t_us, station=station, spots=self._spots_of[station]), at_us)
        for spot in self._spots_of[station]:
            if spot not in self._scales:
                continue
            scale = self._scales[spot]
            if scale.is_known:
                self._moving(MassMoving(t_us=t_us, spot=spot), at_us)
            if scale.suspects:
                self._pass_on(Fell(t_us=t_us, confidence=0.9, spot=spot, lost_g=0.0, stage="withdrawn"), at_us)

    # troubles

    def _concerned(self, trouble: Trouble) -> tuple[str, ...]:
        return (trouble.station,) if trouble.station else tuple(sorted(self._spots_of))

    def _begins(self, trouble: Trouble, _t_us: int) -> None:
        gone_us = trouble.from_us + (GONE_US if trouble.station else SILENT_US)
        takes_long = gone_us < trouble.until_us and trouble.kind != "hub_killed"
        self._trouble, self._gone = replace(trouble, drops=trouble.drops or takes_long), set()
        if takes_long:
            self._at(gone_us, self._is_missed)
        back_us = trouble.until_us + (0 if trouble.station else self._drawn_us("roll_call_s"))
        if trouble.kind == "hub_killed":
            self._hub_dies()
            self.away_us.append((trouble.from_us, back_us))
        self._at(back_us, self._ends)

    def _hub_dies(self) -> None:
        """Kill the hub: when it comes back, it treats every station as gone (`Play.went_away`)."""
        self._gone = set(self._known)
        self._known.clear()
        for scale in self._scales.values():
            scale.is_known, scale.suspects = False, False

    def _is_missed(self, t_us: int) -> None:
        trouble = self._trouble
        for station in () if trouble is None else self._concerned(trouble):
            if station in self._known:
                self._gone.add(station)
                self._goes(station, t_us)

    def _ends(self, now_us: int) -> None:
        """End the trouble: kept facts arrive, then the things that are there, then the weights on the scales."""
        trouble, gone, kept = self._trouble, self._gone, self._kept
        if trouble is None:
            return
        self._trouble, self._kept = None, []
        if trouble.kind == "unplugged":
            self._starts[trouble.station] = self._starts.get(trouble.station, 0) + 1
        late_us = {
            station: now_us + (self._drawn_us("late_s") if trouble.station or not trouble.drops else 0)
            for station in self._concerned(trouble)
        }
        again = self._come_back(trouble, late_us, gone)
        from_us = trouble.until_us if gone and trouble.kind != "hub_killed" else 0
        for fact in kept:
            at_us = late_us[self._station_of_fact(fact)]
            if not isinstance(fact, Event):  # what scales tell comes over a connection of its own
                at_us += self._drawn_us("late_s")
            self._pass_on(replace(fact, t_us=max(fact.t_us, from_us)), at_us)
        for station, at_us in late_us.items():
            if station in self._boots:
                self._list(station, at_us)
                self._weigh(station, at_us, anew=station in again)

    def _come_back(self, trouble: Trouble, late_us: dict[str, int], gone: Collection[str]) -> set[str]:
        """Let stations report that they are back, if the hub does not know it; return those that were gone."""
        again = set()
        for station, at_us in late_us.items():
            boot, known = self._boots.get(station), self._known.get(station)
            started = trouble.kind == "unplugged" or (known is not None and boot != known)
            if boot is None or started:
                self._goes(station, trouble.until_us, at_us)
            if boot is not None and (station in gone or started or known is None):
                came = StationCame(t_us=trouble.until_us, station=station, boot=boot, spots=self._spots_of[station])
                self._pass_on(came, at_us)
                again.add(station)
        return again

    def _list(self, station: str, at_us: int) -> None:
        """Let a station report everything on its spots."""
        there = self._spots_of[station]
        tags = tuple((spot, uid) for spot in there for uid in self._lying.get(spot, ()))
        for fact in self._tags.inventory(at_us, there, tags):
            self._tell(replace(fact, confidence=INVENTORY_CONFIDENCE), at_us)

    def _weigh(self, station: str, now_us: int, *, anew: bool) -> None:
        """Let the scales of a station report: all of them if it was gone, otherwise those whose load has changed."""
        for spot in self._spots_of[station]:
            if spot not in self._scales:
                continue
            scale = self._scales[spot]
            is_other = anew or scale.moves or not scale.is_known or abs(scale.owed_g) >= STEP_G
            if not is_other:
                scale.owed_g = 0.0
                continue
            if scale.is_known:
                self._moving(MassMoving(t_us=now_us, spot=spot), now_us)
            self._at(now_us + self._drawn_us("settles_s"), partial(self._rests, spot))

    def _rests(self, spot: Spot, t_us: int) -> None:
        """Let a scale report what rests there, unless it moves or has reported."""
        scale = self._scales[spot]
        if scale.moves or scale.is_known or self._station_of[spot] not in self._known:
            return
        if scale.zero is not None:
            self._tell(replace(scale.zero, t_us=t_us))
            scale.zero = None
        settled = MassSettled(t_us=t_us, spot=spot, mass_g=scale.mass_g, step_g=0.0, error_g=scale.error_g)
        self._settled(settled)
        if scale.counted is not None:
            self._pass_on(replace(scale.counted, t_us=t_us))
