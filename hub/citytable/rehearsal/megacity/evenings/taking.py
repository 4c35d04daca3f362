"""Cards and platforms: taken, turned, refreshed, reorganised (R8, R9, R12-R14)."""

from citytable.evenings.agenda import Doing
from citytable.evenings.people import Person
from citytable.evenings.world import Thing
from citytable.games.megacity.actions import (
    Refresh,
    Reorganise,
    Rezone,
    TakeContract,
    TakePlatform,
)
from citytable.games.megacity.position import TYPES, Face
from citytable.games.megacity.spots import (
    LANDMARK_SLOTS,
    SUPPLY_PLATFORM_SLOTS,
    contract_column,
    landmark,
    supply_platform,
)
from citytable.rehearsal.megacity.evenings.box import platform_name
from citytable.rehearsal.megacity.evenings.stage import Stage, free_pad, free_slot, handle
from citytable.table import spot as spots
from citytable.table.spot import Spot

STRAIGHTENED = 0.7  # how many of the cards that lie badly somebody straightens within a while
SLOTS = tuple(supply_platform(k) for k in range(SUPPLY_PLATFORM_SLOTS))


def lay_card(stage: Stage, person: Person, card: Thing) -> Doing:
    """Lay a card in front of oneself: into a free slot, or badly."""
    sloppy = person.does("sloppy_card")
    slot = free_slot(stage, person.seat)
    if slot is None:
        stage.let_go(card)  # beside the slots: nothing reads it
        return
    if not sloppy:
        yield from stage.put(person, card, slot)
        return
    other = spots.card(person.seat, stage.rng.randrange(spots.CARD_SLOTS_PER_SEAT))
    if stage.world.lying(other):
        yield from stage.put(person, card, other)  # on another card: the reader holds both
        return
    yield from stage.put(person, card, slot, askew=True)
    if stage.rng.random() < STRAIGHTENED:
        stage.agenda.begin(_straighten(stage, card), stage.pause(person, 2.0, 60.0))


def _straighten(stage: Stage, card: Thing) -> Doing:
    yield 0.0
    card.askew = False
    stage.senses.stirred(stage.world.spot_of(card))


def take_contract(stage: Stage, person: Person, action: TakeContract, *, turn: int | None = None) -> Doing:
    """Take a card (R8, R39)."""
    card = stage.card(action.contract)
    yield from stage.lift(person, card)
    if person.does("card_while_passing"):
        stage.record.did(action, turn=turn)
        stage.agenda.begin(lay_card(stage, person, card), stage.pause(person, 4.0, 30.0))
    else:
        yield stage.pause(person, 0.2, 4.0)
        yield from lay_card(stage, person, card)
        stage.record.did(action, turn=turn)
    _landmarks_come(stage, person)


def _landmarks_come(stage: Stage, person: Person) -> None:
    """Lay out the landmarks once the last standard contract is taken (R38)."""
    slots = (landmark(k) for k in range(LANDMARK_SLOTS))
    names = [name for name in stage.position.landmarks if stage.world.spot_of(stage.card(name)) is None]
    for k, name in enumerate(names):
        slot = next(slots)
        stage.agenda.begin(stage.put(person, stage.card(name), slot), 2.0 + 3.0 * k)


def turn_up(stage: Stage, person: Person, face: Face, slot: Spot) -> Doing:
    """Turn up a platform of the stack into a slot of the supply."""
    thing = stage.world.things[platform_name(face.platform)]
    thing.side = stage.game.deck.platforms[face.platform].index(face.up)
    thing.pieces = []
    yield from stage.reserve(thing)
    yield from stage.put(person, thing, slot)


def fill_gaps(stage: Stage, person: Person) -> Doing:
    """Turn up what was forgotten: nobody takes a platform, or refreshes, before the supply is whole."""
    while stage.gaps:
        slot, face = stage.gaps.popitem()
        yield from turn_up(stage, person, face, slot)


def take_platform(stage: Stage, person: Person, action: TakePlatform) -> Doing:
    """Take a platform and refill the supply (R9)."""
    action = stage.dealer.outcome(stage.game, action)  # type: ignore[assignment]  # the same kind of action
    thing = stage.platform(action.platform)
    yield from fill_gaps(stage, person)
    yield from stage.reserve(thing)  # somebody may be turning it up just now
    slot = stage.world.spot_of(thing) or SLOTS[0]
    faces = [face for face in action.revealed or () if face is not None]
    yield from stage.lift(person, thing, kept=True)
    forgotten = person.does("refill_forgotten")
    if faces and forgotten and stage.rng.random() < 0.5:
        yield from turn_up(stage, person, faces[0], slot)
        faces = []
    yield from _lay_platform(stage, person, thing)
    stage.record.did(action)
    for face in faces:
        if forgotten:
            stage.gaps[slot] = face
            helper = stage.rng.choice(list(stage.persons.values()))
            stage.agenda.begin(fill_gaps(stage, helper), stage.pause(person, 5.0, 60.0))
        else:
            yield from turn_up(stage, person, face, slot)


