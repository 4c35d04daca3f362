"""Troubles: what fails beside the play of an evening, and when, drawn from its seed.

People play on meanwhile. Only one trouble occurs at a time, so that its effect on the facts is known.
"""

import random
from typing import Literal, TypeAlias, get_args

import msgspec

from citytable.evenings.rates import Sensing, load_figures
from citytable.table.plan import Plan

Kind: TypeAlias = Literal["hub_killed", "broker_killed", "broker_frozen", "unplugged", "stalled"]
KINDS: tuple[Kind, ...] = get_args(Kind)
FIGURES = Sensing(figures=load_figures(__package__, "troubles.toml"))
DROPS = 0.5  # of networks that stall, so long that a board has no room for what its scales tell (a guess)
FIRST_US = 10_000_000
LAST_US = 30_000_000  # before the end: who is back has time to understand


class Trouble(msgspec.Struct, frozen=True):
    """One trouble.

    `station`: the only one that it concerns; empty: all. `drops`: reports of scales are lost meanwhile.
    """

    kind: Kind
    from_us: int
    until_us: int
    station: str = ""
    drops: bool = True


def drawn_troubles(rng: random.Random, plan: Plan, ended_us: int) -> tuple[Trouble, ...]:
    """Return the troubles of an evening until that time, in order; every kind occurs once before any occurs again."""
    found: list[Trouble] = []
    bag: list[Kind] = []
    from_us = FIRST_US
    while True:
        from_us += _us(rng, "between_s")
        bag = bag or rng.sample(KINDS, len(KINDS))
        kind = bag.pop()
        until_us = from_us + _us(rng, kind)
        if until_us > ended_us - LAST_US:
            return tuple(found)
        station = rng.choice(plan.stations).station if kind in {"unplugged", "stalled"} else ""
        drops = kind not in {"broker_frozen", "stalled"} or rng.random() < DROPS
        found.append(Trouble(kind, from_us, until_us, station, drops))
        from_us = until_us


def _us(rng: random.Random, name: str) -> int:
    return round(1e6 * rng.uniform(*FIGURES.pair(name)))
