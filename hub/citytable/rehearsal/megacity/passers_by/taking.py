"""Cards, tiles and the bag: the standard actions, as passers-by do them."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from citytable.evenings.agenda import Doing
from citytable.evenings.people import Person
from citytable.evenings.world import Piece, Thing
from citytable.games.megacity.actions import Refresh, Reorganise, ReturnPieces, Rezone, TakeContract, TakePieces
from citytable.games.megacity.actions import TakePlatform as TakesPlatform
from citytable.games.megacity.ending import excess
from citytable.games.megacity.position import TYPES
from citytable.games.megacity.spots import LANDMARK_SLOTS, contract_column, landmark
from citytable.games.megacity.turn import actions_left
from citytable.rehearsal.megacity.evenings.fingers import by_material
from citytable.rehearsal.megacity.evenings.record import ALOUD, NEIGHBOURS
from citytable.rehearsal.megacity.passers_by.table import PHRASE_S, Cafe
from citytable.table import spot as spots
from citytable.table.spot import Spot

THREE = 3
READS_S, PROTEST_S, WHILE_S = (0.5, 6.0), (4.0, 40.0), (20.0, 100.0)
LAST_PIECE = 1.5
HAND_G = (15.0, 150.0)  # of a hand in the bag


# cards


def takes_card(table: Cafe, who: Person, action: TakeContract, *, said: bool = False) -> Doing:
    """Take a contract."""
    if not said and who.does("regrets_card"):
        yield from _regrets(table, who, action)
    card = table.card(action.contract)
    yield from table.hold(card)
    column = table.world.spot_of(card)
    if column in table.world.piles and who.does("fans_column"):
        yield from _fans(table, column)
    spot, protest = _slot_for(table, who)
    yield from table.lift(who, card)
    if table.reads(contract_column("public")) and who.does("card_follows_bag"):
        table.did(who, action, said=said)
        table.beside(_lays_down(table, who, card), 5.0, 25.0)
        yield from lays_landmarks_out(table, who)
        return
    yield table.rng.uniform(*READS_S)
    yield from table.lay(who, card, spot)
    table.did(who, action, said=said)
    table.let_go(card)
    if protest:
        table.beside(_comes_home(table, who, card, spot, table.slots), *PROTEST_S)
    yield from lays_landmarks_out(table, who)


def lays_landmarks_out(table: Cafe, who: Person) -> Doing:
    """Lay the landmarks out, once the last standard contract was taken (R38)."""
    for name in table.record.position.landmarks:
        card = table.card(name)
        free = [spot for k in range(LANDMARK_SLOTS) if table.world.top(spot := landmark(k)) is None]
        if free and table.world.spot_of(card) is None and table.grabs(card):
            yield from table.lay(who, card, free[0])
            table.let_go(card)


def _slot_for(table: Cafe, who: Person) -> tuple[Spot, bool]:
    """Return where somebody lays a card, and whether anybody will protest."""
    theirs = table.slots(table.neighbour(who).seat)
    if theirs and who.does("card_on_neighbours_side"):
        return table.rng.choice(theirs), True
    mine = [spots.card(who.seat, k) for k in range(spots.CARD_SLOTS_PER_SEAT)]
    taken = [spot for spot in mine if (top := table.world.top(spot)) and not top.face_down and table.is_free(top)]
    if taken and who.does("stacks_cards"):
        return table.rng.choice(taken), False
    return free_slot(table, who.seat), False


def free_slot(table: Cafe, seat: int) -> Spot:
    """Return a free card slot, or any: completed cards are pushed away for that."""
    if not (free := table.slots(seat)):
        mine = [spots.card(seat, k) for k in range(spots.CARD_SLOTS_PER_SEAT)]
        for spot in mine:
            for card in table.world.lying(spot):
                if card.face_down and table.is_free(card):
                    table.world.lift(card)
                    table.senses.stirred(spot)
        free = table.slots(seat) or mine
    return table.rng.choice(free)


def _lays_down(table: Cafe, who: Person, card: Thing) -> Doing:
    """Lay down at last what was in the hand."""
    yield from table.lay(who, card, free_slot(table, who.seat))
    table.let_go(card)


def _comes_home(table: Cafe, who: Person, thing: Thing, spot: Spot, free: Callable[[int], list[Spot]]) -> Doing:
    """Take what lies on the neighbour's side to the own one."""
    if table.world.spot_of(thing) == spot and table.grabs(thing):
        if mine := free(who.seat):
            yield from table.carry(who, thing, mine[0])
        table.let_go(thing)


def _regrets(table: Cafe, who: Person, action: TakeContract) -> Doing:
    """Take another card first, and put it back."""
    others = [one.contract for one in table.record.game.legal_actions if isinstance(one, TakeContract)]
    card = table.card(table.rng.choice(others))
    column, mine = table.world.spot_of(card), table.slots(who.seat)
    if card is table.card(action.contract) or column is None or not mine or not table.grabs(card):
        return
    yield from table.carry(who, card, mine[0])
    yield table.rng.uniform(*PROTEST_S)
    yield from table.carry(who, card, column)
    table.let_go(card)


