"""Draw a trace: the load, what other sensors saw and heard, the labels, and the detector's events.

All strips share one axis of time: labels as bands, events as marks, the load and, where there are such sensors, the
range and the knocks. The load's axis fits the building: whatever goes far beyond it is cut off at the edge, where a
caret shows it.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from citytable.sensing.knock_history import LEAST_MG
from citytable_lab.knocks import MOST_MG
from citytable_lab.score import FALLS, Label, Reported, labels_of
from citytable_lab.trace_file import Trace
from citytable_lab.visible import load_g

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK, SOFT, PAPER = "#22262b", "#9aa1a9", "#ffffff"
COLOURS = {
    "collapse": "#c62f2f",
    "partial_collapse": "#e0702a",
    "piece_added": "#2a8f6d",
    "piece_removed": "#7a5c9e",
    "platform_lifted": "#2f6db5",
    "platform_placed": "#5f9ed1",
    "disturbance": "#a9a294",
    "fault": "#a3246f",
    "height": "#4a4f55",
}
SUFFIXES = (".svg", ".png")
NARROW_IN = 12.0
SECOND_IN = 0.3  # of paper for a second of trace, up to the widest that a screen shows
WIDE_IN = 24.0
LETTER_PT, LETTER_IN = 7, 0.062  # of a label: its size, and what a letter takes


class BadPicture(ValueError):
    """The picture cannot be drawn; the text says why and what to do."""


class _Mark(NamedTuple):
    shape: str
    filled: bool


class _Line(NamedTuple):
    """Keep track of the room for words along the axis of time: where it ends, and the width of a letter in seconds."""

    end_s: float
    letter_s: float


MARKS = {
    "alert": _Mark("o", filled=False),
    "confirmed": _Mark("D", filled=True),
    "withdrawn": _Mark("x", filled=True),
    "corrected": _Mark("D", filled=False),
}


def draw_trace(trace: Trace, reported: Sequence[Reported], path: Path) -> None:
    """Draw a trace with the detector's events; the suffix of `path` (.svg or .png) chooses the format."""
    check_suffix(path)
    from matplotlib.figure import Figure  # noqa: PLC0415  only pictures need it, and it takes long to load

    labels = labels_of(trace.events)
    beside = [_draw_range] * bool(len(trace.tof_t_us)) + [_draw_knocks] * (trace.knocks is not None)
    seconds = float(trace.t_us[-1]) / 1e6 if len(trace.t_us) else 1.0
    width = min(max(NARROW_IN, seconds * SECOND_IN), WIDE_IN)
    figure = Figure(figsize=(width, 5.6 + 1.4 * len(beside)), layout="constrained", facecolor=PAPER)
    heights = [1.9, 4.0] + [1.5] * len(beside)
    axes = figure.subplots(len(heights), 1, sharex=True, gridspec_kw={"height_ratios": heights})
    _draw_lanes(axes[0], labels, reported, _Line(seconds, seconds / width * LETTER_IN))
    _draw_load(axes[1], trace, labels, reported)
    for panel, draw in zip(axes[2:], beside, strict=True):
        draw(panel, trace)
    axes[-1].set_xlabel("seconds", color=INK, fontsize=9)
    axes[-1].set_xlim(0, seconds)
    axes[-1].locator_params(axis="x", nbins=int(width))
    for panel in axes:
        _plain(panel)
    axes[0].spines["left"].set_visible(False)
    axes[0].tick_params(axis="y", length=0, labelsize=9)
    title = figure.suptitle(f"{trace.name}  ·  {trace.scenario or 'trace'}", x=0.01, ha="left", color=INK, fontsize=13)
    title.set_fontweight("bold")
    save(figure, path)


def check_suffix(path: Path) -> None:
    """Raise `BadPicture` for a file that is neither .svg nor .png."""
    if path.suffix not in SUFFIXES:
        raise BadPicture(
            f"{path}: a picture cannot be {path.suffix!r}: give a name that ends in {' or '.join(SUFFIXES)}"
        )


def save(figure: "Figure", path: Path) -> None:
    """Write a picture, with the same bytes for the same content; raise `BadPicture` where it cannot be written."""
    import matplotlib as mpl  # noqa: PLC0415  see above

    try:
        with mpl.rc_context({"svg.hashsalt": "citytable", "svg.fonttype": "none", "font.family": "sans-serif"}):
            figure.savefig(path, dpi=110, metadata={"Date": None} if path.suffix == ".svg" else None)
    except OSError as error:
        raise BadPicture(f"{path}: {error.strerror or error}: give a file that can be written") from error


def _draw_lanes(panel: "Axes", labels: Sequence[Label], reported: Sequence[Reported], line: _Line) -> None:
    panel.set_ylim(-1.2, 2.3)
    panel.invert_yaxis()
    panel.set_yticks([0, 1.1], ["true", "reported"])
    for label in labels:
        start, length = label.t_onset_us / 1e6, max((label.t_end_us - label.t_onset_us) / 1e6, 0.05)
        panel.broken_barh([(start, length)], (-0.28, 0.56), facecolors=COLOURS.get(label.kind, SOFT))
    for one in reported:
        mark, colour = MARKS[one.event.stage], COLOURS.get(one.event.kind, SOFT)
        panel.plot(one.t_us / 1e6, 1.1, mark.shape, ms=6, color=colour, mfc=colour if mark.filled else PAPER, mew=1.4)
    _write(panel, [(label.t_onset_us / 1e6, _name(label)) for label in labels], (-0.42, -0.85), line)
    verdicts = [one for one in reported if one.event.stage == "confirmed"]
    _write(panel, [(one.t_us / 1e6, one.event.kind.replace("_", " ")) for one in verdicts], (1.72, 2.15), line)
    for stage, mark in MARKS.items():
        panel.plot([], [], mark.shape, ms=6, color=INK, mfc=INK if mark.filled else PAPER, mew=1.4, label=stage)
    panel.legend(loc="lower right", bbox_to_anchor=(1, 1.02), ncols=len(MARKS), frameon=False, fontsize=8)


