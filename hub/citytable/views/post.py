"""What people send from phones: answers and statements, read and checked before anybody else sees them. Pure."""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal, TypeAlias

import msgspec

from citytable.journal.entry import Amended, Correction, Inserted, ModeChosen, Ruled, Stayed, Struck, Undone, Vouched
from citytable.rules.unreadable_json import told
from citytable.table.mode import Mode
from citytable.table.question import Answer, Field, FieldValue, Question, Statement
from citytable.views.clearing import ClearingWish
from citytable.views.next_game import NextGame
from citytable.views.paper import PaperWish
from citytable.views.refusals import refused
from citytable.views.undo import TakingBack, UndoWish, UndoWord

BODY_BYTES_MAX = 4096
_QUOTED = 80  # letters of a sender's own text that a refusal repeats

By = Annotated[str, msgspec.Meta(pattern="^(host|seat [1-4])$")]
ByHost = Literal["host"]
Why = Annotated[str, msgspec.Meta(max_length=200)]
Text = Annotated[str, msgspec.Meta(min_length=1, max_length=1000)]


class AnswerBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`POST /api/answer`."""

    question: Text
    values: dict[str, FieldValue]
    by: By


class StatementBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`POST /api/statement`; the hub stamps the time."""

    action: Text
    by: By


class VouchBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`POST /api/vouch`: the first acts under way, these, are right."""

    actions: Annotated[tuple[Text, ...], msgspec.Meta(min_length=1, max_length=20)]
    by: By


class EnterBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"who": "as"}):
    """`POST /api/enter`: a browser wants to be the host, or a seat; `key` is that of a link, or the PIN."""

    who: Annotated[str, msgspec.Meta(pattern="^(host|seat/[1-4])$")]
    key: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]


class RulingBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`POST /api/ruling`: the host lets this stand although a rule forbids it."""

    action: Text
    by: ByHost
    why: Why = ""


class PaperBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`POST /api/paper`: the game goes on from what is written down."""

    paper: dict[str, Any]
    by: ByHost
    why: Why = ""


class ModeBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`POST /api/mode`: the host chooses what is made of acts that a rule forbids."""

    mode: Mode
    by: ByHost
    why: Why = ""


class ClearingBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`POST /api/clearing`: the host begins, stops or closes clearing up."""

    do: Literal["begin", "stop", "close"]
    by: ByHost


Name = Annotated[str, msgspec.Meta(max_length=16)]


class NextGameBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`POST /api/game`: the host begins the game that comes after the game `after`."""

    after: Text
    players: int
    by: ByHost
    simplified: bool = False
    same_people: bool = False
    names: Annotated[tuple[Name, ...], msgspec.Meta(max_length=4)] = ()


Seat = Annotated[int, msgspec.Meta(ge=1, le=4)]


class WishBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="ask"):
    """`POST /api/undo`: a player wants the game to be as it was after entry `to`."""

    seat: Seat
    to: int
    why: Why = ""


class AgreeBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="agree"):
    """`POST /api/undo`: a player whom it concerns agrees."""

    seat: Seat


class RefuseBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="refuse"):
    """`POST /api/undo`: a player refuses, or the host (seat 0)."""

    seat: Annotated[int, msgspec.Meta(ge=0, le=4)]


Undoing: TypeAlias = WishBody | AgreeBody | RefuseBody
"""`POST /api/undo`, told apart by `kind`."""


