"""Figures with a source: how sensors err and what people are in the habit of, read from data files."""

import tomllib
from collections.abc import Mapping
from importlib.resources import files

import msgspec


class Figure(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One figure of the sensors; a pair is a range that is drawn from. `perfect`: without errors."""

    value: float | tuple[float, float]
    source: str
    perfect: float | None = None


class Habit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One habit: how often an average person has it, counted per `unit`.

    `kind` groups habits: an archetype has more of one kind.
    """

    number: int
    rate: float
    unit: str
    kind: str
    source: str
    what: str


class HabitFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All habits by name, and how much more of which kind of habit an archetype has."""

    habits: dict[str, Habit]
    archetypes: dict[str, dict[str, float]]


def _text(package: str | None, name: str) -> str:
    return files(package or "").joinpath(name).read_text(encoding="utf-8")


def load_figures(package: str | None, name: str = "sensors.toml") -> dict[str, Figure]:
    """Read the figures of sensors by name."""
    return msgspec.convert(tomllib.loads(_text(package, name)), dict[str, Figure])


FIGURES = load_figures(__package__)


class Sensing:
    """The figures of the sensors by name: the usual ones, or the `figures` of a particular table."""

    def __init__(self, *, perfect: bool = False, figures: Mapping[str, Figure] = FIGURES) -> None:
        self._values = {
            name: one.perfect if perfect and one.perfect is not None else one.value for name, one in figures.items()
        }

    def number(self, name: str) -> float:
        """Return a figure."""
        value = self._values[name]
        if isinstance(value, tuple):
            raise TypeError(f"{name} is a range")
        return value

    def pair(self, name: str) -> tuple[float, float]:
        """Return the range from which a figure is drawn."""
        value = self._values[name]
        if not isinstance(value, tuple):
            raise TypeError(f"{name} is no range")
        return value


def load_habits(package: str | None, name: str = "habits.toml") -> HabitFile:
    """Read the habits of a game's people."""
    return msgspec.convert(tomllib.loads(_text(package, name)), HabitFile)


def only(habits: Mapping[str, Habit], names: frozenset[str]) -> dict[str, Habit]:
    """Return the habits with every rate at 0 except those of `names`."""
    return {name: one if name in names else msgspec.structs.replace(one, rate=0.0) for name, one in habits.items()}
