"""What people send from phones: answers and statements, read and checked before anybody else sees them. Pure."""

from collections.abc import Iterable
from typing import Annotated, TypeVar

import msgspec

from citytable.table.question import Answer, Field, FieldValue, Question, Statement
from citytable.views.refusals import refused

BODY_BYTES_MAX = 4096
_QUOTED = 80  # letters of a sender's own text that a refusal repeats

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
Text = Annotated[str, msgspec.Meta(min_length=1, max_length=1000)]


class AnswerBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`POST /api/answer`."""

    question: Text
    values: dict[str, FieldValue]
    by: Name


class StatementBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`POST /api/statement`; the hub stamps the time."""

    action: Text
    by: Name


Body = TypeVar("Body", AnswerBody, StatementBody)


def _read(body: bytes, kind: type[Body]) -> Body:
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise refused(400, "unreadable", seen=error) from None


def _quote(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _QUOTED else text[: _QUOTED - 1] + "…"


def _expected(field: Field) -> str:
    if field.kind == "choice":
        return " / ".join(field.choices)
    return "true / false" if field.kind == "yesno" else f"{field.low}-{field.high}"


def _fits(field: Field, value: FieldValue) -> bool:
    if field.kind == "choice":
        return value in field.choices
    if field.kind == "yesno":
        return isinstance(value, bool)
    return isinstance(value, int) and not isinstance(value, bool) and field.low <= value <= field.high


def read_answer(body: bytes, questions: Iterable[Question]) -> Answer:
    """The answer in a body, every field fitting its question; raises `Refused`."""
    answer = _read(body, AnswerBody)
    question = next((question for question in questions if question.id == answer.question), None)
    if question is None:
        raise refused(409, "no_question", seen=_quote(answer.question))
    asked = {field.name: field for field in question.fields}
    if asked.keys() != answer.values.keys():
        raise refused(400, "wrong_fields", asked=", ".join(asked) or "-", seen=_quote(sorted(answer.values)))
    for name, value in answer.values.items():
        if not _fits(asked[name], value):
            raise refused(400, "wrong_value", name=name, seen=_quote(value), expected=_expected(asked[name]))
    return Answer(question=answer.question, values=answer.values, by=answer.by)


def read_statement(body: bytes, t_us: int) -> Statement:
    """The statement in a body, stamped with hub time; raises `Refused`."""
    said = _read(body, StatementBody)
    return Statement(t_us=t_us, action=said.action, by=said.by)
