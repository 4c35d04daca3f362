"""The next game with the same stations: they say nothing anew, and the hub knows how the table lies and weighs."""

import pytest

from citytable.games.megacity.actions import TakePieces, TakePlatform
from citytable.journal.entry import FactNoted
from citytable.rehearsal.megacity.acts import holds
from citytable.table.fact import StationCame
from citytable.table.word import NextGame

pytestmark = [pytest.mark.broker, pytest.mark.long(3)]


async def test_a_rematch_is_played_on_at_the_table_as_it_is(open_table):
    async with open_table() as table:
        await table.deal()
        dealt, first = table.game.actions[0], table.hub.game_id
        wish = NextGame(after=first, players=2, simplified=False, same_people=True, by="host")
        await table.hub.session.say(wish)
        assert table.seen.scene.phase == "setup"
        await table.say(dealt)
        await table.until_seat(dealt.start)
        assert table.hub.session.play.umpire.status().agrees
        for platform in (7, None):
            seat = table.game.position.player
            await table.do(
                TakePieces(player=seat) if platform is None else TakePlatform(player=seat, platform=platform)
            )
            await table.pass_bag()
            assert holds(table.hub.play.umpire.position, table.game.position)
        assert table.hub.session.play.questions == ()
        told = (await table.hub.journal.entries(table.hub.game_id)).entries
        came = [one.body.fact for one in told if isinstance(one.body, FactNoted)]
        stations = [fact.station for fact in came if isinstance(fact, StationCame)]
        assert sorted(stations) == sorted(station.station for station in table.settings.plan().stations)
        assert [row.over for row in await table.hub.journal.games()] == [True, False]
