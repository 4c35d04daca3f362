"""Evidence: the spots, and the times on them, that the entries of a game rest on.

An action rests on the spots whose expected look it changed, if sensors have reported on them since an action last
rested on them. A sensed fall rests on its own spot and those that moved with it, a question on the actions under way.
This is known before the excerpts of raw readings are finished, so a link names a window of time.
"""

from collections.abc import Iterable
from typing import Generic, TypeVar

from citytable.journal.entry import ActionConfirmed, Asked, Entry, FactNoted
from citytable.journal.excerpt import Link
from citytable.session.excerpt_recorder import Happening
from citytable.table.fact import Fact, Fell, TagCame, TagLeft
from citytable.table.layout import Layout
from citytable.table.spot import Spot
from citytable.table.word import Amendment, Insertion, Strike, Undo
from citytable.umpire.acts import Confirmed
from citytable.umpire.whole_game import WholeGame

A = TypeVar("A")
P = TypeVar("P")

NEAR_US = 1_500_000  # movements at the same time distinguish a fall from a bump of the table
WINDOW_US = 120_000_000  # earlier events on a spot belong to the building, not to the act


class Evidence(Generic[A, P]):
    """Give it every fact with `note`, then the entries that were written with `links`."""

    def __init__(self, game: WholeGame[A, P]) -> None:
        self._game = game
        self._reported_us: dict[Spot, list[int]] = {}  # a spot's facts since an action rested on it
        self._seen_at: dict[str, set[Spot]] = {}  # the spots where a thing came or left since then

    def note(self, fact: Fact) -> None:
        """Take in a fact."""
        if not isinstance(fact, Happening):
            return
        times = [*self._reported_us.get(fact.spot, ()), fact.t_us]
        first_us = max(times) - WINDOW_US  # a spot on which no action ever rests reports all evening
        self._reported_us[fact.spot] = [t_us for t_us in times if t_us >= first_us]
        if isinstance(fact, TagCame | TagLeft) and fact.thing is not None:
            self._seen_at.setdefault(fact.thing, set()).add(fact.spot)

    def links(
        self, entries: Iterable[Entry], confirmed: Iterable[Confirmed[A, P]], before: P, under_way: P
    ) -> list[Link]:
        """Return the links of entries just written. `confirmed` are their actions in order, from the position `before`.

        `under_way` is the position that explains the table now.
        """
        actions = iter(confirmed)
        out: list[Link] = []
        used: set[Spot] = set()
        for entry in entries:
            match entry.body:
                case ActionConfirmed():
                    after = next(actions).position
                    spots = self._changed(before, after)
                    before = after
                    used |= spots
                case Asked():
                    spots = self._changed(before, under_way)
                case FactNoted(fact=Fell() as fell):
                    out += self._links_of_fall(entry, fell)
                    continue
                case _:
                    continue
            out += [self._link(entry, spot) for spot in sorted(spots)]
        self._use_up(used)
        return out

    def _links_of_fall(self, entry: Entry, fell: Fell) -> list[Link]:
        spots = {spot for spot, times in self._reported_us.items() if abs(times[-1] - fell.t_us) <= NEAR_US}
        return [Link(entry.seq, entry.at_us, spot, fell.t_us, fell.t_us) for spot in sorted(spots | {fell.spot})]

    def _changed(self, before: P, after: P) -> set[Spot]:
        things, spots = differences(self._game.layout(before), self._game.layout(after))
        for thing in things:
            spots |= self._seen_at.get(thing, set())
        return spots & self._reported_us.keys()

    def _link(self, entry: Entry, spot: Spot) -> Link:
        times = self._reported_us[spot]
        return Link(entry.seq, entry.at_us, spot, min(times), max(times))

    def _use_up(self, spots: set[Spot]) -> None:
        for spot in spots:
            del self._reported_us[spot]
        self._seen_at = {thing: left for thing, seen_at in self._seen_at.items() if (left := seen_at - spots)}


def differences(before: Layout, after: Layout) -> tuple[set[str], set[Spot]]:
    """Return the things that are elsewhere in another layout, and the spots that identify their things."""
    was = {(region.spots, thing) for region in before.regions for thing in region.things}
    will = {(region.spots, thing) for region in after.regions for thing in region.things}
    changed = was ^ will
    spots = {spots[0] for spots, _ in changed if len(spots) == 1}
    scales = {(scale.name, scale.spot, scale.pieces) for scale in before.scales}
    scales ^= {(scale.name, scale.spot, scale.pieces) for scale in after.scales}
    return {thing for _, thing in changed}, spots | {spot for _, spot, _ in scales}


def rests_on(entry: Entry, entries: Iterable[Entry]) -> Entry | None:
    """Return the entry with the same evidence as `entry`: a correction has that of its action; None: there is none."""
    match entry.body:
        case Amendment(entry=seq) | Strike(entry=seq) | Insertion(before=seq):
            return next((one for one in entries if one.seq == seq), None)
        case Undo(to=to):
            return next((one for one in entries if one.seq > to and isinstance(one.body, ActionConfirmed)), None)
        case _:
            return entry
