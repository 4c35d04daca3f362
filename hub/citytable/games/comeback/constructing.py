"""Setting up and constructing: flip, discard, build, restore, repair (CR1, CR4-CR9, CR20-CR26)."""

from msgspec.structs import replace

from citytable.games.comeback.actions import Action, Build, Discard, Flip, Lay, Repair, Restore, SetUp, ThrowOut
from citytable.games.comeback.city import (
    building_at,
    is_open,
    neighbours,
    on_bird,
    open_places,
    top_row,
    with_buildings,
)
from citytable.games.comeback.deck import Deck
from citytable.games.comeback.moves import sorted_with, spent, without
from citytable.games.comeback.places import COLUMNS, GAPS, Place
from citytable.games.comeback.points import conditional_points
from citytable.games.comeback.pool import (
    affordable,
    can_flip,
    discards_left,
    payable,
    repair_within_reach,
    rubble_within_reach,
)
from citytable.games.comeback.position import Bonus, Building, Position
from citytable.games.comeback.refusals import refuse

ROW, HAND = 6, 2
SIZE, ACTION_POINTS = 16, 8
"""The buildings at which the disaster strikes, and the action points it begins with (CR10)."""
MARKERS = 17
"""Occupied cards in the box (CA16)."""


# setting up


def check_set_up(position: Position, action: SetUp, _deck: Deck) -> None:
    """Refuse a second set-up."""
    if position.phase != "setup":
        refuse("already_set_up", action)


def check_dealt(_position: Position, action: SetUp, deck: Deck) -> None:
    """Refuse a deal that CR1 does not allow, as far as it is known."""
    dealt = [*(action.row or ()), *(action.hand or ())]
    for card in dealt:
        if card not in deck.cards or dealt.count(card) > 1:
            refuse("dealt_card", action, card=card)
    if action.row is not None and len(action.row) != ROW:
        refuse("dealt_row", action, seen=len(action.row))
    if action.hand is not None and len(action.hand) != HAND:
        refuse("dealt_hand", action, seen=len(action.hand))
    if action.bonuses is None:
        return
    if len(action.bonuses) != 2:
        refuse("two_bonuses", action, seen=len(action.bonuses))
    _check_bonuses(action, deck)


def _check_bonuses(action: SetUp, deck: Deck) -> None:
    first, second = action.bonuses or ("", "")
    redrawn = action.redrawn or ()
    drawn = [first, second, *redrawn]
    for bonus in drawn:
        if bonus not in deck.bonuses or drawn.count(bonus) > 1:
            refuse("bonus_unknown", action, bonus=bonus)
    zone = deck.bonus_zone(first)
    if zone and deck.bonus_zone(second) == zone:
        refuse("bonus_zones", action)
    for bonus in redrawn:
        if zone and deck.bonus_zone(bonus) not in {zone, None}:
            refuse("bonus_redrawn", action, bonus=bonus)


def set_up(position: Position, action: SetUp, _deck: Deck) -> Position:
    """Return the position with six columns of one card and two cards in the hand."""
    row, hand = action.row or (), action.hand or ()
    return replace(
        position,
        phase="laying",
        city=tuple(Building(at=Place(column, 4), card=card) for column, card in zip(COLUMNS, row, strict=False)),
        hand=tuple(sorted(hand)),
        bonuses=tuple(Bonus(card=bonus) for bonus in action.bonuses or ()),
        deck=tuple(card for card in position.deck if card not in row and card not in hand),
    )


def check_lay(position: Position, action: Lay, _deck: Deck) -> None:
    """Refuse a card that is not one of the two, and a place that is not the top of a column."""
    if position.phase != "laying":
        refuse("not_laying", action)
    if action.card not in position.hand:
        refuse("not_in_hand", action, card=action.card)
    if action.at.row != top_row(position, action.at.column) + 1:
        refuse("not_on_top", action, at=action.at)


def lay(position: Position, action: Lay, _deck: Deck) -> Position:
    """Return the position with the card on its column."""
    hand = without(position.hand, action.card)
    after = with_buildings(position, Building(at=action.at, card=action.card))
    phase = position.phase if hand or position.phase != "laying" else "build"
    return replace(after, hand=hand, phase=phase)


# flipping and discarding


def check_constructing(position: Position, action: Action) -> None:
    """Refuse what belongs to the building phase or the rebuild, at any other time."""
    if position.phase not in {"build", "rebuild"}:
        refuse("not_constructing", action)
    if position.due:
        refuse("bird_first", action)
    if position.phase == "rebuild" and position.action_points <= 0:
        refuse("no_points", action)


