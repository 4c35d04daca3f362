"""Ballots (A47): the others judge a building, each with one tap; the deliverer fills in the rest."""

import itertools

import pytest
from msgspec.structs import replace

from citytable.rules.errors import IllegalAction, Unfitting
from citytable.session.ballots import SILENCE_US, Ballots
from citytable.session.history import History
from citytable.table.question import Field, Question
from citytable.table.word import SILENCE, Answer, Denial
from citytable.umpire.observed import Observed

DELIVERY = "p1 deliver contract=PU1 platform=1 at=1/0"
NO_HISTORY = History((), None)
AGREED = Answer(question="q", values={"height_mm": 31, "judged": True}, by="seat 2")


def asked_of(*voters):
    fields = (Field("height_mm", "mm"), Field("judged", "yesno", proposed=True, voters=voters))
    return Question("q", 1, "deliver", {}, fields, DELIVERY)


def verdict(voters, words):
    """What is decided when the first of so many voters have said these words."""
    ballot = Ballots().of(asked_of(*range(2, voters + 2)))
    for seat, word in enumerate(words, start=2):
        ballot = ballot.taken(Answer(question="q", values={"judged": word}, by=f"seat {seat}"))
    return ballot.verdict


@pytest.mark.parametrize("voters", [1, 2, 3])
def test_the_majority_of_the_others_decides_and_on_a_tie_the_owners_word(voters):
    for words in itertools.product([True, False], repeat=voters):
        assert verdict(voters, words) is (words.count(False) <= voters / 2)


@pytest.mark.parametrize("voters", [1, 2, 3])
def test_it_is_decided_as_soon_as_nobody_can_change_it_and_not_before(voters):
    for said in range(voters + 1):
        for words in itertools.product([True, False], repeat=said):
            rest = itertools.product([True, False], repeat=voters - said)
            possible = {verdict(voters, (*words, *more)) for more in rest}
            assert verdict(voters, words) == (possible.pop() if len(possible) == 1 else None)


class Asking:
    """An umpire with one question; it refuses a building that people do not accept, and one of 12 mm."""

    reported = True
    kept = frozenset()
    looks_again_us = 0

    def __init__(self, *voters, reads=True):
        self.observed = Observed(readers=frozenset({"city/1/0"}) if reads else frozenset())
        self.question = asked_of(*voters)
        self.questions = (self.question,)
        self.answers = []

    def check(self, answer):
        assert answer.values.keys() == {"height_mm", "judged"}
        if answer.values["height_mm"] == 12 or not answer.values["judged"]:
            rule = "A14" if answer.values["height_mm"] > 12 else "R18"
            raise IllegalAction(rule, {"en": "No.", "fr": "Non."}, "p1 deliver")

    def say(self, answer):
        if isinstance(answer, Answer):
            self.check(answer)
        elif not self.reported:
            raise Unfitting({"en": "nobody reported it", "fr": "personne ne l'a signalé"})
        self.answers.append(answer)
        self.questions = ()

    def feed(self, _facts, _until_us): ...

    def judge(self):
        return ()


@pytest.fixture
def asking(table):
    """`asking(2, 3)`: a play in which these seats are asked to judge what seat 1 has built, and its umpire."""

    def asked(*voters, reads=True):
        play, umpire = table().play, Asking(*voters, reads=reads)
        play.umpire = umpire
        return play, umpire

    return asked


def judge(play, seat, word=True):
    play.say(Answer(question="q", values={"judged": word}, by=f"seat {seat}"), NO_HISTORY)


def fill_in(play, height_mm=31):
    play.say(Answer(question="q", values={"height_mm": height_mm}, by="seat 1"), NO_HISTORY)


def still_asked(play):
    """The fields that are asked, with their voters."""
    return {field.name: field.voters for question in play.questions for field in question.fields}


def test_everybody_answers_what_he_is_asked_and_then_it_is_answered(asking):
    play, umpire = asking(2, 3, 4)
    assert still_asked(play) == {"height_mm": None, "judged": (2, 3, 4)}
    judge(play, 3)
    assert still_asked(play) == {"height_mm": None, "judged": (2, 4)}
    fill_in(play)
    assert still_asked(play) == {"judged": (2, 4)}
    assert play.waits_for_more("q")
    judge(play, 2)
    assert umpire.answers == [AGREED]
    assert not play.waits_for_more("q")


def test_once_it_is_decided_no_voter_is_asked_any_more(asking):
    play, _ = asking(2, 3)
    judge(play, 2)
    assert still_asked(play) == {"height_mm": None, "judged": ()}
    assert play.questions[0].words == {}


