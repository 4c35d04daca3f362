"""Strangers and passers-by: evenings are functions of their seeds, nothing gets lost, the rules take what is done."""

from collections import Counter
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import pytest
from msgspec.structs import replace

from citytable.cli_rehearse import chosen_troupe
from citytable.evenings.performance import Performance
from citytable.evenings.rates import only
from citytable.evenings.troupe import Settings, Troupe, evening
from citytable.games.megacity.actions import EndTurn
from citytable.games.megacity.game import MegaCity
from citytable.rehearsal.megacity.evenings.evening import HABITS as REGULARS
from citytable.rehearsal.megacity.evenings.fingers import by_material
from citytable.rehearsal.megacity.passers_by import visit
from citytable.rehearsal.megacity.passers_by.visit import Visit
from citytable.rehearsal.megacity.strangers import night
from citytable.rehearsal.megacity.strangers.night import Night
from citytable.rehearsal.megacity.strangers.parlour import Parlour

pytestmark = pytest.mark.long(12)


class Family(NamedTuple):
    """A family of people. `left_out` are habits that show often; `of_their_own` so many at least are in no table."""

    troupe: Troupe
    begin: type[Night | Visit]
    evenings: int
    left_out: frozenset[str]
    of_their_own: int


FAMILIES = {
    "strangers": Family(night.TROUPE, Night, 200, frozenset({"builds_between", "both_hands"}), 10),
    "passers_by": Family(visit.TROUPE, Visit, 150, frozenset({"builds", "glass_down"}), 25),
}
Played: TypeAlias = list[tuple[Night | Visit, Performance]]


@pytest.fixture(params=FAMILIES, scope="module")
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def family(name: str) -> Family:
    return FAMILIES[name]


@pytest.fixture(scope="module")
def played(family: Family) -> Played:
    settings = Settings(habits=family.troupe.habits.habits)
    begun = [family.begin(seed, settings) for seed in range(1, family.evenings + 1)]
    return [(one, one.perform()) for one in begun]


def test_a_family_is_found_by_its_name(name: str, family: Family) -> None:
    assert chosen_troupe("megacity", name) is family.troupe


def test_the_first_family_is_the_usual_one() -> None:
    assert chosen_troupe("megacity", "").habits is REGULARS


def test_the_same_seed_gives_the_same_evening(family: Family) -> None:
    settings = Settings(habits=family.troupe.habits.habits)
    assert family.troupe.perform(11, settings) == family.troupe.perform(11, settings)


def test_every_evening_is_played_to_its_end(played: Played) -> None:
    for one, performance in played:
        turns = sum(isinstance(done.action, EndTurn) for done in performance.done)
        over = one.table.record.game.outcome() is not None
        assert over or turns == 3 * len(performance.persons), f"seed {performance.seed}"


def test_no_piece_appears_or_vanishes_or_is_in_two_places(played: Played) -> None:
    for one, performance in played:
        there = Counter(piece.number for piece in one.table.world.everything() if piece.material)
        assert there == Counter(range(one.table.record.game.deck.all_pieces)), f"seed {performance.seed}"


def test_no_thing_is_in_two_places(played: Played) -> None:
    for one, performance in played:
        world = one.table.world
        every_spot = {world.spot_of(thing) for thing in world.things.values()} - {None}
        lying = [thing.name for spot in every_spot if spot is not None for thing in world.lying(spot)]
        assert len(lying) == len(set(lying)), f"seed {performance.seed}"


def test_the_bag_and_the_players_hold_what_the_rules_say(played: Played) -> None:
    for one, performance in played:
        table, position = one.table, one.table.record.position
        if not table.is_free(table.bag):
            continue  # somebody has just a hand in it
        assert len(table.bag.pieces) == position.bag, f"seed {performance.seed}"
        for seat, player in enumerate(position.players, start=1):
            dropped = table.dropped(seat) if isinstance(table, Parlour) else []
            built = [piece for face in player.platforms for piece in table.platform(face.platform).pieces]
            owned = [*table.heap(seat), *table.hand(seat), *dropped, *built]
            assert by_material(owned) == player.pieces, f"seed {performance.seed}, seat {seat}"


def test_the_city_stands_where_the_rules_say(played: Played) -> None:
    for one, performance in played:
        for building in one.table.record.position.buildings:
            thing = one.table.platform(building.face.platform)
            if one.table.is_free(thing):
                assert one.table.world.spot_of(thing) == f"city/{building.at.q}/{building.at.r}"
                assert by_material(thing.pieces).total == building.pieces.total, f"seed {performance.seed}"


def test_the_rules_take_every_act_as_the_public_knows_it(played: Played) -> None:
    for one, performance in played:
        if one.table.record.handed_over:
            continue  # pieces that changed hands unnoticed are in no act
        game = MegaCity.from_table(performance.start)
        for done in performance.done:
            game.accept(done.action)
        assert game.position.bag == one.table.record.position.bag


def test_a_tag_comes_once_and_leaves_once(
    played: Played, tags_come_once_and_leave_once: Callable[[Performance], None]
) -> None:
    for _, performance in played:
        tags_come_once_and_leave_once(performance)


def test_whole_games_come_to_an_end(family: Family) -> None:
    for seed in range(1, 10):
        assert family.troupe.perform(seed, Settings(habits=family.troupe.habits.habits, whole=True)).ended_us > 0


def test_a_habit_that_is_left_out_does_not_show(family: Family) -> None:
    habits = family.troupe.habits.habits
    rest = only(habits, frozenset(habits) - family.left_out)
    for seed in range(1, 6):
        shown = {one.habit for one in family.troupe.perform(seed, Settings(habits=rest)).noted}
        assert not shown & family.left_out


def test_many_habits_are_in_no_table(family: Family) -> None:
    assert sum(one.number == 0 for one in family.troupe.habits.habits.values()) >= family.of_their_own


def test_without_habits_and_errors_all_that_is_confirmed_was_done(family: Family) -> None:
    settings = Settings(habits=only(family.troupe.habits.habits, frozenset()), perfect=True, table="full")
    first, again = (evening(family.troupe, 3, settings) for _ in range(2))
    assert first.end == "fine", first.why
    assert replace(first, cost_s=0.0) == replace(again, cost_s=0.0)
