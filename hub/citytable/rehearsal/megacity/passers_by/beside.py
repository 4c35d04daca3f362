"""What passers-by do beside playing: with their own things, with other people's, with glasses, coins and phones."""

from collections.abc import Callable, Mapping

from citytable.evenings.agenda import Doing
from citytable.evenings.people import Person
from citytable.evenings.world import Thing
from citytable.games.megacity.spots import CITY, supply_platform
from citytable.rehearsal.megacity.passers_by.delivering import builds, falls_in_the_city
from citytable.rehearsal.megacity.passers_by.table import Cafe
from citytable.rehearsal.megacity.passers_by.wishes import towers
from citytable.table import spot as spots
from citytable.table.spot import Spot

LOOKS_S, LEAVES_S, SHORT_S = (2.0, 15.0), (5.0, 150.0), (1.5, 6.0)
GLASS_G, COIN_G, PHONE_G, ELBOW_G = (120.0, 450.0), (2.0, 8.0), (150.0, 230.0), (5.0, 300.0)


def _mine(table: Cafe, who: Person) -> list[Thing]:
    """Return the platforms of a player that lie on a pad and that nobody holds."""
    things = [table.platform(face.platform) for face in table.record.position.players[who.seat - 1].platforms]
    return [one for one in things if table.is_free(one) and (table.world.spot_of(one) or "").startswith("seat/")]


def _open_cards(table: Cafe, seat: int) -> list[Thing]:
    cards = [table.card(name) for name in table.record.position.players[seat - 1].contracts]
    return [one for one in cards if table.is_free(one) and table.world.spot_of(one) is not None]


def _buildings(table: Cafe, _who: Person) -> list[Spot]:
    return [spots.city(one.at) for one in table.record.position.buildings]


def _elbows(_table: Cafe, who: Person) -> list[Spot]:
    return [*(spots.city(cell) for cell in CITY), *(spots.pad(who.seat, k) for k in range(3))]


def _around(table: Cafe, who: Person) -> list[Spot]:
    """Return spots within reach on which nothing lies."""
    reach = [*table.pads(who.seat), *table.slots(who.seat), *(spots.city(cell) for cell in CITY)]
    cradles = [spots.bag(seat) for seat in table.record.persons]
    return [spot for spot in [*reach, *cradles] if table.world.top(spot) is None]


def weighs_the_bag(table: Cafe, who: Person) -> Doing:
    """Lift the bag to guess how much is left."""
    spot = table.world.spot_of(table.bag)
    if spot is not None and table.grabs(table.bag):
        yield from table.carry(who, table.bag, spot, table.takes_s(who, 2.0))
        table.let_go(table.bag)


def heap_on_pad(table: Cafe, who: Person) -> Doing:
    """Keep loose pieces on a pad for a while."""
    pads, grams = table.pads(who.seat), sum(piece.mass_g for piece in table.heap(who.seat))
    if pads and grams:
        yield from table.press(table.rng.choice(pads), grams, table.rng.uniform(*LEAVES_S), still=True)


def sorts_on_platform(table: Cafe, who: Person) -> Doing:
    """Lay pieces out on a platform and take them off again."""
    mine, heap = _mine(table, who), table.heap(who.seat)
    if not (mine and heap and table.grabs(thing := table.rng.choice(mine))):
        return
    some = table.rng.sample(heap, table.rng.randint(1, len(heap)))
    for piece in some:
        yield from table.add(who, thing, piece, heap)
    yield table.rng.uniform(*LOOKS_S)
    for piece in some:
        yield from table.take(who, thing, piece, heap)
    table.let_go(thing)


def lends(table: Cafe, who: Person) -> Doing:
    """A piece gets into a neighbour's heap."""
    yield 0.5
    other, heap = table.neighbour(who), table.heap(who.seat)
    if heap and table.is_free(table.bag):  # nobody counts what goes back just now
        piece = heap.pop()
        table.heap(other.seat).append(piece)
        table.record.hands_over(piece, who.seat, other.seat)


