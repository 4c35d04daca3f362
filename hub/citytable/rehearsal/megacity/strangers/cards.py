"""Strangers and the contract cards: taking (R8, R39), reorganising (R14), and what hands do with cards all the time."""

from citytable.evenings.agenda import Doing
from citytable.evenings.people import Person
from citytable.evenings.world import Thing
from citytable.games.megacity.actions import Reorganise, TakeContract
from citytable.games.megacity.position import TYPES, BuildingType
from citytable.games.megacity.spots import contract_column, landmark
from citytable.rehearsal.megacity.strangers.parlour import Parlour, free_slots, neighbours
from citytable.table import spot as spots
from citytable.table.spot import Spot

SAME_CARD = "the same card is on top again"


def take_contract(table: Parlour, who: Person, decision: TakeContract, *, unseen: str = "") -> Doing:
    """Take a card from its column, or a landmark, into the own play area; `unseen`: it is against a rule."""
    if who.does("takes_another_first"):
        yield from _the_wrong_one(table, who, decision)
    card = table.card(decision.contract)
    yield from table.hold(card)
    yield from table.lift(who, card)
    if who.does("reads_before_laying"):
        yield table.takes_s(who, 12.0)
    yield from clear_slots(table, who)
    yield from _lay(table, who, card)
    had = table.record.position.landmarks_open
    if unseen:
        table.record.did_against_rules(decision, unseen)
    else:
        table.record.did(decision)
    table.let_go(card)
    if table.record.position.landmarks_open and not had:
        yield from _lay_out_landmarks(table, who)


def _the_wrong_one(table: Parlour, who: Person, decision: TakeContract) -> Doing:
    """Take another card to the own slot, think again, and lay it back on top of its column."""
    columns = [_whole_column(table, kind) for kind in TYPES]
    tops = [column[-1] for column in columns if column]
    others = [card for card in tops if card is not table.card(decision.contract)]
    slots = free_slots(table, who.seat)
    if not others or not slots:
        return
    card = table.rng.choice(others)
    column = table.world.spot_of(card)
    if column is None or not table.grabs(card):
        return
    yield from table.bring(who, card, slots[-1])
    yield table.takes_s(who, 5.0)
    yield from table.bring(who, card, column)
    table.let_go(card)


def _whole_column(table: Parlour, kind: BuildingType) -> tuple[Thing, ...]:
    """Return the cards of a column, the top last; nothing while somebody has one of them."""
    lying = table.world.lying(contract_column(kind))
    cards = [table.card(name) for name in reversed(table.record.position.columns[TYPES.index(kind)])]
    return lying if list(lying) == cards else ()


def _lay(table: Parlour, who: Person, card: Thing) -> Doing:
    """Lay a card on a free slot: straight, or half on it and straightened later, or beside it for a while."""
    slots = free_slots(table, who.seat)
    if who.does("lays_card_beside"):
        yield table.takes_s(who, 25.0)
        slots = free_slots(table, who.seat)
    slot = table.rng.choice(slots) if slots else spots.card(who.seat, 0)
    if who.does("lays_card_crookedly"):
        yield from table.put(who, card, slot, askew=True)
        yield table.takes_s(who, 8.0)
        yield from table.bring(who, card, slot)
        return
    yield from table.put(who, card, slot)


def clear_slots(table: Parlour, who: Person) -> Doing:
    """Push completed contracts aside where no slot is free, and take what else lies there in hand."""
    if free_slots(table, who.seat):
        return
    open_cards = {table.card(name).name for name in table.record.position.players[who.seat - 1].contracts}
    for k in range(spots.CARD_SLOTS_PER_SEAT):
        for thing in table.world.lying(spots.card(who.seat, k)):
            if thing.name not in open_cards and table.grabs(thing):
                yield from table.lift(who, thing)
                table.let_go(thing)


def _lay_out_landmarks(table: Parlour, who: Person) -> Doing:
    """Lay out the landmarks, as the last standard contract has been taken (R38)."""
    for k, name in enumerate(table.record.position.landmarks):
        yield from table.put(who, table.card(name), landmark(k))


