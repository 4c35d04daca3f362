"""Ear: what a station's accelerometer heard of late, as numbers for the trees that tell a fall from a hand.

A knock is the peak of the acceleration in one short window, without gravity, in thousandths of g. What falls beside the
platform leaves the cells as gently as what a hand takes, and knocks on the table. An ear that is no longer listened to
says nothing: silence heard is evidence, silence unheard is none.
"""

from collections import deque

NAMES = (
    "knock50", "knock100", "knock200", "knock400", "knock1000",
    "knocks200", "knocks1000", "knocks",
    "knock_sum", "knock_max", "knock_max_ms", "knock_first_ms",
    "knock_before", "knocks_before",
)  # fmt: skip
"""The names of the features, in order; docs/reference/sensing.md says what each one is."""

LEAST_MG = 16.0  # what is softer is the sensor's own noise
HEARS_US = 3_000_000  # stations say once a second that they listen
KEPT_US = 6_000_000
KEPT = 1000  # however many a station tells
LEAD_US = 150_000  # a motion is noticed so late: what was heard meanwhile belongs to it
BEFORE_US = 1_000_000
NEVER_MS = -1.0  # instead of a time, where nothing was heard
_SPANS_US = (50_000, 100_000, 200_000, 400_000, 1_000_000)


class Ear:
    """The knocks of the last seconds at one spot's station. Times may come a little ahead of the loads'."""

    def __init__(self) -> None:
        self._knocks: deque[tuple[int, float]] = deque(maxlen=KEPT)
        self._listened_us: int | None = None

    def heard(self, t_us: int, peak_mg: float) -> None:
        """A knock of `peak_mg` at `t_us`; one softer than `LEAST_MG` is none."""
        if peak_mg < LEAST_MG:
            return
        knocks = self._knocks
        knocks.append((t_us, peak_mg))
        while t_us - knocks[0][0] > KEPT_US:
            knocks.popleft()

    def listened(self, t_us: int) -> None:
        """All knocks up to `t_us` have been told."""
        self._listened_us = t_us

    def hears(self, t_us: int) -> bool:
        """Whether somebody listened of late."""
        return self._listened_us is not None and t_us - self._listened_us <= HEARS_US

    def features(self, now_us: int, since_us: int) -> list[float]:
        """What was heard up to `now_us`, in the order of `NAMES`, of a motion that was noticed at `since_us`."""
        peaks, counts = [0.0] * len(_SPANS_US), [0] * len(_SPANS_US)
        begun_us = since_us - LEAD_US
        many, total, most, most_us, first_us = 0, 0.0, 0.0, now_us, now_us
        before, many_before = 0.0, 0
        for t_us, mg in reversed(self._knocks):
            ago_us = now_us - t_us
            if ago_us < 0:
                continue
            for index, span_us in enumerate(_SPANS_US):
                if ago_us <= span_us:
                    peaks[index] = max(peaks[index], mg)
                    counts[index] += 1
            if t_us >= begun_us:
                many, total, first_us = many + 1, total + mg, t_us
                if mg > most:
                    most, most_us = mg, t_us
            elif t_us >= begun_us - BEFORE_US:
                before, many_before = max(before, mg), many_before + 1
            elif ago_us > _SPANS_US[-1]:
                break
        most_ms, first_ms = ((now_us - us) / 1e3 if many else NEVER_MS for us in (most_us, first_us))
        return [
            *peaks, float(counts[2]), float(counts[4]), float(many),
            total, most, most_ms, first_ms, before, float(many_before),
        ]  # fmt: skip
