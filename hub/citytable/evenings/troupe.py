"""A troupe: what a game brings so that evenings of it can be performed and judged."""

import time
import traceback
from collections.abc import Callable, Iterator, Mapping

import msgspec

from citytable.evenings.judging import Judge, Referee, Result
from citytable.evenings.performance import Performance
from citytable.evenings.rates import Habit, HabitFile, only
from citytable.evenings.setting_right import end_with_host
from citytable.evenings.troubled import with_troubles
from citytable.table.likelihood import Often


class Settings(msgspec.Struct, frozen=True):
    """The kind of an evening: its habits, its sensors, its table.

    `perfect`: sensors without errors. `whole`: from the deal to the end instead of three turn rounds. `table`: full or
    starter; empty: drawn. `faults`: hub, broker, network and stations fail, several times.
    """

    habits: Mapping[str, Habit]
    perfect: bool = False
    whole: bool = False
    table: str = ""
    faults: bool = False


class Troupe(msgspec.Struct, frozen=True):
    """A game's people for evenings on the level of facts."""

    habits: HabitFile
    perform: Callable[[int, Settings], Performance]
    referee: Callable[[], Referee]
    counts: Callable[[Performance], Mapping[str, Often]] | None = None
    """How often an evening showed each of the umpire's rates, where these people are those that it learns from."""


def chosen_habits(troupe: Troupe, without: frozenset[str], only_these: frozenset[str]) -> Mapping[str, Habit]:
    """Return the habits in play; raise `KeyError` with an unknown name."""
    habits = troupe.habits.habits
    for name in sorted(without | only_these):
        if name not in habits:
            raise KeyError(name)
    return only(habits, (only_these or frozenset(habits)) - without)


def evening(troupe: Troupe, seed: int, settings: Settings) -> Result:
    """Perform and judge the evening of a seed. An error in the umpire or in the people is a result, too."""
    rates = {name: one.rate for name, one in settings.habits.items()}
    began_s = time.perf_counter()
    performance: Performance | None = None
    try:
        performance = troupe.perform(seed, settings)
        if settings.faults:
            performance = with_troubles(performance)
        judge = Judge(performance, troupe.referee(), rates)
        result = msgspec.structs.replace(judge.run(), taps=judge.taps())
        if result.end == "stuck":
            with_host = end_with_host(performance, troupe.referee(), rates)
            result = msgspec.structs.replace(result, set_right=with_host)
    except Exception as error:  # noqa: BLE001  whatever an umpire raises is to be reported with the evening's seed
        told = tuple(traceback.format_exception(error)[-4:])
        table, persons = ("", ()) if performance is None else (performance.table, performance.persons)
        result = Result(seed=seed, table=table, persons=persons, end="failed", why=repr(error), story=told)
    return msgspec.structs.replace(result, cost_s=round(time.perf_counter() - began_s, 3))


def evenings(troupe: Troupe, first_seed: int, count: int, settings: Settings) -> Iterator[Result]:
    """Yield the results of this many evenings, one seed after the other."""
    for seed in range(first_seed, first_seed + count):
        yield evening(troupe, seed, settings)
