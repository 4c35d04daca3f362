"""Strangers at the bag: draws (R10), pieces that go back (R11), and passing it (R7)."""

from collections.abc import Sequence

from msgspec.structs import replace

from citytable.evenings.agenda import Doing
from citytable.evenings.people import Person
from citytable.evenings.world import Piece
from citytable.games.megacity.actions import EndTurn, Recycle, ReturnPieces, TakePieces
from citytable.games.megacity.ending import excess
from citytable.games.megacity.hands import PIECES_MAX
from citytable.games.megacity.turn import next_seat
from citytable.rehearsal.megacity.evenings.fingers import by_material
from citytable.rehearsal.megacity.evenings.record import ALOUD, NEIGHBOURS
from citytable.rehearsal.megacity.strangers.parlour import LOOKS_AGAIN_S, Parlour
from citytable.table import spot as spots

DRAW = 3  # R10


def draw(table: Parlour, who: Person, decision: TakePieces, *, draws: int = 1) -> Doing:
    """Draw from the bag as often as `draws` says, all in one go."""
    yield from table.hold(table.bag)
    held_up = who.does("bag_on_knees")
    if held_up:
        yield from table.lift(who, table.bag)
    aloud = decision.announced is not None and who.does("announces_to_the_air")
    if decision.announced is not None and not aloud:
        table.record.say(decision, who.seat)
    found = _wanted(table, decision, draws)
    at_random = decision.announced is None and len(table.bag.pieces) > len(found)
    if at_random and who.does("one_too_many"):
        yield from _one_too_many(table, who, found)
    else:
        yield from _grabs(table, who, found)
    _note_draws(table, who, decision, found, unseen=ALOUD if aloud else "")
    if held_up:
        yield from table.put(who, table.bag, spots.bag(who.seat))
    table.let_go(table.bag)


def _wanted(table: Parlour, decision: TakePieces, draws: int) -> list[Piece]:
    inside = table.bag.pieces
    of_kind = [piece for piece in inside if piece.material == decision.announced]
    if of_kind:
        return [table.rng.choice(of_kind)]
    return table.rng.sample(inside, min(DRAW * draws, len(inside)))


def _grabs(table: Parlour, who: Person, found: Sequence[Piece]) -> Doing:
    """Take pieces out: a handful, or in several grabs with seconds or half a minute between them."""
    several = who.does("draw_in_pieces")
    while found:
        n = table.rng.randint(1, len(found)) if several else len(found)
        grab, found = found[:n], found[n:]
        yield table.takes_s(who, 2.0)
        _out(table, who.seat, grab)
        yield from table.press(spots.bag(who.seat), table.rng.uniform(3, 90), table.takes_s(who, 0.5))
        if found:
            yield table.takes_s(who, table.rng.choice((0.3, 4.0, 15.0)))


def _out(table: Parlour, seat: int, pieces: Sequence[Piece]) -> None:
    for piece in pieces:
        table.bag.pieces.remove(piece)
        table.heap(seat).append(piece)
    table.senses.stirred(table.world.spot_of(table.bag))


def _one_too_many(table: Parlour, who: Person, found: list[Piece]) -> Doing:
    """Draw one too many, notice it, and put one back: any of those that are not built on a platform by then."""
    extra = table.rng.choice([piece for piece in table.bag.pieces if piece not in found])
    yield table.takes_s(who, 2.0)
    _out(table, who.seat, found)
    table.bag.pieces.remove(extra)
    hand = table.hand(who.seat)
    hand.append(extra)
    yield table.takes_s(who, 5.0)
    heap = table.heap(who.seat)
    back = table.rng.choice([extra, *(piece for piece in found if piece in heap)])
    if back is not extra:
        hand[:] = [back]
        heap.remove(back)
        heap.append(extra)
        found[found.index(back)] = extra
    yield from table.add(who, table.bag, back, hand)


def _note_draws(table: Parlour, who: Person, decision: TakePieces, found: Sequence[Piece], *, unseen: str) -> None:
    """Note what was drawn, three at a time; nobody can see into an empty bag, so they say it."""
    said = decision.announced is not None
    size = max(1, len(found)) if said else DRAW
    for k in range(0, max(1, len(found)), size):
        action = replace(decision, drawn=by_material(found[k : k + size]))
        if not found:
            table.record.say(action, who.seat)
        table.record.did(action, unseen=unseen if found else "", spoken=not found or (said and not unseen))


