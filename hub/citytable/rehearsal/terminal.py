"""MegaCity in the terminal against bots, to learn the rules: numbered decisions, and the rule when one is broken.

There is no table here: chance is drawn by the program, as `citytable.bots.selfplay` does for whole games of bots.
"""

import random
from collections.abc import Callable

from rich.console import Console
from rich.table import Table

from citytable.bots.bot import Bot
from citytable.bots.greedy import Greedy
from citytable.bots.selfplay import Dealer
from citytable.games.megacity.actions import Action
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.notation import action_from_text
from citytable.games.megacity.position import TYPES, Options
from citytable.rules.errors import GameError, OutcomeOpen

HELP = (
    "A number plays that decision. `all` lists every decision. `city` shows the table. `score` shows the points.\n"
    "Anything else is read as an action in notation, for example: p1 take_contract contract=PU1\n"
    "An action that breaks a rule is refused with the rule's number. `quit` ends."
)
FEW = 14


def _city(game: MegaCity, console: Console) -> None:
    position = game.position
    for kind, column in zip(TYPES, position.columns, strict=True):
        cards = [game.deck.contracts[name] for name in column]
        shown = ", ".join(f"{c.id} ({c.pieces}{'+' if c.plus else ''} pieces, {c.height_mm} mm)" for c in cards[:2])
        console.print(f"{kind:>12}: {shown}{' ...' if len(cards) > 2 else ''}", highlight=False)
    faces = ", ".join(str(face.platform) + " " + face.up for face in position.supply if face)
    console.print(f"{'supply':>12}: {faces}; bag {position.bag} pieces", highlight=False)
    for building in position.buildings:
        tall = " TALLEST" if building.at == position.tallest else ""
        console.print(
            f"{building.at!s:>12}: {building.face.up}, {building.height_mm} mm, seat {building.owner}{tall}",
            highlight=False,
        )
    for seat, player in enumerate(position.players, start=1):
        platforms = ", ".join(f"{face.platform} {face.up}" for face in player.platforms)
        console.print(
            f"{f'seat {seat}':>12}: {player.pieces.total} pieces, contracts {', '.join(player.contracts) or '-'}, "
            f"platforms {platforms or '-'}, completed {len(player.completed)}, tokens {player.tokens}",
            highlight=False,
        )


def _scores(game: MegaCity, console: Console) -> None:
    table = Table("seat", "points", "for")
    for seat, score in game.scores().items():
        table.add_row(str(seat), str(score.total), ", ".join(f"{line.points} {line.reason}" for line in score.lines))
    console.print(table)


def _list(decisions: list[Action], console: Console, limit: int) -> None:
    for number, decision in enumerate(decisions[:limit], start=1):
        console.print(f"{number:4d}  {str(decision).split(' ', 1)[1]}", highlight=False)
    if len(decisions) > limit:
        console.print(f"      ... {len(decisions) - limit} more: all", highlight=False)


def _chosen(game: MegaCity, dealer: Dealer, console: Console, ask: Callable[[str], str]) -> bool:
    """One input of the person; False when he leaves."""
    decisions = list(game.legal_actions)
    text = ask(f"seat {game.position.player}> ").strip()
    match text:
        case "quit":
            return False
        case "" | "help" | "?":
            console.print(HELP, highlight=False)
        case "all":
            _list(decisions, console, len(decisions))
        case "city":
            _city(game, console)
        case "score":
            _scores(game, console)
        case _:
            _play(game, dealer, console, decisions, text)
    return True


def _play(game: MegaCity, dealer: Dealer, console: Console, decisions: list[Action], text: str) -> None:
    try:
        if text.isdecimal():
            if not 1 <= int(text) <= len(decisions):
                console.print(f"there is no decision {text}: 1 to {len(decisions)}", style="yellow")
                return
            action = decisions[int(text) - 1]
        else:
            action = action_from_text(text)
        try:
            game.push(action)
        except OutcomeOpen:
            action = dealer.outcome(game, action)
            game.push(action)
    except GameError as refusal:
        console.print(str(refusal), style="yellow", highlight=False)
        return
    console.print(f"      {game.peek()}", style="green", highlight=False)


def play_in_terminal(
    options: Options, rng: random.Random, seat: int, console: Console, ask: Callable[[str], str] = input
) -> MegaCity:
    """Play until the game is over or the person quits; gives the game as it stands. `ask` reads a line."""
    game, dealer = MegaCity(options), Dealer(rng)
    game.push(dealer.outcome(game, next(iter(game.legal_actions))))
    bots: dict[int, Bot] = {other: Greedy() for other in range(1, options.players + 1) if other != seat}
    console.print(HELP, highlight=False)
    while game.outcome() is None:
        player = game.position.player
        if player in bots:
            decision = bots[player].choose(game, list(game.legal_actions))
            game.push(dealer.outcome(game, decision))
            console.print(f"      {game.peek()}", style="dim", highlight=False)
            continue
        _city(game, console)
        _list(list(game.legal_actions), console, FEW)
        if not _chosen(game, dealer, console, ask):
            break
    _scores(game, console)
    return game
