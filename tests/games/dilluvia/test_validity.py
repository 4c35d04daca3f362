"""What cannot be is told to people: every fault of a position, in both languages, found in a position that has it."""

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from citytable.games.dilluvia import validity
from citytable.games.dilluvia.box import BOX
from citytable.games.dilluvia.cells import cell_from_text
from citytable.games.dilluvia.position import Built, Cubes, Due, Held, Owned, Placed
from citytable.games.dilluvia.validity import SENTENCES, wrong_with
from citytable.games.dilluvia.values import HOUSE
from citytable.rules.errors import IllegalPosition
from citytable.umpire.whole_game import whole

CENTRE = cell_from_text("4/4")


def options(position, **fields):
    return replace(position, options=replace(position.options, **fields))


def city(position, **fields):
    return replace(position, city=replace(position.city, **fields))


def built(position, *buildings):
    return city(position, buildings=tuple(Built(owner=1, cube="first", **one) for one in buildings))


ONE = {"number": 1, "version": "a", "at": CENTRE, "shape": "single"}
# key of the sentence -> the fault, and how it reads in French
FAULTS = {
    "players_out": (lambda at: options(at, players=5), "options.players : on ne joue pas à 5, mais de 2 à 4"),
    "players": (
        lambda at: replace(at, players=at.players[:1]),
        "joueurs : on joue à 2, notez donc 2 joueurs et le terrain de 2",
    ),
    "market": (lambda at: replace(at, market=()), "marché : notez 16 cases dans market et dans taken"),
    "turn": (lambda at: replace(at, turn=8), "tour : 8 n'est aucun des tours 1 à 7"),
    "order": (lambda at: replace(at, order=(1, 1)), "ordre : 1 1 ne nomme pas une fois chacune des places 1 à 2"),
    "player": (lambda at: replace(at, player=3), "joueur : il n'y a pas de place 3"),
    "tile_twice": (lambda at: at.changed(1, tiles=(Held(at.white[0]),)), "tuile {white} : elle est à 2 endroits"),
    "tile_unknown": (lambda at: replace(at, aside=(99,)), "tuile 99 : elle n'est pas de cette partie"),
    "tile_missing": (lambda at: replace(at, white=at.white[1:]), "tuile {white} : elle n'est nulle part"),
    "cell_twice": (
        lambda at: city(at, gardens=(CENTRE,), terrain=((CENTRE,), ())),
        "ville 4/4 : la case est couverte deux fois",
    ),
    "cell_outside": (
        lambda at: city(at, terrain=((cell_from_text("40/4"),), ())),
        "ville 40/4 : ce n'est pas une case de cette ville",
    ),
    "gardens": (
        lambda at: city(at, gardens=tuple(sorted(HOUSE.playable[2])[:17])),
        "jardins : 17, alors qu'il y en a {gardens}",
    ),
    "propeller": (
        lambda at: city(at, propellers=(Owned(CENTRE, 1),)),
        "hélice 4/4 : elle ne peut pas être possédée ainsi",
    ),
    "building_unknown": (lambda at: built(at, ONE | {"number": 77}), "bâtiment 77a : il n'existe pas"),
    "building_copies": (
        lambda at: built(at, *(ONE | {"at": cell} for cell in sorted(HOUSE.playable[2])[:17])),
        "bâtiment 1a : il est construit 17 fois, et il y en a moins",
    ),
    "building_shape": (
        lambda at: built(at, ONE | {"number": 3}),
        "bâtiment en 4/4 : un 3 couvre {size} cases, sa forme n'est donc pas single",
    ),
    "dues_nobody": (
        lambda at: replace(at, dues=(Due("convert"),), player=0),
        "dues : personne ne joue qui pourrait faire ce qui est dû",
    ),
    "dues": (lambda at: replace(at, dues=(Due("convert", 0),)), "dues : convert est dû 0 et 0 fois"),
    "workers": (
        lambda at: at.changed(1, left=6),
        "p1 : il reste 6 ouvriers et 0 sont placés, sur 5 ordinaires",
    ),
    "special": (
        lambda at: replace(at, placed=(Placed("income", 1, 1, special=True),)),
        "p1 : l'ouvrier spécial est à 2 endroits",
    ),
    "negative": (lambda at: at.changed(2, cubes=Cubes(-1, 0, 0, 0)), "p2 : cubes vaut -1"),
    "mat": (lambda at: at.changed(2, mat_money=-1), "p2 : mat_money vaut -1, et le plateau va de 0 à {mat}"),
    "extra": (lambda at: at.changed(2, extra=-1), "p2 : extra vaut -1, et la réserve a {pool} ouvriers"),
}


def blanks(text):
    return sorted(set(re.findall(r"{(\w+)[:}]", text)))


@pytest.mark.parametrize("key", SENTENCES.texts)
def test_every_fault_is_found_and_told_in_both_languages(table, key):
    start = table.at().position
    change, french = FAULTS[key]
    words = {
        "white": start.white[0],
        "gardens": validity.GARDENS,
        "size": HOUSE.building[3, "a"].size,
        "mat": validity.MAT_MAX,
        "pool": validity.POOL,
    }
    told = wrong_with(change(start), HOUSE)
    assert french.format(**words) in [text["fr"] for text in told]
    assert all(text["en"] and text["en"] != text["fr"] for text in told)
    assert wrong_with(start, HOUSE) == ()


@pytest.mark.parametrize("key", SENTENCES.texts)
def test_every_sentence_is_used_and_fills_the_same_words_into_both_languages(key):
    text = SENTENCES.texts[key]
    assert text.keys() == {"en", "fr"}
    assert blanks(text["en"]) == blanks(text["fr"])
    assert f'"{key}"' in Path(validity.__file__).read_text(encoding="utf-8")


def test_a_position_from_paper_is_refused_in_french_too_with_a_line_for_each_fault(table):
    game = table.at()
    at_table = whole(BOX.table())
    form = {line["name"]: line["value"] for line in at_table.paper(game.position, {})["lines"]}
    with pytest.raises(IllegalPosition) as error:
        at_table.from_paper(game.position, form | {"2.aeros": -1, "1.mat_money": -1})
    assert error.value.text["fr"].splitlines() == [
        f"p1 : mat_money vaut -1, et le plateau va de 0 à {validity.MAT_MAX}",
        "p2 : aeros vaut -1",
    ]
