"""What people who were there say to a question."""

import pytest

from citytable.games.megacity.notation import action_from_text
from citytable.rehearsal.megacity.acts import answer_besides
from citytable.table.question import Field, Question

DRAW = "p1 take_pieces drawn=unknown:3"


@pytest.mark.parametrize(
    ("done", "known", "said"),
    [([DRAW, DRAW], DRAW, DRAW), ([DRAW], DRAW, "nothing"), ([DRAW], "", DRAW), ([], "", "nothing")],
)
def test_what_was_done_besides_is_what_the_display_does_not_know_of_this_turn(done, known, said):
    field = Field(name="which", kind="choice", choices=("nothing", DRAW))
    question = Question(id="q", seat=1, prompt="besides", words={"known": known}, fields=(field,), about=DRAW)
    told = [DRAW, "p1 end_turn", "p2 end_turn", *done, "p1 end_turn"]
    assert answer_besides(question, [action_from_text(text) for text in told]) == {"which": said}


REFRESH = "p1 refresh revealed=20/industrial,21/commercial,23/residential"


@pytest.mark.parametrize(("done", "said"), [([DRAW, REFRESH], REFRESH), ([DRAW, DRAW], DRAW), ([DRAW], DRAW)])
def test_which_of_two_acts_was_done_is_the_one_that_the_display_does_not_know_of(done, said):
    field = Field(name="which", kind="choice", choices=(DRAW, REFRESH))
    question = Question(id="q", seat=1, prompt="besides", words={"known": DRAW}, fields=(field,), about=DRAW)
    assert answer_besides(question, [action_from_text(text) for text in (*done, "p1 end_turn")]) == {"which": said}


@pytest.mark.parametrize(("back", "said"), [("p1 return_pieces returned=unknown:2", True), ("", False)])
def test_a_choice_that_leaves_open_how_many_is_what_was_done(back, said):
    """Faults, 3 players, seed 205: a return of two was not "1 to 2", so its player said that there was none."""
    choice = "p1 return_pieces returned=unknown:1-2"
    field = Field("which", "choice", choices=(choice, "nothing"))
    words = {"known": "p1 end_turn"}
    question = Question(id="q", seat=1, prompt="besides", words=words, fields=(field,), about=choice)
    done = [action_from_text(text) for text in ("p1 take_pieces drawn=unknown:3", back, "p1 end_turn") if text]
    assert answer_besides(question, done) == {"which": choice if said else "nothing"}
