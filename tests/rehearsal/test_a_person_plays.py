"""A person's turn at the virtual table, as the bots see it."""

import random
from types import SimpleNamespace

from citytable.bots.greedy import Greedy
from citytable.games import box_of
from citytable.games.comeback.dealer import Dealer as ComebackDealer
from citytable.games.megacity.dealer import Dealer
from citytable.rehearsal.blind import Blind
from citytable.rehearsal.comeback.company import ComebackCompany
from citytable.rehearsal.company import PATIENCE, Scenery
from citytable.rehearsal.megacity.company import MegaCityCompany
from citytable.table.plan import Plan

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


class SoloTable:
    """A display and hands for a game for one: at the tenth look a person sits down, who plays to the end."""

    door_port = 1

    def __init__(self, box, options):
        self.game, self.dealer, self.rng = box.begin(options), ComebackDealer(random.Random(2)), random.Random(3)
        self.looks, self.company, self.acts = 0, None, []

    async def act(self, *acts):
        self.acts += acts
        self.looks += acts[0]["act"] == "look_around"
        return [{"wished": [1] if self.looks == 10 else []} if one["act"] == "look_around" else {} for one in acts]

    async def wait(self, _ms):
        """Let the person do one thing, once they have taken over."""
        if not self.company._people or self.game.outcome() is not None:
            return
        if not self.game.actions:
            for action in self.company.intentions:
                self.game.push(action)
        decision = self.rng.choice(list(self.game.legal_actions))
        self.game.push(self.dealer.outcome(self.game, decision))

    def seat(self):
        return self.company._table.seat(self.game.position if self.game.actions else self.company._exact.position)

    def actions(self):
        return tuple(self.game.actions)

    async def entries(self):
        return self.company.intentions

    async def say(self, word):
        pass

    def questions(self):
        return ()


async def test_a_person_who_sits_down_in_the_middle_of_a_solo_game_finds_its_cards_and_plays_it_to_the_end():
    box = box_of("comeback")
    options = box.options(1)
    table = SoloTable(box, options)
    scenery = Scenery(table, table, random.Random(4), Blind(Plan("solo", 1, (), {})), lambda _: None)
    company = table.company = ComebackCompany(box, options, (Greedy(),), scenery)
    await company.play()
    assert len(company.intentions) > 10
    assert company.intentions == tuple(table.game.actions)
    piles = {one["pile"]: one["things"] for one in table.acts if one["act"] == "stack"}
    assert len(piles["disasters"]) == 5
    loose = [card for cards in (*piles.values(), company._lying) for card in cards if card.startswith("building/")]
    assert sorted(loose) == sorted(f"building/{card}" for card in table.game.deck.cards), "each card once"
