"""The senses of a table in use: turn the messages of stations into facts. They outlive the games played on the table.

The order in which tags were read decides where a tag is, whichever message arrived first. Everything else in a message
is sensed when it arrives.

A game can be replayed from its own journal alone. So its journal begins with everything known about the table: the
connected stations, and the place and mass of each thing (`as_it_is`).
"""

from collections.abc import Collection, Iterable, Iterator, Set
from datetime import date

from citytable.link import wire_in
from citytable.link.complaints import complaint
from citytable.link.inbox import Received
from citytable.link.wire_in import TagSeen
from citytable.sensing.reading import Inventory, TagRead
from citytable.sensing.table_sense import TableSense
from citytable.sensing.tags import Tags
from citytable.session.absent import Absent
from citytable.session.excerpt_recorder import ExcerptRecorder
from citytable.session.hearing import Hearing
from citytable.session.readings import foreign, readings
from citytable.table.fact import Fact, MassMoving, MassSettled, SensorFault, StationWent, TagCame, TagLeft
from citytable.table.health import CellZero
from citytable.table.plan import Plan
from citytable.table.spot import Spot
from citytable.umpire.observed import UNREGISTERED, Observed
from citytable.umpire.weights import EMPTY_MAX_G
from citytable.views.collapse import fall_in, is_knocked, steepest_ms
from citytable.views.signal import Curve, Signal, signal
from citytable.views.tags import TagHere


