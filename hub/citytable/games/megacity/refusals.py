"""Refusals: the rule's number and a sentence in each language, from `refusals.json`."""

from collections.abc import Mapping
from importlib.resources import files
from typing import NoReturn

import msgspec

from citytable.games.megacity.actions import Action
from citytable.games.megacity.position import Pieces
from citytable.rules.errors import IllegalAction, OutcomeOpen
from citytable.rules.sentences import filled

LANGUAGES = ("en", "fr")


class Refusal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One sentence a rule refuses with; `{words}` in it are filled in."""

    rule: str
    en: str
    fr: str


class _RefusalFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    words: dict[str, dict[str, str]]
    refusals: dict[str, Refusal]


_FILE = msgspec.json.decode(files(__package__ or "").joinpath("refusals.json").read_bytes(), type=_RefusalFile)
REFUSALS = _FILE.refusals
NAMES = _FILE.words
"""Types and materials in each language."""


def _texts(key: str, words: dict[str, object]) -> dict[str, str]:
    refusal = REFUSALS[key]
    texts = {}
    for language in LANGUAGES:
        names = _FILE.words[language]
        by_name = {word: _named(names, language, value) for word, value in words.items()}
        texts[language] = filled(getattr(refusal, language), language, by_name)
    return texts


def _named(names: Mapping[str, str], language: str, word: object) -> object:
    if isinstance(word, Mapping):
        return word[language]
    return names.get(word, word) if isinstance(word, str) else word


def refuse(key: str, action: Action, **words: object) -> NoReturn:
    """Raise the refusal `key` for an action; a word may be given by language."""
    raise IllegalAction(REFUSALS[key].rule, _texts(key, words), str(action))


def check_counted(pieces: Pieces, action: Action) -> None:
    """Raise `IllegalAction` if the number of these pieces is a range: what is built is counted (R17, R33)."""
    if pieces.maybe:
        refuse("counted", action)


def refuse_impossible(action: Action, why: IllegalAction) -> NoReturn:
    """Raise the refusal of what cannot have happened, for the reason and under the rule of `why`."""
    seen = {language: _clause(why.text[language]) for language in LANGUAGES}
    raise IllegalAction(why.rule, _texts("impossible", {"seen": seen}), str(action))


def _clause(sentence: str) -> str:
    """Return a sentence as a part of another one; what begins with a name stays as it is."""
    begin = sentence[:2].lower() if sentence[1:2].islower() else sentence[:2]
    return begin + sentence[2:].rstrip(".")


def refuse_open(action: Action, missing: tuple[str, ...]) -> NoReturn:
    """Raise `OutcomeOpen` for a decision whose outcome is not filled in."""
    raise OutcomeOpen(_texts("outcome_open", {"fields": ", ".join(missing)}), str(action), missing)
