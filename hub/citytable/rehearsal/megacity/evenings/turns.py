"""Turns: people choose among the legal decisions and do them, one motion after the other, and pass the bag.

They wait for no display. The choice is the bot's advice, or now and then whatever comes to mind.
"""

from collections.abc import Sequence

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
    ReturnPieces,
    Rezone,
    TakeContract,
    TakePieces,
    TakePlatform,
)
from citytable.games.megacity.position import Position
from citytable.games.megacity.spots import contract_column
from citytable.games.megacity.standard import RANDOM_DRAW
from citytable.games.megacity.turn import allowance, next_seat
from citytable.rehearsal.megacity.evenings import bagging, delivering, taking
from citytable.rehearsal.megacity.evenings.record import NEIGHBOURS
from citytable.rehearsal.megacity.evenings.stage import Stage, move

WEIGHTS: dict[type, float] = {
    TakeContract: 6.0,
    TakePlatform: 5.0,
    TakePieces: 9.0,
    Deliver: 40.0,
    Rezone: 1.0,
    Refresh: 1.0,
    Reorganise: 1.0,
    PlacePark: 3.0,
    PlaceMonument: 3.0,
    PlaceCentralParkMonument: 4.0,
    Recycle: 2.0,
    EndTurn: 0.5,
}
"""How gladly people do something where they do not follow the advice."""
ADVISED = 0.5
ANNOUNCES = 0.25
UNDOABLE = (TakeContract, TakePieces)


def choose(stage: Stage) -> Action:
    """Return what the player to act decides."""
    turned = {
        one.action.platform
        for one in stage.record.done
        if one.turn == stage.record.turn and isinstance(one.action, Rezone)
    }
    decisions: Sequence[Action] = [
        one for one in stage.game.legal_actions if not (isinstance(one, Rezone) and one.platform in turned)
    ]  # nobody turns a platform over and back again
    if stage.rng.random() < ADVISED:
        return max(decisions, key=stage.game.advice)
    kinds = sorted({type(one) for one in decisions}, key=lambda kind: kind.__name__)
    kind = stage.rng.choices(kinds, [WEIGHTS.get(kind, 1.0) for kind in kinds])[0]
    fitting = [one for one in decisions if type(one) is kind]
    if kind is TakePieces:
        announced = stage.rng.random() < ANNOUNCES
        fitting = [one for one in fitting if (getattr(one, "announced", None) is not None) == announced] or fitting
    return stage.rng.choice(fitting)


def do(stage: Stage, person: Person, decision: Action) -> Doing:  # noqa: C901  one arm per action
    """Do what was decided."""
    match decision:
        case TakeContract():
            yield from taking.take_contract(stage, person, decision)
        case TakePlatform():
            yield from taking.take_platform(stage, person, decision)
        case TakePieces():
            yield from bagging.take_pieces(stage, person, decision)
        case Rezone():
            yield from taking.rezone(stage, person, decision)
        case Refresh():
            yield from taking.refresh(stage, person, decision)
        case Reorganise():
            yield from taking.reorganise(stage, person, decision)
        case ReturnPieces():
            yield from bagging.return_pieces(stage, person)
        case Deliver():
            yield from delivering.deliver(stage, person, decision)
        case PlacePark():
            yield from delivering.place_park(stage, person, decision)
        case PlaceMonument() | PlaceCentralParkMonument():
            yield from delivering.place_monument(stage, person, decision)
        case Recycle():
            yield from bagging.recycle(stage, person)


def _flows(stage: Stage, person: Person, decision: Action) -> bool:
    """Return whether this draw and the next one flow into one another."""
    left = allowance(stage.position.options) - stage.position.actions_used
    plain = isinstance(decision, TakePieces) and decision.announced is None
    enough = len(stage.bag.pieces) > 2 * RANDOM_DRAW + 20
    return plain and left >= 2 and enough and person.does("draws_flow")


def play_turn(stage: Stage, person: Person) -> Doing:
    """Play a turn and pass the bag; begins when the bag has come."""
    while stage.game.outcome() is None:
        yield stage.pause(person, 0.5, 6.0)
        decision = choose(stage)
        before, known, handed_over = stage.position, len(stage.record.done), stage.record.handed_over
        if isinstance(decision, EndTurn):
            break
        if _flows(stage, person, decision):
            yield from bagging.take_twice(stage, person)
        else:
            yield from do(stage, person, decision)
        if len(stage.record.done) == known:
            if not stage.position.actions_used and stage.position.phase == "main":
                continue  # it could not be done: something else
            break
        undoable = isinstance(decision, UNDOABLE) and len(stage.record.done) == known + 1
        if undoable and stage.record.handed_over == handed_over and person.does("takes_back"):
            yield from _take_back(stage, person, before)
    yield from _house_rule(stage, person)
    yield from end_turn(stage, person)


