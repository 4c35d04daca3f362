"""What people do with the bag: draw, put back, lift it, pass it (R7, R10, R11, R42)."""

from collections import Counter

from citytable.evenings.agenda import Doing
from citytable.evenings.people import Person
from citytable.evenings.world import Piece
from citytable.games.megacity.actions import EndTurn, Recycle, ReturnPieces, TakePieces
from citytable.games.megacity.ending import excess
from citytable.games.megacity.position import Pieces
from citytable.games.megacity.standard import RANDOM_DRAW
from citytable.games.megacity.turn import next_seat
from citytable.rehearsal.megacity.evenings.box import MARKER
from citytable.rehearsal.megacity.evenings.record import ALOUD
from citytable.rehearsal.megacity.evenings.stage import Stage, handle
from citytable.table import spot as spots

NEAR_THE_CRADLE = 0.25  # how often somebody who puts the bag back does not hit the cradle


def counted(pieces: list[Piece]) -> Pieces:
    """Return pieces by material."""
    return Pieces(**Counter(piece.material for piece in pieces if piece.material != MARKER))


def feel(stage: Stage, person: Person, times: int) -> Doing:
    """Reach into the bag and feel about."""
    for _ in range(times):
        spot = stage.world.spot_of(stage.bag)
        if spot is not None:
            yield from stage.touch(spot, stage.rng.uniform(40, 250), stage.rng.uniform(0.4, 1.0))
        yield stage.pause(person, 0.3, 0.8)


def grab(stage: Stage, person: Person, pieces: list[Piece]) -> Doing:
    """Take these pieces out of the bag in one handful, and keep them in hand."""
    yield from feel(stage, person, stage.rng.randint(1, 3))
    for piece in pieces:
        stage.bag.pieces.remove(piece)
    stage.hand(person.seat).extend(pieces)
    stage.senses.stirred(stage.world.spot_of(stage.bag))
    yield stage.pause(person, 0.3, 0.8)


def put_back(stage: Stage, person: Person, pieces: list[Piece]) -> Doing:
    """Put these pieces, which are in the player's hand, into the bag in one handful."""
    yield stage.pause(person, 0.5, 1.5)
    for piece in pieces:
        stage.hand(person.seat).remove(piece)
    stage.bag.pieces.extend(pieces)
    spot = stage.world.spot_of(stage.bag)
    stage.senses.stirred(spot)
    if spot is not None:
        yield from stage.touch(spot, 60 * stage.rng.uniform(0.5, 1.5), stage.rng.uniform(0.25, 0.7))


def _parts(stage: Stage, person: Person, count: int) -> list[int]:
    """Return the handfuls of a draw."""
    if count < 2 or not person.does("draw_in_grabs"):
        return [count]
    return stage.rng.choice(([1, count - 1], [count - 1, 1], [1] * count))


def _take_out(stage: Stage, person: Person, pieces: list[Piece], parts: list[int]) -> Doing:
    for part in parts:
        taken, pieces = pieces[:part], pieces[part:]
        if taken:
            yield from grab(stage, person, taken)
        if pieces:
            yield stage.pause(person, 1.5, stage.rng.choice((4.0, 8.0, 30.0)))


def _one_too_many(stage: Stage, person: Person, drawn: list[Piece]) -> Doing:
    """Take one more, count, and put one back."""
    if not stage.bag.pieces:
        return
    extra = stage.rng.choice(stage.bag.pieces)
    yield from grab(stage, person, [extra])
    yield stage.pause(person, 1.5, 8.0)
    back = stage.rng.choice([*drawn, extra])
    yield from put_back(stage, person, [back])
    if back is not extra:
        drawn.remove(back)
        drawn.append(extra)


def _tip_out(stage: Stage, person: Person, pieces: list[Piece]) -> Doing:
    """Tip a heap out of the bag, pick some, and scoop the rest back."""
    rest = [piece for piece in stage.bag.pieces if piece not in pieces]
    more = stage.rng.sample(rest, min(len(rest), stage.rng.randint(4, 15)))
    yield from grab(stage, person, [*pieces, *more])
    yield stage.pause(person, 3.0, 10.0)
    yield from put_back(stage, person, more)


def draw(stage: Stage, person: Person, pieces: list[Piece], parts: list[int]) -> Doing:
    """Take these pieces out of the bag, however this person does it."""
    in_lap = person.does("bag_in_lap") and stage.world.spot_of(stage.bag) is not None
    home = stage.world.spot_of(stage.bag)
    if in_lap:
        yield from stage.lift(person, stage.bag)
    if person.does("tips_bag_out"):
        yield from _tip_out(stage, person, pieces)
    else:
        yield from _take_out(stage, person, list(pieces), parts)
    if parts == [RANDOM_DRAW] and person.does("puts_one_back"):
        yield from _one_too_many(stage, person, pieces)
    stage.lay_down(person.seat)
    if in_lap and home is not None:
        if stage.rng.random() < NEAR_THE_CRADLE:
            stage.let_go(stage.bag)  # beside the cradle: nothing reads it, nothing weighs it
        else:
            yield from stage.put(person, stage.bag, home)


