"""R45-R50: the score, line by line."""

import pytest
from msgspec.structs import replace

from citytable.games.megacity.position import Face, Park, Pieces, Player, Rulings
from citytable.games.megacity.scoring import outcome, score

EMPTY = ((), (), (), ())


def lines(table, position, seat, reason):
    return [line for line in score(position, table.deck)[seat].lines if line.reason == reason]


def points(table, position, reason):
    return [
        sum(line.points for line in one.lines if line.reason == reason) for one in score(position, table.deck).values()
    ]


def test_r45_a_park_with_a_monument_pays_each_owner_for_his_buildings_beside_it(table, at):
    city = [
        table.built(1, "CO1", "1/0"),
        table.built(2, "CO2", "1/-1"),
        table.built(1, "IN1", "2/0"),
        table.built(3, "IN2", "1/1"),
        table.built(2, "RE1", "3/0"),
    ]
    parks = [Park(at=at("2/-1"), owner=1, monument=Pieces(steel=1)), Park(at=at("2/1"), owner=2)]
    assert points(table, table.position(city=city, parks=parks), "park_token") == [2, 1, 0]


def test_r45_central_park_counts_and_several_parks_count_several_times(table, at):
    city = [table.built(1, "CO1", "1/0"), table.built(2, "CO2", "0/1")]
    parks = [Park(at=at("2/-1"), owner=1, monument=Pieces(steel=1))]
    position = table.position(city=city, parks=parks, monument=Pieces(glass=1))
    assert points(table, position, "park_token") == [2, 1, 0]
    assert {line.words["park"] for line in lines(table, position, 1, "park_token")} == {"0/0", "2/-1"}


@pytest.mark.parametrize(("switch", "tokens"), [(False, 0), (True, 1)])
def test_a27_a_fallen_building_wins_no_park_tokens_unless_a_group_says_so(table, switch, tokens):
    city = [table.built(1, "CO1", "1/0", standing=False)]
    rulings = {"fallen_buildings_count_for_park_tokens": switch}
    position = table.position(city=city, monument=Pieces(glass=1), rulings=rulings)
    assert points(table, position, "park_token") == [tokens, 0, 0]


def test_r46_the_highest_sum_of_a_type_wins_two_points(table):
    city = [table.built(1, "CO1", "1/0"), table.built(1, "CO2", "0/1"), table.built(2, "CO4", "-1/0")]
    position = table.position(city=city)
    assert points(table, position, "specialisation") == [2, 0, 0]
    assert lines(table, position, 1, "specialisation")[0].words == {"type": "commercial"}


def test_r46_nobody_wins_a_tie(table):
    city = [table.built(1, "CO1", "1/0"), table.built(2, "CO2", "0/1")]
    assert points(table, table.position(city=city), "specialisation") == [0, 0, 0]


def test_a40_nobody_wins_at_zero(table):
    assert points(table, table.position(), "specialisation") == [0, 0, 0]


def landmarks(table, **words):
    """Seat 1 completed everything of four types only with the help of a landmark."""
    city = [*table.grown(12), table.built(1, "L-RE", "3/-3")]
    moved = {"PU1": 1, "IN1": 1, "CO1": 1, "RE1": 2}
    city = [b if b.contract == "L-RE" else table.built(moved.get(b.contract, 2), b.contract, str(b.at)) for b in city]
    return table.position(players=2, city=city, columns=EMPTY, final="completed", final_turns=(1,), player=2, **words)


@pytest.mark.parametrize("switch", [True, False])
def test_a40_landmarks_count_for_awards_unless_a_group_says_no(table, switch):
    position = landmarks(table, rulings={"landmarks_count_for_awards": switch})
    assert bool(lines(table, position, 1, "diversity")) == switch
    kinds = {line.words["type"] for line in lines(table, position, 1, "specialisation")}
    assert ("residential" in kinds) == switch
    assert points(table, position, "contract")[0] == 2 + 2 + 2 + 10


def test_a29_a_landmark_counts_as_its_type(table):
    assert lines(table, landmarks(table), 1, "diversity")


