"""Every hex has a name in words of its own, and the hub says it as the screens do."""

import json
from pathlib import Path

import pytest

from citytable.games.megacity.where import hex_words
from citytable.languages import LANGUAGES, TRANSLATIONS
from citytable.table.hexes import Hex, within
from citytable.table.where import in_words

SCREENS = "dashboard/src/games/megacity/words/en.json"


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_hexes_of_the_city_have_one_name_and_none_has_numbers_only(language):
    names = [hex_words(at)[language] for at in within(3)]
    assert len({*names}) == 37
    assert [name for name in names if "/" in name] == []


def test_a_hex_outside_every_city_keeps_its_coordinates():
    assert set(in_words(Hex(7, 2), {}).values()) == {"7/2"}


def test_screens_and_hub_have_the_same_words(root):
    screens = {"en": json.loads(Path(root, SCREENS).read_text("utf-8"))}
    screens["fr"] = TRANSLATIONS["fr"].texts["screens.games.megacity"]
    for language, words in screens.items():
        for at in within(3):
            steps, name = max(abs(at.q), abs(at.r), abs(at.q + at.r)), hex_words(at)[language]
            if steps == 0:
                assert name == words["spot.centre"]
                continue
            pattern = words["where.one" if steps == 1 else "where.many"]
            before, after = pattern.replace("{n}", str(steps)).split("{way}")
            way = name.removeprefix(before).removesuffix(after)
            assert way in {word for key, word in words.items() if key.startswith("way.")}
