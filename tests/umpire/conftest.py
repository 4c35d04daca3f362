"""A table of facts: things laid and lifted by name, as sensing would tell it, in front of a real umpire of MegaCity."""

import dataclasses
import random
from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, field

import pytest
from msgspec.structs import replace

from citytable.games.megacity.actions import SetUp
from citytable.games.megacity.dealer import Dealer
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.pieces import HOUSE
from citytable.games.megacity.position import TYPES, Face, Options, Pieces, Position
from citytable.games.megacity.spots import contract_column, shared_spots, supply_platform
from citytable.games.megacity.table_side import MegaCityTable
from citytable.rehearsal.megacity.acts import public
from citytable.table import spot as spots
from citytable.table.fact import (
    Fact,
    Fell,
    HeightMeasured,
    MassMoving,
    MassSettled,
    StationCame,
    StationWent,
    TagCame,
    TagLeft,
)
from citytable.table.plan import Plan, full_plan, starter_plan
from citytable.table.question import FieldValue
from citytable.table.word import Answer, Approval, Statement
from citytable.umpire.acts import Confirmed, Said
from citytable.umpire.foresight import Foresight
from citytable.umpire.matching import Matches
from citytable.umpire.means import Means
from citytable.umpire.umpire import Umpire


def _acts(choice: str) -> list[str]:
    """Return the acts that a choice names, without what came of them."""
    return [] if choice == "nothing" else [" ".join(act.split()[:2]) for act in choice.split(" | ")]


BAG_G = 900.0  # 150 pieces and the bag itself


