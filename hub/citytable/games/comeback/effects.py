"""The rules by kind of action: their checks and effects."""

from collections.abc import Callable
from typing import Any, NamedTuple

from citytable.games.comeback import actions, constructing, disasters, helping
from citytable.games.comeback.actions import Action
from citytable.games.comeback.deck import Deck
from citytable.games.comeback.moves import settled
from citytable.games.comeback.position import Position
from citytable.games.comeback.refusals import refuse

_Check = Callable[[Position, Any, Deck], None]


class Rule(NamedTuple):
    """The checks of one kind of action (of its decision, and of its outcome as far as it is known) and its effect."""

    decision: _Check
    outcome: _Check | None
    effect: Callable[[Position, Any, Deck], Position]


RULES: dict[type, Rule] = {
    actions.SetUp: Rule(constructing.check_set_up, constructing.check_dealt, constructing.set_up),
    actions.Lay: Rule(constructing.check_lay, None, constructing.lay),
    actions.Flip: Rule(constructing.check_flip, constructing.check_flipped, constructing.flip),
    actions.Discard: Rule(constructing.check_discard, None, constructing.discard),
    actions.Build: Rule(constructing.check_build, None, constructing.build),
    actions.Restore: Rule(constructing.check_restore, None, constructing.restore),
    actions.Repair: Rule(constructing.check_repair, None, constructing.repair),
    actions.ThrowOut: Rule(constructing.check_throw_out, None, constructing.throw_out),
    actions.Strike: Rule(disasters.check_strike, None, disasters.strike),
    actions.Occupy: Rule(disasters.check_occupy, None, disasters.occupy),
    actions.Roll: Rule(disasters.check_roll, disasters.check_dice, disasters.roll),
    actions.Target: Rule(disasters.check_target, None, disasters.target),
    actions.Shake: Rule(disasters.check_shake, None, disasters.shake),
    actions.Severity: Rule(disasters.check_severity, None, disasters.severity),
    actions.TurnUp: Rule(disasters.check_turn_up, disasters.check_turned_up, disasters.turn_up),
    actions.Trample: Rule(disasters.check_trample, None, disasters.trample),
    actions.Rebuild: Rule(disasters.check_rebuild, None, disasters.rebuild),
    actions.Claim: Rule(helping.check_claim, None, helping.claim),
    actions.Mend: Rule(helping.check_mend, None, helping.mend),
    actions.Free: Rule(helping.check_free, None, helping.free),
    actions.Demolish: Rule(helping.check_demolish, None, helping.demolish),
    actions.Guard: Rule(helping.check_guard, None, helping.guard),
    actions.Finish: Rule(helping.check_finish, None, helping.finish),
}


def effect(position: Position, action: Action, deck: Deck) -> Position:
    """Return the position after a legal action with a known outcome."""
    return settled(RULES[type(action)].effect(position, action, deck), deck)


def check(position: Position, action: Action, deck: Deck) -> None:
    """Raise `IllegalAction` if the rules refuse the decision or what is known of its outcome. Open fields are fine."""
    if getattr(action, "player", 1) != 1:
        refuse("no_seat", action)
    if position.phase == "end":
        refuse("game_over", action)
    rule = RULES[type(action)]
    rule.decision(position, action, deck)
    if rule.outcome is not None:
        rule.outcome(position, action, deck)
