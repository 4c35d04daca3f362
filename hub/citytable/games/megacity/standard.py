"""The six standard actions (R8-R14): when each is legal, and what it does."""

from msgspec.structs import replace

from citytable.games.megacity.actions import (
    Refresh,
    Reorganise,
    Rezone,
    TakeContract,
    TakePieces,
    TakePlatform,
)
from citytable.games.megacity.ending import bag_out, simplified_end
from citytable.games.megacity.hands import NOTHING, added, is_negative, may_be_gone, may_be_left, too_many
from citytable.games.megacity.pieces import Deck
from citytable.games.megacity.position import TYPES, Face, Pieces, Player, Position
from citytable.games.megacity.ranges import emptied
from citytable.games.megacity.refusals import refuse
from citytable.games.megacity.stack import SUPPLY, check_revealed, in_order, pile_of, refreshed_pile, turned_up
from citytable.games.megacity.turn import after_action, allowance, check_standard

RANDOM_DRAW = 3  # R10


def check_take_contract(position: Position, action: TakeContract, deck: Deck) -> None:
    """Raise `IllegalAction` unless the contract may be taken (R8, R38, R39)."""
    check_standard(position, action)
    contract = deck.contracts.get(action.contract)
    if contract is None:
        refuse("no_contract", action, contract=action.contract)
    mine = position.players[action.player - 1].contracts
    on_top = action.contract in [column[0] for column in position.columns if column]
    if contract.landmark and not on_top:  # one that was dealt into a column by mistake is a card of that column
        _check_landmark(position, action, mine, deck)
        return
    if not on_top:
        refuse("contract_not_on_top", action, contract=action.contract)
    if len(mine) >= allowance(position.options):
        refuse("contract_limit", action, limit=allowance(position.options))


def _check_landmark(position: Position, action: TakeContract, mine: tuple[str, ...], deck: Deck) -> None:
    if position.options.simplified:
        refuse("no_landmarks", action)
    if not position.landmarks_open:
        refuse("landmarks_closed", action)
    if action.contract not in position.landmarks:
        refuse("landmark_not_there", action, contract=action.contract)
    if any(not deck.contracts[contract].landmark for contract in mine):
        refuse("landmark_not_free", action)
    if mine:
        refuse("one_landmark", action)


def take_contract(position: Position, action: TakeContract, deck: Deck) -> Position:
    """Return the position with the card in the play area; the last standard one brings the landmarks (R38)."""
    me = position.players[action.player - 1]
    me = replace(me, contracts=tuple(sorted((*me.contracts, action.contract))))
    columns = tuple(tuple(card for card in column if card != action.contract) for column in position.columns)
    after = after_action(position, me, columns=columns)
    if any(columns) or position.options.simplified:
        return after
    held = {name for player in after.players for name in (*player.contracts, *player.completed)}
    landmarks = position.landmarks if position.landmarks_open else deck.landmarks
    left = tuple(name for name in landmarks if name not in held)
    return replace(after, landmarks=left, landmarks_open=True)


def check_take_platform(position: Position, action: TakePlatform, _deck: Deck) -> None:
    """Raise `IllegalAction` unless the platform may be taken (R9)."""
    check_standard(position, action)
    if supply_face(position, action.platform) is None:
        refuse("platform_not_in_supply", action, platform=action.platform)
    if len(position.players[action.player - 1].platforms) >= allowance(position.options):
        refuse("platform_limit", action, limit=allowance(position.options))


def supply_face(position: Position, platform: int) -> Face | None:
    """Return the face of a platform that lies in the supply."""
    for face in position.supply:
        if face is not None and face.platform == platform:
            return face
    return None


def check_refill(position: Position, action: TakePlatform, deck: Deck) -> None:
    """Raise `IllegalAction` unless one tile is turned up while there is one (R9, A4)."""
    if action.revealed is not None:
        check_revealed(position, action, pile_of(position), min(1, len(position.stack)), deck)


def take_platform(position: Position, action: TakePlatform, _deck: Deck) -> Position:
    """Return the position with the tile taken as it lies (A2) and the gap filled from the stack."""
    me = position.players[action.player - 1]
    revealed = action.revealed or ()
    stack, returned = turned_up(pile_of(position), revealed)
    stay: list[Face | None] = []
    taken: list[Face] = []
    for face in position.supply:
        if face is not None and face.platform == action.platform:
            taken.append(face)
        else:
            stay.append(face)
    return after_action(
        position,
        replace(me, platforms=in_platform_order((*me.platforms, *taken))),
        supply=in_order((*stay, *revealed)),
        stack=stack,
        returned=returned,
    )


def in_platform_order(faces: tuple[Face, ...]) -> tuple[Face, ...]:
    """Return a player's platforms sorted by number."""
    return tuple(sorted(faces, key=lambda face: face.platform))


def check_take_pieces(position: Position, action: TakePieces, _deck: Deck) -> None:
    """Raise `IllegalAction` unless pieces may be taken, or the bag be found empty (R10, R44, A34)."""
    check_standard(position, action)
    if not taking_open(position):
        refuse("bag_closed" if position.final == "bag_out" else "bag_empty", action)


def taking_open(position: Position) -> bool:
    """Return whether pieces may be taken, or the bag be found empty; a bag that may hold some is as good as one."""
    if position.final == "bag_out":
        return position.options.rulings.taking_reopens_when_pieces_return and position.bag_most > 0
    return not position.final or position.bag_most > 0


