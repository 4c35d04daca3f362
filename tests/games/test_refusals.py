"""Refusals: every sentence is used, and names its rule."""

import re
from pathlib import Path

import pytest

from citytable.games.megacity import refusals
from citytable.games.megacity.attempts import Attempts
from citytable.games.megacity.pieces import HOUSE
from citytable.games.megacity.position import Face, Park, Pieces, Player
from citytable.rules.errors import IllegalAction

FOLDER = Path(refusals.__file__).parent
SOURCE = "\n".join(path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.py")))


@pytest.mark.parametrize("key", refusals.REFUSALS)
def test_a_refusal_names_its_rule_and_is_used(key):
    refusal = refusals.REFUSALS[key]
    assert re.fullmatch(r"[RA]\d+|outcome", refusal.rule)
    assert refusals.REFUSALS.texts[key]["fr"] != refusal.en
    assert refusal.en.endswith((".", "}."))
    assert f'"{key}"' in SOURCE


def test_types_and_materials_are_said_in_the_language_of_the_sentence(table):
    game = table.game(columns=COLUMNS, city=city(table))
    table.do(game, "p1 take_contract contract=RE3")
    with pytest.raises(IllegalAction, match="residential column is empty") as refusal:
        table.do(game, "p1 reorganise column=residential")
    assert refusal.value.text["fr"] == "La colonne du type résidentiel est vide."


COLUMNS = (("PU3", "PU4"), ("IN1", "IN2", "IN3", "IN4"), ("CO1", "CO2", "CO3"), ("RE3",))


def city(table):
    return [table.built(1, name, at) for name, at in (("RE1", "1/0"), ("RE2", "0/1"), ("PU1", "1/1"), ("PU2", "2/0"))]


def test_a_refusal_quotes_the_action(table):
    with pytest.raises(IllegalAction, match=r"^R12: Platform 5 is not among .* \(p1 rezone platform=5\)$"):
        table.do(table.game(), "p1 rezone platform=5")


HAND = Player(contracts=("CO5",), platforms=(Face(14, "commercial"),), pieces=Pieces(concrete=8, glass=7))
DELIVER = "p1 deliver contract=CO5 platform=14 at=1/0"
FELL = f"{DELIVER} stood=no"
STOOD = f"{DELIVER} stood=yes height=45mm pieces=concrete:3,glass:4 judged=yes"


def why(table, game, line):
    """The sentence that refuses a line."""
    with pytest.raises(IllegalAction) as refusal:
        table.do(game, line)
    return refusal.value.text["en"]


@pytest.mark.parametrize(
    ("played", "line", "sentence"),
    [
        ([FELL], "p1 take_pieces drawn=steel:3", "This turn is over: pass the bag."),
        ([FELL], FELL, "This turn is over: pass the bag."),
        ([STOOD, "p1 place_park at=2/0"], "p1 take_pieces drawn=steel:3", "This turn is over: pass the bag."),
        (["p1 take_pieces drawn=steel:3"] * 2, "p1 rezone platform=14", "You have used all your actions this turn"),
        ([STOOD, "p1 place_park at=2/0"], "p1 place_park at=2/-1", "you may place one park or one monument, not both"),
        ([FELL], "p1 place_park at=2/-1", "After a successful delivery you may place one park or one monument"),
        ([], "p1 place_park at=2/-1", "only right after you deliver a building"),
        (["p1 take_pieces drawn=steel:3"], "p1 place_park at=2/-1", "only right after you deliver a building"),
        ([STOOD], "p1 place_central_park_monument piece=steel:1", "Only a public building"),
    ],
)
def test_a_turn_that_is_over_is_refused_for_the_reason_why_it_is(table, played, line, sentence):
    game = table.game(hands={1: HAND})
    table.do(game, *played)
    assert sentence in why(table, game, line)


def test_a_monument_needs_a_piece_of_its_material(table, at):
    game = table.game(hands={1: HAND}, city=[table.built(2, "PU1", "1/0")], parks=[Park(at=at("2/0"), owner=2)])
    table.do(game, STOOD.replace("1/0", "2/-1"))
    assert why(table, game, "p1 place_monument park=2/0 piece=steel:1") == "You have no steel piece for a monument."
    assert why(table, game, "p1 place_monument park=2/0 piece=glass:2") == "A monument is exactly one piece, not 2."


def test_of_two_contracts_the_one_of_the_platforms_type_is_told_of_first(table):
    """A tower that lacked a piece was refused for the type of the other contract (regulars 61023)."""
    game = table.game(players=2, hands={1: Player(contracts=("CO5", "PU1"), platforms=(Face(8, "public"),))})
    meant = Attempts(HOUSE).attempts(game.position, "platform/8/public", "city/1/0")
    assert [one.contract for one in meant] == ["PU1", "CO5"]


def test_who_has_decided_has_nothing_more_to_decide(table):
    game = table.game(
        players=2, city=table.grown(12), columns=((),) * 4, final="completed", deciding=True, decisions=(2,)
    )
    table.do(game, "p1 recycle")
    for line in ("p1 recycle", "p1 take_pieces drawn=steel:3"):
        assert why(table, game, line) == "You have made your final decision: pass the bag."


@pytest.mark.parametrize(
    ("line", "english", "french"),
    [
        (
            "p1 take_platform platform=1 revealed=none",
            "1 platform is turned up here, not 0.",
            "ici 1 plateforme, et non 0.",
        ),
        ("p1 refresh revealed=none", "3 platforms are turned up here, not 0.", "ici 3 plateformes, et non 0."),
        ("p1 take_pieces drawn=steel:1", "3 pieces are drawn at random, not 1.", "On pioche 3 éléments au hasard"),
    ],
)
def test_numbers_and_nouns_agree(table, line, english, french):
    game = table.game()
    with pytest.raises(IllegalAction) as refusal:
        table.do(game, line)
    assert refusal.value.text["en"] == english
    assert french in refusal.value.text["fr"]
