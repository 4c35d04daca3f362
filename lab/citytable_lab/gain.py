"""Print what a knowledge gains: the figures that count, without it and with it, over the same traces."""

from collections.abc import Mapping

from msgspec.structs import replace

from citytable_lab.scoring import Run
from citytable_lab.trace_file import Trace

COLUMNS = {
    "collapse": "collapse, recall",
    "two or more": "fall of two or more pieces, recall",
    "one piece": "fall of one piece, recall",
    "false/h": "false fall alarms per hour of dense play",
    "withdrawn/h": "alerts withdrawn per hour of dense play",
}
MORE = {
    "in flight, p50 ms": "confirmed in flight after onset, p50, ms",
    "at rest, p50 ms": "verdict at rest after onset, p50, ms",
    "piece added, found": "piece added, recall",
    "piece added, right": "piece added, precision",
}


def alone(trace: Trace) -> Trace:
    """Return the trace of a spot that nobody tells what moves beside it."""
    return replace(trace, beside=None)


def unaware(trace: Trace) -> Trace:
    """Return the same of one that does not know either whether people take pieces from it."""
    return replace(trace, cal=replace(trace.cal, kept=False), beside=None)


def gain_lines(runs: Mapping[str, Run], *, more: bool = False) -> list[str]:
    """Return a table with one row for each run, by its words; with `more` also delays, and what it said of pieces."""
    columns = COLUMNS | MORE if more else COLUMNS
    lines = ["| | " + " | ".join(columns) + " |", "|---" + "|---:" * len(columns) + "|"]
    for words, run in runs.items():
        rows = {row.what: row for row in run.rows}
        cells = [_cell(rows[what].value, rows[what].n) if what in rows else "-" for what in columns.values()]
        lines.append(f"| {words} | " + " | ".join(cells) + " |")
    return lines


def _cell(value: float | None, n: int | None) -> str:
    if value is None:
        return "-"
    return f"{value:.3g} ({n})" if n is not None else f"{value:.0f}"
