"""Reliability: whether what the detector calls likely is as often right as it says."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from citytable_lab.bounds import share_bounds
from citytable_lab.score import STEPS, TraceScore, Verdict

EDGES = (0.0, 0.5, 0.7, 0.85, 0.95, 0.99, 1.0001)
GROUPS = {"fall": ("fall",), "piece": STEPS[:2], "nothing": ("disturbance",)}
"""Falls as of the second look, pieces, and motions that changed nothing. A platform's verdict is always certain."""


def reliability_lines(scores: Sequence[TraceScore]) -> list[str]:
    """Return a Markdown table: how sure verdicts were, how many were right, and the share in which that differs."""
    verdicts = [verdict for score in scores for verdict in score.verdicts]
    lines = ["| verdict | confidence | n | said | right | 95 % |", "|---|---|---:|---:|---:|---:|"]
    for name, kinds in GROUPS.items():
        of_kind = [verdict for verdict in verdicts if verdict.kind in kinds]
        for low, high in pairwise(EDGES):
            lines += _line(name, low, high, [one for one in of_kind if low <= one.confidence < high])
        if of_kind:
            lines.append(f"| {name} | all | {len(of_kind)} | off by {_off(of_kind):.3f} in the mean | | |")
    return lines


def _line(name: str, low: float, high: float, verdicts: Sequence[Verdict]) -> list[str]:
    n = len(verdicts)
    if not n:
        return []
    right = sum(verdict.right for verdict in verdicts)
    said = sum(verdict.confidence for verdict in verdicts) / n
    least, most = share_bounds(right, n)
    return [
        f"| {name} | {low:g} to {min(high, 1.0):g} | {n} | {said:.3f} | {right / n:.3f} | {least:.3f} to {most:.3f} |"
    ]


def _off(verdicts: Iterable[Verdict]) -> float:
    """Return the expected calibration error: the mean distance of said and right, weighed by their number."""
    known = list(verdicts)
    off = 0.0
    for low, high in pairwise(EDGES):
        some = [verdict for verdict in known if low <= verdict.confidence < high]
        off += abs(sum(verdict.confidence - verdict.right for verdict in some))
    return off / len(known)
