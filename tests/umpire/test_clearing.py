"""Clearing up: what is still to be put away, what nobody has seen, and what the bag's weight tells."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from citytable.games.megacity.pieces import HOUSE, things
from citytable.games.megacity.position import TYPES
from citytable.games.megacity.spots import shared_spots
from citytable.games.megacity.table_side import MegaCityTable
from citytable.table.checklist import BagBack, Checklist
from citytable.table.fact import Fell, MassSettled, StationWent, TagCame, TagLeft
from citytable.table.plan import SpotPlan, StationPlan, full_plan
from citytable.umpire.clearing import BagWeighed, Clearing, FullBag, bag_back, full_bag
from citytable.umpire.observed import Observed
from citytable.umpire.whole_game import whole

PLAN = full_plan("salon", 2, shared_spots(), things(HOUSE, 2))
RULES = whole(MegaCityTable(HOUSE))
FULL = FullBag(mass_g=900.0, piece_g=5.0)


class Cleared:
    """A table that is cleared up; `lay`, `lift` and `weigh` are what its sensors tell."""

    def __init__(self, *lying: tuple[str, str], plan=PLAN, full=FULL) -> None:
        self.observed, self.clearing = Observed(), None
        for thing, spot in lying:
            self.lay(thing, spot)
        self.clearing = Clearing(plan, RULES.component, self.observed, full)

    def _tell(self, fact) -> None:
        for kept in (fact,) if self.clearing is None else self.clearing.take([fact]):
            self.observed = self.observed.took(kept)

    def lay(self, thing: str | None, spot: str) -> None:
        self._tell(TagCame(t_us=0, spot=spot, uid="04", thing=thing))

    def lift(self, thing: str, spot: str) -> None:
        self._tell(TagLeft(t_us=0, spot=spot, uid="04", thing=thing))

    def weigh(self, spot: str, mass_g: float) -> None:
        step_g = mass_g - self.observed.mass_g.get(spot, 0.0)
        self._tell(MassSettled(t_us=0, spot=spot, mass_g=mass_g, step_g=step_g, error_g=0.1))

    def show_all(self, but: str = "") -> None:
        for thing in PLAN.tags.values():
            if thing != "bag" and RULES.component(thing) != but:
                self.lay(thing, "supply/platform/0")
                self.lift(thing, "supply/platform/0")

    def put_bag(self, mass_g: float, seat: int = 1) -> None:
        self.lay("bag", f"seat/{seat}/bag")
        self.weigh(f"seat/{seat}/bag", mass_g)

    @property
    def list(self) -> Checklist:
        return self.clearing.checklist(self.observed)


def told(there: Cleared) -> list[tuple]:
    return [(one.kind, one.spots, one.thing) for one in there.clearing.status(there.observed).disagreements]


def test_what_lies_in_the_city_on_pads_and_in_card_slots_is_to_be_put_away_and_the_supply_may_keep_its_own():
    lying = [("platform/3/public", "city/1/0"), ("park/1", "city/0/1"), ("contract/CO1", "seat/2/card/0")]
    there = Cleared(*lying, ("platform/4/public", "seat/1/pad/2"), ("platform/5/public", "supply/platform/1"))
    assert {(spots, thing) for _, spots, thing in told(there)} == {
        *(((spot,), thing) for thing, spot in lying),
        (("seat/1/pad/2",), "platform/4/public"),
    }
    assert there.list.lying == 4
    for thing, spot in (*lying, ("platform/4/public", "seat/1/pad/2")):
        there.lift(thing, spot)
    assert (told(there), there.list.lying) == ([], 0)


def test_spots_of_any_game_beside_the_supply_are_to_be_emptied():
    grid = StationPlan("park", "park", (SpotPlan("grid/3/5", reader=True),))
    there = Cleared(("building/7", "grid/3/5"), plan=replace(PLAN, stations=(*PLAN.stations[7:], grid)))
    assert [(spots, thing) for _, spots, thing in told(there)] == [(("grid/3/5",), "building/7")]


def test_pieces_left_on_a_hex_and_a_bus_pass_are_to_be_put_away_too():
    there = Cleared()
    there.weigh("city/1/0", 21.0)
    there.lay(None, "city/2/0")
    assert set(told(there)) == {
        ("mass", ("city/1/0",), ""),
        ("unregistered", ("city/2/0",), "04"),
    }


def test_everything_that_is_back_makes_the_table_ready_and_one_tile_that_nobody_saw_is_named():
    there = Cleared()
    there.put_bag(899.0, seat=2)
    there.show_all(but="platform/3")
    assert (there.list.ready, there.list.unseen) == (False, ("platform/3",))
    assert there.list.counted == there.list.components - 1
    there.lay("platform/3/commercial", "supply/platform/2")
    assert there.list.ready


@given(st.sets(st.sampled_from(sorted(PLAN.tags.values()))))
def test_a_component_is_named_unless_one_of_its_sides_was_read(read):
    there = Cleared()
    for thing in sorted(read):
        there.lay(thing, "supply/contract/public")
    seen = {RULES.component(thing) for thing in read}
    every = {RULES.component(thing) for thing in PLAN.tags.values()}
    assert set(there.list.unseen) == every - seen
    assert there.list.counted == len(seen)


def test_what_lay_on_the_table_when_it_began_is_counted():
    assert "platform/3" not in Cleared(("platform/3/public", "city/1/0")).list.unseen


def test_a_tower_that_is_swept_off_is_no_accident():
    there = Cleared()
    fell = Fell(t_us=0, spot="city/1/0", lost_g=80.0, stage="confirmed")
    assert there.clearing.take([fell]) == ()


def test_a_silent_station_is_named_and_nothing_is_claimed_of_its_spots():
    there = Cleared(("platform/3/public", "city/1/0"))
    spots = next(one.spots for one in PLAN.stations if any(plan.spot == "city/1/0" for plan in one.spots))
    there.observed = there.observed.took(
        StationWent(t_us=0, station="sector-1", spots=tuple(plan.spot for plan in spots))
    )
    assert (told(there), there.list.silent, there.list.ready) == ([], ("sector-1",), False)


@pytest.mark.parametrize(
    ("mass_g", "pieces"), [(900.0, 0), (903.0, 0), (896.5, 0), (895.0, 1), (890.2, 2), (700.0, 40)]
)
def test_a_bag_that_is_too_light_tells_how_many_pieces_may_be_missing(mass_g, pieces):
    there = Cleared()
    there.put_bag(mass_g)
    assert there.list.bag == BagBack(mass_g, round(900.0 - mass_g, 1), pieces)


def test_a_bag_in_somebodys_hands_is_asked_for():
    there = Cleared()
    assert (there.list.bag, there.list.ready) == (BagBack(), False)


def test_after_a_short_game_the_bags_weight_tells_nothing_and_holds_nothing_up():
    there = Cleared(full=None)
    there.put_bag(500.0)
    there.show_all()
    assert (there.list.bag, there.list.ready) == (BagBack(500.0), True)


def test_a_table_without_readers_and_scales_has_nothing_to_count():
    bare = full_plan("salon", 2, shared_spots(), ())
    stations = tuple(one for one in bare.stations if one.kind == "sector")
    there = Cleared(plan=type(bare)(table="salon", seats=2, stations=stations, tags={}))
    assert (there.list.components, there.list.bag, there.list.ready) == (0, None, True)


@given(st.integers(60, 147), st.integers(0, 40), st.floats(0.5, 17.0), st.floats(50, 400))
def test_the_full_bag_is_found_from_two_weighings(first, last, piece_g, empty_g):
    def weighed(pieces):
        return BagWeighed(pieces, empty_g + pieces * piece_g)

    full = full_bag(weighed(first), weighed(last), 150)
    assert full.mass_g == pytest.approx(empty_g + 150 * piece_g)
    assert full.piece_g == pytest.approx(piece_g)


def test_two_weighings_that_are_too_much_alike_or_make_no_sense_tell_nothing():
    assert full_bag(BagWeighed(147, 800.0), BagWeighed(140, 765.0), 150) is None
    assert full_bag(BagWeighed(147, 800.0), BagWeighed(100, 810.0), 150) is None


def test_a_bag_that_still_swings_is_not_weighed():
    assert bag_back(Observed(lying={"seat/1/bag": frozenset({"bag"})}), FULL) == BagBack()


def test_both_sides_of_a_platform_are_one_component_and_all_pieces_belong_in_the_bag():
    assert {RULES.component(f"platform/3/{side}") for side in TYPES} == {"platform/3"}
    assert RULES.component("contract/CO1") == "contract/CO1"
    assert RULES.all_pieces() == sum(HOUSE.pieces.values())