def reads_neighbours_card(table: Cafe, who: Person) -> Doing:
    """Take a neighbour's card, read it, and lay it on another of their slots."""
    other = table.neighbour(who)
    cards, slots = _open_cards(table, other.seat), table.slots(other.seat)
    if cards and slots and table.grabs(card := table.rng.choice(cards)):
        yield from table.carry(who, card, table.rng.choice(slots), table.rng.uniform(*LOOKS_S))
        table.let_go(card)


def counts_prestige(table: Cafe, who: Person) -> Doing:
    """Turn a completed card up, count, and take it away."""
    done = [table.card(name) for name in table.record.position.players[who.seat - 1].completed]
    slots = table.slots(who.seat)
    aside = [one for one in done if table.is_free(one) and table.world.spot_of(one) is None]
    if slots and aside and table.grabs(card := table.rng.choice(aside)):
        card.face_down = False
        yield from table.lay(who, card, table.rng.choice(slots))
        yield table.rng.uniform(*LOOKS_S)
        yield from table.lift(who, card)
        card.face_down = True
        table.let_go(card)


def shows_landmark(table: Cafe, who: Person) -> Doing:
    """Show a landmark that is still in the box."""
    slots = table.slots(table.neighbour(who).seat)
    if table.record.position.landmarks_open or not slots:
        return
    card = table.card(table.rng.choice(table.record.game.deck.landmarks))
    if table.world.spot_of(card) is None and table.grabs(card):
        yield from table.lay(who, card, slots[0])
        yield table.rng.uniform(*LOOKS_S)
        yield from table.lift(who, card)
        table.let_go(card)


def tidies_cards(table: Cafe, who: Person) -> Doing:
    """Move a card to another slot."""
    cards, slots = _open_cards(table, who.seat), table.slots(who.seat)
    if cards and slots and table.grabs(card := table.rng.choice(cards)):
        yield from table.carry(who, card, slots[0])
        table.let_go(card)


def _tile(table: Cafe) -> Thing | None:
    """Take hold of a tile of the supply."""
    tiles = [tile for k in range(3) if (tile := table.world.top(supply_platform(k)))]
    return tile if tiles and table.grabs(tile := table.rng.choice(tiles)) else None


def flips_in_supply(table: Cafe, who: Person) -> Doing:
    """Look at the back of a tile of the supply."""
    tile = _tile(table)
    if tile is not None and (spot := table.world.spot_of(tile)):
        yield from table.carry(who, tile, spot, table.takes_s(who, 2.0))
        table.let_go(tile)


def demonstrates(table: Cafe, who: Person) -> Doing:
    """Lay a tile of the supply before somebody else, explain, and put it back."""
    pads = table.pads(table.neighbour(who).seat)
    if not pads or (tile := _tile(table)) is None or not (spot := table.world.spot_of(tile)):
        return
    yield from table.carry(who, tile, pads[0])
    yield table.rng.uniform(*LOOKS_S)
    yield from table.carry(who, tile, spot)
    table.let_go(tile)


def changes_pads(table: Cafe, who: Person) -> Doing:
    """Move a platform to another pad."""
    mine, pads = _mine(table, who), table.pads(who.seat)
    if mine and pads and table.grabs(thing := table.rng.choice(mine)):
        yield from table.carry(who, thing, pads[0])
        table.let_go(thing)


def drives(table: Cafe, who: Person) -> Doing:
    """Drive an empty platform over the city and home."""
    empty = [thing for thing in _mine(table, who) if not thing.pieces]
    if not empty or table.delivering or not table.grabs(thing := table.rng.choice(empty)):
        return
    home = table.world.spot_of(thing) or table.free_pad(who.seat)
    way = [spots.city(cell) for cell in CITY if table.world.top(spots.city(cell)) is None]
    for spot in table.rng.sample(way, min(3, len(way))):
        yield from table.carry(who, thing, spot)
        yield table.rng.uniform(*SHORT_S)
    yield from table.carry(who, thing, home)
    table.let_go(thing)