class Senses:
    """The senses for the table of a plan. A new message goes through `glimpse`, and in its turn through `hear`."""

    def __init__(self, plan: Plan) -> None:
        self.recorder = ExcerptRecorder(plan)
        self._cells = {spot: sensors.cells for spot, sensors in plan.spot_plans().items()}
        self.foreign: dict[str, set[Spot]] = {}
        """Spots that stations told of without having them by the plan, by station."""
        self._sense = TableSense(plan)
        self._tags = Tags(plan.tags)  # from messages in their turn
        self._absent = Absent(plan)
        self._hearing = Hearing(plan)
        self._early: dict[Received, list[Fact]] = {}  # sensed from messages whose turn has not come
        self._spots = {station.station: tuple(s.spot for s in station.spots) for station in plan.stations}
        self._uids = {thing: uid.lower() for uid, thing in plan.tags.items()}

    def hear(self, received: Iterable[Received], now_us: int) -> list[Fact]:
        """Take messages of stations up to `now_us`; return the facts."""
        facts: list[Fact] = []
        received = tuple(received)
        for one in received:
            sensed = self._early.pop(one, None)
            facts += self._in_order(one, self._sensed(one) if sensed is None else sensed, self._tags)
        facts += self._sense.advance(now_us)
        self._hearing.mind(received)
        self._absent.mind(facts)
        facts += self._absent.advance(now_us)
        return facts

    def complaints(self) -> dict[str, tuple[dict[str, str], ...]]:
        """Return the complaints about each station, by the plan: a sentence in each language."""
        reported: dict[str, tuple[dict[str, str], ...]]
        reported = {name: (one,) for name, one in self._hearing.complaints().items()}
        for station, spots in self.foreign.items():
            others = complaint("not_in_plan", spots=", ".join(sorted(spots)))
            reported[station] = (*reported.get(station, ()), others)
        return reported

    def glimpse(self, fresh: Iterable[Received]) -> bool:
        """Sense a new message; return whether it gave any facts."""
        came = False
        for one in fresh:
            facts = self._early[one] = self._sensed(one)
            came |= bool(facts)
        return came

    def early(self) -> list[Fact]:
        """Return facts that were sensed already but not heard in their turn, if nothing else comes between."""
        tags, coming = self._tags.apart(), sorted(self._early, key=_turn)
        return [fact for one in coming for fact in self._in_order(one, self._early[one], tags)]

    def _in_order(self, one: Received, sensed: list[Fact], tags: Tags) -> list[Fact]:
        """Return the facts of a message after everything in `tags`; `sensed` are its facts on arrival."""
        if not isinstance(one.message, TagSeen | wire_in.Inventory):
            return sensed
        read = readings(one, self._spots.get(one.station, ()))
        lies = [fact for reading in read if isinstance(reading, TagRead | Inventory) for fact in tags.facts(reading)]
        return [*lies, *(fact for fact in sensed if not isinstance(fact, TagCame | TagLeft))]

    def _sensed(self, one: Received) -> list[Fact]:
        spots = self._spots.get(one.station, ())
        if reported := foreign(one, spots):
            self.foreign.setdefault(one.station, set()).update(reported)
        facts: list[Fact] = []
        for reading in readings(one, spots):
            self.recorder.read(reading)
            facts += self._sense.feed(reading)
        return facts

    def said(self, thing: str, n: int) -> None:
        """Take people's report of the number of pieces on a thing."""
        self._sense.said(thing, n)

    def keep(self, spots: Set[Spot]) -> None:
        """Note that, by the rules, nobody takes pieces from these spots from now on; people may from all others."""
        self._sense.keep(spots)

    def name(self, uid: str, thing: str, t_us: int) -> tuple[Fact, ...]:
        """Note that a tag is on this thing; return the things that are newly on the table because of it."""
        self._uids[thing] = uid.lower()
        self._sense.name(uid, thing)
        return self._tags.name(uid, thing, t_us)

    def load(self, station: str, now_us: int) -> Signal:
        """Return the load on a station's spots, in the seconds before `now_us`; raises `KeyError` if it is unknown."""
        return signal(0, self.recorder.recent(station, now_us), (), self._cells)

    def tags(self, station: str) -> tuple[TagHere, ...]:
        """Return the tags that the readers of a station read now; raises `KeyError` for an unknown station."""
        spots, lying = self._spots[station], self._tags.lying()
        return tuple(TagHere(spot, uid, thing) for spot in spots for uid, thing in lying.get(spot, ()))

    def tremor(self, spots: Collection[Spot], now_us: int) -> Signal:
        """Return the load on those of these spots that have cells, in the seconds before `now_us`."""
        scales = sorted(spot for spot in spots if self._cells.get(spot))
        return signal(0, self.recorder.recent_at(scales, now_us), (), self._cells)

    def fall(self, spot: Spot) -> tuple[Curve, bool] | None:
        """Return the load on a spot during its last fall, and whether a knock came before; None: not felt."""
        excerpt = self.recorder.fall(spot)
        if excerpt is None:
            return None
        (load,) = signal(0, (excerpt,), (), self._cells).curves
        fell_us = excerpt.from_us + 1000 * steepest_ms(load)
        return fall_in(load), is_knocked(excerpt.readings, fell_us)

    def zeros(self, today: date) -> tuple[CellZero, ...]:
        """Return the zero of every load cell."""
        return self._sense.zeros(today)

    def recall(self, fact: Fact) -> None:
        """Take over a fact of an earlier run of the hub."""
        self._sense.recall(fact)
        if isinstance(fact, TagCame | TagLeft):
            self._tags.recall(fact)
        self._absent.mind((fact,))

    def unheard(self, t_us: int) -> tuple[Fact, ...]:
        """Note that nobody listened from `t_us` on."""
        return self._sense.unheard(t_us)

    def as_it_is(self, observed: Observed, t_us: int) -> tuple[Fact, ...]:
        """Return everything known about the table at `t_us`, if it is known as `observed`, as facts of that moment."""
        return (
            *self._sense.known(t_us),
            *self._lying(observed, t_us),
            *_weighing(observed, t_us),
            *(
                SensorFault(t_us=t_us, spot=spot, sensor=sensor, what=what, on=True)  # type: ignore[arg-type]  # as told
                for (spot, sensor), what in observed.faults.items()
            ),
            *(
                StationWent(t_us=t_us, station=station, spots=spots)  # last: what was known before may have changed
                for station, spots in observed.silent.items()
            ),
        )

    def _lying(self, observed: Observed, t_us: int) -> Iterator[Fact]:
        for spot, things in observed.lying.items():
            for name in sorted(things):
                known = not name.startswith(UNREGISTERED)
                uid = self._uids[name] if known else name.removeprefix(UNREGISTERED)
                yield TagCame(t_us=t_us, spot=spot, uid=uid, thing=name if known else None)


def _turn(one: Received) -> tuple[int, str, int]:
    return one.t_us, one.station, one.seq


def _weighing(observed: Observed, t_us: int) -> Iterator[Fact]:
    for spot, mass_g in observed.mass_g.items():
        step_g = 0.0 if mass_g < EMPTY_MAX_G else mass_g
        yield MassSettled(t_us=t_us, spot=spot, mass_g=mass_g, step_g=step_g, error_g=0.0)
    for spot in sorted(observed.moving):
        yield MassMoving(t_us=t_us, spot=spot)
