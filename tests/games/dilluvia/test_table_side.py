"""Dilluvia Project at the table: what should lie where, what is revealed, said and refused."""

import json

import pytest
from msgspec.structs import replace

from citytable.games.dilluvia.actions import Acquire, Build, Buy, BuyPropeller, Garden, Place, Switch, Terrain
from citytable.games.dilluvia.box import BOX, DilluviaBox
from citytable.games.dilluvia.game import Dilluvia, before_the_market
from citytable.games.dilluvia.layout import layout
from citytable.games.dilluvia.notation import action_from_text, position_to_text
from citytable.games.dilluvia.position import ACTION_SPACES as SPACES
from citytable.games.dilluvia.position import Options, Rulings
from citytable.games.dilluvia.validity import wrong_with
from citytable.games.dilluvia.values import HOUSE
from citytable.rules.errors import IllegalAction, OutcomeOpen
from citytable.table.plan import Misconfigured
from citytable.table.spot import is_spot
from citytable.umpire.whole_game import whole

TABLE = whole(BOX.table())


def things_of(regions):
    return {spot: region.things for region in regions for spot in region.spots}


def test_every_spot_stands_in_one_region_and_the_market_shows_its_tiles(table):
    position = table.at(phase="shopping").position
    found = layout(position, HOUSE)
    spots = [spot for region in found.regions for spot in region.spots]
    assert len(spots) == len(set(spots)) == 16 + 2 * 3
    assert all(map(is_spot, spots))
    lying = things_of(found.regions)
    assert [lying[f"market/{space}"] for space in range(1, 17)] == [(f"tile/{tile}",) for tile in position.market]


def test_tiles_that_come_up_are_unknown_until_they_are_read(table):
    game = table.game()
    (case,) = TABLE.cases(game.position, next(iter(TABLE.decisions(game.position))))
    assert str(case.action) == f"table set_up market={','.join('?' * 16)}"
    unknown = {one.name: one.among for region in TABLE.layout(case.after).regions for one in region.unknowns}
    assert len(unknown) == 16
    assert unknown["space_1"] == {f"tile/{tile}" for tile in game.position.white}
    told = TABLE.complete(game.position, case.action, {"space_2": f"tile/{game.position.white[0]}"})
    assert str(told).startswith(f"table set_up market=?,{game.position.white[0]},?")
    with pytest.raises(OutcomeOpen):
        TABLE.applied(game.position, told)
    with pytest.raises(IllegalAction, match="not known"):
        TABLE.supposed(TABLE.supposed(game.position, told), action_from_text("table draw_order order=1,2"))


def test_it_is_nobodys_turn_until_every_tile_is_seen(table):
    game = table.at(phase="refill", turn=2)
    gone = game.position.market[0]
    game = table.changed(game, market=(0, *game.position.market[1:]), discarded=(gone,), player=0)
    action = action_from_text("table refill tiles=?")
    assert TABLE.seat(TABLE.supposed(game.position, action)) == 0
    named = TABLE.answered(game.position, action, {"space_1": f"tile/{game.position.white[0]}"})
    assert TABLE.seat(TABLE.applied(game.position, named)) == 1
    with pytest.raises(IllegalAction):
        TABLE.answered(game.position, action, {"space_1": f"tile/{gone}"})


def test_a_tile_that_came_lies_at_its_seat_until_the_next_act(table):
    game = table.play(table.at(phase="zeppelins"), "p1 zeppelin at=left1", "p2 zeppelin at=left2")
    tile = game.position.market[2]
    table.play(game, "p1 buy space=3")
    lying = things_of(TABLE.layout(game.position).regions)
    assert (lying["market/3"], lying["seat/1/card/0"]) == ((), (f"tile/{tile}",))
    table.play(game, "p1 done")
    found = TABLE.layout(game.position)
    assert things_of(found.regions)["seat/1/card/0"] == ()
    assert f"tile/{tile}" in found.loose


def test_a_tile_laid_at_a_seat_against_a_rule_names_it(table):
    game = table.play(table.at(phase="zeppelins"), "p1 zeppelin at=left1", "p2 zeppelin at=left2")
    (attempt,) = TABLE.attempts(game.position, f"tile/{game.position.market[8]}", "seat/1/card/0")
    assert TABLE.broken_rule(game.position, attempt) == "DR5"
    assert list(TABLE.attempts(game.position, "tile/999", "seat/1/card/0")) == []
    acting = table.due(table.at(), ("acquire",), acted=True)
    (attempt,) = TABLE.attempts(acting.position, f"tile/{acting.position.market[8]}", "seat/1/card/0")
    assert str(attempt) == "p1 acquire space=9"


def test_all_but_the_market_is_said_and_everything_sayable_is_legal(table):
    for game, decisions, _ in table.walk(2, 4):
        said = list(TABLE.sayable(game.position))
        assert len(said) == (2 if game.position.phase == "drawing" else len(decisions))
        for action in said[:3]:
            TABLE.supposed(game.position, action)
            shows = str(action).split()[1] in {"set_up", "refill", "buy", "acquire"}
            assert TABLE.needs_word(action) != shows


def test_what_is_accepted_out_of_turn_is_the_actors_turn(table):
    accepting = TABLE.accepting()
    after = accepting.applied(table.at().position, action_from_text("p2 place space=income"))
    assert (after.of(2).left, after.player) == (4, 1)
    assert wrong_with(after, HOUSE) == ()


