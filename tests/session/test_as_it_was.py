"""After an undo the scales are put back to what they showed then, as the journal knows it."""

from itertools import pairwise
from types import SimpleNamespace

from citytable.journal.entry import ActionConfirmed, Entry, FactNoted, GameStarted
from citytable.session.as_it_was import as_it_was
from citytable.table.fact import MassSettled, TagCame, TagLeft
from citytable.table.word import Amendment, Strike, TakeBack, Undo
from citytable.umpire.restoring import AsItWas


async def taken_back(session, entry):
    """What the bag weighed then, as the umpire was told it."""
    await session.say(TakeBack(entry=entry.seq, by="host"))
    return session.play.umpire._state.outstanding.weighed_g.get("bag", ())


async def test_what_the_bag_weighed_when_the_last_turn_that_stands_was_confirmed_is_known(evening, bag_g):
    session, _, _ = evening
    weighed = await taken_back(session, (await session.entries())[-2])
    assert weighed[-1] == bag_g[0] + bag_g[1] * session.play.umpire.position.bag


async def test_an_amended_height_or_an_act_struck_out_changes_no_weight(evening):
    session, _, _ = evening
    stood = await session.entries()
    last = stood[-2]
    draws = [one for one in stood if " take_pieces" in one.body.action]
    await session.say(Strike(entry=draws[1].seq, by="host", why=""))
    await session.say(Amendment(entry=draws[2].seq, action=draws[2].body.action, by="host", why=""))
    assert await taken_back(session, last)


async def test_what_was_put_in_was_on_no_scale_and_nobody_knows(evening):
    session, _, _ = evening
    assert await taken_back(session, (await session.entries())[1]) == (), "before the first turn nothing was weighed"


def told(spot, thing, *loads_g):
    """A thing comes to a spot, and the scale settles at these loads."""
    yield TagCame(t_us=0, spot=spot, uid=thing, thing=thing)
    for before_g, mass_g in pairwise((0.0, *loads_g)):
        yield MassSettled(t_us=0, spot=spot, mass_g=mass_g, step_g=mass_g - before_g, error_g=0.1)


def test_what_a_tile_weighed_before_it_was_taken_away_is_nothing_that_it_weighs_now():
    """It came back without the monument that stood on it."""
    at, thing = "city/1/0", "park/2"
    gone = (
        TagLeft(t_us=0, spot=at, uid=thing, thing=thing),
        MassSettled(t_us=0, spot=at, mass_g=0.0, step_g=-17.0, error_g=0.1),
    )
    facts = [(1, fact) for fact in (*told(at, thing, 14.0, 17.0), *gone)]
    facts += [(2, fact) for fact in told(at, thing, 14.0)]
    begun, passed = GameStarted(game="megacity", options={}, deck="house"), ActionConfirmed(action="p2 end_turn")
    bodies = [(0, begun), *((at_us, FactNoted(fact=fact)) for at_us, fact in facts), (2, passed)]
    entries = tuple(Entry(seq, at_us, "sensor", body) for seq, (at_us, body) in enumerate(bodies, start=1))
    undone = Entry(len(entries) + 1, 3, "referee", Undo(to=len(entries), by="host", why=""))
    was = as_it_was((*entries, undone), lambda _: SimpleNamespace(position="then"))
    assert was == AsItWas("then", {thing: (14.0,)})
