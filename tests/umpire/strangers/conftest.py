"""A table of people: single motions, what is really done by the rules, and whether what was confirmed is that."""

from collections.abc import Iterable

import pytest

from citytable.games.megacity.actions import (
    NOTATION,
    Action,
    Deliver,
    EndTurn,
    PlaceCentralParkMonument,
    PlaceMonument,
    Refresh,
    ReturnPieces,
    TakePieces,
    TakePlatform,
    TurnUp,
)
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.pieces import HOUSE
from citytable.games.megacity.position import TYPES, Options, Pieces
from citytable.games.megacity.spots import contract_column, shared_spots, supply_platform
from citytable.games.megacity.table_side import MegaCityTable
from citytable.table import spot as spots
from citytable.table.plan import full_plan
from citytable.table.question import FieldValue, Question
from citytable.table.word import Answer
from citytable.umpire.umpire import Umpire

TILE_G = 35.0
PIECE_G = 2.9
CUBE_G = 1.0
ONE, TWO, THREE = "platform/1/public", "platform/2/public", "platform/3/public"
NEXT = [f"platform/{number}/industrial" for number in (13, 14, 15, 16, 17, 18, 19)]
TAKES_ONE = "p1 take_platform platform=1 revealed=13/industrial"
DRAWS = "p{} take_pieces drawn=unknown:3"
ENDS = "p{} end_turn"


def _within(seen: Pieces | None, true: Pieces | None) -> bool:
    return true is None or seen is None or seen.total <= true.total <= seen.most


def _fits(seen: Action, true: Action) -> bool:
    """Return whether what was confirmed leaves room for what was done; numbers may be ranges."""
    if type(seen) is not type(true):
        return False
    if isinstance(seen, EndTurn | TakePieces | ReturnPieces | PlaceMonument | PlaceCentralParkMonument):
        named = ("player", "park")
        same = all(getattr(seen, name, None) == getattr(true, name, None) for name in named)
        counts = ("drawn", "returned")
        return same and all(_within(getattr(seen, name, None), getattr(true, name, None)) for name in counts)
    if isinstance(seen, Refresh | TakePlatform):
        same = (seen.player, len(seen.revealed)) == (true.player, len(true.revealed))
        known = {face for face in seen.revealed if face is not None}
        return same and getattr(seen, "platform", 0) == getattr(true, "platform", 0) and known <= set(true.revealed)
    if isinstance(seen, Deliver):
        named = ("player", "contract", "platform", "at", "stood")
        return all(getattr(seen, name) == getattr(true, name) for name in named)
    return seen == true


def _not_done(seen: Iterable[Action], true: Iterable[Action]) -> list[str]:
    """Return what was confirmed of a turn and was not done in it."""
    left, wrong = list(true), []
    for act in sorted(seen, key=lambda act: str(act).count("-")):
        match = next((one for one in left if _fits(act, one)), None)
        if match is None:
            wrong.append(str(act))
        else:
            left.remove(match)
    return wrong


def _turns(acts: Iterable[Action]) -> list[list[Action]]:
    turns: list[list[Action]] = [[]]
    for act in acts:
        turns[-1].append(act)
        if isinstance(act, EndTurn):
            turns.append([])
    return turns


def _acts(texts: Iterable[str]) -> list[Action]:
    return [NOTATION.from_text(text) for text in texts]