def _take_back(stage: Stage, person: Person, before: Position) -> Doing:
    """Take the last act back, before anybody could count on it."""
    last, handed_over = stage.record.done[-1], stage.record.handed_over
    yield stage.pause(person, 2.0, 10.0)
    if (
        stage.record.done[-1] is not last
        or stage.record.handed_over != handed_over
        or last.action in stage.record.spoken_of[-3:]
    ):
        return  # something fell meanwhile, or was lost; what was said holds
    match last.action:
        case TakeContract(contract=name):
            column = stage.game.deck.contracts[name]
            if column.landmark or before.landmarks_open != stage.position.landmarks_open:
                return
            yield from move(stage, person, stage.card(name), contract_column(column.type))
        case TakePieces() if stage.last_drawn and all(piece in stage.heap(person.seat) for piece in stage.last_drawn):
            stage.pick_up(person.seat, stage.last_drawn)
            yield from bagging.put_back(stage, person, list(stage.last_drawn))
        case _:
            return
    if stage.record.done and stage.record.done[-1] is last:
        stage.record.takes_back(before)


def _house_rule(stage: Stage, person: Person) -> Doing:
    """Take one contract more than the turn allows, by agreement."""
    columns = [column for column in stage.position.columns if column]
    if stage.position.phase != "over" or stage.position.delivered_at or not columns:
        return
    if not stage.house_rule or not person.does("house_rule"):
        return
    card = stage.card(columns[0][0])
    yield from stage.lift(person, card)
    yield from taking.lay_card(stage, person, card)
    stage.record.did_against_rules(TakeContract(player=person.seat, contract=columns[0][0]), "house rule")


def end_turn(stage: Stage, person: Person) -> Doing:
    """Give back what is too much, pass the bag, and let the next turn begin."""
    if stage.game.outcome() is not None:
        stage.record.ends_turn()
        return
    if any(isinstance(one, ReturnPieces) for one in stage.game.legal_actions):
        yield from bagging.return_pieces(stage, person)
    following = stage.persons[next_seat(person.seat, len(stage.persons))]
    late = _forgotten(stage, person)
    if late is None and _reaches_early(stage, following):
        yield from _draw_before_the_bag_comes(stage, person, following)
    else:
        yield from bagging.pass_bag(stage, person)
    stage.record.ends_turn()
    if late is not None and stage.game.outcome() is None:
        stage.agenda.begin(_do_late(stage, person, late, stage.record.turn - 1), stage.pause(person, 1.0, 10.0))


def _forgotten(stage: Stage, person: Person) -> TakeContract | None:
    """Return a contract that is taken only after the bag was passed."""
    if stage.position.phase != "main" or not stage.position.actions_used:
        return None
    found = [one for one in stage.game.legal_actions if isinstance(one, TakeContract)]
    found = [one for one in found if not stage.game.deck.contracts[one.contract].landmark]
    return found[0] if found and person.does("act_after_passing") else None


def _do_late(stage: Stage, person: Person, action: TakeContract, turn: int) -> Doing:
    card = stage.card(action.contract)
    if (
        stage.is_held(card)
        or stage.world.top(contract_column(stage.game.deck.contracts[action.contract].type)) is not card
    ):
        return
    yield from stage.lift(person, card)
    yield from taking.lay_card(stage, person, card)
    stage.record.did_late(action, turn)


def _reaches_early(stage: Stage, following: Person) -> bool:
    goes_on = not stage.position.final and len(stage.bag.pieces) > RANDOM_DRAW
    return goes_on and stage.world.spot_of(stage.bag) is not None and following.does("reaches_early")


def _draw_before_the_bag_comes(stage: Stage, person: Person, following: Person) -> Doing:
    """The next player draws out of the bag where it still lies, and then it is passed."""
    could_be_theirs = stage.position.phase == "main"
    drawn = stage.rng.sample(stage.bag.pieces, RANDOM_DRAW)
    yield from bagging.draw(stage, following, drawn, [RANDOM_DRAW])
    stage.record.did(EndTurn(player=person.seat))
    took = TakePieces(player=following.seat, drawn=bagging.counted(drawn))
    unseen = NEIGHBOURS if could_be_theirs else ""
    stage.record.did(took, unseen=unseen, turn=stage.record.turn + 1)
    yield from bagging.carry_bag(stage, person, following.seat)
