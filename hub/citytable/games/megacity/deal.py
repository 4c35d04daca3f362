"""Setting up (R1-R6): the position before the deal, what a deal must be, and the position after it."""

from itertools import chain

from msgspec.structs import replace

from citytable.games.megacity.actions import SetUp
from citytable.games.megacity.hands import NOTHING, added, is_negative, too_many
from citytable.games.megacity.pieces import PLATFORMS, TYPE_MIN, Deck
from citytable.games.megacity.position import TYPES, Options, Park, Player, Position
from citytable.games.megacity.refusals import refuse
from citytable.games.megacity.stack import SUPPLY, in_order
from citytable.table.hexes import CENTRE

DEALT = {2: 12, 3: 14, 4: 16}  # R2


def before_the_deal(options: Options, deck: Deck) -> Position:
    """Return the position before the deal: Central Park lies alone (R6)."""
    return Position(
        options=options,
        stack=(None,) * PLATFORMS,
        bag=deck.all_pieces,
        players=(Player(),) * options.players,
        parks=(Park(at=CENTRE),),
    )


def check_set_up(position: Position, action: SetUp, _deck: Deck) -> None:
    """Raise `IllegalAction` if the game is set up already."""
    if position.phase != "setup":
        refuse("already_set_up", action)


def check_deal(position: Position, action: SetUp, deck: Deck) -> None:
    """Raise `IllegalAction` if what is known of the deal breaks R1, R2, R4 or R5."""
    players = position.options.players
    if action.columns is not None:
        _check_columns(action, action.columns, players, deck)
    if action.supply is not None:
        _check_supply(action, deck)
    if action.start is not None and not 1 <= action.start <= players:
        refuse("deal_start", action, players=players)
    if action.drawn is not None and action.start is not None:
        _check_drawn(position, action, deck)


def _check_columns(action: SetUp, columns: tuple[tuple[str, ...], ...], players: int, deck: Deck) -> None:
    dealt = list(chain.from_iterable(columns))
    if len(columns) != len(TYPES) or len(dealt) != DEALT[players]:
        refuse("deal_count", action, seen=len(dealt), players=players, count=DEALT[players])
    for kind, column in zip(TYPES, columns, strict=True):
        for name in column:
            contract = deck.contracts.get(name)
            if contract is None or contract.landmark or contract.type != kind:
                refuse("deal_column", action, contract=name, type=kind)
            if dealt.count(name) > 1:
                refuse("deal_twice", action, contract=name)
        if len(column) < TYPE_MIN:
            refuse("deal_types", action, type=kind)


def _check_supply(action: SetUp, deck: Deck) -> None:
    supply = action.supply or ()
    if len(supply) != SUPPLY or len({face.platform for face in supply}) != SUPPLY:
        refuse("deal_supply", action)
    for face in supply:
        if not deck.may_show(face.platform, face.up):
            refuse("revealed_no_tile", action, platform=face.platform, type=face.up)


def _check_drawn(position: Position, action: SetUp, deck: Deck) -> None:
    players, drawn = position.options.players, action.drawn or ()
    if len(drawn) != players:
        refuse("deal_pieces", action, seat=len(drawn) + 1, count=0)
    for seat, pieces in enumerate(drawn, start=1):
        count = (seat - (action.start or 0)) % players
        if not pieces.total <= count <= pieces.most or is_negative(pieces):
            refuse("deal_pieces", action, seat=seat, count=count)
    known = NOTHING
    for pieces in drawn:
        known = added(known, pieces)
    after = replace(position, players=(Player(pieces=known),), bag=position.bag - known.most)
    if (material := too_many(after, deck)) is not None:
        refuse("more_than_exist", action, material=material, count=deck.pieces[material])


def set_up(position: Position, action: SetUp, _deck: Deck) -> Position:
    """Return the position in which the first turn begins."""
    drawn = action.drawn or ()
    return replace(
        position,
        phase="main",
        turn=1,
        player=action.start or 1,
        columns=action.columns or (),
        supply=in_order(action.supply or ()),
        stack=position.stack[len(action.supply or ()) :],
        bag=position.bag - sum(pieces.most for pieces in drawn),
        players=tuple(Player(pieces=pieces) for pieces in drawn),
    )
