"""What happened although a rule forbids it: the table outranks the rules.

Accepted is whatever can have happened with the things in the box. A third contract, a hex that touches nothing or a
tower too low break a rule; the same contract in two places, a tile on a tile or pieces nobody has cannot be, and are
refused even so.
"""

from citytable.games.megacity.actions import Action, Deliver
from citytable.games.megacity.delivery import knocked_over
from citytable.games.megacity.effects import check, happened
from citytable.games.megacity.pieces import Deck
from citytable.games.megacity.position import Position
from citytable.games.megacity.refusals import LANGUAGES, refuse
from citytable.games.megacity.validity import unconserved, untold
from citytable.rules.errors import IllegalAction


def broken_rule(position: Position, action: Action, deck: Deck) -> str:
    """The number of the rule that refuses the action; empty when it is legal."""
    try:
        check(position, action, deck)
    except IllegalAction as error:
        return error.rule
    return ""


def accepted(position: Position, action: Action, deck: Deck, *, what_if: bool = False) -> Position:
    """The position after an action with its outcome told, legal or not; raises `IllegalAction` if it cannot be.

    With `what_if` tiles that were turned up may be untold.
    """
    if position.phase in {"setup", "end"}:
        check(position, action, deck)
    seat, seats = getattr(action, "player", 1), len(position.players)  # a fall is nobody's
    if not 1 <= seat <= seats:
        refuse("no_seat", action, seen=seat, count=seats)
    try:
        if isinstance(action, Deliver):
            knocked_over(position, action, deck)
        after = happened(position, action, deck)
    except IllegalAction as error:
        refuse("impossible", action, seen={one: f"{_clause(error.text[one])} ({error.rule})" for one in LANGUAGES})
    except (ValueError, LookupError) as error:
        refuse("impossible", action, seen=error)
    wrong = next(unconserved(after, deck), None) or (None if what_if else next(untold(after, deck), None))
    if wrong is not None:
        refuse("impossible", action, seen=wrong)
    return after


def _clause(sentence: str) -> str:
    """A sentence within another one; what begins with a name stays as it is."""
    begin = sentence[:2].lower() if sentence[1:2].islower() else sentence[:2]
    return begin + sentence[2:].rstrip(".")
