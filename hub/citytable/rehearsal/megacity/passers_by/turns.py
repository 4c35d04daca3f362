"""A turn of a passer-by, from the first motion to the bag on the next cradle."""

from collections.abc import Callable

from citytable.evenings.agenda import Doing
from citytable.evenings.people import Person
from citytable.games.megacity.actions import (
    Action,
    Deliver,
    EndTurn,
    PlaceCentralParkMonument,
    PlaceMonument,
    PlacePark,
    Recycle,
    Refresh,
    Reorganise,
    Rezone,
    TakeContract,
    TakePieces,
    TakePlatform,
)
from citytable.games.megacity.ending import excess
from citytable.games.megacity.spots import contract_column
from citytable.games.megacity.turn import actions_left, allowance
from citytable.rehearsal.megacity.passers_by.delivering import (
    delivers,
    lays_park,
    old_monument_to_bag,
    places_monument,
    recycles,
    withdraws,
)
from citytable.rehearsal.megacity.passers_by.table import Cafe
from citytable.rehearsal.megacity.passers_by.taking import (
    brings_in,
    draws,
    flips,
    free_slot,
    gives_back,
    lays_landmarks_out,
    reaches_over,
    refreshes,
    reorganises,
    rezones,
    takes_card,
    takes_platform,
)
from citytable.rehearsal.megacity.passers_by.wishes import wish
from citytable.table import spot as spots

THINKS_S, CHOOSES_S = 6.0, 4.0  # before a turn, and before each of its further acts
SAYS_FIRST_S, INTERRUPTED_S, BETWEEN_S = (4.0, 15.0), (30.0, 120.0), (8.0, 35.0)
SPOKEN_OF: dict[type, Callable[..., Doing]] = {TakeContract: takes_card, Rezone: rezones, Reorganise: reorganises}
SILENT: dict[type, Callable[..., Doing]] = {
    TakePlatform: takes_platform,
    TakePieces: draws,
    Refresh: refreshes,
    Deliver: delivers,
    PlacePark: lays_park,
    PlaceMonument: places_monument,
    PlaceCentralParkMonument: places_monument,
}
GRACE = 30  # acts after which a turn ends, whatever somebody still wants


def play_turn(table: Cafe, who: Person) -> Doing:
    """Play the turn of the player to act."""
    yield table.takes_s(who, THINKS_S)
    if who.does("out_of_turn"):
        yield from _out_of_turn(table, table.neighbour(who))
    yield from _begun_early(table, who)
    if who.does("regrets_rezone"):
        yield from _regrets_rezone(table, who)
    refused: set[str] = set()
    for _ in range(GRACE):
        action = wish(table, who)
        if action is None or str(action) in refused:
            break
        refused.add(str(action)) if isinstance(action, Deliver | PlaceMonument | PlaceCentralParkMonument) else None
        yield from _acts(table, who, action)
        yield table.takes_s(who, CHOOSES_S)
    if table.record.game.outcome() is None:  # a simplified game ends at once
        yield from passes(table, who)


def _acts(table: Cafe, who: Person, action: Action) -> Doing:
    """Do an action, alone or with a partner who draws meanwhile."""
    if isinstance(action, Deliver) and who.does("withdrawn"):
        yield from withdraws(table, who, action)
        return
    if who.does("interrupted"):
        yield table.rng.uniform(*INTERRUPTED_S)
    said = isinstance(action, TakeContract | Rezone | Reorganise) and who.does("says_before")
    if said:
        table.record.say(action, who.seat)
        yield table.rng.uniform(*SAYS_FIRST_S)
    doing = _doing(table, who, action, said=said)
    position = table.record.position
    can_help = isinstance(action, TakeContract | TakePlatform) and actions_left(position) > 1 and not position.final
    if can_help and len(table.bag.pieces) > 20 and who.does("partner_helps"):
        doing = table.at_once(doing, draws(table, who, TakePieces(player=who.seat), once=True))
    yield from doing


def _doing(table: Cafe, who: Person, action: Action, *, said: bool) -> Doing:
    """Return what hands do for an action."""
    if isinstance(action, Recycle):
        return recycles(table, who)
    if isinstance(action, TakeContract | Rezone | Reorganise):
        return SPOKEN_OF[type(action)](table, who, action, said=said)
    return SILENT[type(action)](table, who, action)


