"""Random games played on a table of facts: the umpire comes to what was done, turn by turn, and asks only what it must.

What each action does to the table is written here from the rulebook, not from `layout`.
"""

import random
import re
from collections import Counter
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import takewhile

import pytest

from citytable.bots.greedy import Greedy
from citytable.games.megacity.actions import (
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
    SetUp,
    TakeContract,
    TakePieces,
    TakePlatform,
)
from citytable.games.megacity.dealer import Dealer
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.pieces import HOUSE
from citytable.games.megacity.position import TYPES, Options
from citytable.games.megacity.spots import CITY, contract_column, landmark, shared_spots, supply_platform
from citytable.games.megacity.table_side import MegaCityTable
from citytable.games.megacity.turn import actions_left
from citytable.rehearsal.megacity.acts import holds, is_said, public
from citytable.table import spot as spots
from citytable.table.plan import full_plan
from citytable.table.word import ModeChoice
from citytable.umpire.umpire import Umpire

pytestmark = pytest.mark.long(30)

PIECE_G = 3.0


def held_against(confirmed, happened):
    """Return what was done and is not confirmed, and what was confirmed and not done. A range holds all its numbers."""
    left, ranges, wrong = Counter(happened), [], []
    for text in confirmed:
        if re.search(r"unknown:[0-9]+-", text):
            ranges.append(text)
        elif left[text]:
            left[text] -= 1
        else:
            wrong.append(text)
    for text in ranges:
        low, high = map(int, re.search(r"unknown:([0-9]+)-([0-9]+)", text).groups())
        numbers = (re.sub(r"unknown:[0-9]+-[0-9]+", f"unknown:{n}", text) for n in range(high, low - 1, -1))
        one = next((number for number in numbers if left[number]), None)
        if one is None:
            wrong.append(text)
        else:
            left[one] -= 1
    return +left, wrong


