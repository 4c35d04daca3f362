"""Passers-by: their evenings are pure functions of their seeds, nothing gets lost, and the rules take what they do."""

from collections import Counter
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from citytable.cli_rehearse import chosen_troupe
from citytable.evenings.performance import Performance
from citytable.evenings.rates import FIGURES, only
from citytable.evenings.troupe import Settings, evening
from citytable.evenings.world import Piece
from citytable.games.megacity.actions import EndTurn, TakePieces
from citytable.games.megacity.game import MegaCity
from citytable.rehearsal.megacity.evenings.record import ALOUD
from citytable.rehearsal.megacity.passers_by.beside import BESIDE
from citytable.rehearsal.megacity.passers_by.table import TALLEST_G, Cafe, by_material
from citytable.rehearsal.megacity.passers_by.visit import HABITS, TABLES, TROUPE, Visit, perform
from citytable.table.fact import TagCame, TagLeft

pytestmark = pytest.mark.long(8)

USUAL = Settings(habits=HABITS.habits)
EVENINGS = 150
ANSWERS = {"answers_late", "answers_wrongly", "plays_for_another"}
"""Habits of answering: they show when somebody is asked."""


@pytest.fixture(scope="module")
def played() -> list[tuple[Visit, Performance]]:
    visits = [Visit(seed, USUAL) for seed in range(1, EVENINGS + 1)]
    return [(visit, visit.perform()) for visit in visits]


def owned(table: Cafe, seat: int) -> Iterator[Piece]:
    """Yield every piece that is a player's, wherever they have it just now."""
    yield from table.heap(seat)
    yield from table.hand(seat)
    for face in table.record.position.players[seat - 1].platforms:
        yield from table.platform(face.platform).pieces


def test_the_same_seed_gives_the_same_evening() -> None:
    assert perform(11, USUAL) == perform(11, USUAL)


def test_every_evening_is_played_to_its_end(played: list[tuple[Visit, Performance]]) -> None:
    for visit, performance in played:
        turns = sum(isinstance(one.action, EndTurn) for one in performance.done)
        over = visit.table.record.game.outcome() is not None
        assert over or turns == 3 * len(performance.persons), f"seed {performance.seed}"


def test_no_piece_appears_or_vanishes_or_is_in_two_places(played: list[tuple[Visit, Performance]]) -> None:
    for visit, performance in played:
        there = Counter(piece.number for piece in visit.table.world.everything() if piece.material)
        assert there == Counter(range(visit.table.record.game.deck.all_pieces)), f"seed {performance.seed}"


def test_no_thing_is_in_two_places(played: list[tuple[Visit, Performance]]) -> None:
    for visit, performance in played:
        world = visit.table.world
        every_spot = {world.spot_of(thing) for thing in world.things.values()} - {None}
        lying = [thing.name for spot in every_spot if spot is not None for thing in world.lying(spot)]
        assert len(lying) == len(set(lying)), f"seed {performance.seed}"


def test_the_world_holds_what_the_rules_say(played: list[tuple[Visit, Performance]]) -> None:
    for visit, performance in played:
        table = visit.table
        if not table.is_free(table.bag):
            continue  # somebody has just a hand in it
        position = table.record.position
        assert len(table.bag.pieces) == position.bag, f"seed {performance.seed}"
        for seat, player in enumerate(position.players, start=1):
            assert by_material(list(owned(table, seat))) == player.pieces, f"seed {performance.seed}, seat {seat}"


def test_the_rules_take_every_act_as_the_public_knows_it(played: list[tuple[Visit, Performance]]) -> None:
    for visit, performance in played:
        if visit.table.record.handed_over:
            continue  # pieces that changed hands unnoticed are in no act
        game = MegaCity.from_table(performance.start)
        for one in performance.done:
            game.accept(one.action)
        assert game.position.bag == visit.table.record.position.bag


def test_a_tag_comes_once_and_leaves_once(played: list[tuple[Visit, Performance]]) -> None:
    for _, performance in played:
        lying: dict[str, str] = {}
        for fact in performance.facts:
            if isinstance(fact, TagCame):
                assert fact.uid not in lying, f"seed {performance.seed}: {fact}"
                lying[fact.uid] = fact.spot
            elif isinstance(fact, TagLeft):
                assert lying.pop(fact.uid) == fact.spot


def test_what_is_only_announced_aloud_is_counted_by_itself(played: list[tuple[Visit, Performance]]) -> None:
    aloud = [one for _, performance in played for one in performance.done if one.unseen == ALOUD]
    assert aloud
    assert all(isinstance(one.action, TakePieces) and one.action.announced for one in aloud)


def test_the_tallest_marker_lies_on_the_tallest_building_from_the_start() -> None:
    visit = next(one for seed in range(1, 30) if (one := Visit(seed, USUAL)).table.tallest is not None)
    spot = visit.table.tallest
    assert spot is not None
    assert visit.table.world.pressed_g[spot] == TALLEST_G


def test_whole_games_come_to_an_end() -> None:
    for seed in range(1, 9):
        visit = Visit(seed, replace(USUAL, whole=True))
        assert visit.perform().ended_us > 0


def test_every_habit_of_the_file_shows_sooner_or_later() -> None:
    often = {name: replace(one, rate=max(one.rate, 0.25)) for name, one in HABITS.habits.items()}
    shown: set[str] = set()
    for seed in range(1, 80):
        shown |= {one.habit for one in perform(seed, Settings(habits=often)).noted}
    assert not set(HABITS.habits) - ANSWERS - shown
    assert set(BESIDE) <= set(HABITS.habits)


def test_a_habit_that_is_left_out_does_not_show() -> None:
    habits = only(HABITS.habits, frozenset(HABITS.habits) - {"builds", "glass_down"})
    for seed in range(1, 6):
        shown = {one.habit for one in perform(seed, Settings(habits=habits)).noted}
        assert not shown & {"builds", "glass_down"}


def test_twenty_five_habits_and_more_are_in_no_table() -> None:
    assert sum(one.number == 0 for one in HABITS.habits.values()) >= 25


def test_their_tables_err_in_known_ways() -> None:
    for figures in TABLES.values():
        assert figures.keys() <= FIGURES.keys()


def test_without_habits_and_errors_all_that_is_confirmed_was_done() -> None:
    settings = Settings(habits=only(HABITS.habits, frozenset()), perfect=True, table="full")
    first, again = (evening(TROUPE, 3, settings) for _ in range(2))
    assert first.end == "fine", first.why
    assert (first.waits_s, first.questions) == (again.waits_s, again.questions)


def test_the_family_is_found_by_its_name() -> None:
    assert chosen_troupe("megacity", "passers_by") is TROUPE
