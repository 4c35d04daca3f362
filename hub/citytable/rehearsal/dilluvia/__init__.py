"""The people of Dilluvia Project at the virtual table."""

from citytable.rehearsal.dilluvia.company import DilluviaCompany
from citytable.rehearsal.people import People

PEOPLE = People(DilluviaCompany)
