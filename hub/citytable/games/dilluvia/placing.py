"""Workers on the action spaces: which spot, what it costs, what it brings at once (DR8-DR13)."""

from msgspec.structs import replace

from citytable.games.dilluvia.actions import Place
from citytable.games.dilluvia.gaining import gain_aeros, gain_cubes, gain_population, gain_prestige
from citytable.games.dilluvia.holding import held
from citytable.games.dilluvia.position import ACTION_SPACES, Cubes, Due, Placed, Position, Space
from citytable.games.dilluvia.refusals import refuse
from citytable.games.dilluvia.values import COLOURS, Spot, Values

_OWN = Spot(workers=1)
TOLL = 1


def next_spot(position: Position, seat: int, space: Space, values: Values) -> Spot | None:
    """Return the leftmost empty spot of an action space that this player may use; None: there is none (DR8, DR9)."""
    here = [placed.player for placed in position.placed if placed.space == space]
    return _next_spot(here, position.options.players, seat, space, values)


def next_spots(position: Position, seat: int, values: Values) -> list[tuple[Space, Spot]]:
    """Return the action spaces that have a spot for this player, each with it."""
    here: dict[Space, list[int]] = {space: [] for space in ACTION_SPACES}
    for placed in position.placed:
        here[placed.space].append(placed.player)
    players = position.options.players
    found = [(space, _next_spot(there, players, seat, space, values)) for space, there in here.items()]
    return [(space, spot) for space, spot in found if spot is not None]


def _next_spot(here: list[int], players: int, seat: int, space: Space, values: Values) -> Spot | None:
    if space in values.own_spots:
        return _own_spot(seat, here, white=values.own_spots[space].white)
    spots = values.spots_for[players][space]
    return spots[len(here)] if len(here) < len(spots) else None


def _own_spot(seat: int, here: list[int], *, white: bool) -> Spot | None:
    """Return a spot that is the player's alone, or the white one for one player's second visit (DR20)."""
    if seat not in here:
        return _OWN
    return _OWN if white and len(here) == len(set(here)) else None


def is_first_special(position: Position, space: Space) -> bool:
    """Return whether no special worker is on an action space yet: the four colours of resources are one (DR10)."""
    group = COLOURS if space in COLOURS else (space,)
    return not any(placed.special and placed.space in group for placed in position.placed)


def check_place(position: Position, action: Place, values: Values) -> None:
    """Raise `IllegalAction` if these workers may not be placed there."""
    if position.phase != "workers":
        refuse("no_workers_now", action)
    if position.acted or position.dues:
        refuse("finish_first", action)
    player = position.of(action.player)
    if action.workers < 1:
        refuse("at_least_one", action)
    if action.special and not player.special:
        refuse("special_placed", action)
    if action.workers - action.special > player.left:
        refuse("workers_left", action, count=player.left, seen=action.workers - action.special)
    spot = next_spot(position, action.player, action.space, values)
    if spot is None:
        refuse("no_spot", action, space=action.space)
    if spot.workers and action.workers > spot.workers:
        refuse("spot_limit", action, count=spot.workers)
    if spot.aero and player.aeros < TOLL:
        refuse("spot_aero", action)


def place(position: Position, action: Place, values: Values) -> Position:
    """Return the position after the workers were placed and what they bring at once was given."""
    spot = next_spot(position, action.player, action.space, values)
    if spot is not None and spot.aero:
        position = _paid(position, action.player, values)
    player = position.of(action.player)
    left = player.left - action.workers + action.special
    after = replace(player, left=left, special=player.special and not action.special)
    benefit = action.special and is_first_special(position, action.space)
    placed = Placed(action.space, action.player, action.workers, special=action.special)
    position = replace(position.with_player(action.player, after), placed=(*position.placed, placed), acted=True)
    return _brought(position, action, values, benefit=benefit)


def _paid(position: Position, seat: int, values: Values) -> Position:
    """Return the position after the Aero of a spot: it goes to the bank or to the owner of the toll tile (DA11)."""
    owners = [one for one in position.order if held(position.of(one), "toll", values)]
    position = gain_aeros(position, seat, -TOLL)
    if seat in owners:
        return gain_aeros(position, seat, TOLL)
    return gain_aeros(position, owners[0], TOLL) if owners else position


def _brought(position: Position, action: Place, values: Values, *, benefit: bool) -> Position:
    """Return the position with what an action space brings; `benefit`: also the special worker's."""
    seat, count = action.player, action.workers
    match action.space:
        case "order":
            points = position.order.index(seat) + 1 if benefit else 0
            return gain_prestige(position, seat, points, values)
        case "income":
            return gain_aeros(position, seat, count + count // 3 + (2 if benefit else 0))
        case "white" | "black" | "brown" | "purple":
            return gain_cubes(position, seat, Cubes().plus(action.space, count + benefit))
        case "construction":
            position = gain_prestige(position, seat, 4 if benefit else 0, values)
            return position.with_due(Due("construction", count=count, more=count))
        case "territory":
            return position.with_due(Due("territory", count=count, more=int(benefit)))
        case "garden":
            position = gain_population(position, seat, "gardens", 2 if benefit else 0)
            return position.with_due(Due("garden"))
        case "acquire":
            return position.with_due(Due("acquire"), *((Due("take"),) if benefit else ()))
        case "switch":
            return position.with_due(Due("switch", count=2 + benefit))
