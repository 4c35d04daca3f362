"""What counts as wrong: an act that nobody did, one never confirmed, another player's, another count."""

import pytest
from msgspec.structs import replace

from citytable.cli_rehearse import print_report
from citytable.evenings.judging import Judge, Result, Truth
from citytable.evenings.performance import Done
from citytable.evenings.rates import only
from citytable.evenings.report import bands, bounds, by_habit, overall, shown_by
from citytable.evenings.troupe import Settings, chosen_habits, evening
from citytable.games.megacity.actions import Action, Deliver, EndTurn, PiecesLost, TakeContract, TakePieces
from citytable.games.megacity.notation import action_from_text
from citytable.games.megacity.position import Options, Pieces, Player, Position
from citytable.rehearsal.megacity.evenings.evening import HABITS, TROUPE
from citytable.rehearsal.megacity.evenings.record import NEIGHBOURS
from citytable.rehearsal.megacity.evenings.referee import Referee
from citytable.table.hexes import Hex
from citytable.table.question import Field, Question

pytestmark = pytest.mark.long(5)

THREE = TakePieces(player=1, drawn=Pieces(unknown=3))
ONE = TakePieces(player=1, drawn=Pieces(unknown=1))
CARD = TakeContract(player=1, contract="PU1")
PASSED = EndTurn(player=1)


def done(*actions: Action, unseen: str = "", late: tuple[Action, ...] = ()) -> list[Done]:
    """Return a turn in which these were done, a second apart, the last one passing the bag."""
    told = [Done(t_us=(k + 1) * 1_000_000, turn=1, action=one, unseen=unseen) for k, one in enumerate(actions)]
    passed = Done(t_us=20_000_000, turn=1, action=PASSED)
    after = [Done(t_us=30_000_000, turn=1, action=one) for one in late]
    return [*told, passed, *after]


def judged(truth: Truth, *confirmed: Action, at_us: int = 25_000_000) -> tuple[str, str]:
    for action in confirmed:
        if not truth.wrong:
            truth.confirmed(action, at_us)
    return truth.verdict(misled=False)


@pytest.mark.parametrize("confirmed", [(THREE, CARD, PASSED), (CARD, THREE, PASSED), (THREE,), ()])
def test_what_was_done_is_right_in_any_order(confirmed: tuple[Action, ...]) -> None:
    assert judged(Truth(done(THREE, CARD), Referee()), *confirmed) == ("fine", "")


LOST = PiecesLost(at=Hex(1, 0), to_box=Pieces(unknown=1), to_bag=Pieces(), height_mm=42)


def test_what_fell_may_be_confirmed_a_turn_later_and_no_more() -> None:
    """A person reports it when the bag lies at the next player's place already (A 31017)."""
    later = replace(done()[0], turn=2, t_us=40_000_000)
    assert judged(Truth([*done(LOST), later], Referee()), PASSED, LOST, PASSED, at_us=45_000_000)[0] == "fine"
    assert judged(Truth([*done(LOST), later], Referee()), PASSED, PASSED, at_us=45_000_000)[0] == "wrong"


def test_a_house_rule_excuses_its_turn_although_it_is_confirmed() -> None:
    """No turn of the rules has room for what was done beside it (B 32014)."""
    third = replace(done(CARD)[0], unseen="house rule")
    assert judged(Truth([third, *done(THREE)], Referee()), CARD, PASSED)[0] == "unseen"


def test_a_range_gives_way_to_what_is_confirmed_exactly() -> None:
    some = TakePieces(player=1, drawn=Pieces(unknown=1, maybe=2))
    assert judged(Truth(done(THREE, ONE), Referee()), some, THREE, PASSED) == ("fine", "")
    assert judged(Truth(done(THREE, ONE), Referee()), some, THREE, ONE)[0] == "wrong"


@pytest.mark.parametrize(
    ("confirmed", "says"),
    [
        ((THREE, THREE), "which nobody did"),
        ((ONE,), "which nobody did"),
        ((TakeContract(player=2, contract="PU1"),), "which nobody did"),
        ((THREE, PASSED), "never confirmed"),
        ((EndTurn(player=2),), "did not end like that"),
    ],
)
def test_what_was_not_done_is_wrong(confirmed: tuple[Action, ...], says: str) -> None:
    end, why = judged(Truth(done(THREE, CARD), Referee()), *confirmed)
    assert end == "wrong"
    assert says in why


