"""A delivery (R24-R34): announced, carried, set down, turned over; what is placed after it; what falls."""

from collections.abc import Generator
from typing import TypeAlias

import msgspec

from citytable.evenings.agenda import Doing
from citytable.evenings.people import Person
from citytable.evenings.world import Piece, Thing
from citytable.games.megacity.actions import (
    BuildingFell,
    Deliver,
    PiecesLost,
    PlaceCentralParkMonument,
    PlaceMonument,
    PlacePark,
)
from citytable.games.megacity.building_model import MODEL
from citytable.games.megacity.city import delivery_hexes
from citytable.games.megacity.layout import CENTRAL_PARK
from citytable.games.megacity.pieces import Contract
from citytable.games.megacity.position import Building, Park, Pieces
from citytable.games.megacity.spots import CITY
from citytable.rehearsal.megacity.evenings.bagging import counted
from citytable.rehearsal.megacity.evenings.building import building_pieces, complete, put_marker
from citytable.rehearsal.megacity.evenings.stage import Stage, free_pad, handle
from citytable.table import spot as spots
from citytable.table.hexes import CENTRE, Hex, distance
from citytable.table.spot import Spot

Falling: TypeAlias = Generator[float, None, BuildingFell | PiecesLost]
ON_THE_WAY, THERE = "on the way", "there"
CLUMSY = 10  # a person has their share of what the model says: the row of habits is a tenth on average
CRANE = 0.5  # how often a tower is measured with the crane before it is carried


def neighbours(at: Hex) -> list[Spot]:
    """Return the spots beside a hex."""
    return [spots.city(cell) for cell in CITY if distance(cell, at) == 1]


def deliver(stage: Stage, person: Person, decision: Deliver) -> Doing:
    """Deliver a building."""
    contract, thing = stage.game.deck.contracts[decision.contract], stage.platform(decision.platform)
    yield from stage.reserve(thing)
    later = 1 if person.does("adds_in_city") else 0
    marker_later = bool(later) and stage.rng.random() < 0.5
    yield from complete(stage, person, thing, contract)
    if len(building_pieces(thing)) < contract.pieces:
        stage.let_go(thing)  # somebody else has the pieces just now: another act, then
        return
    height_mm, falling = _built(stage, counted(building_pieces(thing)), contract)
    if later and not marker_later and len(building_pieces(thing)) == contract.pieces:
        last = building_pieces(thing)[-1]
        yield from handle(stage, person, thing, 15)
        stage.pick_off(thing, last)
        stage.hand(person.seat).append(last)
    elif not marker_later:
        yield from put_marker(stage, person, thing)
    pad = stage.world.spot_of(thing)
    if pad is not None and stage.rng.random() < CRANE:
        yield stage.pause(person, 2.0, 5.0)
        stage.senses.measures(pad, height_mm)
    if person.does("turns_card_early"):
        yield from turn_contract(stage, person, decision.contract)
    falls = stage.rng.choice((ON_THE_WAY, THERE)) if person.does("fails_delivery", CLUMSY * falling) else ""
    yield from _carry(stage, person, thing, decision.at, falls)
    if falls:
        yield from _taken_home(stage, person, thing, decision)
        return
    yield from stage.reserve(thing)
    if later:
        yield from _complete_there(stage, person, thing, contract.pieces)
    stage.let_go(thing)
    yield from _stands(stage, person, thing, decision, height_mm)


def _built(stage: Stage, tower: Pieces, contract: Contract) -> tuple[int, float]:
    """Return how high a tower is built and how likely it falls, by the model; a low one just reached its contract."""
    height_mm = MODEL.built_mm(stage.rng, tower, contract) or contract.height_mm
    return height_mm, 1 - MODEL.chance_to_stand(tower, height_mm, contract)


def _complete_there(stage: Stage, person: Person, thing: Thing, count: int) -> Doing:
    """Add the pieces that were left out, now that the building stands in the city."""
    if len(building_pieces(thing)) < count:
        missing = stage.hand(person.seat)[-1]
        yield from handle(stage, person, thing, 15)
        stage.hand(person.seat).remove(missing)
        stage.pile_on(thing, missing)
    yield from put_marker(stage, person, thing)


