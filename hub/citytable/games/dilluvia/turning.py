"""Everything that happens without a decision: the next turn, the end of a phase, the end of a turn (DR2-DR24)."""

from msgspec.structs import replace

from citytable.games.dilluvia.decisions import can_place, due_decisions, purchases
from citytable.games.dilluvia.gaining import gain_aeros, gain_prestige
from citytable.games.dilluvia.market import compensated, empty_in_line, next_zeppelin, refill_count
from citytable.games.dilluvia.position import DARK, TURNS, Due, Held, Player, Position
from citytable.games.dilluvia.scoring import scored
from citytable.games.dilluvia.using import usable
from citytable.games.dilluvia.values import SPACES, Values


def settled(position: Position, values: Values) -> Position:
    """Return the position in which somebody has something to decide, or the end."""
    while (further := _step(position, values)) is not None:
        position = further
    return position


def _step(position: Position, values: Values) -> Position | None:
    """Return the position after the next thing that happens by itself; None: a decision comes next."""
    if position.dues:
        return _step_due(position, values)
    match position.phase:
        case "zeppelins":
            return _step_zeppelins(position)
        case "shopping":
            return None if next(purchases(position, values), None) else shopped(position, values)
        case "workers":
            return _step_workers(position, values)
        case "income":
            return paid_out(position, values)
        case _:
            return None


def _step_zeppelins(position: Position) -> Position | None:
    """Go on to the purchases when all stand, or back to the seat whose zeppelin is next after a tile used too early."""
    if min(position.market) < 0:
        return None
    seat = next_zeppelin(position)
    if not seat:
        return _shopping(position, position.order[0])
    return None if seat == position.player else replace(position, player=seat)


def _step_due(position: Position, values: Values) -> Position | None:
    """Drop what comes next if nothing of it can be done, and no tile that might help is left."""
    if next(due_decisions(position, values), None) or next(usable(position, position.player, values), None):
        return None
    return position.with_top(None)


def _shopping(position: Position, seat: int) -> Position:
    return replace(position, phase="shopping", player=seat, empties=empty_in_line(position, seat))


def shopped(position: Position, values: Values) -> Position:
    """Return the position after a player's purchases: compensation, and the next one's turn (DR6)."""
    position = replace(compensated(position, position.player, values), empties=0)
    following = position.order[position.order.index(position.player) + 1 :]
    if following:
        return _shopping(position, following[0])
    return next_worker(replace(position, phase="workers", player=position.order[-1]), values)


def _step_workers(position: Position, values: Values) -> Position | None:
    if not position.acted or next(usable(position, position.player, values), None) is not None:
        return None
    return next_worker(position, values)


def next_worker(position: Position, values: Values) -> Position:
    """Return the position in which the next player who can places workers (DR8), or the end of the phase."""
    k = position.order.index(position.player) + 1
    for seat in (*position.order[k:], *position.order[:k]):
        if can_place(position, seat, values):
            return replace(position, player=seat, acted=False)
    position = replace(position, acted=False)
    if position.turn == TURNS:
        return scored(position, values)
    return income(replace(position, phase="income"), position.order[0], values)


def income(position: Position, seat: int, values: Values) -> Position:
    """Return the position after a player's income in Aeros and prestige; the cubes are due (DR23)."""
    player = position.of(seat)
    position = gain_aeros(replace(position, player=seat), seat, player.mat_money)
    position = gain_prestige(position, seat, player.mat_prestige, values)
    return position.with_due(Due("take", count=player.mat_resources)) if player.mat_resources else position


def paid_out(position: Position, values: Values) -> Position:
    """Return the position after a player's income: the next one's, or the next turn."""
    following = position.order[position.order.index(position.player) + 1 :]
    return income(position, following[0], values) if following else _next_turn(position)


def next_order(position: Position) -> tuple[int, ...]:
    """Return the order of the next turn: choosers first, in the order of their spots (DR11)."""
    chosen = dict.fromkeys(placed.player for placed in position.placed if placed.space == "order")
    return (*chosen, *(seat for seat in position.order if seat not in chosen))


def _readied(player: Player) -> Player:
    tiles = tuple(Held(one.tile) for one in player.tiles)
    return replace(player, left=DARK + player.extra, special=True, passed=False, tiles=tiles, zeppelin=None)


def _next_turn(position: Position) -> Position:
    """Return the beginning of the next turn (DR24, DR3, DR7)."""
    position = replace(
        position,
        turn=position.turn + 1,
        order=next_order(position),
        players=tuple(map(_readied, position.players)),
        placed=(),
    )
    if position.turn == TURNS:
        aside = tuple(tile for tile in position.market if tile)
        position = replace(position, aside=aside, market=(0,) * SPACES)
    elif refill_count(position):
        return replace(position, phase="refill", player=0)
    return replace(position, phase="zeppelins", player=position.order[0])