@dataclass
class FactTable:
    """Lays things on spots and tells the umpire; `confirmed` collects what it confirms."""

    umpire: Umpire
    lying: dict[str, str] = field(default_factory=dict)
    loads_g: dict[str, float] = field(default_factory=dict)
    bag_g: float = BAG_G
    t_us: int = 0
    confirmed: list[Confirmed] = field(default_factory=list)
    untold: list[Fact] | None = None

    def _tell(self, *facts) -> None:
        if self.untold is not None:
            self.untold += facts
            return
        self.umpire.feed(facts)
        self.confirmed += self.umpire.judge()

    def copy(self) -> "FactTable":
        """Return another table that goes on from here, with an umpire of its own that remembers nothing."""
        umpire = copy(self.umpire)
        umpire.learn()
        lists = {name: copy(getattr(self, name)) for name in ("lying", "loads_g", "confirmed")}
        return dataclasses.replace(self, umpire=umpire, **lists)

    @contextmanager
    def silence(self) -> Iterator[None]:
        """Nobody listens meanwhile: readers tell afterwards what came and went, each scale one step."""
        loads_g, told = dict(self.loads_g), (*self.loads_g, *self.lying)
        self.station("all", told, up=False)
        self.untold = []
        yield
        facts, self.untold = self.untold, None
        self.station("all", told, up=True)
        self._tell(*(fact for fact in facts if not isinstance(fact, MassMoving | MassSettled)))
        for spot, grams in self.loads_g.items():
            step_g = grams - loads_g.get(spot, 0.0)
            self._tell(MassSettled(t_us=self._now(), spot=spot, mass_g=grams, step_g=step_g, error_g=0.05))

    def _now(self) -> int:
        self.t_us += 1_000_000
        return self.t_us

    def lift(self, spot: str) -> str:
        thing = self.lying.pop(spot)
        self._tell(TagLeft(t_us=self._now(), spot=spot, uid=thing, thing=thing))
        return thing

    def lay(self, thing: str, spot: str) -> None:
        self.lying[spot] = thing
        self._tell(TagCame(t_us=self._now(), spot=spot, uid=thing, thing=thing))

    def lay_unregistered(self, uid: str, spot: str) -> None:
        self._tell(TagCame(t_us=self._now(), spot=spot, uid=uid, thing=None))

    def move(self, spot: str, to: str) -> None:
        self.lay(self.lift(spot), to)

    def where(self, thing: str) -> str:
        return next(spot for spot, there in self.lying.items() if there == thing)

    def free(self, seat: int, kind: str) -> str:
        return next(s for s in (f"seat/{seat}/{kind}/{k}" for k in range(3)) if s not in self.lying)

    def weigh(self, spot: str, grams: float) -> None:
        step_g = grams - self.loads_g.get(spot, 0.0)
        self.loads_g[spot] = grams
        self._tell(MassMoving(t_us=self._now(), spot=spot))
        self._tell(MassSettled(t_us=self._now(), spot=spot, mass_g=grams, step_g=step_g, error_g=0.05))

    def stir(self, spot: str) -> None:
        """A hand is in what weighs there."""
        self._tell(MassMoving(t_us=self._now(), spot=spot))
        self._now()

    def draw(self, seat: int, grams: float) -> None:
        """A hand takes pieces out of the bag on its cradle (or puts them back: negative)."""
        self.bag_g -= grams
        self.weigh(spots.bag(seat), self.bag_g)

    def pass_bag(self, seat: int, to: int, *, drew: int | None = None) -> None:
        """Pass the bag; who is asked then says that they `drew` so often, beside what they reported."""
        self.lift(spots.bag(seat))
        self.weigh(spots.bag(seat), 0.0)
        self.lay("bag", spots.bag(to))
        self.weigh(spots.bag(to), self.bag_g)
        if drew is not None and any(one.prompt == "account" for one in self.umpire.questions):
            self.tells(*[f"p{seat} take_pieces"] * drew)

    def take_contract(self, seat: int, contract: str, below: str | None) -> None:
        column = self.where(f"contract/{contract}")
        self.move(column, self.free(seat, "card"))
        if below is not None:
            self.lay(f"contract/{below}", column)

    def measure(self, pad: str, height_mm: float) -> None:
        self._tell(
            HeightMeasured(t_us=self._now(), spot=pad, low_mm=height_mm - 2, high_mm=height_mm + 2, source="crane")
        )

    def fall(self, spot: str, stage: str = "confirmed", lost_g: float = 60.0) -> None:
        self._tell(Fell(t_us=self._now(), spot=spot, lost_g=lost_g, stage=stage))

    def wait(self, seconds: float) -> None:
        """Nothing is sensed for so long; the umpire looks again when it wants to."""
        self.t_us += round(seconds * 1e6)
        self.umpire.feed((), self.t_us)
        self.confirmed += self.umpire.judge()

    def station(self, name: str, spots_there: tuple[str, ...], *, up: bool) -> None:
        fact = StationCame(t_us=self._now(), station=name, boot=7, spots=spots_there)
        self._tell(fact if up else StationWent(t_us=self._now(), station=name, spots=spots_there))

    def say(self, action: str) -> None:
        self.umpire.say(Statement(action=action, by="table"))
        self.confirmed += self.umpire.judge()

    def approve(self, *actions: str) -> None:
        """Somebody taps: the first acts under way, these, are right."""
        self.umpire.say(Approval(actions=tuple(actions), by="host"))
        self.confirmed += self.umpire.judge()

    def answer(self, **values: FieldValue) -> None:
        question = self.umpire.questions[0]
        self.umpire.say(Answer(question=question.id, values=values, by="table"))
        self.confirmed += self.umpire.judge()

    def tells(self, *wanted: str) -> None:
        """Seats say what was taken from the bag in a turn and put back: the acts, whatever their counts."""
        (question,) = (one for one in self.umpire.questions if one.prompt == "account")
        named = {choice: _acts(choice) for choice in question.fields[0].choices}
        found = [choice for choice, acts in named.items() if acts == list(wanted)]
        assert found, question.fields[0].choices
        self.umpire.say(Answer(question=question.id, values={"which": found[0]}, by="table"))
        self.confirmed += self.umpire.judge()

    def provisional(self) -> list[str]:
        return [one.action for one in self.umpire.provisional]

    def done(self) -> list[str]:
        return [one.text for one in self.confirmed]

    @property
    def position(self) -> Position:
        return self.umpire.position


def _columns() -> tuple[tuple[str, ...], ...]:
    """Three contracts of each type and two more: the low ones on top."""
    return tuple(
        tuple(c.id for c in HOUSE.contracts.values() if c.type == kind and not c.landmark)[: 4 if k < 2 else 3]
        for k, kind in enumerate(TYPES)
    )


@pytest.fixture
def fact_table() -> type[FactTable]:
    return FactTable


class NoMemory(Means):
    """Begins every explanation knowing nothing of the one before."""

    def explainer(self, *asked, **options):
        self.foresight, self._matches = Foresight(self.game), Matches()
        self._explainers.clear()
        return super().explainer(*asked, **options)


class Forgetful(Umpire):
    """Explains by no more than it is told."""

    def __init__(self, *begun):
        super().__init__(*begun)
        self._means = NoMemory(self._means.game)


