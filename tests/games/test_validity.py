"""What cannot be is told to people: every sentence is used, in both languages, with the same words filled in."""

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from citytable.games.megacity import validity
from citytable.games.megacity.accepting import accepted
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.notation import action_from_text
from citytable.games.megacity.position import MATERIALS, TYPES
from citytable.rules.errors import IllegalAction, IllegalPosition

SOURCE = Path(validity.__file__).read_text(encoding="utf-8")
NAMES = {*TYPES, *MATERIALS, "bag", "box", "left_in_city"}


def blanks(text):
    return sorted(set(re.findall(r"{(\w+)[:}]", text)))


@pytest.mark.parametrize("key", validity.SENTENCES.texts)
def test_every_sentence_is_used_and_fills_the_same_words_into_both_languages(key):
    text = validity.SENTENCES.texts[key]
    assert text.keys() == {"en", "fr"}
    assert blanks(text["en"]) == blanks(text["fr"])
    assert (f'"{key}"' in SOURCE) or key in NAMES
    assert re.findall(r"\([RA].*\)", text["en"]) == re.findall(r"\([RA].*\)", text["fr"])


def test_every_fault_is_told_in_french_as_well(table):
    position = replace(table.position(), turn=0, player=5)
    with pytest.raises(IllegalPosition) as error:
        MegaCity.from_position(position)
    assert error.value.text["fr"].splitlines() == [
        "joueur : 5 n'est aucune des places 1 à 3",
        "tour : 0, mais le premier tour est le 1",
    ]


def test_whose_and_of_what_is_told_in_the_language_of_the_sentence(table):
    with pytest.raises(IllegalPosition) as error:
        MegaCity.from_position(replace(table.position(), bag=-1))
    assert "sac : -1 éléments" in error.value.text["fr"].splitlines()


@pytest.mark.parametrize(
    ("line", "french"),
    [
        (
            "table building_fell at=1/0 to_box=0 left=0",
            "n'est debout sur l'hexagone voisin du Parc Central, devant à droite. Dites ce qui a été fait.",
        ),
        (
            "p1 take_pieces drawn=steel:60",
            "Cela n'a pas pu se passer ainsi : éléments : 60 du matériau acier, mais le jeu en a 50",
        ),
        ("p7 end_turn", "Il n'y a pas de place 7 dans cette partie : les places vont de 1 à 3."),
    ],
)
def test_what_cannot_have_happened_is_refused_in_french_too(table, line, french):
    game = table.game()
    with pytest.raises(IllegalAction) as refusal:
        accepted(game.position, action_from_text(line), game.deck)
    assert french in refusal.value.text["fr"]
