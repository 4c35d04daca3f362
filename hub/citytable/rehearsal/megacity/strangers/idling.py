"""What strangers do beside playing: things that do not belong, children, phones, falls in the city, lost pieces."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from citytable.evenings.agenda import Doing
from citytable.evenings.people import Person
from citytable.evenings.world import Piece
from citytable.games.megacity.actions import Accident, BuildingFell, MonumentFell, PiecesLost
from citytable.games.megacity.position import Building
from citytable.rehearsal.megacity.evenings.fingers import by_material
from citytable.rehearsal.megacity.strangers.cards import (
    card_on_platform,
    holds_cards,
    leafs_through,
    own_cards,
    shows_card,
    swaps_cards,
)
from citytable.rehearsal.megacity.strangers.parlour import Parlour, neighbours
from citytable.rehearsal.megacity.strangers.tiles import (
    builds_in_lap,
    looks_below,
    own_platforms,
    swaps_pads,
    tries_a_hex,
)
from citytable.rehearsal.megacity.strangers.towers import measures_for_fun, sorts_pieces_on_pad, straightens, topples
from citytable.table import spot as spots
from citytable.table.spot import Spot

Pastime: TypeAlias = Callable[[Parlour, Person], Doing]
OBJECTS_G = (4.0, 11.0, 28.0, 75.0, 172.0, 210.0, 390.0)  # a coin, dice, a biscuit, a purse, phones, a glass
NO_SCALE = "fell where no scale is, and nobody said so"


def _any_spot(table: Parlour) -> Spot:
    return table.rng.choice(sorted(table.plan.scales() or table.plan.readers()))


def puts_object_down(table: Parlour, who: Person) -> Doing:
    """Put down a phone, a glass, a biscuit, for seconds or for a quarter of an hour."""
    spot = _any_spot(table)
    seconds = table.rng.choice((2.0, 10.0, 60.0, 900.0))
    yield table.takes_s(who, 1.0)
    yield from table.leave(spot, table.rng.choice(OBJECTS_G), table.rng.uniform(0.5, 1.0) * seconds)


def phone_beside_tower(table: Parlour, who: Person) -> Doing:
    """Stand a phone on an own platform to take a picture of the tower, or to measure it."""
    for _, spot in own_platforms(table, who)[:1]:
        yield from table.leave(spot, table.rng.uniform(140, 230), table.takes_s(who, 5.0))


def phone_buzzes(table: Parlour, who: Person) -> Doing:
    """A phone that leans against a pad buzzes."""
    spot = table.rng.choice([spots.pad(who.seat, 0), spots.bag(who.seat), _any_spot(table)])
    for _ in range(table.rng.randint(2, 6)):
        yield from table.press(spot, table.rng.uniform(-4, 4), table.takes_s(who, 0.4))
        yield 0.8


def leans_on_edge(table: Parlour, who: Person) -> Doing:
    """A child leans on the edge of the table: everything there trembles."""
    near = [spot for spot in sorted(table.plan.scales()) if table.rng.random() < 0.2]
    for spot in near:
        table.agenda.begin(table.press(spot, table.rng.uniform(-3, 25), table.takes_s(who, 2.0)))
    yield 0.1


def coin_over_reader(table: Parlour, who: Person) -> Doing:
    """A coin or a foil wrapper lies over a reader: it reads nothing."""
    spot = table.rng.choice(sorted(table.plan.readers()))
    table.world.metal.add(spot)
    table.senses.stirred(spot)
    yield table.takes_s(who, table.rng.choice((4.0, 40.0)))
    table.world.metal.discard(spot)
    table.senses.stirred(spot)


def rests_hand_on_bag(table: Parlour, who: Person) -> Doing:
    """Rest a hand on the bag, wherever it lies, or pull at its string."""
    spot = table.world.spot_of(table.bag)
    if spot is not None:
        yield from table.press(spot, table.rng.uniform(-20, 200), table.takes_s(who, 4.0))


def shifts_bag(table: Parlour, who: Person) -> Doing:
    """Take the bag up, shake it, and lay it back: on its cradle, or on another one by mistake first."""
    if not table.grabs(table.bag):
        return
    home = table.world.spot_of(table.bag)
    if home is not None:
        yield from table.lift(who, table.bag)
        if who.does("bag_on_other_cradle"):
            yield from table.put(who, table.bag, spots.bag(table.rng.choice(neighbours(table, who.seat)).seat))
            yield table.takes_s(who, 3.0)
            yield from table.lift(who, table.bag)
        yield table.takes_s(who, 2.0)
        yield from table.put(who, table.bag, home)
    table.let_go(table.bag)


def counts_the_bag(table: Parlour, who: Person) -> Doing:
    """Take a handful out of the bag to look at it, and put all of it back."""
    if not table.grabs(table.bag):
        return
    handful = table.rng.sample(table.bag.pieces, min(len(table.bag.pieces), table.rng.randint(1, 12)))
    lying = table.world.heaps.setdefault(f"looked at/{who.seat}", [])
    for piece in handful:
        table.bag.pieces.remove(piece)
    lying.extend(handful)
    table.senses.stirred(table.world.spot_of(table.bag))
    yield table.takes_s(who, 8.0)
    table.bag.pieces.extend(lying)
    lying.clear()
    table.senses.stirred(table.world.spot_of(table.bag))
    table.let_go(table.bag)


def child_takes_card(table: Parlour, who: Person) -> Doing:
    """A child takes a contract or a park tile away; it comes back after a chase."""
    cards = own_cards(table, who)
    if not cards or not table.grabs(cards[0][0]):
        return
    card, home = cards[0]
    yield from table.lift(who, card)
    yield table.takes_s(who, 25.0)
    yield from table.put(who, card, home)
    table.let_go(card)


def park_on_pad(table: Parlour, who: Person) -> Doing:
    """Keep the own park on a pad or a card slot for a while."""
    park = table.world.things[f"park/{who.seat}"]
    free = table.world.free(*(spots.pad(who.seat, k) for k in range(spots.PADS_PER_SEAT)))
    if free is None or table.world.spot_of(park) is not None or not table.grabs(park):
        return
    yield from table.put(who, park, free)
    yield table.takes_s(who, 30.0)
    yield from table.lift(who, park)
    table.let_go(park)


def straightens_city(table: Parlour, who: Person) -> Doing:
    """Push a delivered platform or a monument straight; a little off and on again."""
    buildings = table.record.position.buildings
    if not buildings:
        return
    thing = table.platform(table.rng.choice(buildings).face.platform)
    spot = table.world.spot_of(thing)
    if spot is None or not table.grabs(thing):
        return
    if table.rng.random() < 0.3:
        yield from table.bring(who, thing, spot)
    else:
        yield from table.press(spot, table.rng.uniform(-10, 20), table.takes_s(who, 1.0))
    table.let_go(thing)


def loses_piece(table: Parlour, who: Person) -> Doing:
    """Drop a piece under the table; it is found some minutes later, or never."""
    yield table.takes_s(who, 1.0)
    heap = table.heap(who.seat)
    if not heap or table.record.position.phase == "end":
        return
    piece = heap.pop(table.rng.randrange(len(heap)))
    busy = who.seat == table.record.position.player or not _is_known_to_have(table, who.seat, piece)
    if busy or table.rng.random() < 0.6:
        table.dropped(who.seat).append(piece)
        yield table.takes_s(who, 40.0)
        table.dropped(who.seat).remove(piece)
        heap.append(piece)
    else:
        table.world.heaps["floor"].append(piece)
        table.record.hands_over(piece, who.seat, None)


def _is_known_to_have(table: Parlour, seat: int, piece: Piece) -> bool:
    """Return whether a piece was drawn by the rules, too: a draw counts when the last of its pieces is out."""
    return bool(getattr(table.record.position.players[seat - 1].pieces, piece.material))


def helps_themselves(table: Parlour, who: Person) -> Doing:
    """Take a piece from the heap of a neighbour, who would not miss it."""
    yield table.takes_s(who, 1.0)
    giver = table.rng.choice(neighbours(table, who.seat)).seat
    heap = table.heap(giver)
    busy = table.record.position.player in {who.seat, giver}
    if heap and not busy and _is_known_to_have(table, giver, heap[-1]) and table.record.position.phase != "end":
        piece = heap.pop()
        table.heap(who.seat).append(piece)
        table.record.hands_over(piece, giver, who.seat)


# falls in the city (R35-R37)


def sleeve(table: Parlour, who: Person) -> Doing:
    """A sleeve, a ball, a sneeze: something in the city falls, and whoever is nearest clears up."""
    position = table.record.position
    standing = [one for one in position.buildings if one.standing and one.pieces.total]
    if position.phase in {"setup", "end"} or not standing or not table.grabs(table.bag):
        return  # play stops (R35): nobody draws and the bag stays until all is cleared up
    building = table.rng.choice(standing)
    thing = table.platform(building.face.platform)
    yield from table.hold(thing)
    pieces = [piece for piece in thing.pieces if piece.material]
    few = len(pieces) > 2 and table.rng.random() < 0.4
    fallen = table.rng.sample(pieces, table.rng.randint(1, 2)) if few else pieces
    to_box = table.rng.randint(0, len(fallen))
    spot = spots.city(building.at)
    table.senses.falls(spot, sum(piece.mass_g for piece in fallen[:to_box]), len(fallen) / len(pieces))
    _note_fall(table, who, _accident(table, building, fallen, to_box, few=few), spot)
    yield from _clear_up(table, who, building, fallen, to_box, few=few)
    table.let_go(table.bag)
    table.let_go(thing)


def _accident(table: Parlour, building: Building, fallen: list[Piece], to_box: int, *, few: bool) -> Accident:
    if not few:
        return BuildingFell(at=building.at, to_box=to_box, left=0)
    return PiecesLost(
        at=building.at,
        to_box=by_material(fallen[:to_box]),
        to_bag=by_material(fallen[to_box:]),
        height_mm=max(1, building.height_mm - table.rng.randint(0, 15)),
    )


def _note_fall(table: Parlour, who: Person, fall: Accident, spot: Spot) -> None:
    unseen = "" if spot in table.plan.scales() else NO_SCALE
    spoken = bool(unseen) and who.does("says_what_fell")
    if spoken:
        table.record.say(fall, who.seat)
    table.record.did(fall, unseen="" if spoken else unseen, spoken=spoken)


def _clear_up(table: Parlour, who: Person, building: Building, fallen: list[Piece], to_box: int, *, few: bool) -> Doing:
    """Put what touched the table into the box and the rest into the bag."""
    thing = table.platform(building.face.platform)
    for piece in fallen[:to_box]:
        thing.pieces.remove(piece)
        table.world.heaps["box"].append(piece)
    if not few:
        thing.pieces = [piece for piece in thing.pieces if piece.material]
    table.senses.stirred(spots.city(building.at))
    held = table.world.heaps.setdefault("cleared up", [])
    for piece in fallen[to_box:]:
        yield from table.take(who, thing, piece, held)
    yield table.takes_s(who, 2.0)
    table.bag.pieces.extend(held)
    held.clear()
    table.senses.stirred(table.world.spot_of(table.bag))


def monument_topples(table: Parlour, who: Person) -> Doing:
    """A monument is knocked off its park to the table: the piece goes to the box (A28)."""
    parks = [one for one in table.record.position.parks if one.monument is not None]
    if not parks or table.record.position.phase in {"setup", "end"}:
        return
    park = table.rng.choice(parks)
    spot = spots.city(park.at)
    thing = table.world.top(spot)
    if thing is None or not thing.pieces or not table.grabs(thing):
        return
    piece = thing.pieces.pop()
    table.world.heaps["box"].append(piece)
    table.senses.falls(spot, piece.mass_g, 1.0)
    table.senses.stirred(spot)
    _note_fall(table, who, MonumentFell(at=park.at), spot)
    yield table.takes_s(who, 2.0)
    table.let_go(thing)


PASTIMES: Mapping[str, Pastime] = {
    "holds_cards": holds_cards,
    "shows_card": shows_card,
    "card_on_platform": card_on_platform,
    "leafs_through": leafs_through,
    "swaps_cards": swaps_cards,
    "looks_below": looks_below,
    "swaps_pads": swaps_pads,
    "builds_in_lap": builds_in_lap,
    "tries_a_hex": tries_a_hex,
    "tower_topples": topples,
    "measures_for_fun": measures_for_fun,
    "sorts_pieces_on_pad": sorts_pieces_on_pad,
    "nudges_tower": straightens,
    "object_put_down": puts_object_down,
    "phone_beside_tower": phone_beside_tower,
    "phone_buzzes": phone_buzzes,
    "leans_on_edge": leans_on_edge,
    "coin_over_reader": coin_over_reader,
    "hand_on_bag": rests_hand_on_bag,
    "shifts_bag": shifts_bag,
    "counts_the_bag": counts_the_bag,
    "child_takes_card": child_takes_card,
    "park_on_pad": park_on_pad,
    "straightens_city": straightens_city,
    "loses_piece": loses_piece,
    "helps_themselves": helps_themselves,
    "sleeve": sleeve,
    "monument_topples": monument_topples,
}
"""What may come into play once in a turn of somebody, for everybody at the table."""
