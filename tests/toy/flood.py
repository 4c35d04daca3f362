"""Flood: the second toy game in its box, for one player or for several who win or lose together.

It is made of what `twelve.py` has not: no points, a die that people are asked for, a defeat, and a player after whose
act it is nobody else's turn.

F1: the player whose turn it is brings a sandbag from the yard to a gap of the dike that is open.
F2: then they roll a die. The number of a gap that is still open lets the water rise.
F3: the game is over when the water has risen twice, and everybody has lost, or when no gap is open, and all have won.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from citytable.rehearsal.people import People
from citytable.rehearsal.turn_by_turn import TurnByTurn
from citytable.rules.case import Case
from citytable.rules.errors import IllegalAction, Unreadable
from citytable.rules.game import LegalActions, Outcome
from citytable.rules.stack import Stack
from citytable.table.layout import Layout, Light, Region
from citytable.table.plan import SharedSpots
from citytable.table.question import Field
from citytable.table.scene import Pile, PlayerScene, Scene

GAPS, SACKS, LOST_AT = range(1, 5), range(1, 7), 2
YARD = tuple(f"yard/{n}" for n in SACKS)
DIKE = tuple(f"dike/{n}" for n in GAPS)
TEXT = re.compile(r"p(?P<player>\d) fill sack=(?P<sack>\d) gap=(?P<gap>\d)(?: die=(?P<die>\d))?")


class Options(msgspec.Struct, frozen=True):
    players: int = 1


class Fill(msgspec.Struct, frozen=True):
    """F1 and F2. `die` is the outcome; None while it is open."""

    player: int
    sack: int
    gap: int
    die: int | None = None

    def __str__(self) -> str:
        die = "" if self.die is None else f" die={self.die}"
        return f"p{self.player} fill sack={self.sack} gap={self.gap}{die}"


class Position(msgspec.Struct, frozen=True):
    """`gaps`: the sandbag in each gap; 0 is none."""

    options: Options
    gaps: tuple[int, ...] = (0,) * len(GAPS)
    water: int = 0
    turn: int = 1


def read(text: str) -> Fill:
    if (found := TEXT.fullmatch(text)) is None:
        raise Unreadable(f"{text!r}: write p1 fill sack=2 gap=3 die=6")
    return Fill(**{name: int(value) for name, value in found.groupdict().items() if value is not None})


def outcome(position: Position) -> Outcome | None:
    if position.water >= LOST_AT:
        return Outcome("flooded", ())
    return Outcome("held", tuple(range(1, position.options.players + 1))) if all(position.gaps) else None


def seat(position: Position) -> int:
    return 0 if outcome(position) else (position.turn - 1) % position.options.players + 1


def decisions(position: Position) -> list[Fill]:
    player = seat(position)
    open_gaps = [gap for gap in GAPS if not position.gaps[gap - 1]]
    return [Fill(player, sack, gap) for sack in SACKS for gap in open_gaps if player and sack not in position.gaps]


def broken(position: Position, action: Fill) -> str:
    if outcome(position):
        return "F3"
    return "" if msgspec.structs.replace(action, die=None) in decisions(position) else "F1"


def supposed(position: Position, action: Fill) -> Position:
    """The position after an action whose die may still be open: then the water stands where it stood."""
    gaps = tuple(action.sack if gap == action.gap else sack for gap, sack in zip(GAPS, position.gaps, strict=True))
    rises = action.die in GAPS and not gaps[action.die - 1]
    return Position(position.options, gaps, position.water + rises, position.turn + 1)


def refused(rule: str, action: Fill) -> IllegalAction:
    text = {"en": "This sandbag does not go there.", "fr": "Ce sac ne va pas là."}
    return IllegalAction(rule, text, str(action))


def accepted(position: Position, action: Fill) -> Position:
    if action.die is None:
        raise refused("F2", action)
    return supposed(position, action)


def checked(position: Position, action: Fill) -> Position:
    if rule := broken(position, action):
        raise refused(rule, action)
    return accepted(position, action)


class Flood(Stack[Fill, Position]):
    """A game as a stack of positions."""

    player = property(lambda self: seat(self.position))
    legal_actions = property(
        lambda self: LegalActions(
            lambda: iter(decisions(self.position)), lambda action: not broken(self.position, action)
        )
    )

    def push(self, action: Fill) -> None:
        self._append(action, checked(self.position, action))

    def accept(self, action: Fill) -> None:
        self._append(action, accepted(self.position, action))

    def outcome(self) -> Outcome | None:
        return outcome(self.position)

    def advice(self, decision: Fill) -> float:
        return -decision.gap

    def scores(self) -> Mapping[int, Any]:
        return {}


class Die:
    """`Asks`: what was rolled lies on no reader."""

    def questions(self, position: Position, action: Fill, known: Any, *, said: bool = False) -> tuple[Field, ...]:
        return () if action.die else (Field("die", "count", low=1, high=6),)

    def answered(self, position: Position, action: Fill, values: Mapping[str, Any]) -> Fill:
        return msgspec.structs.replace(action, die=values["die"])


class Announced:
    """`Speaks`: an act is over when the die is rolled, even where nobody else's turn begins."""

    def sayable(self, position: Position) -> list[Fill]:
        return decisions(position)

    def needs_word(self, action: Fill) -> bool:
        return False

    def ends_itself(self, action: Fill) -> bool:
        return True

    def asker(self, action: Fill) -> int:
        return action.player


