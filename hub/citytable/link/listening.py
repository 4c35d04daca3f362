"""How long the hub has listened: silence is measured by this, not by a clock.

A station is silent only where it would have been heard. Nothing was to be heard while the hub itself was late, or while
its broker was away or stood still. So time counts from one sign of the broker's life to the next, be it a message of
anybody or an answer of its own; and of a pause that was too long for a broker that lives only `STEP_MAX_US` count,
because what was said meanwhile is still to be read.
"""

STEP_MAX_US = 600_000
"""A little longer than from one question to the broker to the next."""


class Listening:
    """`sign(now_us)` at every sign of life, by a clock that only goes forward; `total_us` has been listened."""

    def __init__(self) -> None:
        self.total_us = 0
        self._last_us: int | None = None

    def sign(self, now_us: int) -> None:
        """The broker lives."""
        if self._last_us is not None:
            self.total_us += min(now_us - self._last_us, STEP_MAX_US)
        self._last_us = now_us
