"""Words: everything that people say to the table, each as one frozen value.

A request is decoded straight into a `Word`, guards included (lengths, unknown fields, who can be a speaker). It travels
as that value, and the journal keeps it as that value. The hub resolves a few words first, because the words alone do
not say enough: taking back, the position from paper, an undo that needs consent, the next game. Then only what they
resolve to is kept. So the journal holds a `Recorded`, and a recall hands it to the method that took it live.

A new ruling costs one value here, one arm where it is taken, and one button.
"""

from typing import Annotated, Any, Literal, TypeAlias

import msgspec

from citytable.table.mode import Mode
from citytable.table.question import FieldValue

SILENCE = "silence"
"""The speaker of an answer that nobody gave in time."""
HOST_SEAT = 0
"""The host, among seats."""

Speaker = Annotated[str, msgspec.Meta(pattern=f"^(host|seat [1-4]|table|{SILENCE})$")]
"""The person who says it: `host`, `seat 2`, or `table` where nobody knows which person it was."""


def seat_of(speaker: str) -> int | None:
    """Return the seat of a speaker, `HOST_SEAT` for the host; None for `table` and `silence`, which are not persons."""
    if speaker == "host":
        return HOST_SEAT
    who, _, seat = speaker.partition(" ")
    return int(seat) if who == "seat" else None


Why = Annotated[str, msgspec.Meta(max_length=200)]
Text = Annotated[str, msgspec.Meta(min_length=1, max_length=1000)]
Name = Annotated[str, msgspec.Meta(max_length=16)]
Names = Annotated[tuple[Name, ...], msgspec.Meta(max_length=4)]
"""What the players are called, by seat; an empty name is not known."""


def tidied(names: Names) -> Names:
    """Return names as they are shown and kept: with one space between words, and none around them."""
    return tuple(" ".join(name.split()) for name in names)


class _Word(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, tag_field="type"
):
    by: Speaker


class Answer(_Word, frozen=True, tag="answer"):
    """Answer a question: the fields that the speaker is asked, by name."""

    question: Text
    values: dict[str, FieldValue]


class Statement(_Word, frozen=True, tag="statement"):
    """Report an action without being asked: in notation, its outcome open or filled in."""

    action: Text


class Approval(_Word, frozen=True, tag="approval"):
    """Approve the first provisional actions, these: they become confirmed as soon as the table agrees."""

    actions: Annotated[tuple[Text, ...], msgspec.Meta(min_length=1, max_length=20)]


class Denial(_Word, frozen=True, tag="denial"):
    """Deny an action that was reported and is not confirmed yet: it was not done, nor the actions that need it."""

    action: Text


class PiecesSaid(_Word, frozen=True, tag="pieces_said"):
    """Correct the number of pieces on the thing at a spot."""

    spot: Text
    n: Annotated[int, msgspec.Meta(ge=0, le=200)]


class TagNamed(_Word, frozen=True, tag="tag_named"):
    """A tag is on this thing from now on: it was enrolled into the plan file while the game went on."""

    uid: Text
    thing: Text


class Ruling(_Word, frozen=True, tag="ruling"):
    """Accept an act against a rule; it becomes confirmed with its turn."""

    action: Text
    why: Why = ""


class ModeChoice(_Word, frozen=True, tag="mode"):
    """Choose how acts that a rule forbids are treated from now on."""

    mode: Mode
    why: Why = ""


class TableStays(_Word, frozen=True, tag="stays"):
    """After an undo, leave the table as it is."""

    why: Why = ""


class GoBack(_Word, frozen=True, tag="go_back"):
    """Go back to how the game was after entry `to`; resolves to `Undo`."""

    to: int
    why: Why = ""


class TakeBack(_Word, frozen=True, tag="take_back"):
    """Take back an entry and everything done after it; the host's earlier corrections remain.

    Resolves to `Undo`.
    """

    entry: int
    why: Why = ""


class Undo(_Word, frozen=True, tag="undo"):
    """Go back to the game as it was after entry `to`. `agreed` are the players who were asked.

    `kept` are later corrections of earlier actions, which remain.
    """

    to: int
    why: Why = ""
    agreed: tuple[str, ...] = ()
    kept: tuple[int, ...] = ()


class UndoRequest(_Word, frozen=True, tag="undo_request"):
    """Ask, as a player, to go back to the game as it was after entry `to`.

    Resolves to `Undo` if that affects nobody else, otherwise to `UndoRequested`.
    """

    to: int
    why: Why = ""


