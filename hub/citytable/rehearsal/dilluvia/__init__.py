"""The people of Dilluvia Project at the virtual table."""

from citytable.rehearsal.dilluvia.company import DilluviaCompany
from citytable.rehearsal.dilluvia.terminal import play_in_terminal
from citytable.rehearsal.people import People

PEOPLE = People(DilluviaCompany, in_terminal=play_in_terminal)