def _write(panel: "Axes", words: Sequence[tuple[float, str]], rows: tuple[float, float], line: _Line) -> None:
    """Write words at their seconds on the first of two rows that has room; leave out a word that finds none."""
    free_s = dict.fromkeys(rows, 0.0)
    for at_s, word in words:
        start_s = min(at_s, line.end_s - len(word) * line.letter_s)
        row = next((row for row in rows if free_s[row] <= start_s), None)
        if row is not None:
            panel.text(start_s, row, word, fontsize=LETTER_PT, color=INK).set_in_layout(False)
            free_s[row] = start_s + (len(word) + 1) * line.letter_s


def _draw_load(panel: "Axes", trace: Trace, labels: Sequence[Label], reported: Sequence[Reported]) -> None:
    seconds, load = trace.t_us / 1e6, load_g(trace)
    low, high = _frame_g(trace, labels, load)
    for label in labels:
        colour = COLOURS.get(label.kind, SOFT)
        panel.axvspan(label.t_onset_us / 1e6, label.t_end_us / 1e6, color=colour, alpha=0.13, lw=0)
    panel.plot(seconds, np.clip(load, low, high), color=INK, lw=0.9)
    for beyond, shape, edge in ((load > high, "^", high), (load < low, "v", low)):
        at = seconds[_firsts(beyond)]
        if at.size:  # matplotlib leaves room at the paper's corner for a line without points
            panel.plot(at, np.full(len(at), edge), shape, color=SOFT, ms=6, clip_on=False)
    _draw_falls(panel, _falls(reported), float(trace.t_us[-1]) / 1e6 if len(trace.t_us) else 0.0, high)
    panel.set_ylim(low, high)
    panel.set_ylabel("load without tile, g", color=INK)


def _draw_falls(panel: "Axes", falls: Sequence[Reported], end_s: float, top: float) -> None:
    """Draw a dotted line at each alert, and a full one with the lost mass at each confirmed fall."""
    for one in falls:
        colour = COLOURS[one.event.kind]
        sure = one.event.stage == "confirmed"
        panel.axvline(one.t_us / 1e6, color=colour, lw=1.6 if sure else 1.0, ls="-" if sure else ":")
        if sure:
            mass = "" if one.event.mass_g is None else f"{one.event.mass_g:+.0f} g"
            late = one.t_us / 1e6 > 0.93 * end_s
            panel.annotate(
                mass,
                (one.t_us / 1e6, top),
                (-4 if late else 4, -10),
                textcoords="offset points",
                ha="right" if late else "left",
                color=colour,
                fontsize=9,
                fontweight="bold",
            ).set_in_layout(False)


def _draw_range(panel: "Axes", trace: Trace) -> None:
    seconds, mm = trace.tof_t_us / 1e6, trace.tof_mm.astype(float)
    invalid = mm < 0
    mm[invalid] = np.nan
    panel.plot(seconds, mm, color=COLOURS["platform_lifted"], lw=0.9)
    if not invalid.all():
        panel.plot(seconds[invalid], np.full(invalid.sum(), np.nanmax(mm)), "|", color=SOFT, ms=5)
    panel.invert_yaxis()
    panel.set_ylabel("range, mm", color=INK)


def _draw_knocks(panel: "Axes", trace: Trace) -> None:
    if trace.knocks is not None:
        panel.vlines(trace.knocks.t_us / 1e6, LEAST_MG / 2, trace.knocks.mg, color=COLOURS["partial_collapse"], lw=0.9)
    panel.set_yscale("log")
    panel.set_ylim(LEAST_MG / 2, MOST_MG)
    panel.set_ylabel("knocks, mg", color=INK)


def _plain(panel: "Axes") -> None:
    for side in ("top", "right"):
        panel.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        panel.spines[side].set_color(SOFT)
    panel.tick_params(colors=INK, labelsize=8, length=3)
    panel.grid(axis="x", color=SOFT, alpha=0.2, lw=0.6)
    panel.yaxis.label.set_fontsize(9)


def _frame_g(trace: Trace, labels: Sequence[Label], load: NDArray[np.float64]) -> tuple[float, float]:
    """Return the lowest and the highest load that is drawn: the building's, and half as much again above it."""
    masses = [trace.cal.start.mass_g, *(mass for label in labels for mass in (label.mass_before_g, label.mass_after_g))]
    calm = np.percentile(load, [1, 99]) if load.size else np.zeros(2)
    top = 1.5 * max(masses) + 20
    lifted = any(label.kind == "platform_lifted" for label in labels)
    bottom = min(0.0, float(calm[0])) if not lifted else -trace.cal.tile_g
    return max(bottom, -trace.cal.tile_g) - 0.08 * top, max(top, min(float(calm[1]), 2 * top))


def _firsts(beyond: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return the start of each stretch."""
    return np.flatnonzero(beyond & ~np.concatenate([[False], beyond[:-1]]))


def _falls(reported: Iterable[Reported]) -> list[Reported]:
    return [one for one in reported if one.event.kind in FALLS and one.event.stage != "withdrawn"]


def _name(label: Label) -> str:
    """Name a label in a word or two: a disturbance by its manner, any other by its kind."""
    return (label.sub if label.kind in {"disturbance", "fault"} else label.kind).replace("_", " ")
