"""The weight of one spot: from the raw counts of its one to three cells to moving, settled and fallen."""

from math import inf, sqrt

from citytable.sensing.blend import LOOK_US, Blend
from citytable.sensing.cell import Cell
from citytable.sensing.fall import FallWatch
from citytable.sensing.fill import SLOW, Fill
from citytable.sensing.floating import Doubt, search
from citytable.sensing.motion import Motion
from citytable.sensing.pace import Pace
from citytable.sensing.piece_sizes import PieceSizes
from citytable.sensing.reading import CellAlert, CellQuiet, CellSamples, Knocks, SensorFaultReading
from citytable.sensing.thin import USUAL_HZ
from citytable.sensing.trail import Trail
from citytable.table.fact import Fact, SensorFault
from citytable.table.plan import CellPlan
from citytable.table.spot import Spot

SILENT_US = 3_000_000  # a resting cell tells once a second
DOUBT_US = 500_000  # by then a doubtful cell is a fault or is believed
JUMP_US = 5_000_000  # a time this far back means that a clock was set


class SpotWeight:
    """One spot with its cells; it reports loads less `tare_g`. No clock: time comes with the readings and by `advance`.

    With `watches_falls` False nothing is ever said to fall (the bag's cradle, where pieces come and go). `sizes` are
    those of the pieces of the table, which its scales learn together.
    """

    def __init__(
        self,
        spot: Spot,
        cells: tuple[CellPlan, ...],
        tare_g: float = 0.0,
        *,
        watches_falls: bool = True,
        sizes: PieceSizes | None = None,
    ) -> None:
        self._spot = spot
        self._tare_g = tare_g
        self._plans = cells
        self._trail = Trail(len(cells))
        self._watch = FallWatch(spot, self._trail, empty_g=-tare_g, sizes=sizes)
        self.knock_history = self._watch.knock_history
        self._motion = Motion(spot, self._watch if watches_falls else None)
        # a bag put down, and hands in it, shake its only cell as hard as one that floats
        self._may_float = watches_falls
        self._cells = [Cell(plan) for plan in cells]
        self._pace = Pace(USUAL_HZ)
        self._fill: Fill | None = None
        self._faults = [""] * len(cells)  # as told
        self._station_faults: set[str] = set()
        self.silent_from_us = 0
        """`advance` changes nothing up to here: no cell can count as silent yet."""
        self._forget_times()

    def samples(self, reading: CellSamples) -> list[Fact]:
        """Take a batch of one cell's conversions; `reading.cell` must be one of the spot's cells."""
        out: list[Fact] = []
        if not reading.t_us:
            return out
        index, last_us = reading.cell, reading.t_us[-1]
        self._hear(index, min(reading.t_us[0], last_us), last_us, out)
        self._quiet.pop(index, None)
        cell, blend = self._cells[index], self._blend
        value_us: int | None = None
        for t_us, counts in zip(reading.t_us, reading.counts, strict=False):
            grams = cell.sample(t_us, counts)
            if grams is not None:
                value_us = cell.value_us
                blend.push(index, value_us, grams)
        if value_us is not None:
            blend.read(index, value_us)
        doubtful = self._doubts()
        self._report_faults(last_us, out)
        if not doubtful:
            self._weigh(out)
        return out

    def quiet(self, reading: CellQuiet) -> list[Fact]:
        """Take one second of one cell at rest; `reading.cell` must be one of the spot's cells.

        A summary of no conversions, or without a spread, is passed over.
        """
        out: list[Fact] = []
        if reading.n < 1 or not 0 <= reading.spread < inf:
            return out
        self._hear(reading.cell, reading.t_us, reading.t_us, out)
        cell = self._cells[reading.cell]
        grams = cell.summary(reading.mean, reading.low, reading.high, reading.n)
        if grams is not None:
            self._blend.rest(reading.cell, reading.t_us, grams)
        self._quiet[reading.cell] = (abs(reading.spread / cell.counts_per_g), reading.n)
        self._report_faults(reading.t_us, out)
        self._weigh(out)
        total_g = self._blend.total()
        if len(self._quiet) == len(self._cells) and total_g is not None:
            noise_g = sqrt(sum(spread_g**2 for spread_g, _ in self._quiet.values()))
            n = min(n for _, n in self._quiet.values())
            self._motion.rest(reading.t_us, total_g - self._tare_g, noise_g, n, out)
            self._quiet.clear()
            if self._fill is not None:
                self._fill.forget()
            self._trail.rest(reading.t_us - LOOK_US, total_g - self._tare_g, self._blend.shares())
        return out

    def alert(self, reading: CellAlert) -> None:
        """Take the station's own alert; `reading.cell` must be one of the spot's cells."""
        self._watch.station_alert(reading.t_us, reading.drop / self._cells[reading.cell].counts_per_g)

    def knocks(self, reading: Knocks) -> None:
        """Take what the accelerometer of the spot's station heard."""
        for t_us, peak_mg in zip(reading.t_us, reading.peak_mg, strict=False):
            self.knock_history.heard(t_us, peak_mg)
        self.knock_history.listened(reading.heard_us)

    def station_fault(self, reading: SensorFaultReading) -> list[Fact]:
        """Note that the station doubts a cell here, or believes it again; the table reports the fault itself."""
        out: list[Fact] = []
        if reading.on:
            self._station_faults.add(reading.what)
        else:
            self._station_faults.discard(reading.what)
        self._mind_faults(reading.t_us, out)
        return out

    def recall(self, mass_g: float) -> None:
        """Take over the resting load of an earlier run of the hub: the next step counts from there."""
        self._motion.level_g = mass_g

    def tag_left(self, t_us: int) -> None:
        """Note that a tag left this spot."""
        self._watch.tag_left(t_us)

    def keep(self, *, kept: bool) -> None:
        """From now on nobody takes pieces here, as far as the rules go, or people may."""
        self._watch.keep(kept=kept)

    def beside(self, t_us: int, *, moves: bool | None) -> None:
        """Note whether a load on a spot beside this one moves from `t_us` on; None where nobody can tell."""
        self._watch.beside(t_us, moves=moves)

    def neighbour_moved(self, t_us: int) -> None:
        """Note that a load beside this spot left its level."""
        self._watch.neighbour_moved(t_us)

    def station_up(self, t_us: int) -> None:
        """Expect to hear from every cell within three seconds: the station started again."""
        self._station_faults.clear()
        self.silent_from_us = 0
        self._heard_us[:] = [t_us] * len(self._cells)

    def station_down(self, t_us: int) -> list[Fact]:
        """Note that the station is silent: what lies here is not known, and nothing is expected of it."""
        out: list[Fact] = []
        self._motion.silent(t_us, out)
        self._forget_times()
        return out

    def advance(self, t_us: int) -> list[Fact]:
        """Let time come to `t_us`: a cell that has not been heard for long counts as silent."""
        out: list[Fact] = []
        self.silent_from_us = SILENT_US + min((us for us in self._heard_us if us is not None), default=0)
        fell_silent = False
        for heard_us, cell in zip(self._heard_us, self._cells, strict=True):
            if heard_us is not None and t_us - heard_us > SILENT_US and not cell.fault:
                cell.silent()
                fell_silent = True
        if fell_silent:
            self._report_faults(t_us, out)
        return out

    def _forget_times(self) -> None:
        self._blend = Blend(len(self._cells))
        self._quiet: dict[int, tuple[float, int]] = {}
        self._heard_us: list[int | None] = [None] * len(self._cells)
        self._newest_us: int | None = None
        self._doubted_us: int | None = None
        for index, cell in enumerate(self._cells):
            self._cells[index] = Cell(self._plans[index], fault=cell.fault)

    def _hear(self, cell: int, first_us: int, last_us: int, out: list[Fact]) -> None:
        if self._newest_us is not None and first_us < self._newest_us - JUMP_US:
            self._motion.silent(last_us, out)
            self._forget_times()
        self._newest_us = last_us if self._newest_us is None else max(self._newest_us, last_us)
        before_us = self._heard_us[cell]
        if before_us is None or last_us < before_us:
            self.silent_from_us = 0
        self._heard_us[cell] = last_us

    def _report_faults(self, t_us: int, out: list[Fact]) -> None:
        changed = False
        for index, cell in enumerate(self._cells):
            reported, now = self._faults[index], cell.fault
            if reported == now:
                continue
            changed = True
            self._faults[index] = now
            if reported:
                out.append(self._fault(t_us, index, reported, on=False))
            if now:
                self._blend.drop(index)
                out.append(self._fault(t_us, index, now, on=True))
        if changed:
            self._mind_faults(t_us, out)

    def _doubts(self) -> bool:
        """Report whether a cell looks like an input that hangs in the air, as far as is known; then loads wait."""
        if not self._may_float:
            return False
        known_us = min((us for us in self._heard_us if us is not None), default=0)
        level_g = self._motion.level_g
        rested_g = None if level_g is None else level_g + self._tare_g
        worth = 1.0 if self._fill is None else USUAL_HZ / self._pace.rate_hz
        found, index = search(self._cells, known_us, rested_g, worth)
        if found is Doubt.FLOATS:
            self._cells[index].floats()
        if found is Doubt.NONE:
            self._doubted_us = None
        elif self._doubted_us is None:
            self._doubted_us = known_us
        return self._doubted_us is not None and known_us - self._doubted_us < DOUBT_US

    def _weigh(self, out: list[Fact]) -> None:
        tare_g, blend = self._tare_g, self._blend
        for t_us, total_g in blend.loads():
            if self._pace.sample(t_us):
                self._fill = Fill(self._pace.rate_hz) if self._pace.rate_hz < SLOW * USUAL_HZ else None
            load = t_us, total_g - tare_g, blend.shares()
            for at_us, grams, shares in (load,) if self._fill is None else self._fill.loads(load):
                self._trail.push(at_us, grams, shares)
                self._motion.load(at_us, grams, out)

    def _mind_faults(self, t_us: int, out: list[Fact]) -> None:
        if any(self._faults) or self._station_faults:
            self._motion.faulty(t_us, out)
        else:
            self._motion.healed(t_us, out)

    def _fault(self, t_us: int, cell: int, what: str, *, on: bool) -> SensorFault:
        return SensorFault(t_us=t_us, spot=self._spot, sensor="cell", what=f"cell {cell}: {what}", on=on)
