"""Nobody is called stuck while a question waits for somebody slow, and a wrong answer excuses a turn round."""

from collections.abc import Iterable

import msgspec
import pytest

from citytable.evenings import judging
from citytable.evenings.judging import Judge, Result
from citytable.evenings.performance import Done, Performance
from citytable.evenings.umpire_door import Shown
from citytable.games.megacity.actions import Action, EndTurn, ReturnPieces, TakeContract, TakePieces
from citytable.games.megacity.position import Options, Pieces, Position
from citytable.rehearsal.megacity.evenings.beginning import plan_of
from citytable.rehearsal.megacity.evenings.record import NEIGHBOURS
from citytable.rehearsal.megacity.evenings.referee import Referee
from citytable.table.fact import Fact
from citytable.table.question import Field, Question
from citytable.table.word import Answer, Statement
from citytable.umpire.acts import Confirmed

TOOK = TakeContract(player=1, contract="PU1")
PASSES = [EndTurn(player=seat) for seat in (1, 2, 1, 2, 1, 2)]
ASKED = Question("q", 1, "which", {}, (Field("which", "choice", choices=(str(TOOK), "nothing")),), str(PASSES[0]))
START = Position(options=Options(players=2))


class Asking:
    """An umpire that asks one question, and confirms everything when it is answered; never, if it is deaf."""

    deaf = False
    looks_again_us = 0
    about = str(PASSES[0])
    confirms: tuple[Action, ...] = (TOOK, *PASSES)

    def __init__(self, *_: object) -> None:
        self._open: tuple[Question, ...] = (msgspec.structs.replace(ASKED, about=self.about),)
        self._ready: list[Confirmed[object, object]] = []

    def feed(self, facts: Iterable[Fact], until_us: int) -> None:
        """Take facts."""

    def judge(self) -> list[Confirmed[object, object]]:
        ready, self._ready = self._ready, []
        return ready

    def say(self, _word: Answer | Statement, _at_us: int) -> None:
        if not self.deaf:
            self._open = ()
            self._ready = [Confirmed(one, str(one), START, False, "") for one in self.confirms]

    def questions(self) -> tuple[Question, ...]:
        return self._open

    def shown(self) -> tuple[Shown, ...]:
        return ()

    def complaints(self) -> tuple[str, ...]:
        return ()


class Deaf(Asking):
    deaf = True


class Strict(Asking):
    """One that takes the true answer only."""

    def say(self, word: Answer | Statement, at_us: int) -> None:
        if isinstance(word, Answer) and word.values != {"which": str(TOOK)}:
            raise ValueError(f"that cannot be: {word.values}")
        super().say(word, at_us)


class SoonWrong(Asking):
    confirms = (TOOK, PASSES[0], TOOK)


class LateWrong(Asking):
    confirms = (TOOK, *PASSES, TOOK)


class LateWrongThere(LateWrong):
    """One that asks about the very act that it confirms wrongly in the end."""

    about = str(TOOK)


def judged(monkeypatch: pytest.MonkeyPatch, umpire: type[Asking], *, ended_s: int, lies: float = 0.0) -> Result:
    """Judge an evening of six quick turns, in which somebody is asked at once and answers late."""
    monkeypatch.setattr(judging, "UmpireDoor", umpire)
    done = [Done(t_us=1, turn=1, action=TOOK)]
    done += [Done(t_us=(k + 1) * 1_000_000, turn=k + 1, action=one) for k, one in enumerate(PASSES)]
    evening = Performance(
        seed=1,
        table="full",
        plan=plan_of("full", 2),
        start=START,
        facts=(),
        said=(),
        done=tuple(done),
        noted=(),
        persons=("a", "b"),
        ended_us=ended_s * 1_000_000,
    )
    return Judge(evening, Referee(), {"answers_late": 1.0, "answers_wrongly": lies}).run()


@pytest.mark.parametrize("ended_s", [8, 200])
def test_people_may_play_on_while_somebody_is_slow_to_answer(monkeypatch: pytest.MonkeyPatch, ended_s: int) -> None:
    assert judged(monkeypatch, Asking, ended_s=ended_s).end == "fine"


def test_a_question_that_stays_after_its_answer_is_no_excuse(monkeypatch: pytest.MonkeyPatch) -> None:
    result = judged(monkeypatch, Deaf, ended_s=400)
    assert (result.end, len(result.questions)) == ("stuck", 1)


