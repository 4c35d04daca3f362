"""Positions: read and written by hand, and refused with the reason when they cannot be."""

import pytest
from msgspec.structs import replace

from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.notation import position_from_text, position_to_text
from citytable.games.megacity.position import Face, Options, Park, Pieces, Player
from citytable.rules.errors import IllegalPosition, Unreadable

BY_HAND = """
{"options": {"players": 2}, "phase": "main", "turn": 7, "player": 2, "bag": 132, "tallest": "1/0",
 "columns": [["PU1", "PU2"], ["IN1", "IN2", "IN3"], ["CO2", "CO3"], ["RE1", "RE2", "RE3"]],
 "supply": ["1/public", "2/public", "3/public"], "stack": [null, null, null, null, null, null, null, null, null, null,
  null, null, null, null, null, null, null, null, null],
 "players": [{"pieces": "steel:3,unknown:2", "completed": ["CO1"], "tokens": 1}, {"pieces": "unknown:8",
  "contracts": ["PU3"], "platforms": ["6/public"]}],
 "buildings": [{"at": "1/0", "face": "14/commercial", "owner": 1, "contract": "CO1", "pieces": "steel:4,glass:1",
  "height_mm": 47}],
 "parks": [{"at": "0/0"}]}
"""


def test_a_position_written_by_hand_is_played_on():
    game = MegaCity.from_position(position_from_text(BY_HAND))
    assert "p2 deliver contract=PU3 platform=6 at=2/0" in {str(action) for action in game.legal_actions}
    assert position_from_text(position_to_text(game.position)) == game.position


def test_r52_what_is_public_stands_in_the_position_and_what_nobody_knows_is_open():
    """Bag and stack are counts and unknowns; everything else is there in full."""
    line = position_to_text(position_from_text(BY_HAND))
    assert '"bag":132' in line
    assert '"stack":[null,' in line
    assert "\n" not in line


def test_hexes_and_faces_may_be_lists_too():
    text = BY_HAND.replace('"at": "1/0"', '"at": [1, 0]').replace('"14/commercial"', '[14, "commercial"]')
    assert position_from_text(text) == position_from_text(BY_HAND)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("{", "[", "position"),
        ('"turn": 7', '"turn": "7"', "position at turn: '7': write a whole number"),
        ('"turn": 7', '"turn": true', "position at turn: True: write a whole number"),
        ('"turn": 7', '"tern": 7', "position: 'tern': unknown field"),
        ('"turn": 7', '"turn": 7, "turn": 8', "'turn' stands twice"),
        ('"phase": "main"', '"phase": "play"', "position at phase: 'play': write one of 'setup', 'main'"),
        ('"at": "1/0"', '"at": "1-0"', "position at buildings[0].at: '1-0': '1-0' is not a hex"),
        ('"steel:3,unknown:2"', '"steel:3,wood:2"', "position at players[0].pieces"),
        ('"6/public"', '"6/red"', "position at players[1].platforms[0]: '6/red'"),
        ('"owner": 1, ', "", "position at buildings[0]: 'owner': missing"),
        ('["PU1", "PU2"]', '"PU1"', "position at columns[0]: 'PU1': write a list"),
    ],
)
def test_an_unreadable_position_says_what_and_where(old, new, said):
    with pytest.raises(Unreadable) as error:
        position_from_text(BY_HAND.replace(old, new, 1))
    assert said in str(error.value)


def test_a_position_nested_without_end_is_refused():
    with pytest.raises(Unreadable, match="nested too deeply"):
        position_from_text("[" * 100_000)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"bag": 100}, "the game has 150"),
        ({"bag": -1, "box": 133}, "bag: -1 pieces"),
        ({"player": 3}, "player: 3 is not one of the seats"),
        ({"turn": 0}, "the first turn is 1"),
        ({"columns": ()}, "columns: there are 0"),
        ({"parks": ()}, "Central Park"),
        ({"final_turns": (1, 1)}, "names a seat twice"),
        ({"supply": (Face(1, "public"), Face(2, "public"), Face(6, "public"))}, "platform 6 is in 2 places"),
        ({"supply": (Face(1, "public"), Face(2, "public"), Face(3, "residential"))}, "no such side"),
        ({"supply": (Face(2, "public"), Face(1, "public"), Face(3, "public"))}, "sorted"),
        ({"supply": (None, Face(2, "public"), Face(3, "public"))}, "sorted"),
        ({"stack": (None,) * 18}, "platforms: 23 in all"),
        ({"returned": ((Face(4, "public"),),), "stack": (*(None,) * 18, Face(5, "public"))}, "must be null"),
        ({"returned": ((),)}, "a group without tiles"),
        ({"actions_used": 4}, "a turn has 3 standard actions"),
        ({"actions_used": 3}, "so the phase must be over"),
        ({"phase": "option"}, "delivered_at"),
        ({"landmarks_open": True}, "enter play when the columns are empty"),
        ({"landmarks": ("L-PU",)}, "landmarks: 1 are in play"),
        ({"tallest": None}, "not the tallest"),
        ({"final": "completed"}, "but not all standard contracts are"),
        ({"deciding": True}, "need the name of their trigger"),
        ({"phase": "end", "final": "bag_out"}, "the players must decide first"),
        ({"decisions": (1,)}, "they begin after the final turns"),
        ({"deciding": True, "final": "bag_out", "final_turns": (1,)}, "they must be over when the players decide"),
    ],
)
def test_an_impossible_position_is_refused_with_the_reason(fields, said):
    with pytest.raises(IllegalPosition) as error:
        MegaCity.from_position(replace(position_from_text(BY_HAND), **fields))
    assert said in str(error.value)


