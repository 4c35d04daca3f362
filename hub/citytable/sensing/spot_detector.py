"""Turn the raw samples of one spot into events, for traces, for the stream and for other programs.

It uses the same parts as a spot of the table (`cell`, `trail`, `motion`, `fall`), but takes rows of counts instead of a
station's batches.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from citytable.sensing.calibration import Cal, cal_of
from citytable.sensing.cell import Cell
from citytable.sensing.event import Event, Kind
from citytable.sensing.fall import AS_IT_IS, Bars, FallWatch
from citytable.sensing.fill import SLOW, Fill, Load
from citytable.sensing.floating import Doubt, search
from citytable.sensing.motion import Motion, State
from citytable.sensing.overlook import Estimate, Overlook
from citytable.sensing.pace import Pace
from citytable.sensing.piece_sizes import PieceSizes
from citytable.sensing.pieces import PieceWatch
from citytable.sensing.plausible import Plausible
from citytable.sensing.thin import USUAL_HZ, Thin, group_of
from citytable.sensing.trail import Trail
from citytable.sensing.trees import SHIPPED, Judges
from citytable.sensing.trust import Trust
from citytable.table.fact import Fact, Fell, MassSettled

MISSING_US = 300_000  # a cell without a number for so long is silent
HELD = 40  # loads, half a second: by then a doubtful cell is a fault or is believed
COLLAPSE = 0.45  # of the building's mass: who loses so much has collapsed


class Detector:
    """Watch one spot. Pass every sample to `update` in order; the detector needs nothing else and reads no clock."""

    def __init__(self, cal: Cal, judges: Judges = SHIPPED, bars: Bars = AS_IT_IS) -> None:
        self._cal = cal
        self._cells = [Cell(plan) for plan in cal.cells()]
        self._grams: list[float | None] = [None] * len(self._cells)
        self._pace = Pace(cal.rate_hz)
        self._suit(cal.rate_hz)
        self._trail = Trail(len(self._cells))
        self._watch = FallWatch(
            "", self._trail, empty_g=-cal.tile_g, sizes=PieceSizes(cal.heaviest_g), judges=judges, bars=bars
        )
        self._watch.keep(kept=cal.kept)
        self._watch.second_look.platform_g = cal.tile_g
        if cal.start.pieces_on:
            self._watch.features.usual_g = cal.start.mass_g / cal.start.pieces_on
        self._motion = Motion("", self._watch)
        self._pieces = PieceWatch(cal, self._trail, self._watch, judges.pieces)
        self._held: list[Load] = []  # loads of a cell in doubt, until that is resolved
        self._patient = True
        self._flight: Event | None = None  # the fall that was confirmed while the load moves
        self._overlook = Overlook(cal)
        self._plausible = Plausible(cal.start, cal.tile_g)
        self._trust = Trust()
        self._reported = [""] * len(self._cells)
        self._heard_us = [0] * len(self._cells)
        self._now_us = 0
        self._beside_moves: bool | None = None

    def update(
        self,
        t_us: float,
        counts: Sequence[float | None],
        tof_mm: float | None = None,
        zones: Sequence[float | None] | None = None,
        knock_mg: float | None = None,
        beside_moves: bool | None = None,
    ) -> list[Event]:
        """Take one sample: counts of each cell (None: no reading), and the range if there is a new one (-1: invalid).

        `zones` are 64 ranges of an eight by eight sensor, row by row, if there are new ones. `knock_mg` is the peak an
        accelerometer measured since the last sample, without gravity; None where there is none. `beside_moves` says
        whether a load on a spot beside this one moves now; None where nobody can tell.
        `t_us` in microseconds; it may wrap, leap, go back or stand (`pace`). Events carry the given time.
        Numbers may be numpy's or have fractions, which are rounded; a nan is no reading.
        """
        t_us = round(t_us)
        if self._pace.sample(t_us):
            self._suit(self._pace.rate_hz)
        self._now_us = self._pace.now_us
        out: list[Event] = []
        range_mm = _whole(tof_mm)
        if range_mm is not None:
            self._range(t_us, range_mm, out)
        peak_mg = _whole(knock_mg)
        if peak_mg is not None:
            self._watch.knock_history.listened(self._now_us)
            self._watch.knock_history.heard(self._now_us, peak_mg)
        if beside_moves is not self._beside_moves:
            self._beside_moves = beside_moves
            self._watch.beside(self._now_us, moves=beside_moves)
        if zones is not None and not self._watch.occlusion.hand:
            self._overlook.zones(self._now_us, [-1 if mm is None else mm for mm in _wholes(zones)])
        row = self._now_us, _wholes(counts)
        whole = row if self._thin is None else self._thin.row(*row)
        if whole is not None:
            self._read(t_us, *whole, out)
        return out

    def _range(self, t_us: int, range_mm: int, out: list[Event]) -> None:
        """Take a range of the single zone, if the sensor is believed; else append a fault to `out`."""
        occlusion = self._watch.occlusion
        if self._trust.range(range_mm) and self._trust.doubted:
            occlusion.lost()
            self._overlook.lost()
            out.append(Event(kind="fault", sub="range", t_us=t_us, what="the range sensor contradicts itself"))
        if self._trust.doubted:
            return
        occlusion.range(self._now_us, range_mm)
        if not occlusion.hand:
            self._overlook.range(self._now_us, range_mm)

    def _read(self, t_us: int, now_us: int, counts: Sequence[int | None], out: list[Event]) -> None:
        """Take one reading of all cells, made at `now_us` by the detector's own time; facts carry `t_us`."""
        doubtful = self._convert(t_us, now_us, counts, out)
        total_g = self._total()
        if total_g is None:
            self._held.clear()
            if self._fill is not None:
                self._fill.forget()
            return
        load = (now_us, total_g, [grams or 0.0 for grams in self._grams])
        for one in (load,) if self._fill is None else self._fill.loads(load):
            self._mind(t_us, one, out, doubtful=doubtful)

    def _mind(self, t_us: int, load: Load, out: list[Event], *, doubtful: bool) -> None:
        """Take a load, which waits while a cell is in doubt, and with it those that waited before."""
        if doubtful and self._patient:
            self._held.append(load)
            self._patient = len(self._held) < HELD
            return
        self._patient = not doubtful
        if self._held:
            for held in self._held:
                self._weigh(t_us, held, out)
            self._held.clear()
        self._weigh(t_us, load, out)

    @property
    def moves(self) -> bool:
        """Return whether the load moves now; when it begins to, tell the spots beside this one."""
        return self._motion.state is State.MOVING

    def tag_left(self, t_us: int) -> None:
        """Note that the platform's tag left at `t_us` of the samples' clock: a change of its load then is a lift."""
        self._watch.tag_left(self._pace.time_of(t_us))

    def neighbour_moved(self, t_us: int) -> None:
        """Note that a neighbour began to move at `t_us` of the samples' clock: perhaps the table was bumped."""
        self._watch.neighbour_moved(self._pace.time_of(t_us))

    def _suit(self, rate_hz: float) -> None:
        """Bring samples that come at this rate near the one the trees know."""
        group, slow = group_of(rate_hz), rate_hz < SLOW * USUAL_HZ
        self._thin = Thin(group, rate_hz, len(self._cells)) if group > 1 else None
        self._fill = Fill(rate_hz) if slow else None
        self._worth = USUAL_HZ / rate_hz if slow else 1.0

    def _weigh(self, t_us: int, load: Load, out: list[Event]) -> None:
        """Take one believable load, and what follows from it; facts carry `t_us`."""
        now_us, total_g, cells_g = load
        facts: list[Fact] = []
        self._trail.push(now_us, total_g, cells_g)
        self._motion.load(now_us, total_g, facts)
        if facts:
            self._note(t_us, load, facts, out)
        ticked = self._pieces.tick(now_us, t_us)
        if ticked:
            out += self._measured(now_us, ticked)

    def _note(self, t_us: int, load: Load, facts: list[Fact], out: list[Event]) -> None:
        """Turn the facts that a load made into events, which carry `t_us`."""
        now_us, _, cells_g = load
        rests = any(isinstance(fact, MassSettled) for fact in facts)
        for fact in facts:
            before_g = self._pieces.mass_g
            pieces = self._pieces.take(now_us, t_us, fact)
            out += self._measured(now_us, pieces)  # first: a piece is older than what it frees
            match fact:
                case Fell():
                    out.append(self._fell(t_us, fact, at_rest=rests))
                case MassSettled():
                    out += self._corrected(t_us, fact, before_g)
                    odd = self._plausible.rests(fact.mass_g, cells_g)
                    out += [Event(kind="unsure", t_us=t_us, what=why, at_rest=True) for why in odd]
            if before_g is None and self._pieces.mass_g is not None:
                self._overlook.begun(now_us, self._pieces.mass_g)

    def _convert(self, t_us: int, now_us: int, counts: Sequence[int | None], out: list[Event]) -> bool:
        """Convert counts to grams, append faults to `out`, and report whether a cell is in doubt now."""
        doubtful = False
        for index, cell in enumerate(self._cells):
            raw = counts[index] if index < len(counts) else None
            if raw is not None:
                self._heard_us[index] = now_us
                grams = cell.sample(now_us, raw)
                if grams is None:
                    doubtful = True
                else:
                    self._grams[index] = grams
            elif now_us - self._heard_us[index] > MISSING_US and not cell.fault:
                cell.silent()
        doubtful |= self._doubts(now_us)
        for index, cell in enumerate(self._cells):
            if cell.fault != self._reported[index]:
                out += self._report_fault(t_us, now_us, index, cell.fault)
        return doubtful

    def _doubts(self, now_us: int) -> bool:
        """Report whether a cell looks like an input that hangs in the air; it is faulty when it surely does."""
        if not any(cell.is_restless(now_us) for cell in self._cells):
            return False
        level_g = self._motion.level_g
        rested_g = None if level_g is None else level_g + self._cal.tile_g
        found, index = search(self._cells, now_us, rested_g, self._worth)
        if found is Doubt.FLOATS:
            self._cells[index].floats()
        return found is not Doubt.NONE

    def _report_fault(self, t_us: int, now_us: int, index: int, fault: str) -> list[Event]:
        self._reported[index] = fault
        self._grams[index] = None
        facts: list[Fact] = []
        if any(self._reported):
            self._motion.faulty(now_us, facts)
        else:
            self._motion.healed(now_us, facts)
        out = [self._fell(t_us, fact) for fact in facts if isinstance(fact, Fell)]
        if fault:
            self._pieces.doubt(f"cell {index} was at fault ({fault})")
            sub = "stuck" if fault.startswith("stuck") else "disconnect"
            out.append(Event(kind="fault", sub=sub, t_us=t_us, cell=index, what=fault))
        return out

    def _total(self) -> float | None:
        total = -self._cal.tile_g
        for grams in self._grams:
            if grams is None:
                return None
            total += grams
        return total

    def _measured(self, now_us: int, events: list[Event]) -> list[Event]:
        """Return the events with the heights after them."""
        return [self._tall(event, self._overlook.after(event, now_us)) for event in events]

    @staticmethod
    def _tall(event: Event, estimate: Estimate) -> Event:
        height_mm, interval = estimate
        if interval is None:
            return event
        return msgspec.structs.replace(
            event,
            height_mm=None if height_mm is None else round(height_mm, 1),
            height_low_mm=round(interval.low_mm, 1),
            height_high_mm=round(interval.high_mm, 1),
        )

    def _fell(self, t_us: int, fact: Fell, *, at_rest: bool = False) -> Event:
        lost_g = fact.lost_g
        event = Event(
            kind=self._fall_kind(lost_g, self._pieces.mass_g, at_rest=at_rest),
            t_us=t_us,
            stage=fact.stage,
            confidence=fact.confidence,
            mass_g=-lost_g or 0.0,
            n=self._watch.judged.pieces if at_rest and self._watch.judged and fact.stage == "confirmed" else None,
            at_rest=at_rest,
        )
        if fact.stage != "confirmed":
            return event
        self._flight = None if at_rest else event
        return self._tall(event, self._overlook.after(event, self._now_us))

    def _corrected(self, t_us: int, fact: MassSettled, before_g: float | None) -> list[Event]:
        """Return the fall that was confirmed in flight as it looks now that its load rests, if there was one."""
        flight, self._flight = self._flight, None
        judged = self._watch.judged
        if flight is None or judged is None:
            return []
        lost_g = max(0.0, -fact.step_g)
        kind = self._fall_kind(lost_g, before_g, at_rest=True)
        confidence = round(judged.chance, 3)
        more = {"mass_g": -lost_g or 0.0, "n": judged.pieces, "confidence": confidence, "at_rest": True}
        return [msgspec.structs.replace(flight, kind=kind, t_us=t_us, stage="corrected", **more)]

    def _fall_kind(self, lost_g: float, mass_g: float | None, *, at_rest: bool) -> Kind:
        """Return the kind of a fall by its loss; at rest the second look says more."""
        judged = self._watch.judged
        if at_rest and judged is not None and judged.whole is not None:
            return "collapse" if judged.whole else "partial_collapse"
        whole = mass_g is not None and lost_g >= COLLAPSE * max(mass_g, 1.0)
        return "collapse" if whole else "partial_collapse"


def _wholes(numbers: Iterable[float | None]) -> list[int | None]:
    """Convert many at once; most of them are Python's own whole numbers already."""
    return [one if isinstance(one, int) else _whole(one) for one in numbers]


def _whole(number: float | None) -> int | None:
    """Convert to Python's own whole number, so that events hold nothing else; None for what is no number."""
    try:
        return None if number is None else round(number)
    except (ValueError, OverflowError):  # nan and infinity
        return None


def detector(cal: Cal | Mapping[str, Any]) -> Detector:
    """Return a detector for a spot with this calibration, as a value or as a mapping (`calibration.cal_of`).

    Raises `ValueError` (msgspec's `ValidationError` is one) for a calibration that cannot be.
    """
    return Detector(cal if isinstance(cal, Cal) else cal_of(cal))