def take_pieces(stage: Stage, person: Person, action: TakePieces, *, unseen: str = "") -> Doing:
    """Draw by the rules (R10)."""
    bag = stage.bag.pieces
    fitting = [piece for piece in bag if piece.material == action.announced]
    if fitting:
        drawn = [stage.rng.choice(fitting)]
        yield from feel(stage, person, stage.rng.randint(2, 5))
    else:
        drawn = stage.rng.sample(bag, min(RANDOM_DRAW, len(bag)))
    if drawn:
        yield from draw(stage, person, drawn, _parts(stage, person, len(drawn)))
    else:
        yield from feel(stage, person, 2)
    _drew(stage, person, action, drawn, unseen)


def _drew(stage: Stage, person: Person, action: TakePieces, drawn: list[Piece], unseen: str) -> None:
    stage.last_drawn = list(drawn)
    aloud = action.announced is not None and person.does("announced_aloud")
    took = TakePieces(player=person.seat, announced=action.announced, drawn=counted(drawn))
    spoken = (action.announced is not None and not aloud) or not drawn
    stage.record.did(took, unseen=ALOUD if aloud else unseen or ("" if drawn else "empty bag"), spoken=spoken)
    if spoken:
        stage.record.say(stage.record.done[-1].action, person.seat, stage.pause(person, 0.5, 6.0))


def take_twice(stage: Stage, person: Person) -> Doing:
    """Draw twice in one movement: nobody can see where the first draw ends."""
    drawn = stage.rng.sample(stage.bag.pieces, 2 * RANDOM_DRAW)
    parts = stage.rng.choice(([2, 2, 2], [4, 2], [6], [5, 1]))
    yield from draw(stage, person, drawn, parts)
    for half in (drawn[:RANDOM_DRAW], drawn[RANDOM_DRAW:]):
        _drew(stage, person, TakePieces(player=person.seat), half, "")


def make_room(stage: Stage, person: Person, count: int) -> Doing:
    """Take pieces off the player's own towers until so many lie loose."""
    for face in stage.position.players[person.seat - 1].platforms:
        thing = stage.platform(face.platform)
        while len(stage.heap(person.seat)) < count and (piece := _top(thing.pieces)) is not None:
            yield from handle(stage, person, thing, 20)
            if piece in thing.pieces:  # else somebody took it, or it fell, meanwhile
                stage.pick_off(thing, piece)
                stage.heap(person.seat).append(piece)


def _top(pieces: list[Piece]) -> Piece | None:
    return next((piece for piece in reversed(pieces) if piece.material != MARKER), None)


def return_pieces(stage: Stage, person: Person) -> Doing:
    """Give the excess back (R11)."""
    count = excess(stage.position)
    yield from make_room(stage, person, count)
    returned = stage.rng.sample(stage.heap(person.seat), count)
    parts = [count]
    if count > 1 and person.does("returns_in_parts"):
        parts = stage.rng.choice(([1] * count, [count - 1, 1], [1, count - 1]))
    stage.pick_up(person.seat, returned)
    left = list(returned)
    for part in parts:
        yield from put_back(stage, person, left[:part])
        left = left[part:]
        yield stage.pause(person, 0.5, 6.0) if left else 0.1
    stage.record.did(ReturnPieces(player=person.seat, returned=counted(returned)))


def recycle(stage: Stage, person: Person) -> Doing:
    """Put everything into the bag (R42)."""
    seat = person.seat
    total = stage.position.players[seat - 1].pieces.total
    yield from make_room(stage, person, total)
    heap = list(stage.heap(seat))
    stage.pick_up(seat, heap)
    while heap:
        handful, heap = heap[:5], heap[5:]
        yield from put_back(stage, person, handful)
        yield stage.pause(person, 0.5, 2.0)
    stage.record.did(Recycle(player=seat), unseen="" if total else "nothing to recycle", spoken=not total)
    if not total:
        stage.record.say(stage.record.done[-1].action, seat, stage.pause(person, 0.5, 5.0))


def pass_bag(stage: Stage, person: Person) -> Doing:
    """Pass the bag to the left: the turn is over (R7)."""
    yield from carry_bag(stage, person, next_seat(person.seat, len(stage.persons)))
    stage.record.did(EndTurn(player=person.seat))


def carry_bag(stage: Stage, person: Person, to: int) -> Doing:
    """Bring the bag to a seat; now and then it goes to a wrong one first."""
    yield from stage.lift(person, stage.bag)
    if len(stage.persons) > 2 and person.does("bag_wrong_way"):
        wrong = stage.rng.choice([seat for seat in stage.persons if seat not in {person.seat, to}])
        yield from stage.put(person, stage.bag, spots.bag(wrong))
        yield stage.pause(person, 2.0, 10.0)
        yield from stage.lift(person, stage.bag)
    yield stage.pause(person, 0.5, 3.0)
    yield from stage.put(person, stage.bag, spots.bag(to))
