"""A stranger's turn: what they decide on, in which order their hands do it, and passing the bag."""

from collections.abc import Callable, Sequence

from citytable.bots.greedy import Greedy
from citytable.evenings.agenda import Doing
from citytable.evenings.people import Person
from citytable.games.megacity.actions import (
    Action,
    Deliver,
    Refresh,
    Reorganise,
    Rezone,
    TakeContract,
    TakePieces,
    TakePlatform,
)
from citytable.games.megacity.ending import excess
from citytable.games.megacity.turn import next_seat
from citytable.rehearsal.megacity.strangers import bag, cards, going, tiles
from citytable.rehearsal.megacity.strangers.parlour import Parlour
from citytable.rehearsal.megacity.strangers.towers import within_reach

FULL_BAG = 15
"""With fewer pieces in the bag people take care: no two things at once."""
HOUSE_RULE = "house rule"

ACTS: dict[type, Callable[..., Doing]] = {
    TakeContract: cards.take_contract,
    TakePlatform: tiles.take_platform,
    TakePieces: bag.draw,
    Rezone: tiles.rezone,
    Refresh: tiles.refresh,
    Reorganise: cards.reorganise,
}
OPPORTUNE = (TakeContract, TakePlatform, TakePieces)
"""What one hand can do while the other does another of these."""


def act(table: Parlour, who: Person, decision: Action) -> Doing:
    """Do what a standard action wants."""
    yield from ACTS[type(decision)](table, who, decision)


def play_turn(table: Parlour, who: Person) -> Doing:
    """Play one turn."""
    yield table.takes_s(who, 5.0)
    if table.record.position.deciding:
        yield from _decide(table, who)
    elif (delivery := _delivery(table, who)) is not None and table.rng.random() < 0.8:
        yield from _deliver(table, who, delivery)
    if table.record.position.phase == "main" and not table.record.position.deciding:
        yield from _standard(table, who)
    if table.record.game.outcome() is None:
        yield from _hand_on(table, who)


def _decide(table: Parlour, who: Person) -> Doing:
    """Recycle or deliver a landmark (R41)."""
    delivery = _delivery(table, who)
    if delivery is not None and table.rng.random() < 0.7:
        yield from _deliver(table, who, delivery)
    if table.record.position.phase == "main":
        yield from bag.recycle(table, who)


def _delivery(table: Parlour, who: Person) -> Deliver | None:
    """Return a delivery for which there are enough pieces of the right kind, one of any hex."""
    deck = table.record.game.deck
    possible = [
        one
        for one in table.record.game.legal_actions
        if isinstance(one, Deliver)
        and within_reach(table, who, deck.contracts[one.contract]) >= deck.contracts[one.contract].pieces
    ]
    return table.rng.choice(possible) if possible else None


def _deliver(table: Parlour, who: Person, delivery: Deliver) -> Doing:
    yield from going.deliver(table, who, delivery)
    after = table.record.position
    if delivery.contract not in after.players[who.seat - 1].completed:
        return
    forgets = who.does("forgets_to_turn_card")
    option_first = not forgets and who.does("option_before_card")
    if not forgets and not option_first:
        yield from going.turns_card(table, who, delivery.contract)
    yield from _option(table, who)
    if option_first:
        yield from going.turns_card(table, who, delivery.contract)
    elif forgets:
        table.agenda.begin(going.turns_card(table, who, delivery.contract), table.takes_s(who, 60.0))


def _option(table: Parlour, who: Person) -> Doing:
    """Choose one option after a delivery, or none."""
    if table.record.position.phase != "option":
        return
    options = [one for one in table.record.game.legal_actions if type(one) in going.OPTIONS]
    if options and table.rng.random() < 0.75:
        kinds = sorted({type(one) for one in options}, key=lambda kind: kind.__name__)
        kind = table.rng.choice(kinds)
        yield table.takes_s(who, 4.0)
        yield from going.option(table, who, table.rng.choice([one for one in options if type(one) is kind]))


