"""Actions of MegaCity as one line."""

import pytest

from citytable.games.megacity.actions import BuildingFell, Deliver, MonumentFell, SetUp
from citytable.games.megacity.notation import action_from_text
from citytable.games.megacity.position import Face, Pieces
from citytable.rules.errors import Unreadable
from citytable.table.hexes import Hex

DEALT = "columns=PU1,PU2|IN1,IN2|CO1,CO2|RE1,RE2 supply=1/public,6/commercial,9/public"
KNOCKED = "(building_fell at=1/0 to_box=2 left=0)(monument_fell at=2/0)(pieces_lost at=0/1 to_box=none height=4mm)"
LINES = [
    "table set_up",
    f"table set_up {DEALT} start=1 drawn=none|steel:1|unknown:2",
    "p1 take_contract contract=L-CO",
    "p2 take_platform platform=14",
    "p2 take_platform platform=14 revealed=none",
    "p2 take_platform platform=14 revealed=20/industrial",
    "p2 take_platform platform=14 revealed=?",
    "p3 take_pieces",
    "p3 take_pieces announced=glass",
    "p3 take_pieces announced=glass drawn=glass:1",
    "p3 take_pieces drawn=none",
    "p3 take_pieces drawn=steel:1,concrete:1,unknown:1",
    "p4 rezone platform=3",
    "p4 refresh revealed=1/public,?,3/public",
    "p1 reorganise column=residential",
    "p1 return_pieces returned=unknown:2",
    "p2 deliver contract=CO5 platform=14 at=1/-1",
    "p2 deliver contract=CO5 platform=14 at=1/-1 stood=no",
    "p2 deliver contract=CO5 platform=14 at=1/-1 stood=yes height=47mm pieces=steel:5,glass:2 judged=yes",
    f"p2 deliver contract=CO5 platform=14 at=1/-1 stood=no knocked={KNOCKED}",
    "p1 place_park at=-3/2",
    "p1 place_monument park=2/0 piece=glass:1",
    "p1 place_central_park_monument",
    "p1 end_turn",
    "p1 recycle",
    "table building_fell at=1/0 to_box=2 left=0",
    "table building_fell at=1/0",
    "table pieces_lost at=1/0 to_box=steel:1 to_bag=none height=33mm",
    "table monument_fell at=0/0",
    "p3 take_pieces drawn=steel:1,unknown:1-2",
    "p3 take_pieces drawn=unknown:0-3",
    "table count_pieces seat=2",
    "table count_pieces seat=2 count=4",
    "table count_pieces seat=2 count=4 maybe=1",
]


@pytest.mark.parametrize("line", LINES)
def test_every_kind_of_action_reads_back(line):
    action = action_from_text(line)
    assert str(action) == line
    assert action_from_text(str(action)) == action


def test_a_line_says_what_its_action_holds():
    assert action_from_text(LINES[19]) == Deliver(
        player=2,
        contract="CO5",
        platform=14,
        at=Hex(1, -1),
        stood=False,
        knocked=(
            BuildingFell(at=Hex(1, 0), to_box=2, left=0),
            MonumentFell(at=Hex(2, 0)),
            action_from_text("table pieces_lost at=0/1 to_box=none height=4mm"),
        ),
    )
    assert action_from_text(LINES[1]) == SetUp(
        columns=(("PU1", "PU2"), ("IN1", "IN2"), ("CO1", "CO2"), ("RE1", "RE2")),
        supply=(Face(1, "public"), Face(6, "commercial"), Face(9, "public")),
        start=1,
        drawn=(Pieces(), Pieces(steel=1), Pieces(unknown=2)),
    )


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("", "begin with the player"),
        ("p2", "begin with the player"),
        ("seat2 end_turn", "begin with the player"),
        ("p2 jump", "there is no action 'jump'"),
        ("table end_turn", "end_turn is a player's action"),
        ("p1 building_fell at=1/0", "building_fell is not the act"),
        ("p2 take_contract", "take_contract needs contract"),
        (
            "p2 take_contract contract=A contract=B",
            "'contract=B': write each of contract exactly once after take_contract",
        ),
        ("p2 take_contract card=A", "'card=A'"),
        ("p2 take_contract contract=", "'' is not a word"),
        ("p2 rezone platform=x", "in 'platform=x': 'x' is not a whole number"),
        (
            "p2 reorganise column=red",
            "'red' is unknown here: write one of public, industrial, commercial, residential",
        ),
        ("p2 place_park at=1", "'1' is not a hex: write q/r"),
        ("p2 take_pieces drawn=steel", "'steel' in 'steel'"),
        ("p2 take_pieces drawn=steel:1,steel:2", "at most once"),
        ("p2 take_pieces drawn=unknown:3-2", "'unknown:3-2' in 'unknown:3-2': a range goes with unknown pieces"),
        ("p2 take_pieces drawn=unknown:2-2", "from fewer to more, for example unknown:2-3"),
        ("p2 take_pieces drawn=unknown:2-", "'unknown:2-' in 'unknown:2-': write each of"),
        ("p2 take_pieces drawn=glass:1,steel:1-2", "'steel:1-2' in 'glass:1,steel:1-2': a range goes with"),
        ("p2 take_platform platform=1 revealed=20", "'20' is not a platform side"),
        ("p2 deliver contract=A platform=1 at=1/0 stood=maybe", "'maybe' is neither yes nor no"),
        ("p2 deliver contract=A platform=1 at=1/0 height=47", "'47' is not a whole number of mm"),
        ("p2 deliver contract=A platform=1 at=1/0 knocked=building_fell", "write each action in its own brackets"),
        ("p2 deliver contract=A platform=1 at=1/0 knocked=(end_turn)", "end_turn is a player's action"),
        ("p2 deliver contract=A platform=1 at=1/0 knocked=()", "there is no action ''"),
        ("p2 end_turn )", "')'"),
    ],
)
def test_an_unreadable_line_says_what_and_where(line, said):
    with pytest.raises(Unreadable) as error:
        action_from_text(line)
    assert said in str(error.value)
    assert repr(line) in str(error.value)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("p2 delivr", "'p2 delivr' : il n'y a pas d'action 'delivr' : vouliez-vous dire deliver ?"),
        ("p2 rezone platform=x", "'p2 rezone platform=x' : dans 'platform=x' : 'x' n'est pas un nombre entier"),
        ("p2 place_park at=1", "'p2 place_park at=1' : dans 'at=1' : '1' n'est pas un hexagone"),
    ],
)
def test_an_unreadable_line_says_so_in_french(line, said):
    with pytest.raises(Unreadable) as error:
        action_from_text(line)
    assert error.value.text["fr"].startswith(said)
