"""Piles beside the table: cards come from them and go to them, and people see only what lies face up."""

import pytest

from tabletwin.hands.games import by_hand
from tabletwin.sight import parts

SLOT, OTHER = "seat/1/card/0", "seat/2/card/0"
CARDS = [f"card/{n}" for n in range(9)]


@pytest.fixture
def game(new_game):
    game = new_game()
    game.act("stack", pile="deck", things=CARDS)
    game.act("stack", pile="passed", things=["card/x"], face_up=True)
    return game


def pile(game, name):
    return game.world.piles[name].things


def test_only_a_pile_that_lies_face_up_shows_its_top(game):
    seen = parts(game.world)
    assert seen["pile/deck"] == {"count": 9, "top": None}
    assert seen["pile/passed"] == {"count": 1, "top": "card/x"}
    assert sorted(pile(game, "deck")) == CARDS
    assert pile(game, "deck") != CARDS, "it is shuffled"


def test_the_top_card_is_turned_up_and_the_one_before_it_is_passed(game):
    first, second = reversed(pile(game, "deck")[-2:])
    assert game.act("turn_up", seat=1, pile="deck", spot=SLOT, passed="passed") == {"thing": first}
    assert game.act("turn_up", seat=1, pile="deck", spot=SLOT, passed="passed") == {"thing": second}
    assert [thing.name for thing in game.world.lying(SLOT)] == [second]
    assert pile(game, "passed") == ["card/x", first]
    assert len(pile(game, "deck")) == 7


def test_cards_move_between_spots_and_piles_and_none_is_lost(game):
    card = game.act("turn_up", seat=1, pile="deck", spot=SLOT)["thing"]
    assert game.act("move", seat=1, thing=card, spot="seat/1/card/1") == {"from": SLOT}
    assert game.act("lay_off", seat=1, thing=card, pile="passed") == {"from": "seat/1/card/1"}
    assert game.act("shuffle", seat=1, pile="passed", into="deck") == {"count": 10}
    assert pile(game, "passed") == []
    assert sorted(pile(game, "deck")) == sorted([*CARDS, "card/x"])


def test_what_others_bring_comes_out_of_its_pile(game):
    game.act("bring", thing="card/3", spot=SLOT)
    assert "card/3" not in pile(game, "deck")


@pytest.mark.parametrize(
    ("act", "fields", "says"),
    [
        ("turn_up", {"pile": "deck", "spot": SLOT, "passed": None}, "lies on seat/1/card/0: take that away first"),
        ("turn_up", {"pile": "empty", "spot": "seat/1/card/1"}, "shuffle another pile into it"),
        ("turn_up", {"pile": "none", "spot": SLOT}, "no pile 'none'"),
        ("turn_up", {"pile": "deck", "spot": "nowhere"}, "no spot 'nowhere'"),
        ("turn_up", {"pile": "deck", "spot": "seat/2/card/1"}, "seat/2/card/1 is before another player"),
        ("turn_up", {"pile": "theirs", "spot": "seat/1/card/1"}, "the pile 'theirs' is before another player"),
        ("lay_off", {"thing": "card/a", "pile": "theirs"}, "the pile 'theirs' is before another player"),
        ("move", {"thing": "card/a", "spot": SLOT}, "lies on seat/1/card/0 already"),
        ("move", {"thing": "card/a", "spot": OTHER}, "is before another player"),
        ("move", {"thing": "card/b", "spot": "seat/1/card/1"}, "seat/2/card/0 is before another player"),
        ("move", {"thing": "card/0", "spot": SLOT}, "no 'card/0' lies on the table"),
        ("move", {"thing": "card/a", "spot": "nowhere"}, "no spot 'nowhere'"),
        ("lay_off", {"thing": "card/under", "pile": "passed"}, "lies below card/a"),
        ("lay_off", {"thing": "card/a", "pile": "none"}, "no pile 'none'"),
        ("shuffle", {"pile": "deck", "into": "deck"}, "into itself"),
    ],
)
def test_what_cannot_be_done_changes_nothing(game, refused, act, fields, says):
    game.act("stack", pile="empty", things=[])
    game.act("stack", pile="theirs", things=["card/t"], face_up=True, seat=2)
    for thing, spot in (("card/under", SLOT), ("card/a", SLOT), ("card/b", OTHER)):
        game.act("bring", thing=thing, spot=spot)
    before = parts(game.world)
    with pytest.raises(refused, match=says):
        game.act(act, seat=1, **fields)
    assert parts(game.world) == before


def test_nobody_at_a_browser_stacks_a_pile():
    for name in ("comeback", "dilluvia"):
        assert by_hand(name) >= {"move", "lay_off", "turn_up", "press_button"}
        assert "stack" not in by_hand(name)
