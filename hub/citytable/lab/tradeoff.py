"""The trade-off: what recall costs in false alarms, and where the verdict stands on that curve.

A verdict is given when the trees are sure for a few looks in a row. Here the same detector is scored again and again
with trees that are more or less easily sure: their log odds are moved so that a chance of `sure` counts as what the
detector demands. Alerts move with it.
"""

import math
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from citytable.lab.picture import INK, PAPER, SOFT, check_suffix, save
from citytable.lab.score_table import Row
from citytable.lab.scoring import Run, score_files
from citytable.sensing.calibration import Cal
from citytable.sensing.fall import SURE
from citytable.sensing.spot_detector import Detector
from citytable.sensing.trees import Judge, fall_forest

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CHANCES = (0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 0.999, 0.9995)
COLUMNS = {
    "collapse": "collapse, recall",
    "two or more": "fall of two or more pieces, recall",
    "one piece": "fall of one piece, recall",
    "all falls": "all falls, recall",
    "false/h": "false fall alarms per hour of dense play",
    "false/1,000": "false fall alarms per 1,000 interactions",
    "p50 ms": "confirmed after onset, p50, ms",
    "p95 ms": "confirmed after onset, p95, ms",
    "withdrawn/h": "alerts withdrawn per hour of dense play",
}
CURVES = {"collapse": "#c62f2f", "two or more": "#2f6db5", "one piece": "#2a8f6d"}
MUST_PER_HOUR, AIM_PER_HOUR = 0.5, 0.01


class Point(NamedTuple):
    """The rows of one run whose verdict was given at a chance of `sure`."""

    sure: float
    rows: dict[str, Row]


class Leaning:
    """Trees whose log odds are moved by `by`."""

    def __init__(self, judge: Judge, by: float) -> None:
        self._judge = judge
        self._times = math.exp(by)

    def chance(self, x: list[float]) -> float:
        """The chance that the judge gives, moved."""
        chance = self._judge.chance(x)
        return chance * self._times / (chance * self._times + 1 - chance)


def leaning_detector(cal: Cal, sure: float) -> Detector:
    """The detector, which gives its verdict at a chance of `sure`."""
    return Detector(cal, Leaning(fall_forest(), _odds(SURE) - _odds(sure)))


def points_of(paths: Sequence[Path], *, cells: int, processes: int) -> list[Point]:
    """Score the files at every chance, from hasty to careful."""
    return [
        _point(sure, score_files(paths, partial(leaning_detector, sure=sure), cells=cells, processes=processes))
        for sure in sorted({*CHANCES, SURE})
    ]


def printed_curve(points: Sequence[Point]) -> list[str]:
    """The points as lines of a Markdown table; the one of the detector as it is has a star."""
    lines = [["sure", *COLUMNS]]
    lines += [
        [f"{point.sure:g}{' *' if point.sure == SURE else ''}", *(_cell(point.rows[what]) for what in COLUMNS.values())]
        for point in points
    ]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    rows = [
        "| " + " | ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True)) + " |" for line in lines
    ]
    return [rows[0], "|" + "|".join("-" * (width + 1) + ":" for width in widths) + "|", *rows[1:]]


def draw_curve(points: Sequence[Point], path: Path) -> None:
    """Draw recall against false alarms per hour, with 95 % bounds and what must be reached."""
    check_suffix(path)
    from matplotlib.figure import Figure  # noqa: PLC0415  an extra's extra: only pictures need it

    figure = Figure(figsize=(8.4, 5.4), layout="constrained", facecolor=PAPER)
    panel = figure.subplots()
    at = [_per_hour(point) for point in points]
    for name, colour in CURVES.items():
        _draw_recall(panel, at, [point.rows[COLUMNS[name]] for point in points], colour, name)
    for limit, word in ((MUST_PER_HOUR, "must"), (AIM_PER_HOUR, "aim")):
        panel.axvline(limit, color=SOFT, lw=1, ls="--")
        panel.text(limit, 0.01, f" {word}", color=SOFT, fontsize=8, transform=panel.get_xaxis_transform())
    chosen = next(x for x, point in zip(at, points, strict=True) if point.sure == SURE)
    panel.axvline(chosen, color=INK, lw=1, ls=":")
    panel.text(chosen, 1.01, "the detector as it is", color=INK, fontsize=8, transform=panel.get_xaxis_transform())
    panel.set_xscale("log")
    panel.set_ylim(0, 1.005)
    panel.set_xlabel("false falls per hour of dense play (none seen: the 95 % bound)", color=INK, fontsize=9)
    panel.set_ylabel("recall, with 95 % bounds", color=INK, fontsize=9)
    panel.grid(color=SOFT, alpha=0.2, lw=0.6)
    panel.spines[["top", "right"]].set_visible(False)
    panel.legend(frameon=False, fontsize=9, loc="lower right", labelcolor=INK)
    save(figure, path)


def _draw_recall(panel: "Axes", at: Sequence[float], recalls: Sequence[Row], colour: str, name: str) -> None:
    shown = [(x, row) for x, row in zip(at, recalls, strict=True) if row.value is not None]
    across, values = [x for x, _ in shown], [row.value or 0.0 for _, row in shown]
    lows, highs = [row.low or 0.0 for _, row in shown], [row.high or 0.0 for _, row in shown]
    panel.fill_between(across, lows, highs, color=colour, alpha=0.12, lw=0)
    panel.plot(across, values, "o-", color=colour, lw=1.6, ms=4, label=name)


def _per_hour(point: Point) -> float:
    """False falls per hour; where there were none, the bound that so few hours allow."""
    row = point.rows[COLUMNS["false/h"]]
    return row.value or row.high or 1.0


def _point(sure: float, run: Run) -> Point:
    return Point(sure, {row.what: row for row in (*run.rows, *run.reported)})


def _cell(row: Row) -> str:
    return "-" if row.value is None else f"{row.value:.{row.digits}f}"


def _odds(chance: float) -> float:
    return math.log(chance / (1 - chance))
