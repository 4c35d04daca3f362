"""A part of a box whose printed values people enter one by one: an owner's copy without a list of its values."""

from collections.abc import Mapping
from typing import Any, Protocol, TypeVar, runtime_checkable

from citytable.table.question import FieldValue
from citytable.table.values_form import ComingUp, Told, ValuesForm

P_contra = TypeVar("P_contra", contravariant=True)


class Entering(Protocol[P_contra]):
    """The values of a box, as far as people enter them. Things are named as tags name them, or as parts of a board."""

    @property
    def enterable(self) -> tuple[str, ...]:
        """Return everything with values of its own, in the order in which a wizard asks for it."""
        ...

    @property
    def unread(self) -> frozenset[str]:
        """Return the things that nobody has entered; until then they have the house's values."""
        ...

    def unread_copy(self, name: str) -> Any:
        """Return the game with a copy of this name, without any values."""
        ...

    def coming_up(self, position: P_contra) -> tuple[ComingUp, ...]:
        """Return the things that have come up in a position and that nobody has entered."""
        ...

    def form(self, thing: str) -> ValuesForm:
        """Return the form of a thing, filled in with its values; raises `ValueError` for an unknown thing."""
        ...

    def with_values(self, thing: str, values: Mapping[str, FieldValue]) -> Any:
        """Return the game with the printed values of a thing; raises `ValueError` for impossible values."""
        ...

    def label(self, thing: str) -> Told | None:
        """Return a label that distinguishes a thing from others of its kind, or None; also for a choice."""
        ...


@runtime_checkable
class Enters(Protocol):
    """A box with values that can be entered."""

    @property
    def entering(self) -> Entering[Any]:
        """Return them."""
        ...
