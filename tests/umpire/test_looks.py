"""Looks: how the table was seen in turn, and what tells nothing because it was put back."""

import pytest

from citytable.table.layout import Layout, Region
from citytable.umpire.looks import leads_over
from citytable.umpire.node import Node
from citytable.umpire.observed import Observed

COLUMN, CRADLES = "supply/contract/public", ("seat/1/bag", "seat/2/bag")


def seen(top, seat, *, shown=True):
    """A node after which this card lies on top of the column, and the bag at that seat."""
    bag = [Region(spots=(spot,), things=("bag",) if spot == CRADLES[seat - 1] else ()) for spot in CRADLES]
    layout = Layout(regions=(Region(spots=(COLUMN,), things=(top,)), *bag))
    return Node("act", None, "position", layout, (), False, shown)


@pytest.mark.parametrize(
    ("chosen", "ends", "leads"),
    [
        ([seen("A", 1), seen("B", 1), seen("B", 2, shown=False), seen("A", 2)], [2], True),  # a look at the next card
        ([seen("A", 1), seen("B", 1), seen("B", 2), seen("B", 2)], [2], False),  # it stayed so
        ([seen("A", 1), seen("B", 1), seen("C", 2), seen("B", 2)], [2], False),
        ([seen("A", 1), seen("A", 2), seen("A", 1)], [1, 2], True),  # the bag went to and fro, and nothing else
    ],
)
def test_a_part_of_the_table_that_is_as_it_was_tells_nothing_of_what_was_between(chosen, ends, leads):
    rival = [chosen[0], seen("A", 2 if len(ends) == 1 else 1)]
    assert leads_over(rival, chosen, ends, Observed()) == leads