def tower_falls(table: Cafe, who: Person) -> Doing:
    """Knock a tower over on the pad; the pieces go back to the heap."""
    built = [thing for thing in _mine(table, who) if len(thing.pieces) > 1]
    if not built or table.delivering or not table.grabs(thing := table.rng.choice(built)):
        return
    yield 0.3
    spot = table.world.spot_of(thing)
    lost = table.rng.sample(thing.pieces, table.rng.randint(2, len(thing.pieces)))
    before_g, lost_g = thing.whole_g - thing.mass_g, sum(piece.mass_g for piece in lost)
    thing.pieces[:] = [piece for piece in thing.pieces if piece not in lost]
    table.heap(who.seat).extend(lost)
    table.senses.stirred(spot)
    table.senses.falls(spot, lost_g, lost_g / before_g)
    table.let_go(thing)


def child_picks(table: Cafe, who: Person) -> Doing:
    """Take a piece off a building of the city; somebody else puts it back."""
    standing = [table.platform(one.face.platform) for one in table.record.position.buildings if one.standing]
    if table.delivering or not standing or not table.grabs(thing := table.rng.choice(standing)):
        return
    loose = [piece for piece in thing.pieces if piece.material]
    if loose:
        yield from table.take(who, thing, loose[-1], table.fingers)
        yield table.rng.uniform(*LOOKS_S)
        yield from table.add(table.neighbour(who), thing, loose[-1], table.fingers)
    table.let_go(thing)


def _leaves(
    grams: tuple[float, float], seconds: tuple[float, float], where: Callable[[Cafe, Person], list[Spot]]
) -> Callable[[Cafe, Person], Doing]:
    """Return how somebody leaves so many grams for so long on one of these spots."""

    def leave(table: Cafe, who: Person) -> Doing:
        if there := where(table, who):
            spot = table.rng.choice(there)
            yield from table.press(spot, table.rng.uniform(*grams), table.rng.uniform(*seconds), still=True)

    return leave


def phone_down(table: Cafe, who: Person) -> Doing:
    """Lay a phone on a slot or a pad, whatever lies there: no tag is read below it."""
    spot = table.rng.choice([spots.card(who.seat, table.rng.randrange(3)), spots.pad(who.seat, table.rng.randrange(3))])
    if any(thing.pieces for thing in table.world.lying(spot)) or spot in table.world.metal:
        return
    table.world.metal.add(spot)
    yield from table.press(spot, table.rng.uniform(*PHONE_G), table.rng.uniform(*LEAVES_S), still=True)
    table.world.metal.discard(spot)
    table.senses.stirred(spot)


def builds_if_any(table: Cafe, who: Person) -> Doing:
    """Work on a tower, if there is one."""
    yield 0.0
    if towers(table, who.seat):
        yield from builds(table, who)


BESIDE: Mapping[str, Callable[[Cafe, Person], Doing]] = {
    "builds": builds_if_any,
    "weighs_the_bag": weighs_the_bag,
    "heap_on_pad": heap_on_pad,
    "sorts_on_platform": sorts_on_platform,
    "lends": lends,
    "reads_neighbours_card": reads_neighbours_card,
    "counts_prestige": counts_prestige,
    "shows_landmark": shows_landmark,
    "tidies_cards": tidies_cards,
    "flips_in_supply": flips_in_supply,
    "demonstrates": demonstrates,
    "changes_pads": changes_pads,
    "drives": drives,
    "tower_falls": tower_falls,
    "child_picks": child_picks,
    "sleeve": falls_in_the_city,
    "glass_down": _leaves(GLASS_G, (10.0, 300.0), _around),
    "coins_down": _leaves(COIN_G, (5.0, 150.0), _buildings),
    "phone_down": phone_down,
    "elbow": _leaves(ELBOW_G, LOOKS_S, _elbows),
}
"""What somebody may do while anybody's turn runs, by the habit that says how often."""
