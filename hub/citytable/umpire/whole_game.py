"""A game with everything that the umpire may ask: what the game does not bring is as in one that has none of it."""

from typing import Generic, TypeVar

from citytable.umpire.plain_game import (
    NoForms,
    NoLessons,
    NoPaper,
    NoPlaces,
    NoReasons,
    NothingAllotted,
    NothingAnnounced,
    NothingAsked,
    NothingCounted,
    NothingFalls,
    NothingInTheWay,
    NothingLate,
    NothingPondered,
    NothingRevealed,
    NothingWeighed,
    OneTagEach,
)
from citytable.umpire.table_game import (
    Allots,
    Asks,
    Clears,
    Falls,
    InForms,
    InParts,
    ManyTags,
    NamesLater,
    OnPaper,
    Places,
    Ponders,
    Recounts,
    Refuses,
    Reveals,
    Speaks,
    TableGame,
    Teaches,
    Weighs,
)

A = TypeVar("A")
P = TypeVar("P")
_OPTIONAL: tuple[type, ...] = (
    Allots,
    Asks,
    Clears,
    Falls,
    InForms,
    ManyTags,
    NamesLater,
    OnPaper,
    Places,
    Ponders,
    Recounts,
    Refuses,
    Reveals,
    Speaks,
    Teaches,
    Weighs,
)


# one piece: a line for each thing that may be asked
class WholeGame(Generic[A, P]):
    """All of a game's methods as attributes, so that a call costs no more than the game's own.

    `edition` counts how often the game has become another one. Raise `TypeError` for a game or a part that has some
    methods of a protocol and not all.
    """

    def __init__(self, game: TableGame[A, P]) -> None:
        self.become(game)

    def become(self, game: TableGame[A, P]) -> None:
        """Be this game from now on: the same one with other cards."""
        self.edition = getattr(self, "edition", -1) + 1
        self.decisions = game.decisions
        self.cases = game.cases
        self.decision = game.decision
        self.applied = game.applied
        self.broken_rule = game.broken_rule
        self.layout = game.layout
        self.text = game.text
        self.action = game.action
        self.seat = game.seat
        self.termination = game.termination
        self.scene = game.scene
        self._core = game
        self._accepting: WholeGame[A, P] | None = None
        brought = (game, *(game.parts if isinstance(game, InParts) else ()))
        for one in brought:
            _check_whole(one)
        self._take_acts(brought)
        self._take_things(brought)

    def _take_acts(self, brought: tuple[object, ...]) -> None:
        """Take what concerns actions: the first that brings it, or else what holds where nobody does."""
        reveals: Reveals[A, P] = next((one for one in brought if isinstance(one, Reveals)), NothingRevealed(self._core))
        self.complete, self.supposed, self.unseen = reveals.complete, reveals.supposed, reveals.unseen
        later: NamesLater[A, P] = next((one for one in brought if isinstance(one, NamesLater)), NothingLate())
        self.named_later = later.named_later
        counts: Recounts[A, P] = next((one for one in brought if isinstance(one, Recounts)), NothingCounted())
        self.recounts = counts.recounts
        asks: Asks[A, P] = next((one for one in brought if isinstance(one, Asks)), NothingAsked(self._core))
        self.questions, self.answered = asks.questions, asks.answered
        speaks: Speaks[A, P] = next((one for one in brought if isinstance(one, Speaks)), NothingAnnounced(self._core))
        self.sayable, self.needs_word = speaks.sayable, speaks.needs_word
        self.ends_itself, self.asker = speaks.ends_itself, speaks.asker
        allots: Allots[A, P] = next((one for one in brought if isinstance(one, Allots)), NothingAllotted())
        self.actions_left, self.passing = allots.actions_left, allots.passing
        places: Places[A, P] = next((one for one in brought if isinstance(one, Places)), NoPlaces())
        self.spots_of, self.rank = places.spots_of, places.rank
        clears: Clears[A, P] = next((one for one in brought if isinstance(one, Clears)), NothingInTheWay())
        self.check_stated = clears.check_stated
        refuses: Refuses[A, P] = next((one for one in brought if isinstance(one, Refuses)), NoReasons())
        self.attempts = refuses.attempts
        ponders: Ponders[A, P] = next((one for one in brought if isinstance(one, Ponders)), NothingPondered())
        self.thoughts = ponders.thoughts

    def _take_things(self, brought: tuple[object, ...]) -> None:
        """Take what concerns things: the first that brings it, or else what holds where nobody does."""
        falls: Falls[A, P] = next((one for one in brought if isinstance(one, Falls)), NothingFalls())
        self.fallen, self.accidents, self.accident_at = falls.fallen, falls.accidents, falls.accident_at
        self.fall_of, self.denied = falls.fall_of, falls.denied
        weighs: Weighs[A, P] = next((one for one in brought if isinstance(one, Weighs)), NothingWeighed())
        self.exchanges, self.moves_pieces, self.standing = weighs.exchanges, weighs.moves_pieces, weighs.standing
        self.piece_kind, self.all_pieces, self.measured_thing = (
            weighs.piece_kind,
            weighs.all_pieces,
            weighs.measured_thing,
        )
        self.as_weighed, self.counts = weighs.as_weighed, weighs.counts
        self.with_count, self.exactly = weighs.with_count, weighs.exactly
        on_paper: OnPaper[P] = next((one for one in brought if isinstance(one, OnPaper)), NoPaper())
        self.paper, self.from_paper = on_paper.paper, on_paper.from_paper
        in_forms: InForms = next((one for one in brought if isinstance(one, InForms)), NoForms())
        self.blanks = in_forms.blanks
        teaches: Teaches[A, P] = next((one for one in brought if isinstance(one, Teaches)), NoLessons())
        self.step, self.topic = teaches.step, teaches.topic
        many_tags: ManyTags = next((one for one in brought if isinstance(one, ManyTags)), OneTagEach())
        self.component = many_tags.component

    def accepting(self) -> "WholeGame[A, P]":
        """Return the same game for what happened although a rule forbids it."""
        if self._accepting is None:
            self._accepting = WholeGame(self._core.accepting())
        return self._accepting


def _check_whole(one: object) -> None:
    """Raise `TypeError` if this has some methods of a protocol and not all: one is missing or misspelt."""
    for protocol in _OPTIONAL:
        names = [name for name in vars(protocol) if not name.startswith("_")]
        missing = [name for name in names if not hasattr(one, name)]
        if 0 < len(missing) < len(names):
            raise TypeError(f"{type(one).__name__} brings {protocol.__name__} without {', '.join(missing)}")


def whole(game: "TableGame[A, P] | WholeGame[A, P]") -> WholeGame[A, P]:
    """Return the game with everything that may be asked."""
    return game if isinstance(game, WholeGame) else WholeGame(game)
