"""Sensors: what becomes of motions as facts, with the delays and errors of `sensors.toml`.

Facts come out in the order of time. A scale reports a motion and, once nothing stirred for a while, what rests on
it; a reader tells tags after it has seen them, or not seen them, for a while. A station that is silent tells nothing.
"""

import random
from collections.abc import Callable

from citytable.evenings.agenda import Agenda
from citytable.evenings.rates import Sensing
from citytable.evenings.world import Thing, World
from citytable.table import spot as spots
from citytable.table.fact import (
    Fact,
    Fell,
    HeightMeasured,
    MassMoving,
    MassSettled,
    PiecesCounted,
    Stage,
    StationCame,
    StationWent,
    TagCame,
    TagLeft,
    ZeroMoved,
)
from citytable.table.plan import Plan, tag_uid
from citytable.table.spot import Spot

NOTICED_G = 0.3  # docs/reference/sensing.md: a smaller change is no step
ZERO_G = 0.2  # docs/reference/sensing.md, Zero
STARTED = 0.9  # docs/reference/sensing.md, Tags: what a station finds when it starts, nobody saw happen


class Scale:
    """The last report of a scale."""

    def __init__(self, slope_g_per_s: float, noise_g: float) -> None:
        self.slope_g_per_s = slope_g_per_s
        self.noise_g = noise_g
        self.moving = False
        self.stirs = 0
        self.true_g = 0.0
        self.off_g = 0.0  # how far the last reading was off, drift apart
        self.zero_g = 0.0
        self.counted: dict[str, int] = {}
        self.miscounted: dict[str, int] = {}


