"""Compute the table of accuracy: all traces of a run together, row by row, beside what is required and aimed at."""

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Literal, NamedTuple

import msgspec

from citytable_lab.bounds import Bounds, count_bounds, quantile, quantile_bounds, share_bounds
from citytable_lab.score import FALLS, Cost, FallScore, StepScore, TraceScore

HOUR_US = 3_600_000_000
ALERT_MS = 150
BUILT = ("piece_added", "piece_removed", "platform_placed")  # acts after which a height is reported
Mark = Literal["aim", "ok", "miss", ""]


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """Hold one line: a value with its 95 % bounds, and `n` of `of` behind it.

    `of` counts cases, or for a rate what it is counted over (interactions, hours); a quantile has no `n`.

    `must` and `aim` are None where a number is only reported; `value` is None where there was nothing to count.
    """

    what: str
    value: float | None
    low: float | None
    high: float | None
    n: int | None
    of: float
    digits: int
    must: float | None = None
    aim: float | None = None
    mark: Mark = ""


class Pool:
    """Hold all scores of a run together."""

    def __init__(self, scores: Sequence[TraceScore]) -> None:
        self.scores = scores
        self.falls = [fall for score in scores for fall in score.falls]
        self.false_alarms = [alarm for score in scores for alarm in score.false_alarms]
        self.faults = [fault for score in scores for fault in score.faults]
        self.interactions = sum(score.interactions for score in scores)
        self.play_h = sum(score.play_us for score in scores) / HOUR_US

    @property
    def alerts_ms(self) -> list[float]:
        """Return the delay of the alert for each alerted fall, from when it could be seen."""
        return [
            (fall.t_alert_us - fall.t_visible_us) / 1000
            for fall in self.falls
            if fall.t_alert_us is not None and fall.t_visible_us is not None
        ]

    def told_ms(self, kind: str) -> list[float]:
        """Return for each step of a kind that was reported how long after its end that was."""
        steps = [step for score in self.scores for step in score.steps if step.label.kind == kind]
        return [(step.found.t_us - step.label.t_end_us) / 1000 for step in steps if step.found is not None]

    def reported(self, kind: str) -> int:
        """Return how many steps of a kind were reported."""
        found = sum(hit for hit, _ in self.steps(kind))
        return found + sum(one.reported.event.kind == kind for score in self.scores for one in score.false_steps)

    def steps(self, kind: str, *subs: str) -> list[tuple[bool, float | None]]:
        """Return for each labelled step of a kind whether it was reported, and its error in grams."""
        return [
            (
                step.found is not None,
                None
                if step.found is None or step.found.event.mass_g is None
                else abs(step.found.event.mass_g - step.label.step_g),
            )
            for score in self.scores
            for step in score.steps
            if step.label.kind == kind and (not subs or step.label.sub in subs)
        ]

    def heights(self, *kinds: str) -> list["HeightScore"]:
        """Return what was reported of the height after each found act of these kinds whose label has the height."""
        found: list[StepScore | FallScore] = [step for score in self.scores for step in score.steps]
        found += self.falls
        return [
            HeightScore(
                None if reported.height_mm is None else abs(reported.height_mm - truth_mm),
                reported.height_high_mm - reported.height_low_mm,
                reported.height_low_mm <= truth_mm <= reported.height_high_mm,
            )
            for act in found
            if act.found is not None and act.label.kind in kinds
            for reported, truth_mm in ((act.found.event, act.label.height_after_mm),)
            if truth_mm is not None and reported.height_low_mm is not None and reported.height_high_mm is not None
        ]


class HeightScore(NamedTuple):
    """Hold the score of one height.

    Error of the guess if there is one, width of the interval, whether it holds the truth.
    """

    error_mm: float | None
    width_mm: float
    held: bool


