"""Accepts actions that happened although a rule forbids them: the table outranks the rules.

Everything that can have happened with the things in the box is accepted. A third contract, a landmark before its time,
a deal of 13 cards or a tower too low break a rule. The same contract in two places, a tile on a tile or pieces that
nobody has are impossible: they are refused, for a physical reason (`possible.py`).
"""

from citytable.games.megacity.actions import Action, CountPieces, SetUp
from citytable.games.megacity.effects import happened
from citytable.games.megacity.pieces import Deck
from citytable.games.megacity.position import Position
from citytable.games.megacity.possible import check_possible
from citytable.games.megacity.refusals import refuse, refuse_impossible
from citytable.games.megacity.validity import unconserved
from citytable.rules.errors import IllegalAction


def accepted(position: Position, action: Action, deck: Deck) -> Position:
    """Return the position after an action with a known outcome, legal or not.

    Raise `IllegalAction` if it cannot have happened.
    """
    check_accepted(position, action, deck)
    after = happened(position, action, deck)
    wrong = next(unconserved(after, deck), None)
    if wrong is not None:
        refuse("impossible", action, seen=wrong)
    return after


def check_accepted(position: Position, action: Action, deck: Deck) -> None:
    """Raise `IllegalAction` if this cannot have happened as far as it is known; open fields may be filled in."""
    if position.phase == "end" and not isinstance(action, CountPieces):  # the pieces left over are counted then (R49)
        refuse("game_over", action)
    if (position.phase == "setup") != isinstance(action, SetUp):
        refuse("setup_first" if position.phase == "setup" else "already_set_up", action)
    seat, seats = getattr(action, "player", 1), len(position.players)  # a fall belongs to nobody
    if not 1 <= seat <= seats:
        refuse("no_seat", action, seen=seat, count=seats)
    try:
        check_possible(position, action, deck)
    except IllegalAction as error:
        refuse_impossible(action, error)