def _lay_platform(stage: Stage, person: Person, thing: Thing) -> Doing:
    """Lay a platform on a pad, into the lap for a while, or on another one."""
    pads = [spots.pad(person.seat, k) for k in range(spots.PADS_PER_SEAT)]
    taken = [pad for pad in pads if stage.world.lying(pad) and not stage.world.lying(pad)[-1].pieces]
    if taken and person.does("stacks_platforms"):
        yield from stage.put(person, thing, stage.rng.choice(taken))
        stage.agenda.begin(_to_a_pad(stage, person, thing), stage.pause(person, 5.0, 40.0))
    elif person.does("platform_in_lap"):
        stage.let_go(thing)
        stage.agenda.begin(_out_of_the_lap(stage, person, thing), stage.pause(person, 8.0, 120.0))
    else:
        yield from _to_a_pad(stage, person, thing)


def _to_a_pad(stage: Stage, person: Person, thing: Thing) -> Doing:
    """Bring an undelivered platform to a free pad, if it is not elsewhere by now."""
    spot = stage.world.spot_of(thing) or ""
    mine = [face.platform for face in stage.position.players[person.seat - 1].platforms]
    lies_alone = spot.startswith(f"seat/{person.seat}/pad/") and len(stage.world.lying(spot)) == 1
    pad = free_pad(stage, person.seat)
    if pad is None or lies_alone or (spot and platform_number(thing) not in mine):
        return
    if stage.is_held(thing) and spot:
        return
    if spot:
        yield from stage.lift(person, thing)
    yield from stage.put(person, thing, pad)


def _out_of_the_lap(stage: Stage, person: Person, thing: Thing) -> Doing:
    """Bring a platform from a lap to a free pad, unless somebody has carried it elsewhere by now."""
    yield from stage.reserve(thing)
    if stage.world.spot_of(thing) is None and free_pad(stage, person.seat) is not None:
        yield from _to_a_pad(stage, person, thing)
    else:
        stage.let_go(thing)


def platform_number(thing: Thing) -> int:
    """Return the number of a platform."""
    return int(thing.name.partition("/")[2])


def clear(stage: Stage, person: Person, thing: Thing) -> Doing:
    """Take everything off a platform (A9)."""
    while thing.pieces:
        yield from handle(stage, person, thing, 20)
        if not thing.pieces:
            return
        piece = thing.pieces[-1]
        stage.pick_off(thing, piece)
        if piece.material:
            stage.heap(person.seat).append(piece)


def rezone(stage: Stage, person: Person, action: Rezone) -> Doing:
    """Turn an own platform over (R12)."""
    thing = stage.platform(action.platform)
    yield from stage.reserve(thing)
    yield from clear(stage, person, thing)
    pad = stage.world.spot_of(thing) or free_pad(stage, person.seat)
    yield from turn_over(stage, person, thing, pad)
    stage.record.did(action)


def turn_over(stage: Stage, person: Person, thing: Thing, back_to: Spot | None) -> Doing:
    """Lift a platform, turn it over and lay it down."""
    stage.let_go(thing)
    yield from stage.lift(person, thing)
    thing.side = 1 - thing.side
    if back_to is None:
        stage.let_go(thing)
        return
    yield from stage.put(person, thing, back_to)


def refresh(stage: Stage, person: Person, action: Refresh) -> Doing:
    """Put the supply under the stack and turn up another one (R13)."""
    yield from fill_gaps(stage, person)
    action = stage.dealer.outcome(stage.game, action)  # type: ignore[assignment]  # the same kind of action
    for face in stage.position.supply:
        if face is not None:
            thing = stage.platform(face.platform)
            yield from stage.lift(person, thing)
            stage.let_go(thing)
            yield stage.pause(person, 0.2, 0.6)
    for face, slot in zip(action.revealed or (), stage.rng.sample(SLOTS, len(SLOTS)), strict=False):
        if face is not None:
            yield from turn_up(stage, person, face, slot)
    stage.record.did(action)
    if all(face is None for face in stage.position.stack) and not stage.position.stack:
        stage.record.say(stage.record.done[-1].action, person.seat, 1.0)


def reorganise(stage: Stage, person: Person, action: Reorganise) -> Doing:
    """Put the top card of a column below it (R14)."""
    spot = contract_column(action.column)
    cards = stage.position.columns[TYPES.index(action.column)]
    card = stage.card(cards[0])
    yield from stage.lift(person, card)
    yield from stage.put(person, card, spot, below=True)
    alone = len(cards) == 1
    stage.record.did(action, unseen="a column of one" if alone else "", soft=alone, spoken=alone)
    if alone:
        stage.record.say(action, person.seat, stage.pause(person, 0.5, 4.0))
