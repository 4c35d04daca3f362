"""Twelve: a toy game that is the contract test of a box. Two players take cards from a row of twelve, three each.

T1: a player takes cards in their own turn. T2: a card is taken from the row. T3: nobody has more than three cards.
T4: nobody takes a card whose number stands beside one of theirs (7 beside 6 or 8). T5: only a player who can take
nothing passes. When nobody can take anything any more, the highest sum wins; equal sums share the victory.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from citytable.languages import Language
from citytable.rehearsal.company import Stuck
from citytable.rehearsal.people import People
from citytable.rehearsal.turn_by_turn import TurnByTurn
from citytable.rules.case import Case
from citytable.rules.errors import IllegalAction, Unreadable
from citytable.rules.game import LegalActions, Outcome
from citytable.rules.stack import Stack
from citytable.table import spot as spots
from citytable.table.layout import Layout, Light, Region
from citytable.table.plan import SharedSpots
from citytable.table.printed import Cell, Face, Mark, Printed, Row
from citytable.table.scene import Line, Pile, PlayerScene, Scene

CARDS = range(1, 13)
HAND = 3
ROW = tuple(f"market/row/{k}" for k in range(len(CARDS)))
_ACTION = re.compile(r"p([1-9]) (?:take card=(\d+)|(pass))")
WHY = {
    "T1": {"en": "It is not your turn.", "fr": "Ce n'est pas votre tour."},
    "T2": {"en": "That card is not in the row.", "fr": "Cette carte n'est pas dans la rangée."},
    "T3": {"en": "You have three cards already.", "fr": "Vous avez déjà trois cartes."},
    "T4": {"en": "You have a card beside that one.", "fr": "Vous avez une carte voisine."},
    "T5": {"en": "You can still take a card.", "fr": "Vous pouvez encore prendre une carte."},
}


class Options(msgspec.Struct, frozen=True):
    """How many play."""

    players: int = 2


class Take(msgspec.Struct, frozen=True):
    """A player takes a card."""

    player: int
    card: int

    def __str__(self) -> str:
        return f"p{self.player} take card={self.card}"


class Pass(msgspec.Struct, frozen=True):
    """A player takes nothing."""

    player: int

    def __str__(self) -> str:
        return f"p{self.player} pass"


Action = Take | Pass


class Position(msgspec.Struct, frozen=True):
    """Who has which cards; the others lie in the row."""

    options: Options
    hands: tuple[tuple[int, ...], ...]
    turn: int = 1


def seat(position: Position) -> int:
    return 0 if ended(position) else (position.turn - 1) % len(position.hands) + 1


def row(position: Position) -> tuple[int, ...]:
    return tuple(card for card in CARDS if not any(card in hand for hand in position.hands))


def broken(position: Position, action: Action) -> str:
    """Return the rule that forbids an action; empty when it is legal."""
    if action.player != seat(position):
        return "T1"
    if isinstance(action, Pass):
        return "T5" if takes(position, action.player) else ""
    hand = position.hands[action.player - 1]
    if action.card not in row(position):
        return "T2"
    if len(hand) == HAND:
        return "T3"
    return "T4" if any(abs(card - action.card) == 1 for card in hand) else ""


def takes(position: Position, player: int) -> list[Take]:
    hand = position.hands[player - 1]
    free = (card for card in row(position) if not any(abs(card - mine) == 1 for mine in hand))
    return [Take(player, card) for card in free] if len(hand) < HAND else []


def decisions(position: Position) -> list[Action]:
    player = seat(position)
    return [] if not player else takes(position, player) or [Pass(player)]


def ended(position: Position) -> bool:
    return not any(takes(position, player) for player in range(1, len(position.hands) + 1))


def played(position: Position, action: Action) -> Position:
    """Return the position after an action, whether a rule forbids it or not."""
    if isinstance(action, Take):
        hands = [tuple(card for card in hand if card != action.card) for hand in position.hands]
        hands[action.player - 1] = tuple(sorted((*hands[action.player - 1], action.card)))
        position = replace(position, hands=tuple(hands))
    return replace(position, turn=position.turn + 1)


def checked(position: Position, action: Action) -> Position:
    rule = broken(position, action)
    if rule:
        raise IllegalAction(rule, WHY[rule], str(action))
    return played(position, action)


def outcome(position: Position) -> Outcome | None:
    if not ended(position):
        return None
    sums = {player: sum(hand) for player, hand in enumerate(position.hands, start=1)}
    return Outcome("full", tuple(one for one in sums if sums[one] == max(sums.values())), sums)


def read(text: str) -> Action:
    match = _ACTION.fullmatch(text)
    if match is None:
        raise Unreadable(f"{text!r} is no action of this game: p1 take card=7, or p1 pass")
    return Pass(int(match[1])) if match[3] else Take(int(match[1]), int(match[2]))


class Score(msgspec.Struct, frozen=True):
    lines: tuple[Line, ...]

    @property
    def total(self) -> int:
        return sum(line.points for line in self.lines)


def score(hand: Sequence[int]) -> Score:
    return Score(tuple(Line(card, "card", {"card": str(card)}) for card in hand))


class Twelve(Stack[Action, Position]):
    """A game as a stack of positions."""

    player = property(lambda self: seat(self.position))
    legal_actions = property(
        lambda self: LegalActions(
            lambda: iter(decisions(self.position)), lambda action: not broken(self.position, action)
        )
    )

    def push(self, action: Action) -> None:
        self._append(action, checked(self.position, action))

    def accept(self, action: Action) -> None:
        self._append(action, played(self.position, action))

    def outcome(self) -> Outcome | None:
        return outcome(self.position)

    def advice(self, decision: Action) -> float:
        return decision.card if isinstance(decision, Take) else 0.0

    def scores(self) -> Mapping[int, Score]:
        return {player: score(hand) for player, hand in enumerate(self.position.hands, start=1)}


class TwelveTable:
    """The core that the umpire needs, and `Refuses`."""

    def __init__(self, *, accepts: bool = False) -> None:
        self._accepts = accepts

    def decisions(self, position: Position) -> list[Action]:
        return decisions(position)

    def cases(self, position: Position, decision: Action) -> Iterator[Case[Action, Position]]:
        if self._accepts or not broken(position, decision):
            yield Case(decision, played(position, decision))

    def decision(self, action: Action) -> Action:
        return action

    def applied(self, position: Position, action: Action) -> Position:
        return played(position, action) if self._accepts else checked(position, action)

    def broken_rule(self, position: Position, action: Action) -> str:
        return broken(position, action)

    def accepting(self) -> "TwelveTable":
        return TwelveTable(accepts=True)

    def layout(self, position: Position) -> Layout:
        hands = (
            Region(tuple(spots.card(player, k) for k in range(HAND)), tuple(f"card/{card}" for card in hand))
            for player, hand in enumerate(position.hands, start=1)
        )
        lights = tuple(Light(spot, "turn", seat(position)) for spot in ROW[:1]) if seat(position) else ()
        late = position.turn == 1
        things = tuple(f"card/{card}" for card in row(position))
        return Layout(regions=(Region(ROW, things, late=late), *hands), lights=lights)

    def text(self, action: Action) -> str:
        return str(action)

    def action(self, text: str) -> Action:
        return read(text)

    def seat(self, position: Position) -> int:
        return seat(position)

    def termination(self, position: Position) -> str:
        ended = outcome(position)
        return ended.termination if ended else ""

    def attempts(self, position: Position, thing: str, spot: str) -> Iterator[Action]:
        player = spots.seat_of(spot)
        if player is not None and thing.startswith("card/"):
            yield Take(player, int(thing.removeprefix("card/")))

    def scene(
        self, confirmed: Position, provisional: Position, actions: Sequence[Action], start: Position | None
    ) -> Scene:
        ended = outcome(confirmed)
        hands = list(enumerate(confirmed.hands, start=1))
        lying = ((spots.card(player, k), card) for player, hand in hands for k, card in enumerate(hand))
        return Scene(
            game="twelve",
            turn=confirmed.turn,
            seat=seat(provisional) or None,
            phase="end" if ended else "main",
            players=tuple(PlayerScene(player, score(hand).total, score(hand).lines) for player, hand in hands),
            lights=self.layout(provisional).lights,
            piles=tuple(
                Pile(spot, (f"card/{card}",)) for spot, card in (*((ROW[n - 1], n) for n in row(confirmed)), *lying)
            ),
            ended=ended.termination if ended else "",
            winners=ended.winners if ended else (),
        )


class TwelveBox:
    """The toy in its box."""

    name = "twelve"
    players = range(2, 3)
    deck = "twelve"

    def with_deck(self, path: Path) -> "TwelveBox":
        return self

    def deck_text(self) -> str:
        return ""

    def with_deck_text(self, text: str, name: str) -> "TwelveBox":
        return self

    def fingerprint(self) -> str:
        return "12"

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

    def begin(self, options: Options) -> Twelve:
        return Twelve(Position(options, ((),) * options.players))

    def at(self, options: Options, text: str) -> Twelve:
        return Twelve(msgspec.json.decode(text, type=Position))

    def action(self, text: str) -> Action:
        return read(text)

    def table(self) -> TwelveTable:
        return TwelveTable()

    def things(self, players: int) -> tuple[str, ...]:
        return tuple(f"card/{card}" for card in CARDS)

    def shared_spots(self) -> SharedSpots:
        return SharedSpots(supply=ROW)

    def printed(self, language: Language) -> tuple[Printed, ...]:
        mark, size = Mark("M4 4h16v16H4z"), (40.0, 60.0)
        back = Face("", "#2b3142", mark)
        return tuple(
            Printed(f"card/{card}", size, Face(str(card), "#2b3142", mark, rows=(Row((Cell(text=str(card)),)),)), back)
            for card in CARDS
        )


class TwelveCompany(TurnByTurn[Action, Position]):
    """People who lay out the row, and then take cards."""

    async def _play(self) -> None:
        await self._twin.act(*({"act": "bring", "thing": f"card/{card}", "spot": ROW[card - 1]} for card in CARDS))
        await super()._play()

    def _acts(self, decision: Action) -> tuple[dict[str, Any], ...]:
        if isinstance(decision, Pass):
            return ()
        slot = len(self._exact.position.hands[decision.player - 1])
        return ({"act": "bring", "thing": f"card/{decision.card}", "spot": spots.card(decision.player, slot)},)

    def _is_said(self, action: Action) -> bool:
        return isinstance(action, Pass)

    def _known(self, question: Any) -> Mapping[str, Any]:
        raise Stuck(f"this game asks nothing, and the display asks {question}")


BOX = TwelveBox()
PEOPLE = People(TwelveCompany)
