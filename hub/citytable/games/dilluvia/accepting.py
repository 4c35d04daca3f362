"""Accepts actions that happened although a rule forbids them: the table outranks the rules."""

from msgspec.structs import replace

from citytable.games.dilluvia.actions import Action
from citytable.games.dilluvia.effects import check, effect
from citytable.games.dilluvia.position import Position
from citytable.games.dilluvia.refusals import Refused, refuse_open
from citytable.games.dilluvia.reveals import still_open
from citytable.games.dilluvia.validity import wrong_with
from citytable.games.dilluvia.values import Values


def accepted(position: Position, action: Action, values: Values) -> Position:
    """Return the position after an action, even if it broke a rule.

    Raises `IllegalAction` if it cannot have happened: the components are not there, or would not be afterwards.
    """
    if missing := still_open(action):
        refuse_open(action, missing)
    return accepted_so_far(position, action, values)


def accepted_so_far(position: Position, action: Action, values: Values) -> Position:
    """Return the same for an action with tiles that may not be known yet."""
    refusal = _refusal(position, action, values)
    if refusal is None:
        return effect(position, action, values)
    stage = _in_turn(position, action)
    other = _refusal(stage, action, values)
    if refusal.impossible or (other is not None and (other.impossible or stage.player != getattr(action, "player", 0))):
        raise other or refusal
    after = effect(stage, action, values)
    if wrong_with(after, values):
        raise refusal
    return after


def _refusal(position: Position, action: Action, values: Values) -> Refused | None:
    try:
        check(position, action, values)
    except Refused as refusal:
        return refusal
    return None


def _in_turn(position: Position, action: Action) -> Position:
    """Return the position with the turn at the acting player: one may place a zeppelin or workers too early."""
    between = position.phase in {"zeppelins", "workers"} and not position.dues and not position.acted
    seat = getattr(action, "player", 0)
    if not between or not position.player or not 1 <= seat <= position.options.players:
        return position
    return replace(position, player=seat)
