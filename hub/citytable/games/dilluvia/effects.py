"""Each action's check and effect. A check raises `IllegalAction`; an effect is the position after an action."""

from collections.abc import Callable, Mapping
from typing import Any

from citytable.games.dilluvia import building, doing, market, placing, using
from citytable.games.dilluvia.actions import (
    Acquire,
    Action,
    Build,
    Buy,
    BuyPropeller,
    Convert,
    Done,
    DrawOrder,
    Garden,
    Pick,
    Place,
    Refill,
    SetUp,
    Switch,
    Take,
    Terrain,
    UseTile,
    Zeppelin,
)
from citytable.games.dilluvia.decisions import may_stop
from citytable.games.dilluvia.doing import rule_of_taking
from citytable.games.dilluvia.position import Phase, Position
from citytable.games.dilluvia.refusals import refuse
from citytable.games.dilluvia.turning import next_worker, settled, shopped
from citytable.games.dilluvia.values import Values

_Check = Callable[[Position, Any, Values], None]
_Effect = Callable[[Position, Any, Values], Position]


_IN_ORDER: Mapping[Phase, str] = {"zeppelins": "DR4", "shopping": "DR5", "income": "DR23"}
"""The rules by which the seats take turns, but for the action phase."""


def _check_done(position: Position, action: Done, values: Values) -> None:
    if may_stop(position, values):
        return
    if position.due:
        refuse("must_take", action, rule=rule_of_taking(position))
    refuse("must_berth" if position.phase == "zeppelins" else "must_place", action)


def _done(position: Position, action: Done, values: Values) -> Position:
    if position.dues:
        return position.with_top(None)
    if position.phase == "shopping":
        return shopped(position, values)
    return next_worker(position if position.acted else position.changed(action.player, passed=True), values)


_RULES: Mapping[type[Action], tuple[_Check, _Effect]] = {
    SetUp: (market.check_set_up, market.set_up),
    DrawOrder: (market.check_order, market.draw_order),
    Refill: (market.check_refill, market.refill),
    Zeppelin: (market.check_zeppelin, market.zeppelin),
    Buy: (market.check_buy, market.buy),
    Place: (placing.check_place, placing.place),
    Terrain: (doing.check_terrain, doing.terrain),
    BuyPropeller: (doing.check_propeller, doing.propeller),
    Build: (building.check_build, building.build),
    Acquire: (doing.check_acquire, doing.acquire),
    Garden: (doing.check_garden, doing.garden),
    Switch: (doing.check_switch, doing.switch),
    Take: (doing.check_take, doing.take),
    Pick: (doing.check_pick, doing.pick),
    UseTile: (using.check_use, using.use),
    Convert: (doing.check_convert, doing.convert),
    Done: (_check_done, _done),
}


def check(position: Position, action: Action, values: Values) -> None:
    """Raise `IllegalAction` with the number of the rule that forbids an action; its outcome may be open."""
    seat = getattr(action, "player", None)
    if position.phase == "end":
        refuse("game_over", action)
    if seat is not None:
        if not 1 <= seat <= position.options.players:
            refuse("no_seat", action, seen=seat, count=position.options.players)
        if not position.player:
            refuse("lay_out_first", action)
        if seat != position.player:
            refuse("not_your_turn", action, rule=_IN_ORDER.get(position.phase, ""), seat=position.player)
    _RULES[type(action)][0](position, action, values)


def effect(position: Position, action: Action, values: Values) -> Position:
    """Return the position after an action whose outcome is known, and after all that then happens by itself."""
    return settled(_RULES[type(action)][1](_nothing_shown(position), action, values), values)


def _nothing_shown(position: Position) -> Position:
    """Return the position without the tile that the act before brought, which may be taken up now."""
    for seat, player in enumerate(position.players, start=1):
        if player.shown:
            position = position.changed(seat, shown=0)
    return position
