"""Names: a player gets another one, or two names turn out to be one person, on all evenings of a season at once.

A player can be erased, too: then no fact holds their name any more.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import msgspec

from citytable.venue.evening import Evening
from citytable.venue.facts import Fact, PlayerRenamed, PlayerShown, PlayersMerged, Refused, RoundDrawn

Decided: TypeAlias = Mapping[str, Fact]
"""What is added to each evening, by its name."""


def renaming(player: str, name: str) -> Callable[[Mapping[str, Evening]], Decided]:
    """Return what gives a player another name on every evening; it raises `Refused` where the name is somebody's."""
    name = " ".join(name.split())

    def decide(evenings: Mapping[str, Evening]) -> Decided:
        for at, evening in evenings.items():
            for known in evening.players:
                if known != player and known.casefold() == name.casefold():
                    raise Refused(f"{known} has come on {at}: if both are one person, citytable venue merge")
        return {at: PlayerRenamed(player, name) for at in _where(player, evenings)}

    return decide


def merging(player: str, into: str) -> Callable[[Mapping[str, Evening]], Decided]:
    """Return what makes two names one person; where only the first one came, that is a new name for it."""

    def decide(evenings: Mapping[str, Evening]) -> Decided:
        _where(into, evenings)
        if player == into:
            raise Refused(f"{player} is one person already")
        return {
            at: (PlayersMerged if into in evenings[at].players else PlayerRenamed)(player, into)
            for at in _where(player, evenings)
        }

    return decide


def showing(player: str, *, by_name: bool) -> Callable[[Mapping[str, Evening]], Decided]:
    """Return what notes whether a player may be shown by name; it raises `Refused` where nobody of this name came."""

    def decide(evenings: Mapping[str, Evening]) -> Decided:
        return {at: PlayerShown(player, by_name) for at in _where(player, evenings)}

    return decide


def _where(player: str, evenings: Mapping[str, Evening]) -> list[str]:
    found = [at for at, evening in evenings.items() if player in evening.players]
    if not found:
        raise Refused(f"{player} has come on no evening of this season")
    return found


def erasing(player: str) -> Callable[[Mapping[str, Sequence[Fact]]], dict[str, list[Fact]]]:
    """Return what takes a player's names out of the facts of evenings, also those that they had before.

    Each name becomes "somebody" with a number that nobody has, so that the evenings stay what they are. It raises
    `Refused` where nobody of this name has come.
    """

    def decide(evenings: Mapping[str, Sequence[Fact]]) -> dict[str, list[Fact]]:
        instead = _Somebody(evenings)
        erased = {at: _without(player, facts, instead) for at, facts in evenings.items()}
        found = {at: facts for at, facts in erased.items() if facts != list(evenings[at])}
        if not found:
            raise Refused(f"{player} has come on no evening")
        return found

    return decide


class _Somebody:
    """Gives each name that goes one that nobody has."""

    def __init__(self, evenings: Mapping[str, Sequence[Fact]]) -> None:
        self._taken = {name for facts in evenings.values() for fact in facts for name in _names(fact)}
        self._given: dict[str, str] = {}

    def __call__(self, name: str) -> str:
        if name not in self._given:
            numbers = range(1, len(self._taken) + len(self._given) + 2)
            free = next(k for k in numbers if f"somebody {k}" not in {*self._taken, *self._given.values()})
            self._given[name] = f"somebody {free}"
        return self._given[name]


def _without(player: str, facts: Sequence[Fact], instead: Callable[[str], str]) -> list[Fact]:
    """Return the facts without a person, from the last one back: before each new name they had another one."""
    theirs, kept = {player}, []
    for fact in reversed(facts):
        after = theirs
        if isinstance(fact, PlayerRenamed) and fact.name in theirs:
            theirs = theirs - {fact.name} | {fact.player}
        elif isinstance(fact, PlayersMerged) and fact.into in theirs:
            theirs = theirs | {fact.player}
        gone = {name: instead(name) for name in sorted(_names(fact) & (theirs | after))}
        kept.append(_called(fact, gone) if gone else fact)
    return kept[::-1]


def _names(fact: Fact) -> set[str]:
    """Return the names of players in a fact."""
    if isinstance(fact, RoundDrawn):
        return {*fact.sitting_out, *(name for one in fact.seatings for name in one.players)}
    return {getattr(fact, field) for field in ("player", "name", "into") if hasattr(fact, field)}


def _called(fact: Fact, names: Mapping[str, str]) -> Fact:
    """Return a fact with other names for players."""

    def name(old: str) -> str:
        return names.get(old, old)

    if isinstance(fact, RoundDrawn):
        seatings = (msgspec.structs.replace(one, players=tuple(map(name, one.players))) for one in fact.seatings)
        return msgspec.structs.replace(fact, seatings=tuple(seatings), sitting_out=tuple(map(name, fact.sitting_out)))
    fields = {field: name(getattr(fact, field)) for field in ("player", "name", "into") if hasattr(fact, field)}
    return msgspec.structs.replace(fact, **fields)
