"""An evening, computed from its facts."""

from collections.abc import Callable, Iterable, Mapping
from functools import singledispatch

import msgspec
from msgspec.structs import replace

from citytable.venue.facts import (
    EveningBegun,
    Fact,
    GamePlayed,
    PlayerCame,
    PlayerLeft,
    PlayerRenamed,
    PlayerShown,
    PlayersMerged,
    Refused,
    ResultRuled,
    RoundDrawn,
    RoundWithdrawn,
    Seating,
    TableClosed,
    TableOpened,
)


class Evening(msgspec.Struct, frozen=True, kw_only=True):
    """Hold how an evening stands. `players` are all who ever came, in the order in which they did.

    `by_name` is whether a player may be shown by name to everybody, of those who said anything about it.
    """

    players_min: int
    players_max: int
    rounds_planned: int
    seed: int
    players: tuple[str, ...] = ()
    present: frozenset[str] = frozenset()
    by_name: Mapping[str, bool] = {}
    tables: tuple[str, ...] = ()
    rounds: tuple[RoundDrawn, ...] = ()
    games: Mapping[tuple[str, str], GamePlayed] = {}
    rulings: Mapping[tuple[int, str], ResultRuled] = {}

    def seating(self, round_no: int, table: str) -> Seating | None:
        """Return who sits at a table in a round; None where nobody does."""
        drawn = self.rounds[round_no - 1 : round_no] if round_no > 0 else ()
        return next((one for each in drawn for one in each.seatings if one.table == table), None)

    def points(self, round_no: int, table: str) -> tuple[int, ...] | None:
        """Return the points of a table's seats in a round: the host's ruling, or what the table reported."""
        ruling = self.rulings.get((round_no, table))
        if ruling is not None:
            return ruling.points
        reported = (one for one in self.games.values() if one.round_no == round_no and one.table == table)
        return next((one.points for one in reported), None)

    def unfinished(self) -> tuple[str, ...]:
        """Return the tables that have no result yet in the last round."""
        drawn = self.rounds[-1:]
        return tuple(
            one.table for each in drawn for one in each.seatings if self.points(each.round_no, one.table) is None
        )

    def round_of_next_game(self, table: str, points: tuple[int, ...]) -> int | None:
        """Return the round to which the next new game of a table belongs: its oldest one without a reported game.

        A table reports its games in their order, however late. A round on which the host has ruled takes only a game
        with the ruling's points: the table may have been out of order, and never report that round. None where none
        fits: a game beside the evening, or one with another number of players, which the host then has to rule on.
        """
        reported = {one.round_no for one in self.games.values() if one.table == table}
        for drawn in self.rounds:
            seating = self.seating(drawn.round_no, table)
            if seating is None or drawn.round_no in reported:
                continue
            ruling = self.rulings.get((drawn.round_no, table))
            if ruling is None:
                return drawn.round_no if len(seating.players) == len(points) else None
            if ruling.points == points:
                return drawn.round_no
        return None


def evening_of(facts: Iterable[Fact]) -> Evening:
    """Return the evening that these facts make; raise `Refused` where one does not fit."""
    found = iter(facts)
    first = next(found, None)
    if not isinstance(first, EveningBegun):
        raise Refused("an evening starts with its beginning")
    evening = _begun(first)
    for fact in found:
        evening = after(evening, fact)
    return evening


def after(evening: Evening, fact: Fact) -> Evening:
    """Return the evening after a fact; raise `Refused`, with the reason, where it does not fit."""
    return _after(fact, evening)


def coming(name: str) -> Callable[[Evening], PlayerCame]:
    """Return what lets a player in, without spaces that nobody means.

    It raises `Refused` where the evening knows the player in another spelling. Facts that are kept may have both.
    """
    player = " ".join(name.split())

    def decide(evening: Evening) -> PlayerCame:
        for known in evening.players:
            if known != player and known.casefold() == player.casefold():
                raise Refused(f"{known} has come already: write {known}, or give a namesake another name than {player}")
        return PlayerCame(player)

    return decide


def _begun(fact: EveningBegun) -> Evening:
    if not 2 <= fact.players_min <= fact.players_max:
        raise Refused(f"a table seats 2 or more, not {fact.players_min} to {fact.players_max}")
    return Evening(
        players_min=fact.players_min, players_max=fact.players_max, rounds_planned=fact.rounds, seed=fact.seed
    )


@singledispatch
def _after(fact: Fact, evening: Evening) -> Evening:
    raise Refused(f"this evening has begun already, for {evening.players_max} players at a table: saw {fact!r}")


@_after.register
def _(fact: PlayerCame, evening: Evening) -> Evening:
    if not fact.player.strip():
        raise Refused("a player needs a name")
    if fact.player in evening.present:
        raise Refused(f"{fact.player} is here already: give a namesake another name")
    players = evening.players if fact.player in evening.players else (*evening.players, fact.player)
    return replace(evening, players=players, present=evening.present | {fact.player})


@_after.register
def _(fact: PlayerLeft, evening: Evening) -> Evening:
    if fact.player not in evening.present:
        raise Refused(f"{fact.player} is not here")
    return replace(evening, present=evening.present - {fact.player})