def test_what_was_confirmed_long_before_it_was_done_is_wrong() -> None:
    end, why = judged(Truth(done(late=(CARD,)), Referee()), CARD, at_us=1_000_000)
    assert (end, "only later" in why) == ("wrong", True)


def test_an_act_after_the_bag_was_passed_is_no_error_of_whoever_confirmed_the_turn_before() -> None:
    truth = Truth(done(THREE, late=(CARD,)), Referee())
    assert judged(truth, THREE, PASSED) == ("fine", "")
    assert judged(truth, CARD, at_us=40_000_000) == ("fine", "")


@pytest.mark.parametrize(("said_us", "end"), [(24_000_000, "wrong"), (26_000_000, "fine")])
def test_what_no_sensor_tells_of_is_missing_once_it_has_been_said(said_us: int, end: str) -> None:
    took, passed = done(CARD)
    truth = Truth([replace(took, evident_us=said_us), passed], Referee())
    assert judged(truth, PASSED)[0] == end


def test_what_left_no_evidence_is_counted_by_itself() -> None:
    truth = Truth(
        done(TakePieces(player=1, announced="steel", drawn=Pieces(steel=1)), unseen="announced aloud"), Referee()
    )
    assert judged(truth, ONE, PASSED) == ("fine", "")
    assert truth.unseen == 1


def test_another_material_than_the_one_announced_aloud_is_wrong() -> None:
    aloud = TakePieces(player=1, announced="steel", drawn=Pieces(steel=1))
    glass = TakePieces(player=1, announced="glass", drawn=Pieces(glass=1))
    assert judged(Truth(done(aloud, unseen="announced aloud"), Referee()), glass)[0] == "wrong"


def test_a_chosen_piece_that_nobody_has_reported_yet_lies_within_one_to_three() -> None:
    chosen = TakePieces(player=1, announced="steel", drawn=Pieces(steel=1))
    assert judged(Truth(done(chosen), Referee()), replace(ONE, drawn=Pieces(unknown=1, maybe=2)), PASSED)[0] == "fine"
    assert judged(Truth(done(chosen), Referee()), THREE)[0] == "wrong"


def test_what_is_left_of_a_tower_has_a_height_that_counts() -> None:
    lost = PiecesLost(at=Hex(1, 0), to_box=Pieces(unknown=1), to_bag=Pieces(), height_mm=40)
    assert judged(Truth(done(lost), Referee()), lost)[0] == "fine"
    assert judged(Truth(done(lost), Referee()), replace(lost, height_mm=55))[0] == "wrong"


class Range(Pieces, frozen=True):
    maybe: int = 0


@pytest.mark.parametrize(
    ("least", "more", "end"), [(2, 1, "fine"), (3, 2, "fine"), (0, 3, "fine"), (0, 2, "wrong"), (4, 1, "wrong")]
)
def test_a_range_is_right_if_the_truth_lies_within_it(least: int, more: int, end: str) -> None:
    told = TakePieces(player=1, drawn=Range(unknown=least, maybe=more))
    assert judged(Truth(done(THREE), Referee()), told)[0] == end


def test_the_materials_of_a_building_are_none_of_what_may_be() -> None:
    stood = Deliver(
        player=1, contract="PU1", platform=1, at=Hex(1, 0), stood=True, height_mm=30, pieces=Pieces(3, 1), judged=True
    )
    assert Referee().fits(stood, done(stood)[0])
    assert Referee().fits(replace(stood, pieces=Range(2, 1, maybe=1)), done(stood)[0])
    assert not Referee().fits(replace(stood, pieces=Pieces(2, 2)), done(stood)[0])


