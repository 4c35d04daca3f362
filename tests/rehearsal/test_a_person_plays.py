"""A person's turn at the virtual table, as the bots see it."""

import random
from types import SimpleNamespace

from citytable.bots.greedy import Greedy
from citytable.games import box_of
from citytable.games.megacity.dealer import Dealer
from citytable.rehearsal.company import PATIENCE, Scenery
from citytable.rehearsal.megacity.company import MegaCityCompany

DEALER = Dealer(random.Random(1))


class Display:
    """A display that goes on to the next seat while the bots are still building."""

    def __init__(self):
        self.done, self.at = [], 1

    def seat(self):
        return self.at

    def actions(self):
        return tuple(self.done)

    def questions(self):
        return ()


async def _no_time(_ms):
    return None


async def test_what_a_quick_person_did_before_the_bots_had_built_is_not_lost():
    display, box = Display(), box_of("megacity")
    twin = SimpleNamespace(wait=_no_time, door_port=1)
    scenery = Scenery(twin, display, None, None, lambda _: None)
    company = MegaCityCompany(box, box.options(2), (Greedy(), Greedy()), scenery)
    dealt = DEALER.outcome(company._exact, next(iter(company._exact.legal_actions)))
    company._push(dealt)
    display.done.append(dealt)
    display.at = company._seat()
    company._people.add(display.at)
    await company._until_shown()
    seat = display.at
    display.done.append(box.action(f"p{seat} end_turn"))
    display.at = 3 - seat
    await company._persons_turn(seat)
    assert company._seat() == 3 - seat


class LateDisplay(Display):
    """The display of a hub that a busy computer holds up: the seat that plays stands there later than people expect."""

    def __init__(self, looks):
        super().__init__()
        self.looks = looks

    def seat(self):
        self.looks -= 1
        return 0 if self.looks > 0 else self.at


async def test_beside_people_at_browsers_a_hub_that_is_late_is_not_stuck():
    display, box = LateDisplay(looks=2 * PATIENCE), box_of("megacity")
    twin = SimpleNamespace(wait=_no_time, door_port=1)
    shown = []
    company = MegaCityCompany(
        box, box.options(2), (Greedy(), Greedy()), Scenery(twin, display, None, None, shown.append)
    )
    company._push(DEALER.outcome(company._exact, next(iter(company._exact.legal_actions))))
    display.at = company._seat()
    await company._until_shown()
    assert shown == [company._public.position]