def test_what_a_majority_refuses_stays_open_and_is_no_fault_of_the_last_voter(asking):
    play, umpire = asking(2)
    fill_in(play)
    judge(play, 2, False)
    assert (umpire.answers, still_asked(play)) == ([], {"judged": ()})
    assert play.questions[0].words == {"refused": "yes"}
    play.say(Answer(question="q", values={"judged": True}, by="host"), NO_HISTORY)
    assert [(answer.by, answer.values["judged"]) for answer in umpire.answers] == [("host", True)]


def test_where_no_reader_would_show_it_taken_back_a_refused_building_is_withdrawn_at_once(asking):
    play, umpire = asking(2, 3, reads=False)
    judge(play, 2, False)
    assert umpire.answers == [], "a tie so far: the third player may still agree"
    judge(play, 3, False)
    assert (umpire.answers, play.questions) == ([Denial(action=DELIVERY, by="seat 3")], ())


def test_a_refused_building_that_nobody_reported_stays_open_until_it_is_put_back(asking):
    play, umpire = asking(2, reads=False)
    umpire.reported = False
    judge(play, 2, False)
    assert (umpire.answers, still_asked(play)) == ([], {"height_mm": None, "judged": ()})


def test_who_fills_in_what_others_have_refused_is_told_so(asking):
    play, umpire = asking(2)
    judge(play, 2, False)
    with pytest.raises(IllegalAction, match="A14"):
        fill_in(play)
    assert umpire.answers == []
    assert play.questions[0].words == {"refused": "yes"}


def test_what_breaks_a_rule_is_refused_to_him_who_said_it_though_others_have_not_spoken(asking):
    play, umpire = asking(2, 3, 4)
    with pytest.raises(IllegalAction, match="R18"):
        fill_in(play, height_mm=12)
    assert still_asked(play)["height_mm"] is None
    for seat in (2, 3):
        judge(play, seat)
    with pytest.raises(IllegalAction, match="R18"):
        fill_in(play, height_mm=12)
    fill_in(play)
    assert umpire.answers == [Answer(question="q", values=AGREED.values, by="seat 1")]


def test_what_came_to_break_a_rule_meanwhile_is_asked_anew_of_him_who_said_it(asking, monkeypatch):
    play, umpire = asking(2)
    fill_in(play)
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(
            umpire,
            "say",
            lambda answer: umpire.check(Answer(question="q", values=answer.values | {"height_mm": 12}, by="")),
        )
        judge(play, 2)
    assert still_asked(play) == {"height_mm": None, "judged": ()}
    fill_in(play, height_mm=33)
    assert umpire.answers[0].values == {"height_mm": 33, "judged": True}


def test_the_host_decides_all_at_once(asking):
    play, umpire = asking(2, 3, 4)
    judge(play, 2, False)
    play.say(Answer(question="q", values={"height_mm": 31, "judged": True}, by="host"), NO_HISTORY)
    assert umpire.answers == [Answer(question="q", values=AGREED.values, by="host")]


def test_two_questions_with_one_id_are_asked_one_after_the_other(asking):
    """Of two turns that offer the same choices; a page shows each question once by its id."""
    play, umpire = asking(2, 3)
    umpire.questions = (umpire.question, replace(umpire.question, id="r"), umpire.question)
    assert [question.id for question in play.questions] == ["q", "r"]


def test_what_was_said_of_a_question_that_went_is_void(asking):
    play, umpire = asking(2, 3)
    judge(play, 2, False)
    umpire.questions = ()
    play.hear([], 0)
    umpire.questions = (umpire.question,)
    assert still_asked(play) == {"height_mm": None, "judged": (2, 3)}


def test_who_says_nothing_for_a_minute_after_all_else_is_answered_agrees(asking):
    play, umpire = asking(2, 3, 4)
    judge(play, 2, False)
    play.hear([], 10 * SILENCE_US)
    assert play.take_silent() == ()
    fill_in(play)
    play.hear([], 20 * SILENCE_US)
    play.hear([], 21 * SILENCE_US - 1)
    assert umpire.answers == []
    play.hear([], 21 * SILENCE_US)
    assert umpire.answers == [Answer(question="q", values=AGREED.values, by=SILENCE)]
    assert play.take_silent() == (Answer(question="q", values={"judged": True}, by=SILENCE),)
    assert play.take_silent() == ()


def test_a_silence_that_was_written_down_is_recalled_as_it_was(asking):
    play, umpire = asking(2, 3, 4)
    fill_in(play)
    play.say(Answer(question="q", values={"judged": True}, by=SILENCE), NO_HISTORY)
    assert umpire.answers == [Answer(question="q", values=AGREED.values, by=SILENCE)]
