"""Towers and the city: building between turns, delivering, and what may follow a delivery."""

from collections.abc import Generator

from citytable.evenings.agenda import Doing
from citytable.evenings.people import Person
from citytable.evenings.world import Thing
from citytable.games.megacity.actions import (
    BuildingFell,
    Deliver,
    PlaceCentralParkMonument,
    PlaceMonument,
    PlacePark,
    Recycle,
)
from citytable.games.megacity.city import hexes_of, occupied
from citytable.games.megacity.layout import CENTRAL_PARK
from citytable.games.megacity.spots import CITY
from citytable.rehearsal.megacity.evenings.box import MARKER, marker_of
from citytable.rehearsal.megacity.evenings.fingers import by_material
from citytable.rehearsal.megacity.passers_by.table import Cafe
from citytable.rehearsal.megacity.passers_by.wishes import Tower, towers, usable
from citytable.table import spot as spots
from citytable.table.hexes import Hex, distance
from citytable.table.spot import Spot

HIGHER_MM = 18
RESTS_S, ARGUES_S, ROUND_S = (0.5, 6.0), (4.0, 25.0), (40.0, 150.0)


def builds(table: Cafe, who: Person) -> Doing:
    """Work a little on a tower."""
    for tower in towers(table, who.seat):
        if not table.delivering and table.grabs(tower.thing):
            yield from _works(table, who, tower, table.rng.randint(1, 6))
            table.let_go(tower.thing)
            return


def _works(table: Cafe, who: Person, tower: Tower, motions: int) -> Doing:
    """Do the next motions of a building: off with what does not belong there, on with what is missing."""
    contract, thing, heap = *tower, table.heap(who.seat)
    for _ in range(motions):
        wrong = [one for one in thing.pieces if one.material in contract.forbidden]
        loose = [one for one in thing.pieces if one.material]
        free = usable(contract, heap)
        if wrong or (len(loose) > contract.pieces and not contract.plus):
            yield from table.take(who, thing, (wrong or loose)[-1], heap)
        elif len(loose) < contract.pieces and free:
            yield from table.add(who, thing, table.rng.choice(free), heap)
        else:
            return


def delivers(table: Cafe, who: Person, action: Deliver) -> Doing:
    """Deliver a building; it may fall, or turn out to be invalid."""
    contract, thing = table.record.game.deck.contracts[action.contract], table.platform(action.platform)
    table.delivering = True
    yield from table.hold(thing)
    there = spots.city(action.at)
    if who.does("waits_in_the_city"):
        yield from table.carry(who, thing, there)
    yield from _works(table, who, Tower(contract, thing), 60)
    if len(usable(contract, thing.pieces)) < contract.pieces:  # somebody built something else of them meanwhile
        yield from _goes_home(table, who, thing)
        return
    height_mm = contract.height_mm + table.rng.randrange(HIGHER_MM)
    spot = table.world.spot_of(thing)
    if spot is not None and spot.startswith("seat/") and who.does("uses_crane"):
        table.senses.measures(spot, height_mm)
        yield table.takes_s(who, 2.0)
    cube_later = who.does("cube_later")
    if not cube_later:
        yield from _cube(table, who, thing)
    turned = who.does("card_first")
    if turned:
        yield from turns_card(table, who, action.contract)
    neighbour = yield from _slides(table, who, thing, action.at)
    if who.does("falls_on_the_way"):
        yield from _falls(table, who, action, thing, turned=turned)
    else:
        if cube_later:
            yield from _cube(table, who, thing)
        yield from _stands(table, who, action, height_mm, turned=turned)
    table.let_go(thing)
    if neighbour is not None:
        yield from table.lay(who, neighbour[0], neighbour[1])
        table.let_go(neighbour[0])
    table.delivering = False


def _goes_home(table: Cafe, who: Person, thing: Thing) -> Doing:
    """Give a delivery up before anybody could say that it fell."""
    if table.world.spot_of(thing) not in {spots.pad(who.seat, k) for k in range(spots.PADS_PER_SEAT)}:
        yield from table.carry(who, thing, table.free_pad(who.seat))
    table.let_go(thing)
    table.delivering = False


def _cube(table: Cafe, who: Person, thing: Thing) -> Doing:
    cube = marker_of(who.seat)
    yield from table.add(who, thing, cube, [cube])


