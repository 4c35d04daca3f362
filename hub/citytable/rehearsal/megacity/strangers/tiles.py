"""Strangers and the platforms: taking (R9), turning up, refreshing (R13), rezoning (R12), and looking at them."""

from citytable.evenings.agenda import Doing
from citytable.evenings.people import Person
from citytable.evenings.world import Thing
from citytable.games.megacity.actions import Refresh, Rezone, TakePlatform
from citytable.games.megacity.position import Face
from citytable.games.megacity.spots import SUPPLY_PLATFORM_SLOTS, supply_platform
from citytable.rehearsal.megacity.strangers.parlour import Parlour, free_pad, neighbours
from citytable.table import spot as spots
from citytable.table.spot import Spot

SUPPLY = tuple(supply_platform(k) for k in range(SUPPLY_PLATFORM_SLOTS))


def take_platform(table: Parlour, who: Person, decision: TakePlatform) -> Doing:
    """Take a platform of the supply, build on it or lay it on a pad, and turn up the next one sooner or later."""
    yield from turn_up(table, who)
    thing = table.platform(decision.platform)
    yield from table.hold(thing)
    action = table.dealer.outcome(table.record.game, decision)
    faces = [face for face in getattr(action, "revealed", ()) if face is not None]
    early = who.does("turns_up_first")
    yield from table.lift(who, thing)
    if early:
        table.to_turn_up += faces
        yield from turn_up(table, who)
    yield from _settle_down(table, who, thing)
    table.record.did(action)
    table.let_go(thing)
    if early:
        return
    table.to_turn_up += faces
    if who.does("leaves_a_gap"):
        return
    helper = table.rng.choice(neighbours(table, who.seat)) if who.does("neighbour_turns_up") else who
    yield from turn_up(table, helper)


def _settle_down(table: Parlour, who: Person, thing: Thing) -> Doing:
    """Put a new platform on a pad: at once, after a while in the lap, or on another platform first."""
    pad = free_pad(table, who.seat)
    if who.does("stacks_platforms"):
        under = [spots.pad(who.seat, k) for k in range(spots.PADS_PER_SEAT)]
        used = [spot for spot in under if table.world.lying(spot)]
        if used:
            yield from table.put(who, thing, table.rng.choice(used))
            yield table.takes_s(who, 6.0)
            yield from table.lift(who, thing)
    elif who.does("new_platform_in_lap"):
        yield table.takes_s(who, 20.0)
    yield from table.put(who, thing, free_pad(table, who.seat) or pad or spots.pad(who.seat, 0))


def turn_up(table: Parlour, who: Person) -> Doing:
    """Turn up every platform that is still to come from the stack."""
    while table.to_turn_up:
        face = table.to_turn_up.pop(0)
        thing = with_side_up(table, face)
        table.grabs(thing)
        slot = table.world.free(*SUPPLY) or SUPPLY[0]
        yield from table.put(who, thing, slot)
        table.let_go(thing)


def with_side_up(table: Parlour, face: Face) -> Thing:
    """Return a platform turned so that this side is up."""
    thing = table.platform(face.platform)
    thing.side = table.record.game.deck.platforms[face.platform].index(face.up)
    return thing


def refresh(table: Parlour, who: Person, decision: Refresh) -> Doing:
    """Put the supply under the stack and turn up three others: all at once, or one away and one down."""
    yield from turn_up(table, who)
    action = table.dealer.outcome(table.record.game, decision)
    old = [table.platform(face.platform) for face in table.record.position.supply if face is not None]
    new = [face for face in getattr(action, "revealed", ()) if face is not None]
    one_by_one = who.does("refreshes_singly") and not {face.platform for face in new} & _numbers(old)
    for thing in old:
        yield from table.hold(thing)
        yield from table.lift(who, thing)
        if one_by_one and new:
            table.to_turn_up.append(new.pop(0))
            yield from turn_up(table, who)
    for thing in old:
        table.let_go(thing)
    table.to_turn_up += new
    yield from turn_up(table, who)
    table.record.did(action)


def _numbers(things: list[Thing]) -> set[int]:
    return {int(thing.name.split("/")[1]) for thing in things}


