"""The turn: who may act, the number of standard actions, and the position after one."""

from typing import Any

from msgspec.structs import replace

from citytable.games.megacity.actions import Action
from citytable.games.megacity.position import Options, Player, Position
from citytable.games.megacity.refusals import refuse


def allowance(options: Options) -> int:
    """Return the limit of actions (R7), open contracts (R8) and undelivered platforms (R9): 2, or 3 for two players."""
    return 3 if options.players == 2 else 2


def actions_left(position: Position) -> int:
    """Return how many standard actions the player may still take (R7); 0 but on an ordinary turn."""
    if position.phase != "main" or position.deciding:
        return 0
    return allowance(position.options) - position.actions_used


def next_seat(seat: int, players: int) -> int:
    """Return the seat to the left (R1)."""
    return seat % players + 1


def seats_after(seat: int, players: int) -> tuple[int, ...]:
    """Return all seats clockwise, this one last (A32)."""
    return tuple((seat + k) % players + 1 for k in range(players))


def check_running(position: Position, action: Action) -> None:
    """Raise `IllegalAction` unless the game has begun and is not over."""
    if position.phase == "setup":
        refuse("setup_first", action)
    if position.phase == "end":
        refuse("game_over", action)


def check_turn(position: Position, action: Any) -> None:
    """Raise `IllegalAction` unless it is the player's turn."""
    check_running(position, action)
    if action.player != position.player:
        refuse("not_your_turn", action, seat=position.player)


def check_standard(position: Position, action: Any) -> None:
    """Raise `IllegalAction` unless the player has a standard action left (R7)."""
    check_turn(position, action)
    check_not_over(position, action)
    if position.deciding:
        refuse("deciding", action)
    if position.phase == "option":
        refuse("option_only", action)


def check_not_over(position: Position, action: Action) -> None:
    """Raise `IllegalAction` if only the bag is left to be passed, for the reason why (R7, R31, R41)."""
    if position.phase != "over":
        return
    if position.deciding:
        refuse("decided", action)
    refuse("actions_used" if position.actions_used >= allowance(position.options) else "turn_over", action)


def check_option(position: Position, action: Any) -> None:
    """Raise `IllegalAction` unless the player has just delivered a building (R31)."""
    check_turn(position, action)
    if position.phase == "over" and not position.actions_used:
        refuse("option_over", action)
    if position.phase != "option":
        refuse("no_delivery", action)


def after_action(position: Position, player: Player, **changes: Any) -> Position:
    """Return the position after a standard action; `player` is the one to act as the action left them."""
    used = position.actions_used + 1
    return replace(
        position,
        players=with_player(position, player),
        actions_used=used,
        phase="over" if used >= allowance(position.options) else "main",
        **changes,
    )


def with_player(position: Position, player: Player) -> tuple[Player, ...]:
    """Return the players with the one to act replaced."""
    k = position.player - 1
    return (*position.players[:k], player, *position.players[k + 1 :])
