"""Alarms: what the screens of a rehearsal showed as wrong, and how soon they named what people did wrong."""

from collections.abc import Iterable

from citytable.journal.entry import Entry, FactNoted
from citytable.table.fact import TagLeft
from citytable.table.status import Disagreement, Status
from citytable.views.state import View

SHOWN_WITHIN_US = 3_000_000
REPLAYED_WITHIN_US = 1_000_000
LIFT_SHOWN_WITHIN_US = 300_000  # the page may take 200 ms for the rest of half a second


def causes(status: Status) -> frozenset[str]:
    """Return the alarms as screens group them: a silent station hides its sensors, failed sensors are one alarm."""
    wrong = [one for one in status.disagreements if one.state == "wrong"]
    silent = {spot for one in wrong if one.kind == "station_silent" for spot in one.spots}
    return frozenset(_cause(one) for one in wrong if one.kind != "sensor_fault" or not silent.issuperset(one.spots))


def _cause(one: Disagreement) -> str:
    return one.kind if one.kind == "sensor_fault" else f"{one.kind} {one.thing or one.action or ' '.join(one.spots)}"


def _named(status: Status) -> frozenset[str]:
    """Return the things that screens name: in alarms, and without an alarm if an act breaks a rule."""
    return frozenset(one.thing for one in status.disagreements if one.state == "wrong" or one.kind == "refused")


class Alarms:
    """Count the alarms in every view that is shown; one that disappears and comes again counts twice."""

    def __init__(self) -> None:
        self._now: frozenset[str] = frozenset()
        self._naming: frozenset[str] = frozenset()
        self._named: list[tuple[int, str]] = []  # since when a thing was named (hub time in microseconds)
        self.shown = 0
        """How many alarms there were."""
        self._fell: int | None = None
        self._replayed: list[tuple[int, int]] = []  # when a fall was shown once more, and the entry that confirmed it

        self._carried: frozenset[str] = frozenset()
        self._lifted: list[tuple[int, str]] = []  # when a building was shown in a hand, with what was sensed of it

    def show(self, view: View) -> None:
        """Take a view that was shown."""
        carried = frozenset(one.thing for one in view.held)
        self._lifted += ((view.t_us, thing) for thing in carried - self._carried)
        self._carried = carried
        now, naming = causes(view.status), _named(view.status)
        self.shown += len(now - self._now)
        self._named += ((view.t_us, thing) for thing in naming - self._naming)
        self._now, self._naming = now, naming
        fell = None if view.collapse is None else view.collapse.no
        if fell is not None and fell != self._fell:
            self._replayed.append((view.t_us, fell))
        self._fell = fell

    @property
    def collapses(self) -> int:
        """How many falls were shown once more."""
        return len(self._replayed)

    def late(self, entries: Iterable[Entry]) -> int:
        """Return how many falls were shown once more over a second after these entries had confirmed them."""
        confirmed_us = {entry.seq: entry.at_us for entry in entries}
        return sum(at_us - confirmed_us[no] > REPLAYED_WITHIN_US for at_us, no in self._replayed)

    def lifts_late(self, entries: Iterable[Entry]) -> int:
        """Return how many lifted buildings were shown over 0.3 s after these entries had their tags leave."""
        facts = [entry.body.fact for entry in entries if isinstance(entry.body, FactNoted)]
        left_us = [(fact.t_us, fact.thing) for fact in facts if isinstance(fact, TagLeft)]
        return sum(
            at_us - max((t_us for t_us, thing in left_us if thing == lifted and t_us <= at_us), default=0)
            > LIFT_SHOWN_WITHIN_US
            for at_us, lifted in self._lifted
        )

    def counts(self, entries: Iterable[Entry], faults: Iterable[tuple[int, str]]) -> dict[str, int]:
        """Return the counts by their names in `judge.Counts`, after a game with these entries and faults."""
        entries = tuple(entries)
        return {
            "lifts_shown": len(self._lifted),
            "lifts_late": self.lifts_late(entries),
            "collapses_shown": self.collapses,
            "collapses_late": self.late(entries),
            "alarms_shown": self.shown,
            "faults_unshown": self.unshown(faults),
        }

    def unshown(self, faults: Iterable[tuple[int, str]]) -> int:
        """Return how many faults the screens did not name within 3 s.

        A fault is the virtual time at which the hands had finished it, in microseconds, and the beginning of its
        thing's name.
        """
        return sum(not self._is_named(done_us, thing) for done_us, thing in faults)

    def _is_named(self, done_us: int, thing: str) -> bool:
        hands_us = SHOWN_WITHIN_US  # it may be named while they are still at it
        return any(abs(at_us - done_us) <= hands_us and name.startswith(thing) for at_us, name in self._named)
