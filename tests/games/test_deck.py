"""The house deck, and an owner's own card list with everything that can be wrong in it."""

import json
from collections import Counter
from importlib.resources import files

import pytest

from citytable.games.megacity.actions import Deliver
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.pieces import HOUSE, deck_from_text, load_deck, things
from citytable.games.megacity.position import TYPES, Options
from citytable.games.megacity.questions import Questions
from citytable.games.megacity.table_side import MegaCityTable
from citytable.table.hexes import Hex
from citytable.table.plan import Misconfigured

TEXT = files("citytable.games.megacity").joinpath("house_deck.json").read_text(encoding="utf-8")
LINES = TEXT.splitlines()


def line_of(card):
    return next(number for number, line in enumerate(LINES, start=1) if f'"id": "{card}"' in line)


def test_the_house_deck_has_what_the_rulebook_counts_and_is_marked_house():
    assert HOUSE.origin == "house"
    assert {contract.origin for contract in HOUSE.contracts.values()} == {"house"}
    assert (len(HOUSE.standard), len(HOUSE.landmarks), len(HOUSE.platforms)) == (32, 4, 24)
    assert HOUSE.pieces == {"steel": 50, "concrete": 50, "glass": 50}


def test_the_house_platforms_are_every_pair_of_types_four_times():
    pairs = Counter(frozenset(sides) for sides in HOUSE.platforms.values())
    assert len(pairs) == 6
    assert set(pairs.values()) == {4}


def test_the_house_contracts_are_eight_of_each_type_and_a_landmark_of_each():
    assert Counter(HOUSE.contracts[name].type for name in HOUSE.standard) == dict.fromkeys(TYPES, 8)
    assert [HOUSE.contracts[name].type for name in HOUSE.landmarks] == [
        "commercial",
        "industrial",
        "public",
        "residential",
    ]
    co5 = HOUSE.contracts["CO5"]
    assert (co5.pieces, co5.plus, co5.height_mm, co5.requirements, co5.prestige) == (7, False, 45, ("no_steel",), 3)
    assert co5.forbidden == ("steel",)


def test_every_thing_of_the_table_has_a_name():
    names = things(HOUSE, 3)
    assert len(names) == len(set(names)) == 36 + 48 + 3 + 2
    assert {"contract/L-RE", "platform/1/public", "platform/1/industrial", "park/3", "central-park", "bag"} <= set(
        names
    )


def test_a_requirement_that_the_engine_has_no_word_for_is_judged_by_the_players_and_its_prestige_counts():
    """R23, A47."""
    deck = deck_from_text(
        TEXT.replace('"requirements": ["courtyard"], "prestige": 4', '"requirements": ["other"], "prestige": 4'), "mine"
    )
    contract = deck.contracts["PU5"]
    assert (contract.requirements, contract.prestige, contract.forbidden) == (("other",), 4, ())
    table = MegaCityTable(deck)
    (form,) = (part for part in table.parts if isinstance(part, Questions))
    position = MegaCity(Options(players=2), deck).position
    delivery = Deliver(player=1, contract="PU5", platform=1, at=Hex(1, 0), stood=True)
    *_, judged = form.questions(position, delivery, {})
    assert (judged.name, judged.voters, judged.criteria) == ("judged", (2,), ("other", "building"))