class Evening:
    """A table of people: what they do, what they answer, and what is really done."""

    def __init__(self, table) -> None:
        self.table = table
        self.really: list[str] = []
        self.early: list[str] = []

    def does(self, *acts: str) -> None:
        """These acts are done now, by the rules."""
        self.really += acts

    def does_early(self, act: str) -> None:
        """The next player takes from a bag that has not been passed yet."""
        self.early.append(act)

    def wait(self, seconds: int) -> None:
        """So long nothing happens, but that somebody leans on the edge at the end."""
        self.table.t_us += seconds * 1_000_000
        idle = spots.pad(3, 2)
        self.table.weigh(idle, self.table.loads_g[idle])

    def add(self, spot: str, grams: float) -> None:
        self.table.weigh(spot, self.table.loads_g[spot] + grams)

    def draw(self, seat: int, *grabs_g: float) -> None:
        for grams in grabs_g:
            self.table.draw(seat, grams)

    def lift_bag(self, seat: int) -> None:
        self.table.lift(spots.bag(seat))
        self.add(spots.bag(seat), -self.table.bag_g)

    def lay_bag(self, seat: int) -> None:
        self.table.lay("bag", spots.bag(seat))
        self.add(spots.bag(seat), self.table.bag_g)

    def pass_bag(self, seat: int, to: int, takes_g: float = 0.0) -> None:
        """Hands take `takes_g` out of the bag on its way."""
        self.lift_bag(seat)
        self.table.bag_g -= takes_g
        self.lay_bag(to)

    def passes(self, seat: int, takes_g: float = 0.0) -> None:
        self.does(ENDS.format(seat))
        self.pass_bag(seat, seat % 3 + 1, takes_g)

    def draws(self, seat: int, *draws_g: float) -> None:
        """So many draws of three pieces, each in one grab."""
        for grams in draws_g:
            self.does(DRAWS.format(seat))
            self.draw(seat, grams)

    def takes_card(self, seat: int, card: str) -> None:
        """Take the top card of a column into a slot."""
        self.does(f"p{seat} take_contract contract={card}")
        self.table.take_contract(seat, card, f"{card[:2]}{int(card[2:]) + 1}")

    def lift_card(self, card: str, below: str) -> None:
        """Take the top card of a column into the hand."""
        column = self.table.where(f"contract/{card}")
        self.table.lift(column)
        self.table.lay(f"contract/{below}", column)

    def takes_one(self) -> None:
        """Seat 1 takes platform 1 to pad 0, and 13 is turned up."""
        self.does(TAKES_ONE)
        self.take_tile(0, spots.pad(1, 0), NEXT[0])

    def refreshes(self, seat: int, *tiles: str) -> None:
        """The platforms of the supply are to be these."""
        self.does(f"p{seat} refresh revealed=" + ",".join(tile.removeprefix("platform/") for tile in tiles))

    def sweeps(self, *tiles: str) -> None:
        """Sweep up the supply and lay out these."""
        for k in range(3):
            if supply_platform(k) in self.table.lying:
                self.table.lift(supply_platform(k))
        for k, tile in enumerate(tiles):
            self.table.lay(tile, supply_platform(k))

    def pass_round(self, *seats: int) -> None:
        """These seats only pass the bag."""
        for seat in seats:
            self.passes(seat)

    def lift_tile(self, spot: str) -> str:
        if spot in self.table.loads_g:
            self.add(spot, -TILE_G)
        return self.table.lift(spot)

    def lay_tile(self, tile: str, spot: str) -> None:
        self.table.lay(tile, spot)
        if spot in self.table.loads_g:
            self.add(spot, TILE_G)

    def move_tile(self, spot: str, to: str) -> None:
        self.lay_tile(self.lift_tile(spot), to)

    def take_tile(self, k: int, to: str, refill: str) -> None:
        self.move_tile(supply_platform(k), to)
        self.table.lay(refill, supply_platform(k))

    def flip(self, spot: str) -> None:
        """Turn a platform of the seat over where it lies."""
        _, number, up = self.table.lying[spot].split("/")
        self.lift_tile(spot)
        self.lay_tile(f"platform/{number}/{HOUSE.other_side(int(number), up)}", spot)

    def carry(self, spot: str, to: str) -> None:
        """Slide a platform with its tower somewhere else."""
        load_g = self.table.loads_g[spot]
        self.table.weigh(spot, 0.0)
        tile = self.table.lift(spot)
        self.table.lay(tile, to)
        self.table.weigh(to, load_g)

    def builds(self) -> None:
        """Seat 1 gets PU1 and platform 1, draws six pieces and stands the tower on pad 0. It is their turn again."""
        self.takes_card(1, "PU1")
        self.takes_one()
        self.passes(1)
        self.pass_round(2, 3)
        self.draws(1, 8.6, 8.9)
        self.passes(1)
        for grams in (PIECE_G, PIECE_G, PIECE_G, PIECE_G, CUBE_G):
            self.add(spots.pad(1, 0), grams)
        self.pass_round(2, 3)
        self.answer_honestly()

    def delivers(self, at: str = "1/0") -> None:
        """Seat 1 slides the tower there, turns the contract over and fills in the form."""
        self.does(f"p1 deliver contract=PU1 platform=1 at={at} stood=yes")
        self.carry(spots.pad(1, 0), f"city/{at}")
        self.turn_over("PU1")
        self.fill_in_form()

    def turn_over(self, card: str) -> None:
        """A card that lies face down is not read."""
        self.table.lift(self.table.where(f"contract/{card}"))

    def fill_in_form(self) -> None:
        form = self.question("height_mm")
        assert form is not None, "nobody asks how the delivery went"
        self.say(form, height_mm=31, steel=2, concrete=1, glass=1, judged=True)

    def say(self, question: Question, **values: FieldValue) -> None:
        self.table.umpire.say(Answer(question=question.id, values=values, by="table"))
        self.table.confirmed += self.table.umpire.judge()

    def question(self, field: str) -> Question | None:
        asked = self.table.umpire.questions
        return next((one for one in asked if any(one_field.name == field for one_field in one.fields)), None)

    def answer_honestly(self) -> None:
        """Whoever is asked what they drew and put back says the truth, where it is among the choices."""
        for _ in range(6):
            asked = next((one for one in self.table.umpire.questions if one.prompt == "account"), None)
            true = None if asked is None else self._true_choice(asked)
            if asked is None or true is None:
                return
            self.say(asked, which=true)

    def _true_choice(self, asked: Question) -> str | None:
        open_turns = _turns(_acts(self.really))[len(_turns(self._seen())) - 1 :]
        turn = next((one for one in open_turns if one and one[0].player == asked.seat), [])
        early = [act for act in _acts(self.early) if turn and act.player == turn[0].player % 3 + 1]
        drawn = [act for act in turn if isinstance(act, TakePieces | ReturnPieces)] + early
        for choice in asked.fields[0].choices:
            acts = [] if choice == "nothing" else _acts(choice.split(" | "))
            if len(acts) == len(drawn) and not _not_done(acts, drawn):
                return choice
        return None

    def _seen(self) -> list[Action]:
        return [one.action for one in self.table.confirmed]

    def wrong(self) -> list[str]:
        """Return what was confirmed and is not so."""
        wrong, true_turns = [], _turns(_acts(self.really))
        came_up = {face for act in _acts(self.really) for face in getattr(act, "revealed", None) or ()}
        named = {act for act in self._seen() if isinstance(act, TurnUp) and came_up.issuperset(act.revealed or ())}
        for k, seen in enumerate(_turns([act for act in self._seen() if act not in named])):
            true = true_turns[k] if k < len(true_turns) else []
            wrong += [f"turn {k + 1}: {act}" for act in _not_done(seen, true)]
            if any(isinstance(act, EndTurn) for act in seen) and len(seen) < len(true):
                wrong.append(f"turn {k + 1}: only {[str(act) for act in seen]}")
        return wrong

    def nothing_wrong(self) -> None:
        assert not self.wrong(), self.told()

    def ends_right(self) -> None:
        """Nothing wrong is confirmed, and every turn is confirmed or something is asked."""
        self.wait(10)
        self.answer_honestly()
        self.wait(10)
        assert not self.wrong(), self.told()
        behind = len(_turns(self._seen())) < len(_turns(_acts(self.really)))
        assert not behind or self.table.umpire.questions, "nothing is asked: " + self.told()

    def told(self) -> str:
        asked = [(one.prompt, one.words, one.fields[0].choices) for one in self.table.umpire.questions]
        status = [(one.kind, one.thing, one.spots, one.state) for one in self.table.umpire.status().disagreements]
        parts = (self.wrong(), self.table.done(), self.table.provisional(), asked, status)
        return "\n".join(map(str, parts))


@pytest.fixture
def evening(fact_table, deal) -> Evening:
    """Three players and a deal, every scale at rest. Seat 1 to act, with no piece; seats 2 and 3 have one and two."""
    plan = full_plan("salon", 3, shared_spots(), ())
    table = fact_table(Umpire(MegaCityTable(HOUSE), MegaCity(Options(players=3), HOUSE).position, plan))
    for spot in sorted(plan.scales()):
        table.weigh(spot, 0.0)
    table.lay("central-park", "city/0/0")
    table.weigh("city/0/0", TILE_G)
    for kind, column in zip(TYPES, deal.columns, strict=True):
        table.lay(f"contract/{column[0]}", contract_column(kind))
    for k, tile in enumerate((ONE, TWO, THREE)):
        table.lay(tile, supply_platform(k))
    table.lay("bag", spots.bag(1))
    table.weigh(spots.bag(1), table.bag_g)
    table.say(str(deal))
    assert table.umpire.status().agrees
    table.confirmed.clear()
    return Evening(table)
