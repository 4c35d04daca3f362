"""The elements of the overlay that a producer takes off air and puts back. Pure."""

from typing import Literal, TypeAlias, get_args

import msgspec

from citytable.views.refusals import refused

Element: TypeAlias = Literal["score", "turn", "delivery", "sentence"]
ELEMENTS: tuple[Element, ...] = get_args(Element)
ALL = "all"
TRIGGERS = ("show", "hide", "toggle")


class Overlay(msgspec.Struct, frozen=True):
    """What a producer has taken off air: `hidden`, in the order of `ELEMENTS`. An address may show still less."""

    hidden: tuple[Element, ...] = ()

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
        return Overlay(tuple(one for one in ELEMENTS if one in hidden))
