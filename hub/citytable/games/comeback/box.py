"""Comeback City in its box, with everything that the hub needs of a game (`citytable.session.box.Box`)."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from citytable.games.comeback.actions import Action, action_from_text
from citytable.games.comeback.deck import EARLIER, HOUSE, Deck, deck_from_text, load_deck
from citytable.games.comeback.deck_text import deck_text, fingerprint
from citytable.games.comeback.entering import ENTERABLE
from citytable.games.comeback.game import ComebackCity
from citytable.games.comeback.layout import shared_spots, things
from citytable.games.comeback.notation import position_from_text
from citytable.games.comeback.position import Options, Position
from citytable.games.comeback.printed import printed
from citytable.games.comeback.table_side import ComebackTable
from citytable.games.comeback.teaching import Teaching
from citytable.languages import Language
from citytable.languages.sentences import Sentences
from citytable.rules.budget import Budget
from citytable.table.entering import Entering
from citytable.table.lesson import Ahead
from citytable.table.mark import Mark
from citytable.table.plan import SharedSpots
from citytable.table.printed import Printed


class ComebackBox:
    """Comeback City with these cards."""

    name = "comeback"
    title = "Comeback City"
    suspense = frozenset({"shake", "strike", "trample"})
    players = range(1, 2)
    budget = Budget(horizon=120)
    rulings = Sentences(__package__, "rulings.json").texts

    def __init__(self, cards: Deck = HOUSE) -> None:
        self._cards = cards
        self.ahead = Ahead(lambda position: ComebackCity.from_position(position, cards), Teaching(cards).step_of)
        self.entering = Entering(cards, ComebackBox, ENTERABLE)

    @property
    def deck(self) -> str:
        """Return the name of its cards."""
        return self._cards.name

    def with_deck(self, path: Path) -> "ComebackBox":
        """Return Comeback City with an owner's cards; raises `Misconfigured`."""
        return ComebackBox(load_deck(path))

    def fingerprint(self) -> str:
        """Return a hash over everything in the deck."""
        return fingerprint(self._cards)

    def deck_text(self) -> str:
        """Return the deck as the text of a deck file."""
        return deck_text(self._cards)

    def with_deck_text(self, text: str, name: str) -> "ComebackBox":
        """Return Comeback City with the deck of a text; raises `Misconfigured`."""
        return ComebackBox(deck_from_text(text, name))

    def options(self, players: int, *, simplified: bool = False) -> Options:  # noqa: ARG002  there are no easier rules
        """Return the options; the game is for one player."""
        return Options(players=players)

    def next_options(self, before: Position, players: int, *, simplified: bool) -> Options:  # noqa: ARG002
        """Return the options of the next game; the rulings stay those of the game before."""
        return msgspec.structs.replace(before.options, players=players)

    def is_simplified(self, position: Position) -> None:  # noqa: ARG002
        """Return None: there are no easier rules."""
        return

    def options_in(self, position: Position) -> Options:
        """Return the options of a position's game."""
        return position.options

    def written(self, options: Options) -> dict[str, Any]:
        """Return every option, also those at their default, as a journal keeps them."""
        return {**msgspec.structs.asdict(options), "rulings": msgspec.structs.asdict(options.rulings)}

    def read(self, written: Mapping[str, Any]) -> Options:
        """Return the options that a journal kept; raises `msgspec.ValidationError`, which is a `ValueError`."""
        return msgspec.convert(written, Options)

    def changed(self, wanted: Options, found: Options) -> tuple[str, ...]:
        """Return the options that differ."""
        values = ((name, getattr(found, name), getattr(wanted, name)) for name in Options.__struct_fields__)
        return tuple(f"{name} {value}" for name, value, other in values if value != other)

    def begin(self, options: Options) -> ComebackCity:
        """Return a game before the set-up."""
        return ComebackCity(options, self._cards)

    def at(self, options: Options, text: str) -> ComebackCity:
        """Return a game in a position that is written down; raises `Unreadable`, `IllegalPosition`."""
        position = msgspec.structs.replace(position_from_text(text), options=options)
        return ComebackCity.from_position(position, self._cards)

    def action(self, text: str) -> Action:
        """Return the action of a notation; raises `Unreadable`."""
        return action_from_text(text)

    def table(self) -> ComebackTable:
        """Return Comeback City as it is played on the table."""
        return ComebackTable(self._cards)

    def things(self, players: int) -> tuple[str, ...]:  # noqa: ARG002  the same for any number
        """Return every tagged thing."""
        return things(self._cards)

    def shared_spots(self) -> SharedSpots:
        """Return the city, the cards set aside, the bonuses and the disaster."""
        return shared_spots()

    def printed(self, language: Language) -> tuple[Printed, ...]:
        """Return every card as it is printed."""
        return printed(self._cards, language)

    def marks(self, _actions: Sequence[Action], position: Position) -> tuple[Mark, ...]:
        """Return how many zoning bonuses were completed."""
        return (Mark("bonuses", sum(one.completed for one in position.bonuses)),)


BOX = ComebackBox()
EARLIER_BOXES = tuple(map(ComebackBox, EARLIER))
"""The game with the house deck of each earlier version."""
