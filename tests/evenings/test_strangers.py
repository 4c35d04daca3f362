"""Strangers: their evenings are pure functions of their seeds, nothing gets lost, and the rules take what they do."""

from collections import Counter
from collections.abc import Iterator

import pytest

from citytable.cli_rehearse import chosen_troupe
from citytable.evenings.performance import Performance
from citytable.evenings.rates import FIGURES, Habit, only
from citytable.evenings.troupe import Settings, evening
from citytable.evenings.world import Piece
from citytable.games.megacity.actions import EndTurn, TakeContract
from citytable.games.megacity.game import MegaCity
from citytable.rehearsal.megacity.evenings.evening import HABITS as REGULARS
from citytable.rehearsal.megacity.strangers.instruments import FIGURES as STRANGE_FIGURES
from citytable.rehearsal.megacity.strangers.night import HABITS, TROUPE, Night, perform
from citytable.rehearsal.megacity.strangers.parlour import Parlour, by_material
from citytable.table.fact import TagCame, TagLeft

pytestmark = pytest.mark.long(12)

USUAL = Settings(habits=HABITS.habits)
EVENINGS = 200
JUDGED = {"answers_late", "answers_wrongly", "plays_for_another"}
"""Habits of answering: they show when somebody is asked."""


@pytest.fixture(scope="module")
def played() -> list[tuple[Night, Performance]]:
    nights = [Night(seed, USUAL) for seed in range(1, EVENINGS + 1)]
    return [(night, night.perform()) for night in nights]


def owned(table: Parlour, seat: int) -> Iterator[Piece]:
    """Yield every piece that is a player's, wherever they have it just now."""
    for heap in (table.heap(seat), table.hand(seat), table.dropped(seat)):
        yield from heap
    for face in table.record.position.players[seat - 1].platforms:
        yield from table.platform(face.platform).pieces


def test_the_same_seed_gives_the_same_evening() -> None:
    assert perform(11, USUAL) == perform(11, USUAL)


def test_every_evening_is_played_to_its_end(played: list[tuple[Night, Performance]]) -> None:
    for night, performance in played:
        turns = sum(isinstance(one.action, EndTurn) for one in performance.done)
        over = night.table.record.game.outcome() is not None
        assert over or turns == 3 * len(performance.persons), f"seed {performance.seed}"


def test_no_piece_appears_or_vanishes_or_is_in_two_places(played: list[tuple[Night, Performance]]) -> None:
    for night, performance in played:
        there = Counter(piece.number for piece in night.table.world.everything() if piece.material)
        assert there == Counter(range(night.table.record.game.deck.all_pieces)), f"seed {performance.seed}"


def test_no_thing_is_in_two_places(played: list[tuple[Night, Performance]]) -> None:
    for night, performance in played:
        world = night.table.world
        every_spot = {world.spot_of(thing) for thing in world.things.values()} - {None}
        lying = [thing.name for spot in every_spot if spot is not None for thing in world.lying(spot)]
        assert len(lying) == len(set(lying)), f"seed {performance.seed}"


def test_the_world_holds_what_the_rules_say(played: list[tuple[Night, Performance]]) -> None:
    for night, performance in played:
        table = night.table
        if not table.is_free(table.bag):
            continue  # somebody has just a hand in it
        position = table.record.position
        assert len(table.bag.pieces) == position.bag, f"seed {performance.seed}"
        for seat, player in enumerate(position.players, start=1):
            assert by_material(list(owned(table, seat))) == player.pieces, f"seed {performance.seed}, seat {seat}"
        for building in position.buildings:
            thing = table.platform(building.face.platform)
            if table.is_free(thing):
                assert table.world.spot_of(thing) == f"city/{building.at.q}/{building.at.r}"
                assert by_material(thing.pieces).total == building.pieces.total, f"seed {performance.seed}"


def test_the_rules_take_every_act_as_the_public_knows_it(played: list[tuple[Night, Performance]]) -> None:
    for night, performance in played:
        if night.table.record.handed_over:
            continue  # pieces that changed hands unnoticed are in no act
        game = MegaCity.from_table(performance.start)
        for one in performance.done:
            game.accept(one.action)
        assert game.position.bag == night.table.record.position.bag