class Pair:
    """An umpire and one that forgets; both are told the same, both glimpse it before, and they come to the same."""

    def __init__(self, position: Position, plan: Plan) -> None:
        self._both = [kind(MegaCityTable(HOUSE), position, plan) for kind in (Umpire, Forgetful)]

    def __getattr__(self, name):
        return getattr(self._both[0], name)

    def _equal(self, ask):
        one, other = (ask(umpire) for umpire in self._both)
        assert one == other
        return one

    def feed(self, facts, until_us=0) -> None:
        self._equal(lambda umpire: _told(umpire.glimpse(facts)))
        for umpire in self._both:
            umpire.feed(facts, until_us)

    def judge(self) -> tuple[Confirmed, ...]:
        confirmed = self._equal(Umpire.judge)
        self._equal(_told)
        return confirmed

    def say(self, word: Said) -> None:
        for umpire in self._both:
            umpire.say(word)


def _told(umpire: Umpire) -> tuple:
    """All that is to be known of what an umpire has come to."""
    best = umpire._state.best
    explained = (best.mismatch, best.match, best.scales, best.cues, best.broken, [node.changes for node in best.path])
    positions = (umpire.position, umpire.provisional_position)
    return (*positions, umpire.provisional, umpire.status(), umpire.questions, *explained)


@pytest.fixture
def pair() -> type[Pair]:
    return Pair


@pytest.fixture(scope="session")
def deal() -> SetUp:
    faces = [Face(number, HOUSE.platforms[number][0]) for number in sorted(HOUSE.platforms)[:3]]
    drawn = tuple(Pieces(unknown=n) for n in range(3))
    return SetUp(columns=_columns(), supply=tuple(faces), start=1, drawn=drawn)


def _lay_out(here, deal: SetUp) -> None:
    """Lay the columns and the supply of a deal where they belong."""
    for kind, column in zip(TYPES, deal.columns, strict=True):
        here.lay(f"contract/{column[0]}", contract_column(kind))
    for k, face in enumerate(deal.supply):
        here.lay(f"platform/{face.platform}/{face.up}", supply_platform(k))


@pytest.fixture
def lay_out():
    """`lay_out(table, deal)`: the columns and the supply come to where they belong."""
    return _lay_out


@pytest.fixture(scope="session")
def dealt(deal: SetUp) -> FactTable:
    """Where `table` begins."""
    game = MegaCity(Options(players=3), HOUSE)
    table = FactTable(Umpire(MegaCityTable(HOUSE), game.position, full_plan("salon", 3, shared_spots(), ())))
    table.say(str(deal))
    _lay_out(table, deal)
    table.lay("central-park", "city/0/0")
    for seat in (1, 2, 3):
        table.weigh(spots.bag(seat), 0.0)
    table.lay("bag", spots.bag(1))
    table.weigh(spots.bag(1), table.bag_g)
    assert [one.split()[0] for one in table.done()] == ["set_up"] or "set_up" in table.done()[0]
    table.confirmed.clear()
    return table


@pytest.fixture
def table(dealt: FactTable) -> FactTable:
    """Three players, the deal laid out and confirmed, seat 1 to act."""
    return dealt.copy()


@pytest.fixture
def delivered(table, building):
    """Seat 1 has delivered that building to 1/0: 4 pieces of steel, 31 mm. He may add something yet."""
    table.move("seat/1/pad/0", "city/1/0")
    table.lift(table.where("contract/PU1"))
    table.answer(height_mm=31, steel=4, concrete=0, glass=0, judged=True)
    return building


@pytest.fixture(scope="session")
def built(dealt: FactTable, deal: SetUp) -> tuple[FactTable, str]:
    """Where `building` begins, and what it is built on."""
    table, column = dealt.copy(), deal.columns[0]
    table.take_contract(1, column[0], column[1])
    platform = next(face for face in deal.supply if face.up == "public")
    spot = table.where(f"platform/{platform.platform}/public")
    table.move(spot, "seat/1/pad/0")
    table.lay("platform/20/industrial", spot)
    table.pass_bag(1, 2)
    for seat, to in ((2, 3), (3, 1)):
        table.pass_bag(seat, to)
    table.draw(1, 6.0)
    table.draw(1, 7.0)
    for seat, to in ((1, 2), (2, 3), (3, 1)):
        table.pass_bag(seat, to)
    table.confirmed.clear()
    return table, f"platform/{platform.platform}/public"


