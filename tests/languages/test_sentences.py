"""Sentences are filled in by language, and what a decoder says in English is among them."""

import msgspec
import pytest

from citytable.languages.sentences import Sentences, filled
from citytable.rules.unreadable_json import why_unreadable


class Other(msgspec.Struct, forbid_unknown_fields=True, tag="other"):
    """What a message may be besides."""


class Said(msgspec.Struct, forbid_unknown_fields=True, tag="said"):
    """A message as a door takes it."""

    to: int
    why: str = ""


def test_a_word_told_in_languages_is_filled_in_by_language():
    assert Sentences("citytable.rules", "notation.json").text("line", seen="x", why={"en": "why", "fr": "raison"}) == {
        "en": "x: why",
        "fr": "x : raison",
    }


@pytest.mark.parametrize(
    ("body", "english", "french"),
    [
        (b"{", "it is not valid JSON", "ce n'est pas du JSON valide"),
        (b'{"to":NaN}', "it is not valid JSON", "ce n'est pas du JSON valide"),
        (b'{"why":"\xe9"}', "it is not valid UTF-8", "ce n'est pas de l'UTF-8 valide"),
        (b'{"type":5}', "at type: a text is needed here", "à type : il faut ici un texte"),
        (b"[]", "an object is needed here, not a list", "il faut ici un objet, et non une liste"),
        (b'{"to":"x"}', "at to: a whole number is needed here, not a text", "à to : il faut ici un nombre entier"),
        (b"{}", "to is missing", "il manque to"),
        (b'{"to":1,"sudo":2}', "there is no field sudo", "il n'y a pas de champ sudo"),
    ],
)
def test_what_is_wrong_with_a_message_is_said_in_both_languages(body, english, french):
    with pytest.raises(ValueError) as error:  # noqa: PT011  decoders raise several kinds of it
        msgspec.json.decode(body, type=Said | Other if b"type" in body else Said)
    text = why_unreadable(error.value)
    assert text["en"] == english
    assert text["fr"].startswith(french)


def test_what_nobody_foresaw_is_passed_on_as_the_decoder_said_it():
    assert why_unreadable(ValueError("something new"))["fr"] == "le lecteur dit « something new »"


@pytest.mark.parametrize(
    ("count", "english", "french"),
    [(0, "0 pieces are", "0 élément"), (1, "1 piece is", "1 élément"), (2, "2 pieces are", "2 éléments")],
)
def test_a_noun_takes_the_form_that_goes_with_its_number(count, english, french):
    assert filled("{n} {n:piece is|pieces are}", "en", {"n": count}) == english
    assert filled("{n} {n:élément|éléments}", "fr", {"n": count}) == french
