"""Turn the readings of all stations of a table into facts.

Pure: no clock, no socket; time comes with the readings or by `advance`.
"""

from collections import deque
from collections.abc import Set
from datetime import date
from typing import Literal, TypeAlias

from msgspec.structs import replace

from citytable.sensing.crane import Crane
from citytable.sensing.neighbours import Neighbours
from citytable.sensing.piece_sizes import PieceSizes
from citytable.sensing.reading import (
    Button,
    CellAlert,
    CellQuiet,
    CellSamples,
    HeightReading,
    Inventory,
    Knocks,
    NoWeight,
    Reading,
    SensorFaultReading,
    StationDown,
    StationUp,
    TagRead,
)
from citytable.sensing.spot_weight import JUMP_US, SILENT_US, SpotWeight
from citytable.sensing.tags import Tags
from citytable.sensing.tower_counts import TowerCounts
from citytable.sensing.trees import heard_forest
from citytable.sensing.zero import SpotZero
from citytable.table.fact import (
    ButtonPressed,
    Fact,
    Fell,
    MassMoving,
    MassSettled,
    SensorFault,
    StationCame,
    StationWent,
    TagCame,
    TagLeft,
    ZeroMoved,
)
from citytable.table.health import CellZero
from citytable.table.plan import Plan
from citytable.table.spot import Spot

ROUNDS, ROUND_US = 3, 900_000
"""A station tells of every cell at least once a second. A cell that so many of these rounds leave out is silent; the
clock alone is not enough: after a station or the hub stood still, one cell is heard before the next."""
STRANGE_MAX = 16  # so many spots that the plan does not have are named; a station can make up any number

Weighing: TypeAlias = CellSamples | CellQuiet | CellAlert
Sensor: TypeAlias = Literal["cell", "reader", "range"]