def check_decided(position: Position, action: Action, deck: Deck) -> None:
    """Refuse to go on while the flipped card must be built or discarded (CR4, CR5)."""
    if affordable(position, deck):
        key = "build_or_discard" if discards_left(position, deck) > 0 else "must_build"
        refuse(key, action, card=position.current)


def check_flip(position: Position, action: Flip, deck: Deck) -> None:
    """Refuse a flip while a card waits that can be paid, and one without cards."""
    check_constructing(position, action)
    check_decided(position, action, deck)
    if not can_flip(position):
        refuse("no_cards", action)


def check_flipped(position: Position, action: Flip, _deck: Deck) -> None:
    """Refuse a card that does not lie in the deck."""
    if action.card is not None and action.card not in _deck_to_flip(position):
        refuse("not_in_deck", action, card=action.card)


def _deck_to_flip(position: Position) -> tuple[str, ...]:
    """Return the deck, after the shuffle of the discard pile if it is empty (CR8)."""
    if position.deck:
        return position.deck
    return sorted_with(position.discard_pile, position.discarded if position.built else ())


def flip(position: Position, action: Flip, _deck: Deck) -> Position:
    """Return the position with the card flipped; the one before it is passed."""
    cards = _deck_to_flip(position)
    pile = position.discard_pile if position.deck else ()
    discarded = position.discarded
    if position.built:
        pile = sorted_with(pile, discarded) if position.deck else pile
        discarded = ()
    return replace(
        position,
        deck=without(cards, action.card or ""),
        discard_pile=pile,
        discarded=discarded,
        passed=(*position.passed, position.current) if position.current else position.passed,
        current=action.card or "",
        built=False,
        freed=0,
        guard_placed=False,
    )


def check_discard(position: Position, action: Discard, deck: Deck) -> None:
    """Refuse a discard of a card that cannot be paid, and one too many (CR5)."""
    check_constructing(position, action)
    _check_current(position, action, deck)
    if not open_places(position):
        refuse("no_place", action, card=action.card)
    if discards_left(position, deck) <= 0:
        refuse("no_discards", action, card=action.card)


def _check_current(position: Position, action: Build | Discard, deck: Deck) -> None:
    if not position.current:
        refuse("nothing_flipped", action)
    if action.card != position.current:
        refuse("not_flipped", action, card=action.card)
    if not payable(position, deck):
        refuse("not_affordable", action, card=action.card)


def discard(position: Position, action: Discard, _deck: Deck) -> Position:
    """Return the position with the card set aside."""
    return replace(position, discarded=(*position.discarded, action.card), current="")


# building


def check_build(position: Position, action: Build, deck: Deck) -> None:
    """Refuse a card that is not the flipped one or cannot be paid, and a place that is not open (CR6, CR17, CR24)."""
    check_constructing(position, action)
    _check_current(position, action, deck)
    if is_open(position, action.at):
        return
    there = building_at(position, action.at)
    if there is not None and not there.rubble:
        refuse("occupied_place", action, rule="CR24" if position.phase == "rebuild" else "", at=action.at)
    if on_bird(position, action.at):
        refuse("on_bird", action)
    top = top_row(position, action.at.column) + 1
    if action.at.row > top or action.at.row < 4 or (position.phase == "build" and action.at.row != top):
        refuse("not_on_top", action, at=action.at)
    refuse("too_high", action, column=action.at.column)


def build(position: Position, action: Build, deck: Deck) -> Position:
    """Return the position with the card in the city; in the rebuild it scores (CR22)."""
    ruin = building_at(position, action.at)
    under = ruin.card if ruin is not None else ""
    placed = with_buildings(position, Building(at=action.at, card=action.card, under=under))
    return _constructed(replace(placed, current=""), action.at, deck)


def _constructed(position: Position, at: Place, deck: Deck) -> Position:
    """Return the position after a building was built or restored (CR7, CR10, CR20-CR22)."""
    position = _put_away(position, keep_discards=position.phase == "rebuild")
    if position.phase != "rebuild":
        grown = position.phase == "build" and len(position.city) >= SIZE
        return replace(position, phase="disaster", action_points=ACTION_POINTS) if grown else position
    position = replace(position, built=True, freed=0, guard_placed=False)
    position = _spread(_scored(position, at, deck), deck)
    return spent(position, 1)


