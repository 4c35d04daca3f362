"""Falls: what tells pieces that fell from pieces that a hand took away.

The law of this file is `TRANSITIONS`; docs/reference/sensing.md draws it. While a load moves, every second load is
shown to the trees of `fall_trees.json` as `features.Features`; they answer how likely it is that something is falling.
Where an accelerometer listens, those of `fall_trees_heard.json` are asked, which also know the knocks heard.
A little likelihood is an alert. Evidence is the sum of the log odds of these answers, never less than nothing: enough
of it is a fall, the sooner the clearer the answers are. What the table knows beside the weight overrules them: who
lifts a platform takes its tag away, and a bump moves the neighbours too.
"""

from enum import Enum
from math import log
from typing import NamedTuple

from citytable.sensing.features import Features
from citytable.sensing.knock_history import KnockHistory
from citytable.sensing.occlusion import Occlusion
from citytable.sensing.piece_sizes import PieceSizes
from citytable.sensing.second_look import BAR, Judged, SecondLook
from citytable.sensing.trail import Trail
from citytable.sensing.trees import SHIPPED, Judges, fall_forest, glance_forest, heard_forest
from citytable.table.fact import Fact, Fell, Stage

LOST_G = 1.0  # a smaller alert of a station does not count
TAG_US = 2_000_000  # a tag that left so close to the beginning of the motion belongs to the same act
WORTH = 0.011  # at this likelihood by a glance, a look is worth all features and trees; three of four are not
EVERY = 2  # loads between two looks at the trees
ALERT = 0.3  # at this likelihood an alert is reported
WARNED, WARNED_US = 0.15, 300_000  # and so likely while the station itself has just warned
ENOUGH = 24.0  # so much evidence, in log odds added up, confirms a fall
KEPT = 0.5  # on spots where nobody takes pieces, it needs this much
CLEAREST = 6.0  # the most that one look counts for or against
SHAKEN_US, SHAKEN = 150_000, 3.0  # if the neighbours moved at that moment, or push, it needs this many times as much
CALMED, CALMED_US = 0.1, 600_000  # an alert is withdrawn when it was less likely than this for so long
AGAIN_US = 3_000_000  # after a fall, the same motion may hold another one


class Bars(NamedTuple):
    """The bars of a watch: the evidence that a verdict takes, in log odds, and the likelihood that an alert takes."""

    enough: float = ENOUGH
    alert: float = ALERT


AS_IT_IS = Bars()


class State(Enum):
    """The state of a watch."""

    CALM = "calm"
    WATCHING = "watching"
    ALERTED = "alerted"
    CONFIRMED = "confirmed"


class Event(Enum):
    """The events that change it."""

    DEPARTED = "departed"
    LIKELY = "likely"
    SURE = "sure"
    CALMED = "calmed"
    SETTLED = "settled"
    OVER = "over"
    FOUND = "found at rest"
    LOST = "lost"


TRANSITIONS: dict[tuple[State, Event], tuple[State, Stage | None]] = {
    (State.CALM, Event.DEPARTED): (State.WATCHING, None),
    (State.WATCHING, Event.LIKELY): (State.ALERTED, "alert"),
    (State.WATCHING, Event.SETTLED): (State.CALM, None),
    (State.WATCHING, Event.FOUND): (State.CALM, "confirmed"),
    (State.WATCHING, Event.LOST): (State.CALM, None),
    (State.ALERTED, Event.SURE): (State.CONFIRMED, "confirmed"),
    (State.ALERTED, Event.CALMED): (State.WATCHING, "withdrawn"),
    (State.ALERTED, Event.SETTLED): (State.CALM, "withdrawn"),
    (State.ALERTED, Event.FOUND): (State.CALM, "confirmed"),
    (State.ALERTED, Event.LOST): (State.CALM, "withdrawn"),
    (State.CONFIRMED, Event.OVER): (State.WATCHING, None),
    (State.CONFIRMED, Event.SETTLED): (State.CALM, None),
    (State.CONFIRMED, Event.LOST): (State.CALM, None),
}
"""Every change of state with the stage of the `Fell` it tells; an event not listed for a state changes nothing."""


