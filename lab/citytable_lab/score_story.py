"""List what was wrong: every false alarm, every fall and fault that was missed, and steps by their kind."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from citytable.sensing.event import Event
from citytable_lab.score import STEPS, FallScore, FalseAlarm, FaultScore, TraceScore

LATE = ", after a fall that was not reported"


def false_alarm_lines(scores: Sequence[TraceScore]) -> list[str]:
    """Return a line for each false alarm in order, under a line that counts them by the act under way.

    One is marked where something had fallen from that platform before, and nobody had reported it.
    """
    alarms = [(alarm, _is_late(alarm, score)) for score in scores for alarm in score.false_alarms]
    cases = [(_act(alarm), _alarm(alarm) + (LATE if late else "")) for alarm, late in alarms]
    return _story("false falls, by the act under way", cases)


def _is_late(alarm: FalseAlarm, score: TraceScore) -> bool:
    """Return whether the last fall since the platform came, if any, was reported by nothing but this alarm."""
    at_us = alarm.reported.t_us
    steps = [step.label for step in score.steps]
    came_us = [label.t_onset_us for label in steps if label.kind == "platform_placed" and label.t_onset_us < at_us]
    since_us = max(came_us, default=0)
    before = [fall for fall in score.falls if since_us <= fall.label.t_onset_us < at_us]
    return bool(before) and before[-1].found is None


def missed_lines(scores: Sequence[TraceScore]) -> list[str]:
    """Return a line for each missed fall, under lines that count found and all by kind, size and trigger."""
    falls = [fall for score in scores for fall in score.falls]
    missed = [fall for fall in falls if fall.found is None]
    return [
        f"falls found: {_found(falls, 'kind')}",
        f"     by size: {_found(falls, 'size')}",
        f"  by trigger: {_found(falls, 'trigger')}",
        *_story("falls missed", [(fall.label.kind, _fall(fall)) for fall in missed]),
    ]


def step_lines(scores: Sequence[TraceScore]) -> list[str]:
    """Return for each kind of step which were missed, and during which acts it was reported falsely."""
    missed = [step.label for score in scores for step in score.steps if step.found is None]
    false = [alarm for score in scores for alarm in score.false_steps]
    return [
        f"{kind.replace('_', ' ')}: missed {_counts(label.sub for label in missed if label.kind == kind)}; "
        f"falsely reported during {_counts(_act(alarm) for alarm in false if alarm.reported.event.kind == kind)}"
        for kind in STEPS
    ]


def fault_lines(scores: Sequence[TraceScore]) -> list[str]:
    """Return a line for each lasting fault that was not noticed in time or was called a fall."""
    wrong = [fault for score in scores for fault in score.faults if not fault.right]
    return _story("faults gone wrong", [(fault.label.sub, _fault(fault)) for fault in wrong])


def _story(title: str, cases: Sequence[tuple[str, str]]) -> list[str]:
    return [f"{title}: {_counts(name for name, _ in cases)}", *(f"  {line}" for _, line in cases)]


def _counts(names: Iterable[str]) -> str:
    return ", ".join(f"{name} {n}" for name, n in Counter(names).most_common()) or "none"


def _act(alarm: FalseAlarm) -> str:
    return alarm.act or "nothing"


def _alarm(alarm: FalseAlarm) -> str:
    event = alarm.reported.event
    mass = "" if event.mass_g is None else f" {event.mass_g:+.1f} g"
    return (
        f"{alarm.trace} at {alarm.reported.t_us / 1e6:.2f} s: {event.kind}{mass}, "
        f"confidence {event.confidence:.2f}, during {_act(alarm)}"
    )


def _fall(fall: FallScore) -> str:
    label = fall.label
    reported = ", ".join(_word(one.event) for one in fall.reported) or "nothing"
    return (
        f"{fall.trace} at {label.t_onset_us / 1e6:.2f} s: {label.kind} by {label.trigger or '?'}, {label.n_fallen} of "
        f"{label.n_pieces} pieces fell, {label.n_off} left, {label.step_g:+.1f} g; reported: {reported}"
    )


def _word(event: Event) -> str:
    return event.kind if event.stage == "confirmed" else event.stage


def _fault(fault: FaultScore) -> str:
    noticed = (
        "never noticed"
        if fault.t_noticed_us is None
        else f"noticed after {(fault.t_noticed_us - fault.label.t_onset_us) / 1e6:.2f} s"
    )
    called = ", called a fall" if fault.called_fall else ""
    return f"{fault.trace} at {fault.label.t_onset_us / 1e6:.2f} s: {fault.label.sub}, {noticed}{called}"


def _found(falls: Sequence[FallScore], by: str) -> str:
    of = Counter(_group(fall, by) for fall in falls)
    found = Counter(_group(fall, by) for fall in falls if fall.found is not None)
    return ", ".join(_counted(of, found)) or "there were none"


def _counted(of: Counter[str], found: Counter[str]) -> Iterator[str]:
    for name in sorted(of):
        yield f"{name} {found[name]}/{of[name]}"


def _group(fall: FallScore, by: str) -> str:
    label = fall.label
    if by == "kind":
        return label.kind
    if by == "trigger":
        return label.trigger or "?"
    pieces = "one piece" if label.n_fallen == 1 else "more pieces"
    return f"{pieces} {'on the platform' if label.n_off == 0 else _size(-label.step_g)}"


def _size(lost_g: float) -> str:
    """Return a class of lost mass, written so that the classes sort by size."""
    return next((f"< {limit} g" for limit in (2, 6, 18, 50) if lost_g < limit), ">= 50 g")
