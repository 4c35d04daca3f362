"""People answer what is open; a question that is gone meanwhile is no longer answered."""

import pytest

from citytable.rehearsal.replying import Refused, reply
from citytable.rules.errors import Unfitting
from citytable.table.question import Field, Question

HEIGHT = Field(name="height_mm", kind="mm")
FELL = Field(name="fell", kind="bool", voters=(1, 2))
ASKED = Question(id="p1 deliver", seat=1, prompt="deliver", words={}, fields=(HEIGHT,), about="p1 deliver")
VOTED = Question(id="fall", seat=None, prompt="fell", words={}, fields=(FELL,), about="fall")
KNOWN = {"height_mm": 57, "fell": True}


class Display:
    """A door that asks some questions; `answered` first happens to them when an answer comes."""

    def __init__(self, *asked, answered=()):
        self._asked, self._answered, self.taken = list(asked), list(answered), []

    def questions(self):
        return tuple(self._asked)

    async def say(self, answer):
        if self._answered:
            self._asked = self._answered.pop(0)
            raise Unfitting({"en": "no such question is open"})
        self.taken.append((answer.question, dict(answer.values), answer.by))


async def test_everybody_says_his_own():
    display = Display(ASKED, VOTED)
    await reply(display, ASKED, KNOWN)
    await reply(display, VOTED, KNOWN)
    assert display.taken == [
        ("p1 deliver", {"height_mm": 57}, "seat 1"),
        ("fall", {"fell": True}, "seat 1"),
        ("fall", {"fell": True}, "seat 2"),
    ]


@pytest.mark.parametrize("question", [ASKED, VOTED])
async def test_a_question_that_was_gone_before_is_not_answered(question):
    display = Display()
    await reply(display, question, KNOWN)
    assert display.taken == []


@pytest.mark.parametrize("question", [ASKED, VOTED])
async def test_a_question_that_somebody_else_answers_first_is_left_alone(question):
    display = Display(question, answered=[[]])
    await reply(display, question, KNOWN)
    assert display.taken == []


async def test_a_question_that_is_asked_in_another_way_meanwhile_is_left_for_the_next_look():
    other = Question(id="p1 deliver", seat=1, prompt="where", words={}, fields=(HEIGHT,), about="p1 deliver")
    display = Display(ASKED, answered=[[other]])
    await reply(display, ASKED, KNOWN)
    assert display.taken == []


async def test_an_answer_that_is_refused_although_the_question_is_open_is_reported():
    display = Display(ASKED, answered=[[ASKED]])
    with pytest.raises(Refused, match="no such question is open"):
        await reply(display, ASKED, KNOWN)
