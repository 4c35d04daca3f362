"""The means by which an umpire judges: the game, and what was worked out before and holds in any state.

They make it faster and change nothing: an umpire that remembers nothing comes to the same.
"""

from collections import deque
from collections.abc import Mapping
from typing import Generic, TypeAlias, TypeVar

from citytable.umpire.costs import Explanation
from citytable.umpire.explaining import Explainer
from citytable.umpire.foresight import Foresight
from citytable.umpire.matching import Matches
from citytable.umpire.node import Cue, Node, rules_for
from citytable.umpire.observed import Observed, as_told
from citytable.umpire.passing import ExplainingTable
from citytable.umpire.state import State
from citytable.umpire.story import Explaining
from citytable.umpire.whole_game import WholeGame

A = TypeVar("A")
P = TypeVar("P")

GLIMPSES_KEPT = 4
EXPLAINERS_KEPT = 3  # a judgement asks for one or two, and the next one mostly for the same

_Asked: TypeAlias = tuple[Observed, tuple[Cue[A], ...], Mapping[A, A], bool]


class Means(Generic[A, P]):
    """The means of judging one game on one table."""

    def __init__(self, game: WholeGame[A, P]) -> None:
        self.game = game
        self.foresight = Foresight(game)
        self._matches = Matches()
        # A search for stories is not cheap, and mostly facts come to their turn as they were glimpsed.
        self._explainers: deque[tuple[_Asked[A], Explainer[A, P]]] = deque(maxlen=EXPLAINERS_KEPT)
        self._glimpsed: deque[tuple[State[A, P], State[A, P]]] = deque(maxlen=GLIMPSES_KEPT)

    def explainer(
        self, observed: Observed, cues: tuple[Cue[A], ...], named: Mapping[A, A], *, lenient: bool
    ) -> Explainer[A, P]:
        """Return one for that table. `named`: actions whose unknowns nobody reads, and how people named them."""
        asked = (as_told(observed), cues, named, lenient)
        known = next((explainer for before, explainer in self._explainers if before == asked), None)
        if known is None:
            known = Explainer(self.foresight, self._matches.matcher(asked[0]), cues, named, lenient=lenient)
            self._explainers.append((asked, known))
        return known

    def explaining_table(self, state: State[A, P]) -> ExplainingTable[A, P]:
        """Return the explanation of a state's story with other cues, by a table that may be another one."""
        return lambda observed: lambda cues: self.explainer(observed, cues, state.named, lenient=state.lenient)

    def explaining(self, state: State[A, P]) -> Explaining[A, P]:
        """Return the explanation of a state's table with cues that may be other ones."""
        return self.explaining_table(state)(state.observed)

    def explainer_of(self, state: State[A, P]) -> Explainer[A, P]:
        """Return the one for a state's table and cues."""
        return self.explaining(state)(state.story.cues)

    def seen(self, state: State[A, P]) -> Explanation[A, P]:
        """Return a state's story as it is, compared with its table."""
        return self.explainer_of(state).costs.seen(state.path)

    def rules(self, state: State[A, P], node: Node[A, P]) -> WholeGame[A, P]:
        """Return the rules by which the act of a node is judged."""
        return rules_for(self.game, accepted=node.accepted or state.lenient)

    def remember(self, before: State[A, P], after: State[A, P]) -> None:
        """Note that explaining the table again leads from one state to another."""
        self._glimpsed.append((before, after))

    def remembered(self, state: State[A, P]) -> State[A, P] | None:
        """Return the state to which explaining the table again leads; None if that is not known yet."""
        return next((after for before, after in self._glimpsed if before == state), None)