def all_types(table, owner, **words):
    cells = zip(("PU1", "IN1", "CO1", "RE1"), ("1/0", "0/1", "-1/0", "1/1"), strict=True)
    return [table.built(owner, name, cell, **words) for name, cell in cells]


def test_r47_a_building_of_each_type_wins_three_points_for_every_such_player(table):
    others = zip(("PU2", "IN2", "CO2", "RE2"), ("2/0", "0/2", "-2/0", "1/-1"), strict=True)
    city = [*all_types(table, 1), *(table.built(2, name, cell) for name, cell in others)]
    assert points(table, table.position(city=city), "diversity") == [3, 3, 0]
    assert points(table, table.position(city=all_types(table, 1)[:3]), "diversity") == [0, 0, 0]


@pytest.mark.parametrize(("switch", "diversity"), [(True, 3), (False, 0)])
def test_a27_fallen_buildings_count_for_the_awards_unless_a_group_says_no(table, switch, diversity):
    city = [table.built(1, "PU1", "1/0", standing=False), *all_types(table, 1)[1:]]
    position = table.position(city=city, rulings={"fallen_buildings_count_for_awards": switch})
    assert points(table, position, "diversity")[0] == diversity
    assert len(lines(table, position, 1, "contract")) == 4


def test_r48_the_tallest_building_wins_three_points(table):
    city = [table.built(1, "CO1", "1/0", 40), table.built(2, "CO2", "0/1", 41)]
    assert points(table, table.position(city=city), "tallest") == [0, 3, 0]


def test_a41_of_equals_the_holder_of_the_marker(table, at):
    city = [table.built(1, "CO1", "1/0", 40), table.built(2, "CO2", "0/1", 40)]
    assert points(table, table.position(city=city), "tallest") == [3, 0, 0]
    assert points(table, table.position(city=city, tallest=at("0/1")), "tallest") == [0, 3, 0]


@pytest.mark.parametrize(("pieces", "lost"), [(0, 0), (1, -1), (3, -1), (4, -2), (15, -5)])
def test_r49_every_three_pieces_left_over_cost_a_point_rounded_up(table, pieces, lost):
    position = table.position(hands={1: Player(pieces=Pieces(unknown=pieces))})
    assert points(table, position, "leftover")[0] == lost


def test_r49_the_total_is_contracts_tokens_and_awards_less_what_is_left_over(table):
    hands = {1: Player(pieces=Pieces(steel=4), tokens=5)}
    position = table.position(hands=hands, city=all_types(table, 1))
    one = score(position, table.deck)[1]
    assert [line.points for line in one.lines] == [2, 2, 2, 2, 5, 2, 2, 2, 2, 3, 3, -2]
    assert one.total == 25


def ended(table, tokens, heights):
    """A finished game in which seats 2 and 3 built one low building each and seat 1 the rest."""
    city = table.grown(12)
    owners = {"PU1": 1, "IN1": 2}
    city = [
        table.built(owners.get(b.contract, 1 + k % 2), b.contract, str(b.at), heights.get(b.contract, 30))
        for k, b in enumerate(city)
    ]
    hands = {seat: Player(tokens=count) for seat, count in tokens.items()}
    return table.position(
        players=2, hands=hands, city=city, columns=EMPTY, final="completed", phase="end", deciding=True, player=2
    )


def totals(table, position):
    return {seat: one.total for seat, one in score(position, table.deck).items()}


def test_r50_the_highest_total_wins(table):
    position = ended(table, {1: 20}, {"PU1": 50})
    result = outcome(position, table.deck)
    assert result.winners == (1,)
    assert result.scores == totals(table, position)
    assert outcome(ended(table, {2: 30}, {"PU1": 50}), table.deck).winners == (2,)


def levelled(table, heights):
    """Both players with the same total: tokens make up for the difference."""
    plain = totals(table, ended(table, {}, heights))
    best = max(plain.values())
    return ended(table, {seat: best - total for seat, total in plain.items()}, heights)


