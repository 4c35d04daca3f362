"""Why falls were missed: one reason for each, by what its label says and by what the detector said meanwhile.

The reasons stand in the order in which they are asked; the first that fits counts.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from citytable_lab.score import ECHO_US, FallScore, TraceScore
from citytable_lab.score_bound import CLASSES, WEIGHABLE_G


class Missed(NamedTuple):
    """Hold a fall that nobody reported, and whether something had fallen from its platform before."""

    fall: FallScore
    again: bool

    def told(self, kind: str) -> bool:
        """Return whether an event of this kind was reported after its onset."""
        label = self.fall.label
        return any(one.event.kind == kind and one.t_us >= label.t_onset_us for one in self.fall.reported)


def _outweighed(missed: Missed) -> bool:
    rests_g = [one.event.mass_g for one in missed.fall.reported if one.event.kind == "disturbance"]
    return any(grams is not None and grams > -WEIGHABLE_G for grams in rests_g)


def _restless(missed: Missed) -> bool:
    fall = missed.fall
    return fall.t_still_us is None or fall.t_still_us > fall.label.t_end_us + ECHO_US


REASONS: Mapping[str, Callable[[Missed], bool]] = {
    f"it left its platform less than {WEIGHABLE_G:g} g lighter": lambda one: -one.fall.label.step_g < WEIGHABLE_G,
    "something had fallen from that platform before": lambda one: one.again,
    "its platform had not come to rest before it fell": lambda one: one.told("platform_placed"),
    "its load did not lie still in time": _restless,
    "its loss was taken for a piece that a hand took": lambda one: one.told("piece_removed"),
    "a hand or a platform bore as much as it lost": _outweighed,
    "its loss was weighed, and may be a hand that left or a platform beside": lambda _: True,
}


def why_lines(scores: Sequence[TraceScore]) -> list[str]:
    """Return a Markdown table: the reasons for which falls were missed, and how many of each class."""
    missed = [one for score in scores for one in _missed(score)]
    of = {name: [fall for score in scores for fall in score.falls if fits(fall)] for name, fits in CLASSES.items()}
    if not any(of.values()):
        return []
    first = {id(one.fall): _reason(one) for one in missed}
    lines = ["| why it was missed | " + " | ".join(CLASSES) + " |", "|---" + "|---:" * len(CLASSES) + "|"]
    for reason in REASONS:
        counts = [sum(first.get(id(fall)) == reason for fall in falls) for falls in of.values()]
        lines.append(f"| {reason} | " + " | ".join(map(str, counts)) + " |")
    totals = [f"{sum(id(fall) in first for fall in falls)} / {len(falls)}" for falls in of.values()]
    return [*lines, "| missed in all | " + " | ".join(totals) + " |"]


def _reason(missed: Missed) -> str:
    return next(reason for reason, fits in REASONS.items() if fits(missed))


def _missed(score: TraceScore) -> list[Missed]:
    """Return the falls of a trace that nobody reported."""
    came_us = sorted(step.label.t_onset_us for step in score.steps if step.label.kind == "platform_placed")
    fell_us = sorted(fall.label.t_onset_us for fall in score.falls)
    out: list[Missed] = []
    for fall in score.falls:
        onset_us = fall.label.t_onset_us
        since_us = max((t_us for t_us in came_us if t_us < onset_us), default=0)
        if fall.found is None:
            out.append(Missed(fall, any(since_us <= t_us < onset_us for t_us in fell_us)))
    return out
