"""The commands in which bots play against each other: tournaments, and statistics about a game."""

import time
from collections.abc import Sequence
from functools import partial
from statistics import fmean
from typing import Annotated, Any, NamedTuple

import typer
from msgspec.structs import replace
from rich.table import Table

from citytable.bots.balance import Report, games, report
from citytable.bots.bot import Advised, Bot
from citytable.bots.names import BOTS
from citytable.bots.planner import ChanceOf
from citytable.bots.tournament import BotOf, GameOf, Interval, differences, standings, tournament
from citytable.console import fail, out, players_text, say
from citytable.games import NAMES, UnknownGame, box_of, budget_of, chance_of
from citytable.rules.budget import Budget

GameName = Annotated[str, typer.Option(help=f"Which game: {', '.join(NAMES)}.")]
Players = Annotated[int | None, typer.Option(help="Number of players; default: the fewest.")]
FirstSeed = Annotated[int, typer.Option(help="Seed of the first games; the others follow.")]
Nodes = Annotated[
    int | None, typer.Option(min=1, help="How many actions the planner may try in a move; default: the game's own.")
]
Horizon = Annotated[
    int | None, typer.Option(min=1, help="How many actions ahead the planner looks; default: the game's own.")
]


class _Bench(NamedTuple):
    """A game with its chance, for a number of players."""

    begin: GameOf
    chance_of: ChanceOf
    players: int


def _bench(game: str, players: int | None) -> _Bench:
    try:
        box = box_of(game)
    except UnknownGame as error:
        raise fail(error, 2) from None
    count = box.players[0] if players is None else players
    if count not in box.players:
        raise fail(f"{game} is for {players_text(box.players)}: saw --players {count}", 2)
    options = box.options(count)
    return _Bench(partial(box.begin, options), partial(chance_of, game), count)


def _budget(game: str, nodes: int | None, horizon: int | None) -> Budget:
    """Return the budget of a game with the user's changes; the game is known."""
    wanted = {"nodes": nodes, "horizon": horizon}
    return replace(budget_of(game), **{name: value for name, value in wanted.items() if value is not None})


class _Timed:
    """A bot with the processor time of its moves, so that other work on the machine does not count."""

    def __init__(self, bot: Bot, moves_s: list[float]) -> None:
        self._bot = bot
        self._moves_s = moves_s

    def choose(self, game: Advised[Any], decisions: Sequence[Any]) -> Any:
        """Return the choice of the bot; only real choices are timed."""
        begun_s = time.thread_time()
        chosen = self._bot.choose(game, decisions)
        if len(decisions) > 1:
            self._moves_s.append(time.thread_time() - begun_s)
        return chosen


def _timed(bot: BotOf, moves_s: list[float]) -> BotOf:
    return lambda rng: _Timed(bot(rng), moves_s)


def _bot(name: str, bench: _Bench, budget: Budget) -> BotOf:
    if name not in BOTS:
        raise fail(f"there is no bot {name!r}: give one of {', '.join(BOTS)}", 2)
    return lambda rng: BOTS[name](rng, bench.chance_of, budget)


def compare(
    game: GameName = NAMES[0],
    players: Players = None,
    bot: Annotated[
        list[str] | None, typer.Option(help="A bot that takes part; repeat it for more. Default: all bots.")
    ] = None,
    lots: Annotated[
        int, typer.Option(min=1, help="How many sets of games: in each set every bot plays once on every seat.")
    ] = 10,
    first_seed: FirstSeed = 1,
    nodes: Nodes = None,
    horizon: Horizon = None,
) -> None:
    """Let bots play against each other, and print their victories and points with 95 % intervals."""
    bench = _bench(game, players)
    budget = _budget(game, nodes, horizon)
    moves_s: dict[str, list[float]] = {name: [] for name in bot or BOTS}
    bots = {name: _timed(_bot(name, bench, budget), times) for name, times in moves_s.items()}
    seeds = range(first_seed, first_seed + lots)
    played = list(tournament(bots, bench.begin, bench.chance_of, bench.players, seeds))
    table = Table("bot", "games", "victories per game", "points per game")
    for one in standings(played):
        table.add_row(one.bot, str(one.games), _shown(one.victories), _shown(one.points))
    out.print(table)
    for two in differences(played):
        gain = f"{_shown(two.victories)} victories, {_shown(two.points)} points"
        say(f"{two.better} beyond {two.worse}, lot by lot: {gain}")
    if times := moves_s.get("planner"):
        say(
            f"the planner tries {budget.nodes:,} actions a move, {budget.horizon} ahead, and takes "
            f"{fmean(times):.2f} s of the processor, {max(times):.2f} s for the longest move"
        )
    if unended := sum(not one.termination for one in played):
        say(f"{unended} of {len(played)} games did not end; nobody won them")


def balance(
    game: GameName = NAMES[0],
    players: Players = None,
    bot: Annotated[str, typer.Option(help="Which bot plays on every seat.")] = "greedy",
    count: Annotated[int, typer.Option("--games", min=2, help="How many games.")] = 100,
    first_seed: FirstSeed = 1,
    nodes: Nodes = None,
    horizon: Horizon = None,
) -> None:
    """Let bots play many games; print their length and margins, the winners, and the unused cards."""
    bench = _bench(game, players)
    seeds = range(first_seed, first_seed + count)
    seated = _bot(bot, bench, _budget(game, nodes, horizon))
    records = list(games(bench.begin, seated, bench.chance_of, bench.players, seeds))
    _print(report(records), f"{count} games of {game}, {bench.players} at the table, all {bot}")


def _print(found: Report, title: str) -> None:
    say(f"{title}; means in their 95 % intervals")
    say(f"{'ended by':>20}  {', '.join(f'{name} {times}' for name, times in sorted(found.endings.items()))}")
    lines = {"actions": found.actions, "points": found.points, "first's lead": found.margin}
    lines |= {f"victories, mover {place}": victories for place, victories in enumerate(found.order, start=1)}
    for name, interval in lines.items():
        say(f"{name:>20}  {_shown(interval)}")
    for (kind, field, thing), offered, taken in found.rare:
        say(f"{'least taken':>20}  {kind} {field}={thing}: {taken} of {offered} moves in which it was legal")
    if found.last:
        kinds = ", ".join(f"{kind} {times}" for kind, times in sorted(found.last.items(), key=lambda one: -one[1]))
        say(f"{'last 1,000 actions':>20}  of each game that did not end: {kinds}")


def _shown(value: Interval) -> str:
    return f"{value.mean:.2f} ({value.low:.2f} to {value.high:.2f})"


def add_to(app: typer.Typer) -> None:
    """Add these commands to `citytable`."""
    app.command("tournament")(compare)
    app.command("balance")(balance)
