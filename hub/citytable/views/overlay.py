"""The producer's choices: the elements of the overlay that are off air, and what each display shows. Pure."""

import re
from typing import Literal, TypeAlias, get_args

import msgspec
from msgspec.structs import replace

from citytable.views.refusals import refused

Element: TypeAlias = Literal["score", "turn", "delivery", "sentence", "card"]
ELEMENTS: tuple[Element, ...] = get_args(Element)
ALL = "all"
TRIGGERS = ("show", "hide", "toggle")
Shows: TypeAlias = Literal["game", "city", "scores", "records", "dark"]
SHOWS: tuple[Shows, ...] = get_args(Shows)
DISPLAYS_MAX = 12


class Overlay(msgspec.Struct, frozen=True):
    """The elements that a producer has taken off air: `hidden`, in the order of `ELEMENTS`. An address may show fewer.

    `displays` are the named displays that show something else than the game.
    """

    hidden: tuple[Element, ...] = ()
    displays: dict[str, Shows] | msgspec.UnsetType = msgspec.UNSET

    def after(self, element: str, trigger: str) -> "Overlay":
        """Return the overlay after a trigger for an element, or for all of them together; raise `Refused`.

        Toggling all of them hides them if any is on air.

        >>> Overlay().after("turn", "hide").after("score", "toggle")
        Overlay(hidden=('score', 'turn'))
        """
        if trigger not in TRIGGERS:
            raise refused(404, "no_trigger", seen=repr(trigger[:40]), all=", ".join(TRIGGERS))
        chosen = ELEMENTS if element == ALL else tuple(one for one in ELEMENTS if one == element)
        if not chosen:
            raise refused(404, "no_element", seen=repr(element[:40]), all=", ".join((*ELEMENTS, ALL)))
        hides = trigger == "hide" or (trigger == "toggle" and not set(chosen) <= set(self.hidden))
        hidden = {*self.hidden, *chosen} if hides else set(self.hidden).difference(chosen)
        return replace(self, hidden=tuple(one for one in ELEMENTS if one in hidden))

    def assigned(self, display: str, shows: str) -> "Overlay":
        """Return what is decided once a display of this name shows something else; raise `Refused`.

        >>> Overlay().assigned("bar", "scores").displays
        {'bar': 'scores'}
        """
        if re.fullmatch(r"[\w-]{1,16}", display) is None:
            raise refused(404, "no_display", seen=repr(display[:40]))
        chosen = next((one for one in SHOWS if one == shows), None)
        if chosen is None:
            raise refused(404, "no_scene", seen=repr(shows[:40]), all=", ".join(SHOWS))
        before = {} if self.displays is msgspec.UNSET else self.displays
        after = {name: one for name, one in {**before, display: chosen}.items() if one != "game"}
        if len(after) > DISPLAYS_MAX:
            raise refused(409, "displays", most=DISPLAYS_MAX)
        return replace(self, displays=after)