@_after.register
def _(fact: PlayerRenamed, evening: Evening) -> Evening:
    _check_came(evening, fact.player)
    if not fact.name.strip():
        raise Refused("a player needs a name")
    if fact.name in evening.players:
        raise Refused(f"{fact.name} has come already")
    return _called(evening, fact.player, fact.name)


@_after.register
def _(fact: PlayersMerged, evening: Evening) -> Evening:
    both = {fact.player, fact.into}
    for name in (fact.player, fact.into):
        _check_came(evening, name)
    for drawn in evening.rounds:
        if both <= {name for seating in drawn.seatings for name in seating.players}:
            raise Refused(f"{fact.player} and {fact.into} both play in round {drawn.round_no}: they are two people")
    return _called(evening, fact.player, fact.into)


@_after.register
def _(fact: PlayerShown, evening: Evening) -> Evening:
    _check_came(evening, fact.player)
    return replace(evening, by_name={**evening.by_name, fact.player: fact.by_name})


@_after.register
def _(fact: TableOpened, evening: Evening) -> Evening:
    if fact.table in evening.tables:
        raise Refused(f"table {fact.table} is open already")
    return replace(evening, tables=(*evening.tables, fact.table))


@_after.register
def _(fact: TableClosed, evening: Evening) -> Evening:
    if fact.table not in evening.tables:
        raise Refused(f"table {fact.table} is not open")
    return replace(evening, tables=tuple(name for name in evening.tables if name != fact.table))


@_after.register
def _(fact: RoundDrawn, evening: Evening) -> Evening:
    if fact.round_no != len(evening.rounds) + 1:
        raise Refused(f"the next round is {len(evening.rounds) + 1}, not {fact.round_no}")
    if missing := evening.unfinished():
        raise Refused(f"the last round is still played at {', '.join(missing)}")
    named = [name for seating in fact.seatings for name in seating.players] + list(fact.sitting_out)
    if len(set(named)) < len(named) or set(named) != evening.present:
        raise Refused(f"round {fact.round_no} does not have everybody who is here exactly once")
    at = [seating.table for seating in fact.seatings]
    if len(set(at)) < len(at) or not set(at) <= set(evening.tables):
        raise Refused(f"round {fact.round_no} has a table that is not open, or one of them twice")
    return replace(evening, rounds=(*evening.rounds, fact))


@_after.register
def _(fact: RoundWithdrawn, evening: Evening) -> Evening:
    if fact.round_no == 0 or fact.round_no != len(evening.rounds):
        raise Refused(f"only the last round can be taken back, and that is {len(evening.rounds)}")
    if len(evening.unfinished()) < len(evening.rounds[-1].seatings):
        raise Refused(f"a game of round {fact.round_no} is over: the round stays")
    return replace(evening, rounds=evening.rounds[:-1])


@_after.register
def _(fact: GamePlayed, evening: Evening) -> Evening:
    known = evening.games.get((fact.table, fact.game))
    if known is not None and known.ended_us > fact.ended_us:
        return evening
    if fact.round_no is not None:
        _check_seats(evening, fact.round_no, fact.table, fact.points)
        other = [key for key, game in evening.games.items() if _same_place(game, fact) and game.game != fact.game]
        if other:
            raise Refused(f"table {fact.table} has reported another game of round {fact.round_no}")
    return replace(evening, games={**evening.games, (fact.table, fact.game): fact})


@_after.register
def _(fact: ResultRuled, evening: Evening) -> Evening:
    _check_seats(evening, fact.round_no, fact.table, fact.points)
    return replace(evening, rulings={**evening.rulings, (fact.round_no, fact.table): fact})


def _check_came(evening: Evening, player: str) -> None:
    if player not in evening.players:
        raise Refused(f"{player} has not come")


def _called(evening: Evening, player: str, name: str) -> Evening:
    """Return the evening as if a player had come under this name.

    A round that was played under one name was sat out under none. What somebody of this name has said of it stays.
    """

    def call(names: Iterable[str]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name if one == player else one for one in names))

    def call_round(drawn: RoundDrawn) -> RoundDrawn:
        seatings = tuple(Seating(each.table, call(each.players)) for each in drawn.seatings)
        seated = {one for each in seatings for one in each.players}
        out = tuple(one for one in call(drawn.sitting_out) if one not in seated)
        return replace(drawn, seatings=seatings, sitting_out=out)

    own = dict(evening.by_name)
    moved = {name: own.pop(player)} if player in own else {}
    return replace(
        evening,
        players=call(evening.players),
        present=frozenset(call(evening.present)),
        by_name=moved | own,
        rounds=tuple(map(call_round, evening.rounds)),
    )


def _same_place(one: GamePlayed, other: GamePlayed) -> bool:
    return (one.table, one.round_no) == (other.table, other.round_no)


def _check_seats(evening: Evening, round_no: int, table: str, points: tuple[int, ...]) -> None:
    seating = evening.seating(round_no, table)
    if seating is None:
        raise Refused(f"nobody plays at table {table} in round {round_no}")
    if len(points) != len(seating.players):
        raise Refused(
            f"{len(seating.players)} play at table {table} in round {round_no} ({', '.join(seating.players)}): "
            f"give as many points, not {len(points)}"
        )