def rezone(table: Parlour, who: Person, decision: Rezone) -> Doing:
    """Clear an own platform and turn it over (A9)."""
    thing = table.platform(decision.platform)
    yield from table.hold(thing)
    yield from clear(table, who, thing)
    home = table.world.spot_of(thing) or free_pad(table, who.seat)
    yield from table.lift(who, thing)
    thing.side = 1 - thing.side
    if who.does("turns_back_and_forth"):
        for _ in range(2):
            yield from table.put(who, thing, home or spots.pad(who.seat, 0))
            yield from table.lift(who, thing)
            thing.side = 1 - thing.side
    yield from table.put(who, thing, home or spots.pad(who.seat, 0))
    table.record.did(decision)
    table.let_go(thing)


def clear(table: Parlour, who: Person, thing: Thing) -> Doing:
    """Take everything off a platform: piece by piece, or swept off with one hand."""
    heap = table.heap(who.seat)
    if thing.pieces and who.does("sweeps_platform"):
        yield table.takes_s(who, 1.0)
        heap.extend(piece for piece in thing.pieces if piece.material)
        thing.pieces.clear()
        table.senses.stirred(table.world.spot_of(thing))
        return
    for piece in reversed(thing.pieces.copy()):
        yield from table.take(who, thing, piece, heap)
        if not piece.material and piece in heap:
            heap.remove(piece)  # the cube is no piece


# what hands do with platforms that is no action


def own_platforms(table: Parlour, who: Person) -> list[tuple[Thing, Spot]]:
    """Return the undelivered platforms of a player that nobody holds, with their pads."""
    things = [table.platform(face.platform) for face in table.record.position.players[who.seat - 1].platforms]
    lying = [(thing, table.world.spot_of(thing)) for thing in things if table.is_free(thing)]
    return [(thing, spot) for thing, spot in lying if spot is not None]


def looks_below(table: Parlour, who: Person) -> Doing:
    """Turn an own or a supply's platform over to see its other side, once or more often, and lay it back as it lay."""
    bare = [(thing, spot) for thing, spot in own_platforms(table, who) if not thing.pieces]
    faces = [face for face in table.record.position.supply if face is not None]
    in_supply = [(table.platform(face.platform), face) for face in faces]
    bare += [(thing, spot) for thing, _ in in_supply if (spot := table.world.spot_of(thing)) is not None]
    bare = [one for one in bare if table.is_free(one[0])]
    if not bare:
        return
    thing, home = table.rng.choice(bare)
    table.grabs(thing)
    yield from table.lift(who, thing)
    for _ in range(table.rng.randint(0, 2)):
        thing.side = 1 - thing.side
        yield from table.put(who, thing, home)
        yield table.takes_s(who, 2.0)
        yield from table.lift(who, thing)
        thing.side = 1 - thing.side
    yield table.takes_s(who, 3.0)
    yield from table.put(who, thing, home)
    table.let_go(thing)


def swaps_pads(table: Parlour, who: Person) -> Doing:
    """Change two own platforms over, towers and all."""
    own = own_platforms(table, who)[:2]
    if len(own) < 2:
        return
    for thing, _ in own:
        table.grabs(thing)
    (one, here), (other, there) = own
    yield from table.lift(who, one)
    yield from table.lift(who, other)
    yield from table.put(who, one, there)
    yield from table.put(who, other, here)
    for thing, _ in own:
        table.let_go(thing)


def builds_in_lap(table: Parlour, who: Person) -> Doing:
    """Take an own platform off its pad and build on the bare table for a while."""
    own = own_platforms(table, who)
    if not own or not table.grabs(own[0][0]):
        return
    thing, home = own[0]
    yield from table.lift(who, thing)
    for piece in list(table.heap(who.seat))[: table.rng.randint(0, 3)]:
        yield from table.add(who, thing, piece, table.heap(who.seat))
    yield table.takes_s(who, 10.0)
    yield from table.put(who, thing, home if table.world.top(home) is None else free_pad(table, who.seat) or home)
    table.let_go(thing)


def tries_a_hex(table: Parlour, who: Person) -> Doing:
    """Hold a platform, or lay it, where it might go, and take it home again: it is no delivery."""
    own = own_platforms(table, who)
    hexes = [cell for cell in table.record.game.legal_actions if hasattr(cell, "at")]
    if not own or not hexes or not table.grabs(own[0][0]):
        return
    thing, home = own[0]
    spot = spots.city(table.rng.choice(hexes).at)
    yield from table.lift(who, thing)
    if table.world.top(spot) is None:
        yield from table.put(who, thing, spot)
        yield table.takes_s(who, 3.0)
        yield from table.lift(who, thing)
    yield from table.put(who, thing, home if table.world.top(home) is None else free_pad(table, who.seat) or home)
    table.let_go(thing)