def check_draw(position: Position, action: TakePieces, deck: Deck) -> None:
    """Raise `IllegalAction` unless these pieces can have been drawn (R10, A7, A8)."""
    drawn, announced = action.drawn, action.announced
    if drawn is None:
        return
    if is_negative(drawn):
        refuse("drawn_count", action, count=random_draw(position), seen=drawn.total)
    if announced is not None and getattr(drawn, announced):
        if drawn.total != 1:
            refuse("drawn_announced", action, material=announced)
        if not may_be_left(position, deck, announced):
            refuse("material_gone", action, material=announced)
        return
    if announced is not None and _may_be_one(drawn) and may_be_left(position, deck, announced):
        return
    if drawn.most < min(RANDOM_DRAW, position.bag_least) or drawn.total > random_draw(position):
        refuse("drawn_count", action, count=random_draw(position), seen=drawn.total)
    if announced is not None and (position.bag_least or drawn.total) and not may_be_gone(position, deck, announced):
        refuse("material_left", action, material=announced)
    me = position.players[action.player - 1]
    after = after_action(position, replace(me, pieces=added(me.pieces, drawn)), bag=position.bag - drawn.most)
    if (material := too_many(after, deck)) is not None:
        refuse("more_than_exist", action, material=material, count=deck.pieces[material])


def random_draw(position: Position) -> int:
    """Return how many pieces are drawn at random, as far as the bag may hold so many (R10, A7)."""
    return min(RANDOM_DRAW, position.bag_most)


def _may_be_one(drawn: Pieces) -> bool:
    """Return whether a range may be the one piece of an announced material."""
    return drawn.maybe > 0 and drawn.unknown == drawn.total <= 1


def take_pieces(position: Position, action: TakePieces, _deck: Deck) -> Position:
    """Return the position after a draw; an empty bag starts the final turns (R44) or ends the game (R51)."""
    me = position.players[action.player - 1]
    if action.drawn is None:
        raise ValueError(f"{action}: drawn is open")
    bag = position.bag - action.drawn.most
    after = after_action(position, replace(me, pieces=added(me.pieces, action.drawn)), bag=bag)
    if action.drawn == NOTHING and position.bag_least == 0:
        after = emptied(after)
    if position.options.simplified:
        return after if after.bag_most else simplified_end(after, "bag_out")
    if not position.final and _found_empty(position, action):
        return bag_out(after)
    return after


def _found_empty(position: Position, action: TakePieces) -> bool:
    """Return whether the draw begins the final turns (R44, A7); a range of pieces says that something was drawn."""
    if position.bag_least == 0 and action.drawn == NOTHING:
        return True
    if not position.options.rulings.few_pieces_are_a_bag_out or action.drawn is None:
        return False
    random = action.announced is None or not getattr(action.drawn, action.announced)
    return random and action.drawn.most < RANDOM_DRAW


def check_rezone(position: Position, action: Rezone, _deck: Deck) -> None:
    """Raise `IllegalAction` unless the platform may be rezoned (R12)."""
    check_standard(position, action)
    if all(face.platform != action.platform for face in position.players[action.player - 1].platforms):
        refuse("platform_not_yours", action, platform=action.platform)


def rezone(position: Position, action: Rezone, deck: Deck) -> Position:
    """Return the position with the platform's other side up; a building on it was cleared first (A9)."""
    me = position.players[action.player - 1]
    platforms = tuple(
        Face(face.platform, deck.other_side(face.platform, face.up)) if face.platform == action.platform else face
        for face in me.platforms
    )
    return after_action(position, replace(me, platforms=platforms))


def check_refresh(position: Position, action: Refresh, _deck: Deck) -> None:
    """Raise `IllegalAction` unless there is a tile to turn up (R13, A4)."""
    check_standard(position, action)
    if not position.supply and not position.stack:
        refuse("no_tiles", action)


def check_new_supply(position: Position, action: Refresh, deck: Deck) -> None:
    """Raise `IllegalAction` unless 3 tiles came from the top, or as many as there are (R13, A4)."""
    if action.revealed is not None:
        pile = refreshed_pile(position)
        check_revealed(position, action, pile, min(SUPPLY, len(pile.stack)), deck)


def refresh(position: Position, action: Refresh, _deck: Deck) -> Position:
    """Return the position with the supply under the stack and new tiles turned up."""
    revealed = action.revealed or ()
    stack, returned = turned_up(refreshed_pile(position), revealed)
    me: Player = position.players[action.player - 1]
    return after_action(position, me, supply=in_order(revealed), stack=stack, returned=returned)


def check_reorganise(position: Position, action: Reorganise, _deck: Deck) -> None:
    """Raise `IllegalAction` unless the column may be reorganised (R14, A5)."""
    check_standard(position, action)
    column = position.columns[TYPES.index(action.column)]
    if not column:
        refuse("column_empty", action, type=action.column)
    if len(column) == 1 and not position.options.rulings.single_card_may_be_reorganised:
        refuse("single_card", action, type=action.column)


def reorganise(position: Position, action: Reorganise, _deck: Deck) -> Position:
    """Return the position with the top card at the back of its column."""
    k = TYPES.index(action.column)
    columns = position.columns
    turned = (*columns[k][1:], columns[k][0])
    return after_action(
        position, position.players[action.player - 1], columns=(*columns[:k], turned, *columns[k + 1 :])
    )
