"""The checklist of clearing up: everything that must be back before the next group can begin."""

import msgspec


class BagBack(msgspec.Struct, frozen=True):
    """The bag, as its scale weighs it. `mass_g` is None while the bag is on no cradle or not at rest.

    `short_g` is how much too light the bag is, and `short_pieces` how many pieces that may be; both are None if the
    game weighed too little to know.
    """

    mass_g: float | None = None
    short_g: float | None = None
    short_pieces: int | None = None


class Checklist(msgspec.Struct, frozen=True, kw_only=True):
    """The progress of clearing up. The table's `Status` lists the things that still have to be cleared."""

    lying: int  # number of spots still to be emptied
    counted: int  # components whose tag was read since clearing up began
    components: int  # components that have a tag in the plan
    unseen: tuple[str, ...]  # the components not counted yet, by name, in the order of the plan
    silent: tuple[str, ...]  # stations that do not report the things on their spots
    bag: BagBack | None  # None at a table that does not weigh the bag
    closed: bool = False  # the host has ended clearing up: the game is over, whatever is missing

    @property
    def ready(self) -> bool:
        """Return whether everything is back."""
        away = self.bag is not None and (self.bag.mass_g is None or bool(self.bag.short_pieces))
        return not (self.lying or self.unseen or self.silent or away)