def accuracy_rows(scores: Sequence[TraceScore], cost: Cost) -> list[Row]:
    """Return the rows with requirements, in their order."""
    pool = Pool(scores)
    flight = [fall for fall in pool.falls if fall.in_flight and fall.found]
    delays = [(fall.found.t_us - fall.label.t_onset_us) / 1000 for fall in flight if fall.found]
    rests = [(fall.final.t_us - fall.label.t_onset_us) / 1000 for fall in pool.falls if fall.final]
    kinds = [fall.final.event.kind == fall.label.kind for fall in pool.falls if fall.final]
    alerts = pool.alerts_ms
    added = [hit for hit, _ in pool.steps("piece_added")]
    errors_g = [error for _, error in pool.steps("piece_added") if error is not None]
    withdrawn, false = sum(len(score.withdrawn_us) for score in scores), len(pool.false_alarms)
    held = [height.held for height in pool.heights(*BUILT)]
    right = [fault.right for fault in pool.faults]
    return [
        _recall("collapse, recall", pool.falls, lambda fall: fall.label.kind == "collapse", (0.98, 0.995)),
        _recall("fall of two or more pieces, recall", pool.falls, lambda fall: fall.label.n_fallen >= 2, (0.95, 0.98)),
        _recall("fall of one piece, recall", pool.falls, lambda fall: fall.label.n_fallen == 1, (0.70, 0.90)),
        rate_row("false fall alarms per 1,000 interactions", false, pool.interactions, (1, 0.1), per=1000),
        rate_row("false fall alarms per hour of dense play", false, pool.play_h, (0.5, 0.01)),
        quantile_row("confirmed in flight after onset, p50, ms", delays, 0.50, (400, 200), 0),
        quantile_row("confirmed in flight after onset, p95, ms", delays, 0.95, (800, 480), 0),
        quantile_row("verdict at rest after onset, p50, ms", rests, 0.50, (1200, 800), 0),
        quantile_row("verdict at rest after onset, p95, ms", rests, 0.95, (2000, 1500), 0),
        share_row("kind of a fall at rest, right", sum(kinds), len(kinds), (0.85, 0.95)),
        quantile_row("alert after first visible deviation, p50, ms", alerts, 0.50, (150, 75), 0),
        quantile_row("alert after first visible deviation, p95, ms", alerts, 0.95, (150, 75), 0),
        rate_row("alerts withdrawn per hour of dense play", withdrawn, pool.play_h, (60, 10)),
        share_row("piece added, recall", sum(added), len(added), (0.97, 0.99)),
        share_row("piece added, precision", sum(added), pool.reported("piece_added"), (0.98, 0.995)),
        quantile_row("piece added after the hand has left, p50, ms", pool.told_ms("piece_added"), 0.50, (400, 200), 0),
        quantile_row("piece mass error, p95, g", errors_g, 0.95, (0.5, 0.25), 2),
        share_row("height after a piece or a placement, interval holds it", sum(held), len(held), (0.95, 0.99)),
        share_row("cell unplugged or stuck, noticed within 0.5 s and no fall", sum(right), len(right), (0.99, 1)),
        _cost(cost),
    ]


def reported_rows(scores: Sequence[TraceScore]) -> list[Row]:
    """Return the rows without requirements."""
    pool = Pool(scores)
    finals = [(fall.final.event, fall.label) for fall in pool.falls if fall.final is not None]
    counts = [event.n == label.n_off for event, label in finals]
    rows = [
        _recall("all falls, recall", pool.falls, lambda _: True),
        _flight("collapse, found in flight", pool.falls, lambda fall: fall.label.kind == "collapse"),
        _flight("fall of two or more pieces, found in flight", pool.falls, lambda fall: fall.label.n_fallen >= 2),
        _flight("fall of one piece, found in flight", pool.falls, lambda fall: fall.label.n_fallen == 1),
        _recall("fall that keeps every piece on the platform, recall", pool.falls, lambda fall: fall.label.n_off == 0),
        share_row("falls with the right number of lost pieces at rest", sum(counts), len(counts)),
        share_row(
            "alert within 150 ms after first visible deviation",
            sum(ms <= ALERT_MS for ms in pool.alerts_ms),
            sum(fall.t_visible_us is not None for fall in pool.falls),
        ),
        share_row("falls reported more than once or too late", sum(s.duplicates for s in scores), len(pool.falls)),
    ]
    for kind in ("piece_removed", "platform_lifted", "platform_placed"):
        reported = [hit for hit, _ in pool.steps(kind)]
        name = kind.replace("_", " ")
        rows.append(share_row(f"{name}, recall", sum(reported), len(reported)))
        rows.append(share_row(f"{name}, precision", sum(reported), pool.reported(kind)))
    cubes = [hit for hit, _ in pool.steps("piece_added", "cube")]
    rows.append(share_row("cube added, recall", sum(cubes), len(cubes)))
    built, fallen = pool.heights(*BUILT), pool.heights(*FALLS)
    held = [height.held for height in fallen]
    return [
        *rows,
        *_height_rows("a piece or a placement", built),
        *_height_rows("a fall", fallen),
        share_row("height after a fall, interval holds it", sum(held), len(held)),
    ]


def _height_rows(what: str, heights: Sequence[HeightScore]) -> list[Row]:
    errors_mm = [height.error_mm for height in heights if height.error_mm is not None]
    return [
        quantile_row(f"height after {what}, error p50, mm", errors_mm, 0.50, None, 0),
        quantile_row(f"height after {what}, error p95, mm", errors_mm, 0.95, None, 0),
        quantile_row(f"height after {what}, width p50, mm", [height.width_mm for height in heights], 0.50, None, 0),
    ]


