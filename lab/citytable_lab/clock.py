"""Clock: the stamps of a recording whose clock wrapped while it went on, as if it had not.

Boards count microseconds in 30, 31 or 32 bits and begin again at 0 after 18, 36 or 72 minutes. What else goes back is
no clock that wrapped, and is not understood.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citytable.sensing.pace import GAP_US

WRAPS_US = (2**30, 2**31, 2**32)


def wrap_of(t_us: NDArray[np.integer[Any]]) -> int | None:
    """After how many microseconds this clock wraps: 0 if it never goes back, None if it goes back otherwise."""
    steps_us = np.diff(t_us.astype(np.int64, copy=False))
    back_us = steps_us[steps_us < 0]
    if not back_us.size:
        return 0
    return next((wrap for wrap in WRAPS_US if ((back_us + wrap >= 0) & (back_us + wrap <= GAP_US)).all()), None)


def unwrapped(t_us: Iterable[int], wrap_us: int, first_us: int) -> list[int]:
    """Times of one clock in their order, each as near after the one before as it can be; `first_us` comes first."""
    out: list[int] = []
    now_us = first_us
    for at_us in t_us:
        back_us = now_us - at_us - wrap_us // 2  # a little earlier is no wrap: labels and ranges begin when they like
        now_us = at_us + max(0, -(-back_us // wrap_us)) * wrap_us
        out.append(now_us)
    return out
