"""The bounds of a scale: what somebody could know about the falls of a run by their true masses before and after.

What falls and stays on its platform weighs as much as before. Such a fall shows in its blow alone, if it makes one. How
many pieces fell, which decides whether that was a collapse, is more than the mass that left can show. And nobody can
weigh what is left before it lies still: pieces roll, and hands come to save the rest.
"""

from collections.abc import Callable, Sequence

from citytable_lab.bounds import quantile
from citytable_lab.score import FallScore, TraceScore

WEIGHABLE_G = 0.8  # nothing less is gone for certain, beside hands that leave and platforms that touch
CLASSES: dict[str, Callable[[FallScore], bool]] = {
    "collapse": lambda fall: fall.label.kind == "collapse",
    "two or more pieces": lambda fall: fall.label.n_fallen >= 2,
    "one piece": lambda fall: fall.label.n_fallen == 1,
}


def bound_lines(scores: Sequence[TraceScore]) -> list[str]:
    """Return Markdown tables: how many falls left their platform lighter and were found, and the bound for kinds."""
    falls = [fall for score in scores for fall in score.falls]
    if not falls:
        return []
    lines = [
        f"| what fell | left {WEIGHABLE_G:g} g or more lighter | found of these | found of the others |",
        "|---|---:|---:|---:|",
    ]
    for name, fits in CLASSES.items():
        some = [fall for fall in falls if fits(fall)]
        light = [fall for fall in some if _is_weighable(fall)]
        other = [fall for fall in some if not _is_weighable(fall)]
        lines.append(f"| {name} | {len(light)} / {len(some)} | {_found(light)} | {_found(other)} |")
    told = [fall for fall in falls if fall.final is not None]
    right = most_by_share(told)
    return [
        *lines,
        "",
        "| kind of the falls that were found | right |",
        "|---|---:|",
        f"| as reported | {sum(_is_right(fall) for fall in told)} / {len(told)} |",
        f"| by somebody who knows the true share of the mass that left | {right} / {len(told)} |",
        "",
        *_rests(told),
    ]


def _rests(falls: Sequence[FallScore]) -> list[str]:
    """Return how long after the onset the verdict at rest came, and when the load had lain still for half a second."""
    weighed = [fall for fall in falls if fall.final is not None and fall.t_still_us is not None]
    came = sorted((fall.final.t_us - fall.label.t_onset_us) / 1000 for fall in weighed if fall.final)
    still = sorted((fall.t_still_us - fall.label.t_onset_us) / 1000 for fall in weighed if fall.t_still_us)
    ended = sorted((fall.label.t_end_us - fall.label.t_onset_us) / 1000 for fall in weighed)
    lines = ["| verdict at rest after onset, of what can be weighed | p50, ms | p95, ms |", "|---|---:|---:|"]
    for what, delays in (("as reported", came), ("by somebody who waits for half a second of rest", still)):
        lines.append(_delays(what, delays))
    return [*lines, _delays("the last piece has left or lies there", ended)] if weighed else []


def _delays(what: str, delays_ms: Sequence[float]) -> str:
    return f"| {what} | {quantile(delays_ms, 0.5):.0f} | {quantile(delays_ms, 0.95):.0f} |"


def _is_right(fall: FallScore) -> bool:
    return fall.final is not None and fall.final.event.kind == fall.label.kind


def most_by_share(falls: Sequence[FallScore]) -> int:
    """Return how many kinds are right by the best bar for the true share of the mass that left."""
    shares = [(_share(fall), fall.label.kind == "collapse") for fall in falls]
    bars = [0.0, *(share for share, _ in shares), 2.0]
    return max(sum((share >= bar) == whole for share, whole in shares) for bar in bars)


def _share(fall: FallScore) -> float:
    return -fall.label.step_g / max(fall.label.mass_before_g, 1.0)


def _is_weighable(fall: FallScore) -> bool:
    return -fall.label.step_g >= WEIGHABLE_G


def _found(falls: Sequence[FallScore]) -> str:
    return f"{sum(fall.found is not None for fall in falls)} / {len(falls)}" if falls else "-"