class FallWatch:
    """Watches one spot's loads on `trail`. `empty_g` is what its load reads with nothing on it, not even a platform.

    `sizes` are those of the table's pieces, `bars` what its verdicts and alerts take. While the station listens for
    knocks, the hearing judge is asked instead of the falling one, with the knocks after the other features.
    """

    def __init__(
        self,
        spot: str,
        trail: Trail,
        empty_g: float = 0.0,
        sizes: PieceSizes | None = None,
        judges: Judges = SHIPPED,
        bars: Bars = AS_IT_IS,
    ) -> None:
        self.state = State.CALM
        self.occlusion = Occlusion()
        self.knock_history = KnockHistory()
        self.features = Features(trail, self.occlusion, empty_g, sizes or PieceSizes())
        self.second_look = SecondLook(trail, self.features, judges)
        self.judged: Judged | None = None  # the verdict of the second look on the last motion
        self._spot = spot
        self._trail = trail
        self._judge = judges.falling or fall_forest()
        self._hearing = judges.hearing
        self._glancing = judges.glancing or glance_forest()
        self._enough, self._alert = bars
        self._level_g = 0.0
        self._looks = 0
        self._evidence = 0.0
        self._chance = 0.0
        self._likely_us = 0  # when a fall was last more likely than not to be worth a thought
        self._reported_us = 0
        self._since_us = 0
        self._warned_us: int | None = None
        self._tag_left_us: int | None = None
        self._shaken_us: int | None = None

    @property
    def fell(self) -> bool:
        """Return whether something fell in the present motion, on a spot where nobody takes pieces."""
        return self.second_look.kept and self.state is State.CONFIRMED

    def load(self, t_us: int, out: list[Fact]) -> None:
        """Take the newest load of the trail, at rest or not; append facts to `out`."""
        if self.state is State.CALM:
            return
        self.features.load()
        self._looks += 1
        if self._looks >= EVERY:
            self._looks = 0
            self._look(t_us, out)

    def departed(self, t_us: int, level_g: float, noise_g: float) -> None:
        """Begin to watch: the load left `level_g`, where it rested with `noise_g`."""
        self.features.departed(t_us, level_g, noise_g)
        self._level_g = level_g
        self._since_us = t_us
        self._evidence = 0.0
        self._looks = EVERY
        self.second_look.begin(t_us, level_g)
        self._happens(Event.DEPARTED, t_us, [])

    @property
    def foresees(self) -> bool:
        """Return whether the watch can predict the present motion: nobody takes pieces here, and nothing fell."""
        return self.second_look.untouched and self.state is not State.CALM and not self._lifted()

    def foresee(self, t_us: int, step_g: float) -> float:
        """Return how likely a fall would be if the load stayed as it is now until `t_us`, `step_g` off."""
        return self.second_look.foresee(t_us, step_g, told=self.state is State.CONFIRMED)

    def settled(self, t_us: int, step_g: float, out: list[Fact], *, until_us: int | None = None) -> None:
        """End the motion: the load rests again, `step_g` off its former level; append facts to `out`.

        It is judged as of `until_us`, if the load was foreseen to lie still until then.
        """
        self.judged = self._judged(until_us or t_us, step_g)
        if self.state is State.CALM:
            self.second_look.lost()
        else:
            self.second_look.rested(t_us, step_g)
        if self.features.settled(step_g, learns=not self.second_look.untouched):
            self.knock_history.set_down(t_us, self._since_us)
        if self.judged is not None and self.judged.sure:
            self._chance = self.judged.chance
            self._happens(Event.FOUND, t_us, out)
        self._happens(Event.SETTLED, t_us, out)

    def _judged(self, t_us: int, step_g: float) -> Judged | None:
        """Judge the motion that ends now, if there was one: a platform that was lifted lost nothing."""
        if self.state is State.CALM:
            return None
        if self._lifted():
            return Judged(0.0, 0)
        told = self.state is State.CONFIRMED
        pushed = self._is_pushed()
        judged = self.second_look.judge(t_us, step_g, told=told)
        held_back = self.second_look.evidence >= self._enough and not told  # by a table that shook
        if held_back and step_g <= -LOST_G and not pushed:
            return judged._replace(chance=max(judged.chance, BAR), sure=True)
        return judged

    def station_alert(self, t_us: int, lost_g: float) -> None:
        """Note the station's own alert of a fast drop of `lost_g`: the next looks weigh more."""
        if lost_g > LOST_G:
            self._warned_us = t_us

    def tag_left(self, t_us: int) -> None:
        """Note that a tag left this spot: a change of its load around now is a lift."""
        self._tag_left_us = t_us

    def keep(self, *, kept: bool) -> None:
        """Note whether the rules let people take pieces from this spot from now on."""
        self.second_look.kept = kept

    def beside(self, t_us: int, *, moves: bool | None) -> None:
        """Note whether a load beside this one moves from `t_us` on; None if it is unknown."""
        self.second_look.beside.told(t_us, moves=moves)

    def neighbour_moved(self, t_us: int) -> None:
        """Note that a load beside this one left its level: perhaps somebody bumped the table."""
        self._shaken_us = t_us

    def lost(self, t_us: int, out: list[Fact]) -> None:
        """Give up: the load is not known any more; append facts to `out`."""
        self.second_look.lost()
        self._happens(Event.LOST, t_us, out)

    def _look(self, t_us: int, out: list[Fact]) -> None:
        row = self.features.take() if self._is_worth_it(t_us) else None
        chance = self._chance = 0.0 if row is None or self._lifted() else self._ask(t_us, row)
        odds = _log_odds(chance)
        self._evidence = max(0.0, self._evidence + odds)
        self.second_look.look(t_us, odds, self._evidence, row)
        if self.state is State.CONFIRMED:
            if t_us - self._reported_us > AGAIN_US and chance < CALMED:
                self._happens(Event.OVER, t_us, out)
            return
        warned = self._warned_us is not None and 0 <= t_us - self._warned_us <= WARNED_US
        if chance >= (min(WARNED, self._alert) if warned else self._alert):
            self._happens(Event.LIKELY, t_us, out)
        if chance >= CALMED:
            self._likely_us = t_us
        if self._evidence >= self._needed():
            self._happens(Event.SURE, t_us, out)
        elif t_us - self._likely_us > CALMED_US:
            self._happens(Event.CALMED, t_us, out)

    def _needed(self) -> float:
        """Return how much evidence is enough now."""
        shaken = self._shaken_us is not None and abs(self._shaken_us - self._since_us) <= SHAKEN_US
        enough = (KEPT if self.second_look.untouched else 1.0) * self._enough
        return SHAKEN * enough if shaken or self._is_pushed() else enough

    def _is_pushed(self) -> bool:
        """Report whether another platform may be pushed against this one, from which nobody takes pieces."""
        return self.second_look.untouched and self.second_look.beside.moved_since(self._since_us) == 1.0

    def _is_worth_it(self, t_us: int) -> bool:
        """Report whether it is worth looking closely: something may be falling, or was heard lately."""
        if self.knock_history.heard_lately(t_us):
            return True
        return self._glancing.chance(self.features.glance()) >= WORTH

    def _ask(self, t_us: int, x: list[float]) -> float:
        """Return the likelihood of a fall by the features `x` of now, and what is heard."""
        if self.knock_history.hears(t_us):
            hearing = self._hearing or heard_forest()
            return hearing.chance(x + self.knock_history.features(t_us, self._since_us, self.features.half_us()))
        return self._judge.chance(x)

    def _lifted(self) -> bool:
        return self._tag_left_us is not None and abs(self._tag_left_us - self._since_us) < TAG_US

    def _happens(self, event: Event, t_us: int, out: list[Fact]) -> None:
        change = TRANSITIONS.get((self.state, event))
        if change is None:
            return
        self.state, stage = change
        if stage is None:
            return
        if stage == "confirmed":
            self._reported_us = t_us
        lost_g = 0.0 if stage == "withdrawn" else max(0.0, self._level_g - self._trail.mean(4))
        confidence = 1 - self._chance if stage == "withdrawn" else self._chance
        out.append(Fell(t_us=t_us, confidence=round(confidence, 3), spot=self._spot, lost_g=lost_g, stage=stage))


def _log_odds(chance: float) -> float:
    """Return the evidence of one look; near certainty counts no more than `CLEAREST`."""
    if not 0.0 < chance < 1.0:
        return CLEAREST if chance else -CLEAREST
    return max(-CLEAREST, min(CLEAREST, log(chance / (1 - chance))))
