"""The state of an umpire: everything on which its next result depends, as one value.

A fact, a statement or a tick gives a new state. The old one stays as it is, for glimpses and for trying answers out.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Generic, Self, TypeVar

import msgspec
from msgspec.structs import replace

from citytable.table.mode import Mode
from citytable.table.question import FieldValue, Question
from citytable.table.spot import Spot
from citytable.umpire.account import Account
from citytable.umpire.costs import Explanation
from citytable.umpire.falls import Falls
from citytable.umpire.lifted import Lifted
from citytable.umpire.node import Cue, Node
from citytable.umpire.observed import Observed
from citytable.umpire.restoring import Outstanding, Rest
from citytable.umpire.short_turn import ShortTurn
from citytable.umpire.story import Story
from citytable.umpire.trial import Trial

A = TypeVar("A")
P = TypeVar("P")

RESTLESS_US = 20_000_000  # no hand stays so long


class State(msgspec.Struct, Generic[A, P], frozen=True):
    """The table, its story, the statements of people and the questions to them."""

    observed: Observed
    story: Story[A, P]
    best: Explanation[A, P]  # how well the story explains the table
    changed: bool = True  # since the story was last explained
    mode: Mode = "enforce"
    answers: Mapping[str, Mapping[str, FieldValue]] = msgspec.field(default_factory=dict)  # by the text of the action
    named: Mapping[A, A] = msgspec.field(default_factory=dict)  # an action whose unknowns nobody reads, as it was named
    falls: Falls[A] = Falls()
    trial: Trial[A] | None = None  # people are asked about it now
    questions: tuple[Question, ...] = ()
    lifted: Lifted[A] | None = None  # people are asked about it now
    still_open: frozenset[str] = frozenset()  # the texts of acts whose outcome is not known
    asked: int = 0  # the number of questions that were ever asked
    ways: tuple[A, ...] = ()  # an act of which everything shows except its place: one for each possible place
    sought: frozenset[str] = frozenset()  # the things that no reader saw when people were asked for that place
    short: ShortTurn[A] | None = None  # people are asked about it now
    full_turns: int = 0  # how many turns of the story were over, as people said
    account: Account[A, P] | None = None  # people are asked about it now
    accounted: int = 0  # how many turns of the story need no account: people gave it, or it is believed
    silence: int = 0  # before this node of the path, scales were silent and something may have happened
    silence_no: int = 0  # the last step across a silence that was checked
    cleared_no: int = 0  # the last step when people last said what else they did
    too_soon: tuple[Cue[A], ...] = ()  # what was said before its turn was understood
    spoken_us: int = 0  # when people said something last, by the hub's clock
    last_said: tuple[str, int, int] = ("", 0, 0)  # the last statement that was believed, when, and after which step
    restoring: bool = False
    outstanding: Outstanding = Outstanding()  # what people must still put back
    rests: tuple[Rest, ...] = ()  # what may still follow from that
    waiting: "State[A, P] | None" = None  # the state from when a finished turn began to lack only answers
    is_past: bool = False  # that state waits, and the table has gone on: only finished turns are confirmed
    looks_again_us: int = 0  # the time of the next check even if nothing is sensed; 0 if it waits for something else
    silent_then: frozenset[str] = frozenset()  # the stations from which no report about it is expected

    @property
    def path(self) -> tuple[Node[A, P], ...]:
        """The nodes of the story; the first one is the confirmed position."""
        return self.story.path

    @property
    def lenient(self) -> bool:
        """True where acts that a rule forbids are taken as well."""
        return self.mode != "enforce"

    def with_answers_forgotten(self) -> Self:
        """Forget answers to acts that did not last: they do not answer the next ones."""
        return replace(self, answers={}, named={}, story=replace(self.story, given_up=()))

    def with_answers_about(self, path: Sequence[Node[A, P]], text: Callable[[A], str]) -> Self:
        """Forget answers to acts that are not on a path, and the names given in them; `text` writes an act."""
        texts = {text(node.action) for node in path if node.action is not None}
        return replace(
            self,
            answers={about: values for about, values in self.answers.items() if about in texts},
            named={action: told for action, told in self.named.items() if text(told) in texts},
        )

    def are_weighed(self, last: int = 0) -> bool:
        """Return whether the scales of the confirmed layout, and of the one after node `last`, rest."""
        return all(map(self.observed.weighed, self._scales(last)))

    def restless(self, last: int) -> tuple[Spot, ...]:
        """Return those of these scales that have moved for so long that it can be no hand; the turn waits for them."""
        since_us, now_us = self.observed.weights.moving_us, self.observed.now_us
        waited = {spot for spot in self._scales(last) if not self.observed.weighed(spot)}
        return tuple(sorted(spot for spot in waited if now_us - since_us.get(spot, now_us) >= RESTLESS_US))

    def _scales(self, last: int) -> set[Spot]:
        layouts = (self.path[0].layout, self.path[last].layout)
        return {scale.spot for layout in layouts for scale in layout.scales}