class _Correcting(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind"):
    by: ByHost
    why: Why = ""


class UndoBody(_Correcting, frozen=True, tag="undo"):
    """Back to how it was after entry `to`."""

    to: int


class TakeBackBody(_Correcting, frozen=True, tag="take_back"):
    """The action of an entry never happened, nor what came after it; later corrections of what was before hold."""

    entry: int


class AmendBody(_Correcting, frozen=True, tag="amend"):
    """The action of an entry really was this one."""

    entry: int
    action: Text


class InsertBody(_Correcting, frozen=True, tag="insert"):
    """This action was forgotten before the one of an entry."""

    before: int
    action: Text


class StrikeBody(_Correcting, frozen=True, tag="strike"):
    """The action of an entry never happened."""

    entry: int


class StaysBody(_Correcting, frozen=True, tag="stays"):
    """After an undo: the table stays as it is."""


Correcting: TypeAlias = UndoBody | TakeBackBody | AmendBody | InsertBody | StrikeBody | StaysBody
"""`POST /api/correction`, told apart by `kind`."""


def _read(body: bytes, kind: Any) -> Any:
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:  # the last: brackets within brackets
        raise refused(400, "unreadable", seen=told(error)) from None


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


def read_enter(body: bytes) -> EnterBody:
    """Who wants to enter, and by which key or PIN; raises `Refused`."""
    said: EnterBody = _read(body, EnterBody)
    return said


def read_answer(body: bytes, questions: Iterable[Question]) -> tuple[Answer, Question]:
    """The answer in a body, and the question that it answers; raises `Refused`."""
    said: AnswerBody = _read(body, AnswerBody)
    question = next((question for question in questions if question.id == said.question), None)
    if question is None:
        raise refused(409, "no_question", seen=_quote(said.question))
    return Answer(question=said.question, values=said.values, by=said.by), question


def check_values(values: Mapping[str, FieldValue], fields: Iterable[Field]) -> None:
    """Every field that is asked has a value that fits it; raises `Refused`."""
    asked = {field.name: field for field in fields}
    if asked.keys() != values.keys():
        raise refused(400, "wrong_fields", asked=", ".join(asked) or "-", seen=_quote(sorted(values)))
    for name, value in values.items():
        if not _fits(asked[name], value):
            raise refused(400, "wrong_value", name=name, seen=_quote(value), expected=_expected(asked[name]))


def read_statement(body: bytes, t_us: int) -> Statement:
    """The statement in a body, stamped with hub time; raises `Refused`."""
    said: StatementBody = _read(body, StatementBody)
    return Statement(t_us=t_us, action=said.action, by=said.by)


def read_vouch(body: bytes) -> Vouched:
    """What a body says is right; raises `Refused`."""
    said: VouchBody = _read(body, VouchBody)
    return Vouched(actions=said.actions, by=said.by)


def read_ruling(body: bytes) -> Ruled:
    """What a body lets stand; raises `Refused`."""
    said: RulingBody = _read(body, RulingBody)
    return Ruled(action=said.action, by=said.by, why=said.why)


def read_paper(body: bytes) -> PaperWish:
    """What the host wrote down; raises `Refused`."""
    said: PaperBody = _read(body, PaperBody)
    return PaperWish(paper=said.paper, by=said.by, why=said.why)


def read_mode(body: bytes) -> ModeChosen:
    """The mode that a body chooses; raises `Refused`."""
    said: ModeBody = _read(body, ModeBody)
    return ModeChosen(mode=said.mode, by=said.by, why=said.why)


def read_clearing(body: bytes) -> ClearingWish:
    """What the host says of clearing up; raises `Refused`."""
    said: ClearingBody = _read(body, ClearingBody)
    return ClearingWish(do=said.do, by=said.by)


def read_next_game(body: bytes) -> NextGame:
    """The game that a body chooses; raises `Refused`."""
    said: NextGameBody = _read(body, NextGameBody)
    return NextGame(**msgspec.structs.asdict(said))


def read_undo(body: bytes) -> UndoWish | UndoWord:
    """What a player says of an undo; raises `Refused`."""
    said: Undoing = _read(body, Undoing)
    if isinstance(said, WishBody):
        return UndoWish(seat=said.seat, to=said.to, why=said.why)
    return UndoWord(seat=said.seat, agrees=isinstance(said, AgreeBody))


def read_correction(body: bytes) -> Correction | TakingBack | Stayed:
    """The correction in a body, or the word that the table stays as it is; raises `Refused`."""
    said: Correcting = _read(body, Correcting)
    match said:
        case UndoBody(to=to):
            return Undone(to=to, by=said.by, why=said.why)
        case TakeBackBody(entry=entry):
            return TakingBack(entry=entry, by=said.by, why=said.why)
        case AmendBody(entry=entry, action=action):
            return Amended(entry=entry, action=action, by=said.by, why=said.why)
        case InsertBody(before=before, action=action):
            return Inserted(before=before, action=action, by=said.by, why=said.why)
        case StrikeBody(entry=entry):
            return Struck(entry=entry, by=said.by, why=said.why)
        case StaysBody():
            return Stayed(by=said.by, why=said.why)
