"""An evening is a pure function of its seed; nothing gets lost in it, and its facts are those of its table."""

from collections import Counter
from collections.abc import Callable
from random import Random

import pytest
from msgspec.structs import replace

from citytable import cli_rehearse
from citytable.evenings.performance import Performance
from citytable.evenings.rates import only
from citytable.evenings.troupe import Settings, evenings
from citytable.games.megacity.actions import BuildingFell, Deliver, EndTurn, PiecesLost, ReturnPieces
from citytable.games.megacity.pieces import HOUSE, Contract
from citytable.games.megacity.position import Pieces
from citytable.rehearsal.megacity.evenings import delivering
from citytable.rehearsal.megacity.evenings.evening import HABITS, TROUPE, Evening, perform
from citytable.rehearsal.megacity.evenings.record import MISCOUNTED
from citytable.rehearsal.megacity.strangers import night
from citytable.table.fact import MassMoving, MassSettled, TagCame, TagLeft

pytestmark = pytest.mark.long(4)

USUAL = Settings(habits=HABITS.habits)
SEEDS = range(700, 712)
JUDGED = {"answers_late", "answers_wrongly", "plays_for_another"}
"""Habits of answering: they show when somebody is asked."""
AS_USUAL = {"fails_delivery"}
"""Nobody has habits with a tower that always falls."""


@pytest.fixture(scope="module")
def performances() -> list[Performance]:
    return [perform(seed, USUAL) for seed in SEEDS]


def test_the_same_seed_gives_the_same_evening() -> None:
    assert perform(11, USUAL) == perform(11, USUAL)


def test_a_platform_that_somebody_delivers_out_of_a_lap_is_built_on_by_nobody_else() -> None:
    """Their own hands put it from the lap on a pad, let go of it, and went on building while it was carried."""
    done = [one.action for one in perform(234, USUAL).done]
    delivered = [action for action in done if isinstance(action, Deliver) and action.pieces is not None]
    assert delivered
    assert all(action.pieces.total == HOUSE.contracts[action.contract].pieces for action in delivered)


def test_nobody_tidies_away_what_somebody_has_just_taken() -> None:
    """Hands that swapped two tiles of the supply took one of them off the pad to which it had gone meanwhile."""
    evening = perform(61015, USUAL)
    taken_us = next(one.t_us for one in evening.done if str(one.action).startswith("p1 take_platform platform=5"))
    later = [one for one in evening.facts if isinstance(one, TagCame) and one.t_us > taken_us]
    assert not [one for one in later if one.thing == "platform/5/public" and one.spot.startswith("supply")]


def test_nobody_can_know_that_a_player_returns_a_piece_because_they_had_borrowed_one() -> None:
    """Seat 3 returned a piece in turn 8, too, before they took one that belonged to somebody else."""
    returned = [one for one in perform(97022, USUAL).done if isinstance(one.action, ReturnPieces)]
    assert [(one.turn, one.unseen) for one in returned] == [(8, ""), (12, MISCOUNTED)]
    strange = night.perform(98105, Settings(habits=night.HABITS.habits))
    returned = [one for one in strange.done if isinstance(one.action, ReturnPieces)]
    assert (returned[0].turn, returned[0].unseen) == (4, MISCOUNTED)


def test_people_who_fail_are_reported_with_their_seed_and_end_no_other_evening() -> None:
    def failing(seed: int, settings: Settings) -> Performance:
        if seed == 12:
            raise ValueError("nobody can deliver that")
        return perform(seed, settings)

    troupe = replace(TROUPE, perform=failing)
    failed, fine = evenings(troupe, 12, 2, Settings(habits=only(HABITS.habits, frozenset()), perfect=True))
    assert (failed.end, failed.why) == ("failed", "ValueError('nobody can deliver that')")
    assert fine.end == "fine"


def test_other_seeds_give_other_evenings(performances: list[Performance]) -> None:
    assert len({one.facts for one in performances}) == len(performances)


def test_facts_and_acts_and_words_come_in_the_order_of_time(performances: list[Performance]) -> None:
    for one in performances:
        for moments in (one.facts, one.done, one.said, one.noted):
            times = [moment.t_us for moment in moments]
            assert times == sorted(times)


def test_a_tag_comes_once_and_leaves_once(
    performances: list[Performance], tags_come_once_and_leave_once: Callable[[Performance], None]
) -> None:
    for one in performances:
        tags_come_once_and_leave_once(one)


def test_only_what_the_plan_has_tells_anything(performances: list[Performance]) -> None:
    for one in performances:
        readers, scales = one.plan.readers(), one.plan.scales()
        assert {fact.spot for fact in one.facts if isinstance(fact, TagCame | TagLeft)} <= readers
        assert {fact.spot for fact in one.facts if isinstance(fact, MassMoving | MassSettled)} <= scales


@pytest.mark.parametrize("seed", SEEDS)
def test_no_piece_appears_or_vanishes(seed: int) -> None:
    played = Evening(seed, USUAL)
    numbers = Counter(piece.number for piece in played.stage.world.everything() if piece.material)
    played.perform()
    assert Counter(piece.number for piece in played.stage.world.everything() if piece.material) == numbers
    assert len(numbers) == played.stage.game.deck.all_pieces


