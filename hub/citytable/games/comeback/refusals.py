"""Refusals: the rule's number and a sentence in each language, from `refusals.json`."""

from importlib.resources import files
from typing import NoReturn

import msgspec

from citytable.games.comeback.actions import Action
from citytable.rules.errors import IllegalAction, OutcomeOpen
from citytable.rules.sentences import filled

LANGUAGES = ("en", "fr")


class Refusal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One sentence a rule refuses with; `{words}` in it are filled in."""

    rule: str
    en: str
    fr: str


REFUSALS = msgspec.json.decode(files(__package__ or "").joinpath("refusals.json").read_bytes(), type=dict[str, Refusal])


def _texts(key: str, words: dict[str, object]) -> dict[str, str]:
    return {language: filled(getattr(REFUSALS[key], language), language, words) for language in LANGUAGES}


def refuse(key: str, action: Action, *, rule: str = "", **words: object) -> NoReturn:
    """Raise the refusal `key` for an action; `rule` if another one than usual says it here."""
    raise IllegalAction(rule or REFUSALS[key].rule, _texts(key, words), str(action))


def refuse_open(action: Action, missing: tuple[str, ...]) -> NoReturn:
    """Raise `OutcomeOpen` for a decision whose outcome is not filled in."""
    raise OutcomeOpen(_texts("outcome_open", {"fields": ", ".join(missing)}), str(action), missing)