class People:
    """Do to the table what an action is in the rulebook."""

    def __init__(self, table, game, rng, one_by_one=0.0):
        self.table, self.game, self.rng = table, game, rng
        self.one_by_one = one_by_one

    def face(self, face):
        return f"platform/{face.platform}/{face.up}"

    def grams(self, count):
        return sum(self.rng.uniform(0.5, 7.0) for _ in range(count))

    def do(self, action):  # noqa: C901, PLR0912, PLR0915  one arm per action
        table, before = self.table, self.game.position
        match action:
            case SetUp():
                for kind, column in zip(TYPES, action.columns, strict=True):
                    table.lay(f"contract/{column[0]}", contract_column(kind))
                for k, face in enumerate(action.supply):
                    table.lay(self.face(face), supply_platform(k))
                table.lay("central-park", "city/0/0")
                table.weigh("city/0/0", 14.0)
                table.lay("bag", spots.bag(action.start))
                table.weigh(spots.bag(action.start), table.bag_g)
            case TakeContract(player=seat, contract=contract):
                column = next((c for c in before.columns if c and c[0] == contract), ())
                table.take_contract(seat, contract, column[1] if len(column) > 1 else None)
            case TakePlatform(player=seat):
                face = next(f for f in before.supply if f.platform == action.platform)
                gap = table.where(self.face(face))
                table.move(gap, table.free(seat, "pad"))
                for revealed in action.revealed:
                    table.lay(self.face(revealed), gap)
            case TakePieces(player=seat, drawn=drawn):
                apart = self.one_by_one and self.rng.random() < self.one_by_one
                for pieces in (1,) * drawn.total if apart else (drawn.total,) * bool(drawn.total):
                    table.draw(seat, self.grams(pieces))
            case Rezone(player=seat, platform=platform):
                face = next(f for f in before.players[seat - 1].platforms if f.platform == platform)
                pad = table.where(self.face(face))
                table.lift(pad)
                other = next(side for side in HOUSE.platforms[platform] if side != face.up)
                table.lay(f"platform/{platform}/{other}", pad)
            case Refresh():
                gaps = [table.where(self.face(face)) for face in before.supply]
                for gap in gaps:
                    table.lift(gap)
                for gap, face in zip(gaps or ["supply/platform/0"], action.revealed, strict=False):
                    table.lay(self.face(face), gap)
            case Reorganise(column=kind):
                column = before.columns[TYPES.index(kind)]
                if len(column) > 1:
                    table.lift(contract_column(kind))
                    table.lay(f"contract/{column[1]}", contract_column(kind))
            case ReturnPieces(player=seat, returned=returned):
                table.draw(seat, -self.grams(returned.total))
            case Deliver(player=seat, stood=stood):
                self.deliver(seat, action, stood)
            case PlacePark(player=seat, at=at):
                table.lay(f"park/{seat}", spots.city(at))
                table.weigh(spots.city(at), 14.0)
            case PlaceMonument(park=park):
                table.weigh(spots.city(park), table.loads_g[spots.city(park)] + PIECE_G)
            case PlaceCentralParkMonument(player=seat):
                if before.parks[0].monument is not None:
                    table.weigh("city/0/0", table.loads_g["city/0/0"] - PIECE_G)
                    table.draw(seat, -PIECE_G)
                table.weigh("city/0/0", table.loads_g["city/0/0"] + PIECE_G)
            case Recycle(player=seat):
                total = before.players[seat - 1].pieces.total
                if total:
                    table.draw(seat, -self.grams(total))
            case EndTurn(player=seat):
                table.pass_bag(seat, seat % len(before.players) + 1)

    def deliver(self, seat, action, stood):
        table = self.table
        thing = next(
            self.face(f) for f in self.game.position.players[seat - 1].platforms if f.platform == action.platform
        )
        pad, hexagon = table.where(thing), spots.city(action.at)
        table.move(pad, hexagon)
        if not stood:
            table.move(hexagon, pad)
            return
        table.weigh(hexagon, 40.0)
        table.lift(table.where(f"contract/{action.contract}"))

    def _forgotten(self, known, turns):
        """What was done in so many turns that a question is about, beside what it knows."""
        texts = [str(public(action)) for action in self.game.actions]
        over = [-1, *(k for k, text in enumerate(texts) if text.endswith("end_turn")), len(texts)]
        first = sum(text.endswith("end_turn") for text in self.table.done())
        return Counter(texts[over[first] + 1 : over[first + turns]]) - Counter(known)

    def answer(self, done):
        """What is asked now, and at once what is asked after it; `done` are the latest actions, as they are public."""
        asked, told = Counter(), [one for one in self.game.actions if isinstance(one, Deliver) and one.stood]
        while questions := self.table.umpire.questions:
            question = questions[0]
            asked[question.prompt] += 1
            if question.prompt == "besides":
                known = question.words["known"].split(" | ")
                forgotten = self._forgotten(known, sum(text.endswith("end_turn") for text in known) + 1)
                choices = question.fields[0].choices
                otherwise = "nothing" if "nothing" in choices else choices[0]
                self.table.answer(which=next((text for text in choices if text in forgotten), otherwise))
                continue
            if question.prompt == "which":
                choices = question.fields[0].choices
                self.table.answer(which=next((text for text in done if text in choices), choices[0]))
                continue
            if question.prompt == "account":
                forgotten = self._forgotten(question.words["known"].split(" | "), turns=1)
                drew = sorted(text.split()[1] for text in forgotten.elements() if "_pieces" in text)
                choices = [text for text in question.fields[0].choices if drew == verbs(text)]
                self.table.answer(which=choices[0])
                continue
            assert question.prompt == "deliver", question
            action = next(one for one in told if f"contract={one.contract} " in question.about)
            pieces = {name: getattr(action.pieces, name) for name in ("steel", "concrete", "glass")}
            self.table.answer(**pieces, height_mm=action.height_mm, judged=True)
        return asked


def verbs(choice):
    """Return what a choice of an account names, in the order of the alphabet; nothing where another seat did some."""
    acts = [] if choice == "nothing" else choice.split(" | ")
    return sorted(act.split()[1] for act in acts) if len({act.split()[0] for act in acts}) < 2 else None