def reorganise(table: Parlour, who: Person, decision: Reorganise) -> Doing:
    """Put the top card of a column behind the others; a single card comes back to where it was."""
    column = contract_column(decision.column)
    card = table.card(table.record.position.columns[TYPES.index(decision.column)][0])
    yield from table.hold(card)
    yield from table.lift(who, card)
    if who.does("reads_before_laying"):
        yield table.takes_s(who, 8.0)
    alone = not table.world.lying(column)
    yield from table.put(who, card, column, below=True)
    table.record.did(decision, soft=alone, unseen=SAME_CARD if alone else "")
    table.let_go(card)


# what hands do with cards that is no action


def own_cards(table: Parlour, who: Person) -> list[tuple[Thing, Spot]]:
    """Return the open contracts before a player that nobody holds, with their slots."""
    cards = [table.card(name) for name in table.record.position.players[who.seat - 1].contracts]
    lying = [(card, table.world.spot_of(card)) for card in cards if table.is_free(card)]
    return [(card, spot) for card, spot in lying if spot is not None]


def holds_cards(table: Parlour, who: Person) -> Doing:
    """Hold one or all of the own contracts like a hand of cards."""
    cards = own_cards(table, who)
    for card, _ in cards[: table.rng.randint(1, 3)]:
        if not table.grabs(card):
            continue
        yield from table.lift(who, card)
        yield table.takes_s(who, table.rng.choice((4.0, 12.0, 30.0)))
        yield from table.put(who, card, _its_slot(table, who.seat, spots.card(who.seat, 0)))
        table.let_go(card)


def shows_card(table: Parlour, who: Person) -> Doing:
    """Hand a contract to a neighbour, who lays it at their own place while they read."""
    cards = own_cards(table, who)
    other = table.rng.choice(neighbours(table, who.seat))
    slots = free_slots(table, other.seat)
    if not cards or not slots or not table.grabs(cards[0][0]):
        return
    card, home = cards[0]
    yield from table.lift(who, card)
    slots = free_slots(table, other.seat)
    if slots:
        yield from table.put(other, card, slots[-1])
        yield table.takes_s(other, 7.0)
        yield from table.lift(other, card)
    yield from table.put(who, card, _its_slot(table, who.seat, home))
    table.let_go(card)


def _its_slot(table: Parlour, seat: int, home: Spot) -> Spot:
    return home if table.world.top(home) is None else next(iter(free_slots(table, seat)), home)


def card_on_platform(table: Parlour, who: Person) -> Doing:
    """Lay a contract under or on the platform it belongs to, so as not to mix them up."""
    cards = own_cards(table, who)
    pads = [spots.pad(who.seat, k) for k in range(spots.PADS_PER_SEAT)]
    used = [pad for pad in pads if table.world.top(pad) is not None]
    if not cards or not used or not table.grabs(cards[0][0]):
        return
    card, home = cards[0]
    yield from table.bring(who, card, table.rng.choice(used))
    yield table.takes_s(who, 30.0)
    yield from table.lift(who, card)
    yield from table.put(who, card, _its_slot(table, who.seat, home))
    table.let_go(card)


def leafs_through(table: Parlour, who: Person) -> Doing:
    """Take a column of the supply up card by card, and lay it back in the same order."""
    kind = table.rng.choice(TYPES)
    column = contract_column(kind)
    taken: list[Thing] = []
    for card in reversed(_whole_column(table, kind)):
        if not table.grabs(card):
            break
        yield from table.lift(who, card)
        taken.append(card)
        yield table.takes_s(who, 1.0)
        if table.rng.random() < 0.4:
            break
    yield table.takes_s(who, 5.0)
    for card in reversed(taken):
        yield from table.put(who, card, column)
    for card in taken:
        table.let_go(card)


def swaps_cards(table: Parlour, who: Person) -> Doing:
    """Change two of the own contracts over."""
    cards = own_cards(table, who)[:2]
    if len(cards) < 2 or not all(table.is_free(card) for card, _ in cards):
        return
    (one, here), (other, there) = cards
    for card in (one, other):
        table.grabs(card)
    yield from table.lift(who, one)
    yield from table.lift(who, other)
    yield from table.put(who, one, there)
    yield from table.put(who, other, here)
    for card in (one, other):
        table.let_go(card)