def _carry(stage: Stage, person: Person, thing: Thing, at: Hex, falls: str) -> Doing:
    """Push a platform off its pad and bring it to its hex; perhaps set it down on the way."""
    helps = person.does("steadies")
    pad = stage.world.spot_of(thing)
    if pad is not None and helps:
        yield from stage.touch(pad, stage.rng.uniform(15, 60), stage.pause(person, 2.0, 10.0))
    yield from stage.lift(person, thing, kept=True)
    yield stage.pause(person, 0.6, 4.0 if helps else 1.6)
    free = [spot for spot in neighbours(at) if not stage.world.lying(spot)]
    if free and person.does("sets_down_on_way"):
        yield from stage.put(person, thing, stage.rng.choice(free))
        yield stage.pause(person, 1.0, stage.rng.choice((5.0, 5.0, 120.0)))
        yield from stage.lift(person, thing)
    if falls == ON_THE_WAY:
        return
    others = [cell for cell in delivery_hexes(stage.position) if cell != at]
    if others and not falls and person.does("another_hex"):
        yield from stage.put(person, thing, spots.city(stage.rng.choice(others)))
        yield stage.pause(person, 2.0, 15.0)
        yield from stage.lift(person, thing)
    yield from _arrive(stage, person, thing, at)


def _arrive(stage: Stage, person: Person, thing: Thing, at: Hex) -> Doing:
    """Slide it in: its neighbours feel it."""
    for spot in neighbours(at):
        if stage.world.lying(spot) and stage.rng.random() < 0.5:
            yield from stage.touch(spot, stage.rng.uniform(-1.5, 4.0), stage.rng.uniform(0.2, 0.5))
    yield from stage.put(person, thing, spots.city(at))
    yield from stage.touch(spots.city(at), stage.rng.uniform(10, 40), stage.pause(person, 0.4, 3.0))


