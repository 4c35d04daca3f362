"""What the table should look like, and what the public sees, in every position of whole recorded games."""

import json
from collections import Counter
from pathlib import Path

import pytest

from citytable.games.megacity.actions import Deliver, Refresh, TakePieces, TakePlatform
from citytable.games.megacity.cases import cases, complete
from citytable.games.megacity.city import delivery_hexes
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.layout import face_of, layout, lights
from citytable.games.megacity.notation import action_from_text, position_from_text
from citytable.games.megacity.pieces import HOUSE, things
from citytable.games.megacity.position import Face
from citytable.games.megacity.scene import scene
from citytable.games.megacity.scoring import REASONS
from citytable.games.megacity.table_side import MegaCityTable
from citytable.table import spot as spots
from citytable.table.spot import is_spot

GAMES = sorted((Path(__file__).parent / "playthroughs").glob("*.jsonl"))[::6]


def positions(path):
    """Every position of a recorded game with the action that follows it."""
    head, *lines = [json.loads(line) for line in path.read_text().splitlines()]
    game = MegaCity.from_position(position_from_text(head["position"]))
    for line in lines:
        if "action" in line:
            action = action_from_text(line["action"])
            yield game, action
            game.push(action)
    yield game, None


@pytest.fixture(params=GAMES, ids=lambda path: path.stem)
def recorded(request):
    return request.param


def test_every_spot_stands_in_one_region_and_every_thing_in_one_place(recorded):
    for game, _ in positions(recorded):
        asked = layout(game.position, HOUSE)
        seen = Counter(spot for region in asked.regions for spot in region.spots)
        assert all(count == 1 and is_spot(spot) for spot, count in seen.items())
        lying = Counter(thing for region in asked.regions for thing in region.things)
        hidden = Counter(thing for below in asked.hidden for thing in below.things)
        known = set(things(HOUSE, len(game.position.players)))
        assert all(count == 1 and thing in known for thing, count in (lying + hidden).items())


def test_the_bag_lies_with_the_player_to_act_and_after_the_game_with_the_next(recorded):
    for game, _ in positions(recorded):
        position = game.position
        if position.phase == "setup":
            continue
        at = [r.spots for r in layout(position, HOUSE).regions if "bag" in r.things]
        seat = position.player if position.phase != "end" else position.player % len(position.players) + 1
        assert at == [(spots.bag(seat),)]


def test_every_action_is_one_of_the_cases_of_its_decision(recorded):
    """The layout of a case with its unknowns filled in is the layout of what really happened."""
    for game, action in positions(recorded):
        if action is None or not hasattr(action, "player"):
            continue
        table = MegaCityTable(HOUSE)
        decision = table.decision(action)
        after = game.deck and table.supposed(game.position, action)
        ways = [complete_with(game.position, case.action, action) for case in cases(game.position, decision, HOUSE)]
        assert any(table.layout(table.supposed(game.position, way)) == table.layout(after) for way in ways), action


def complete_with(position, way, action):
    if not isinstance(action, TakePlatform | Refresh):
        return way
    bindings = {f"revealed/{k}": f"platform/{f.platform}/{f.up}" for k, f in enumerate(action.revealed)}
    return complete(position, way, bindings, HOUSE)


def test_legal_hexes_are_lit_for_a_player_who_may_deliver_and_only_then(recorded):
    for game, _ in positions(recorded):
        lit = {light.spot for light in lights(game.position, HOUSE) if light.role.startswith("legal")}
        may = any(isinstance(action, Deliver) for action in game.legal_actions)
        legal = {spots.city(cell) for cell in delivery_hexes(game.position)}
        assert lit in (set(), legal)
        assert not may or lit == legal


def test_an_announced_piece_is_one_while_the_bag_must_still_hold_its_material():
    game = MegaCity.from_position(first_position())
    seat = game.position.player
    random_draw = list(cases(game.position, TakePieces(player=seat), HOUSE))
    announced = list(cases(game.position, TakePieces(player=seat, announced="steel"), HOUSE))
    assert [case.action.drawn.total for case in random_draw] == [3]
    assert [case.action.drawn.total for case in announced] == [1]


