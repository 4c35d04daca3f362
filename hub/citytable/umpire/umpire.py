"""Work out from the observed table which actions were taken.

Rule 1: an explanation of the table is provisional at once; if things are put back, it disappears.
Rule 2: it becomes confirmed at a commit point (`umpire/committing.py`: the turn passes, a contract is turned over, a
        tap), when the table agrees, the scales are at rest and every question about it is answered. A confirmed
        action is never withdrawn here.
Rule 3: of two explanations that end differently the umpire chooses neither, but asks the table, unless the table once
        showed the way of one of them.
Rule 4: a fall during a delivery happened before that delivery (A25), whenever the umpire understands it.
Rule 5: the umpire also asks about acts that may have been done while the scales that show them were silent, and about
        steps that a scale showed in parts, or as the rest of pieces put back: one act, two acts, or none.
Rule 6: after an undo it infers nothing until the table has been put back, its scales included
        (`umpire/restoring.py`), or somebody says that it stays as it is.
"""

from collections.abc import Iterable
from copy import copy
from typing import Generic, Self, TypeVar

from msgspec.structs import replace

from citytable.table.fact import Fact
from citytable.table.mode import Mode
from citytable.table.piece_mass import PieceMass
from citytable.table.plan import Plan
from citytable.table.question import Question
from citytable.table.spot import Spot
from citytable.table.status import Status
from citytable.table.word import Answer
from citytable.umpire.acts import Confirmed, Provisional, Said
from citytable.umpire.correcting import put_right
from citytable.umpire.falls import kept
from citytable.umpire.instructions import status_of, waiting_for
from citytable.umpire.judging import glimpsed, judged
from citytable.umpire.means import Means
from citytable.umpire.node import root, turn_ends
from citytable.umpire.observed import Observed
from citytable.umpire.restoring import AsItWas
from citytable.umpire.saying import said
from citytable.umpire.state import State
from citytable.umpire.story import Story
from citytable.umpire.table_game import TableGame
from citytable.umpire.taking import pass_time, took
from citytable.umpire.under_way import settled, under_way
from citytable.umpire.whole_game import WholeGame, whole

A = TypeVar("A")
P = TypeVar("P")


class Umpire(Generic[A, P]):
    """Watch one game on the table of a plan: feed it facts, statements and answers, then call `judge`.

    It holds the present state (`umpire/state.py`); functions from state to state decide everything.
    """

    def __init__(self, game: TableGame[A, P] | WholeGame[A, P], position: P, plan: Plan) -> None:
        self._means: Means[A, P] = Means(whole(game))
        # a step belongs to the thing that is weighed, and without a reader nobody knows which that is
        piece = PieceMass.of(self._means.game.piece_kind())
        observed = Observed(readers=plan.readers(), scales=plan.scales() & plan.readers(), piece=piece)
        path = (root(self._means.game, position),)
        seen = self._means.explainer(observed, (), {}, lenient=False).costs.seen(path)
        self._state: State[A, P] = State(observed, Story(path), seen)

    @property
    def mode(self) -> Mode:
        """The way acts that a rule forbids are treated."""
        return self._state.mode

    @property
    def position(self) -> P:
        """The confirmed position."""
        return self._state.path[0].position

    @property
    def provisional_position(self) -> P:
        """The position that explains the table now."""
        return self._state.path[-1].position

    @property
    def settled_position(self) -> P:
        """The provisional position before the first act with an open question."""
        return settled(self._means, self._state)

    @property
    def observed(self) -> Observed:
        """The table as the sensors report it."""
        return self._state.observed

    @property
    def provisional(self) -> tuple[Provisional, ...]:
        """The actions since the last confirmed one, oldest first."""
        return under_way(self._means, self._state)

    @property
    def questions(self) -> tuple[Question, ...]:
        """The open questions, oldest first."""
        return self._state.questions

    @property
    def questions_asked(self) -> int:
        """The number of questions that were ever asked."""
        return self._state.asked

    @property
    def kept(self) -> frozenset[Spot]:
        """The spots from which nobody takes pieces now."""
        state = self._state
        return frozenset() if state.restoring else kept(self._means.game, state.path[-1], state.observed)

    @property
    def restoring(self) -> bool:
        """True while the table is still to be put back as it was, after an undo; `status` says how."""
        return self._state.restoring

    def status(self) -> Status:
        """Every disagreement between the table and the provisional position, at once."""
        state = self._state
        judging, restoring = state.mode != "record", state.restoring
        asked, best, observed = bool(state.questions), state.best, state.observed
        over = max(turn_ends(self._means.game, state.path), default=0)
        restless = state.restless(over) if over else ()
        status = status_of(self._means.game, best, observed, judging=judging, restoring=restoring, asked=asked)
        return waiting_for(status, restless) if restless and not asked else status

    def recall_piece(self, pieces: int, grams: float, reported: tuple[int, ...]) -> None:
        """Take over the masses of pieces that the umpire had learned before a restart."""
        piece = PieceMass(self._means.game.piece_kind(), pieces, grams, reported)
        self._state = replace(self._state, observed=replace(self._state.observed, piece=piece))

    def feed(self, facts: Iterable[Fact], until_us: int = 0) -> None:
        """Take facts.

        `until_us`: nothing else was sensed until then, and a hand that moved something is gone.
        """
        for fact in facts:
            self._state = took(self._means, self._state, fact)
        if 0 < self.looks_again_us <= until_us:
            self._state = pass_time(self._state, until_us)

    @property
    def looks_again_us(self) -> int:
        """The hub time at which `feed` must be called even if nothing was sensed; 0 for never."""
        return self._state.looks_again_us

    def say(self, word: Said, at_us: int = 0) -> None:
        """Take what a person says at that hub time; raises `Unreadable`, `IllegalAction` or `ValueError`.

        Without a time it counts as said when something was sensed last.
        """
        self._state = said(self._means, self._state, word, at_us)

    def check(self, answer: Answer) -> None:
        """Raise the same errors as `answer`, without taking the answer."""
        said(self._means, self._state, answer)

    def put_right(self, position: P, *, restoring: bool, scales: AsItWas[P] | None = None) -> None:
        """Continue from a position that people corrected.

        `restoring`: people must first put the table back to it. If they are already putting it back, this goes on,
        because the record was corrected once more. `scales` is what the scales must show then; None: nobody can know,
        and nothing waits for them.
        """
        self._state = put_right(self._means, self._state, position, restoring=restoring, scales=scales)

    def learn(self) -> None:
        """Forget what was worked out with cards that have other values now; `put_right` comes next."""
        self._means = Means(self._means.game)

    def judge(self) -> tuple[Confirmed[A, P], ...]:
        """Explain the table again if anything changed, and return what this confirms."""
        self._state, acts = judged(self._means, self._state)
        return acts

    def glimpse(self, facts: Iterable[Fact]) -> Self:
        """Return an umpire that has taken these facts, too, and confirms nothing; to be read only."""
        seen = copy(self)
        seen.feed(facts)
        seen._state = glimpsed(seen._means, seen._state)
        return seen