def _put_away(position: Position, *, keep_discards: bool) -> Position:
    """Return the position with the pool at zero and the flipped cards on the discard pile (CR7)."""
    cards = [*position.passed, *([position.current] if position.current else [])]
    if not keep_discards or position.built:  # discards of the building before
        cards += position.discarded
    kept = position.discarded if keep_discards and not position.built else ()
    pile = sorted_with(position.discard_pile, cards)
    return replace(position, passed=(), current="", discarded=kept, demolished=(), discard_pile=pile)


def _scored(position: Position, at: Place, deck: Deck) -> Position:
    building = building_at(position, at)
    if building is None:
        return position
    points = deck.cards[building.card].points + conditional_points(position, building, deck)
    return with_buildings(position, replace(building, counters=building.counters + points))


def _spread(position: Position, deck: Deck) -> Position:
    """Return the position in which Residential beside an occupied building is occupied (CR13), guards apart (CR29)."""
    taken = [building for building in position.city if building.occupied]
    near = {there.at: there for building in taken for there in neighbours(position, building.at)}
    new = [
        replace(near[at], occupied=True)
        for at in sorted(near)
        if not near[at].occupied and not near[at].guarded and deck.cards[near[at].card].zone == "residential"
    ]
    return with_buildings(position, *new[: MARKERS - len(taken)]) if new else position


def check_restore(position: Position, action: Restore, deck: Deck) -> None:
    """Refuse what is not rubble or cannot be paid (CR24)."""
    _check_instead_of_flip(position, action, deck)
    if not any(building.rubble for building in position.city):
        refuse("no_rubble_left", action)
    ruin = building_at(position, action.at)
    if ruin is None or not ruin.rubble:
        refuse("no_rubble", action, at=action.at)
    if not rubble_within_reach(position, ruin.card, deck):
        refuse("rubble_not_affordable", action, card=ruin.card)


def _check_instead_of_flip(position: Position, action: Action, deck: Deck) -> None:
    if position.phase != "rebuild":
        refuse("not_rebuilding", action)
    check_constructing(position, action)
    check_decided(position, action, deck)


def restore(position: Position, action: Restore, deck: Deck) -> Position:
    """Return the position with the building rebuilt; it scores like new."""
    ruin = building_at(position, action.at)
    if ruin is None:
        return position
    restored = with_buildings(position, replace(ruin, rubble=False, counters=0))
    return _constructed(restored, action.at, deck)


def check_repair(position: Position, action: Repair, deck: Deck) -> None:
    """Refuse what works already, what is not there, and what cannot be paid (CR25)."""
    _check_instead_of_flip(position, action, deck)
    if (action.part == "plant") != (action.number == 0) or action.number not in {0, *GAPS}:
        refuse("no_such_part", action)
    if not is_broken(position, action):
        refuse("not_broken", action)
    if not repair_within_reach(position, action.part, deck):
        refuse("repair_not_affordable", action)


def is_broken(position: Position, action: Repair) -> bool:
    """Return whether this part is out of order."""
    broken = {"line": position.broken_lines, "road": position.broken_roads}
    return not position.plant_works if action.part == "plant" else action.number in broken[action.part]


def repair(position: Position, action: Repair, _deck: Deck) -> Position:
    """Return the position with the part in order; it costs an action point (CR21)."""
    position = _put_away(position, keep_discards=False)
    position = replace(position, built=False, freed=0, guard_placed=False)
    if action.part == "plant":
        position = replace(position, plant_works=True)
    elif action.part == "line":
        position = replace(position, broken_lines=_without_number(position.broken_lines, action.number))
    else:
        position = replace(position, broken_roads=_without_number(position.broken_roads, action.number))
    return spent(position, 1)


def _without_number(numbers: tuple[int, ...], number: int) -> tuple[int, ...]:
    return tuple(other for other in numbers if other != number)


def check_throw_out(position: Position, action: ThrowOut, _deck: Deck) -> None:
    """Refuse when no discards of a building just built lie there (CR26), and before the giant bird has eaten (CR17)."""
    if position.phase != "rebuild" or not position.built or not position.discarded:
        refuse("nothing_to_throw_out", action)
    if position.due:
        refuse("bird_first", action)


def throw_out(position: Position, _action: ThrowOut, _deck: Deck) -> Position:
    """Return the position with the discards out of the game."""
    return replace(position, discarded=(), gone=sorted_with(position.gone, position.discarded))
