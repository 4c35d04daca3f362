"""The people who play MegaCity at the virtual table, written from the rulebook."""

from citytable.rehearsal.megacity.acts import holds, settled, unsure
from citytable.rehearsal.megacity.company import MegaCityCompany
from citytable.rehearsal.megacity.evenings.evening import TROUPE
from citytable.rehearsal.megacity.passers_by import visit
from citytable.rehearsal.megacity.spoken import points_text
from citytable.rehearsal.megacity.strangers import night
from citytable.rehearsal.megacity.terminal import play_in_terminal
from citytable.rehearsal.people import People

PEOPLE = People(
    MegaCityCompany,
    points_text,
    holds,
    unsure,
    settled,
    play_in_terminal,
    {"regulars": TROUPE, "strangers": night.TROUPE, "passers_by": visit.TROUPE},
)