def _begun_early(table: Cafe, who: Person) -> Doing:
    """Make acts of what was done before the bag came."""
    brings_in(table, who)
    name = table.early.pop(who.seat, "")
    if not name:
        return
    card = table.card(name)
    yield from table.hold(card)
    action = TakeContract(player=who.seat, contract=name)
    if action in table.record.game.legal_actions:
        table.did(who, action)
        yield from lays_landmarks_out(table, who)
    else:
        kind = table.record.game.deck.contracts[name].type
        yield from table.carry(who, card, contract_column(kind))
    table.let_go(card)


def _starts_early(table: Cafe, who: Person) -> Doing:
    """Take the card that one wants before the bag comes."""
    card = table.card(table.early[who.seat])
    yield from table.carry(who, card, free_slot(table, who.seat), 1.0)
    table.let_go(card)


def _out_of_turn(table: Cafe, who: Person) -> Doing:
    """Somebody takes a card although it is not their turn, and puts it back."""
    tops = [table.card(column[0]) for column in table.record.position.columns if column]
    free = [card for card in tops if table.is_free(card)]
    slots = table.slots(who.seat)
    if free and slots and table.grabs(card := table.rng.choice(free)):
        if (column := table.world.spot_of(card)) in table.world.piles and column is not None:
            yield from table.carry(who, card, slots[0])
            yield table.takes_s(who, 4.0)
            yield from table.carry(who, card, column)
        table.let_go(card)


def _regrets_rezone(table: Cafe, who: Person) -> Doing:
    """Flip an empty platform, think, and flip it back."""
    mine = [table.platform(face.platform) for face in table.record.position.players[who.seat - 1].platforms]
    empty = [thing for thing in mine if not thing.pieces and table.world.spot_of(thing)]
    if empty and table.grabs(thing := table.rng.choice(empty)):
        yield from flips(table, who, thing)
        yield table.rng.uniform(*BETWEEN_S)
        yield from flips(table, who, thing)
        table.let_go(thing)


def passes(table: Cafe, who: Person) -> Doing:
    """Pass the bag clockwise: that ends the turn."""
    position, bag = table.record.position, table.bag
    follows = table.record.persons[who.seat % len(position.players) + 1]
    ordinary = not (position.final or position.deciding or table.record.turn == table.last_turn)
    yield from table.hold(bag)
    if ordinary and follows.does("starts_early"):
        _wants_early(table, follows)
    in_the_air = excess(position) > 0 and who.does("returns_in_the_air")
    if excess(position) and not in_the_air:
        yield from gives_back(table, who)
    if ordinary and len(bag.pieces) > 20 and follows.does("reaches_over"):
        yield from reaches_over(table, follows)
    if who.seat in table.owes_cradle:
        table.owes_cradle.discard(who.seat)
        yield from table.lay(who, bag, spots.bag(who.seat))
    yield from table.lift(who, bag)
    if in_the_air:
        yield from gives_back(table, who)
    if table.old_monuments:
        yield from old_monument_to_bag(table, who)
    if len(position.players) > 2 and who.does("wrong_cradle"):
        wrong = table.neighbour(who)
        yield from table.carry(who, bag, spots.bag(wrong.seat))
        yield table.takes_s(who, 3.0)
        yield from table.lift(who, bag)
    if ordinary and who.does("bag_between"):
        table.owes_cradle.add(follows.seat)
        table.beside(_onto_cradle(table, follows), *BETWEEN_S)
    else:
        yield from table.lay(who, bag, spots.bag(follows.seat))
    table.did(who, EndTurn(player=who.seat))
    table.record.ends_turn()
    table.let_go(bag)


def _wants_early(table: Cafe, who: Person) -> None:
    position = table.record.position
    free = [table.card(column[0]) for column in position.columns if column]
    free = [card for card in free if table.is_free(card) and table.world.spot_of(card) in table.world.piles]
    few = len(position.players[who.seat - 1].contracts) < allowance(position.options)
    if free and few and table.grabs(card := table.rng.choice(free)):
        table.early[who.seat] = card.name.removeprefix("contract/")
        table.beside(_starts_early(table, who), 0.0, 2.0)


def _onto_cradle(table: Cafe, who: Person) -> Doing:
    """Put the bag where it belongs at last, if it is not in use just then."""
    if who.seat in table.owes_cradle and table.grabs(table.bag):
        table.owes_cradle.discard(who.seat)
        yield from table.lay(who, table.bag, spots.bag(who.seat))
        table.let_go(table.bag)