# standard actions


def _standard(table: Parlour, who: Person) -> Doing:
    """Do up to two standard actions, three with two players (R7); people do not always use them all."""
    if who.does("passes_with_nothing_done"):
        return
    while table.record.position.phase == "main":
        if table.record.position.actions_used and who.does("stops_early"):
            break
        decisions = _sensible(table)
        if not decisions:
            break
        yield from _one_or_two(table, who, decisions)
        yield table.takes_s(who, 2.0)
    if table.house_rule and table.record.position.phase == "over" and who.does("one_contract_more"):
        yield from _one_contract_more(table, who)


def _sensible(table: Parlour) -> list[Action]:
    """Return the standard actions that may be done now."""
    return [one for one in table.record.game.legal_actions if type(one) in ACTS]


def _one_or_two(table: Parlour, who: Person, decisions: Sequence[Action]) -> Doing:
    decision = _chosen(table, who, decisions)
    position = table.record.position
    left = (3 if len(position.players) == 2 else 2) - position.actions_used
    if left >= 2 and position.bag >= FULL_BAG:
        if type(decision) is TakePieces and decision.announced is None and who.does("draws_six"):
            yield from bag.draw(table, who, decision, draws=2)
            return
        others = [one for one in decisions if type(one) in OPPORTUNE and type(one) is not type(decision)]
        if type(decision) in OPPORTUNE and others and who.does("both_hands"):
            yield from table.together(act(table, who, decision), act(table, who, table.rng.choice(others)))
            return
    yield from act(table, who, decision)


def _chosen(table: Parlour, who: Person, decisions: Sequence[Action]) -> Action:
    """Choose what looks best, or follow a whim: any kind of action is as good as another."""
    last = table.record.game.actions[-1:]
    again = [one for one in decisions if type(one) in map(type, last)]
    if again and who.does("does_the_same_again"):
        return table.rng.choice(again)
    if not who.does("follows_a_whim"):
        best = Greedy().choose(table.record.game, decisions)
        if type(best) is TakePieces:
            announced = who.does("wants_a_material")
            return table.rng.choice(
                [one for one in decisions if type(one) is TakePieces and bool(one.announced) is announced]
            )
        return best
    kinds = sorted({type(one) for one in decisions}, key=lambda kind: kind.__name__)
    kind = table.rng.choice(kinds)
    return table.rng.choice([one for one in decisions if type(one) is kind])


def _one_contract_more(table: Parlour, who: Person) -> Doing:
    """Take a contract beyond the two actions, as this group has agreed on (a house rule)."""
    columns = [column for column in table.record.position.columns if len(column) > 1]
    mine = table.record.position.players[who.seat - 1].contracts
    if columns and len(mine) < 3:
        wanted = TakeContract(player=who.seat, contract=table.rng.choice(columns)[0])
        yield from cards.take_contract(table, who, wanted, unseen=HOUSE_RULE)


# the end of a turn


def _hand_on(table: Parlour, who: Person) -> Doing:
    """Return what is too much and pass the bag; the next one may already have a hand in it."""
    turn = table.record.turn
    late = bool(excess(table.record.position)) and who.does("returns_a_round_late")
    while excess(table.record.position) and not late:
        yield from bag.give_back(table, who)
    yield table.takes_s(who, 2.0)
    neighbour = table.record.persons[next_seat(who.seat, len(table.record.persons))]
    if not late and _draws_next(table) and neighbour.does("reaches_over"):
        yield from bag.reaches_over(table, neighbour, who)
    else:
        yield from bag.pass_bag(table, who)
    if late:
        table.agenda.begin(bag.give_back(table, who, since_turn=turn), table.takes_s(who, 10.0))


def _draws_next(table: Parlour) -> bool:
    """Return whether the next player may draw three as the first thing they do."""
    position = table.record.position
    return position.bag >= FULL_BAG and not position.final and not position.deciding and not position.options.simplified
