"""Names: a player gets another one, or two names turn out to be one person, on all evenings of a season at once."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from citytable.venue.evening import Evening
from citytable.venue.facts import Fact, PlayerRenamed, PlayersMerged, Refused

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


def _where(player: str, evenings: Mapping[str, Evening]) -> list[str]:
    found = [at for at, evening in evenings.items() if player in evening.players]
    if not found:
        raise Refused(f"{player} has come on no evening of this season")
    return found
