"""Any bot of the hub can decide what the people of a rehearsal do."""

import pytest

from citytable import app
from citytable.bots.greedy import Greedy
from citytable.bots.names import BOTS
from citytable.bots.planner import Planner
from citytable.bots.random_bot import RandomBot
from citytable.games.comeback.box import ComebackBox
from citytable.rehearsal.players import seated
from citytable.rules.budget import Budget
from citytable.settings import Settings

pytestmark = pytest.mark.long(7)

KINDS = {"planner": Planner, "greedy": Greedy, "random": RandomBot}


def settings(bot):
    """Of Comeback City; the planner looks just a little ahead."""
    box = ComebackBox()
    box.budget = Budget(nodes=40, horizon=10, width=3)
    return Settings(box=box, options=box.options(1), seed=4, bot=bot)


@pytest.mark.parametrize("bot", BOTS)
def test_a_bot_of_that_name_sits_at_each_seat(bot):
    assert [type(one) for one in seated(Settings(bot=bot))] == [KINDS[bot]] * 3


@pytest.mark.broker
@pytest.mark.parametrize("bot", ["planner", pytest.param("random", marks=pytest.mark.soak)])
async def test_a_whole_game_is_rehearsed_by_people_who_decide_like_it(bot):
    verdict = await app.rehearse(settings(bot))
    assert verdict.passed
    assert verdict.counts.wrong_confirmations == 0