def _fans(table: Cafe, column: Spot) -> Doing:
    """Pick a whole column up, look through it, and put it back in order."""
    cards = table.world.lying(column)
    for card in reversed(cards):
        table.world.lift(card)
    table.senses.stirred(column)
    yield table.rng.uniform(3.0, 15.0)
    for card in cards:
        table.world.lay(column, card)
    table.senses.stirred(column)


def reorganises(table: Cafe, who: Person, action: Reorganise, *, said: bool = False) -> Doing:
    """Put the top card of a column to its back."""
    column = contract_column(action.column)
    cards = table.record.position.columns[TYPES.index(action.column)]
    card = table.card(cards[0])
    yield from table.hold(card)
    if who.does("fans_column"):
        yield from _fans(table, column)
    yield from table.lift(who, card)
    yield from table.lay(who, card, column, below=True)
    table.did(who, action, said=said, soft=len(cards) == 1)  # a single card stays where it is (A5)
    table.let_go(card)


# tiles


def turns_up(table: Cafe, who: Person) -> Doing:
    """Turn up what is missing in the supply."""
    while table.missing and (free := table.supply()):
        thing = table.face_up(table.missing.pop(0))
        yield from table.hold(thing)
        yield from table.lay(who, thing, table.rng.choice(free))
        table.let_go(thing)


def takes_platform(table: Cafe, who: Person, action: TakesPlatform) -> Doing:
    """Take a platform, and turn another one up."""
    yield from turns_up(table, who)
    outcome: Any = table.dealer.outcome(table.record.game, action)
    thing = table.platform(action.platform)
    yield from table.hold(thing)
    yield from table.lift(who, thing)
    helper = table.neighbour(who) if who.does("refill_first") else None
    if who.does("closes_gap"):
        yield from _closes_gap(table, who)
    if helper is not None:
        table.missing += outcome.revealed
        table.beside(turns_up(table, helper), 0.0, 1.0)
    if table.reads(contract_column("public")) and who.does("holds_platform"):
        table.did(who, outcome)
        table.beside(_lays_tile_down(table, who, thing), *WHILE_S)
    else:
        theirs = table.pads(table.neighbour(who).seat)
        protest = bool(theirs) and who.does("platform_on_neighbours_side")
        spot = table.rng.choice(theirs) if protest else table.free_pad(who.seat)
        yield from table.lay(who, thing, spot)
        table.did(who, outcome)
        table.let_go(thing)
        if protest:
            table.beside(_comes_home(table, who, thing, spot, table.pads), *PROTEST_S)
    if helper is None:
        table.missing += outcome.revealed
        if not who.does("refill_later"):
            yield from turns_up(table, who)


def _lays_tile_down(table: Cafe, who: Person, thing: Thing) -> Doing:
    yield from table.lay(who, thing, table.free_pad(who.seat))
    table.let_go(thing)


def _closes_gap(table: Cafe, who: Person) -> Doing:
    """Push a tile of the supply into a gap."""
    gap = table.supply()
    lying = [one for one in table.record.position.supply if one and table.world.spot_of(table.platform(one.platform))]
    tiles = [thing for one in lying if table.is_free(thing := table.platform(one.platform))]
    if gap and tiles and table.grabs(tile := table.rng.choice(tiles)):
        yield from table.carry(who, tile, gap[0])
        table.let_go(tile)


def rezones(table: Cafe, who: Person, action: Rezone, *, said: bool = False) -> Doing:
    """Flip a platform; what stands on it is cleared first (A9)."""
    thing = table.platform(action.platform)
    yield from table.hold(thing)
    for piece in list(thing.pieces):
        yield from table.take(who, thing, piece, table.heap(who.seat))
    for _ in range(3 if who.does("flips_and_flips") else 1):
        yield from flips(table, who, thing)
    table.did(who, action, said=said)
    table.let_go(thing)


def flips(table: Cafe, who: Person, thing: Thing) -> Doing:
    """Lift a platform, flip it, and lay it where it lay."""
    spot = table.world.spot_of(thing) or table.free_pad(who.seat)
    yield from table.lift(who, thing)
    thing.side = 1 - thing.side
    yield from table.lay(who, thing, spot)


def refreshes(table: Cafe, who: Person, action: Refresh) -> Doing:
    """Put the supply under the stack, and turn up three others."""
    yield from turns_up(table, who)
    outcome: Any = table.dealer.outcome(table.record.game, action)
    for face in table.record.position.supply:
        if face is not None:
            thing = table.platform(face.platform)
            yield from table.hold(thing)
            yield from table.lift(who, thing)
            table.let_go(thing)
    table.did(who, outcome)
    table.missing += outcome.revealed
    yield from turns_up(table, who)


# the bag


