"""Refusals: the rule's number and a sentence in each language, from `refusals.json`."""

from collections.abc import Mapping
from importlib.resources import files
from typing import NoReturn

import msgspec

from citytable.games.dilluvia.actions import Action
from citytable.rules.errors import IllegalAction, OutcomeOpen
from citytable.rules.sentences import filled

LANGUAGES = ("en", "fr")


class Refusal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One sentence that a rule refuses with. `impossible`: what it refuses cannot have happened on a table at all."""

    rule: str
    en: str
    fr: str
    impossible: bool = False


class _RefusalFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    words: dict[str, dict[str, str]]
    refusals: dict[str, Refusal]


_FILE = msgspec.json.decode(files(__package__ or "").joinpath("refusals.json").read_bytes(), type=_RefusalFile)
REFUSALS = _FILE.refusals


class Refused(IllegalAction):
    """A refusal that also says whether the action can have happened although it is forbidden."""

    def __init__(self, rule: str, text: Mapping[str, str], action: str, *, impossible: bool) -> None:
        super().__init__(rule, text, action)
        self.impossible = impossible


def _texts(key: str, words: dict[str, object]) -> dict[str, str]:
    texts = {}
    for language in LANGUAGES:
        names = _FILE.words[language]
        by_name = {word: names.get(value, value) if isinstance(value, str) else value for word, value in words.items()}
        texts[language] = filled(getattr(REFUSALS[key], language), language, by_name)
    return texts


def refuse(key: str, action: Action, *, rule: str = "", **words: object) -> NoReturn:
    """Raise the refusal `key` for an action; `rule` if another one than usual says it here."""
    refusal = REFUSALS[key]
    raise Refused(rule or refusal.rule, _texts(key, words), str(action), impossible=refusal.impossible)


def refuse_open(action: Action, missing: tuple[str, ...]) -> NoReturn:
    """Raise `OutcomeOpen` for a decision whose outcome is not filled in."""
    raise OutcomeOpen(_texts("outcome_open", {"fields": ", ".join(missing)}), str(action), missing)