def test_a_report_says_how_wide_ranges_are() -> None:
    one = Result(seed=1, table="full", persons=("a",), end="fine", delivery_widths=(0, 3), end_widths=(2, 2))
    lines = dict(overall([one]))
    assert lines["a hand's pieces at a delivery"] == "exact 1/2, range wide on average 1.50, p95 3, at most 3"
    assert lines["a hand's pieces at the end"].startswith("exact 0/2")
    assert Referee().widths(Position(options=Options(), players=(Player(pieces=Range(1, maybe=2)), Player()))) == (2, 0)


def test_after_a_wrong_answer_nobody_is_to_blame() -> None:
    truth = Truth(done(THREE), Referee())
    truth.confirmed(ONE, 25_000_000)
    assert truth.verdict(misled=True)[0] == "misled"


@pytest.mark.parametrize(
    ("missed", "rounds", "end"), [(THREE, 0, "late"), (THREE, 2, "wrong"), (CARD, 2, "late"), (None, 0, "wrong")]
)
def test_an_act_that_was_missed_excuses_what_follows_from_it(missed: Action | None, rounds: int, end: str) -> None:
    late = [] if missed is None else [Done(t_us=65_000_000, turn=1, action=missed)]
    turns = [one for number in range(1, 2 * rounds + 4) for one in turn(number, seat=(number - 1) % 2 + 1)]
    truth = Truth([*turns, *late], Referee())
    passes = [one.action for one in turns][: 2 * rounds + 2]
    assert judged(truth, *passes, ONE, at_us=2_000_000_000)[0] == end


def test_what_was_late_and_is_confirmed_excuses_nothing() -> None:
    truth = Truth(done(late=(CARD,)), Referee())
    assert judged(truth, PASSED, CARD, THREE, at_us=40_000_000)[0] == "wrong"


def question(known: str, *choices: str) -> Question:
    fields = (Field("which", "choice", choices=choices),)
    return Question(id="q", seat=1, prompt="besides", words={"known": known}, fields=fields, about=known)


@pytest.mark.parametrize(
    ("actions", "answer"),
    [((THREE,), "nothing"), ((THREE, THREE), str(THREE)), ((THREE, CARD), "nothing")],
)
def test_who_is_asked_what_else_they_did_says_it(actions: tuple[Action, ...], answer: str) -> None:
    asked = question(f"{THREE} | {PASSED}", "nothing", str(THREE))
    assert answered(asked, done(*actions)) == answer


def answered(
    asked: Question, what: list[Done], *, confirmed: int = 0, shown: tuple[Action, ...] = (), asked_us: int = 0
) -> object:
    values = Referee().answer(asked, what, [str(one) for one in shown], what[confirmed:], asked_us)
    return values and values["which"]


def turn(number: int, *actions: Action, seat: int = 0) -> list[Done]:
    """Return a turn of the seat of that number, or of another, a minute long."""
    acts = (*actions, EndTurn(player=seat or number))
    return [Done(t_us=(60 * number + k) * 1_000_000, turn=number, action=one) for k, one in enumerate(acts)]


THEIRS = TakePieces(player=2, drawn=Pieces(unknown=3))


def test_what_is_confirmed_is_not_what_was_done_besides() -> None:
    again = [replace(one, turn=3, t_us=one.t_us + 200_000_000) for one in turn(1, CARD)]
    asked = question(f"{CARD} | {PASSED}", "nothing", str(THREE))
    assert answered(asked, [*turn(1, THREE), *turn(2), *again], confirmed=3) == "nothing"


@pytest.mark.parametrize(("theirs", "answer"), [((THEIRS,), "nothing"), ((THEIRS, THEIRS), str(THEIRS))])
def test_who_is_asked_about_two_turns_thinks_of_both(theirs: tuple[Action, ...], answer: str) -> None:
    known = f"{THREE} | {PASSED} | {THEIRS} | {EndTurn(player=2)}"
    what = [*turn(1, THREE), *turn(2, *theirs), *turn(3, TakePieces(player=3, drawn=Pieces(unknown=3)))]
    assert answered(question(known, "nothing", str(THREE), str(THEIRS)), what) == answer


def test_another_count_is_not_what_was_done() -> None:
    asked = question(f"{PASSED}", "nothing", str(ONE), str(THREE))
    assert answered(asked, done(THREE)) == str(THREE)


