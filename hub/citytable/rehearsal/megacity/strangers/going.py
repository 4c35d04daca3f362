"""Strangers who deliver (R24-R31): the way into the city, the fall on it, the card, and one option afterwards."""

from collections.abc import Callable

from msgspec.structs import replace

from citytable.evenings.agenda import Doing
from citytable.evenings.people import Person
from citytable.evenings.world import Piece, Thing
from citytable.games.megacity.actions import (
    Action,
    Deliver,
    PlaceCentralParkMonument,
    PlaceMonument,
    PlacePark,
)
from citytable.games.megacity.city import delivery_hexes
from citytable.games.megacity.layout import CENTRAL_PARK
from citytable.rehearsal.megacity.evenings.box import marker_of
from citytable.rehearsal.megacity.evenings.fingers import by_material
from citytable.rehearsal.megacity.strangers.bag import into_hand
from citytable.rehearsal.megacity.strangers.parlour import Parlour, free_pad
from citytable.rehearsal.megacity.strangers.towers import finishes, height_mm, loose
from citytable.table import spot as spots
from citytable.table.hexes import CENTRE, Hex

FALLS = 0.12  # deliveries that fall
CRANE_ERROR_MM = 1.5
FELL_ON_THE_WAY = "fell on the way, and nobody said so"


def deliver(table: Parlour, who: Person, decision: Deliver) -> Doing:
    """Deliver a building. It stands in the end, or everything of it comes back and the turn is over."""
    contract = table.record.game.deck.contracts[decision.contract]
    thing = table.platform(decision.platform)
    yield from table.hold(thing)
    pad = table.world.spot_of(thing)
    yield from finishes(table, who, thing, contract)
    if len(loose(thing.pieces)) < contract.pieces:
        table.let_go(thing)
        return
    high_mm = height_mm(table, contract.height_mm)
    late_marker = who.does("cube_when_it_stands")
    if not late_marker:
        thing.pieces.append(marker_of(who.seat))
        table.senses.stirred(pad)
    if pad is not None and pad.startswith("seat/") and who.does("uses_crane"):
        yield table.takes_s(who, 3.0)
        table.senses.measures(pad, high_mm + table.rng.uniform(-CRANE_ERROR_MM, CRANE_ERROR_MM))
    yield from _carry(table, who, thing, decision.at)
    if table.rng.random() < FALLS:
        yield from _falls(table, who, thing, decision)
    else:
        yield from _stands(table, who, thing, decision, high_mm, late_marker=late_marker)
    table.let_go(thing)


def _carry(table: Parlour, who: Person, thing: Thing, at: Hex) -> Doing:
    """Lift a platform and move it into the city: straight, with a rest on the way, or to another hex first."""
    if who.does("steadies_for_long"):
        spot = table.world.spot_of(thing)
        if spot is not None:
            yield from table.press(spot, table.rng.uniform(-5, 30), table.takes_s(who, 6.0))
    yield from table.lift(who, thing)
    if who.does("rests_on_the_way"):
        yield table.takes_s(who, table.rng.choice((5.0, 40.0)))
    others = [cell for cell in delivery_hexes(table.record.position) if cell != at]
    if others and who.does("wrong_hex_first"):
        yield from table.put(who, thing, spots.city(table.rng.choice(others)))
        yield table.takes_s(who, 6.0)
        yield from table.lift(who, thing)


def _stands(table: Parlour, who: Person, thing: Thing, decision: Deliver, high_mm: int, *, late_marker: bool) -> Doing:
    yield from table.put(who, thing, spots.city(decision.at))
    if late_marker:
        yield table.takes_s(who, 3.0)
        thing.pieces.append(marker_of(who.seat))
        table.senses.stirred(spots.city(decision.at))
    pieces = by_material(thing.pieces)
    table.record.did(replace(decision, stood=True, height_mm=high_mm, pieces=pieces, judged=True))