@pytest.mark.parametrize(
    ("umpire", "lies", "end"),
    [
        (SoonWrong, 1, "misled"),
        (LateWrong, 1, "wrong"),
        (SoonWrong, 0, "wrong"),
        (LateWrongThere, 1, "misled"),
        (LateWrongThere, 0, "wrong"),
    ],
)
def test_a_wrong_answer_excuses_what_goes_wrong_within_a_round_or_in_its_act(
    monkeypatch: pytest.MonkeyPatch, umpire: type[Asking], lies: float, end: str
) -> None:
    assert judged(monkeypatch, umpire, ended_s=200, lies=lies).end == end


def test_who_is_told_that_their_answer_cannot_be_looks_again(monkeypatch: pytest.MonkeyPatch) -> None:
    result = judged(monkeypatch, Strict, ended_s=400, lies=1.0)
    assert (result.end, len(result.questions)) == ("fine", 2)


class Silent(Asking):
    """One that asks nothing, and confirms nothing either."""

    def questions(self) -> tuple[Question, ...]:
        return ()


@pytest.mark.parametrize(("umpire", "unanswered"), [(Asking, 5), (Silent, 0)])
def test_a_turn_that_is_late_since_nobody_answered_is_counted_apart(
    monkeypatch: pytest.MonkeyPatch, umpire: type[Asking], unanswered: int
) -> None:
    result = judged(monkeypatch, umpire, ended_s=200)
    assert (result.turns_due, result.turns_in_time, result.turns_unanswered) == (5, 0, unanswered)


def test_somebody_who_was_there_knows_whose_hand_drew_on_the_way() -> None:
    """What the next player drew fitted a second draw of the player asked as well, and was told twice (B 54015)."""
    first, back, early, over = (
        TakePieces(player=1, drawn=Pieces(unknown=1)),
        ReturnPieces(player=1, returned=Pieces(unknown=2)),
        TakePieces(player=2, drawn=Pieces(unknown=3)),
        EndTurn(player=1),
    )
    done = [Done(t_us=k, turn=1, action=one) for k, one in enumerate((first, back), start=1)]
    done += [Done(t_us=3, turn=1, action=over), Done(t_us=3, turn=2, action=early, unseen=NEIGHBOURS)]
    mine, theirs = (f"p{seat} take_pieces drawn=unknown:1-3" for seat in (1, 2))
    returned = "p1 return_pieces returned=unknown:1-3"
    choices = (f"{mine} | {mine} | {returned}", f"{mine} | {returned} | {theirs}", "nothing")
    asked = Question("q", 1, "account", {}, (Field("which", "choice", choices=choices),), str(over))
    assert Referee().answer(asked, done, (), done, 4) == {"which": choices[1]}


def test_who_is_asked_about_the_second_of_two_open_turns_answers_about_that_one() -> None:
    """They answered about the one before, where they had drawn nothing (B 60013)."""
    took, passed = TakeContract(player=1, contract="PU1"), EndTurn(player=1)
    done = [Done(t_us=1, turn=1, action=took), Done(t_us=2, turn=1, action=passed)]
    done += [Done(t_us=3, turn=2, action=EndTurn(player=2))]
    done += [Done(t_us=4 + k, turn=3, action=TakePieces(player=1, drawn=Pieces(unknown=3))) for k in range(2)]
    done += [Done(t_us=6, turn=3, action=passed)]
    drew = "p1 take_pieces drawn=unknown:1-3"
    asked = Question(
        "q",
        1,
        "account",
        {"known": str(passed)},
        (Field("which", "choice", choices=(drew, f"{drew} | {drew}", "nothing")),),
        str(passed),
    )
    assert Referee().answer(asked, done, (), done, 7) == {"which": f"{drew} | {drew}"}


def test_nobody_answers_about_a_turn_of_which_all_is_confirmed() -> None:
    """People failed at that question, and their evening with them (A 89005)."""
    choices = ("p1 take_pieces drawn=unknown:3", "nothing")
    asked = Question("q", 1, "account", {}, (Field("which", "choice", choices=choices),), str(PASSES[0]))
    assert Referee().answer(asked, [Done(t_us=1, turn=1, action=PASSES[0])], (), [], 2) is None
