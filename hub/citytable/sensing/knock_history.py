"""Knock history: the recent knocks at a station's accelerometer, as features for the trees that classify falls.

A knock is the peak of the acceleration in one short window, without gravity, in thousandths of g. A piece that falls
beside the platform leaves the cells as gently as one that a hand takes, and knocks on the table a moment later. A
silent table is evidence only while the accelerometer reports.
"""

from collections import deque
from math import exp
from statistics import median
from typing import NamedTuple

NAMES = (
    "knock50", "knock100", "knock200", "knock400", "knock1000",
    "knocks200", "knocks1000", "knocks",
    "knock_sum", "knock_max", "knock_max_ms", "knock_first_ms",
    "knock_before", "knocks_before", "knock_rate", "knock_usual",
    "half_ms", "knock_half", "knock_half_ms", "knock_early",
)  # fmt: skip
"""The names of the features, in order; docs/reference/sensing.md says what each one is."""

LEAST_MG = 16.0  # anything softer is the sensor's own noise
HEARS_US = 3_000_000  # stations report once a second that they listen
KEPT_US = 6_000_000
KEPT = 1000  # however many a station reports
LEAD_US = 150_000  # a motion is noticed this late: earlier knocks within it belong to the motion
BEFORE_US = 3_000_000
RATE_US = 20_000_000  # over about so long the usual noise of a table is taken
SETTLED = 9  # of so many pieces set down, the usual knock is the median
SOON_US, LATE_US = -80_000, 300_000  # around the moment when half of a change was over
EARLY_US = -600_000
NEVER_MS = -1.0  # instead of a time, where nothing was heard
_SPANS_US = (50_000, 100_000, 200_000, 400_000, 1_000_000)


class _Knock(NamedTuple):
    t_us: int
    mg: float
    rate: float  # knocks in RATE_US before it


class KnockHistory:
    """The knocks of the last seconds at one spot's station. Times may come a little ahead of the loads'."""

    def __init__(self) -> None:
        self._knocks: deque[_Knock] = deque(maxlen=KEPT)
        self._listened_us: int | None = None
        self._rate = 0.0
        self._rated_us = 0
        self._set_down: deque[float] = deque(maxlen=SETTLED)

    def heard(self, t_us: int, peak_mg: float) -> None:
        """Take a knock of `peak_mg` at `t_us`; one softer than `LEAST_MG` is none."""
        if peak_mg < LEAST_MG:
            return
        knocks, rate = self._knocks, self._rate_at(t_us)
        knocks.append(_Knock(t_us, peak_mg, rate))
        self._rate, self._rated_us = rate + 1, t_us
        while t_us - knocks[0].t_us > KEPT_US:
            knocks.popleft()

    def _rate_at(self, t_us: int) -> float:
        return self._rate * exp(-max(0, t_us - self._rated_us) / RATE_US)

    def listened(self, t_us: int) -> None:
        """Note that all knocks up to `t_us` have been reported."""
        self._listened_us = t_us

    def hears(self, t_us: int) -> bool:
        """Report whether the accelerometer has reported recently."""
        return self._listened_us is not None and t_us - self._listened_us <= HEARS_US

    def heard_lately(self, t_us: int) -> bool:
        """Report whether there was a knock within the second before `t_us`."""
        return bool(self._knocks) and t_us - self._knocks[-1].t_us <= _SPANS_US[-1]

    def set_down(self, now_us: int, since_us: int) -> None:
        """Learn how loud a piece is that was set down in the motion noticed at `since_us`."""
        if self.hears(now_us):
            during = [one.mg for one in self._knocks if since_us - LEAD_US <= one.t_us <= now_us]
            self._set_down.append(max(during, default=0.0))

    def features(self, now_us: int, since_us: int, half_us: int) -> list[float]:
        """Return the knocks heard up to `now_us` as features, in the order of `NAMES`.

        The motion was noticed at `since_us`; half of what changed in it had changed by `half_us`.
        """
        begun_us = since_us - LEAD_US
        past = [one for one in reversed(self._knocks) if begun_us - BEFORE_US <= one.t_us <= now_us]
        spans = [[one.mg for one in past if one.t_us >= now_us - span_us] for span_us in _SPANS_US]
        during = [one for one in past if one.t_us >= begun_us]
        before = [one.mg for one in past if one.t_us < begun_us]
        rate = next((one.rate for one in self._knocks if one.t_us >= begun_us), self._rate_at(begun_us))
        most = max(during, key=_mg, default=None)
        at_half = max(_between(past, half_us + SOON_US, half_us + LATE_US + 1), key=_mg, default=None)
        early = max(_between(past, half_us + EARLY_US, half_us + SOON_US), key=_mg, default=None)
        return [
            *(max(peaks, default=0.0) for peaks in spans),
            float(len(spans[2])), float(len(spans[4])), float(len(during)),
            float(sum(one.mg for one in during)), _mg(most),
            (now_us - most.t_us) / 1e3 if most else NEVER_MS,
            (now_us - during[-1].t_us) / 1e3 if during else NEVER_MS,
            max(before, default=0.0), float(len(before)), rate,
            median(self._set_down) if self._set_down else NEVER_MS,
            (now_us - half_us) / 1e3, _mg(at_half), (at_half.t_us - half_us) / 1e3 if at_half else 0.0, _mg(early),
        ]  # fmt: skip


def _mg(knock: _Knock | None) -> float:
    return 0.0 if knock is None else knock.mg


def _between(knocks: list[_Knock], from_us: int, to_us: int) -> list[_Knock]:
    return [one for one in knocks if from_us <= one.t_us < to_us]
