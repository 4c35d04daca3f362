"""Refusals: the rule's number and a sentence in each language, from `refusals.json`."""

from typing import NoReturn

from citytable.games.comeback.actions import Action
from citytable.rules.errors import IllegalAction, OutcomeOpen
from citytable.rules.refusals import Refusals

REFUSALS = Refusals(__package__)


def refuse(key: str, action: Action, *, rule: str = "", **words: object) -> NoReturn:
    """Raise the refusal `key` for an action; `rule` if another one than usual says it here."""
    raise IllegalAction(rule or REFUSALS[key].rule, REFUSALS.text(key, words), str(action))


def refuse_open(action: Action, missing: tuple[str, ...]) -> NoReturn:
    """Raise `OutcomeOpen` for a decision whose outcome is not filled in."""
    raise OutcomeOpen(REFUSALS.text("outcome_open", {"fields": ", ".join(missing)}), str(action), missing)
