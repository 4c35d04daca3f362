"""The actions of Comeback City, each with its line of notation. `OUTCOME` names the fields that chance fills in."""

from typing import Any, ClassVar, Literal, TypeAlias, get_args

import msgspec

from citytable.games.comeback.deck import Disaster
from citytable.games.comeback.places import Place, place_from_text
from citytable.rules.notation import ActionNotation, Leaf

LEAVES: dict[type, Leaf] = {Place: Leaf(str, place_from_text)}


class _Action(msgspec.Struct, frozen=True):
    OUTCOME: ClassVar[tuple[str, ...]] = ()

    def __str__(self) -> str:
        return NOTATION.to_text(self)


class SetUp(_Action, frozen=True, gc=False, tag="set_up"):
    """CR1: `bonuses` in play, those `redrawn` for their zone, six cards of the `row` and two more in the `hand`."""

    OUTCOME: ClassVar[tuple[str, ...]] = ("bonuses", "redrawn", "row", "hand")
    bonuses: tuple[str, ...] | None = None
    redrawn: tuple[str, ...] | None = None
    row: tuple[str, ...] | None = None
    hand: tuple[str, ...] | None = None


class Lay(_Action, frozen=True, gc=False, tag="lay"):
    """CR1: one of the last two cards of the set-up goes to the top of a column."""

    player: int
    card: str
    at: Place


class Flip(_Action, frozen=True, gc=False, tag="flip"):
    """CR4: the next card. The one before it is passed, if it could not be paid."""

    OUTCOME: ClassVar[tuple[str, ...]] = ("card",)
    player: int
    card: str | None = None


class Discard(_Action, frozen=True, gc=False, tag="discard"):
    """CR5: the flipped card is not built although it could be."""

    player: int
    card: str


class Build(_Action, frozen=True, gc=False, tag="build"):
    """CR4, CR6, CR24: the flipped card goes to a place of the city."""

    player: int
    card: str
    at: Place


class Restore(_Action, frozen=True, gc=False, tag="restore"):
    """CR24: the building under a rubble card is rebuilt for its cost."""

    player: int
    at: Place


class Repair(_Action, frozen=True, gc=False, tag="repair"):
    """CR25: the plant, or line or road `number`."""

    player: int
    part: Literal["plant", "line", "road"]
    number: int = 0


class ThrowOut(_Action, frozen=True, gc=False, tag="throw_out"):
    """CR26: the cards discarded for the building just built leave the game."""

    player: int


class Strike(_Action, frozen=True, gc=False, tag="strike"):
    """CR10: a disaster is drawn."""

    OUTCOME: ClassVar[tuple[str, ...]] = ("disaster",)
    player: int
    disaster: Disaster | None = None


class Occupy(_Action, frozen=True, gc=False, tag="occupy"):
    """CR13: an occupied card on the Residential building with the highest value."""

    player: int
    at: Place


class Roll(_Action, frozen=True, gc=False, tag="roll"):
    """CR18: both dice."""

    OUTCOME: ClassVar[tuple[str, ...]] = ("blue", "white")
    player: int
    blue: int | None = None
    white: int | None = None


class Target(_Action, frozen=True, gc=False, tag="target"):
    """CR18: one die is the column, the other the row."""

    player: int
    at: Place


class Shake(_Action, frozen=True, gc=False, tag="shake"):
    """CR14: the earthquake reaches one step further."""

    player: int


class Severity(_Action, frozen=True, gc=False, tag="severity"):
    """CR15, CR17: the strength of a hurricane, or the counters on the giant bird: 0 to 7."""

    player: int
    level: int


class TurnUp(_Action, frozen=True, gc=False, tag="turn_up"):
    """CR16: the meteors are turned up, in the order in which they were placed."""

    OUTCOME: ClassVar[tuple[str, ...]] = ("meteors",)
    player: int
    meteors: tuple[str, ...] | None = None


class Trample(_Action, frozen=True, gc=False, tag="trample"):
    """CR17: the giant bird destroys the building with most stories."""

    player: int
    at: Place


class Rebuild(_Action, frozen=True, gc=False, tag="rebuild"):
    """CR20: the disaster is over and the rebuild begins."""

    player: int


class Claim(_Action, frozen=True, gc=False, tag="claim"):
    """CR12: the reward of a completed zoning bonus."""

    player: int
    bonus: str
    reward: Literal["point", "helper"]


class Mend(_Action, frozen=True, gc=False, tag="mend"):
    """CR29: the Maintenance Crew repairs all roads or all lines."""

    player: int
    parts: Literal["roads", "lines"]


class Free(_Action, frozen=True, gc=False, tag="free"):
    """CR29: the Defense Agency frees an occupied building."""

    player: int
    at: Place


class Demolish(_Action, frozen=True, gc=False, tag="demolish"):
    """CR29: the Engineering Corps removes a building; its opportunity cost joins the pool."""

    player: int
    at: Place


class Guard(_Action, frozen=True, gc=False, tag="guard"):
    """CR29: the National Guard places a guard, or moves one from another building."""

    player: int
    at: Place
    moved_from: Place | None = None


class Finish(_Action, frozen=True, gc=False, tag="finish"):
    """CR30: the game ends."""

    player: int


Action: TypeAlias = (
    SetUp
    | Lay
    | Flip
    | Discard
    | Build
    | Restore
    | Repair
    | ThrowOut
    | Strike
    | Occupy
    | Roll
    | Target
    | Shake
    | Severity
    | TurnUp
    | Trample
    | Rebuild
    | Claim
    | Mend
    | Free
    | Demolish
    | Guard
    | Finish
)

NOTATION: ActionNotation[Any] = ActionNotation(get_args(Action), LEAVES)
"""One line of text per action, and back."""


def action_from_text(text: str) -> Action:
    """Read `p1 build card=R05 at=3/5`; raises `Unreadable`. `str(action)` writes it."""
    action: Action = NOTATION.from_text(text)
    return action
