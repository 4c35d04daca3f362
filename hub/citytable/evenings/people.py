"""Persons: each has habits of their own, drawn around those of an average one."""

import random
from collections.abc import Callable, Mapping

import msgspec

from citytable.evenings.rates import Habit, HabitFile

FACTOR_MAX = 5.0


class Noted(msgspec.Struct, frozen=True):
    """A habit that was in play."""

    t_us: int
    habit: str
    seat: int


class Person:
    """One person. `note(habit, seat)` is called with every habit that comes into play."""

    def __init__(
        self,
        seat: int,
        archetype: str,
        rates: Mapping[str, float],
        rng: random.Random,
        note: Callable[[str, int], None],
    ) -> None:
        self.seat = seat
        self.archetype = archetype
        self.pace = rng.uniform(0.4, 0.8) if archetype == "hurried" else rng.uniform(0.7, 1.5)
        self._rates = rates
        self._rng = rng
        self._note = note

    def rate(self, habit: str) -> float:
        """Return how often this person has a habit, per its unit."""
        return min(0.95, self._rates[habit])

    def does(self, habit: str, share: float = 1.0) -> bool:
        """Draw whether a habit comes into play now, and note it; `share` of its rate belongs to this occasion."""
        rate = self.rate(habit) * share
        if rate <= 0 or self._rng.random() >= rate:
            return False
        self._note(habit, self.seat)
        return True


def drawn_person(
    seat: int, file: HabitFile, habits: Mapping[str, Habit], rng: random.Random, note: Callable[[str, int], None]
) -> Person:
    """Draw a person: an archetype, and a factor of 0 to 5 with mean 1 for every habit."""
    archetype = rng.choice(sorted(file.archetypes))
    more = file.archetypes[archetype]
    rates = {
        name: one.rate * min(FACTOR_MAX, FACTOR_MAX * rng.betavariate(1, 4) * more.get(one.kind, 1.0))
        for name, one in habits.items()
    }
    return Person(seat, archetype, rates, rng, note)
