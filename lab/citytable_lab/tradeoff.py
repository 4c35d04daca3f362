"""Score the trade-offs: recall against false alarms, and quick alerts against withdrawn ones.

A verdict is given when enough evidence has come together, an alert when a fall is likely enough. Here the same detector
is scored again and again while it demands less or more of the one, with the other as it is, and then the other way
round.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from citytable.sensing.fall import ALERT, AS_IT_IS, ENOUGH, Bars
from citytable.sensing.spot_detector import Detector
from citytable.sensing.trees import Judge, Judges, fall_forest, heard_forest
from citytable_lab.picture import INK, PAPER, SOFT, check_suffix, save
from citytable_lab.score_table import Row
from citytable_lab.scoring import Run, Scored, as_run, score_one, shared, trace_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DEMANDED = (4.0, 8.0, 12.0, 16.0, 20.0, 28.0, 40.0, 60.0, 90.0, 130.0)
LIKELY = (0.05, 0.1, 0.15, 0.2, 0.25, 0.4, 0.5, 0.7)
ALERTED = {
    "p50 ms": "alert after first visible deviation, p50, ms",
    "p95 ms": "alert after first visible deviation, p95, ms",
    "in 150 ms": "alert within 150 ms after first visible deviation",
    "withdrawn/h": "alerts withdrawn per hour of dense play",
    "collapse": "collapse, recall",
    "one piece": "fall of one piece, recall",
    "false/h": "false fall alarms per hour of dense play",
}
COLUMNS = {
    "collapse": "collapse, recall",
    "two or more": "fall of two or more pieces, recall",
    "one piece": "fall of one piece, recall",
    "all falls": "all falls, recall",
    "false/h": "false fall alarms per hour of dense play",
    "false/1,000": "false fall alarms per 1,000 interactions",
    "p50 ms": "confirmed in flight after onset, p50, ms",
    "p95 ms": "confirmed in flight after onset, p95, ms",
    "withdrawn/h": "alerts withdrawn per hour of dense play",
}
CURVES = {"collapse": "#c62f2f", "two or more": "#2f6db5", "one piece": "#2a8f6d"}
MUST_PER_HOUR, AIM_PER_HOUR = 0.5, 0.01


class Point(NamedTuple):
    """Hold the rows of one run with these `bars`."""

    bars: Bars
    rows: dict[str, Row]

    @property
    def false(self) -> Row:
        """Return its false falls per hour."""
        return self.rows[COLUMNS["false/h"]]


class Remembered:
    """Remember the answers of trees along a trace.

    The answers do not depend on the bars: every further run along the same trace, begun by `again`, costs only the rest
    of the detector.
    """

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._looks = 0
        self._said: list[float] = []

    def again(self) -> None:
        """Begin the trace once more."""
        self._looks = 0

    def chance(self, x: list[float]) -> float:
        """Return the chance that the judge gives, or gave at this look the first time."""
        if self._looks == len(self._said):
            self._said.append(self._judge.chance(x))
        self._looks += 1
        return self._said[self._looks - 1]


class Curves(NamedTuple):
    """Hold one detector's scores with other bars for its verdicts, and with others for its alerts."""

    verdicts: list[Point]
    alerts: list[Point]


def curves_of(paths: Sequence[Path], *, cells: int, processes: int) -> Curves:
    """Score the files with every bar."""
    verdicts = [AS_IT_IS._replace(enough=enough) for enough in sorted({*DEMANDED, ENOUGH})]
    alerts = [AS_IT_IS._replace(alert=alert) for alert in sorted({*LIKELY, ALERT})]
    every = [*verdicts, *alerts]
    scored = shared(partial(_score_with, cells=cells, every=every), paths, processes)
    points = [_point(bars, as_run([file[at] for file in scored])) for at, bars in enumerate(every)]
    return Curves(points[: len(verdicts)], points[len(verdicts) :])


def _score_with(path: Path, cells: int, every: Sequence[Bars]) -> list[Scored]:
    """Score one file with each of the bars."""
    trace, judge, hearing = trace_of(path, cells), Remembered(fall_forest()), Remembered(heard_forest())
    scored = []
    for bars in every:
        judge.again()
        hearing.again()
        scored.append(score_one(trace, partial(Detector, judges=Judges(judge, hearing), bars=bars)))
    return scored


def printed_verdicts(points: Sequence[Point]) -> list[str]:
    """Return the bars of the verdict as lines of a Markdown table; a star marks the bar that the detector has."""
    return _table("evidence", [(point.bars.enough, point) for point in points], ENOUGH, COLUMNS)