def _slides(table: Cafe, who: Person, thing: Thing, at: Hex) -> Generator[float, None, tuple[Thing, Spot] | None]:
    """Slide a platform to its hex, maybe in steps; return a building that was lifted for it, and where it was."""
    position = table.record.position
    empty = [cell for cell in CITY if cell not in hexes_of(occupied(position)) and cell != at]
    beside = None
    if who.does("makes_room"):
        beside = _neighbour_of(table, at)
        if beside is not None:
            yield from table.lift(who, beside[0])
    if table.world.spot_of(thing) == spots.city(at):
        return beside
    steps = sorted((cell for cell in empty if distance(cell, at) <= 2), key=lambda cell: -distance(cell, at))
    if steps and who.does("slides_in_steps"):
        for cell in steps[:: max(1, len(steps) // 2)][:2]:
            yield from table.carry(who, thing, spots.city(cell))
            yield table.rng.uniform(*RESTS_S)
    if empty and who.does("another_hex"):
        near = min(empty, key=lambda cell: (distance(cell, at), cell))
        yield from table.carry(who, thing, spots.city(near))
        yield table.rng.uniform(*ARGUES_S)
    yield from table.carry(who, thing, spots.city(at), table.takes_s(who, 2.0))
    return beside


def _neighbour_of(table: Cafe, at: Hex) -> tuple[Thing, Spot] | None:
    """Take hold of a building beside a hex that stands in the way."""
    for building in table.record.position.buildings:
        thing = table.platform(building.face.platform)
        if distance(building.at, at) == 1 and spots.city(building.at) != table.tallest and table.grabs(thing):
            return thing, spots.city(building.at)
    return None


def _stands(table: Cafe, who: Person, action: Deliver, height_mm: int, *, turned: bool) -> Doing:
    """Note a delivery, turn its contract over, move the marker."""
    thing = table.platform(action.platform)
    built = by_material(thing.pieces)
    done = Deliver(
        player=who.seat,
        contract=action.contract,
        platform=action.platform,
        at=action.at,
        stood=True,
        height_mm=height_mm,
        pieces=built,
        judged=True,
    )
    table.did(who, done)
    if table.record.position.tallest == action.at and who.does("tallest_marker"):
        table.later(lambda: table.mark_tallest(table.record.position.tallest), 2.0, 15.0)
    if who.does("checks") and spots.city(action.at) != table.tallest:
        yield from table.carry(table.neighbour(who), thing, spots.city(action.at), 3.0)
    if turned:
        return
    if who.does("card_next_round"):
        table.beside(turns_card(table, who, action.contract), *ROUND_S)
        return
    yield from turns_card(table, who, action.contract, may_err=True)


def turns_card(table: Cafe, who: Person, name: str, *, may_err: bool = False) -> Doing:
    """Turn a completed contract over where it lies; it is taken to the others at once or sooner or later."""
    card = table.card(name)
    others = [table.card(one) for one in table.record.position.players[who.seat - 1].contracts if one != name]
    if may_err and others and who.does("turns_wrong_card"):
        yield from _turns(table, who, others[0], face_down=True)
        yield table.rng.uniform(*ARGUES_S)
        yield from _turns(table, who, others[0], face_down=False)
    yield from _turns(table, who, card, face_down=True)
    if table.rng.random() < 0.5 and table.grabs(card):
        yield from table.lift(who, card)
        table.let_go(card)


def _turns(table: Cafe, who: Person, card: Thing, *, face_down: bool) -> Doing:
    yield table.takes_s(who, 1.5)
    card.face_down = face_down
    if (spot := table.world.spot_of(card)) is not None:
        table.senses.stirred(spot)


def _falls(table: Cafe, who: Person, action: Deliver, thing: Thing, *, turned: bool) -> Doing:
    """It falls in the city: everything goes back to its player (R26)."""
    spot = spots.city(action.at)
    lost_g = sum(piece.mass_g for piece in thing.pieces)
    table.heap(who.seat).extend(piece for piece in thing.pieces if piece.material)
    thing.pieces.clear()
    table.senses.stirred(spot)
    table.senses.falls(spot, lost_g, 1.0)
    table.did(
        who,
        Deliver(player=who.seat, contract=action.contract, platform=action.platform, at=action.at, stood=False),
    )
    yield table.takes_s(who, 5.0)
    yield from table.carry(who, thing, table.free_pad(who.seat))
    if turned:
        yield from _turns(table, who, table.card(action.contract), face_down=False)


def withdraws(table: Cafe, who: Person, action: Deliver) -> Doing:
    """Carry a building to the city, where the others find it invalid, and home again (A14)."""
    thing = table.platform(action.platform)
    yield from table.hold(thing)
    yield from table.carry(who, thing, spots.city(action.at), table.takes_s(who, 2.0))
    yield table.rng.uniform(*ARGUES_S)
    yield from table.carry(who, thing, table.free_pad(who.seat))
    table.let_go(thing)


# what may follow


def lays_park(table: Cafe, who: Person, action: PlacePark) -> Doing:
    """Lay the park, maybe on another hex first."""
    park = table.world.things[f"park/{who.seat}"]
    others = [one.at for one in table.record.game.legal_actions if isinstance(one, PlacePark) and one.at != action.at]
    if others and who.does("park_tried"):
        yield from table.lay(who, park, spots.city(table.rng.choice(others)))
        yield table.rng.uniform(*RESTS_S)
    yield from table.carry(who, park, spots.city(action.at))
    table.did(who, action)


def places_monument(table: Cafe, who: Person, action: PlaceMonument | PlaceCentralParkMonument) -> Doing:
    """Put a spare piece on a park; an older monument leaves it first."""
    if isinstance(action, PlaceMonument):
        park = next(one for one in table.record.position.parks if one.at == action.park)
        thing = table.world.things[f"park/{park.owner}"]
    else:
        thing = table.world.things[CENTRAL_PARK]
    old, heap = list(thing.pieces), table.heap(who.seat)
    if not heap:
        yield from _frees_a_piece(table, who)
    if not heap:
        return
    for piece in old:
        yield from table.take(who, thing, piece, table.old_monuments)
    if old and not who.does("old_monument_waits"):
        yield from old_monument_to_bag(table, who)
    piece = table.rng.choice(heap)
    yield from table.add(who, thing, piece, heap)
    if heap and who.does("another_monument"):
        yield table.rng.uniform(*RESTS_S)
        yield from table.take(who, thing, piece, heap)
        piece = table.rng.choice(heap)
        yield from table.add(who, thing, piece, heap)
    what = by_material([piece])
    if isinstance(action, PlaceMonument):
        table.did(who, PlaceMonument(player=who.seat, park=action.park, piece=what))
    else:
        table.did(who, PlaceCentralParkMonument(player=who.seat, piece=what))


def _frees_a_piece(table: Cafe, who: Person) -> Doing:
    """Take a piece off another tower, which is not finished."""
    for face in table.record.position.players[who.seat - 1].platforms:
        thing = table.platform(face.platform)
        loose = [piece for piece in thing.pieces if piece.material != MARKER]
        if loose and table.grabs(thing):
            yield from table.take(who, thing, loose[-1], table.heap(who.seat))
            table.let_go(thing)
            return


def old_monument_to_bag(table: Cafe, who: Person) -> Doing:
    """Put the old monument into the bag."""
    for piece in list(table.old_monuments):
        yield from table.add(who, table.bag, piece, table.old_monuments)


def recycles(table: Cafe, who: Person) -> Doing:
    """Put all pieces into the bag (R42)."""
    yield from table.hold(table.bag)
    heap = table.heap(who.seat)
    mine = [table.platform(face.platform) for face in table.record.position.players[who.seat - 1].platforms]
    for thing in mine:
        yield from table.hold(thing)
        for piece in list(thing.pieces):
            yield from table.take(who, thing, piece, heap)
    yield table.takes_s(who, 2.0)
    table.bag.pieces.extend(heap)
    heap.clear()
    table.senses.stirred(table.world.spot_of(table.bag))
    table.did(who, Recycle(player=who.seat))
    table.let_go(table.bag, *mine)


def falls_in_the_city(table: Cafe, who: Person) -> Doing:
    """A sleeve throws a building over (R35): what touches the table is out, the rest goes into the bag."""
    standing = [one for one in table.record.position.buildings if one.standing]
    if table.delivering or not standing:
        return
    building = table.rng.choice(standing)
    thing = table.platform(building.face.platform)
    if not table.grabs(thing):
        return
    yield from table.hold(table.bag)
    spot = spots.city(building.at)
    pieces = [piece for piece in thing.pieces if piece.material]
    gone = table.rng.sample(pieces, table.rng.randint(len(pieces) // 2, len(pieces)))
    before_g = sum(piece.mass_g for piece in thing.pieces)
    thing.pieces[:] = [piece for piece in pieces if piece not in gone]
    table.world.heaps["box"].extend(gone)
    left_g = sum(piece.mass_g for piece in thing.pieces)
    table.senses.stirred(spot)
    table.senses.falls(spot, before_g - left_g, (before_g - left_g) / max(0.1, before_g))
    fall = BuildingFell(at=building.at, to_box=len(gone), left=0)
    for piece in list(thing.pieces):
        yield from table.take(who, thing, piece, table.fingers)
        yield from table.add(who, table.bag, piece, table.fingers)
    table.did(who, fall)
    table.record.word_of(fall, who.seat, table.rng.uniform(3.0, 20.0))
    if table.tallest == spot:
        table.mark_tallest(table.record.position.tallest)
    table.let_go(thing, table.bag)
