"""Answer a question of the display as the people who were there.

People are not alone at the table: the host or another player may answer first, and a question goes when things are put
back. A question that is gone is no longer answered.
"""

from collections.abc import Collection, Mapping

from citytable.rehearsal.door import Door
from citytable.table.question import FieldValue, Question
from citytable.table.word import Answer


class Refused(RuntimeError):
    """The display does not take an answer to a question that is still open: reported with both."""


async def reply(door: Door, question: Question, known: Mapping[str, FieldValue], people: Collection[int] = ()) -> None:
    """Answer for everybody who is asked, in the order of the seats; raises `Refused`.

    Once the question is decided, nobody else is asked. What is not `known` and the votes of `people`, who are seats,
    are left to others.
    """
    own = {field.name: known[field.name] for field in question.fields if field.voters is None and field.name in known}
    if own:
        by = f"seat {question.seat}" if question.seat else "table"
        await _answer(door, Answer(question=question.id, values=own, by=by))
    for name, seat in [(field.name, seat) for field in question.fields for seat in field.voters or ()]:
        if seat in people:
            continue
        asked = _asked(door, question.id)
        if asked is not None and any(seat in (field.voters or ()) for field in asked.fields):
            await _answer(door, Answer(question=question.id, values={name: known[name]}, by=f"seat {seat}"))


def _asked(door: Door, question_id: str) -> Question | None:
    return next((one for one in door.questions() if one.id == question_id), None)


async def _answer(door: Door, answer: Answer) -> None:
    """Give an answer where its question is open; when it is refused and the question has gone or changed, so be it."""
    before = _asked(door, answer.question)
    if before is None:
        return
    try:
        await door.say(answer)
    except ValueError as refusal:
        if _asked(door, answer.question) == before:
            raise Refused(f"the display asks {before} and does not take {answer.values}: {refusal}") from refusal