def reaches_over(table: Parlour, who: Person, left_of: Person) -> Doing:
    """Draw three while the bag still lies at the neighbour's; it is noted when the bag has been passed."""
    yield from table.hold(table.bag)
    found = table.rng.sample(table.bag.pieces, DRAW)
    yield table.takes_s(who, 1.5)
    _out(table, who.seat, found)
    yield from table.press(spots.bag(left_of.seat), table.rng.uniform(3, 60), table.takes_s(who, 0.5))
    table.let_go(table.bag)
    yield from pass_bag(table, left_of)
    table.record.did(TakePieces(player=who.seat, drawn=by_material(found)), unseen=NEIGHBOURS)


def give_back(table: Parlour, who: Person, *, since_turn: int | None = None) -> Doing:
    """Return what is more than 15 to the bag (R11): one by one or as a handful, after a `since_turn` that ended."""
    yield from into_hand(table, who, _too_many(table, who))
    yield from table.hold(table.bag)
    hand = table.hand(who.seat)
    if since_turn is not None and table.record.position.player == who.seat:
        table.heap(who.seat).extend(hand)  # too late: it is their turn again, and they return pieces at its end
        hand.clear()
        table.let_go(table.bag)
        return
    given = by_material(hand)
    yield from _into_bag(table, who, hand)
    action = ReturnPieces(player=who.seat, returned=given)
    if since_turn is None:
        table.record.did(action)
    else:
        table.record.did_late(action, since_turn)
    table.let_go(table.bag)


def _too_many(table: Parlour, who: Person) -> int:
    return max(0, table.record.position.players[who.seat - 1].pieces.total - PIECES_MAX)


def into_hand(table: Parlour, who: Person, count: int) -> Doing:
    """Take so many pieces in hand: loose ones, and when there are none left, off the own platforms."""
    heap, hand = table.heap(who.seat), table.hand(who.seat)
    while len(hand) < count:
        if heap:
            piece = table.rng.choice(_useless(table, who) or heap)
            heap.remove(piece)
            hand.append(piece)
            continue
        yield table.takes_s(who, 0.5)
        own = [table.platform(face.platform) for face in table.record.position.players[who.seat - 1].platforms]
        for thing in own:
            if any(piece.material for piece in thing.pieces) and table.grabs(thing):
                last = [piece for piece in thing.pieces if piece.material][-1]
                yield from table.take(who, thing, last, heap)
                table.let_go(thing)
                break


def _useless(table: Parlour, who: Person) -> list[Piece]:
    """Return the loose pieces that no open contract of a player allows."""
    contracts = [
        table.record.game.deck.contracts[name] for name in table.record.position.players[who.seat - 1].contracts
    ]
    return [
        piece
        for piece in table.heap(who.seat)
        if contracts and all(piece.material in contract.forbidden for contract in contracts)
    ]


def _into_bag(table: Parlour, who: Person, given: list[Piece]) -> Doing:
    """Put all of a heap into the bag: one by one or as a handful."""
    if who.does("gives_back_singly"):
        for piece in given.copy():
            yield from table.add(who, table.bag, piece, given)
    yield table.takes_s(who, 2.0)
    table.bag.pieces.extend(given)
    given.clear()
    table.senses.stirred(table.world.spot_of(table.bag))


def recycle(table: Parlour, who: Person) -> Doing:
    """Return every piece before one to the bag (R42)."""
    yield from table.hold(table.bag)
    heap = table.heap(who.seat)
    while table.dropped(who.seat):
        yield LOOKS_AGAIN_S
    for face in table.record.position.players[who.seat - 1].platforms:
        thing = table.platform(face.platform)
        yield from table.hold(thing)
        for piece in [piece for piece in thing.pieces if piece.material]:
            yield from table.take(who, thing, piece, heap)
        table.let_go(thing)
    yield from _into_bag(table, who, heap)
    table.record.did(Recycle(player=who.seat))
    table.let_go(table.bag)


def pass_bag(table: Parlour, who: Person) -> Doing:
    """Pass the bag to the left; at times it goes the wrong way first, or is held while somebody tells a story."""
    position = table.record.position
    seats = len(position.players)
    yield from table.hold(table.bag)
    yield from table.lift(who, table.bag)
    if seats > 2 and who.does("passes_bag_to_the_right"):
        yield from table.put(who, table.bag, spots.bag((who.seat - 2) % seats + 1))
        yield table.takes_s(who, 4.0)
        yield from table.lift(who, table.bag)
    if who.does("keeps_bag_while_talking"):
        yield table.takes_s(who, 20.0)
    yield from table.put(who, table.bag, spots.bag(next_seat(who.seat, seats)))
    _note_passed(table, who)
    table.let_go(table.bag)


def _note_passed(table: Parlour, who: Person) -> None:
    action = EndTurn(player=who.seat)
    if excess(table.record.position):
        table.record.did_against_rules(action, "")
    else:
        table.record.did(action)
    table.record.ends_turn()