def test_what_was_reported_is_no_part_of_the_account_that_is_asked_for() -> None:
    asked = replace(question(f"{PASSED}", str(THREE), "nothing"), prompt="account")
    reported = replace(asked, words={"known": f"{THREE} | {PASSED}"})
    assert (answered(asked, done(THREE)), answered(reported, done(THREE))) == (str(THREE), "nothing")


@pytest.mark.parametrize(
    ("asked_us", "answer"), [(60_000_000, str(THREE)), (130_000_000, f"{THREE} | {THEIRS}")], ids=["before", "after"]
)
def test_who_is_asked_about_both_players_tells_what_both_have_done_by_then(asked_us: int, answer: str) -> None:
    """The bag lay at the next player's place for a moment, was lifted, and the scale came to rest after their draw."""
    asked = replace(question(f"{PASSED}", str(THREE), f"{THREE} | {THEIRS}"), prompt="account", about=str(PASSED))
    what = [*turn(1, THREE), *turn(2, THEIRS)]
    assert answered(asked, what, asked_us=asked_us) == answer


def test_nobody_denies_what_they_drew_themselves_for_what_others_drew_since() -> None:
    """Somebody answered late, and named the two draws of the next player rather than their own (B 60019)."""
    asked = replace(question(f"{PASSED}", str(THREE), f"{THEIRS} | {THEIRS}"), prompt="account", about=str(PASSED))
    what = [*turn(1, THREE), *turn(2, THEIRS, THEIRS)]
    assert answered(asked, what, asked_us=130_000_000) == str(THREE)


def test_a_tile_is_named_rightly_if_it_came_up_by_now() -> None:
    referee = TROUPE.referee()
    taken = action_from_text("p1 take_platform platform=1 revealed=7/public")
    assert referee.names(action_from_text("table turn_up revealed=7/public"), done(taken)) is True
    assert referee.names(action_from_text("table turn_up revealed=8/public"), done(taken)) is False
    assert referee.names(taken, done(taken)) is None


def test_what_was_announced_is_no_part_of_a_range_beside_it() -> None:
    """Somebody chose the announcement alone: the range had been taken for it (B 32016)."""
    some, steel = TakePieces(player=1, drawn=Pieces(unknown=1, maybe=2)), "p1 take_pieces announced=steel drawn=steel:1"
    asked = replace(question(f"{PASSED}", steel, f"{some} | {steel}"), prompt="account", about=str(PASSED))
    assert answered(asked, turn(1, action_from_text(steel), THREE)) == f"{some} | {steel}"


def test_a_choice_may_be_several_acts_or_none() -> None:
    asked = question(f"{PASSED}", "play goes on", f"{THREE} | {THREE}", f"{THREE} | {CARD}", "nothing")
    assert answered(asked, done(THREE, CARD)) == f"{THREE} | {CARD}"
    assert answered(asked, done(CARD)) == "nothing"


def test_of_several_things_that_which_was_done_last_and_is_not_shown() -> None:
    asked = Question("q", None, "which", {}, (Field("which", "choice", choices=(str(CARD), str(THREE))),), str(CARD))
    assert answered(asked, done(THREE, CARD), shown=(CARD,)) == str(THREE)
    assert answered(asked, done(THREE, CARD), shown=(CARD, THREE)) == str(CARD)


def test_an_evening_is_judged_to_its_end_and_alike_each_time() -> None:
    settings = Settings(habits=only(HABITS.habits, frozenset()), perfect=True, table="full")
    first, again = (evening(TROUPE, 2, settings) for _ in range(2))
    assert first.end in {"fine", "wrong", "stuck"}
    assert (first.end, first.waits_s, first.questions) == (again.end, again.waits_s, again.questions)


@pytest.mark.soak
@pytest.mark.parametrize("seed", [19002, 19006, 19010])
def test_evenings_that_went_wrong_once_do_not_again(seed: int) -> None:
    """A fall that two reported, a round that nothing showed, a step that stayed where people said it was not."""
    assert evening(TROUPE, seed, Settings(habits=HABITS.habits)).end == "fine"