def _taken_home(stage: Stage, person: Person, thing: Thing, decision: Deliver) -> Doing:
    """It fell: everything comes back to its player (R26)."""
    spot, tower = stage.world.spot_of(thing), building_pieces(thing)
    fallen = tower[stage.rng.randrange(max(1, len(tower) // 2)) :]
    stage.senses.falls(spot, sum(piece.mass_g for piece in fallen), len(fallen) / max(1, len(tower)))
    thing.pieces = [piece for piece in thing.pieces if piece not in fallen]
    stage.senses.stirred(spot)
    yield stage.pause(person, 1.0, 4.0)
    stage.heap(person.seat).extend(tower)
    stage.lay_down(person.seat)
    thing.pieces = []
    stage.senses.stirred(spot)
    if spot is not None:
        yield stage.pause(person, 1.0, 4.0)
        yield from stage.lift(person, thing)
    fell = msgspec.structs.replace(decision, stood=False)
    stage.record.did(fell, soft=True, unseen="a fall that nobody names")
    if person.does("says_a_fall"):
        stage.record.say(fell, person.seat, stage.pause(person, 1.0, 10.0))
    pad = free_pad(stage, person.seat)
    if pad is not None:
        yield from stage.put(person, thing, pad)


def _stands(stage: Stage, person: Person, thing: Thing, decision: Deliver, height_mm: int) -> Doing:
    pieces = counted(thing.pieces)
    stood = msgspec.structs.replace(decision, stood=True, height_mm=height_mm, pieces=pieces, judged=True)
    card = stage.card(decision.contract)
    stage.record.did(stood)
    if person.does("forgets_contract"):
        stage.agenda.begin(turn_contract(stage, person, decision.contract), stage.pause(person, 30.0, 200.0))
    elif not card.face_down:
        yield stage.pause(person, 0.5, 5.0)
        yield from turn_contract(stage, person, decision.contract)
    if person.does("falls_late", 0.5):
        stage.agenda.begin(falls_in_city(stage, person, decision.at), stage.pause(person, 3.0, 6.0))


def turn_contract(stage: Stage, person: Person, contract: str) -> Doing:
    """Turn a contract face down: in its place, or onto the heap."""
    card = stage.card(contract)
    if card.face_down:
        return
    spot = stage.world.spot_of(card)
    if not stage.is_held(card) or spot is not None:
        yield from stage.lift(person, card)
    card.face_down = True
    if spot is not None and person.does("turns_contract_in_slot"):
        yield from stage.put(person, card, spot)
        stage.agenda.begin(_onto_the_heap(stage, person, card), stage.pause(person, 20.0, 300.0))
    else:
        stage.let_go(card)


def _onto_the_heap(stage: Stage, person: Person, card: Thing) -> Doing:
    yield from stage.lift(person, card)
    stage.let_go(card)


# what is placed after it


def place_park(stage: Stage, person: Person, action: PlacePark) -> Doing:
    """Place the player's park (R32)."""
    park = stage.world.things[f"park/{person.seat}"]
    if person.does("option_regretted"):
        free = [cell for cell in CITY if not stage.world.lying(spots.city(cell)) and cell != action.at]
        yield from stage.put(person, park, spots.city(stage.rng.choice(free)))
        yield stage.pause(person, 2.0, 20.0)
        yield from stage.lift(person, park)
    yield from stage.put(person, park, spots.city(action.at))
    stage.record.did(action)


def _park(stage: Stage, at: Hex) -> Thing:
    found = next((park for park in stage.position.parks if park.at == at), Park(at=at))
    return stage.world.things[CENTRAL_PARK if found.owner is None else f"park/{found.owner}"]


def place_monument(stage: Stage, person: Person, action: PlaceMonument | PlaceCentralParkMonument) -> Doing:
    """Place a spare piece on a park (R33), or in Central Park for the one that stands there (R34)."""
    at = action.park if isinstance(action, PlaceMonument) else CENTRE
    park = _park(stage, at)
    if not stage.heap(person.seat):
        return
    piece = stage.rng.choice(stage.heap(person.seat))
    stage.pick_up(person.seat, [piece])
    if person.does("option_regretted"):
        yield from _set(stage, person, park, piece)
        yield stage.pause(person, 2.0, 15.0)
        yield from _unset(stage, person, park, piece)
    old = park.pieces[-1] if park.pieces else None
    if old is not None:
        yield from _unset(stage, person, park, old)
        stage.hand(person.seat).remove(old)
        stage.bag.pieces.append(old)
        stage.senses.stirred(stage.world.spot_of(stage.bag))
    yield from _set(stage, person, park, piece)
    stage.record.did(msgspec.structs.replace(action, piece=counted([piece])))


def _set(stage: Stage, person: Person, park: Thing, piece: Piece) -> Doing:
    yield from handle(stage, person, park, 10)
    stage.hand(person.seat).remove(piece)
    stage.pile_on(park, piece)


def _unset(stage: Stage, person: Person, park: Thing, piece: Piece) -> Doing:
    yield from handle(stage, person, park, 10)
    stage.pick_off(park, piece)
    stage.hand(person.seat).append(piece)
    yield stage.pause(person, 0.5, 2.0)


# what falls in the city


def falls_in_city(stage: Stage, person: Person, at: Hex) -> Doing:
    """Let a building of the city fall, or a few pieces of it (R35, A26), and clear it up."""
    yield 0.0
    building = next((one for one in stage.position.buildings if one.at == at and one.standing), None)
    thing = stage.world.top(spots.city(at))
    if building is None or thing is None or stage.is_held(thing) or stage.game.outcome() is not None:
        return
    falling = _loses_pieces if stage.rng.random() < 0.5 and len(building_pieces(thing)) > 3 else _collapses
    fall = yield from falling(stage, person, thing, building)
    said_after_s = stage.pause(person, 1.0, 10.0) if person.does("says_a_fall") else None
    stage.record.word_of(fall, person.seat, said_after_s)


def _collapses(stage: Stage, person: Person, thing: Thing, building: Building) -> Falling:
    at, tower = building.at, building_pieces(thing)
    to_box = [piece for piece in tower if stage.rng.random() < 0.5] or tower[-1:]
    stays = [piece for piece in tower if piece not in to_box]
    stage.senses.falls(spots.city(at), sum(piece.mass_g for piece in to_box), 1.0)
    thing.pieces = list(stays)
    stage.world.heaps["box"].extend(to_box)
    stage.senses.stirred(spots.city(at))
    fall = BuildingFell(at=at, to_box=len(to_box), left=0)
    stage.record.did(fall)
    yield stage.pause(person, 1.5, 4.0)
    while stays:
        handful, stays = stays[:3], stays[3:]
        yield from handle(stage, person, thing, 20)
        thing.pieces = list(stays)
        stage.senses.stirred(spots.city(at))
        stage.bag.pieces.extend(handful)
        stage.senses.stirred(stage.world.spot_of(stage.bag))
    return fall


def _loses_pieces(stage: Stage, person: Person, thing: Thing, building: Building) -> Falling:
    at = building.at
    piece = building_pieces(thing)[-1]
    stage.senses.falls(spots.city(at), piece.mass_g, 0.2)
    stage.pick_off(thing, piece)
    stage.world.heaps["box"].append(piece)
    lower_mm = max(1, building.height_mm - stage.rng.randint(1, 20))
    fall = PiecesLost(at=at, to_box=counted([piece]), to_bag=counted([]), height_mm=lower_mm)
    stage.record.did(fall)
    yield stage.pause(person, 1.0, 3.0)
    return fall


def put_back_quietly(stage: Stage, person: Person, thing: Thing) -> Doing:
    """Knock something off a neighbour's tower and put it back; nobody reports it."""
    yield from stage.reserve(thing)
    spot, tower = stage.world.spot_of(thing), building_pieces(thing)
    if tower and spot is not None:
        piece = tower[-1]
        stage.senses.falls(spot, piece.mass_g, 1 / len(tower))
        stage.pick_off(thing, piece)
        stage.world.heaps["floor"].append(piece)
        yield stage.pause(person, 2.0, 10.0)
        yield from handle(stage, person, thing, 15)
        stage.world.heaps["floor"].remove(piece)
        stage.pile_on(thing, piece)
    stage.let_go(thing)
