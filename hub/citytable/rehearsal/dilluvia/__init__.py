"""The people of Dilluvia Project at the virtual table."""

from collections.abc import Mapping

from citytable.rehearsal.dilluvia.company import DilluviaCompany
from citytable.rehearsal.dilluvia.terminal import REASONS, play_in_terminal
from citytable.rehearsal.people import People


def settled(action: str) -> str:
    """Return the part of an act in notation that stays the same while its tiles are named one after the other."""
    return action.split(" market=", maxsplit=1)[0].split(" tiles=", maxsplit=1)[0]


def points_text(reason: str, _words: Mapping[str, str]) -> str:
    """Return the purpose of a score line in English."""
    return REASONS[reason]


PEOPLE = People(DilluviaCompany, points_text, settled=settled, in_terminal=play_in_terminal)
