"""MegaCity in its box: everything that the hub needs to begin, replay and show a game (`citytable.session.box.Box`)."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from citytable.games.megacity.actions import Action
from citytable.games.megacity.deck_text import deck_text, fingerprint
from citytable.games.megacity.entering import ENTERABLE
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.notation import action_from_text
from citytable.games.megacity.old_options import as_once_meant, in_full, options_of, position_of
from citytable.games.megacity.pieces import HOUSE, Deck, deck_from_text, load_deck, things
from citytable.games.megacity.position import Options, Position
from citytable.games.megacity.printed import printed
from citytable.games.megacity.records import marks
from citytable.games.megacity.spots import shared_spots
from citytable.games.megacity.table_side import MegaCityTable
from citytable.games.megacity.teaching import Teaching
from citytable.languages import Language
from citytable.languages.sentences import Sentences
from citytable.rules.budget import Budget
from citytable.table.entering import Entering
from citytable.table.lesson import Ahead
from citytable.table.mark import Mark
from citytable.table.plan import SharedSpots
from citytable.table.printed import Printed


class MegaCityBox:
    """MegaCity with these cards."""

    name = "megacity"
    title = "MegaCity: Oceania"
    suspense = frozenset({"deliver"})
    players = range(2, 5)
    budget = Budget()
    rulings = Sentences(__package__, "rulings.json").texts

    def __init__(self, cards: Deck = HOUSE) -> None:
        self._cards = cards
        self.ahead = Ahead(lambda position: MegaCity.from_table(position, cards), Teaching(cards).step_of)
        self.entering = Entering(cards, MegaCityBox, ENTERABLE)

    @property
    def deck(self) -> str:
        """Return the name of its cards."""
        return self._cards.name

    def with_deck(self, path: Path) -> "MegaCityBox":
        """Return MegaCity with an owner's card list; raises `Misconfigured`."""
        return MegaCityBox(load_deck(path))

    def fingerprint(self) -> str:
        """Return a hash over everything in the deck."""
        return fingerprint(self._cards)

    def deck_text(self) -> str:
        """Return the deck as the text of a deck file."""
        return deck_text(self._cards)

    def with_deck_text(self, text: str, name: str) -> "MegaCityBox":
        """Return MegaCity with the deck of a text; raises `Misconfigured`."""
        return MegaCityBox(deck_from_text(text, name))

    def options(self, players: int, *, simplified: bool = False) -> Options:
        """Return the options for so many players: the simplified rules are those of R51."""
        return Options(players=players, simplified=simplified)

    def next_options(self, before: Position, players: int, *, simplified: bool) -> Options:
        """Return the options of the next game; the rulings stay those of the game before."""
        return msgspec.structs.replace(before.options, players=players, simplified=simplified)

    def is_simplified(self, position: Position) -> bool:
        """Return whether R51 holds."""
        return position.options.simplified

    def options_in(self, position: Position) -> Options:
        """Return the options of a position's game."""
        return position.options

    def written(self, options: Options) -> dict[str, Any]:
        """Return every option, also those at their default, as a journal keeps them."""
        return in_full(options)

    def read(self, written: Mapping[str, Any]) -> Options:
        """Return the options that a journal kept; raises `msgspec.ValidationError`, which is a `ValueError`."""
        return options_of(written)

    def changed(self, wanted: Options, found: Options) -> tuple[str, ...]:
        """Return the options that differ; a default that was left out has the meaning of its time."""
        if found in (wanted, as_once_meant(wanted)):
            return ()
        values = ((name, getattr(found, name), getattr(wanted, name)) for name in Options.__struct_fields__)
        return tuple(f"{name} {value}" for name, value, other in values if value != other)

    def begin(self, options: Options) -> MegaCity:
        """Return a game before the deal."""
        return MegaCity(options, self._cards)

    def at(self, options: Options, text: str) -> MegaCity:
        """Return a game in a position that people set; raises `Unreadable`, `IllegalPosition`."""
        return MegaCity.from_table(position_of(text, options), self._cards)

    def action(self, text: str) -> Action:
        """Return the action of a notation; raises `Unreadable`."""
        return action_from_text(text)

    def table(self) -> MegaCityTable:
        """Return MegaCity as it is played on the table."""
        return MegaCityTable(self._cards)

    def things(self, players: int) -> tuple[str, ...]:
        """Return every tagged thing; a platform has a tag on each side."""
        return things(self._cards, players)

    def shared_spots(self) -> SharedSpots:
        """Return the city and the supply."""
        return shared_spots()

    def printed(self, language: Language) -> tuple[Printed, ...]:
        """Return contracts, platforms and parks as they are printed."""
        return printed(self._cards, language)

    def marks(self, actions: Sequence[Action], position: Position) -> tuple[Mark, ...]:
        """Return the results that can be records of such a game."""
        return marks(actions, position)


BOX = MegaCityBox()
