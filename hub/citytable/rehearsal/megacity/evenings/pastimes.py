"""What people do beside playing: they read, fiddle, build, lean, lose pieces and leave phones about.

None of it is an act of the rules, except what falls.
"""

from collections.abc import Callable

from citytable.evenings.agenda import Doing
from citytable.evenings.people import Person
from citytable.evenings.world import Thing
from citytable.games.megacity.position import TYPES
from citytable.games.megacity.spots import CITY, SUPPLY_PLATFORM_SLOTS, contract_column, supply_platform
from citytable.rehearsal.megacity.evenings.bagging import feel
from citytable.rehearsal.megacity.evenings.box import MARKER, marker_of
from citytable.rehearsal.megacity.evenings.building import (
    build_a_little,
    building_pieces,
    fall_on_pad,
    put_on,
)
from citytable.rehearsal.megacity.evenings.delivering import falls_in_city, put_back_quietly
from citytable.rehearsal.megacity.evenings.stage import Stage, free_pad, free_slot, move, others
from citytable.table import spot as spots
from citytable.table.spot import Spot

Pastime = Callable[[Stage, Person], Doing]


def _own(stage: Stage, person: Person, words: str) -> list[Thing]:
    """Return the things that lie on a player's own spots and nobody has in hand."""
    there = (
        [spots.pad(person.seat, k) for k in range(spots.PADS_PER_SEAT)]
        if words == "pad"
        else [spots.card(person.seat, k) for k in range(spots.CARD_SLOTS_PER_SEAT)]
    )
    return [thing for spot in there for thing in stage.world.lying(spot) if not stage.is_held(thing)]


def _read(stage: Stage, person: Person, card: Thing, seconds: float, back: Spot | None) -> Doing:
    """Take a card in hand to read it, and lay it back."""
    home = stage.world.spot_of(card)
    yield from stage.lift(person, card)
    yield seconds
    goal = home if back is None else back
    if card.face_down or goal is None:
        stage.let_go(card)
        return
    yield from stage.put(person, card, goal)


def reads_own_cards(stage: Stage, person: Person) -> Doing:
    """Hold the player's own contracts in the hand."""
    for card in _own(stage, person, "card")[: stage.rng.randint(1, 3)]:
        stage.agenda.begin(_read(stage, person, card, stage.pause(person, 2.0, stage.rng.choice((8, 30, 120))), None))
    yield 0.0


def reads_column_card(stage: Stage, person: Person) -> Doing:
    """Take the top card of a column, read it, put it back."""
    card = stage.world.top(contract_column(stage.rng.choice(TYPES)))
    if card is not None and not stage.is_held(card):
        yield from _read(stage, person, card, stage.pause(person, 2.0, 8.0), None)


def fans_column(stage: Stage, person: Person) -> Doing:
    """Pick up a whole column and fan it; put it back in order."""
    spot = contract_column(stage.rng.choice(TYPES))
    cards = stage.world.lying(spot)
    if not cards or any(stage.is_held(card) for card in cards):
        return
    for card in cards:
        yield from stage.reserve(card)
    for card in cards:
        stage.world.lift(card)
    stage.senses.stirred(spot)
    yield stage.pause(person, 4.0, 20.0)
    for card in cards:
        stage.world.lay(spot, card)
        stage.let_go(card)
    stage.senses.stirred(spot)


def swaps_cards(stage: Stage, person: Person) -> Doing:
    """Swap own cards between slots, or straighten one."""
    cards = _own(stage, person, "card")
    slot = free_slot(stage, person.seat)
    if cards and slot is not None:
        card = stage.rng.choice(cards)
        yield from _read(stage, person, card, 0.3, stage.rng.choice((slot, stage.world.spot_of(card))))


def reads_neighbours_card(stage: Stage, person: Person) -> Doing:
    """Take a neighbour's contract to read it, and give it back, perhaps to another slot."""
    other = stage.rng.choice(others(stage, person.seat))
    cards = _own(stage, other, "card")
    if cards:
        card = stage.rng.choice(cards)
        back = free_slot(stage, other.seat) or stage.world.spot_of(card)
        yield from _read(stage, person, card, stage.pause(person, 3.0, 15.0), back)


def fetches_before_turn(stage: Stage, person: Person) -> Doing:
    """Lay a column's card into a slot of the player's to plan with it, and put it back."""
    spot = contract_column(stage.rng.choice(TYPES))
    card, slot = stage.world.top(spot), free_slot(stage, person.seat)
    if card is None or slot is None or stage.is_held(card) or stage.position.player == person.seat:
        return
    yield from stage.lift(person, card)
    yield from stage.put(person, card, slot)
    yield stage.pause(person, 2.0, 6.0)
    if stage.world.spot_of(card) == slot and not stage.is_held(card):  # else the player has taken it from there
        yield from stage.lift(person, card)
        yield from stage.put(person, card, spot)


