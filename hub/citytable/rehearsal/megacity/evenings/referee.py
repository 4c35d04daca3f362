"""The referee: it compares what was confirmed with what was done, and answers questions like somebody who was there."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from citytable.evenings.performance import Done
from citytable.games.megacity.actions import (
    Accident,
    Action,
    BuildingFell,
    CountPieces,
    Deliver,
    EndTurn,
    MonumentFell,
    PiecesLost,
    PlaceCentralParkMonument,
    PlaceMonument,
    Refresh,
    ReturnPieces,
    TakePieces,
    TakePlatform,
    TurnUp,
)
from citytable.games.megacity.notation import action_from_text
from citytable.games.megacity.pieces import HOUSE
from citytable.games.megacity.position import MATERIALS, Face, Pieces, Position
from citytable.games.megacity.table_side import MegaCityTable
from citytable.rehearsal.megacity.acts import FALLS, TURNED_UP, answer_of_fall, answer_of_turning_up
from citytable.rehearsal.megacity.evenings.record import NEIGHBOURS
from citytable.rules.errors import Unreadable
from citytable.rules.game import open_fields
from citytable.table import spot as spots
from citytable.table.question import FieldValue, Question

NOTHING = "nothing"
BAGGED = TakePieces | ReturnPieces
"""What is done with the bag."""
BETWEEN = " | "
"""Between actions that a question names in one text."""


def _total(pieces: Pieces | None) -> int:
    return 0 if pieces is None else pieces.total


def _maybe(pieces: Pieces | None) -> int:
    """Return by how many pieces a count that is a range may exceed its minimum."""
    return getattr(pieces, "maybe", 0)


def _within(told: Pieces | None, true: Pieces | None) -> bool:
    """Return whether the true number of pieces lies within what was confirmed."""
    return _total(told) <= _total(true) <= _total(told) + _maybe(told)


def _made_of(told: Pieces | None, true: Pieces | None) -> bool:
    """Return the same, and whether there were at least as many of each material."""
    return _within(told, true) and all(getattr(told, one, 0) <= getattr(true, one, 0) for one in MATERIALS)


def _known(faces: tuple[Face | None, ...] | None) -> list[Face]:
    return [face for face in faces or () if face is not None]


class Referee:
    """MegaCity's referee."""

    def __init__(self) -> None:
        self.table = MegaCityTable(HOUSE)

    def ends_turn(self, action: Action) -> bool:
        """Return whether it ends a turn."""
        return isinstance(action, EndTurn)

    def is_delivery(self, action: Action) -> bool:
        """Return whether it is a delivery that stood."""
        return isinstance(action, Deliver) and bool(action.stood)

    def player(self, action: Action) -> int:
        """Return who did it; 0 for nobody."""
        return getattr(action, "player", 0)

    def action(self, text: str) -> Action:
        """Return the action of a notation."""
        return action_from_text(text)

    def same_decision(self, one: Action, other: Action) -> bool:
        """Return whether both are one decision, however they came out."""
        return bool(self.table.decision(one) == self.table.decision(other)) and getattr(one, "stood", None) == getattr(
            other, "stood", None
        )

    def leads_astray(self, action: Action) -> bool:
        """Return whether things lie elsewhere since; pieces that were missed only blur a count."""
        return not isinstance(action, TakePieces | ReturnPieces)

    def names(self, action: Action, done: Sequence[Done]) -> bool | None:
        """Return whether the tile that is named came up by something that was done; None for another act.

        So is a count of somebody's pieces right that they built with.
        """
        if isinstance(action, CountPieces):
            built = (one.action for one in done if isinstance(one.action, Deliver) and one.action.player == action.seat)
            return any(_total(delivery.pieces) >= (action.count or 0) for delivery in built)
        if not isinstance(action, TurnUp):
            return None
        came_up = {face for one in done for face in _known(getattr(one.action, "revealed", ()))}
        return came_up.issuperset(_known(action.revealed))

    def widths(self, position: Position) -> tuple[int, ...]:
        """Return how many more pieces than the least each player may hold, by seat."""
        return tuple(_maybe(player.pieces) for player in position.players)

    def fits(self, confirmed: Any, done: Done) -> bool:
        """Return whether what was done lies within what was confirmed, as far as evidence of it can reach."""
        was: Any = done.action
        if isinstance(confirmed, TakePieces) and isinstance(was, TakePieces):
            who = done.unseen == NEIGHBOURS or confirmed.player == was.player
            # what nobody typed yet is in a count that allows for it
            who &= confirmed.announced in {None, was.announced}
            return who and _within(confirmed.drawn, was.drawn)
        if isinstance(was, Deliver) and done.soft and was.stood is False:  # it fell where nobody named a hex
            was = replace(was, at=getattr(confirmed, "at", was.at))
        if type(confirmed) is not type(was) or not self.same_decision(confirmed, was):
            return False
        match confirmed:
            case TakePlatform() | Refresh():
                known, true = _known(confirmed.revealed), _known(was.revealed)
                return len(confirmed.revealed or ()) == len(was.revealed or ()) and all(one in true for one in known)
            case Deliver(stood=True):
                return bool(confirmed.height_mm == was.height_mm and _made_of(confirmed.pieces, was.pieces))
            case ReturnPieces():
                return _within(confirmed.returned, was.returned)
            case PlaceMonument() | PlaceCentralParkMonument():
                return _within(confirmed.piece, was.piece)
            case BuildingFell():
                return (confirmed.to_box, confirmed.left) == (was.to_box, was.left)
            case PiecesLost():
                same = _within(confirmed.to_box, was.to_box) and _within(confirmed.to_bag, was.to_bag)
                return bool(same and confirmed.height_mm == was.height_mm)
        return True

    # answers

    def answer(
        self, question: Question, done: Sequence[Done], shown: Sequence[str], unconfirmed: Sequence[Done], asked_us: int
    ) -> dict[str, FieldValue] | None:
        """Return what somebody who was there, and sees what is `shown`, answers now; None: nobody has an answer yet."""
        actions = [one.action for one in done]
        if question.prompt in FALLS:
            falls = [one for one in actions if isinstance(one, BuildingFell | PiecesLost | MonumentFell)]
            at = question.about
            return dict(answer_of_fall(question, _last_at(falls, at)))
        if question.prompt in TURNED_UP:
            try:
                return dict(answer_of_turning_up(question, actions))
            except LookupError:
                return None
        names = {field.name for field in question.fields}
        if "spot" in names:
            return self._where(question, actions)
        if question.prompt == "account":
            return self._account(question, done, unconfirmed, asked_us)
        if "which" in names:
            return self._which(question, unconfirmed, shown)
        if "height_mm" in names:
            return self._built(question, actions)
        return None

    def _delivery(self, question: Question, actions: Sequence[Action]) -> Deliver | None:
        asked = action_from_text(question.about)
        for action in reversed(actions):
            if not isinstance(action, Deliver) or not isinstance(asked, Deliver) or not action.stood:
                continue
            if (action.contract, action.player) == (asked.contract, asked.player):
                return action
        return None

    def _built(self, question: Question, actions: Sequence[Action]) -> dict[str, FieldValue] | None:
        delivery = self._delivery(question, actions)
        if delivery is None or delivery.pieces is None:
            return None
        told: dict[str, FieldValue] = {name: getattr(delivery.pieces, name) for name in MATERIALS}
        return {**told, "height_mm": delivery.height_mm or 0, "judged": True}

    def _where(self, question: Question, actions: Sequence[Action]) -> dict[str, FieldValue] | None:
        delivery = self._delivery(question, actions)
        return None if delivery is None else {"spot": spots.city(delivery.at)}

    def _account(
        self, question: Question, all_done: Sequence[Done], unconfirmed: Sequence[Done], asked_us: int
    ) -> dict[str, FieldValue] | None:
        """Return the choice that comes nearest to what was taken from the bag, and put back, in a turn.

        None where all that was done is confirmed: nobody knows which turn is meant.

        What the next player took before the turn was passed belongs to it; where a choice names that, also what they
        took before the question was asked.
        """
        if not unconfirmed:
            return None
        ended = action_from_text(question.about)
        choices, known = question.fields[0].choices, _acts(question.words.get("known", ""))
        end = self._end(ended, known, unconfirmed)
        began_us = max((one.t_us for one in all_done if one.turn < end.turn and self.ends_turn(one.action)), default=0)
        mine = [one for one in unconfirmed if one.turn == end.turn and isinstance(one.action, BAGGED)]
        mine = [one for one in mine if one.t_us >= began_us]  # what was taken before belongs to the account before
        early = [one for one in unconfirmed if one.turn == end.turn + 1 and isinstance(one.action, BAGGED)]
        theirs = any(self.player(act) != self.player(ended) for choice in choices for act in _acts(choice))
        done = [*mine, *(one for one in early if one.t_us <= (max(end.t_us, asked_us) if theirs else end.t_us))]
        told = [one for one in known if isinstance(one, BAGGED)]  # what a choice says is beside that
        hands = Counter(self.player(one.action) for one in done)

        def likeness(choice: str) -> tuple[int, int, int]:
            """Nobody denies what they did themselves; and somebody who was there knows whose hands the others were."""
            acts, own = [*told, *_acts(choice)], self.player(ended)
            mine = self._likeness(
                [act for act in acts if self.player(act) == own],
                [one for one in done if self.player(one.action) == own],
            )
            return mine, self._likeness(acts, done), -(Counter(map(self.player, acts)) - hands).total()

        return {"which": max(choices, key=likeness)}

    def _end(self, ended: Action, known: Sequence[Action], unconfirmed: Sequence[Done]) -> Done:
        """Return the end of the turn that is asked about: of several the one with what the display names."""

        def unlike(end: Done) -> int:
            there = [one for one in unconfirmed if one.turn == end.turn and not isinstance(one.action, BAGGED)]
            named = [act for act in known if not isinstance(act, BAGGED)]
            return abs(len(named) - len(there)) + sum(not any(self.fits(act, one) for one in there) for act in named)

        return min((one for one in unconfirmed if one.action == ended), key=unlike, default=unconfirmed[-1])

    def _likeness(self, acts: Sequence[Action], done: Sequence[Done]) -> int:
        """Return how many of these acts were done, less those that were not, or are not named."""
        left = list(done)
        for act in sorted(acts, key=lambda act: sum(self.fits(act, one) for one in done)):  # the most telling first
            found = next((one for one in left if self.fits(act, one)), None)
            if found is not None:
                left.remove(found)
        return len(done) - 2 * len(left) - (len(acts) - (len(done) - len(left)))

    def _which(
        self, question: Question, unconfirmed: Sequence[Done], shown: Sequence[str]
    ) -> dict[str, FieldValue] | None:
        """Return what was done beyond what the display knows, or which of several things was done.

        If there are several, it is one that the display does not show yet, and of those the last.
        """
        choices = question.fields[0].choices
        besides = "known" in question.words
        known = [text for text in question.words.get("known", "").split(BETWEEN) if text] if besides else shown
        told = [action for text in known for action in _acts(text)]
        asked_about = _turns_of(told, unconfirmed, self.ends_turn) if besides else unconfirmed
        found: list[tuple[bool, int, str]] = []
        for choice in choices:
            acts = _acts(choice)
            times = [self._times(act, asked_about) for act in acts]
            if not acts or any(len(was) < acts.count(act) for act, was in zip(acts, times, strict=True)):
                continue
            news = any(len(was) > self._count(act, told) for act, was in zip(acts, times, strict=True))
            if news or not besides:
                found.append((news, max(max(was) for was in times), choice))
        if found:
            return {"which": max(found)[2]}
        return {"which": NOTHING} if NOTHING in choices else None

    def _times(self, action: Action, done: Sequence[Done]) -> list[int]:
        """Return when this was done; a count or a face that it names must be right, what it leaves open may be any."""
        is_open = bool(action.OUTCOME) and bool(open_fields(action))
        return [
            one.t_us for one in done if self.fits(action, one) or (is_open and self.same_decision(action, one.action))
        ]

    def _count(self, action: Action, told: Sequence[Action]) -> int:
        return sum(self.same_decision(action, one) for one in told)


def _acts(text: str) -> list[Action]:
    """Return the actions that a choice names, one or several; none where it is no action."""
    try:
        return [action_from_text(part) for part in text.split(BETWEEN)]
    except Unreadable:
        return []


def _turns_of(told: Sequence[Action], done: Sequence[Done], ends: Callable[[Action], bool]) -> list[Done]:
    """Return what was done in the turns that `told` covers, of those that are not confirmed: it begins with them.

    Nothing told yet is about the first.
    """
    turns = sorted({one.turn for one in done if ends(one.action)} | {one.turn for one in done[-1:]})
    covered = turns[: sum(ends(action) for action in told) + (not told or not ends(told[-1]))]
    since_us = min((one.t_us for one in done if one.turn in covered), default=0)
    return [one for one in done if covered and one.turn <= covered[-1] and one.t_us >= since_us]


def _last_at(falls: Sequence[Accident], about: str) -> Accident | None:
    """Return the last fall on the hex that a question is about."""
    there = [fall for fall in falls if f"at={fall.at}" in about.split()]
    return there[-1] if there else None
