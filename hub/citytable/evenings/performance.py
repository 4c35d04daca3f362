"""A performance: one evening as it really was, and what sensors and phones made of it.

It is a pure function of its seed: people wait for nobody. Only how they answer questions depends on what is asked.
"""

from typing import Any

import msgspec

from citytable.evenings.people import Noted
from citytable.table.fact import Fact
from citytable.table.plan import Plan
from citytable.table.word import Statement


class Done(msgspec.Struct, frozen=True):
    """An action that was done, as far as the table could know it.

    `turn` counts the turns of the evening from 1: the turn to which the action belongs, even if it was done after that
    turn had ended. `unseen` says why its evidence is the same as that of another act; it is empty if there is other
    evidence.
    """

    t_us: int
    turn: int
    action: Any
    unseen: str = ""
    evident_us: int = 0  # when it was said on a phone, where no sensor can tell of it
    soft: bool = False  # it changed nothing, so whoever does not know of it is not wrong


class Saying(msgspec.Struct, frozen=True):
    """A statement on a phone that nobody asked for."""

    t_us: int
    word: Statement


class Heard(msgspec.Struct, frozen=True):
    """A fact, and the time at which it reaches the hub."""

    at_us: int
    fact: Fact


class Performance(msgspec.Struct, frozen=True):
    """One evening: where it began, what was done and taken back, what was noticed and said, and which habits showed."""

    seed: int
    table: str  # which plan
    plan: Plan
    start: Any
    facts: tuple[Fact, ...]
    said: tuple[Saying, ...]
    done: tuple[Done, ...]
    noted: tuple[Noted, ...]
    persons: tuple[Any, ...]
    ended_us: int
    heard: tuple[Heard, ...] = ()  # of the facts, where something fails; empty: all of them, at their own time
    away_us: tuple[tuple[int, int], ...] = ()  # from when to when the hub was away