def test_the_scene_shows_the_board(table):
    for phase in ("zeppelins", "shopping", "workers"):
        game = table.at(3, phase=phase)
        scene = TABLE.scene(game.position, game.position, (), None)
        assert all(tile.kind == scene.board.kinds[tile.tile - 1] for tile in scene.board.market), "each says what it is"
        assert (scene.game, scene.seat, scene.phase, scene.origin) == ("dilluvia", 1, phase, "house")
        assert len(scene.piles) == 16
        assert len(scene.board.mats) == 3
        assert {ground.kind for ground in scene.board.ground} == {"centre", "propeller"}
    end = table.played(2, 6, greedy=0.9)
    last = TABLE.scene(end.position, end.position, (), None)
    assert {line.reason for player in last.players for line in player.lines} <= set(last.reasons)
    assert last.ended == "seven_turns"
    assert {player.seat: player.score for player in last.players} == end.outcome().scores


def test_the_box_keeps_options_values_and_positions(table):
    options = Options(players=3, rulings=Rulings(below_zero=False))
    assert BOX.read(json.loads(json.dumps(BOX.written(options)))) == options
    assert BOX.changed(options, Options(players=2)) == ("players 2", "below_zero True")
    assert BOX.next_options(BOX.begin(options).position, 4, simplified=False) == Options(
        players=4, rulings=options.rulings
    )
    with pytest.raises(Misconfigured, match="no simplified rules"):
        BOX.options(2, simplified=True)
    again = BOX.with_deck_text(BOX.deck_text(), "kept")
    assert (again.deck, again.fingerprint()) == (BOX.deck, BOX.fingerprint())
    game = table.play(table.at(), "p1 place space=income")
    text = position_to_text(game.position)
    there = BOX.at(Options(), text)
    assert isinstance(there, Dilluvia)
    assert there.position == game.position
    assert set(BOX.things(2)) < set(BOX.things(4))


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("tiles", [], "61"),
        ("track", [], "track"),
        ("spots", {}, "spots"),
        ("uses", {}, "uses"),
        ("origin", "elsewhere", "origin"),
        ("last_turn", [], "last_turn"),
    ],
)
def test_values_that_cannot_be_are_refused_with_their_place(tmp_path, field, value, says):
    path = tmp_path / "mine.json"
    path.write_text(json.dumps({**json.loads(BOX.deck_text()), field: value}))
    with pytest.raises(Misconfigured, match=says):
        DilluviaBox().with_deck(path)
    with pytest.raises(Misconfigured, match="name a file"):
        BOX.with_deck(tmp_path / "none.json")


def test_while_a_tile_of_the_market_is_not_known_neither_the_order_is_drawn_nor_anything_bought(table):
    fresh = Dilluvia(before_the_market(Options(players=2)))
    (deal,) = TABLE.sayable(fresh.position)
    position = TABLE.supposed(fresh.position, deal)
    assert -1 in position.market
    assert list(TABLE.sayable(position)) == []
    game = table.at(phase="shopping", players=2)
    seen = game.position.changed(1, zeppelin="left1")
    spaces = {one.space for one in TABLE.sayable(seen) if isinstance(one, Buy)}
    unseen = replace(
        seen, market=tuple(-1 if k == min(spaces) else tile for k, tile in enumerate(seen.market, start=1))
    )
    assert {one.space for one in TABLE.sayable(unseen) if isinstance(one, Buy)} == spaces - {min(spaces)}


def test_while_somebody_constructs_the_scene_says_what_buildings_of_this_turn_cost_and_bring(table):
    game = table.due(table.at(turn=2), ("construction", 1, 1))
    scene = TABLE.scene(game.position, game.position, (), None)
    assert [one.name for one in scene.board.buildings] == ["0A", "1A", "1B", "2A", "2B"]
    assert scene.board.buildings[0].cost == (1, 1, 0, 0)
    assert scene.board.buildings[0].squares == ((0, 0, 0, 1), (0, 0, 2, 0))
    other = table.at(turn=2).position
    assert TABLE.scene(other, other, (), None).board.buildings == ()


def idle(game):
    return set(TABLE.scene(game.position, game.position, (), None).board.idle)


def test_the_scene_names_the_action_spaces_where_workers_could_do_nothing(table):
    game = table.at(2, phase="workers")
    assert {"garden", "switch"} <= idle(game), "no ground for a garden, no building with a cube"
    assert not idle(game) & {"order", "income", "white", "black", "brown", "purple"}, "these bring something at once"
    assert "garden" not in idle(table.ground(game, 1, "6/6", "6/5"))
    assert "switch" not in idle(table.built(game, 1, 0, "6/6"))


def test_somebody_without_aeros_is_warned_of_what_costs_some(table):
    rich = table.ground(table.at(2, phase="workers"), 1, "6/6")
    poor = table.changed(rich, p1={"aeros": 0})
    assert not idle(rich) & {"territory", "acquire", "garden"}
    assert {"territory", "acquire", "garden"} & {space for space in SPACES if may_go(poor, space)} <= idle(poor)


def may_go(game, space):
    return any(isinstance(one, Place) and one.space == space for one in game.legal_actions)


def test_a_space_where_workers_could_do_nothing_can_only_be_left_after_they_are_placed(table):
    for game, decisions, _ in table.walk(2, 3):
        for space in idle(game):
            sent = [one for one in decisions if isinstance(one, Place) and one.space == space and not one.special]
            after = game.copy()
            after.push(max(sent, key=lambda one: one.workers))
            doing = Terrain | Build | BuyPropeller | Acquire | Garden | Switch
            assert not any(isinstance(one, doing) for one in after.legal_actions)


def test_nothing_is_said_of_them_while_something_else_comes_next(table):
    assert idle(table.at(2, phase="shopping")) == set()
    assert idle(table.due(table.at(2, phase="workers"), ("garden", 1, 0))) == set()
