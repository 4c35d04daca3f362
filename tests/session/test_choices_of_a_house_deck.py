"""A question's choices say what is printed, of the house's cards as of an owner's."""

import pytest

from citytable.games import box_of
from citytable.session.copy import Copy
from citytable.table.question import Field, Question


@pytest.mark.parametrize(
    ("game", "choice", "says"),
    [
        ("comeback", "ZR7", "ZR7: Residential, in 3 columns"),
        ("comeback", "M2", "M2: Destroys its target"),
        ("megacity", "RE4", "RE4: "),
    ],
)
def test_a_choice_says_what_is_printed(game, choice, says):
    question = Question("q", 1, "flip", {}, (Field("card", "choice", choices=(choice,)),), "p1 flip")
    text = Copy(box_of(game)).labelled(question).texts[f"={choice}"]["en"]
    assert text.startswith(says)
    assert text != choice


def test_what_screens_have_a_name_for_keeps_it():
    question = Question("q", 1, "refill", {}, (Field("tile", "choice", choices=("tile/12",)),), "table refill")
    assert Copy(box_of("dilluvia")).labelled(question) == question
