"""Statistics of a game from many games of bots: its length and margins, the winners, and unused things."""

import math
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from citytable.bots.bot import Action, Advised, Bot
from citytable.bots.planner import ChanceOf
from citytable.bots.self_play import Unending, play_out
from citytable.bots.tournament import ACTIONS_MAX, BotOf, GameOf, Interval, mean_of, share_of
from citytable.rules.game import Outcome

LAST = 1_000
"""How many of the last actions of a game that did not end are counted by their kinds."""

Use = tuple[str, str, str]
"""A kind of decision, a field of it, and a value of that field, such as take_contract, contract, PU1."""


class Record(msgspec.Struct, frozen=True):
    """One game.

    `order` has the seats in the order of their first moves. `offered` and `taken` count, for each use, the moves in
    which it was legal and in which it was made.
    """

    outcome: Outcome | None
    points: tuple[int, ...]
    actions: int
    order: tuple[int, ...]
    offered: Mapping[Use, int]
    taken: Mapping[Use, int]
    last: Mapping[str, int]


class Report(msgspec.Struct, frozen=True):
    """The statistics of the games with one number of players."""

    games: int
    endings: Mapping[str, int]
    actions: Interval
    points: Interval
    margin: Interval
    """The points of the best seat beyond the second; 0 in a game for one."""
    order: tuple[Interval, ...]
    """The victories, per game that ended, of the seat that moves first, of the one that moves second, and so on."""
    rare: tuple[tuple[Use, int, int], ...]
    """Uses of which fewest were made among those offered: the use, how often offered, how often made."""
    last: Mapping[str, int]
    """The kinds of the last 1,000 actions of the games that did not end."""


class _Watching:
    """Chooses as a bot does, and counts offered and chosen decisions."""

    def __init__(self, bot: Bot, order: dict[int, None], offered: Counter[Use], taken: Counter[Use]) -> None:
        self._bot = bot
        self._order = order
        self._offered = offered
        self._taken = taken

    def choose(self, game: Advised[Action], decisions: Sequence[Action]) -> Action:
        """Return the decision of the bot."""
        self._order[game.player] = None
        chosen = self._bot.choose(game, decisions)
        self._offered.update({use for decision in decisions for use in _uses(decision)})
        self._taken.update(set(_uses(chosen)))
        return chosen


def _uses(decision: Any) -> Iterator[Use]:
    """Yield the cards and other things with a name that a decision is about."""
    kind = str(type(decision).__struct_config__.tag)
    for name in decision.__struct_fields__:
        value = getattr(decision, name)
        if isinstance(value, str):
            yield kind, name, value


def record(game: Advised[Any], bots: Sequence[Bot], chance: Any) -> Record:
    """Play one game to its end, or until it has had 6,000 actions."""
    order: dict[int, None] = {}
    offered: Counter[Use] = Counter()
    taken: Counter[Use] = Counter()
    before = len(game.actions)
    try:
        play_out(game, [_Watching(bot, order, offered, taken) for bot in bots], chance, ACTIONS_MAX)
    except Unending:
        last = Counter(str(type(action).__struct_config__.tag) for action in game.actions[-LAST:])
    else:
        last = Counter()
    points = tuple(score.total for _, score in sorted(game.scores().items()))
    return Record(game.outcome(), points, len(game.actions) - before, tuple(order), offered, taken, last)


def report(records: Sequence[Record], rare: int = 8, least: int = 20) -> Report:
    """Return the statistics; rarely chosen uses are named if they were offered at least `least` times.

    Raises `ValueError` without any games.
    """
    if not records:
        raise ValueError("no games were played: play at least one")
    ended = [one for one in records if one.outcome is not None]
    places = range(max(len(one.order) for one in records))
    return Report(
        games=len(records),
        endings=Counter("did not end" if one.outcome is None else one.outcome.termination for one in records),
        actions=mean_of([float(one.actions) for one in ended]) if ended else Interval(math.nan, math.nan, math.nan),
        points=mean_of([float(total) for one in ended or records for total in one.points]),
        margin=mean_of([_margin(one.points) for one in ended or records]),
        order=tuple(share_of([_victory(one, place) for one in ended]) for place in places) if ended else (),
        rare=tuple(_rare(records, rare, least)),
        last=sum((Counter(one.last) for one in records), Counter[str]()),
    )


def _margin(points: tuple[int, ...]) -> float:
    best = sorted(points, reverse=True)
    return float(best[0] - best[1]) if len(best) > 1 else 0.0


def _victory(one: Record, place: int) -> float:
    winners = one.outcome.winners if one.outcome else ()
    return 1 / len(winners) if one.order[place] in winners else 0.0


def _rare(records: Sequence[Record], count: int, least: int) -> list[tuple[Use, int, int]]:
    offered = sum((Counter(one.offered) for one in records), Counter[Use]())
    taken = sum((Counter(one.taken) for one in records), Counter[Use]())
    often = [use for use, times in offered.items() if times >= least]
    found = sorted(often, key=lambda use: (taken[use] / offered[use], -offered[use], use))[:count]
    return [(use, offered[use], taken[use]) for use in found]


def games(begin: GameOf, bot_of: BotOf, chance_of: ChanceOf, players: int, seeds: Iterable[int]) -> Iterator[Record]:
    """Play one game for each seed, with the same kind of bot on every seat."""
    for seed in seeds:
        rng = random.Random(seed)
        yield record(begin(), [bot_of(random.Random(f"{seed} {seat}")) for seat in range(players)], chance_of(rng))