def test_a_report_says_everything_once() -> None:
    results = [
        Result(
            seed=1,
            table="full",
            persons=("tidy",),
            end="fine",
            habits=("break",),
            turns=6,
            taps=(2,),
            bands={"0.90": (5, 1)},
            shown_by={"tags": (30, 10, 38.0), "nothing": (1, 0, 0.5)},
        ),
        Result(
            seed=2,
            table="full",
            persons=("tidy",),
            end="wrong",
            habits=("break",),
            around=("break",),
            turns=2,
            taps=(None,),
        ),
    ]
    lines = dict(overall(results))
    assert lines["evenings"] == "2: fine 1, wrong 1"
    assert lines["wrong confirmations per turn"].startswith("0.1111  1/9")
    assert lines["taps that put a wrong turn right"] == "at most 3 in 0 of 1, more in 0, by a form 1"
    assert lines["taps that put a spoilt turn right"] == "at most 3 in 1 of 1, more in 0, by a form 0"
    assert by_habit(results) == [("break", 2, 1, 0)]
    assert bands(results) == [("0.90", 5, 1)]
    assert shown_by(results) == [("tags", 40, 0.95, 0.75)], "what was shown once tells nothing"


def test_the_table_of_what_spoke_for_acts_says_that_it_leaves_some_out(capsys: pytest.CaptureFixture[str]) -> None:
    seen = {"tags; differs": (30, 10, 38.0), "weight": (1, 0, 0.8)}
    print_report([Result(seed=1, table="full", persons=("tidy",), end="right", turns=6, shown_by=seen)], tell=False)
    printed = " ".join(capsys.readouterr().out.split())
    for words in ("evidence; doubts", "mean confidence", "share true", "Evidence of fewer than 20 acts is left out."):
        assert words in printed
    assert "tags; differs" in printed
    assert "weight" not in printed


def test_the_bound_of_no_error_in_a_hundred_is_not_nothing() -> None:
    low, high = bounds(0, 100)
    assert low == 0
    assert 0.03 < high < 0.04


def test_a_habit_that_nobody_knows_is_named() -> None:
    with pytest.raises(KeyError, match="juggles"):
        chosen_habits(TROUPE, frozenset({"juggles"}), frozenset())


def test_nothing_known_of_a_turn_yet_is_about_the_first_one() -> None:
    asked = question("", "nothing", f"{THREE} | {THREE}")
    assert answered(asked, [*turn(1, THREE, THREE), *turn(2)]) == f"{THREE} | {THREE}"


def test_somebody_who_was_there_knows_whose_hand_it_was() -> None:
    """The evidence allows either player; who is asked does not."""
    theirs = replace(turn(2, THEIRS)[0], unseen=NEIGHBOURS)
    asked = replace(question(f"{PASSED}", str(THREE), str(THEIRS), "nothing"), prompt="account", about=str(PASSED))
    assert answered(asked, [*turn(1), theirs], asked_us=130_000_000) == str(THEIRS)


def test_a_question_that_comes_again_is_not_answered_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    """The draws of two turns may have the same choices: the evening ended before the second was answered."""
    judge = Judge(TROUPE.perform(1, Settings(habits=only(HABITS.habits, frozenset()))), TROUPE.referee(), {})
    open_now: list[Question] = []
    monkeypatch.setattr(judge._door, "questions", lambda: tuple(open_now))
    for asked in ([question("", "nothing")], [], [question("", "nothing")]):
        open_now[:] = asked
        judge._look()
        answered_before = {one.id for one in open_now} & judge._answered
        judge._answered |= {one.id for one in open_now}
    assert not answered_before


def test_nobody_knows_where_a_building_fell_that_nobody_named() -> None:
    """It had stood on one hex on its way to another, where no sensor noticed it (regulars 97105)."""
    fell = Deliver(player=1, contract="PU1", platform=1, at=Hex(1, 0), stood=False)
    elsewhere = replace(fell, at=Hex(0, 1))
    named, unnamed = (Done(t_us=1, turn=1, action=fell, soft=soft) for soft in (False, True))
    assert Referee().fits(elsewhere, unnamed)
    assert not Referee().fits(elsewhere, named)
    assert not Referee().fits(replace(elsewhere, stood=True), unnamed)
