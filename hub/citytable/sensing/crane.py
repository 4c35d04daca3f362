"""The crane: from the range down to its paddle to the interval a tower's height lies in."""

from math import isfinite

from citytable.sensing.reading import HeightReading
from citytable.table.fact import Fact, HeightMeasured, SensorFault
from citytable.table.spot import Spot

ERROR_MM = 2.0  # of the paddle's sensor, never less
SPREADS = 2.0  # and this many standard deviations of the ranges


class Crane:
    """One crane over one spot. `zero_mm`: the range with the paddle on the bare platform."""

    def __init__(self, spot: Spot, zero_mm: float) -> None:
        self._spot = spot
        self._zero_mm = zero_mm
        self._fault = ""

    def measure(self, reading: HeightReading) -> list[Fact]:
        """The height interval, clipped at 0; a range that cannot be is a fault until a possible one comes."""
        error_mm = max(ERROR_MM, SPREADS * reading.spread_mm)
        height_mm = self._zero_mm - reading.range_mm
        what = self._implausible(reading, height_mm, error_mm)
        out: list[Fact] = []
        if self._fault and self._fault != what:
            out.append(self._tell(reading.t_us, self._fault, on=False))
        if what:
            if self._fault != what:
                out.append(self._tell(reading.t_us, what, on=True))
        else:
            low_mm, high_mm = max(0.0, height_mm - error_mm), max(0.0, height_mm + error_mm)
            out.append(
                HeightMeasured(t_us=reading.t_us, spot=self._spot, low_mm=low_mm, high_mm=high_mm, source="crane")
            )
        self._fault = what
        return out

    def _implausible(self, reading: HeightReading, height_mm: float, error_mm: float) -> str:
        if reading.n < 1 or not isfinite(reading.range_mm) or not isfinite(reading.spread_mm) or reading.spread_mm < 0:
            return "no usable range"
        if reading.range_mm < 0:
            return "range below zero"
        if height_mm < -error_mm:
            return "range beyond the bare platform: calibrate the crane's zero"
        return ""

    def _tell(self, t_us: int, what: str, *, on: bool) -> SensorFault:
        return SensorFault(t_us=t_us, spot=self._spot, sensor="range", what=what, on=on)
