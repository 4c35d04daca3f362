"""After an undo the scales are put back to what they showed then, as the journal knows it."""

from citytable.journal.entry import Amended, Struck
from citytable.views.undo import TakingBack


async def taken_back(session, entry):
    """What the bag weighed then, as the umpire was told it."""
    await session.correct(TakingBack(entry=entry.seq, by="host"))
    return session.play.umpire._debt.weighed_g.get("bag", ())


async def test_what_the_bag_weighed_when_the_last_turn_that_stands_was_confirmed_is_known(evening, bag_g):
    session, _, _ = evening
    weighed = await taken_back(session, (await session.entries())[-2])
    assert weighed[-1] == bag_g[0] + bag_g[1] * session.play.umpire.position.bag


async def test_an_amended_height_or_an_act_struck_out_changes_no_weight(evening):
    session, _, _ = evening
    stood = await session.entries()
    last = stood[-2]
    draws = [one for one in stood if " take_pieces" in one.body.action]
    await session.correct(Struck(entry=draws[1].seq, by="host", why=""))
    await session.correct(Amended(entry=draws[2].seq, action=draws[2].body.action, by="host", why=""))
    assert await taken_back(session, last)


async def test_what_was_put_in_was_on_no_scale_and_nobody_knows(evening):
    session, _, _ = evening
    assert await taken_back(session, (await session.entries())[1]) == (), "before the first turn nothing was weighed"
