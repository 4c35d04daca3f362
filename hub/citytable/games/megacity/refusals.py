"""Refusals: the rule's number and a sentence in each language, from `refusals.json`."""

from typing import NoReturn

from citytable.games.megacity.actions import Action
from citytable.games.megacity.position import Pieces
from citytable.games.megacity.where import in_peoples_words
from citytable.languages import LANGUAGES
from citytable.rules.errors import IllegalAction, OutcomeOpen
from citytable.rules.refusals import Refusals

REFUSALS = Refusals(__package__)


def refuse(key: str, action: Action, **words: object) -> NoReturn:
    """Raise the refusal `key` for an action; a word may be given by language."""
    raise IllegalAction(REFUSALS[key].rule, REFUSALS.text(key, in_peoples_words(words)), str(action))


def check_counted(pieces: Pieces, action: Action) -> None:
    """Raise `IllegalAction` if the number of these pieces is a range: what is built is counted (R17, R33)."""
    if pieces.maybe:
        refuse("counted", action)


def refuse_impossible(action: Action, why: IllegalAction) -> NoReturn:
    """Raise the refusal of what cannot have happened, for the reason and under the rule of `why`."""
    seen = {language: _clause(why.text[language]) for language in LANGUAGES}
    raise IllegalAction(why.rule, REFUSALS.text("impossible", {"seen": seen}), str(action))


def _clause(sentence: str) -> str:
    """Return a sentence as a part of another one; what begins with a name stays as it is."""
    begin = sentence[:2].lower() if sentence[1:2].islower() else sentence[:2]
    return begin + sentence[2:].rstrip(".")


def refuse_open(action: Action, missing: tuple[str, ...]) -> NoReturn:
    """Raise `OutcomeOpen` for a decision whose outcome is not filled in."""
    raise OutcomeOpen(REFUSALS.text("outcome_open", {"fields": ", ".join(missing)}), str(action), missing)
