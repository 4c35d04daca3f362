"""R51 and A44: the simplified game."""

import pytest

from citytable.games.megacity.position import Face, Park, Pieces, Player

TILE = Face(14, "commercial")
HAND = Player(contracts=("CO5",), platforms=(TILE,), pieces=Pieces(concrete=5, glass=5))
DELIVER = "p1 deliver contract=CO5 platform=14 at={} stood=yes height=45mm pieces=glass:5,concrete:2 judged=yes"
EMPTY = ((), (), (), ())


def test_r51_no_tokens_but_the_marker_is_still_tracked(table, at):
    game = table.game(simplified=True, hands={1: HAND})
    position = table.do(game, DELIVER.format("1/0"))
    assert position.players[0].tokens == 0
    assert position.tallest == at("1/0")


def test_r51_no_monuments_but_parks(table, at):
    hand = Player(contracts=("PU1",), platforms=(Face(6, "public"),), pieces=Pieces(steel=5))
    game = table.game(
        simplified=True, hands={1: hand}, city=[table.built(2, "IN1", "1/0")], parks=[Park(at=at("2/0"), owner=2)]
    )
    table.do(game, "p1 deliver contract=PU1 platform=6 at=2/-1 stood=yes height=25mm pieces=steel:4 judged=yes")
    assert table.decisions(game, "place_central_park_monument") == table.decisions(game, "place_monument") == set()
    assert table.refused(game, "p1 place_central_park_monument piece=steel:1") == "R51"
    assert table.refused(game, "p1 place_monument park=2/0 piece=steel:1") == "R51"
    table.do(game, "p1 place_park at=3/-2")


def test_r51_no_landmarks(table):
    hand = Player(contracts=("CO5",), platforms=(TILE,))
    game = table.game(simplified=True, players=2, hands={1: hand}, city=table.grown(11), columns=EMPTY)
    assert table.refused(game, "p2 take_contract contract=L-CO") == "R7"
    table.do(game, "p1 end_turn")
    assert table.refused(game, "p2 take_contract contract=L-CO") == "R51"
    assert table.decisions(game, "take_contract") == set()


def test_r51_the_game_ends_at_once_when_the_last_standard_contract_is_built(table):
    game = table.game(simplified=True, players=2, hands={1: HAND}, city=table.grown(11), columns=EMPTY)
    cell = min(line.split("at=")[1] for line in table.decisions(game, "deliver"))
    position = table.do(game, DELIVER.format(cell))
    assert position.phase == "end"
    assert game.outcome().termination == "completed"
    assert list(game.legal_actions) == []


def test_a44_it_ends_the_moment_the_bag_is_empty(table):
    game = table.game(simplified=True, bag=5)
    assert table.do(game, "p1 take_pieces drawn=steel:3").phase == "main"
    assert table.do(game, "p1 take_pieces drawn=glass:2").phase == "end"
    assert game.outcome().termination == "bag_out"


def test_r51_each_unplaced_park_costs_two_points(table, at):
    city = [table.built(2, "IN1", "1/0")]
    game = table.game(simplified=True, city=city, parks=[Park(at=at("2/0"), owner=2)])
    lost = {
        seat: [line.points for line in score.lines if line.reason == "park_unplaced"] for seat, score in scores(game)
    }
    assert lost == {1: [-2], 2: [], 3: [-2]}


def scores(game):
    return game.scores().items()


@pytest.mark.parametrize("switch", [True, False])
def test_a44_all_awards_and_the_leftover_penalty_apply(table, switch):
    game = table.game(
        simplified=True,
        rulings={"simplified_awards": switch},
        hands={2: Player(pieces=Pieces(steel=4))},
        city=[
            table.built(2, name, cell)
            for name, cell in (("PU1", "1/0"), ("IN1", "0/1"), ("CO1", "-1/0"), ("RE1", "1/1"))
        ],
    )
    reasons = [line.reason for line in game.scores()[2].lines]
    awards = {"specialisation", "diversity", "tallest"}
    assert awards & set(reasons) == (awards if switch else set())
    assert "leftover" in reasons
