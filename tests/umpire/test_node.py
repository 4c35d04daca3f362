"""Nodes: acts done once more, on a position of which more is known now."""

import pytest
from msgspec.structs import replace

from citytable.games.megacity.pieces import HOUSE
from citytable.games.megacity.position import Pieces
from citytable.games.megacity.table_side import MegaCityTable
from citytable.umpire.node import Cue, Node, replayed, root
from citytable.umpire.whole_game import whole

GAME = whole(MegaCityTable(HOUSE))


@pytest.fixture
def scarce(table):
    """A position in which the bag may hold no steel: nobody knows what most of the pieces in hands are."""
    one, *others = table.position.players
    rest = sum(player.pieces.total for player in others)
    return replace(table.position, players=(replace(one, pieces=Pieces(unknown=140 - rest)), *others))


def test_what_a_cue_leaves_open_may_have_come_out_otherwise(table, scarce):
    """Steel was announced and three pieces seemed to have come; then it is known that the bag held steel (B 68009)."""
    said = Cue(GAME.action("p1 take_pieces announced=steel"))
    seemed = next(case for case in GAME.cases(scarce, said.action) if "unknown" in GAME.text(case.action))
    node = Node(seemed.action, said, seemed.after, GAME.layout(seemed.after), ())
    (_, told) = replayed(GAME, (root(GAME, table.position),), (node,))
    assert GAME.text(told.action) == "p1 take_pieces announced=steel drawn=steel:1"
    assert replayed(GAME, (root(GAME, table.position),), (replace(node, cue=None),)) is None