def _falls(table: Parlour, who: Person, thing: Thing, decision: Deliver) -> Doing:
    """The building falls in a hand or on its hex: everything comes home (R26)."""
    on_hex = table.rng.random() < 0.6
    spot = spots.city(decision.at)
    if on_hex:
        yield from table.put(who, thing, spot)
        gone = table.rng.randint(1, len(thing.pieces))
        table.senses.falls(spot, sum(piece.mass_g for piece in thing.pieces[:gone]), gone / len(thing.pieces))
    table.heap(who.seat).extend(piece for piece in thing.pieces if piece.material)
    thing.pieces.clear()
    table.senses.stirred(table.world.spot_of(thing))
    action = replace(decision, stood=False)
    said = who.does("owns_up_to_fall")
    if said:
        table.record.say(action, who.seat)
    table.record.did(action, unseen="" if on_hex or said else FELL_ON_THE_WAY, spoken=said)
    yield table.takes_s(who, 5.0)
    yield from table.lift(who, thing)
    yield from table.put(who, thing, free_pad(table, who.seat) or spots.pad(who.seat, 0))


def turns_card(table: Parlour, who: Person, contract: str) -> Doing:
    """Turn the contract over where it lies (R27), take it away, or both."""
    card = table.card(contract)
    yield from table.hold(card)
    spot = table.world.spot_of(card)
    if spot is not None and who.does("turns_over_in_place"):
        yield from table.lift(who, card)
        card.face_down = True
        yield from table.put(who, card, spot)
    else:
        yield from table.lift(who, card)
        card.face_down = True
    table.let_go(card)


# one option


def place_park(table: Parlour, who: Person, decision: PlacePark) -> Doing:
    """Place the own park; at times it lies on another hex first."""
    park = table.world.things[f"park/{who.seat}"]
    yield from table.hold(park)
    others = [one for one in table.record.game.legal_actions if isinstance(one, PlacePark) and one != decision]
    if others and who.does("moves_the_park"):
        yield from table.bring(who, park, spots.city(table.rng.choice(others).at))
        yield table.takes_s(who, 6.0)
    yield from table.bring(who, park, spots.city(decision.at))
    table.record.did(decision)
    table.let_go(park)


def place_monument(table: Parlour, who: Person, decision: PlaceMonument | PlaceCentralParkMonument) -> Doing:
    """Place a loose piece as a monument; an older one in Central Park goes to the bag (R33, R34)."""
    at = decision.park if isinstance(decision, PlaceMonument) else CENTRE
    park = _park_at(table, at)
    hand = table.hand(who.seat)
    yield from table.hold(park)
    before = list(park.pieces)
    new_first = bool(before) and who.does("new_monument_first")
    yield from into_hand(table, who, 1)
    if not new_first:
        yield from _out_with(table, who, park, len(before))
    piece = hand[0]
    yield from table.add(who, park, piece, hand)
    if table.heap(who.seat) and who.does("another_monument_instead"):
        yield from table.take(who, park, piece, table.heap(who.seat))
        yield from into_hand(table, who, 1)
        piece = hand[0]
        yield from table.add(who, park, piece, hand)
    if new_first:
        yield from _out_with(table, who, park, len(before))
    table.record.did(replace(decision, piece=by_material([piece])))
    table.let_go(park)


def _out_with(table: Parlour, who: Person, park: Thing, count: int) -> Doing:
    """Put the oldest pieces of a park back into the bag."""
    for piece in park.pieces[:count]:
        held: list[Piece] = []
        yield from table.take(who, park, piece, held)
        yield from table.hold(table.bag)
        yield from table.add(who, table.bag, piece, held)
        table.let_go(table.bag)


def _park_at(table: Parlour, at: Hex) -> Thing:
    name = next(
        CENTRAL_PARK if park.owner is None else f"park/{park.owner}"
        for park in table.record.position.parks
        if park.at == at
    )
    return table.world.things[name]


OPTIONS: dict[type, Callable[..., Doing]] = {
    PlacePark: place_park,
    PlaceMonument: place_monument,
    PlaceCentralParkMonument: place_monument,
}


def option(table: Parlour, who: Person, decision: Action) -> Doing:
    """Make use of one option after a delivery (R31)."""
    yield from OPTIONS[type(decision)](table, who, decision)
