"""The judge of a rehearsal: the people's intentions against what the hub confirmed and what its journal replays to."""

from collections.abc import Callable, Mapping
from operator import eq
from typing import Any

import msgspec

from citytable.rehearsal.reliability import ReliabilityBin
from citytable.session.box import BoxedGame, Score


class Counts(msgspec.Struct, frozen=True):
    """The number of events of each kind in a rehearsal."""

    physical_acts: int
    actions: int
    actions_inferred: int
    questions_asked: int
    wrong_confirmations: int
    collapses: int
    corrections: int
    falls_reported: int
    unnoticed: int
    taken_back: int = 0
    lifts_shown: int = 0  # buildings in a hand, with what was sensed of them
    lifts_late: int = 0  # of these, over 0.3 s after their tags had left
    collapses_shown: int = 0  # falls that the screens showed once more
    collapses_late: int = 0  # of these, over a second after the fall was confirmed
    clips_asked: int = 0  # of OBS, were the table filmed
    falls_spoken: int = 0  # by a display with a voice
    fall_lights: int = 0  # events in Home Assistant that let lamps flash
    alarms_shown: int = 0  # on the screens, grouped by cause
    faults_unshown: int = 0  # what people did wrong and the screens did not name within three seconds
    unsure: int = 0  # so many pieces more than they surely hold all players may hold at the end


class Verdict(msgspec.Struct, frozen=True):
    """The verdict on a rehearsal.

    `equal`: the end of the intentions lies within the hub's position; `replay_equal`: the journal leads to it.
    """

    outcome: dict[str, Any]
    breakdown: dict[str, list[dict[str, Any]]]
    counts: Counts
    equal: bool
    replay_equal: bool
    reliability: tuple[ReliabilityBin, ...] = ()  # of the confidences shown

    @property
    def passed(self) -> bool:
        """Return whether the rehearsal showed what it should."""
        wrong = self.counts.wrong_confirmations or self.counts.unnoticed
        return self.equal and self.replay_equal and not wrong


def line_dict(line: Any) -> dict[str, Any]:
    """Return a score line for a report."""
    return {"points": line.points, "reason": line.reason, "words": dict(line.words), "action_no": line.action_no}


def breakdown(scores: Mapping[int, Score]) -> dict[str, list[dict[str, Any]]]:
    """Return every point of every seat with its reason."""
    return {str(seat): [line_dict(line) for line in one.lines] for seat, one in scores.items()}


def outcome_dict(game: BoxedGame[Any, Any]) -> dict[str, Any]:
    """Return the outcome as plain values."""
    outcome = game.outcome()
    if outcome is None:
        return {"termination": "", "winners": [], "scores": {}}
    return {
        "termination": outcome.termination,
        "winners": list(outcome.winners),
        "scores": {str(seat): points for seat, points in (outcome.scores or {}).items()},
    }


def judged(
    truth: BoxedGame[Any, Any],
    hub: Any,
    replayed: Any,
    counts: Counts,
    reliability: tuple[ReliabilityBin, ...] = (),
    *,
    holds: Callable[[Any, Any], bool] = eq,
) -> Verdict:
    """Return the verdict on a finished rehearsal. `holds`: whether the truth lies within what the hub believes."""
    return Verdict(
        outcome=outcome_dict(truth),
        breakdown=breakdown(truth.scores()),
        counts=counts,
        equal=holds(hub, truth.position),
        replay_equal=replayed == hub,
        reliability=reliability,
    )