class FloodTable:
    """The core that the umpire needs, and the parts with what else it is to know."""

    parts: tuple[object, ...] = (Die(), Announced())

    def __init__(self, *, accepts: bool = False) -> None:
        self._accepts = accepts

    def decisions(self, position: Position) -> list[Fill]:
        return decisions(position)

    def cases(self, position: Position, decision: Fill) -> Iterator[Case[Fill, Position]]:
        if self._accepts or not broken(position, decision):
            yield Case(decision, supposed(position, decision))  # the die lies on no reader

    def decision(self, action: Fill) -> Fill:
        return msgspec.structs.replace(action, die=None)

    def applied(self, position: Position, action: Fill) -> Position:
        return (accepted if self._accepts else checked)(position, action)

    def broken_rule(self, position: Position, action: Fill) -> str:
        return broken(position, action)

    def accepting(self) -> "FloodTable":
        return FloodTable(accepts=True)

    def layout(self, position: Position) -> Layout:
        left = tuple(f"sack/{sack}" for sack in SACKS if sack not in position.gaps)
        filled = zip(DIKE, position.gaps, strict=True)
        gaps = [Region((spot,), (f"sack/{sack}",) if sack else ()) for spot, sack in filled]
        lights = tuple(Light(gap.spots[0], "turn", seat(position)) for gap in gaps if not gap.things)
        return Layout(regions=(Region(YARD, left, late=position.turn == 1), *gaps), lights=lights)

    def text(self, action: Fill) -> str:
        return str(action)

    def action(self, text: str) -> Fill:
        return read(text)

    def seat(self, position: Position) -> int:
        return seat(position)

    def termination(self, position: Position) -> str:
        ended = outcome(position)
        return ended.termination if ended else ""

    def scene(
        self, confirmed: Position, provisional: Position, actions: Sequence[Fill], start: Position | None
    ) -> Scene:
        ended = outcome(confirmed)
        filled = zip(DIKE, confirmed.gaps, strict=True)
        return Scene(
            game="flood",
            turn=confirmed.turn,
            seat=seat(provisional) or None,
            phase="end" if ended else "main",
            players=tuple(map(PlayerScene, range(1, confirmed.options.players + 1))),
            lights=self.layout(provisional).lights,
            piles=tuple(Pile(spot, (f"sack/{sack}",)) for spot, sack in filled if sack),
            ended=ended.termination if ended else "",
            winners=ended.winners if ended else (),
        )


class FloodBox:
    """The toy in its box."""

    name = "flood"
    players = range(1, 4)
    deck = "flood"

    def with_deck(self, path: Path) -> "FloodBox":
        return self

    def deck_text(self) -> str:
        return ""

    def with_deck_text(self, text: str, name: str) -> "FloodBox":
        return self

    def fingerprint(self) -> str:
        return "flood"

    def options(self, players: int, *, simplified: bool = False) -> Options:
        return Options(players)

    def next_options(self, before: Position, players: int, *, simplified: bool) -> Options:
        return Options(players)

    def is_simplified(self, position: Position) -> None:
        return None

    def options_in(self, position: Position) -> Options:
        return position.options

    def written(self, options: Options) -> dict[str, Any]:
        return msgspec.structs.asdict(options)

    def read(self, written: Mapping[str, Any]) -> Options:
        return msgspec.convert(written, Options)

    def changed(self, wanted: Options, found: Options) -> tuple[str, ...]:
        return () if wanted == found else (f"players {found.players}",)

    def begin(self, options: Options) -> Flood:
        return Flood(Position(options))

    def at(self, options: Options, text: str) -> Flood:
        return Flood(msgspec.json.decode(text, type=Position))

    def action(self, text: str) -> Fill:
        return read(text)

    def table(self) -> FloodTable:
        return FloodTable()

    def things(self, players: int) -> tuple[str, ...]:
        return tuple(f"sack/{sack}" for sack in SACKS)

    def shared_spots(self) -> SharedSpots:
        return SharedSpots(supply=(*YARD, *DIKE))


class FloodCompany(TurnByTurn[Fill, Position]):
    """People who lay out the yard, then fill gaps and roll."""

    async def _play(self) -> None:
        await self._twin.act(*({"act": "bring", "thing": f"sack/{sack}", "spot": YARD[sack - 1]} for sack in SACKS))
        await super()._play()

    def _acts(self, decision: Fill) -> tuple[dict[str, Any], ...]:
        return ({"act": "bring", "thing": f"sack/{decision.sack}", "spot": DIKE[decision.gap - 1]},)

    def _came_out(self, decision: Fill, results: list[dict[str, Any]]) -> Fill:
        return msgspec.structs.replace(decision, die=self._rng.randint(1, 6))

    def _is_said(self, action: Fill) -> bool:
        return not self._blind.reads({DIKE[action.gap - 1]})

    def _known(self, question: Any) -> Mapping[str, Any]:
        return {"die": self.intentions[-1].die}  # they answer before they do anything else


BOX = FloodBox()
PEOPLE = People(FloodCompany)