class Fidgets:
    """What hands do beside playing, and undo: nothing of it is a move, whoever's turn it is."""

    def __init__(self, table, rng):
        self.table, self.rng = table, rng
        self.done = Counter()

    def do(self, often):
        """Something of it, so often."""
        kinds = (
            self.hesitates,
            self.looks_below,
            self.misses_a_read,
            self.swaps_slots,
            self.stacks_tags,
            self.pauses_on_a_hex,
        )
        if self.rng.random() < often:
            kind = self.rng.choice(kinds)
            self.done[kind.__name__] += kind()

    def some(self, *regions):
        """Places of these regions on which something lies."""
        return sorted(spot for spot in self.table.lying if any(region in spot for region in regions))

    def hesitates(self):
        spot = self.rng.choice(self.some("card", "pad", "supply"))
        self.table.lay(self.table.lift(spot), spot)
        return True

    def looks_below(self):
        """Of two cards that lie in a column."""
        columns = {column[0]: column for column in self.table.umpire.provisional_position.columns if len(column) == 2}
        spots_of = {self.table.where(f"contract/{top}"): column for top, column in columns.items()}
        if not spots_of:
            return False
        spot = self.rng.choice(sorted(spots_of))
        for lies, comes in (spots_of[spot], reversed(spots_of[spot])):
            assert self.table.lift(spot) == f"contract/{lies}"
            self.table.lay(f"contract/{comes}", spot)
        return True

    def misses_a_read(self):
        spot = self.rng.choice(self.some("city"))
        self.table.lay(self.table.lift(spot), spot)
        return True

    def swaps_slots(self):
        cards = self.some("card")
        pairs = [(one, two) for one in cards for two in cards if one < two and one[:6] == two[:6]]
        if pairs:
            one, two = self.rng.choice(pairs)
            first, second = self.table.lift(one), self.table.lift(two)
            self.table.lay(first, two)
            self.table.lay(second, one)
        return bool(pairs)

    def stacks_tags(self):
        """What lies on top is read, what lies below is not."""
        cards = self.some("card", "contract")
        if len(cards) < 2:
            return False
        start, below = self.rng.sample(cards, 2)
        top, hidden = self.table.lift(start), self.table.lift(below)
        self.table.lay(top, below)
        self.table.lift(below)
        self.table.lay(hidden, below)
        self.table.lay(top, start)
        return True

    def pauses_on_a_hex(self):
        pads, free = self.some("pad"), [cell for cell in map(spots.city, CITY) if cell not in self.table.lying]
        if pads:
            pad, cell = self.rng.choice(pads), self.rng.choice(free)
            self.table.move(pad, cell)
            self.table.move(cell, pad)
        return bool(pads)


def asked_as_it_should_be(asked, exact):
    """One form for each delivery that stood, and at most one question for each turn that ended with actions left.

    How often somebody drew is asked in these turns, too, and in one of six others: pieces differ too much.
    """
    delivered = sum(isinstance(action, Deliver) and bool(action.stood) for action in exact.actions)
    short, turns, truth = 0, 0, MegaCity(exact.position.options)
    for action in exact.actions:
        turns += isinstance(action, EndTurn)
        short += isinstance(action, EndTurn) and bool(actions_left(truth.position))
        truth.push(action)
    known = set(asked) <= {"deliver", "besides", "account"}
    few = asked["besides"] <= short and asked["account"] <= short + turns // 6
    return known and few and asked["deliver"] == delivered


def tap(table, truth, often, rng):
    """Now and then somebody says of what is under way, as far as it is told to the end, that it is right."""
    happened, _ = held_against(table.done(), map(str, truth.actions))
    right = list(takewhile(lambda text: text in happened, table.provisional()))
    if often and right and rng.random() < often:
        table.approve(*right)


@dataclass(frozen=True)
class Habits:
    """How people play. `away`: so often nobody listens. `late`: questions are answered after so many turns only.

    `taps`: so often somebody taps on what he sees. `one_by_one`: so often pieces are drawn one by one.
    """

    away: float = 0.0
    late: int = 1
    taps: float = 0.0
    one_by_one: float = 0.0


def played(table, exact, seed, habits=Habits(), fidgets=None):
    """Play a random game, turn by turn held against what was done; what was asked."""
    rng, truth = random.Random(seed), MegaCity(exact.position.options)
    for seat in range(1, len(exact.position.players) + 1):
        table.weigh(spots.bag(seat), 0.0)
    people, dealer, bot, asked = (
        People(table, exact, rng, habits.one_by_one),
        Dealer(rng, falls=0.15),
        Greedy(),
        Counter(),
    )
    listening = random.Random(seed)
    while exact.outcome() is None:
        decisions = list(exact.legal_actions)
        action = dealer.outcome(exact, bot.choose(exact, decisions) if len(decisions) > 1 else decisions[0])
        said = isinstance(action, SetUp) or is_said(exact.position, action)
        if fidgets and truth.actions:
            fidgets.do(often=0.5)
        with table.silence() if listening.random() < habits.away else nullcontext():
            people.do(action)
        if said:
            table.say(str(public(action)))
        were_open = exact.position.landmarks_open
        exact.push(action)
        truth.push(public(action))
        assert held_against(table.done(), map(str, truth.actions))[1] == []
        tap(table, truth, often=habits.taps, rng=listening)
        if exact.position.turn % habits.late == 0 or exact.outcome():
            asked += people.answer([str(one) for one in truth.actions[-8 * habits.late :]])
        if exact.position.landmarks_open and not were_open:  # R38
            for k, contract in enumerate(exact.position.landmarks):
                table.lay(f"contract/{contract}", landmark(k))
        if isinstance(action, EndTurn | SetUp) and not table.umpire.questions:
            assert holds(table.umpire.position, truth.position), [str(a) for a in truth.actions[-6:]]
            assert table.umpire.status().agrees
    assert held_against(table.done(), map(str, truth.actions)) == (Counter(), [])
    return asked


