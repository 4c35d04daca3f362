"""Score the events of a detector on one trace against the trace's labels.

Every event counts at the time it was reported, that is the time of the sample in answer to which it came; an event's
own `t_us` is not looked at, so a detector cannot date anything back.

A fall is found by the first fall that is confirmed in flight from 0.5 s before its onset (its cause) to 2 s after, or
at rest until 2.5 s after its end; collapse and partial collapse count as each other. What else is confirmed from there
until 2.5 s after the fall's end is a duplicate (or too late: then nothing is false); a correction is none. Any other
confirmed fall is a false alarm. Time outside all of
these windows is dense play. An alert that becomes no confirmed fall within 5 s counts as withdrawn, whether or not the
detector withdrew it.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from citytable.sensing.event import Event
from citytable.table.likelihood import LIGHTER_G

FALLS = ("collapse", "partial_collapse")
STEPS = ("piece_added", "piece_removed", "platform_lifted", "platform_placed")

CAUSE_US = 500_000  # before its onset a fall may already be found
FOUND_US = 2_000_000  # after its onset it is no longer found in flight
ECHO_US = 2_500_000  # after its end what is reported of it is a duplicate
PENDING_US = 5_000_000  # longer than this no alert stays an alert
STEP_US = 3_000_000  # after its end a step may still be reported
FAULT_US = 500_000  # after its onset a fault must be noticed
TAKEN_OVER = ("disturbance neighbour", "disturbance slide")  # two platforms touch: one may bear a part of the other
LASTING = ("disconnect", "stuck")  # faults that last; a spike of one sample is over before it could be reported


class Label(msgspec.Struct, frozen=True, kw_only=True):
    """Hold one labelled act of a trace; times in microseconds from its start."""

    kind: str
    sub: str = ""
    t_onset_us: int
    t_end_us: int
    mass_before_g: float = 0.0
    mass_after_g: float = 0.0
    height_after_mm: float | None = None
    trigger: str = ""
    n_pieces: int = 0
    n_fallen: int = 0
    n_off: int = 0

    @property
    def step_g(self) -> float:
        """Return the change of mass by the act."""
        return self.mass_after_g - self.mass_before_g

    def covers(self, t_us: int) -> bool:
        """Return whether a time belongs to this fall and not to dense play."""
        return self.t_onset_us - CAUSE_US <= t_us <= self.t_end_us + ECHO_US


class Reported(msgspec.Struct, frozen=True):
    """Hold an event, and the time of the sample in answer to which it was reported."""

    t_us: int
    event: Event


class FallScore(msgspec.Struct, frozen=True, kw_only=True):
    """Hold one labelled fall: what confirmed it, when it was first alerted, and when it could first be seen.

    `final` is the verdict of the second look: the one that confirmed it at rest, or the correction of the one in
    flight. `t_still_us` is when its load had lain still for half a second. `reported` holds all events while it was
    under way, up to the end of its echo.
    """

    trace: str
    label: Label
    found: Reported | None
    final: Reported | None = None
    t_alert_us: int | None
    t_visible_us: int | None
    t_still_us: int | None = None
    reported: tuple[Reported, ...] = ()

    @property
    def in_flight(self) -> bool:
        """Return whether it was confirmed while its load still moved."""
        return self.found is not None and not self.found.event.at_rest


class FalseAlarm(msgspec.Struct, frozen=True, kw_only=True):
    """Hold a confirmed fall or step where there was none; `act` is the labelled act of that moment, "" without one."""

    trace: str
    reported: Reported
    act: str


class StepScore(msgspec.Struct, frozen=True, kw_only=True):
    """Hold one labelled step (a piece, the platform) and the event that reported it."""

    label: Label
    found: Reported | None


class FaultScore(msgspec.Struct, frozen=True, kw_only=True):
    """Hold one labelled fault that lasts."""

    trace: str
    label: Label
    t_noticed_us: int | None
    called_fall: bool

    @property
    def right(self) -> bool:
        """Return whether it was noticed in time and never called a fall."""
        in_time = self.t_noticed_us is not None and self.t_noticed_us - self.label.t_onset_us <= FAULT_US
        return in_time and not self.called_fall


class Verdict(msgspec.Struct, frozen=True):
    """Hold a verdict with how likely the detector called it, and whether it was right."""

    kind: str
    confidence: float
    right: bool


class TraceScore(msgspec.Struct, frozen=True, kw_only=True):
    """Hold all scores of one trace. `interactions` counts its labelled acts except falls."""

    trace: str
    falls: tuple[FallScore, ...]
    false_alarms: tuple[FalseAlarm, ...]
    duplicates: int
    withdrawn_us: tuple[int, ...]
    steps: tuple[StepScore, ...]
    false_steps: tuple[FalseAlarm, ...]
    faults: tuple[FaultScore, ...]
    interactions: int
    play_us: int
    verdicts: tuple[Verdict, ...] = ()
    acts: tuple[str, ...] = ()
    lighter: tuple[bool, ...] = ()
    """Whether something had fallen, for every motion after which less rests there and nothing was reported."""


class Cost(msgspec.Struct, frozen=True):
    """Hold the cost of scoring: seconds inside the detector, and of the same loop without a detector."""

    samples: int
    detector_s: float
    empty_s: float


def total_cost(costs: Iterable[Cost]) -> Cost:
    """Return the cost of a run."""
    samples, detector_s, empty_s = 0, 0.0, 0.0
    for cost in costs:
        samples, detector_s, empty_s = samples + cost.samples, detector_s + cost.detector_s, empty_s + cost.empty_s
    return Cost(samples, detector_s, empty_s)


def labels_of(events: Iterable[dict[str, Any]]) -> tuple[Label, ...]:
    """Return the labels of a trace in order of time; raise msgspec.ValidationError.

    A field that is None counts as left out, and a whole number may be written as a fraction.
    """
    said = [{field: value for field, value in event.items() if value is not None} for event in events]
    return tuple(sorted(msgspec.convert(said, list[Label], strict=False), key=lambda label: label.t_onset_us))


def score_trace(
    trace: str,
    labels: Sequence[Label],
    reported: Sequence[Reported],
    span_us: tuple[int, int],
    visible_us: Sequence[int | None],
) -> TraceScore:
    """Score events (in order of time) against the labels.

    `span_us` holds the times of the first and the last sample, `visible_us` for every fall when it could first be seen.
    """
    falls = [label for label in labels if label.kind in FALLS]
    confirmed = [one for one in reported if one.event.kind in FALLS and one.event.stage == "confirmed"]
    found = _found(falls, confirmed)
    corrected = [one for one in reported if one.event.stage == "corrected"]
    outside = [one for one in confirmed if not any(label.covers(one.t_us) for label in falls)]
    inside = len(confirmed) - len(outside)
    steps, false_steps = _steps(trace, labels, reported)
    return TraceScore(
        trace=trace,
        falls=tuple(
            FallScore(
                trace=trace,
                label=label,
                found=hit,
                final=_final(hit, corrected),
                t_alert_us=_alerted(label, reported),
                t_visible_us=visible,
                reported=tuple(one for one in reported if label.covers(one.t_us)),
            )
            for label, hit, visible in zip(falls, found, visible_us, strict=True)
        ),
        false_alarms=tuple(FalseAlarm(trace=trace, reported=one, act=_act(labels, one.t_us)) for one in outside),
        duplicates=inside - sum(hit is not None for hit in found),
        withdrawn_us=tuple(t for t in _withdrawn(reported, span_us[1]) if not any(label.covers(t) for label in falls)),
        steps=steps,
        false_steps=false_steps,
        faults=tuple(_fault(trace, label, reported, outside) for label in labels if label.sub in LASTING),
        interactions=len(labels) - len(falls),
        play_us=span_us[1] - span_us[0] - _covered(falls, span_us),
        verdicts=_verdicts(labels, reported, found, steps),
        acts=tuple(act_of(label) for label in labels if label.kind not in FALLS),
        lighter=_lighter(labels, reported, [label for label, hit in zip(falls, found, strict=True) if hit is None]),
    )


def _final(found: Reported | None, corrected: Sequence[Reported]) -> Reported | None:
    """Return the verdict of the second look at a fall: that which found it at rest, or the next correction."""
    if found is None or found.event.at_rest:
        return found
    return next((one for one in corrected if one.t_us >= found.t_us), None)


def _verdicts(
    labels: Sequence[Label],
    reported: Sequence[Reported],
    found: Sequence[Reported | None],
    steps: Sequence[StepScore],
) -> tuple[Verdict, ...]:
    """Return every verdict with its confidence: falls as of the second look, steps, and motions that changed nothing.

    One that says that nothing changed is wrong if a fall or a step of that time was not reported.
    """
    falls = [label for label in labels if label.kind in FALLS]
    missed = [label for label, hit in zip(falls, found, strict=True) if hit is None]
    missed += [step.label for step in steps if step.found is None]
    right = {id(step.found) for step in steps if step.found is not None}
    verdicts: list[Verdict] = []
    for one in reported:
        event = one.event
        if event.kind in FALLS:
            if event.stage == "corrected" or (event.stage == "confirmed" and event.at_rest):
                fell = any(label.covers(one.t_us) for label in falls)
                verdicts.append(Verdict("fall", event.confidence, fell))
        elif event.kind in STEPS:
            verdicts.append(Verdict(event.kind, event.confidence, id(one) in right))
        elif event.kind == "disturbance":
            wrong = any(label.t_onset_us <= one.t_us <= label.t_end_us + STEP_US for label in missed)
            verdicts.append(Verdict(event.kind, event.confidence, not wrong))
    return tuple(verdicts)


def _lighter(labels: Sequence[Label], reported: Sequence[Reported], missed: Sequence[Label]) -> tuple[bool, ...]:
    """Return for each disturbance after which less rests there whether a fall was missed.

    What a platform beside took over is left out: on a table, the scale there shows it.
    """
    out: list[bool] = []
    for one in reported:
        lost_g = 0.0 if one.event.kind != "disturbance" else -(one.event.mass_g or 0.0)
        fell = any(label.t_onset_us <= one.t_us <= label.t_end_us + STEP_US for label in missed)
        if lost_g >= LIGHTER_G and (fell or _act(labels, one.t_us) not in TAKEN_OVER):
            out.append(fell)
    return tuple(out)


def _found(falls: Sequence[Label], confirmed: Sequence[Reported]) -> list[Reported | None]:
    """Return for each fall, in order, the first verdict that finds it and found no earlier one."""
    free = list(confirmed)
    found: list[Reported | None] = []
    for label in falls:
        in_time = (one for one in free if label.t_onset_us - CAUSE_US <= one.t_us <= _latest_us(label, one))
        hit = next(in_time, None)
        if hit is not None:
            free.remove(hit)
        found.append(hit)
    return found


def _latest_us(label: Label, one: Reported) -> int:
    return label.t_end_us + ECHO_US if one.event.at_rest else label.t_onset_us + FOUND_US


def _matched(
    labels: Sequence[Label], reported: Sequence[Reported], before_us: int, until_us: dict[int, int]
) -> list[Reported | None]:
    """Return for each label, in order, the first event of its window that no earlier label has taken."""
    free = list(reported)
    found: list[Reported | None] = []
    for label in labels:
        window = range(label.t_onset_us - before_us, until_us[id(label)] + 1)
        hit = next((one for one in free if one.t_us in window), None)
        if hit is not None:
            free.remove(hit)
        found.append(hit)
    return found


def _alerted(label: Label, reported: Sequence[Reported]) -> int | None:
    """Return when the detector first reported this fall, as an alert or at once as a verdict."""
    return next(
        (
            one.t_us
            for one in reported
            if one.event.kind in FALLS
            and one.event.stage != "withdrawn"
            and label.t_onset_us - CAUSE_US <= one.t_us <= label.t_onset_us + FOUND_US
        ),
        None,
    )


def _withdrawn(reported: Sequence[Reported], end_us: int) -> list[int]:
    """Return the times of alerts that became no verdict.

    A repeated alert is the same one, and the last may be left open.
    """
    withdrawn: list[int] = []
    open_us: int | None = None
    for one in reported:
        if open_us is not None and one.t_us - open_us > PENDING_US:
            withdrawn.append(open_us)
            open_us = None
        if one.event.kind not in FALLS:
            continue
        if one.event.stage == "alert":
            open_us = one.t_us if open_us is None else open_us
            continue
        if one.event.stage == "withdrawn" and open_us is not None:
            withdrawn.append(open_us)
        open_us = None
    if open_us is not None and end_us - open_us > PENDING_US:
        withdrawn.append(open_us)
    return withdrawn


def _steps(
    trace: str, labels: Sequence[Label], reported: Sequence[Reported]
) -> tuple[tuple[StepScore, ...], tuple[FalseAlarm, ...]]:
    scores: list[StepScore] = []
    false: list[FalseAlarm] = []
    for kind in STEPS:
        acts = [label for label in labels if label.kind == kind]
        events = [one for one in reported if one.event.kind == kind and one.event.stage == "confirmed"]
        found = _matched(acts, events, 0, {id(act): act.t_end_us + STEP_US for act in acts})
        scores += [StepScore(label=act, found=hit) for act, hit in zip(acts, found, strict=True)]
        right = {id(hit) for hit in found}
        false += [
            FalseAlarm(trace=trace, reported=one, act=_act(labels, one.t_us)) for one in events if id(one) not in right
        ]
    return tuple(scores), tuple(false)


def _fault(trace: str, label: Label, reported: Sequence[Reported], false: Sequence[Reported]) -> FaultScore:
    during = range(label.t_onset_us, label.t_end_us + ECHO_US + 1)
    return FaultScore(
        trace=trace,
        label=label,
        t_noticed_us=next((one.t_us for one in reported if one.event.kind == "fault" and one.t_us in during), None),
        called_fall=any(one.t_us in during for one in false),
    )


def _act(labels: Sequence[Label], t_us: int) -> str:
    """Return the newest act that was under way, or had ended within a step's tolerance."""
    near = [label for label in labels if label.t_onset_us - CAUSE_US <= t_us <= label.t_end_us + STEP_US]
    if not near:
        return ""
    return act_of(near[-1])


def act_of(label: Label) -> str:
    """Return what an act is called in tables."""
    return label.sub if label.sub == label.kind else f"{label.kind} {label.sub}"


def _covered(falls: Sequence[Label], span_us: tuple[int, int]) -> int:
    """Return how much of the trace belongs to falls; windows that overlap count once."""
    covered, reached = 0, span_us[0]
    for label in falls:
        start = max(reached, label.t_onset_us - CAUSE_US)
        end = min(span_us[1], label.t_end_us + ECHO_US)
        if end > start:
            covered += end - start
            reached = end
    return covered