class Senses:
    """The sensors of a table. `tell` receives each fact at the moment at which it reaches the hub."""

    def __init__(
        self,
        plan: Plan,
        world: World,
        agenda: Agenda,
        rng: random.Random,
        tell: Callable[[Fact], None],
        figures: Sensing,
    ) -> None:
        self._plan = plan
        self._world = world
        self._agenda = agenda
        self._rng = rng
        self._tell = tell
        self._figures = figures
        self._readers = plan.readers()
        self._station = plan.station_of()
        self._spots_of = {one.station: tuple(there.spot for there in one.spots) for one in plan.stations}
        self._silent: set[str] = set()
        self._boots = 1
        self._told: dict[Spot, frozenset[str]] = {spot: frozenset() for spot in self._readers}
        self._read_at: dict[str, Spot] = {}
        self._common = rng.gauss(0, figures.number("drift_g_per_h")) / 3600
        self._scales = {spot: self._scale(spot) for spot in sorted(plan.scales())}

    def _scale(self, spot: Spot) -> Scale:
        own = self._rng.gauss(0, self._figures.number("drift_g_per_h")) / 3600
        cradle = spots.seat_of(spot) is not None and spot == spots.bag(spots.seat_of(spot) or 1)
        return Scale(own + self._common, self._figures.number("noise_bag_g" if cradle else "noise_g"))

    def _drawn(self, name: str) -> float:
        return self._rng.uniform(*self._figures.pair(name))

    def _happens(self, name: str) -> bool:
        return self._rng.random() < self._figures.number(name)

    def _hears(self, spot: Spot) -> bool:
        return self._station.get(spot) not in self._silent

    def begin(self) -> None:
        """Report what is on the table when the hub begins to listen."""
        for station in sorted(self._spots_of):
            self._present(station, 1.0)

    def _present(self, station: str, confidence: float) -> None:
        there = self._spots_of[station]
        self._tell(StationCame(t_us=self._agenda.now_us, station=station, boot=self._boots, spots=there))
        for spot in there:
            if spot in self._readers:
                self._tags_now(spot, confidence)
            if spot in self._scales:
                self._scales[spot].moving = True
                self._settle(spot, self._scales[spot].stirs)

    # what happens at the table

    def stirred(self, spot: Spot | None) -> None:
        """Note that something on a spot has changed: a thing, a piece, a hand."""
        if spot is None:
            return
        if spot in self._readers:
            self._agenda.call(self._tag_delay(spot), lambda: self._tags_now(spot, 1.0))
        scale = self._scales.get(spot)
        if scale is None:
            return
        scale.stirs += 1
        stirs = scale.stirs
        if not scale.moving and abs(self._world.mass_g(spot) - scale.true_g) >= NOTICED_G:
            scale.moving = True
            self._agenda.call(self._drawn("moving_s"), lambda: self._moving(spot))
        if scale.moving:
            self._agenda.call(self._drawn("settled_s"), lambda: self._settle(spot, stirs))

    def _tag_delay(self, spot: Spot) -> float:
        comes = self._world.tags(spot, face_down=self._reads_face_down()) - self._told[spot]
        if comes and self._happens("tag_late"):
            return self._rng.expovariate(1 / self._figures.number("tag_late_s"))
        return self._drawn("tag_comes_s" if comes else "tag_leaves_s")

    def _reads_face_down(self) -> bool:
        return self._figures.number("face_down_read") > 0

    def _tags_now(self, spot: Spot, confidence: float) -> None:
        if not self._hears(spot):
            return
        seen, told = self._world.tags(spot, face_down=self._reads_face_down()), self._told[spot]
        for tag in sorted(told - seen):
            self._left(spot, tag, confidence)
        for tag in sorted(seen - told):
            if (elsewhere := self._read_at.get(tag)) is not None:
                self._left(elsewhere, tag, confidence)
            self._read_at[tag] = spot
            self._told[spot] |= {tag}
            self._tell(TagCame(t_us=self._agenda.now_us, confidence=confidence, spot=spot, uid=tag_uid(tag), thing=tag))

    def _left(self, spot: Spot, tag: str, confidence: float) -> None:
        self._told[spot] -= {tag}
        self._read_at.pop(tag, None)
        self._tell(TagLeft(t_us=self._agenda.now_us, confidence=confidence, spot=spot, uid=tag_uid(tag), thing=tag))

    def _moving(self, spot: Spot) -> None:
        if self._hears(spot) and self._scales[spot].moving:
            self._tell(MassMoving(t_us=self._agenda.now_us, spot=spot))
            self._false_alarm(spot)

    def _false_alarm(self, spot: Spot) -> None:
        if spot.endswith("/bag"):
            return  # docs/reference/sensing.md: nothing ever falls on a bag's cradle
        if self._happens("alert_withdrawn"):
            self._stage(spot, self._rng.uniform(2, 20), "alert")
            self._agenda.call(self._rng.uniform(0.6, 1.5), lambda: self._stage(spot, 0.0, "withdrawn"))
        elif self._happens("false_fall"):
            lost_g = self._rng.uniform(0.2, 30)
            self._stage(spot, lost_g, "alert")
            self._agenda.call(self._rng.uniform(0.2, 0.6), lambda: self._stage(spot, lost_g, "confirmed"))

    def _stage(self, spot: Spot, lost_g: float, stage: Stage) -> None:
        if self._hears(spot):
            sure = {"alert": 0.5, "confirmed": 0.95, "withdrawn": 0.9}[stage]
            self._tell(Fell(t_us=self._agenda.now_us, confidence=sure, spot=spot, lost_g=lost_g, stage=stage))

    def _settle(self, spot: Spot, stirs: int) -> None:
        scale = self._scales[spot]
        if stirs != scale.stirs or not scale.moving or self._world.unsteady[spot] or not self._hears(spot):
            return
        scale.moving = False
        true_g = self._world.mass_g(spot)
        off_g = self._rng.gauss(0, scale.noise_g) * (4 if self._happens("rough") else 1)
        step_g = true_g - scale.true_g + off_g - scale.off_g
        error_g = self._figures.number("error_g")
        drift_g = scale.slope_g_per_s * self._agenda.now_us / 1e6
        bare = not self._world.lying(spot) and not self._world.pressed_g.get(spot)
        if bare and abs(drift_g - scale.zero_g) >= ZERO_G:
            scale.zero_g = drift_g
            self._tell(ZeroMoved(t_us=self._agenda.now_us, spot=spot, drift_g=drift_g, error_g=error_g))
        scale.true_g, scale.off_g = true_g, off_g
        self._tell(
            MassSettled(
                t_us=self._agenda.now_us,
                spot=spot,
                mass_g=true_g + off_g + drift_g - scale.zero_g,
                step_g=0.0 if abs(step_g) < NOTICED_G else step_g,
                error_g=error_g,
            )
        )
        self._count(spot, scale)

    def _count(self, spot: Spot, scale: Scale) -> None:
        """Count the pieces on the tagged thing that rests here, if people build on it."""
        thing = self._world.top(spot)
        if thing is None or not thing.name.startswith("platform/") or thing.tag not in self._told.get(spot, ()):
            return
        n = sum(piece.material != "" for piece in thing.pieces)
        if scale.counted.get(thing.name) == n:
            return
        scale.counted[thing.name] = n
        wrong = scale.miscounted.get(thing.name, 0) if n else 0
        if n and self._happens("count_wrong"):
            wrong += self._rng.choice((-1, 1))
        scale.miscounted[thing.name] = wrong
        unsure = self._happens("unsure_when_wrong" if wrong else "unsure_when_right")
        self._tell(PiecesCounted(t_us=self._agenda.now_us, spot=spot, n=max(0, n + wrong), unsure=unsure))

    def falls(self, spot: Spot | None, lost_g: float, share: float) -> None:
        """Let something fall on a spot: `share` of what stood there, `lost_g` of which leaves the spot."""
        if spot not in self._scales:
            return
        if not self._happens("collapse_found" if share >= 0.5 else "few_found"):
            return
        error = 1 + self._rng.uniform(-1, 1) * self._figures.number("lost_error")
        told_g = max(0.0, lost_g * error)
        self._agenda.call(self._rng.uniform(0.05, 0.3), lambda: self._stage(spot, told_g / 2, "alert"))
        self._agenda.call(self._rng.uniform(0.35, 0.9), lambda: self._stage(spot, told_g, "confirmed"))

    def measures(self, spot: Spot, height_mm: float) -> None:
        """Let somebody lower the crane on a tower."""
        crane = self._figures.number("crane_mm")
        low_mm = max(0.0, height_mm - crane * self._rng.uniform(0.2, 1.8))
        self._tell(
            HeightMeasured(
                t_us=self._agenda.now_us, spot=spot, low_mm=low_mm, high_mm=low_mm + 2 * crane, source="crane"
            )
        )

    def knows(self, thing: Thing) -> bool:
        """Return whether a reader shows where a thing is."""
        return thing.tag in self._read_at

    # stations that go and come

    def goes_silent(self, station: str) -> None:
        """Let somebody pull a plug; the hub notices after a while."""
        if station in self._silent:
            return
        self._silent.add(station)
        self._tell(StationWent(t_us=self._agenda.now_us, station=station, spots=self._spots_of[station]))

    def comes_back(self, station: str) -> None:
        """Let a station start again and report what it finds."""
        if station in self._silent:
            self._silent.discard(station)
            self._boots += 1
            self._present(station, STARTED)
