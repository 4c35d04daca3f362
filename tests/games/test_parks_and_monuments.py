"""R31-R34: what may follow a delivery."""

import pytest

from citytable.games.megacity.position import Face, Park, Pieces, Player

PUBLIC = Face(6, "public")
TILE = Face(14, "commercial")
DELIVER_PUBLIC = "p1 deliver contract=PU1 platform=6 at={} stood=yes height=25mm pieces=steel:3,glass:1 judged=yes"
DELIVER = "p1 deliver contract=CO1 platform=14 at={} stood=yes height=35mm pieces=steel:4,glass:1 judged=yes"


def hand(**words):
    fields = {"contracts": ("PU1", "CO1"), "platforms": (PUBLIC, TILE), "pieces": Pieces(steel=5, glass=5)}
    return Player(**fields | words)


def beside(table, at, cells, **words):
    """A city with somebody else's buildings on these cells."""
    names = ["IN1", "IN2", "IN3", "RE1", "RE2", "RE3"]
    city = [table.built(2, name, cell) for name, cell in zip(names, cells, strict=False)]
    return table.game(hands={1: hand()}, city=city, **words)


def test_r31_options_come_after_a_delivery_that_stood_and_only_then(table):
    game = table.game(hands={1: hand()})
    assert table.refused(game, "p1 place_park at=2/0") == "R31"
    assert table.refused(game, "p1 place_central_park_monument piece=steel:1") == "R31"
    table.do(game, "p1 deliver contract=CO1 platform=14 at=1/0 stood=no")
    assert table.refused(game, "p1 place_park at=2/0") == "R31"


def test_r31_nothing_is_an_option_too_and_the_turn_ends(table):
    game = table.game(hands={1: hand()})
    position = table.do(game, DELIVER.format("1/0"), "p1 end_turn")
    assert (position.player, position.phase, position.delivered_at) == (2, "main", None)


def test_a17_exactly_one_option(table):
    game = beside(table, None, ["1/0"])
    table.do(game, DELIVER.format("2/-1"), "p1 place_park at=3/-1")
    assert [str(action) for action in game.legal_actions] == ["p1 end_turn"]
    assert table.refused(game, "p1 place_park at=3/-2") == "R31"


def test_a18_no_park_and_monument_in_one_turn(table, at):
    game = beside(table, at, ["1/0"], parks=[Park(at=at("2/0"), owner=2)])
    table.do(game, DELIVER.format("2/-1"))
    assert table.decisions(game, "place_monument") == {"park=2/0"}
    table.do(game, "p1 place_park at=2/-2")
    assert table.refused(game, "p1 place_monument park=2/0 piece=steel:1") == "R31"


def test_r32_a_park_lies_beside_the_platform_just_delivered_and_beside_no_park(table):
    game = beside(table, None, ["1/0"])
    table.do(game, DELIVER.format("2/0"))
    assert table.decisions(game, "place_park") == {f"at={cell}" for cell in ("3/0", "3/-1", "2/-1", "1/1", "2/1")} - {
        "at=1/-1"
    }
    assert table.refused(game, "p1 place_park at=1/0") == "R32"
    assert table.refused(game, "p1 place_park at=0/2") == "R32"
    assert table.refused(game, "p1 place_park at=0/0") == "R32"


def test_r32_around_a_delivery_in_the_first_ring_three_hexes_of_the_second_are_left(table):
    game = table.game(hands={1: hand()})
    table.do(game, DELIVER.format("1/0"))
    assert table.decisions(game, "place_park") == {"at=2/0", "at=2/-1", "at=1/1"}
    assert table.refused(game, "p1 place_park at=0/1") == "R32"


def test_r32_no_park_beside_another_park(table, at):
    game = beside(table, at, ["1/0"], parks=[Park(at=at("2/0"), owner=2)])
    table.do(game, DELIVER.format("1/1"))
    assert "at=2/1" not in table.decisions(game, "place_park")
    assert table.refused(game, "p1 place_park at=2/1") == "R32"
    table.do(game, "p1 place_park at=1/2")


def test_r32_everybody_has_one_park(table, at):
    city = [table.built(1, "IN1", "1/0")]
    game = table.game(hands={1: hand()}, city=city, parks=[Park(at=at("2/0"), owner=1)])
    table.do(game, DELIVER.format("0/1"))
    assert table.decisions(game, "place_park") == set()
    assert table.refused(game, "p1 place_park at=0/2") == "R32"


def test_a13_a_park_lies_within_the_thirty_seven_hexes(table):
    game = beside(table, None, ["1/0", "2/0"])
    table.do(game, DELIVER.format("3/0"))
    assert table.refused(game, "p1 place_park at=4/0") == "A13"
    assert table.decisions(game, "place_park") == {"at=3/-1", "at=2/1"}


def with_park(table, at, cell="2/0", monument=None, **words):
    return beside(table, at, ["1/0"], parks=[Park(at=at(cell), owner=2, monument=monument)], **words)


def test_r33_a_spare_piece_becomes_the_monument_of_an_empty_park_whoever_placed_it(table, at):
    game = with_park(table, at)
    tokens = table.do(game, DELIVER.format("2/-1")).players[0].tokens
    position = table.do(game, "p1 place_monument park=2/0 piece=glass:1")
    assert position.parks[1].monument == Pieces(glass=1)
    assert position.players[0].pieces == Pieces(steel=1, glass=3)
    assert position.players[0].tokens == tokens