def printed(rows: Iterable[Row]) -> list[str]:
    """Return the rows as lines of a Markdown table, padded so that they also read well in a terminal."""
    cells = [("", "must", "aim", "value", "of", "95 %", "")]
    cells += [
        (
            row.what,
            _limit(row.must),
            _limit(row.aim),
            _number(row.value, row.digits),
            _behind(row),
            _span(row),
            row.mark,
        )
        for row in rows
    ]
    widths = [max(len(line[column]) for line in cells) for column in range(len(cells[0]))]
    lines = [_line(line, widths) for line in cells]
    return [lines[0], "|" + "|".join("-" * (width + 2) for width in widths) + "|", *lines[1:]]


def _recall(
    what: str, falls: Sequence[FallScore], of_these: Callable[[FallScore], bool], limits: Bounds | None = None
) -> Row:
    chosen = [fall for fall in falls if of_these(fall)]
    return share_row(what, sum(fall.found is not None for fall in chosen), len(chosen), limits)


def share_row(what: str, n: int, of: int, limits: Bounds | None = None) -> Row:
    """Return a row for n of `of`; `limits` holds the requirement and the aim."""
    low, high = share_bounds(min(n, of), of)
    value = n / of if of else None
    must, aim = limits or (None, None)
    mark = _mark(value, must, aim, higher_is_better=True)
    return Row(what=what, value=value, low=low, high=high, n=n, of=of, digits=3, must=must, aim=aim, mark=mark)


def _flight(what: str, falls: Sequence[FallScore], of_these: Callable[[FallScore], bool]) -> Row:
    chosen = [fall for fall in falls if of_these(fall)]
    return share_row(what, sum(fall.in_flight for fall in chosen), len(chosen))


def rate_row(what: str, n: int, exposure: float, limits: Bounds, per: int = 1) -> Row:
    """Return a row for n in an exposure, counted per so many of it."""
    must, aim = limits
    low, high = (bound / exposure * per if exposure else None for bound in count_bounds(n))
    value = n / exposure * per if exposure else None
    mark = _mark(value, must, aim, higher_is_better=False)
    return Row(what=what, value=value, low=low, high=high, n=n, of=exposure, digits=2, must=must, aim=aim, mark=mark)


def quantile_row(what: str, values: Sequence[float], q: float, limits: Bounds | None, digits: int) -> Row:
    """Return a row for a quantile of some values; `limits` holds the requirement and the aim."""
    ordered, (must, aim) = sorted(values), limits or (None, None)
    value = quantile(ordered, q) if ordered else None
    low, high = (bound if math.isfinite(bound) else None for bound in quantile_bounds(ordered, q))
    mark = _mark(value, must, aim, higher_is_better=False)
    return Row(
        what=what,
        value=value,
        low=low,
        high=high,
        n=None,
        of=len(ordered),
        digits=digits,
        must=must,
        aim=aim,
        mark=mark,
    )


def _cost(cost: Cost) -> Row:
    micros = (cost.detector_s - cost.empty_s) / cost.samples * 1e6 if cost.samples else None
    ratio = cost.detector_s / cost.empty_s if cost.empty_s else math.nan
    what = f"cost per sample, us ({ratio:.0f} times an empty loop)"
    mark = _mark(micros, 20, 10, higher_is_better=False)
    return Row(
        what=what, value=micros, low=None, high=None, n=None, of=cost.samples, digits=1, must=20, aim=10, mark=mark
    )


def _mark(value: float | None, must: float | None, aim: float | None, *, higher_is_better: bool) -> Mark:
    if value is None or must is None or aim is None:
        return ""
    sign = 1 if higher_is_better else -1
    if sign * value >= sign * aim:
        return "aim"
    return "ok" if sign * value >= sign * must else "miss"


def _limit(limit: float | None) -> str:
    return "" if limit is None else f"{limit:g}"


def _number(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def _behind(row: Row) -> str:
    of = f"{row.of:,}" if isinstance(row.of, int) else f"{row.of:.2f} h"
    return of if row.n is None else f"{row.n} / {of}"


def _span(row: Row) -> str:
    if row.low is None and row.high is None:
        return ""
    return f"{_number(row.low, row.digits)} to {_number(row.high, row.digits)}"


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    first, *rest = [
        cell.ljust(width) if not at else cell.rjust(width)
        for at, (cell, width) in enumerate(zip(cells, widths, strict=True))
    ]
    return "| " + " | ".join([first, *rest]) + " |"