def first_position():
    for game, action in positions(GAMES[0]):
        if isinstance(action, TakePieces):
            return game.position
    raise AssertionError("a recorded game in which nobody takes pieces")


def test_a_thing_that_is_no_platform_has_no_face():
    assert face_of("contract/CO5") is None
    assert face_of("platform/14/public") == Face(14, "public")


def test_points_on_the_display_never_go_down_before_the_end(recorded):
    best = Counter()
    for game, _ in positions(recorded):
        if game.position.phase == "setup":
            continue
        outcome = game.outcome()
        shown = scene(game.position, game.position, HOUSE, game.scores(), outcome)
        for player in shown.players:
            assert player.score == sum(line.points for line in player.lines)
            if outcome is None:
                assert player.score >= best[player.seat]
                best[player.seat] = player.score
            else:
                assert player.score == game.scores()[player.seat].total


def test_only_what_stands_in_the_city_has_a_height(recorded):
    seen = Counter()
    for game, _ in positions(recorded):
        shown = scene(game.position, game.position, HOUSE, game.scores() if game.position.players else {}, None)
        standing = {spots.city(one.at): one.height_mm for one in game.position.buildings if one.standing}
        assert shown.heights_mm == standing
        seen.update(standing)
    assert seen


def test_a_scene_says_how_the_game_ended(recorded):
    for game, _ in positions(recorded):
        outcome = game.outcome()
        shown = scene(game.position, game.position, HOUSE, {}, outcome)
        assert (shown.ended, shown.winners) == (("", ()) if outcome is None else (outcome.termination, outcome.winners))
    assert outcome is not None


def test_at_the_end_the_scene_lists_the_reasons_for_points_as_the_rulebook_counts_them(recorded):
    for game, _ in positions(recorded):
        shown = scene(game.position, game.position, HOUSE, {}, game.outcome())
        assert shown.reasons == (REASONS if shown.ended else ())
        for one in game.scores().values() if game.position.players else ():
            reasons = [line.reason for line in one.lines if not line.reason.startswith("token")]
            assert reasons == sorted(reasons, key=REASONS.index)
    assert REASONS.index("specialisation") < REASONS.index("diversity") < REASONS.index("tallest")  # R46, R47, R48


def test_it_is_nobodys_turn_before_the_deal_and_after_the_end(recorded):
    for game, _ in positions(recorded):
        seat = scene(game.position, game.position, HOUSE, game.scores(), game.outcome()).seat
        assert seat == (None if game.position.phase in {"setup", "end"} else game.position.player)


def test_a_delivery_that_is_not_confirmed_still_shows_its_contract(recorded):
    table, delivered = MegaCityTable(HOUSE), 0
    for game, action in positions(recorded):
        if not (isinstance(action, Deliver) and action.stood):
            continue
        provisional = table.supposed(game.position, table.decision(action))
        area = scene(game.position, provisional, HOUSE, game.scores(), None).board.areas[action.player - 1]
        assert [card.name for card in area.delivering] == [action.contract]
        assert action.contract not in {card.name for card in area.open_contracts}
        calm = scene(game.position, game.position, HOUSE, game.scores(), None)
        assert all(area.delivering == () for area in calm.board.areas)
        delivered += 1
    assert delivered > 1


def test_the_public_never_sees_a_height_that_is_not_confirmed(recorded):
    table = MegaCityTable(HOUSE)
    for game, action in positions(recorded):
        if isinstance(action, Deliver) and action.stood:
            open_delivery = table.decision(action)
            provisional = table.supposed(game.position, open_delivery)
            shown = scene(game.position, provisional, HOUSE, game.scores(), None)
            heights = {tile.spot: tile.height_mm for tile in shown.board.tiles}
            assert heights[spots.city(action.at)] is None
            return
    raise AssertionError("a recorded game without a delivery")
