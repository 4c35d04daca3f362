"""Positions that no game reaches are refused, and so is an act that would lead to one."""

import pytest
from msgspec.structs import replace

from citytable.games.comeback.actions import action_from_text
from citytable.games.comeback.deck import Deck
from citytable.games.comeback.places import Place
from citytable.games.comeback.position import Bonus
from citytable.games.comeback.scene import scene
from citytable.rules.errors import IllegalAction, IllegalPosition

SIXTEEN = "R03 G01 R06|C08 G06 C10|I08 I12|G12 R13|C14 C13 I01|R08 I14 C04"
QUAKE = {"phase": "disaster", "disaster": "earthquake"}
CORPS, CREW = ("ZR3", "ZC5"), ("ZR1", "ZC3")


def taken(*cards):
    return tuple(Bonus(card=card, completed=True, used="helper") for card in cards)


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        pytest.param("R01", {"bonuses": (Bonus(card="ZR1"), Bonus(card="ZR2"))}, id="two bonuses of one zone"),
        pytest.param("R01", {"bonuses": taken(*CORPS)}, id="one helper for both bonuses"),
        pytest.param("R01", {"crew_used": True}, id="a crew that nobody had"),
        pytest.param("R01+|R02+|R03+|R04+|R05+", {"helpers": ["national_guard"]}, id="five guards"),
        pytest.param("R01*:3", {}, id="counters on rubble"),
        pytest.param("R01", {"hand": ("R02",)}, id="a card in the hand while rebuilding"),
        pytest.param("R01", {"phase": "laying"}, id="laying with an empty hand"),
        pytest.param("R01 R02|R03 R04|R05|R06|R07", {"phase": "laying", "hand": ("R08", "R09")}, id="nine cards laid"),
        pytest.param(SIXTEEN, {"phase": "build"}, id="sixteen buildings and no disaster"),
        pytest.param("R01", {"phase": "build", "disaster": "aliens"}, id="a disaster too early"),
        pytest.param("R01", {"rolled": (1, 4), "disaster": "meteors"}, id="dice while rebuilding"),
        pytest.param("R01", {"phase": "disaster", "disaster": "aliens", "rolled": (1, 4)}, id="dice for aliens"),
        pytest.param(SIXTEEN, {"phase": "disaster", "resolved": True}, id="no disaster drawn, and yet resolved"),
        pytest.param("R01", {"steps": 2, "disaster": "earthquake"}, id="steps of no earthquake"),
        pytest.param("R01", {"centre": Place(1, 4)}, id="the centre of a hurricane"),
        pytest.param("R01", {"meteors": (Place(1, 4),)}, id="meteors in a hurricane"),
        pytest.param("R01", {"bird": Place(2, 4), "hunger": 2}, id="the giant bird in a hurricane"),
        pytest.param("R01", {"hunger": 2, "disaster": "giant_bird"}, id="counters without the giant bird"),
        pytest.param(
            "R01", {"bird": Place(2, 4), "hunger": 1, "due": 2, "disaster": "giant_bird"}, id="more due than counters"
        ),
    ],
)
def test_what_cannot_be_is_refused(table, columns, words):
    with pytest.raises(IllegalPosition) as refused:
        table.game(columns, **words)
    assert refused.value.text.keys() == {"en", "fr"}
    assert "{" not in "".join(refused.value.text.values())


@pytest.mark.parametrize(
    ("columns", "words", "line"),
    [
        pytest.param("R01+|R02+|R03+|R04+|R05", {"helpers": ["national_guard"]}, "p1 guard at=5/4", id="a fifth guard"),
        pytest.param("R01*", {}, "p1 guard at=1/4", id="a guard on rubble"),
        pytest.param("R01", {}, "p1 free at=1/4", id="freeing what is not occupied"),
        pytest.param("R01", {}, "p1 restore at=1/4", id="rebuilding what stands"),
        pytest.param("R01", {}, "p1 claim bonus=ZR1 reward=point", id="a bonus that is not in play"),
        pytest.param("R01", {}, "p1 roll blue=1 white=4", id="dice in the rebuild"),
        pytest.param("R01", {"phase": "build"}, "p1 severity level=7", id="a hurricane while building"),
        pytest.param("R01", {"phase": "build"}, "p1 occupy at=1/4", id="aliens while building"),
        pytest.param("R01", {}, "p1 trample at=1/4", id="the giant bird of a hurricane"),
        pytest.param("R01", QUAKE, "p1 severity level=7", id="the severity of an earthquake"),
    ],
)
def test_what_cannot_have_happened_is_not_accepted(table, columns, words, line):
    game = table.game(columns, **words)
    before = game.position
    with pytest.raises(IllegalAction):
        game.accept(action_from_text(line))
    assert game.position is before


def test_a_helper_card_is_taken_once(table):
    bonuses = (*taken(CORPS[0]), Bonus(card=CORPS[1], completed=True))
    game = table.game("R01", bonuses=bonuses)
    with pytest.raises(IllegalAction):
        game.accept(action_from_text(f"p1 claim bonus={CORPS[1]} reward=helper"))


def test_repairs_without_the_crew_use_up_no_crew(table):
    game = table.game("R01", broken_roads=(2,), bonuses=(Bonus(card=CREW[0], completed=True),))
    game.accept(action_from_text("p1 mend parts=roads"))
    assert game.position.broken_roads == ()
    table.do(game, f"p1 claim bonus={CREW[0]} reward=helper")
    assert "ZR1" in {bonus.card for bonus in game.position.bonuses if bonus.used == "helper"}
    assert not game.position.crew_used


def test_the_giant_bird_is_fed_for_an_action_point_used_too_early(table):
    words = {"phase": "disaster", "disaster": "giant_bird", "bird": Place(2, 4), "hunger": 2, "resolved": True}
    game = table.game(
        "R01 R02|", broken_roads=(1,), gone=("R15",), bonuses=(Bonus(card="ZR8", completed=True),), **words
    )
    game.accept(action_from_text("p1 mend parts=roads"))
    assert {str(action) for action in game.legal_actions} == {"p1 trample at=1/5"}
    assert table.refused(game, "p1 rebuild") == "CR17"
    assert table.do(game, "p1 trample at=1/5", "p1 rebuild").hunger == 1


@pytest.mark.parametrize(
    ("condition", "number", "columns", "reached"),
    [
        ("buildings", 4, "R01 R02|R03", 3),
        ("buildings", 2, "R01 R02*", 1),
        ("stories", 9, "R01|R05", 4),
        ("columns", 4, "R01 R02|R03", 2),
        ("adjacent", 3, "R01 R02|C01|R03", 2),
        ("adjacent", 3, "C01", 0),
        ("other", 0, "R01 R02", 0),
    ],
)
def test_people_see_how_far_a_zoning_bonus_is(table, condition, number, columns, reached):
    cards = (replace(one, condition=condition, number=number) for one in table.deck.file.bonuses)
    deck = Deck(replace(table.deck.file, bonuses=tuple(cards)))
    position = table.position(columns, bonuses=(Bonus(card="ZR1"),))
    (shown,) = scene(position, position, (), deck).board.bonuses
    assert (shown.reached, shown.completed) == (reached, False)