def printed_alerts(points: Sequence[Point]) -> list[str]:
    """Return the bars of the alert in the same way."""
    return _table("likely", [(point.bars.alert, point) for point in points], ALERT, ALERTED)


def _table(head: str, points: Sequence[tuple[float, Point]], chosen: float, columns: dict[str, str]) -> list[str]:
    lines = [[head, *columns]]
    lines += [
        [f"{bar:g}{' *' * (bar == chosen)}", *(_cell(point.rows[what]) for what in columns.values())]
        for bar, point in points
    ]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    rows = [
        "| " + " | ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True)) + " |" for line in lines
    ]
    return [rows[0], "|" + "|".join("-" * (width + 1) + ":" for width in widths) + "|", *rows[1:]]


def draw_curve(points: Sequence[Point], path: Path) -> None:
    """Draw recall against false falls per hour, and beside it both against what the verdict demands."""
    check_suffix(path)
    from matplotlib.figure import Figure  # noqa: PLC0415  only pictures need it, and it takes long to load

    figure = Figure(figsize=(12.4, 5.2), layout="constrained", facecolor=PAPER)
    against, demanded = figure.subplots(1, 2, sharey=True)
    _draw_against(against, points)
    _draw_demanded(demanded, points)
    for panel in (against, demanded):
        panel.set_ylim(0, 1.02)
        panel.grid(color=SOFT, alpha=0.2, lw=0.6)
        panel.spines[["top", "right"]].set_visible(False)
        panel.tick_params(colors=INK, labelsize=8)
        panel.xaxis.label.set_fontsize(9)
    against.set_ylabel("recall, with 95 % bounds", color=INK, fontsize=9)
    demanded.legend(frameon=False, fontsize=9, loc="lower left", labelcolor=INK)
    save(figure, path)


def _draw_against(panel: "Axes", points: Sequence[Point]) -> None:
    """Draw the points.

    Of those without a false fall only the hastiest is drawn, at half a fall: the rest differ only in recall.
    """
    shown = [point for at, point in enumerate(points) if not at or points[at - 1].false.n]
    at = [(point.false.n or 0.5) / point.false.of if point.false.of else 1.0 for point in shown]
    for name in CURVES:
        _draw_recall(panel, at, shown, name)
    panel.set_xscale("log")
    for limit, word in ((MUST_PER_HOUR, "must"), (AIM_PER_HOUR, "aim")):
        panel.axvline(limit, color=SOFT, lw=1, ls="--")
        panel.text(limit, 0.02, f" {word}", color=SOFT, fontsize=8)
    if not shown[-1].false.n:
        panel.axvline(at[-1], color=INK, lw=1, ls=":")
        panel.text(at[-1], 0.06, f"none in {shown[-1].false.of:.1f} h ", color=INK, fontsize=8, ha="right")
    panel.set_xlabel("false falls per hour of dense play", color=INK)


def _draw_demanded(panel: "Axes", points: Sequence[Point]) -> None:
    places = list(range(len(points)))
    for name in CURVES:
        _draw_recall(panel, places, points, name)
    for place, point in zip(places, points, strict=True):
        panel.text(place, 1.03, f"{point.false.n}", color=INK, fontsize=8, ha="center")
    panel.text(-0.45, 1.03, "false:", color=INK, fontsize=8, ha="right")
    chosen = next(place for place, point in zip(places, points, strict=True) if point.bars.enough == ENOUGH)
    panel.axvline(chosen, color=INK, lw=1, ls=":")
    panel.text(chosen, 0.02, " as it is", color=INK, fontsize=8)
    panel.set_xticks(places, [f"{point.bars.enough:g}" for point in points])
    panel.set_xlabel("how much evidence a verdict takes, in log odds", color=INK)


def _draw_recall(panel: "Axes", at: Sequence[float], points: Sequence[Point], name: str) -> None:
    rows = [(x, point.rows[COLUMNS[name]]) for x, point in zip(at, points, strict=True)]
    counted = [(x, row) for x, row in rows if row.value is not None]
    across, colour = [x for x, _ in counted], CURVES[name]
    lows, highs = [row.low or 0.0 for _, row in counted], [row.high or 0.0 for _, row in counted]
    panel.fill_between(across, lows, highs, color=colour, alpha=0.1, lw=0)
    panel.plot(across, [row.value or 0.0 for _, row in counted], "o-", color=colour, lw=1.6, ms=4, label=name)


def _point(bars: Bars, run: Run) -> Point:
    return Point(bars, {row.what: row for row in (*run.rows, *run.reported)})


def _cell(row: Row) -> str:
    return "-" if row.value is None else f"{row.value:.{row.digits}f}"