def draws(table: Cafe, who: Person, action: TakePieces, *, once: bool = False) -> Doing:
    """Take pieces from the bag; `once`: for one action and no more."""
    yield from table.hold(table.bag)
    if action.announced is None:
        yield from _draws_three(table, who, once=once)
    else:
        yield from _chooses(table, who, action)
    table.let_go(table.bag)


def _draws_three(table: Cafe, who: Person, *, once: bool) -> Doing:
    lap = who.does("lap_bag")
    if lap:
        yield from table.lift(who, table.bag)
    can_be_two = not once and actions_left(table.record.position) > 1 and len(table.bag.pieces) >= 2 * THREE
    six = can_be_two and who.does("handful_of_six")
    count = 2 * THREE if six else THREE
    drawn: list[Piece] = []
    if who.does("one_at_a_time"):
        for _ in range(min(count, len(table.bag.pieces))):
            yield from reaches_in(table, who, 1, drawn)
    elif who.does("fistful"):
        yield from reaches_in(table, who, count + table.rng.randint(1, 4), drawn)
        for piece in drawn[count:]:
            yield from table.add(who, table.bag, piece, drawn)
    else:
        yield from reaches_in(table, who, count, drawn)
    if not six and who.does("changes_draw"):
        while drawn:
            yield from table.add(who, table.bag, drawn[-1], drawn)
        yield from _chooses(table, who, TakePieces(player=who.seat, announced=table.rng.choice(("steel", "glass"))))
        return
    for k in range(0, max(1, len(drawn)), THREE):
        table.did(who, TakePieces(player=who.seat, drawn=by_material(drawn[k : k + THREE])))
    table.heap(who.seat).extend(drawn)


def _chooses(table: Cafe, who: Person, action: TakePieces) -> Doing:
    """Announce a material and take one piece of it; three at random where none is left."""
    fitting = [piece for piece in table.bag.pieces if piece.material == action.announced]
    drawn: list[Piece] = []
    aloud = who.does("aloud_only")
    if (spot := table.world.spot_of(table.bag)) is not None:
        yield from table.press(spot, table.rng.uniform(*HAND_G), table.takes_s(who, 5.0))
    others = [piece for piece in table.bag.pieces if piece.material != action.announced]
    if fitting and others and who.does("wrong_piece"):
        other = table.rng.choice(others)
        yield from table.take(who, table.bag, other, drawn)
        yield table.takes_s(who, 2.0)
        yield from table.add(who, table.bag, other, drawn)
    if fitting:
        yield from table.take(who, table.bag, table.rng.choice(fitting), drawn)
    else:
        yield from reaches_in(table, who, THREE, drawn)
    table.did(who, replace(action, drawn=by_material(drawn)), unseen=ALOUD if aloud else "", said=not aloud)
    if not aloud:
        table.record.say(table.record.done[-1].action, who.seat, table.rng.uniform(*PHRASE_S))
    table.heap(who.seat).extend(drawn)


def reaches_in(table: Cafe, who: Person, count: int, into: list[Piece]) -> Doing:
    """Draw so many pieces at random in one grab."""
    spot = table.world.spot_of(table.bag)
    if spot is not None:
        yield from table.press(spot, table.rng.uniform(*HAND_G), table.takes_s(who, 2.0))
    else:
        yield table.takes_s(who, 2.0)
    drawn = table.rng.sample(table.bag.pieces, min(count, len(table.bag.pieces)))
    table.bag.pieces[:] = [piece for piece in table.bag.pieces if piece not in drawn]
    into += drawn
    table.senses.stirred(spot)
    yield table.takes_s(who, 1.0)


def reaches_over(table: Cafe, who: Person) -> Doing:
    """Draw three from the bag while it is with the player before; the bag is held."""
    yield from reaches_in(table, who, THREE, table.hand(who.seat))


def brings_in(table: Cafe, who: Person) -> None:
    """Make the turn's first action of what was drawn before the bag came."""
    if drawn := table.hand(who.seat):
        table.did(who, TakePieces(player=who.seat, drawn=by_material(drawn)), unseen=NEIGHBOURS)
        table.heap(who.seat).extend(drawn)
        drawn.clear()


def gives_back(table: Cafe, who: Person) -> Doing:
    """Put what is over fifteen into the bag, which is held (R11)."""
    count = excess(table.record.position)
    heap, back = table.heap(who.seat), list[Piece]()
    for face in table.record.position.players[who.seat - 1].platforms:
        thing = table.platform(face.platform)
        while len(heap) < count and (loose := [piece for piece in thing.pieces if piece.material]):
            yield from table.take(who, thing, loose[-1], heap)
    for piece in table.rng.sample(heap, min(count, len(heap))):
        heap.remove(piece)
        back.append(piece)
    returned = by_material(back)
    together = table.rng.random() < 0.5
    if together:
        yield table.takes_s(who, LAST_PIECE)
        table.bag.pieces.extend(back)
        table.senses.stirred(table.world.spot_of(table.bag))
    else:
        for piece in list(back):
            yield from table.add(who, table.bag, piece, back)
    table.did(who, ReturnPieces(player=who.seat, returned=returned))
