"""A language is one file: whatever the product says in English has words there, with the same values filled in."""

import json
import re
import string
from pathlib import Path

import pytest

from citytable import languages
from citytable.languages import LANGUAGES, TRANSLATIONS, Translation, UnreadableLanguage, read_from
from citytable.languages.sentences import Sentences

ROOT = Path(__file__).resolve().parents[2]
HUB, SCREENS = ROOT / "hub/citytable", ROOT / "dashboard/src"
OTHERS = [code for code in LANGUAGES if code != "en"]
OF_THE_TERMINAL = "rehearsal"
WITHOUT_WORDS = {"error", "code"}  # what other programs say in English, or only the code of it


def in_english(path):
    """Return the English sentences of a data file of the hub by section; nothing if it has none."""
    data = json.loads(path.read_text("utf-8"))
    section = ".".join(path.relative_to(HUB).with_suffix("").parts)
    if path.name == "refusals.json" and "refusals" in data:
        told = {key: one["en"] for key, one in data["refusals"].items()}
        return {section: told} | ({f"{section}.words": data["words"]} if data["words"] else {})
    if path.name == "paper.json" and all(isinstance(one, dict) for one in data.values()):
        return {section: {key: one["en"] for key, one in data.items()}}
    sentences = isinstance(data, dict) and data and all(isinstance(one, str) for one in data.values())
    return {section: data} if sentences else {}


@pytest.fixture(scope="module")
def english():
    """Every English sentence of the hub and the screens, by section and key."""
    texts = {}
    for path in HUB.rglob("*.json"):
        if not {"static", "languages"} & set(path.parts):
            texts |= in_english(path)
    for path in SCREENS.rglob("words/en.json"):
        name = ".".join(("screens", *path.relative_to(SCREENS).parts[:-2]))
        texts[name] = json.loads(path.read_text("utf-8"))
    assert sum(map(len, texts.values())) > 2500
    return texts


def filled(text):
    """Return the values that a sentence leaves open; some choose between singular and plural."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name} - WITHOUT_WORDS


@pytest.mark.parametrize("code", OTHERS)
def test_a_language_has_words_for_everything_that_is_said_in_english_and_no_others(english, code):
    there = {name: texts for name, texts in TRANSLATIONS[code].texts.items() if not name.startswith(OF_THE_TERMINAL)}
    assert {(name, key) for name, texts in there.items() for key in texts} == {
        (name, key) for name, texts in english.items() for key in texts
    }
    blank = [key for name, texts in there.items() for key, text in texts.items() if english[name][key] and not text]
    assert blank == []


@pytest.mark.parametrize("code", OTHERS)
def test_a_language_fills_in_the_same_values(english, code):
    texts = TRANSLATIONS[code].texts
    said = [
        (english.get(name, {}).get(key, key), text) for name, section in texts.items() for key, text in section.items()
    ]
    assert len(said) > 2500
    assert [pair for pair in said if filled(pair[0]) != filled(pair[1])] == []


@pytest.mark.parametrize("code", OTHERS)
def test_the_sections_of_a_file_stand_in_order(code):
    names = list(json.loads((HUB / f"languages/{code}.json").read_text("utf-8"))["texts"])
    assert names == sorted(names)


def test_french_keeps_its_spaces_its_apostrophes_and_says_vous():
    texts = [text for section in TRANSLATIONS["fr"].texts.values() for text in section.values()]
    wrong = re.compile(r"[\w})»][;?!](?:\s|$)|(?<!Content-Typ)[\w})]: |’|«\S|\b(?:[Tt]u|[Tt]oi|[Tt]on|[Tt]es)\b")
    assert [text for text in texts if wrong.search(text)] == []


def written(folder, code, **file):
    (folder / f"{code}.json").write_text(json.dumps(file), "utf-8")


def test_a_third_language_is_one_file(tmp_path, monkeypatch):
    written(tmp_path, "de", name="Deutsch", singular=[1], texts={"rules.notation": {"line": "{seen}, nämlich {why}"}})
    monkeypatch.setattr(languages, "TRANSLATIONS", read_from(tmp_path))
    there = Sentences("citytable.rules", "notation.json").texts
    assert there["line"] == {"en": "{seen}: {why}", "de": "{seen}, nämlich {why}"}
    assert all(text["de"] == text["en"] for key, text in there.items() if key != "line")  # what it leaves out


def test_a_language_counts_as_its_file_says(tmp_path):
    written(tmp_path, "fr", name="Français", singular=[0, 1])
    assert read_from(tmp_path) == {"en": Translation("English", (1,)), "fr": Translation("Français", (0, 1))}


@pytest.mark.parametrize(
    ("text", "why"),
    [("{", "Input data was truncated"), ('{"name": "Deutsch"}', "missing required field `singular`")],
)
def test_a_file_that_cannot_be_read_is_named_with_what_to_do(tmp_path, text, why):
    (tmp_path / "de.json").write_text(text)
    with pytest.raises(UnreadableLanguage, match="Mend it, or take it away") as error:
        read_from(tmp_path)
    assert str(tmp_path / "de.json") in str(error.value)
    assert why in str(error.value)
