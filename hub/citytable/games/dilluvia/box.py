"""Dilluvia Project in its box: everything that the hub needs to begin, replay and show a game."""

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from citytable.games.dilluvia.actions import Action
from citytable.games.dilluvia.entering import ENTERABLE
from citytable.games.dilluvia.game import Dilluvia, before_the_market
from citytable.games.dilluvia.layout import tile_thing
from citytable.games.dilluvia.notation import action_from_text, position_from_text
from citytable.games.dilluvia.position import Options, Position, Rulings
from citytable.games.dilluvia.printed import printed
from citytable.games.dilluvia.spots import shared_spots
from citytable.games.dilluvia.table_side import DilluviaTable
from citytable.games.dilluvia.teaching import Teaching
from citytable.games.dilluvia.values import EARLIER, HOUSE, Values, load_values, values_from_text
from citytable.languages import Language
from citytable.languages.sentences import Sentences
from citytable.rules.budget import Budget
from citytable.table.entering import Entering
from citytable.table.lesson import Ahead
from citytable.table.mark import Mark
from citytable.table.plan import Misconfigured, SharedSpots
from citytable.table.printed import Printed


class DilluviaBox:
    """Dilluvia Project with these printed values."""

    name = "dilluvia"
    title = "Dilluvia Project"
    suspense = frozenset({"build"})
    players = range(2, 5)
    budget = Budget()
    rulings = Sentences(__package__, "rulings.json").texts

    def __init__(self, values: Values = HOUSE) -> None:
        self._values = values
        self.ahead = Ahead(lambda position: Dilluvia(position, values), Teaching(values).step_of)
        self.entering = Entering(values, DilluviaBox, ENTERABLE)

    @property
    def deck(self) -> str:
        """Return the name of its values."""
        return self._values.name

    def with_deck(self, path: Path) -> "DilluviaBox":
        """Return the game with an owner's values; raises `Misconfigured`."""
        return DilluviaBox(load_values(path))

    def deck_text(self) -> str:
        """Return the values as the text of a file."""
        return msgspec.json.encode(self._values).decode()

    def with_deck_text(self, text: str, name: str) -> "DilluviaBox":
        """Return the game with the values of a text; raises `Misconfigured`."""
        return DilluviaBox(values_from_text(text, name))

    def fingerprint(self) -> str:
        """Return a hash over all values."""
        return hashlib.sha256(self.deck_text().encode()).hexdigest()[:16]

    def options(self, players: int, *, simplified: bool = False) -> Options:
        """Return the options for so many players; raises `Misconfigured`: there are no easier rules."""
        if simplified:
            raise Misconfigured("Dilluvia Project has no simplified rules: leave --simplified out")
        return Options(players=players)

    def next_options(self, before: Position, players: int, *, simplified: bool) -> Options:
        """Return the options of the next game; the rulings stay those of the game before."""
        return msgspec.structs.replace(self.options(players, simplified=simplified), rulings=before.options.rulings)

    def is_simplified(self, _position: Position) -> None:
        """Return None: there are no easier rules."""

    def options_in(self, position: Position) -> Options:
        """Return the options of a position's game."""
        return position.options

    def written(self, options: Options) -> dict[str, Any]:
        """Return every option, also those at their default, as a journal keeps them."""
        return {"players": options.players, "rulings": msgspec.structs.asdict(options.rulings)}

    def read(self, written: Mapping[str, Any]) -> Options:
        """Return the options that a journal kept; raises `msgspec.ValidationError`, which is a `ValueError`."""
        return msgspec.convert(written, Options)

    def changed(self, wanted: Options, found: Options) -> tuple[str, ...]:
        """Return the options that differ, each with its value in the journal."""
        values = [("players", found.players, wanted.players)]
        names = Rulings.__struct_fields__
        values += [(name, getattr(found.rulings, name), getattr(wanted.rulings, name)) for name in names]
        return tuple(f"{name} {value}" for name, value, other in values if value != other)

    def begin(self, options: Options) -> Dilluvia:
        """Return a game before the market is laid out."""
        return Dilluvia(before_the_market(options, self._values), self._values)

    def at(self, options: Options, text: str) -> Dilluvia:
        """Return a game of these options in a position that is written down; raises `GameError`."""
        position = position_from_text(text)
        return Dilluvia(msgspec.structs.replace(position, options=options), self._values)

    def action(self, text: str) -> Action:
        """Return the action of a notation; raises `Unreadable`."""
        return action_from_text(text)

    def table(self) -> DilluviaTable:
        """Return the game as it is played on the table."""
        return DilluviaTable(self._values)

    def things(self, players: int) -> tuple[str, ...]:
        """Return the market tiles of so many players."""
        numbers = (*self._values.numbers(players, "white"), *self._values.numbers(players, "grey"))
        return tuple(map(tile_thing, sorted(numbers)))

    def shared_spots(self) -> SharedSpots:
        """Return the market."""
        return shared_spots()

    def printed(self, language: Language) -> tuple[Printed, ...]:
        """Return market tiles, buildings and gardens as they are printed."""
        return printed(self._values, language)

    def marks(self, _actions: Sequence[Action], position: Position) -> tuple[Mark, ...]:
        """Return who reached the most prestige."""
        return (Mark("prestige", *max((one.prestige, seat) for seat, one in enumerate(position.players, start=1))),)


BOX = DilluviaBox()
EARLIER_BOXES = tuple(map(DilluviaBox, EARLIER))
"""The game with the house's values of each earlier version."""