def seat_two(**fields):
    position = position_from_text(BY_HAND)
    more = fields.pop("pieces_from_bag", 0)
    one, two = position.players
    return replace(position, players=(one, replace(two, **fields)), bag=position.bag - more)


@pytest.mark.parametrize(
    ("position", "said"),
    [
        (seat_two(contracts=("PU3", "XX9")), "is not in the deck"),
        (seat_two(contracts=("PU1", "PU3")), "contract PU1 is in 2 places"),
        (seat_two(contracts=()), "11 standard ones, but 12 are dealt"),
        (seat_two(completed=("PU3",), contracts=()), "do not match"),
        (seat_two(pieces=Pieces(unknown=16), pieces_from_bag=8), "16 pieces, which is over the limit"),
        (seat_two(pieces=Pieces(steel=9, unknown=-1)), "a negative number of pieces"),
        (seat_two(pieces=Pieces(steel=51), pieces_from_bag=43), "55 of steel|58 of steel"),
        (seat_two(tokens=-1), "-1 tokens"),
        (seat_two(park=False), "either in hand or in the city"),
    ],
)
def test_an_impossible_play_area_is_refused_with_the_reason(position, said):
    with pytest.raises(IllegalPosition, match=said):
        MegaCity.from_position(position)


def city_of(table, **fields):
    city = [table.built(1, "CO1", "1/0", height_mm=50), table.built(2, "IN1", "2/0", height_mm=40)]
    return table.position(city=city, **fields)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"at": (3, -3)}, "touched no tile"),
        ({"at": (0, 0)}, "2 tiles on 0/0"),
        ({"at": (4, 0)}, "no such hex or seat"),
        ({"owner": 7}, "no such hex or seat"),
        ({"standing": False}, "it fell, so it must have neither pieces nor height"),
        ({"height_mm": 0}, "it stands, so it must have pieces and a height"),
        ({"contract": "CO2"}, "does not match"),
        ({"height_mm": 60}, "not the tallest"),
    ],
)
def test_an_impossible_building_is_refused_with_the_reason(table, at, change, said):
    position = city_of(table)
    if "at" in change:
        change = {"at": at("/".join(map(str, change["at"])))}
    changed = replace(position.buildings[1], **change)
    with pytest.raises(IllegalPosition, match=said):
        MegaCity.from_position(replace(position, buildings=(position.buildings[0], changed)))


@pytest.mark.parametrize(
    ("cell", "owner", "said"),
    [
        ("1/-1", 1, "touches another park"),
        ("-2/0", 1, "touches no building of its owner"),
        ("3/0", 1, "no building of its"),
    ],
)
def test_a_park_where_it_cannot_have_been_placed_is_refused(table, at, cell, owner, said):
    with pytest.raises(IllegalPosition, match=said):
        MegaCity.from_position(city_of(table, parks=[Park(at=at(cell), owner=owner)]))


def test_a_contract_with_too_many_pieces_in_its_building_is_refused(table):
    city = [table.built(1, "CO1", "1/0", pieces=Pieces(steel=6))]
    with pytest.raises(IllegalPosition, match="requires exactly 5"):
        MegaCity.from_position(table.position(city=city))


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"monument": Pieces(steel=1)}, "no monuments"),
        ({"hands": {1: Player(tokens=1)}}, "1 tokens"),
        ({"final": "bag_out"}, "ends at once"),
        ({"bag": 0}, "so the simplified game must be over"),
    ],
)
def test_what_the_simplified_game_does_not_have_is_refused(table, fields, said):
    with pytest.raises(IllegalPosition, match=said):
        MegaCity.from_position(table.position(simplified=True, **fields))


def test_a_monument_is_one_piece(table):
    with pytest.raises(IllegalPosition, match="is not one piece"):
        MegaCity.from_position(table.position(monument=Pieces(steel=2)))


def test_before_the_deal_nothing_is_out_yet():
    with pytest.raises(IllegalPosition, match="before the deal"):
        MegaCity.from_position(replace(MegaCity(Options()).position, bag=149, box=1))


def test_every_fault_of_a_kind_is_told_at_once():
    with pytest.raises(IllegalPosition) as error:
        MegaCity.from_position(replace(position_from_text(BY_HAND), turn=0, player=5))
    assert len(str(error.value).splitlines()) == 2


def test_a_number_of_seats_that_does_not_fit_is_refused():
    with pytest.raises(IllegalPosition, match=r"there are 2, but options\.players says 3"):
        MegaCity.from_position(replace(position_from_text(BY_HAND), options=Options(players=3)))
