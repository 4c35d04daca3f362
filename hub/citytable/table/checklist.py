"""The checklist of clearing up: what has to be back before the next group can begin."""

import msgspec


class BagBack(msgspec.Struct, frozen=True):
    """The bag, by its scale. `mass_g` None while it is on no cradle or not at rest.

    `short_g` is how much lighter it is than with every piece in it, and `short_pieces` how many pieces that may be;
    None as long as nobody can know: too little was weighed in the game.
    """

    mass_g: float | None = None
    short_g: float | None = None
    short_pieces: int | None = None


class Checklist(msgspec.Struct, frozen=True, kw_only=True):
    """How far clearing up has come. What still lies where nothing should lie is in the table's `Status`."""

    lying: int  # so many spots are to be emptied
    counted: int  # components of which a tag was read since clearing up began
    components: int  # those that the plan has a tag for
    unseen: tuple[str, ...]  # the others, by name, in the order of the plan
    silent: tuple[str, ...]  # stations that do not say what lies on their spots
    bag: BagBack | None  # None at a table that does not weigh it
    closed: bool = False  # the host has ended it: the game is over, whatever is missing

    @property
    def ready(self) -> bool:
        """Return whether everything is back."""
        away = self.bag is not None and (self.bag.mass_g is None or bool(self.bag.short_pieces))
        return not (self.lying or self.unseen or self.silent or away)
