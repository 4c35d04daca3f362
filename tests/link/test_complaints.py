"""Complaints: what our firmware says is wrong with a sensor is told in every language, anything else as it was said."""

import re

import pytest

from citytable.link.complaints import SENTENCES, of_sensor
from tablestation import contact, faults, reach, tags

OURS = [
    *(what.format(2) for what in faults.WHAT if what),
    tags.SILENT,
    reach.STUCK,
    reach.SILENT,
    reach.IDLE,
    reach.BLIND,
    contact.DARK,
]


@pytest.mark.parametrize("key", SENTENCES.texts)
def test_a_sentence_fills_the_same_words_into_both_languages(key):
    text = SENTENCES.texts[key]
    assert text.keys() == {"en", "fr"}
    assert len({tuple(sorted(re.findall(r"{(\w+)}", one))) for one in text.values()}) == 1


@pytest.mark.parametrize("what", OURS)
def test_what_our_firmware_says_is_known(what):
    told = of_sensor("city/0/0", "cell", what)
    assert told["en"] == f"The centre of the city (cell): {what}"
    assert what not in told["fr"]
    assert told["fr"].startswith("Le centre de la ville (capteur de poids) : ")


def test_a_cells_number_is_told_in_both_languages():
    assert of_sensor("seat/1/bag", "cell", faults.WHAT[faults.STUCK].format(2))["fr"] == (
        "Place 1, support du sac (capteur de poids) : le capteur 2 répète la même valeur : "
        "vérifiez ses fils et son alimentation"
    )


def test_what_another_firmware_says_stays_as_it_is():
    told = of_sensor("city/0/0", "bell", "cell 7 rings {twice}")
    assert told == {
        "en": "The centre of the city (bell): cell 7 rings {twice}",
        "fr": "Le centre de la ville (bell) : cell 7 rings {twice}",
    }


@pytest.mark.parametrize(
    ("spot", "en", "fr"),
    [
        (
            "city/-2/0",
            "The hex 2 steps from the centre of the city, to the back left",
            "L'hexagone à 2 pas du centre de la ville, derrière à gauche",
        ),
        ("seat/3/pad/0", "Seat 3, pad 1", "Place 3, socle 1"),
        ("seat/1/card/2", "Seat 1, card slot 3", "Place 1, emplacement de carte 3"),
        ("seat/2/drawer/1", "seat/2/drawer/1", "seat/2/drawer/1"),
        ("market/row/0", "market/row/0", "market/row/0"),
    ],
)
def test_a_spot_is_named_as_people_say_it(spot, en, fr):
    told = of_sensor(spot, "reader", tags.SILENT)
    assert told["en"].startswith(f"{en} (reader): ")
    assert told["fr"].startswith(f"{fr} (lecteur) : ")
