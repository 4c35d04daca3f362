"""Foresight and matches: what is kept between messages changes nothing of what they tell."""

import random

import pytest

from citytable.games.megacity.pieces import HOUSE
from citytable.games.megacity.spots import shared_spots
from citytable.games.megacity.table_side import MegaCityTable
from citytable.rules.errors import IllegalAction
from citytable.table.fact import SensorFault, StationCame, StationWent, TagCame, TagLeft
from citytable.table.layout import Layout, Region, Unknown
from citytable.table.plan import full_plan
from citytable.table.word import ModeChoice
from citytable.umpire import foresight, matching
from citytable.umpire.foresight import Foresight
from citytable.umpire.matching import Matches
from citytable.umpire.observed import Observed
from citytable.umpire.whole_game import whole

pytestmark = pytest.mark.long(3)


def _anything(rng, spots, things):
    """A fact of tags, readers or a station, whether that can be or not."""
    spot, thing = rng.choice(spots), rng.choice(things)
    match rng.randrange(12):
        case 0:
            return StationWent(t_us=0, station="one", spots=spots[:5])
        case 1:
            return StationCame(t_us=0, station="one", boot=1, spots=spots[:5])
        case 2 | 3 as on:
            return SensorFault(t_us=0, spot=spot, sensor="reader", what="dead", on=on == 2)
        case n:
            return (TagCame if n % 2 else TagLeft)(t_us=0, spot=spot, uid=thing, thing=thing)


@pytest.mark.seeds("seed, mode", [(1, "enforce"), (2, "enforce"), (3, "advise"), (4, "record")], soak=40)
def test_a_table_in_disorder_is_judged_as_by_an_umpire_that_keeps_nothing(table, pair, seed, mode):
    rng = random.Random(seed)
    spots = tuple(full_plan("salon", 3, shared_spots(), ()).spot_plans())
    things = [thing for region in MegaCityTable(HOUSE).layout(table.position).regions for thing in region.things]
    both = pair(table.position, full_plan("salon", 3, shared_spots(), ()))
    lying = [TagCame(t_us=0, spot=spot, uid=thing, thing=thing) for spot, thing in table.lying.items()]
    both.say(ModeChoice(mode=mode, by="host"))
    both.feed(lying)
    both.judge()
    for _ in range(60):
        both.feed([_anything(rng, spots, things)])
        both.judge()


@pytest.mark.parametrize("kept", [1, 7, matching.REGIONS_KEPT])
def test_a_matcher_tells_what_a_new_one_tells(monkeypatch, kept):
    monkeypatch.setattr(matching, "REGIONS_KEPT", kept)
    rng, spots = random.Random(3), ("a", "b", "c", "d")
    regions = [
        Region(spots=rng.choice([("a",), ("b",), ("c", "d")]), things=(thing,), unknowns=unknowns)
        for thing in "xyz"
        for unknowns in ((), (Unknown("u", frozenset("xyz")),))
    ]
    layouts = [Layout(regions=tuple(rng.sample(regions, 3))) for _ in range(12)]
    matches, observed = Matches(), Observed()
    for _ in range(200):
        observed = observed.took(_anything(rng, spots, "xyz"))
        matcher, layout = matches.matcher(observed), rng.choice(layouts)
        assert matcher.match(layout) == Matches().matcher(observed).match(layout)


def test_a_position_that_was_forgotten_is_worked_out_again(monkeypatch, table):
    monkeypatch.setattr(foresight, "POSITIONS_KEPT", 2)
    game = whole(MegaCityTable(HOUSE))
    known, position = Foresight(game), table.position
    for choice in known.choices(position):
        ways = known.ways(position, choice.decision, accepted=False)
        cases = list(game.cases(position, choice.decision))
        assert [(way.action, way.position) for way in ways] == [(case.action, case.after) for case in cases]
        assert [way.layout for way in ways] == [game.layout(case.after) for case in cases]
        for way in ways:
            known.choices(way.position)
    assert [one.decision for one in known.choices(position)] == list(game.decisions(position))


def test_what_is_illegal_stays_so(table):
    game, known = MegaCityTable(HOUSE), Foresight(whole(MegaCityTable(HOUSE)))
    act = game.action("p2 end_turn")  # it is the other's turn
    with pytest.raises(IllegalAction):
        game.supposed(table.position, act)
    assert [known.told(table.position, act, accepted=False) for _ in range(2)] == [None, None]


def test_what_an_act_touches_is_where_the_layouts_differ(table):
    known = Foresight(whole(MegaCityTable(HOUSE)))
    was, touching = known.layout(table.position).regions, 0
    ways = [
        way
        for choice in known.choices(table.position)
        for way in known.ways(table.position, choice.decision, accepted=False)
    ]
    for way in [*ways, *ways]:
        touched = known.touched(table.position, way.layout)
        assert touched == {spot for region in way.layout.regions if region not in was for spot in region.spots}
        touching += bool(touched)
    assert touching
    assert not known.touched(table.position, known.layout(table.position))