@pytest.mark.parametrize(("heights", "winner"), [({"PU1": 70}, 1), ({"IN1": 70}, 2)])
def test_r50_of_those_tied_the_one_with_the_tallest_building_wins(table, heights, winner):
    position = levelled(table, heights)
    assert len(set(totals(table, position).values())) == 1
    assert outcome(position, table.deck).winners == (winner,)


@pytest.mark.parametrize(("switch", "winners"), [(False, (1, 2)), (True, (1,))])
def test_a42_who_are_tied_with_equally_tall_buildings_share_the_victory(table, switch, winners):
    """The rulebook's tie goes to the tallest building; the marker is no building, and R48 has paid for it."""
    heights = {"PU1": 70, "IN1": 70}  # the first one holds the marker
    position = levelled(table, heights)
    position = replace(position, options=replace(position.options, rulings=Rulings(marker_breaks_ties=switch)))
    assert points(table, position, "tallest") == [3, 0]
    assert outcome(position, table.deck).winners == winners


def test_a42_without_any_tallest_building_the_victory_is_shared(table):
    """Nothing stands any more, so nobody has a tallest building."""
    fallen = [table.built(b.owner, b.contract, str(b.at), standing=False) for b in table.grown(12)]
    end = {"city": fallen, "columns": EMPTY, "final": "completed", "phase": "end", "deciding": True, "player": 2}
    plain = totals(table, table.position(players=2, **end))
    hands = {seat: Player(tokens=max(plain.values()) - total) for seat, total in plain.items()}
    assert outcome(table.position(players=2, hands=hands, **end), table.deck).winners == (1, 2)


def test_no_outcome_while_the_game_goes_on(table):
    assert outcome(table.position(), table.deck) is None


def test_every_point_names_the_action_that_gave_it(table):
    hand = Player(contracts=("PU1",), platforms=(Face(6, "public"),), pieces=Pieces(steel=9))
    game = table.game(hands={1: hand}, city=[table.built(2, "CO1", "0/1"), table.built(1, "RE1", "-1/0")])
    table.do(
        game,
        "p1 deliver contract=PU1 platform=6 at=1/0 stood=yes height=99mm pieces=steel:4 judged=yes",
        "p1 place_central_park_monument piece=steel:1",
        "p1 end_turn",
    )
    mine = {(line.reason, line.points, line.action_no) for line in game.scores()[1].lines}
    assert mine == {
        ("contract", 2, None),  # RE1, completed before the first action
        ("contract", 2, 1),
        ("token_tallest", 1, 1),
        ("token_material", 1, 1),
        ("token_central_park", 1, 2),
        ("park_token", 1, 2),  # both buildings beside Central Park: the monument came later than either
        ("specialisation", 2, 1),
        ("specialisation", 2, None),
        ("tallest", 3, 1),
        ("leftover", -2, 3),
    }


def test_tokens_won_before_the_first_known_action_are_one_line(table):
    position = table.position(hands={1: Player(tokens=4)})
    assert [(line.points, line.action_no) for line in lines(table, position, 1, "token_before")] == [(4, None)]


def test_a_recycling_token_names_its_action(table):
    game = table.game(players=2, city=table.grown(12), columns=EMPTY, final="completed", deciding=True, decisions=(2,))
    table.do(game, "p1 recycle")
    assert [line.action_no for line in game.scores()[1].lines if line.reason == "token_recycle"] == [1]


def test_a_delivery_that_knocks_the_tallest_over_wins_the_token_for_it(table):
    hand = Player(contracts=("CO5",), platforms=(Face(14, "commercial"),), pieces=Pieces(concrete=5, glass=5))
    game = table.game(hands={1: hand}, city=[table.built(2, "CO1", "0/1", 90)])
    table.do(
        game,
        "p1 deliver contract=CO5 platform=14 at=1/0 stood=yes height=45mm pieces=concrete:3,glass:4 judged=yes"
        " knocked=(building_fell at=0/1 to_box=0 left=0)",
    )
    assert [line.action_no for line in game.scores()[1].lines if line.reason == "token_tallest"] == [1]