def flips_to_look(stage: Stage, person: Person) -> Doing:
    """Flip a bare platform to look at its other side: once and back, or more often."""
    bare = [thing for thing in _own(stage, person, "pad") if not thing.pieces and thing.name.startswith("platform/")]
    if not bare:
        return
    thing = stage.rng.choice(bare)
    pad = stage.world.spot_of(thing)
    if pad is None:
        return
    for _ in range(2 * stage.rng.choice((1, 1, 2))):
        yield from stage.lift(person, thing)
        thing.side = 1 - thing.side
        yield from stage.put(person, thing, pad)
        yield stage.pause(person, 0.5, 5.0)


def builds(stage: Stage, person: Person) -> Doing:
    """Build a little on every tower that has a contract."""
    me = stage.position.players[person.seat - 1]
    for face in me.platforms:
        for name in me.contracts:
            contract = stage.game.deck.contracts[name]
            thing = stage.platform(face.platform)
            if contract.type == face.up and not stage.is_held(thing) and person.does("builds_a_little"):
                yield from build_a_little(stage, person, thing, contract)


def tower_falls_on_pad(stage: Stage, person: Person) -> Doing:
    """Let a tower fall on its pad."""
    towers = [thing for thing in _own(stage, person, "pad") if len(building_pieces(thing)) > 1]
    if towers:
        yield from fall_on_pad(stage, person, stage.rng.choice(towers))


def straightens(stage: Stage, person: Person) -> Doing:
    """Nudge a tower, tap a finger."""
    towers = [thing for thing in _own(stage, person, "pad") if thing.pieces]
    spot = stage.world.spot_of(stage.rng.choice(towers)) if towers else None
    if spot is not None:
        yield from stage.touch(spot, stage.rng.uniform(-3, 20), stage.pause(person, 0.3, 2.0))


def moves_tower_to_other_pad(stage: Stage, person: Person) -> Doing:
    """Shift a platform with its tower to another pad."""
    platforms, pad = _own(stage, person, "pad"), free_pad(stage, person.seat)
    if platforms and pad is not None:
        yield from move(stage, person, stage.rng.choice(platforms), pad)


def plays_with_marker(stage: Stage, person: Person) -> Doing:
    """Put the marker on a platform and take it off again."""
    platforms = [thing for thing in _own(stage, person, "pad") if all(one.material != MARKER for one in thing.pieces)]
    if not platforms:
        return
    thing = stage.rng.choice(platforms)
    yield from stage.reserve(thing)
    marker = marker_of(person.seat)
    stage.pile_on(thing, marker)
    yield stage.pause(person, 1.0, 20.0)
    if marker in thing.pieces:
        stage.pick_off(thing, marker)
    stage.let_go(thing)


def lends_a_hand(stage: Stage, person: Person) -> Doing:
    """Put one of a neighbour's pieces on the neighbour's tower."""
    other = stage.rng.choice(others(stage, person.seat))
    towers = [thing for thing in _own(stage, other, "pad") if thing.pieces]
    if towers and stage.heap(other.seat):
        thing = stage.rng.choice(towers)
        yield from stage.reserve(thing)
        if stage.heap(other.seat):
            yield from put_on(stage, person, thing, stage.rng.choice(stage.heap(other.seat)), other.seat)
        stage.let_go(thing)


def borrows_piece(stage: Stage, person: Person) -> Doing:
    """Take a piece out of a neighbour's heap by mistake."""
    other = stage.rng.choice(others(stage, person.seat))
    yield stage.pause(person, 0.5, 2.0)
    if stage.heap(other.seat) and stage.position.player not in {person.seat, other.seat}:
        piece = stage.rng.choice(stage.heap(other.seat))
        stage.heap(other.seat).remove(piece)
        stage.heap(person.seat).append(piece)
        stage.record.hands_over(piece, other.seat, person.seat)


def drops_piece(stage: Stage, person: Person) -> Doing:
    """Drop a piece under the table; find it later, or never."""
    yield 0.0
    heap = stage.heap(person.seat)
    if not heap or stage.position.player == person.seat:
        return
    piece = stage.rng.choice(heap)
    heap.remove(piece)
    stage.world.heaps["floor"].append(piece)
    if stage.rng.random() < 0.3:
        stage.record.hands_over(piece, person.seat, None)
        return
    yield stage.pause(person, 20.0, 120.0)
    stage.world.heaps["floor"].remove(piece)
    heap.append(piece)


def feels_in_bag(stage: Stage, person: Person) -> Doing:
    """Feel about in the bag and take nothing."""
    if stage.is_held(stage.bag) or stage.position.player != person.seat:
        return
    yield from feel(stage, person, stage.rng.randint(4, 15))


def rests_on_bag(stage: Stage, person: Person) -> Doing:
    """Rest a forearm on the bag."""
    spot = stage.world.spot_of(stage.bag)
    if spot is not None and not stage.is_held(stage.bag):
        yield from stage.touch(spot, stage.rng.uniform(20, 300), stage.pause(person, 2.0, 15.0))