def test_a_tag_comes_once_and_leaves_once(played: list[tuple[Night, Performance]]) -> None:
    for _, performance in played:
        lying: dict[str, str] = {}
        for fact in performance.facts:
            if isinstance(fact, TagCame):
                assert fact.uid not in lying, f"seed {performance.seed}: {fact}"
                lying[fact.uid] = fact.spot
            elif isinstance(fact, TagLeft):
                assert lying.pop(fact.uid) == fact.spot


def test_strangers_do_what_is_legal_but_unusual(played: list[tuple[Night, Performance]]) -> None:
    turns: Counter[str] = Counter()
    for _, performance in played:
        allowed = 3 if len(performance.persons) == 2 else 2
        by_turn: dict[int, list[str]] = {}
        for one in performance.done:
            by_turn.setdefault(one.turn, []).append(type(one.action).__name__)
        for kinds in by_turn.values():
            standard = sum(kind not in {"EndTurn", "ReturnPieces"} for kind in kinds)
            turns["unused"] += standard < allowed and "Deliver" not in kinds and "EndTurn" in kinds
            turns["refreshed twice"] += kinds.count("Refresh") > 1
            turns["three contracts"] += kinds.count("TakeContract") == 3
        turns["reorganised"] += any("Reorganise" in kinds for kinds in by_turn.values())
    assert min(turns[one] for one in ("unused", "refreshed twice", "three contracts", "reorganised")) > 0


def test_a_contract_beyond_the_allowance_is_a_house_rule(played: list[tuple[Night, Performance]]) -> None:
    for _, performance in played:
        house = [one for one in performance.done if one.unseen == "house rule"]
        assert all(isinstance(one.action, TakeContract) for one in house)


def test_whole_games_come_to_an_end() -> None:
    for seed in range(1, 11):
        night = Night(seed, Settings(habits=HABITS.habits, whole=True))
        assert night.perform().ended_us > 0


@pytest.mark.soak
def test_every_habit_of_the_file_shows_sooner_or_later() -> None:
    often = {
        name: Habit(one.number, 0.9 if one.rate < 0.5 else one.rate, one.unit, one.kind, one.source, one.what)
        for name, one in HABITS.habits.items()
        if name not in {*JUDGED, "passes_with_nothing_done"}
    }
    habits = {**HABITS.habits, **often}
    shown: set[str] = set()
    for seed in range(1, 60):
        whole = seed % 10 == 0
        shown |= {one.habit for one in perform(seed, Settings(habits=habits, whole=whole)).noted}
    assert not set(often) - shown


def test_a_habit_that_is_left_out_does_not_show() -> None:
    habits = only(HABITS.habits, frozenset(HABITS.habits) - {"builds_between", "both_hands"})
    for seed in range(1, 6):
        shown = {one.habit for one in perform(seed, Settings(habits=habits)).noted}
        assert not shown & {"builds_between", "both_hands"}


def test_ten_habits_and_more_are_in_no_table() -> None:
    assert sum(one.number == 0 for one in HABITS.habits.values()) >= 10


def test_their_sensors_have_the_same_figures_with_other_values() -> None:
    assert STRANGE_FIGURES.keys() == FIGURES.keys()
    assert STRANGE_FIGURES != FIGURES


def test_their_evenings_are_judged_alike_each_time() -> None:
    settings = Settings(habits=only(HABITS.habits, frozenset()), perfect=True, table="full")
    first, again = (evening(TROUPE, 2, settings) for _ in range(2))
    assert first.end in {"fine", "wrong", "stuck"}
    assert (first.end, first.waits_s, first.questions) == (again.end, again.waits_s, again.questions)


def test_a_family_is_found_by_its_name_and_the_first_is_the_usual_one() -> None:
    assert chosen_troupe("megacity", "strangers") is TROUPE
    assert chosen_troupe("megacity", "").habits is REGULARS
