"""The person who plays Comeback City at the virtual table, written from the rulebook."""

from collections.abc import Mapping

from citytable.rehearsal.comeback.company import ComebackCompany
from citytable.rehearsal.comeback.terminal import REASONS, play_in_terminal
from citytable.rehearsal.people import People


def points_text(reason: str, words: Mapping[str, str]) -> str:
    """Return the purpose of a score line in English."""
    return REASONS[reason].format(**words)


PEOPLE = People(ComebackCompany, points_text, in_terminal=play_in_terminal)
