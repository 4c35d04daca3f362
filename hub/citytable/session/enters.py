"""What a box brings beside, whose printed values people enter one by one: an owner's copy that nobody has listed."""

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
        """Return what nobody has entered; until then it has the house's values."""
        ...

    def unread_copy(self, name: str) -> Any:
        """Return the game with a copy called so, of which nothing is entered yet."""
        ...

    def coming_up(self, position: P_contra) -> tuple[ComingUp, ...]:
        """Return what has come up in a position and nobody has entered."""
        ...

    def form(self, thing: str) -> ValuesForm:
        """Return the form of a thing, filled in where it is entered; raises `ValueError` for one that is not there."""
        ...

    def with_values(self, thing: str, values: Mapping[str, FieldValue]) -> Any:
        """Return the game with what is printed on a thing; raises `ValueError` for what cannot be."""
        ...

    def label(self, thing: str) -> Told | None:
        """Return what tells a thing from others of its kind, or None; also of a choice that names it by its id."""
        ...


@runtime_checkable
class Enters(Protocol):
    """A box with values that can be entered."""

    @property
    def entering(self) -> Entering[Any]:
        """Return them."""
        ...
