"""Refusals: the rule's number and a sentence in each language, from `refusals.json`."""

from collections.abc import Mapping
from typing import NoReturn

from citytable.games.dilluvia.actions import Action
from citytable.rules.errors import IllegalAction, OutcomeOpen
from citytable.rules.refusals import Refusals

REFUSALS = Refusals(__package__)


class Refused(IllegalAction):
    """A refusal that also says whether the action can have happened although it is forbidden."""

    def __init__(self, rule: str, text: Mapping[str, str], action: str, *, impossible: bool) -> None:
        super().__init__(rule, text, action)
        self.impossible = impossible


def refuse(key: str, action: Action, *, rule: str = "", **words: object) -> NoReturn:
    """Raise the refusal `key` for an action; `rule` if another one than usual says it here."""
    refusal = REFUSALS[key]
    raise Refused(rule or refusal.rule, REFUSALS.text(key, words), str(action), impossible=refusal.impossible)


def refuse_open(action: Action, missing: tuple[str, ...]) -> NoReturn:
    """Raise `OutcomeOpen` for a decision whose outcome is not filled in."""
    raise OutcomeOpen(REFUSALS.text("outcome_open", {"fields": ", ".join(missing)}), str(action), missing)
