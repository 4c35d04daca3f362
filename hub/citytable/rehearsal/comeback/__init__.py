"""The person who plays Comeback City at the virtual table, written from the rulebook."""

from collections.abc import Mapping

from citytable.rehearsal.comeback.company import ComebackCompany
from citytable.rehearsal.people import People

_REASONS = {"zone": "on {zone} buildings", "saved": "{zone}, kept by the Engineering Corps"}


def points_text(reason: str, words: Mapping[str, str]) -> str:
    """Return the purpose of a score line in English."""
    return _REASONS[reason].format(**words)


PEOPLE = People(ComebackCompany, points_text)
