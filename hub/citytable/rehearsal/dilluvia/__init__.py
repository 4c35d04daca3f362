"""The people of Dilluvia Project at the virtual table."""

from citytable.rehearsal.dilluvia.company import DilluviaCompany
from citytable.rehearsal.dilluvia.terminal import play_in_terminal
from citytable.rehearsal.people import People


def settled(action: str) -> str:
    """Return as much of an act in notation as does not change while tiles come to light one after the other."""
    return action.split(" market=", maxsplit=1)[0].split(" tiles=", maxsplit=1)[0]


PEOPLE = People(DilluviaCompany, settled=settled, in_terminal=play_in_terminal)
