"""Likelihoods: how often the senses are wrong about an event at a spot, by its sensors, as the lab measured it."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import msgspec

CITY = "city"  # the configuration of a hex of the city: one converter, no range sensor, pieces that anybody can print
LIGHTER_G = 1.0  # a scale in the city that is lighter by less may have wandered


class Often(msgspec.Struct, frozen=True):
    """`n` of `of` cases."""

    n: int
    of: int

    @property
    def likely(self) -> float:
        """Return the likelihood by these cases, which is never 0 or 1."""
        return (self.n + 1) / (self.of + 2)


class OfFall(msgspec.Struct, frozen=True, kw_only=True):
    """A fall that happened: not reported at rest at the latest; reported with another kind, or number of lost pieces.

    The last two are of those that were reported.
    """

    unreported: Often
    wrong_kind: Often
    wrong_count: Often


class OfAct(msgspec.Struct, frozen=True, kw_only=True):
    """An act that was not a fall: how often it is reported as one.

    For a piece or a platform also how often the act itself is missed.
    """

    called_fall: Often
    unreported: Often | None = None


class Senses(msgspec.Struct, frozen=True, kw_only=True):
    """The likelihoods of one configuration of sensors and pieces, from `traces` drawn traces.

    `falls` by kind: `one piece`, `several pieces`, `collapse`; `acts` by the words of the labels in
    docs/reference/traces.md, such as `piece_removed piece` and `disturbance lean`. `lighter` is about spots where
    nobody takes pieces. It counts motions after which at least `LIGHTER_G` were gone although no fall was reported and
    no platform beside took the load over, and in how many of them something had fallen.
    """

    traces: int
    play_h: float
    falls: dict[str, OfFall]
    acts: dict[str, OfAct]
    lighter: Often = Often(0, 0)


@cache
def measured() -> Mapping[str, Senses]:
    """Return the likelihoods that `citytable sense score --write` wrote, by configuration."""
    return msgspec.json.decode(files(__package__).joinpath("likelihoods.json").read_bytes(), type=dict[str, Senses])
