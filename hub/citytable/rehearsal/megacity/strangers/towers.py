"""Strangers and their towers: building piece by piece at any time (R15), taking down, falling over, measuring."""

from citytable.evenings.agenda import Doing
from citytable.evenings.people import Person
from citytable.evenings.world import Piece, Thing
from citytable.games.megacity.pieces import Contract
from citytable.rehearsal.megacity.strangers.parlour import Parlour
from citytable.rehearsal.megacity.strangers.tiles import own_platforms
from citytable.table import spot as spots

FLOOR_MM = 5.5  # how much higher a tower is for each piece, on average
MARKER_MM = 8
EXTRA_PIECES = (0, 0, 0, 1, 2)  # more than a contract with "+" asks


def loose(pieces: list[Piece], contract: Contract | None = None) -> list[Piece]:
    """Return the building pieces among these that a contract allows."""
    forbidden = contract.forbidden if contract is not None else ()
    return [piece for piece in pieces if piece.material and piece.material not in forbidden]


def contract_for(table: Parlour, who: Person, thing: Thing) -> Contract | None:
    """Return an open contract of the type that a platform shows (R16)."""
    number = int(thing.name.split("/")[1])
    deck = table.record.game.deck
    up = deck.platforms[number][thing.side]
    mine = table.record.position.players[who.seat - 1].contracts
    return next((deck.contracts[name] for name in mine if deck.contracts[name].type == up), None)


def builds(table: Parlour, who: Person) -> Doing:
    """Build now and then while a turn runs: some pieces on, one off again, two changed over."""
    for _ in range(table.rng.randint(1, 5)):
        yield table.takes_s(who, 6.0)
        own = own_platforms(table, who)
        if not own:
            return
        thing, _ = table.rng.choice(own)
        if table.grabs(thing):
            yield from _one_change(table, who, thing)
            table.let_go(thing)


def _one_change(table: Parlour, who: Person, thing: Thing) -> Doing:
    contract = contract_for(table, who, thing)
    heap = table.heap(who.seat)
    fitting, standing = loose(heap, contract), loose(thing.pieces)
    wanted = contract.pieces if contract is not None else 4
    if standing and (len(standing) >= wanted or who.does("takes_top_off")):
        yield from table.take(who, thing, standing[-1], heap)
    elif fitting and len(standing) < wanted:
        yield from table.add(who, thing, table.rng.choice(fitting), heap)
        if fitting[1:] and who.does("adds_two_at_once"):
            yield from table.add(who, thing, fitting[-1], heap)
    elif standing and fitting:
        yield from table.take(who, thing, standing[0], heap)


def topples(table: Parlour, who: Person) -> Doing:
    """A tower on a pad falls over; the pieces lie about for a while, some of them still on the platform."""
    own = [(thing, spot) for thing, spot in own_platforms(table, who) if len(thing.pieces) > 1]
    if not own:
        return
    thing, spot = table.rng.choice(own)
    table.grabs(thing)
    gone = table.rng.sample(thing.pieces, table.rng.randint(1, len(thing.pieces)))
    table.senses.falls(spot, sum(piece.mass_g for piece in gone), len(gone) / len(thing.pieces))
    for piece in gone:
        thing.pieces.remove(piece)
        if piece.material:
            table.heap(who.seat).append(piece)
    table.senses.stirred(spot)
    yield table.takes_s(who, table.rng.choice((1.0, 25.0)))
    table.let_go(thing)


def height_mm(table: Parlour, least_mm: int) -> int:
    """Return how high a finished tower is: at least what its contract asks."""
    return least_mm + round(table.rng.expovariate(1 / FLOOR_MM)) + (MARKER_MM if table.rng.random() < 0.3 else 0)


def measures_for_fun(table: Parlour, who: Person) -> Doing:
    """Lower the crane on an unfinished tower, twice or thrice, with a piece more each time."""
    own = [(thing, spot) for thing, spot in own_platforms(table, who) if loose(thing.pieces)]
    if not own or not table.grabs(own[0][0]):
        return
    thing, spot = own[0]
    for _ in range(table.rng.randint(1, 3)):
        table.senses.measures(spot, FLOOR_MM * len(thing.pieces))
        yield from table.press(spot, table.rng.uniform(0.5, 4.0), table.takes_s(who, 1.0))
        for piece in loose(table.heap(who.seat))[:1]:
            yield from table.add(who, thing, piece, table.heap(who.seat))
    table.let_go(thing)


def sorts_pieces_on_pad(table: Parlour, who: Person) -> Doing:
    """Pour the loose pieces on an empty pad to sort them, and clear it again."""
    pads = [spots.pad(who.seat, k) for k in range(spots.PADS_PER_SEAT)]
    pad = table.world.free(*pads)
    if pad is not None:
        grams = sum(piece.mass_g for piece in table.heap(who.seat))
        yield from table.leave(pad, grams, table.takes_s(who, 15.0))


def straightens(table: Parlour, who: Person) -> Doing:
    """Nudge a tower, blow at it, tap on its platform."""
    for thing, spot in own_platforms(table, who):
        if thing.pieces:
            yield from table.press(spot, table.rng.uniform(-1.5, 20.0), table.takes_s(who, 0.5))


def finishes(table: Parlour, who: Person, thing: Thing, contract: Contract) -> Doing:
    """Bring a held platform to what its contract asks: as many pieces, of allowed materials (R17, R23).

    Give up where this player has not enough of them any more.
    """
    heap = table.heap(who.seat)
    wanted = contract.pieces + (table.rng.choice(EXTRA_PIECES) if contract.plus else 0)
    for piece in [piece for piece in thing.pieces if piece.material in contract.forbidden]:
        yield from table.take(who, thing, piece, heap)
    while len(loose(thing.pieces)) > max(wanted, contract.pieces):
        yield from table.take(who, thing, loose(thing.pieces)[-1], heap)
    while len(loose(thing.pieces)) < wanted:
        fitting = loose(heap, contract)
        if not fitting and len(loose(thing.pieces)) >= contract.pieces:
            return
        if within_reach(table, who, contract) < contract.pieces:
            return
        if not fitting:
            yield from _from_another(table, who, thing, contract)
            continue
        yield from table.add(who, thing, table.rng.choice(fitting), heap)


def _from_another(table: Parlour, who: Person, thing: Thing, contract: Contract) -> Doing:
    """Take a piece off another own platform."""
    for other, _ in own_platforms(table, who):
        found = loose(other.pieces, contract)
        if other is not thing and found and table.grabs(other):
            yield from table.take(who, other, found[-1], table.heap(who.seat))
            table.let_go(other)
            return
    yield table.takes_s(who, 2.0)


def within_reach(table: Parlour, who: Person, contract: Contract) -> int:
    """Return how many pieces a player has that a contract allows, loose or on undelivered platforms."""
    mine = table.record.position.players[who.seat - 1].platforms
    pieces = [piece for face in mine for piece in table.platform(face.platform).pieces]
    return len(loose(table.heap(who.seat) + pieces, contract))