@pytest.mark.parametrize("seed", SEEDS)
def test_the_world_holds_what_the_rules_say(seed: int) -> None:
    calm = only(HABITS.habits, frozenset({"builds_a_little", "draw_in_grabs"}))
    played = Evening(seed, Settings(habits=calm, perfect=True, table="full"))
    played.perform()
    stage = played.stage
    assert len(stage.bag.pieces) == stage.position.bag
    for seat, player in enumerate(stage.position.players, start=1):
        on_platforms = sum(
            bool(piece.material) for face in player.platforms for piece in stage.platform(face.platform).pieces
        )
        assert len(stage.heap(seat)) + len(stage.hand(seat)) + on_platforms == player.pieces.total
    for building in stage.position.buildings:
        assert stage.world.spot_of(stage.platform(building.face.platform)) == f"city/{building.at}"


@pytest.mark.parametrize("seed", [73, 80, 94, 113])
def test_nobody_takes_a_platform_that_is_not_turned_up_yet(seed: int) -> None:
    """Who remembers it later would turn it up out of its player's hands."""
    habits = only(HABITS.habits, frozenset())
    habits["refill_forgotten"] = replace(HABITS.habits["refill_forgotten"], rate=1.0)
    played = Evening(seed, Settings(habits=habits, perfect=True, table="full"))
    played.perform()
    owned = [face.platform for player in played.stage.position.players for face in player.platforms]
    spots = [played.stage.world.spot_of(played.stage.platform(number)) or "" for number in owned]
    assert not [spot for spot in spots if spot.startswith("supply/")]


def test_a_calm_scale_tells_what_lies_on_it() -> None:
    played = Evening(3, Settings(habits=only(HABITS.habits, frozenset()), perfect=True, table="full"))
    performance = played.perform()
    told = {fact.spot: fact.mass_g for fact in performance.facts if isinstance(fact, MassSettled)}
    for spot, mass_g in told.items():
        assert mass_g == pytest.approx(played.stage.world.mass_g(spot), abs=0.2)


def test_turns_go_round_for_three_rounds_at_most(performances: list[Performance]) -> None:
    for one in performances:
        ended = [done.action.player for done in one.done if isinstance(done.action, EndTurn)]
        seats = len(one.persons)
        assert len(ended) <= 3 * seats
        assert ended == [(one.start.player + k - 1) % seats + 1 for k in range(len(ended))]


def test_a_habit_that_is_left_out_does_not_show() -> None:
    habits = only(HABITS.habits, frozenset(HABITS.habits) - {"builds_a_little", "says_on_phone"})
    for seed in SEEDS[:5]:
        shown = {one.habit for one in perform(seed, Settings(habits=habits)).noted}
        assert not shown & {"builds_a_little", "says_on_phone"}


def test_what_falls_where_no_scale_is_can_be_known_by_a_word_only() -> None:
    likely = {"falls_late", "says_a_fall"}
    often = {name: replace(one, rate=0.6) for name, one in HABITS.habits.items() if name in likely}
    starter = Settings(habits={**HABITS.habits, **often}, table="starter")
    falls = []
    for one in (perform(seed, starter) for seed in SEEDS):
        spoken = {(said.word.action, said.t_us) for said in one.said}
        for done in one.done:
            if isinstance(done.action, BuildingFell | PiecesLost):
                falls.append(done)
                assert done.unseen == "not said" or (str(done.action), done.evident_us) in spoken
    assert {done.unseen for done in falls} == {"", "not said"}


def test_every_habit_of_the_file_shows_sooner_or_later() -> None:
    often = {
        name: type(one)(one.number, 0.9 if one.rate else 0.0, one.unit, one.kind, one.source, one.what)
        for name, one in HABITS.habits.items()
        if name not in JUDGED | AS_USUAL
    }
    habits = {**HABITS.habits, **often}
    shown: set[str] = set()
    for seed in range(40, 70):
        shown |= {one.habit for one in perform(seed, Settings(habits=habits)).noted}
    assert not (often.keys() | AS_USUAL) - shown


class Certain:
    """A model of building that knows how a slide ends."""

    def __init__(self, *, stands: bool) -> None:
        self.stands = stands

    def built_mm(self, _rng: Random, _pieces: Pieces, contract: Contract) -> int:
        return contract.height_mm + 77

    def chance_to_stand(self, *_built: object) -> float:
        return float(self.stands)


@pytest.mark.parametrize("stands", [True, False])
def test_a_delivery_ends_as_the_model_of_building_says(monkeypatch: pytest.MonkeyPatch, stands: bool) -> None:
    monkeypatch.setattr(delivering, "MODEL", Certain(stands=stands))
    clumsy = Settings(habits=only(HABITS.habits, frozenset({"fails_delivery"})))
    done = [act.action for seed in SEEDS for act in perform(seed, clumsy).done]
    deliveries = [action for action in done if isinstance(action, Deliver)]
    assert len(deliveries) > len(SEEDS)
    if stands:
        assert all(one.stood for one in deliveries)
        assert all(one.height_mm == HOUSE.contracts[one.contract].height_mm + 77 for one in deliveries)
    else:
        assert sum(not one.stood for one in deliveries) > len(deliveries) / 2


def test_without_the_habit_of_failing_no_delivery_falls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delivering, "MODEL", Certain(stands=False))
    careful = Settings(habits=only(HABITS.habits, frozenset()))
    done = [act.action for seed in SEEDS for act in perform(seed, careful).done]
    assert all(action.stood for action in done if isinstance(action, Deliver))


def test_tidy_people_have_no_habit(monkeypatch):
    chosen = []
    monkeypatch.setattr(
        cli_rehearse, "evenings", lambda _troupe, _seed, _count, settings: chosen.append(settings) or ()
    )
    cli_rehearse.rehearse_evenings(tidy=True)
    (settings,) = chosen
    assert not any(one.rate for one in settings.habits.values())
    assert settings.habits.keys() == HABITS.habits.keys()