def moves_bag_on_cradle(stage: Stage, person: Person) -> Doing:
    """Shove the bag aside on its cradle."""
    spot = stage.world.spot_of(stage.bag)
    if spot is None or stage.is_held(stage.bag):
        return
    stage.bag.askew = True
    yield from stage.touch(spot, stage.rng.uniform(5, 30), 0.4)
    yield stage.pause(person, 0.5, 8.0)
    stage.bag.askew = False
    yield from stage.touch(spot, stage.rng.uniform(5, 30), 0.4)


def tidies_supply(stage: Stage, person: Person) -> Doing:
    """Push the platforms of the supply to other slots."""
    slots = [supply_platform(k) for k in range(SUPPLY_PLATFORM_SLOTS)]
    things = [thing for slot in slots for thing in stage.world.lying(slot)]
    if len(things) < len(slots) or any(stage.is_held(thing) for thing in things):
        return
    one, other = stage.rng.sample(things, 2)
    here, there = stage.world.spot_of(one), stage.world.spot_of(other)
    yield from stage.lift(person, one)
    if here is None or there is None:
        return
    if stage.is_held(other) or stage.world.spot_of(other) != there:  # somebody has taken it meanwhile
        yield from stage.put(person, one, here)
        return
    yield from stage.lift(person, other)
    yield from stage.put(person, one, there)
    yield from stage.put(person, other, here)


def quietly_put_back(stage: Stage, person: Person) -> Doing:
    """Knock something off a building of the city and put it back."""
    things = [stage.world.top(spots.city(one.at)) for one in stage.position.buildings if one.standing]
    standing = [thing for thing in things if thing is not None and not stage.is_held(thing)]
    if standing:
        yield from put_back_quietly(stage, person, stage.rng.choice(standing))


def falls_late(stage: Stage, person: Person) -> Doing:
    """Brush against a building of the city with a sleeve: it falls."""
    standing = [one.at for one in stage.position.buildings if one.standing]
    if standing:
        yield from falls_in_city(stage, person, stage.rng.choice(standing))


def foreign_object(stage: Stage, person: Person) -> Doing:
    """Lay a phone, a glass, an elbow on a spot."""
    places = [spots.city(cell) for cell in CITY] + [spots.pad(person.seat, k) for k in range(spots.PADS_PER_SEAT)]
    seconds = stage.rng.choice((2.0, 8.0, 40.0, 240.0)) * stage.rng.uniform(0.5, 1.5)
    yield from stage.weigh_down(stage.rng.choice(places), stage.rng.choice((6.0, 14.0, 60.0, 180.0, 300.0)), seconds)


def vibration(stage: Stage, person: Person) -> Doing:
    """Lean on the table's edge, drum, slam a door: several scales feel it."""
    places = [spots.city(cell) for cell in stage.rng.sample(CITY, 5)] + [spots.bag(stage.position.player or 1)]
    for spot in places:
        stage.agenda.begin(stage.touch(spot, stage.rng.uniform(-4, 6), stage.pause(person, 0.5, 6.0)))
    yield 0.0


def metal_over_reader(stage: Stage, person: Person) -> Doing:
    """Lay a coin or a phone on a reader, which then reads nothing."""
    places = [spots.city(one.at) for one in stage.position.buildings]
    places += [spots.card(person.seat, k) for k in range(spots.CARD_SLOTS_PER_SEAT)]
    places += [spots.pad(person.seat, k) for k in range(spots.PADS_PER_SEAT)]
    places += [contract_column(kind) for kind in TYPES]
    spot = stage.rng.choice(places)
    stage.world.metal.add(spot)
    stage.senses.stirred(spot)
    yield stage.rng.choice((3.0, 10.0, 60.0)) * stage.rng.uniform(0.5, 1.5)
    stage.world.metal.discard(spot)
    stage.senses.stirred(spot)


PER_TURN: dict[str, Pastime] = {
    "feels_in_bag": feels_in_bag,
    "drops_piece": drops_piece,
    "borrows_piece": borrows_piece,
    "reads_own_cards": reads_own_cards,
    "reads_column_card": reads_column_card,
    "fans_column": fans_column,
    "swaps_cards": swaps_cards,
    "flips_to_look": flips_to_look,
    "rests_on_bag": rests_on_bag,
    "moves_bag_on_cradle": moves_bag_on_cradle,
    "reads_neighbours_card": reads_neighbours_card,
    "tidies_supply": tidies_supply,
    "plays_with_marker": plays_with_marker,
    "lends_a_hand": lends_a_hand,
    "fetches_before_turn": fetches_before_turn,
}
"""By the habit whose rate belongs to a turn of one's own."""
SHARED: dict[str, tuple[Pastime, float]] = {
    "tower_falls_on_pad": (tower_falls_on_pad, 0.15),
    "straightens": (straightens, 0.3),
    "moves_tower_to_other_pad": (moves_tower_to_other_pad, 0.3),
    "quietly_put_back": (quietly_put_back, 0.25),
    "falls_late": (falls_late, 0.1),
    "foreign_object": (foreign_object, 1.0),
    "vibration": (vibration, 1.0),
    "metal_over_reader": (metal_over_reader, 1.0),
}
"""By the habit, with the share of its rate that falls to a turn of one's own: a tower lives for about four of them."""
