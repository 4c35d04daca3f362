"""Pace: the detector's own time, made of the samples' stamps, and how many samples a second there really are.

Stamps are not always a clock: they wrap, are set, are the same for a whole batch, or of samples that came late. And a
converter's clock may be a fifth off what its data sheet says, or its samples get lost. What tells falls looks back by
loads, so it must know.
"""

GAP_US = 2_000_000  # a clock that leaps by more was set or has wrapped
AHEAD_US = 250_000  # a clock that goes back by more, too; by less it is a batch of one stamp, or a late sample
STALL_US = 500_000  # in longer ones samples did not get lost, there were none
WINDOW_US, WINDOW = 1_000_000, 16  # a rate is that of so long and so many samples
ALIKE = 1.08  # rates that differ by more are two


class Pace:
    """The time of samples that come `rate_hz` a second by the calibration, until the stamps say otherwise.

    `now_us` begins at 0 and goes on with every sample; `rate_hz` is what is believed now.
    """

    def __init__(self, rate_hz: float) -> None:
        self.now_us = 0
        self.rate_hz = rate_hz
        self._last_us: int | None = None
        self._ahead_us = 0  # of the stamps
        self._span_us = self._n = 0  # of the window
        self._window_hz = 0.0  # by the window before

    def sample(self, t_us: int) -> bool:
        """Take a sample with this stamp, and report whether another rate is believed from now on."""
        last_us, self._last_us = self._last_us, t_us
        if last_us is None:
            return False
        step_us = t_us - last_us
        self.now_us += self._step_us(step_us)
        return -AHEAD_US <= step_us <= STALL_US and self._count(step_us)

    def time_of(self, t_us: int) -> int:
        """Return the own time of a stamp near the newest one."""
        return self.now_us if self._last_us is None else self.now_us - self._ahead_us + t_us - self._last_us

    def _step_us(self, step_us: int) -> int:
        """Return the step of time: that of the timestamps, or one period if they make none."""
        on_us = step_us - self._ahead_us
        if on_us > 0 and step_us <= GAP_US:
            self._ahead_us = 0
            return on_us
        period_us = round(1e6 / self.rate_hz)
        ahead_us = period_us - on_us
        self._ahead_us = ahead_us if 0 < ahead_us <= AHEAD_US else 0
        return period_us

    def _count(self, step_us: int) -> bool:
        """Count one more sample in the window; change the rate if two windows in a row agree."""
        self._span_us += step_us
        self._n += 1
        if self._span_us < WINDOW_US or self._n < WINDOW:
            return False
        before_hz, self._window_hz = self._window_hz, self._n * 1e6 / self._span_us
        self._span_us = self._n = 0
        if _alike(self._window_hz, self.rate_hz) or not _alike(self._window_hz, before_hz):
            return False
        self.rate_hz = self._window_hz
        return True


def _alike(one_hz: float, other_hz: float) -> bool:
    return one_hz <= ALIKE * other_hz and other_hz <= ALIKE * one_hz
