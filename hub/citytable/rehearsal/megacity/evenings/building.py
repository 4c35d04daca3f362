"""Towers on pads: built a piece at a time, changed, fallen, rebuilt (R15). None of it is an act of the rules."""

from citytable.evenings.agenda import Doing
from citytable.evenings.people import Person
from citytable.evenings.world import Piece, Thing
from citytable.games.megacity.pieces import Contract
from citytable.rehearsal.megacity.evenings.box import MARKER, marker_of
from citytable.rehearsal.megacity.evenings.stage import Stage, handle

HAND_G = 20.0


def building_pieces(thing: Thing) -> list[Piece]:
    """Return the pieces of a tower without the marker."""
    return [piece for piece in thing.pieces if piece.material != MARKER]


def put_on(stage: Stage, person: Person, thing: Thing, piece: Piece, owner: int) -> Doing:
    """Put a loose piece of `owner` on a tower."""
    yield from handle(stage, person, thing, HAND_G)
    if piece in stage.heap(owner):
        stage.heap(owner).remove(piece)
        stage.pile_on(thing, piece)


def take_off(stage: Stage, person: Person, thing: Thing, piece: Piece, owner: int) -> Doing:
    """Take a piece off a tower."""
    yield from handle(stage, person, thing, HAND_G)
    if piece in thing.pieces:
        stage.pick_off(thing, piece)
        if piece.material != MARKER:
            stage.heap(owner).append(piece)


def _fitting(pieces: list[Piece], contract: Contract) -> list[Piece]:
    return [piece for piece in pieces if piece.material not in contract.forbidden and piece.material != MARKER]


def _gather(stage: Stage, person: Person, contract: Contract, target: Thing, count: int) -> Doing:
    """Take pieces for a tower off the player's other towers, until enough of them are loose."""
    seat = person.seat
    for face in stage.position.players[seat - 1].platforms:
        other = stage.platform(face.platform)
        if other is target:
            continue
        for piece in reversed(_fitting(other.pieces, contract)):
            if len(_fitting(stage.heap(seat), contract)) >= count:
                return
            yield from take_off(stage, person, other, piece, seat)


def complete(stage: Stage, person: Person, thing: Thing, contract: Contract) -> Doing:
    """Build on until the tower meets its contract, without the marker."""
    seat = person.seat
    for piece in [one for one in building_pieces(thing) if one.material in contract.forbidden]:
        yield from take_off(stage, person, thing, piece, seat)
    wanted = contract.pieces + (stage.rng.choice((0, 0, 1, 2)) if contract.plus else 0)
    while len(building_pieces(thing)) > wanted:
        yield from take_off(stage, person, thing, building_pieces(thing)[-1], seat)
    missing = wanted - len(building_pieces(thing))
    yield from _gather(stage, person, contract, thing, missing)
    loose = _fitting(stage.heap(seat), contract)
    for piece in loose[: max(0, missing)]:
        yield from put_on(stage, person, thing, piece, seat)
        yield stage.pause(person, 0.2, 3.0)


def put_marker(stage: Stage, person: Person, thing: Thing) -> Doing:
    """Put the player's marker on a tower that has none."""
    if all(piece.material != MARKER for piece in thing.pieces):
        yield from handle(stage, person, thing, HAND_G)
        stage.pile_on(thing, marker_of(person.seat))


def build_a_little(stage: Stage, person: Person, thing: Thing, contract: Contract) -> Doing:
    """Put a few pieces on an unfinished tower; now and then take the top off again, or change two."""
    yield from stage.reserve(thing)
    if "/pad/" not in (stage.world.spot_of(thing) or ""):
        stage.let_go(thing)  # it has been carried away meanwhile
        return
    for piece in _fitting(stage.heap(person.seat), contract)[: stage.rng.randint(1, 3)]:
        if len(building_pieces(thing)) < contract.pieces and stage.world.spot_of(thing) is not None:
            yield from put_on(stage, person, thing, piece, person.seat)
            yield stage.pause(person, 0.5, 6.0)
    tower = building_pieces(thing)
    if tower and stage.rng.random() < 0.3:
        yield from take_off(stage, person, thing, tower[-1], person.seat)
        if stage.rng.random() < 0.6 and (loose := _fitting(stage.heap(person.seat), contract)):
            yield from put_on(stage, person, thing, stage.rng.choice(loose), person.seat)
    stage.let_go(thing)


def fall_on_pad(stage: Stage, person: Person, thing: Thing) -> Doing:
    """Let a tower fall on its pad; it stays down, or is rebuilt at once."""
    yield from stage.reserve(thing)
    spot, tower = stage.world.spot_of(thing), building_pieces(thing)
    if "/pad/" in (spot or "") and len(tower) > 1:
        fallen = tower[stage.rng.randrange(len(tower) - 1) :]
        stage.senses.falls(spot, sum(piece.mass_g for piece in fallen), len(fallen) / len(tower))
        for piece in fallen:
            thing.pieces.remove(piece)
        stage.heap(person.seat).extend(fallen)
        stage.senses.stirred(spot)
        yield stage.pause(person, 2.0, 6.0)
        if stage.rng.random() < 0.5:
            for piece in fallen:
                yield from put_on(stage, person, thing, piece, person.seat)
    stage.let_go(thing)
