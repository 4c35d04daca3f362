"""Accepts actions that happened although a rule forbids them: the table outranks the rules.

A card may be built too high, too early or from the wrong pile. The same card in two places, or a removed building that
was not there, is impossible.
"""

from collections.abc import Mapping

from msgspec.structs import replace

from citytable.games.comeback.actions import (
    Action,
    Build,
    Claim,
    Demolish,
    Discard,
    Flip,
    Free,
    Guard,
    Lay,
    Occupy,
    Rebuild,
    Restore,
    Roll,
    SetUp,
    Severity,
    Shake,
    Strike,
    Target,
    Trample,
    TurnUp,
)
from citytable.games.comeback.city import building_at
from citytable.games.comeback.deck import Deck
from citytable.games.comeback.disasters import check_disaster
from citytable.games.comeback.effects import RULES, check, effect
from citytable.games.comeback.moves import without
from citytable.games.comeback.places import FIRST_ROW, Place
from citytable.games.comeback.position import Position
from citytable.games.comeback.refusals import refuse
from citytable.games.comeback.validity import wrong_with
from citytable.rules.errors import broken_rule

_AT_A_BUILDING = (Trample, Demolish, Occupy, Free, Guard, Restore)
_OF_DISASTERS: Mapping[type[Action], tuple[str, ...]] = {
    Roll: ("earthquake", "meteors"),
    Target: ("earthquake", "meteors"),
    Shake: ("earthquake",),
    Severity: ("hurricane", "giant_bird"),
    TurnUp: ("meteors",),
}
_ALSO_LATER: Mapping[type[Action], str] = {Occupy: "aliens", Trample: "giant_bird"}
"""The disasters whose acts go on in the rebuild."""


def accepted(position: Position, action: Action, deck: Deck) -> Position:
    """Return the position after an action that happened; raises `IllegalAction` if it cannot have happened."""
    if not broken_rule(check, position, action, deck):
        return effect(position, action, deck)
    check_possible(position, action, deck)
    after = effect(_at_hand(position, action), action, deck)
    if wrong_with(after, deck):
        refuse("impossible_then", action)
    return after


def check_possible(position: Position, action: Action, deck: Deck) -> None:
    """Raise `IllegalAction` if this cannot have happened with the things in the box."""
    if getattr(action, "player", 1) != 1:
        refuse("no_seat", action)
    if position.phase == "end":
        refuse("game_over", action)
    if (position.phase == "setup") != isinstance(action, SetUp):
        refuse("already_set_up" if isinstance(action, SetUp) else "not_laying", action)
    _check_disaster(position, action)
    rule = RULES[type(action)]
    if rule.outcome is not None:
        rule.outcome(position, action, deck)
    if isinstance(action, Build | Lay | Discard | Flip):
        _check_card(position, action, deck)
    if isinstance(action, Build | Lay):
        _check_room(position, action, action.at)
    if isinstance(action, Claim):
        _check_bonus(position, action)
    if isinstance(action, _AT_A_BUILDING):
        _check_building(position, action)


def _check_disaster(position: Position, action: Action) -> None:
    """Refuse what belongs to a disaster that was not drawn."""
    drawn = position.disaster if position.phase == "disaster" else None
    if (isinstance(action, Strike) and drawn != "") or (isinstance(action, Rebuild) and not drawn):
        refuse("no_disaster", action)
    if kinds := _OF_DISASTERS.get(type(action)):
        check_disaster(position, action, *kinds)
    if position.disaster != _ALSO_LATER.get(type(action), position.disaster):
        refuse("other_disaster" if position.disaster else "draw_first", action)


def _check_bonus(position: Position, action: Claim) -> None:
    if not any(bonus.card == action.bonus and not bonus.used for bonus in position.bonuses):
        refuse("not_claimable", action, bonus=action.bonus)


def _check_building(position: Position, action: Trample | Demolish | Occupy | Free | Guard | Restore) -> None:
    there = building_at(position, action.at)
    needed = {Free: "occupied", Restore: "rubble"}.get(type(action))
    if there is None or (needed and not getattr(there, needed)):
        refuse("impossible", action, seen=action.at)


def _check_card(position: Position, action: Build | Lay | Discard | Flip, deck: Deck) -> None:
    card = action.card or ""
    standing = {name for building in position.city for name in (building.card, building.under)}
    elsewhere = isinstance(action, Lay) and card not in position.hand
    if card and (card not in deck.cards or card in standing or elsewhere):
        refuse("impossible", action, seen=card)


def _check_room(position: Position, action: Build | Lay, at: Place) -> None:
    there = building_at(position, at)
    if at.row < FIRST_ROW or at == position.bird or (there is not None and not there.rubble):
        refuse("impossible", action, seen=at)


def _at_hand(position: Position, action: Action) -> Position:
    """Return the position in which the card of the action is where a legal action would have it."""
    if not isinstance(action, Build | Discard) or action.card == position.current:
        return position
    passed = (*position.passed, position.current) if position.current else position.passed
    piles = ("deck", "discard_pile", "gone", "hand", "discarded")
    taken = {pile: without(getattr(position, pile), action.card) for pile in piles}
    return replace(position, **taken, passed=without(passed, action.card), current=action.card)
