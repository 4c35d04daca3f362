"""From an action's notation to a line that a screen can word: a key of the language files and its arguments."""

from citytable.views.state import Happened


def wording(action: str) -> tuple[str, dict[str, str], int | None]:
    """`(key, words, seat)` of an action's notation; what is not understood goes into the words as it stands.

    >>> wording("p1 take_contract contract=CO5")
    ('action.take_contract', {'contract': 'CO5'}, 1)
    >>> wording("building_fell at=1/-1 to_box=2 left=0")
    ('action.building_fell', {'at': '1/-1', 'to_box': '2', 'left': '0'}, None)
    """
    parts = action.split()
    seat = int(parts[0][1:]) if parts and parts[0][:1] == "p" and parts[0][1:].isdecimal() else None
    rest = parts if seat is None else parts[1:]
    verb = rest[0] if rest else ""
    words = dict(part.split("=", 1) for part in rest[1:] if "=" in part)
    return f"action.{verb}", words, seat


def happened(no: int, t_us: int, action: str) -> Happened:
    """The ticker's line for a confirmed action."""
    key, words, seat = wording(action)
    return Happened(no=no, t_us=t_us, key=key, words=words, seat=seat)