def at_a_table(fact_table, players):
    exact = MegaCity(Options(players=players))
    return fact_table(
        Umpire(MegaCityTable(HOUSE), exact.position, full_plan("salon", players, shared_spots(), ()))
    ), exact


@pytest.mark.seeds(
    "players, seed, mode",
    [
        (2, 21, "enforce"),
        (4, 3, "enforce"),
        (3, 2, "record"),
        pytest.param(2, 1, "advise", marks=pytest.mark.soak),
    ],
    soak=40,
)
def test_a_whole_random_game_is_inferred_from_what_lies_where(fact_table, players, seed, mode):
    table, exact = at_a_table(fact_table, players)
    table.umpire.say(ModeChoice(mode=mode, by="host"))
    asked = played(table, exact, seed)
    assert asked_as_it_should_be(asked, exact), asked
    assert table.umpire.questions_asked == asked.total()  # nor was anything asked that dissolved


@pytest.mark.seeds("players, seed", [pytest.param(2, 11, marks=pytest.mark.soak), (4, 13)], soak=30)
def test_what_is_put_back_is_no_move_in_a_whole_random_game(fact_table, players, seed):
    table, exact = at_a_table(fact_table, players)
    fidgets = Fidgets(table, random.Random(seed))
    asked = played(table, exact, seed, fidgets=fidgets)
    assert asked_as_it_should_be(asked, exact), asked
    assert min(fidgets.done[kind] for kind in ("hesitates", "misses_a_read", "stacks_tags", "pauses_on_a_hex")) > 2


def test_a_whole_random_game_in_which_people_tap_on_what_they_see_is_the_same(fact_table):
    table, exact = at_a_table(fact_table, 2)
    asked = played(table, exact, 41, Habits(taps=0.5), Fidgets(table, random.Random(41)))
    assert asked_as_it_should_be(asked, exact), asked


@pytest.mark.soak
@pytest.mark.parametrize("late", [4, 7])
def test_a_whole_random_game_in_which_answers_come_rounds_later_is_the_same(fact_table, late):
    table, exact = at_a_table(fact_table, players=3)
    asked = played(table, exact, 22, Habits(late=late))
    assert asked_as_it_should_be(asked, exact), asked


@pytest.mark.soak
@pytest.mark.parametrize("seed", [4, 6])
def test_a_whole_random_game_in_which_nobody_listens_to_every_other_act_is_the_same_with_few_more_questions(
    fact_table, seed
):
    table, exact = at_a_table(fact_table, 2)
    asked = played(table, exact, seed, Habits(away=0.5))
    delivered = sum(isinstance(action, Deliver) and bool(action.stood) for action in exact.actions)
    assert asked["deliver"] == delivered
    assert asked["besides"] == 1, "after a delivery, and where a piece may have been too light to be seen"


@pytest.mark.parametrize("seed", [51, pytest.param(52, marks=pytest.mark.soak)])
def test_a_whole_random_game_in_which_half_of_the_draws_go_piece_by_piece_is_the_same_with_few_more_questions(
    fact_table, seed
):
    table, exact = at_a_table(fact_table, 4)
    asked = played(table, exact, seed, Habits(one_by_one=0.5))
    assert asked["deliver"] == sum(isinstance(action, Deliver) and bool(action.stood) for action in exact.actions)
    assert asked["besides"] + asked["account"] <= len(exact.actions) / 14


@pytest.mark.soak
def test_what_is_kept_between_messages_changes_nothing_in_a_whole_game(fact_table, pair):
    exact = MegaCity(Options(players=2))
    table = fact_table(pair(exact.position, full_plan("salon", 2, shared_spots(), ())))
    played(table, exact, 4, Habits(away=0.3))