def test_r33_the_park_is_empty_and_beside_the_building_just_delivered(table, at):
    taken = with_park(table, at, monument=Pieces(glass=1))
    table.do(taken, DELIVER.format("2/-1"))
    assert table.refused(taken, "p1 place_monument park=2/0 piece=steel:1") == "R33"
    away = with_park(table, at)
    table.do(away, DELIVER.format("-1/0"))
    assert table.refused(away, "p1 place_monument park=2/0 piece=steel:1") == "R33"
    assert table.refused(away, "p1 place_monument park=-2/0 piece=steel:1") == "R33"
    assert table.refused(away, "p1 place_monument park=0/0 piece=steel:1") == "R33"
    assert table.decisions(away, "place_monument") == set()


@pytest.mark.parametrize("piece", ["steel:2", "none", "concrete:1", "steel:1,glass:1"])
def test_r33_a_monument_is_one_piece_of_ones_own(table, at, piece):
    game = with_park(table, at)
    table.do(game, DELIVER.format("2/-1"))
    assert table.refused(game, f"p1 place_monument park=2/0 piece={piece}") == "R33"


def test_r33_nobody_has_to_tell_what_the_monument_is_made_of(table, at):
    game = with_park(table, at)
    position = table.do(game, DELIVER.format("2/-1"), "p1 place_monument park=2/0 piece=unknown:1")
    assert position.parks[1].monument == Pieces(unknown=1)
    assert position.players[0].pieces == Pieces(glass=3, unknown=1)


def test_r33_without_a_spare_piece_there_is_no_monument(table, at):
    game = table.game(
        hands={1: hand(pieces=Pieces(steel=4, glass=1))},
        city=[table.built(2, "IN1", "1/0")],
        parks=[Park(at=at("2/0"), owner=2)],
    )
    table.do(game, DELIVER.format("2/-1"))
    assert table.decisions(game, "place_monument") == set()
    assert table.refused(game, "p1 place_monument park=2/0 piece=steel:1") == "R33"


def test_r34_a_public_building_anywhere_founds_the_monument_of_central_park_for_a_token(table):
    game = beside(table, None, ["1/0", "2/0"])
    table.do(game, DELIVER_PUBLIC.format("3/0"))
    position = table.do(game, "p1 place_central_park_monument piece=steel:1")
    assert position.parks[0].monument == Pieces(steel=1)
    assert position.players[0].tokens == 1
    assert position.phase == "over"


def test_r34_other_buildings_do_not(table):
    game = table.game(hands={1: hand()})
    table.do(game, DELIVER.format("1/0"))
    assert table.decisions(game, "place_central_park_monument") == set()
    assert table.refused(game, "p1 place_central_park_monument piece=steel:1") == "R34"


def test_r34_an_older_monument_goes_into_the_bag(table):
    game = table.game(hands={1: hand()}, monument=Pieces(concrete=1))
    bag = game.position.bag
    position = table.do(game, DELIVER_PUBLIC.format("1/0"), "p1 place_central_park_monument piece=glass:1")
    assert position.parks[0].monument == Pieces(glass=1)
    assert position.bag == bag + 1
    assert position.players[0].tokens == 2


def test_r34_declining_leaves_the_monument_and_brings_no_token(table):
    game = table.game(hands={1: hand()}, monument=Pieces(concrete=1))
    position = table.do(game, DELIVER_PUBLIC.format("1/0"), "p1 end_turn")
    assert position.parks[0].monument == Pieces(concrete=1)
    assert position.players[0].tokens == 1


def test_r34_without_a_spare_piece_nothing_happens(table):
    game = table.game(hands={1: hand(pieces=Pieces(steel=3, glass=1))})
    table.do(game, DELIVER_PUBLIC.format("1/0"))
    assert table.refused(game, "p1 place_central_park_monument piece=steel:1") == "R33"
    assert table.decisions(game, "place_central_park_monument") == set()


@pytest.mark.parametrize(("later", "rule"), [(True, None), (False, "A19")])
def test_a19_a_later_public_building_may_found_it_when_the_first_declined(table, later, rule):
    city = [table.built(2, "PU2", "1/0")]
    game = table.game(hands={1: hand()}, city=city, rulings={"later_public_may_found": later})
    table.do(game, DELIVER_PUBLIC.format("0/1"))
    line = "p1 place_central_park_monument piece=steel:1"
    assert bool(table.decisions(game, "place_central_park_monument")) == later
    assert (table.refused(game, line) if rule else table.do(game, line) and None) == rule


def test_a19_the_first_public_building_founds_it_and_later_ones_replace_it_in_any_case(table):
    strict = {"later_public_may_found": False}
    first = table.game(hands={1: hand()}, rulings=strict)
    founded = table.do(first, DELIVER_PUBLIC.format("1/0"), "p1 place_central_park_monument piece=steel:1")
    assert founded.parks[0].monument == Pieces(steel=1)
    city = [table.built(2, "PU2", "1/0")]
    later = table.game(hands={1: hand()}, city=city, monument=Pieces(glass=1), rulings=strict)
    replaced = table.do(later, DELIVER_PUBLIC.format("0/1"), "p1 place_central_park_monument piece=steel:1")
    assert replaced.parks[0].monument == Pieces(steel=1)


def test_a29_a_public_landmark_is_a_public_building(table):
    tile, city = Face(6, "public"), table.grown(12)
    game = table.game(
        players=2,
        hands={1: Player(contracts=("L-PU",), platforms=(tile,), pieces=Pieces(steel=8, glass=7))},
        city=city,
        columns=((), (), (), ()),
        final="completed",
        final_turns=(2,),
    )
    line = min(table.decisions(game, "deliver"))
    table.do(game, f"p1 deliver {line} stood=yes height=75mm pieces=steel:8,glass:2 judged=yes")
    assert table.decisions(game, "place_central_park_monument") == {""}
