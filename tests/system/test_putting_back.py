"""A turn is taken back with real scales: bag and pieces go back where they came from, and play goes on from there."""

import pytest

from citytable.games.megacity.actions import TakePieces
from citytable.games.megacity.position import MATERIALS, Pieces
from citytable.rehearsal.megacity.acts import holds, materials
from citytable.table.word import TakeBack

pytestmark = [pytest.mark.broker, pytest.mark.long(4)]
BREATH_MS = 3000


def drawn(had, now):
    return materials(Pieces(**{name: getattr(now, name) - getattr(had, name) for name in MATERIALS}))


async def test_a_turn_is_taken_back_and_its_pieces_go_back_into_the_bag(open_table):
    async with open_table() as table:
        await table.deal()
        seat, session, umpire = table.game.position.player, table.hub.session, table.hub.play.umpire
        stood, handfuls = table.game.position, []
        for _ in range(2):
            had = table.loose[seat]
            await table.do(TakePieces(player=seat))
            handfuls.append({"act": "return_pieces", "seat": seat, "pieces": drawn(had, table.loose[seat])})
        await table.pass_bag()
        first = (await session.entries())[1]
        await session.say(TakeBack(entry=first.seq, by="host", why="they had forgotten to shuffle"))
        assert umpire.position == stood
        for act in ({"act": "pass_bag", "from": 3 - seat, "to": seat}, *handfuls):
            assert umpire.restoring or act is handfuls[-1], "half of them may weigh as much as all"
            await table.twin.act(act)
            await table.twin.wait(BREATH_MS)
        assert (umpire.restoring, session.play.umpire.status().agrees) == (False, True)
        while table.game.position != stood:
            table.game.pop()
        await table.do(TakePieces(player=seat))
        await table.pass_bag()
        assert holds(umpire.position, table.game.position)