class TableSense:
    """Sense a table by the sensors of its `plan`.

    Spots do not influence each other, except that those of one station know when the others begin to move, and hexes
    whether a load on a hex beside them does.
    """

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._tags = Tags(plan.tags)
        self._weights: dict[Spot, SpotWeight] = {}
        self._zeros: dict[Spot, SpotZero] = {}
        self._towers = TowerCounts()
        self._cranes: dict[Spot, Crane] = {}
        sizes = PieceSizes()
        for spot, sensors in plan.spot_plans().items():
            if sensors.cells:
                watches_falls = not spot.endswith("/bag")
                self._zeros[spot] = SpotZero(spot, sensors.cells)
                self._weights[spot] = SpotWeight(spot, sensors.cells, watches_falls=watches_falls, sizes=sizes)
            if sensors.crane_zero_mm is not None:
                self._cranes[spot] = Crane(spot, sensors.crane_zero_mm, sensors.crane_scale, beam=sensors.crane_beam)
        self._neighbours = Neighbours(plan.spot_plans())
        self._cells = {spot: len(sensors.cells) for spot, sensors in plan.spot_plans().items()}
        self._spots = {station.station: tuple(s.spot for s in station.spots) for station in plan.stations}
        self._station_of = plan.station_of()
        self._weights_by_station = tuple((self._station_of[spot], weight) for spot, weight in self._weights.items())
        self._listening = {station.station for station in plan.stations if station.accelerometer}
        if self._listening:
            heard_forest()  # read now, not in the middle of a fall
        self._heard_us: dict[str, int] = {}  # when a station's cells last told anything
        self._rounds_us: dict[str, deque[int]] = {}  # when its latest rounds began
        self._boots: dict[str, int] = {}  # of the stations that are up
        self._faults: set[tuple[Spot, Sensor, str]] = set()  # as the stations told
        self._kept: Set[Spot] = frozenset()
        self._strange: set[Spot] = set()  # spots of which the plan knows nothing

    def feed(self, reading: Reading) -> tuple[Fact, ...]:
        """Return the facts in a reading. A spot, cell or crane the plan does not have is reported once, as a fault."""
        match reading:
            case CellSamples() | CellQuiet() | CellAlert():
                out = self._weigh(reading)
            case Knocks():
                out = self._listen(reading)
            case TagRead() | Inventory():
                out = self._mind_tags(self._read(reading))
            case Button():
                out = [ButtonPressed(t_us=reading.t_us, seat=reading.seat)]
            case HeightReading():
                out = self._measure(reading)
            case SensorFaultReading():
                out = self._station_fault(reading)
            case StationUp():
                out = self._station_up(reading)
            case StationDown():
                out = self._station_down(reading.t_us, reading.station)
            case NoWeight():
                self._hear(reading.station, reading.t_us)
                self._rounds_us[reading.station] = deque([reading.t_us] * ROUNDS, ROUNDS)
                out = []
        self._tell_neighbours(out)
        return tuple(self._minded(out, reading))

    def advance(self, t_us: int) -> tuple[Fact, ...]:
        """Let time come to `t_us` (hub time), and return the facts of cells that went silent.

        While a whole station says nothing, time stands still for its cells: whether it is gone, or lives without them,
        the link decides. Counted by a clock, all cells would be silent wherever the hub is late.
        """
        out: list[Fact] = []
        until_us = {
            station: min(t_us, self._heard_us[station], rounds_us[0] + SILENT_US)
            for station, rounds_us in self._rounds_us.items()
            if len(rounds_us) == ROUNDS
        }
        for station, weight in self._weights_by_station:
            if station in until_us and until_us[station] > weight.silent_from_us:
                out += weight.advance(until_us[station])
        self._tell_neighbours(out)
        return tuple(out)

    def recall(self, fact: Fact) -> None:
        """Take over a fact of an earlier run of the hub: where tags lay, what rested at how many grams, who was up."""
        if isinstance(fact, MassSettled | TagCame | TagLeft) and not fact.spot.endswith("/bag"):
            self._towers.mind(fact)
        match fact:
            case TagCame() | TagLeft():
                self._tags.recall(fact)
                if fact.spot in self._zeros:
                    self._zeros[fact.spot].mind(fact)
            case ZeroMoved(spot=spot) if spot in self._zeros:
                self._zeros[spot].recall(fact)
            case MassSettled(spot=spot, mass_g=mass_g) if spot in self._weights:
                self._weights[spot].recall(mass_g + self._zeros[spot].offset_g)
            case StationCame(station=station, boot=boot):
                self._boots[station] = boot
            case StationWent(station=station):
                self._boots.pop(station, None)
            case _:
                return

    def known(self, t_us: int) -> tuple[Fact, ...]:
        """Return the learned zeros and the stations that are up at `t_us`, as facts for `recall`."""
        zeros = (zero.known() for zero in self._zeros.values())
        up = (
            StationCame(t_us=t_us, station=station, boot=boot, spots=self._spots.get(station, ()))
            for station, boot in sorted(self._boots.items())
        )
        return (*(zero for zero in zeros if zero is not None), *up)

    def said(self, thing: str, n: int) -> None:
        """Take the number of pieces on a thing from people, and continue counting from there."""
        for uid, name in self._plan.tags.items():
            if name == thing:
                self._towers.said(uid.lower(), n)

    def keep(self, spots: Set[Spot]) -> None:
        """Expect from now on that nobody takes pieces from these spots, by the rules; from all others people may."""
        for spot in spots ^ self._kept:
            if spot in self._weights:
                self._weights[spot].keep(kept=spot in spots)
        self._kept = spots

    def name(self, uid: str, thing: str) -> None:
        """Take a tag as that of this thing from now on."""
        self._plan = replace(self._plan, tags={**self._plan.tags, uid: thing})
        self._tags.name(uid, thing, 0)

    def zeros(self, today: date) -> tuple[CellZero, ...]:
        """Return every cell's zero, and whether it should be calibrated again by `today`."""
        return tuple(reported for zero in self._zeros.values() for reported in zero.cells_on(today))

    def unheard(self, t_us: int) -> tuple[Fact, ...]:
        """Take every station as gone until it is heard again: nobody listened from `t_us` on."""
        return tuple(fact for station in sorted(self._boots) for fact in self._station_down(t_us, station))

    def _weigh(self, reading: Weighing) -> list[Fact]:
        if not 0 <= reading.cell < self._cells.get(reading.spot, 0):
            return self._fault_once(_time_of(reading), reading.spot, "cell", f"cell {reading.cell}: not in the plan")
        weight = self._weights[reading.spot]
        self._hear(self._station_of[reading.spot], _time_of(reading))
        self._count_round(self._station_of[reading.spot], _time_of(reading))
        match reading:
            case CellSamples():
                return self._shake(reading.spot, weight.samples(reading))
            case CellQuiet():
                return self._shake(reading.spot, weight.quiet(reading))
            case CellAlert():
                weight.alert(reading)
                return []

    def _listen(self, reading: Knocks) -> list[Fact]:
        """Pass knocks to all spots of the station. An accelerometer the plan does not have is not believed."""
        if reading.station in self._listening:
            for spot in self._spots[reading.station]:
                if spot in self._weights:
                    self._weights[spot].knocks(reading)
        return []

    def _shake(self, spot: Spot, facts: list[Fact]) -> list[Fact]:
        """Report a motion that begins at one spot to the others of its station: a bump moves them together."""
        for fact in facts:
            if isinstance(fact, MassMoving):
                for other in self._spots[self._station_of[spot]]:
                    if other != spot and other in self._weights:
                        self._weights[other].neighbour_moved(fact.t_us)
        return facts

    def _tell_neighbours(self, facts: list[Fact]) -> None:
        """Tell each hex whether a load on a hex beside it moves, as far as these facts change that."""
        for fact in facts:
            for spot, moves in self._neighbours.mind(fact):
                if spot in self._weights:
                    self._weights[spot].beside(fact.t_us, moves=moves)

    def _hear(self, station: str, t_us: int) -> None:
        before_us = self._heard_us.get(station, t_us)
        if t_us < before_us - JUMP_US:  # its clock was set, or is known better now
            before_us = t_us
            self._rounds_us.pop(station, None)
        self._heard_us[station] = max(t_us, before_us)

    def _count_round(self, station: str, t_us: int) -> None:
        rounds_us = self._rounds_us.setdefault(station, deque(maxlen=ROUNDS))
        if not rounds_us or t_us - rounds_us[-1] >= ROUND_US:
            rounds_us.append(t_us)

    def _measure(self, reading: HeightReading) -> list[Fact]:
        crane = self._cranes.get(reading.spot)
        if crane is None:
            return self._fault_once(reading.t_us, reading.spot, "range", "no crane in the plan")
        return crane.measure(reading)

    def _minded(self, facts: list[Fact], reading: Reading) -> list[Fact]:
        """Return the facts after scales and cranes have seen them: masses less the drift of a zero, and moved zeros."""
        if not facts and not isinstance(reading, CellQuiet):
            return facts
        out: list[Fact] = []
        for fact in facts:
            if not isinstance(fact, MassMoving | MassSettled | Fell | TagCame | TagLeft):
                out.append(fact)
                continue
            zero, crane = self._zeros.get(fact.spot), self._cranes.get(fact.spot)
            reported = [fact] if zero is None else zero.mind(fact)
            out += reported
            if zero is not None and not fact.spot.endswith("/bag"):
                out += [counted for one in reported for counted in self._towers.mind(one)]
            if crane is not None:
                crane.mind(fact)
        if isinstance(reading, CellQuiet) and 0 <= reading.cell < self._cells.get(reading.spot, 0):
            out += self._zeros[reading.spot].quiet(reading)
        return out

    def _mind_tags(self, facts: list[Fact]) -> list[Fact]:
        for fact in facts:
            if isinstance(fact, TagLeft) and fact.spot in self._weights:
                self._weights[fact.spot].tag_left(fact.t_us)
        return facts

    def _read(self, reading: TagRead | Inventory) -> list[Fact]:
        if isinstance(reading, TagRead) and reading.spot not in self._station_of:
            return self._fault_once(reading.t_us, reading.spot, "reader", "not in the plan")
        return self._tags.facts(self._planned(reading) if isinstance(reading, Inventory) else reading)

    def _planned(self, reading: Inventory) -> Inventory:
        """Return what a station lists, without spots that the plan does not have."""
        known = self._station_of.keys()
        spots = tuple(spot for spot in reading.spots if spot in known)
        tags = tuple((spot, uid) for spot, uid in reading.tags if spot in known)
        return replace(reading, spots=spots, tags=tags)

    def _station_fault(self, reading: SensorFaultReading) -> list[Fact]:
        if reading.spot not in self._station_of:
            return self._fault_once(reading.t_us, reading.spot, reading.sensor, "not in the plan") if reading.on else []
        key = (reading.spot, reading.sensor, reading.what)
        if reading.on == (key in self._faults):
            return []
        self._faults ^= {key}
        fault = SensorFault(
            t_us=reading.t_us, spot=reading.spot, sensor=reading.sensor, what=reading.what, on=reading.on
        )
        weight = self._weights.get(reading.spot)
        return [fault, *(weight.station_fault(reading) if weight and reading.sensor == "cell" else ())]

    def _fault_once(self, t_us: int, spot: Spot, sensor: Sensor, what: str) -> list[Fact]:
        key = (spot, sensor, what)
        if key in self._faults:
            return []
        if spot not in self._station_of:
            if len(self._strange) >= STRANGE_MAX:
                return []
            self._strange.add(spot)
        self._faults.add(key)
        return [SensorFault(t_us=t_us, spot=spot, sensor=sensor, what=what, on=True)]

    def _station_up(self, reading: StationUp) -> list[Fact]:
        station, boot = reading.station, reading.boot
        if self._boots.get(station) == boot:
            return []
        out = self._station_down(reading.t_us, station)
        self._boots[station] = boot
        self._hear(station, reading.t_us)
        self._rounds_us.pop(station, None)
        spots = self._spots.get(station, ())
        for spot in spots:
            if spot in self._weights:
                self._weights[spot].station_up(reading.t_us)
        return [*out, StationCame(t_us=reading.t_us, station=station, boot=boot, spots=spots)]

    def _station_down(self, t_us: int, station: str) -> list[Fact]:
        if self._boots.pop(station, None) is None:
            return []
        spots = self._spots.get(station, ())
        out: list[Fact] = [StationWent(t_us=t_us, station=station, spots=spots)]
        for spot in spots:
            if spot in self._weights:
                out += self._weights[spot].station_down(t_us)
        for key in sorted(fault for fault in self._faults if fault[0] in spots):
            self._faults.discard(key)  # the station tells its faults again after each start
            out.append(SensorFault(t_us=t_us, spot=key[0], sensor=key[1], what=key[2], on=False))
        return out


def _time_of(reading: Weighing) -> int:
    """Return the time at which the reading ends; an empty batch has none of its own."""
    if isinstance(reading, CellSamples):
        return reading.t_us[-1] if reading.t_us else 0
    return reading.t_us
