"""Tower counts: which tower a step belongs to, and how many pieces it then has.

A tower is what stands on a tagged thing. Its count goes with the thing from scale to scale: what the scale shows when
the thing is put down or lifted off is the whole of it, and no piece; a difference to what it weighed before is.
The law of this file is `TRANSITIONS`; docs/reference/sensing.md draws it.
"""

from enum import Enum

from citytable.sensing.counting import PieceCount, PieceKinds
from citytable.table.fact import Fact, MassSettled, PiecesCounted, TagCame, TagLeft
from citytable.table.spot import Spot

LIFTED_SHARE = 0.5  # of the bare thing: with less on the scale the thing is not there
BARE_G = 1.0  # a thing that weighs what it did at first stands empty again
CARRIED_G = 1.0  # two scales weigh the same tower within this


class State(Enum):
    """The state of a scale."""

    STANDING = "standing"
    AWAY = "away"  # the next load that rests there is a thing put down


class Event(Enum):
    """The events that change it."""

    CAME = "tag came"
    LIFTED = "rests light"
    PUT_DOWN = "rests"


TRANSITIONS: dict[tuple[State, Event], State] = {
    (State.STANDING, Event.CAME): State.AWAY,
    (State.STANDING, Event.LIFTED): State.AWAY,
    (State.AWAY, Event.PUT_DOWN): State.STANDING,
}
"""Every change of state. What rests on a standing tower adds to it; entering standing compares the whole of it."""


class _Tower:
    """One thing: what it weighed when it was first put down, and last, and the count of what stands on it."""

    def __init__(self, kinds: PieceKinds, mass_g: float) -> None:
        self.count = PieceCount(kinds)
        self.bare_g = mass_g
        self.mass_g = mass_g


class TowerCounts:
    """The pieces on every tagged thing of a table, by the facts of its spots."""

    def __init__(self) -> None:
        self._kinds = PieceKinds()
        self._towers: dict[str, _Tower] = {}
        self._lying: dict[Spot, set[str]] = {}
        self._states: dict[Spot, State] = {}

    def mind(self, fact: Fact) -> list[Fact]:
        """Return what a fact says about a tower: a count, when something was put on or taken off."""
        match fact:
            case TagCame(spot=spot, uid=uid):
                self._lying.setdefault(spot, set()).add(uid)
                self._happens(spot, Event.CAME)
            case TagLeft(spot=spot, uid=uid):
                self._lying.setdefault(spot, set()).discard(uid)
            case MassSettled(spot=spot):
                uids = self._lying.get(spot, set())
                if len(uids) == 1:
                    return self._weighed(next(iter(uids)), fact)
            case _:
                pass
        return []

    def said(self, uid: str, n: int) -> None:
        """Believe people who say how many pieces stand on a thing; of a thing never weighed nothing is kept."""
        tower = self._towers.get(uid)
        if tower is not None:
            tower.count.said(n)

    def _weighed(self, uid: str, fact: MassSettled) -> list[Fact]:
        tower = self._towers.get(uid)
        if tower is None:
            self._towers[uid] = _Tower(self._kinds, fact.mass_g)
            self._happens(fact.spot, Event.PUT_DOWN)
            return []
        if fact.mass_g < LIFTED_SHARE * tower.bare_g:
            self._happens(fact.spot, Event.LIFTED)
            return []
        step_g = fact.step_g
        if self._happens(fact.spot, Event.PUT_DOWN):
            step_g = fact.mass_g - tower.mass_g
            if abs(fact.mass_g - tower.bare_g) <= BARE_G:
                tower.count, step_g = PieceCount(self._kinds), 0.0
            elif abs(step_g) < CARRIED_G:
                step_g = 0.0
        tower.mass_g = fact.mass_g
        if not step_g:
            return []
        count = tower.count
        count.step(step_g, fact.error_g)
        return [
            PiecesCounted(
                t_us=fact.t_us, spot=fact.spot, n=count.n, unsure=count.unsure, confidence=min(1.0, count.confidence)
            )
        ]

    def _happens(self, spot: Spot, event: Event) -> bool:
        """Change the state, and report whether that changed what the scale carries."""
        state = self._states.get(spot, State.STANDING)
        after = self._states[spot] = TRANSITIONS.get((state, event), state)
        return after is not state