@pytest.fixture
def building(table, dealt, built):
    """Seat 1 holds the public contract PU1 (4 pieces, 25 mm), a public platform and seven pieces; it is his turn."""
    after, platform = built
    assert table.t_us == dealt.t_us, "something was done before"
    vars(table).update(vars(after.copy()))
    return platform


@pytest.fixture
def table_of_two() -> FactTable:
    """Two players have three actions each; seat 1 has the bag."""
    game = MegaCity(Options(players=2), HOUSE)
    table = FactTable(Umpire(MegaCityTable(HOUSE), game.position, full_plan("salon", 2, shared_spots(), ())))
    for seat in (1, 2):
        table.weigh(spots.bag(seat), 0.0)
    deal = public(Dealer(random.Random(2)).outcome(game, SetUp()))
    assert deal.start == 1
    game.push(deal)
    table.lay("central-park", "city/0/0")
    table.weigh("city/0/0", 14.0)
    _lay_out(table, deal)
    table.lay("bag", spots.bag(1))
    table.weigh(spots.bag(1), table.bag_g)
    table.say(str(deal))
    assert table.umpire.status().agrees
    return table


@dataclass
class Some:
    """A table of facts on which only what the plan has sensors for is told."""

    table: object
    plan: Plan

    def lay(self, thing, spot):
        self.table.lying[spot] = thing
        if spot in self.plan.readers():
            self.table.lay(thing, spot)

    def lift(self, spot):
        return self.table.lift(spot) if spot in self.plan.readers() else self.table.lying.pop(spot)

    def move(self, spot, to):
        self.lay(self.lift(spot), to)

    def weigh(self, spot, grams):
        if spot in self.plan.scales():
            self.table.weigh(spot, grams)

    def pass_bag(self, seat, to):
        self.lift(spots.bag(seat))
        self.weigh(spots.bag(seat), 0.0)
        self.lay("bag", spots.bag(to))
        self.weigh(spots.bag(to), self.table.bag_g)

    def end_turn(self, seat, to, besides="nothing", drew=0):
        """Pass the bag, and say what else was done in a turn in which there was time for more."""
        self.pass_bag(seat, to)
        if any(one.prompt == "account" for one in self.table.umpire.questions):
            self.table.tells(*[f"p{seat} take_pieces"] * drew)
        if self.table.umpire.questions:
            self.table.answer(which=besides)

    def tile(self, up):
        """A platform of the supply with this side up, where it lies."""
        return next(
            (spot, thing) for spot, thing in self.table.lying.items() if spot[:9] == "supply/pl" and thing.endswith(up)
        )


@pytest.fixture
def some(fact_table, deal):
    """`some(plan)`: two players at a table of that plan, the deal laid out and said."""

    def begun(plan):
        umpire = Umpire(MegaCityTable(HOUSE), MegaCity(Options(players=2)).position, plan)
        here = Some(fact_table(umpire), plan)
        here.table.say(str(replace(deal, drawn=deal.drawn[:2], columns=tuple(column[:3] for column in deal.columns))))
        _lay_out(here, deal)
        here.lay("central-park", "city/0/0")
        for seat in (1, 2):
            here.weigh(spots.bag(seat), 0.0)
        here.lay("bag", spots.bag(1))
        here.weigh(spots.bag(1), here.table.bag_g)
        return here

    return begun


@pytest.fixture
def starter(some):
    return some(starter_plan("salon", 2, ()))


@pytest.fixture
def ready(starter):
    """Seat 1 may deliver a public platform on his first pad for the contract in his first slot; gives both names."""
    table = starter.table
    contract = table.lying[contract_column("public")]
    starter.move(contract_column("public"), "seat/1/card/0")
    spot, platform = starter.tile("public")
    starter.move(spot, "seat/1/pad/0")
    table.answer(**{"revealed/0": "platform/20/industrial"})
    starter.end_turn(1, 2)
    starter.end_turn(2, 1)
    for _ in range(2):
        table.bag_g -= 9.5
        starter.weigh(spots.bag(1), table.bag_g)
    starter.end_turn(1, 2, drew=2)
    starter.end_turn(2, 1)
    assert table.position.players[0].pieces.total >= 6
    table.confirmed.clear()
    return contract.removeprefix("contract/"), platform.split("/")[1]