def test_an_owners_deck_is_loaded_and_played(tmp_path):
    path = tmp_path / "mine.json"
    path.write_text(TEXT.replace('"origin": "house"', '"origin": "owner"').replace("CO5", "C-05"), encoding="utf-8")
    deck = load_deck(path)
    assert deck.origin == "owner"
    assert deck.contracts["C-05"].origin == "owner"
    assert MegaCity(Options(players=2), deck).deck is deck


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ('"id": "PU2", "type": "public", ', '"id": "PU2", ', line_of("PU2"), "contracts[1].type: missing"),
        ('"id": "PU2"', '"id": "PU1"', line_of("PU2"), "contracts[1].id: 'PU1' appears twice"),
        (
            '"pieces": 5, "plus": false, "height_mm": 30',
            '"pieces": 5, "plus": false, "height_mm": -30',
            line_of("PU2"),
            "contracts[1].height_mm: -30 is not a whole number of at least 1",
        ),
        ('"courtyard"]', '"kourtyard"]', line_of("PU5"), "contracts[4].requirements[0]: 'kourtyard' is unknown"),
        ('"id": "PU2", "type": "public"', '"id": "PU2", "type": "pubic"', line_of("PU2"), "'pubic' is unknown"),
        ('"id": "PU2"', '"id": "P U2"', line_of("PU2"), "is no id"),
        ('"id": "PU2"', '"id": "none"', line_of("PU2"), "is no id"),
        ('"id": "PU2"', '"id": "PU2", "colour": "red"', line_of("PU2"), "contracts[1].colour: unknown field"),
        (
            '"id": "PU2", "type": "public", "pieces": 5',
            '"id": "PU2", "type": "public", "pieces": "5"',
            line_of("PU2"),
            "contracts[1].pieces: '5' is not a whole number",
        ),
        (
            '"id": "PU2", "type": "public", "pieces": 5',
            '"id": "PU2", "type": "public", "pieces": true',
            line_of("PU2"),
            "contracts[1].pieces: True is not a whole number",
        ),
        (
            '"requirements": ["courtyard", "upper_archway"]',
            '"requirements": ["courtyard"]',
            line_of("L-PU"),
            "a standard contract has at most one, a landmark two",
        ),
        (
            '"requirements": ["courtyard", "upper_archway"]',
            '"requirements": ["courtyard", "courtyard"]',
            line_of("L-PU"),
            "the same requirement twice",
        ),
        ('"number": 2, ', '"number": 1, ', 7, "platforms[1].number: 1 appears twice"),
        (
            '{"number": 2, "types": ["public", "industrial"]}',
            '{"number": 2, "types": ["public", "public"]}',
            7,
            "platforms[1].types",
        ),
        (
            '{"number": 2, "types": ["public", "industrial"]}',
            '{"number": 2}',
            7,
            "platforms[1]: ['number'] are not its",
        ),
        ('"steel": 50', '"steel": 49', 4, "pieces: 149 pieces in all"),
        ('"origin": "house"', '"origin": "publisher"', 2, "origin: 'publisher' is unknown"),
        ('"origin": "house",', "", 1, "origin: missing"),
        ('"contracts": [', '"cards": [', 32 - 1, "cards: unknown field"),
    ],
)
def test_an_error_names_the_line_and_the_field(old, new, line, said):
    assert old in TEXT
    with pytest.raises(Misconfigured) as error:
        deck_from_text(TEXT.replace(old, new, 1), "mine.json")
    matching = [text for text in str(error.value).splitlines() if said in text]
    assert matching
    assert matching[0].startswith(f"deck mine.json: line {line}: ")


def test_every_error_is_told_at_once():
    text = TEXT.replace('"prestige": 5', '"prestige": -5')
    with pytest.raises(Misconfigured) as error:
        deck_from_text(text, "mine.json")
    assert len(str(error.value).splitlines()) == TEXT.count('"prestige": 5')


def deck_with(change):
    deck = json.loads(TEXT)
    change(deck)
    return json.dumps(deck)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda deck: deck["contracts"].pop(0), "31 standard contracts and 4 landmarks"),
        (lambda deck: deck["contracts"].pop(), "32 standard contracts and 3 landmarks"),
        (lambda deck: deck["platforms"].pop(), "23 platforms"),
        (lambda deck: deck.pop("platforms"), "platforms: missing"),
        (lambda deck: deck.update(contracts={}), "contracts: {} is not a list"),
        (lambda deck: deck["contracts"].append(7), "contracts[36]: 7 is not an object"),
        (lambda deck: deck.update(pieces=[]), "pieces: []: write how many"),
        (lambda deck: deck.update(name=3), "name: 3 is not a text"),
        (lambda deck: deck["contracts"][0].update(plus="yes"), "plus: 'yes': write true or false"),
        (lambda deck: deck["contracts"][0].update(requirements="none"), "requirements: 'none' is not a list"),
        (lambda deck: deck["contracts"][0].update(requirements=[7]), "requirements[0]: 7 is unknown"),
        (lambda deck: deck["contracts"][0].update(origin="mine"), "origin: 'mine' is unknown"),
        (lambda deck: deck["platforms"][0].update(types=[["x"], "public"]), "types: ['x'] is unknown"),
        (
            lambda deck: [c.update(type="public") for c in deck["contracts"][8:15]],
            "1 standard contracts of type industrial",
        ),
    ],
)
def test_a_deck_that_is_not_the_games_is_refused(change, said):
    with pytest.raises(Misconfigured) as error:
        deck_from_text(deck_with(change), "mine.json")
    assert said in str(error.value)


@pytest.mark.parametrize("text", ["", "{", "[]", "7", '{"origin": }', "{}}", "[" * 100_000])
def test_what_is_no_deck_at_all_is_refused_with_a_line(text):
    with pytest.raises(Misconfigured, match=r"deck mine\.json: line 1: "):
        deck_from_text(text, "mine.json")


def test_a_file_that_cannot_be_read_says_so(tmp_path):
    with pytest.raises(Misconfigured, match="give the path of a deck file"):
        load_deck(tmp_path / "nothing.json")
    path = tmp_path / "latin.json"
    path.write_bytes(b'{"name": "\xe9"}')
    with pytest.raises(Misconfigured, match="not UTF-8"):
        load_deck(path)
