"""Events: the reports of one spot's detector, in the words of the example traces."""

from typing import Literal, TypeAlias

import msgspec

Kind: TypeAlias = Literal[
    "collapse",
    "partial_collapse",
    "piece_added",
    "piece_removed",
    "platform_lifted",
    "platform_placed",
    "disturbance",
    "unsure",
    "fault",
]
Stage: TypeAlias = Literal["alert", "confirmed", "withdrawn", "corrected"]
"""A fall that was confirmed in flight is corrected once its load rests: its kind, grams, pieces and confidence."""


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that happened at `t_us` (the time of the sample that made it sure).

    `mass_g` is the change of mass (negative: lost), for a lift and a placement what is on the platform, and for a
    disturbance where nobody takes pieces how far the load rests from where it did; `n` the number
    of pieces that came or went, where that is known; `height_mm` the best estimate of the height after it, which
    lies between `height_low_mm` and `height_high_mm`, where they are known; `what` the words of a fault, or why the
    detector is unsure. `at_rest` tells the verdict of the second look from one that was given while the load moved.
    """

    kind: Kind
    t_us: int
    stage: Stage = "confirmed"
    confidence: float = 1.0
    mass_g: float | None = None
    n: int | None = None
    height_mm: float | None = None
    height_low_mm: float | None = None
    height_high_mm: float | None = None
    sub: str | None = None
    cell: int | None = None
    what: str | None = None
    at_rest: bool = False
