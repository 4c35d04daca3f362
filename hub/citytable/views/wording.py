"""Turns an action's notation into a key of the language files and its arguments, which screens put into words."""

import re

from citytable.views.state import Happened

_WORD = re.compile(r"(?:\([^()]*\)|[^\s()])+|[()]")  # blanks inside brackets do not separate


def wording(action: str) -> tuple[str, dict[str, str], int | None]:
    """Return `(key, words, seat)` of an action's notation; parts that are not understood go into the words unchanged.

    >>> wording("p1 take_contract contract=CO5")
    ('action.take_contract', {'contract': 'CO5'}, 1)
    >>> wording("table building_fell at=1/-1 to_box=2 left=0")
    ('action.building_fell', {'at': '1/-1', 'to_box': '2', 'left': '0'}, None)
    >>> wording("p2 deliver at=2/0 knocked=(building_fell at=1/0)")
    ('action.deliver', {'at': '2/0', 'knocked': '(building_fell at=1/0)'}, 2)
    """
    who, verb, *rest = [*_WORD.findall(action), "", ""]
    seat = int(who[1:]) if who[:1] == "p" and who[1:].isdecimal() else None
    words = dict(part.split("=", 1) for part in rest if "=" in part)
    return f"action.{verb}", words, seat


def happened(no: int, t_us: int, action: str) -> Happened:
    """Return the ticker's line for a confirmed action."""
    key, words, seat = wording(action)
    return Happened(no=no, t_us=t_us, key=key, words=words, seat=seat)
