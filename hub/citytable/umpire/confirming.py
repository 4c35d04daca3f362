"""Confirming: what goes with the acts of a story that become confirmed."""

from typing import TypeVar

from msgspec.structs import replace

from citytable.umpire.committing import still_needed
from citytable.umpire.node import Node
from citytable.umpire.observed import Observed
from citytable.umpire.weighing import learned

A = TypeVar("A")
P = TypeVar("P")


def used_up(observed: Observed, path: tuple[Node[A, P], ...], last: int, cleared_no: int) -> Observed:
    """Steps that the confirmed part used told what pieces weigh, and are used up; those of the rest stay.

    What steps up to `cleared_no` told was doubtful: nothing is learned from them.
    """
    kept = still_needed(path[last + 1 :], observed.steps)
    changed = [change for node in path[1 : last + 1] for change in node.changes]
    used = [step for step in observed.steps if step.no not in kept and step.no > cleared_no]
    return replace(observed.keeping(kept), piece=learned(changed, used, observed.piece))