class UndoReply(_Word, frozen=True, tag="undo_reply"):
    """A player agrees or refuses, or the host refuses. Resolves to `Undo` or `UndoReplied`."""

    agrees: bool


class UndoRequested(_Word, frozen=True, tag="undo_requested"):
    """A player asked for an undo and others must agree; `under_way` are the actions not confirmed by then."""

    to: int
    why: Why = ""
    under_way: tuple[str, ...] = ()


class UndoReplied(_Word, frozen=True, tag="undo_replied"):
    """A player agreed and others are still to reply, or somebody refused; `under_way` as in `UndoRequested`."""

    agrees: bool
    under_way: tuple[str, ...] = ()


class Amendment(_Word, frozen=True, tag="amend"):
    """The action of entry `entry` really was `action`: another height, hex, owner."""

    entry: int
    action: Text
    why: Why = ""


class Insertion(_Word, frozen=True, tag="insert"):
    """`action` was forgotten before the action of entry `before`; this entry's number names it from now on."""

    before: int
    action: Text
    why: Why = ""


class Strike(_Word, frozen=True, tag="strike"):
    """State that the action of entry `entry` never happened; later actions did."""

    entry: int
    why: Why = ""


class PaperPosition(_Word, frozen=True, tag="paper"):
    """Continue the game from the position on its form. Resolves to `PositionSet`."""

    paper: dict[str, Any]
    why: Why = ""


class PositionSet(_Word, frozen=True, tag="position_set"):
    """Set the position of the game, whatever was played before: `position` in the game's notation."""

    position: str
    why: Why = ""


class ClearUp(_Word, frozen=True, tag="clear_up"):
    """Put everything back into the box.

    `begin`; `stop`: the game continues, which resolves to an `Undo`; `close`: the game is over, even if something is
    missing.
    """

    do: Literal["begin", "stop", "close"]


class Naming(_Word, frozen=True, tag="naming"):
    """Call the players of this game by these names, by seat."""

    names: Names


class Guide(_Word, frozen=True, tag="guide"):
    """Begin or leave a guided game: screens begin or stop showing what people could do next.

    With `seats` only for these empty seats: a bot plays there, and people carry out its moves.
    """

    on: bool
    seats: tuple[int, ...] = ()


RulingName = Annotated[str, msgspec.Meta(max_length=100)]
BoxName = Annotated[str, msgspec.Meta(max_length=32)]
RulingValue: TypeAlias = bool | Annotated[int, msgspec.Meta(ge=0, le=1000)]


class NextGame(_Word, frozen=True, tag="next_game"):
    """Begin another game after the game `after`, which is abandoned if it is not over.

    `same_people`: the players stay, with the keys of their phones. `names` are theirs by seat. `rulings` are those on
    which the group agreed; the others stay as in the previous game.

    `game` is another game than the one on the table, played with the owner's copy `box`; an empty `box` is the house's.
    """

    after: Text
    players: int
    simplified: bool = False
    same_people: bool = False
    names: Names = ()
    rulings: Annotated[dict[RulingName, RulingValue], msgspec.Meta(max_length=100)] = {}
    game: BoxName = ""
    box: BoxName = ""


class PlayAgain(_Word, frozen=True, tag="play_again"):
    """Begin the same game again with the same people, as a player of a virtual table, once it is over.

    Resolves to the `NextGame` that the host would send.
    """


Word: TypeAlias = (
    Answer
    | Statement
    | Approval
    | Denial
    | PiecesSaid
    | Ruling
    | ModeChoice
    | TableStays
    | GoBack
    | TakeBack
    | UndoRequest
    | UndoReply
    | Amendment
    | Insertion
    | Strike
    | PaperPosition
    | ClearUp
    | Naming
    | Guide
    | NextGame
    | PlayAgain
)
"""What people may say."""

Correction: TypeAlias = Undo | Amendment | Insertion | Strike | PositionSet
"""What changes the record."""

Recorded: TypeAlias = (
    Answer
    | Statement
    | Approval
    | Denial
    | PiecesSaid
    | TagNamed
    | Ruling
    | ModeChoice
    | TableStays
    | UndoRequested
    | UndoReplied
    | ClearUp
    | Naming
    | Guide
    | Correction
)
"""What the journal keeps of a word."""


class Receipt(msgspec.Struct, frozen=True):
    """Confirm a message: `was` is the last entry before it, `now` the last that came with it; equal if there was none.

    As long as `now` is the latest entry, going back to `was` takes back a correction and nothing else.
    """

    was: int
    now: int
