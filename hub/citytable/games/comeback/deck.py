"""The cards of Comeback City from a deck file, checked. The house deck has this project's own values."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec

from citytable.rules.located_json import JsonError, LocatedJson
from citytable.table.owners_file import deck_text_in
from citytable.table.plan import Misconfigured

Zone: TypeAlias = Literal["residential", "commercial", "industrial", "government"]
ZONES: tuple[Zone, ...] = ("residential", "commercial", "industrial", "government")
Disaster: TypeAlias = Literal["aliens", "earthquake", "hurricane", "meteors", "giant_bird"]
DISASTERS: tuple[Disaster, ...] = ("aliens", "earthquake", "hurricane", "meteors", "giant_bird")
Helper: TypeAlias = Literal[
    "maintenance_crew", "defense_agency", "engineering_corps", "national_guard", "planning_commission"
]
Fall: TypeAlias = Literal["target", "up_and_down", "left_and_right", "all_adjacent", "rubble", "dud", "other"]
Amount: TypeAlias = tuple[int, ...]
"""Units of each resource, in the order of the deck's `resources`."""

BUILDINGS, BONUSES, METEORS = 57, 32, 10
SUMS_KEPT = 4096
_ID = re.compile(r"(?!none$)[A-Za-z0-9][A-Za-z0-9_.-]*")  # "none" is an empty list in the notation
_STEP = re.compile(r"\.(\w+)|\[(\d+)\]")


class Conditional(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The effect of a building that has power (CR22, CR23).

    `adjacent`: points for one building of the zone beside it. `each_adjacent`: points for each, for `most` at most.
    `restaurant`: points if a restaurant stands in the city. `tallest`: points if none has more stories. `reduction`:
    later buildings may cost one unit of the resource less (CR28). `other`: an effect that has no word here; the player
    states its points.
    """

    kind: Literal["adjacent", "each_adjacent", "restaurant", "tallest", "reduction", "other"]
    points: int = 0
    zone: Zone | None = None
    most: int = 1
    resource: str = ""


class CardEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A building card as a deck file has it."""

    id: str
    name: str
    zone: Zone
    cost: dict[str, int]
    opportunity: dict[str, int]
    stories: int
    points: int
    restaurant: bool = False
    conditional: Conditional | None = None


class Card(msgspec.Struct, frozen=True):
    """A building card. `opportunity` is what it adds to the pool when it is not built (CR4)."""

    id: str
    name: str
    zone: Zone
    cost: Amount
    opportunity: Amount
    stories: int
    points: int
    restaurant: bool
    conditional: Conditional | None


class BonusCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A zoning bonus (CR12), completed by the buildings of its zone.

    `buildings`: that many of them. `adjacent`: that many, each beside each other. `stories`: one with that many.
    `columns`: that many columns with one. `other`: a task that has no word here; players report its completion by
    taking the reward.
    """

    id: str
    zone: Zone
    condition: Literal["buildings", "adjacent", "stories", "columns", "other"]
    number: int
    helper: Helper


class MeteorCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The face of a meteor: its effect where it strikes (CR16). `other`: it has no word, people enter the result."""

    id: str
    effect: Fall


class Infrastructure(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The costs of repairs (CR25), and the stories that a hurricane compares (CA12)."""

    plant: dict[str, int]
    line: dict[str, int]
    road: dict[str, int]
    stories: int = 0


class DeckFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A deck file."""

    name: str
    origin: Literal["house", "owner"]
    resources: tuple[str, ...]
    infrastructure: Infrastructure
    buildings: tuple[CardEntry, ...]
    bonuses: tuple[BonusCard, ...]
    meteors: tuple[MeteorCard, ...]
    unread: tuple[str, ...] = ()  # things without entered values: they have the house's


class Deck:
    """The cards of one box by id; `file` names their source."""

    def __init__(self, file: DeckFile) -> None:
        self.file = file
        self.name, self.origin, self.resources = file.name, file.origin, file.resources
        self.unread = frozenset(file.unread)
        self.cards: Mapping[str, Card] = {entry.id: self._card(entry) for entry in file.buildings}
        self.bonuses: Mapping[str, BonusCard] = {bonus.id: bonus for bonus in file.bonuses}
        self.meteors: Mapping[str, MeteorCard] = {meteor.id: meteor for meteor in file.meteors}
        parts = file.infrastructure
        self.repairs: Mapping[str, Amount] = {
            "plant": self.amount(parts.plant),
            "line": self.amount(parts.line),
            "road": self.amount(parts.road),
        }
        self.infrastructure_stories = parts.stories
        self.reducing = {card.id for card in self.cards.values() if _reduces(card)}
        self.nothing: Amount = (0,) * len(file.resources)
        self.brought_by = lru_cache(maxsize=SUMS_KEPT)(self._brought_by)

    def bonus_zone(self, bonus: str) -> Zone | None:
        """Return the zone of a zoning bonus; None until somebody enters its values."""
        return None if f"bonus/{bonus}" in self.unread else self.bonuses[bonus].zone

    def amount(self, units: Mapping[str, int]) -> Amount:
        """Return units by name as an amount."""
        return tuple(units.get(name, 0) for name in self.resources)

    def _brought_by(self, cards: tuple[str, ...]) -> Amount:
        """Return what these cards add to the pool together; games ask for the same ones again and again."""
        amounts = [self.cards[card].opportunity for card in cards]
        return tuple(map(sum, zip(*amounts, strict=True))) if amounts else self.nothing

    def _card(self, entry: CardEntry) -> Card:
        fields = {name: getattr(entry, name) for name in Card.__struct_fields__}
        return Card(**{**fields, "cost": self.amount(entry.cost), "opportunity": self.amount(entry.opportunity)})


def _reduces(card: Card) -> bool:
    return card.conditional is not None and card.conditional.kind == "reduction"


def load_deck(path: Path) -> Deck:
    """Read an owner's cards from a file; raises `Misconfigured` with one line per error."""
    return deck_from_text(deck_text_in(path), str(path))


def deck_from_text(text: str, name: str) -> Deck:
    """Make a deck of a deck file's text; `name` stands in the errors (`Misconfigured`)."""
    try:
        located = LocatedJson(text)
    except JsonError as error:
        raise Misconfigured(f"deck {name}: {error}: correct the JSON") from None
    try:
        file = msgspec.convert(located.value, DeckFile)
    except msgspec.ValidationError as error:
        what, _, where = str(error).partition(" - at ")
        path = tuple(int(index) if index else word for word, index in _STEP.findall(where))
        field = where.strip("`$.")
        raise Misconfigured(
            f"deck {name}: line {located.line(*path)}: {field + ': ' if field else ''}{what}: correct it"
        ) from None
    if wrong := list(_faults(file)):
        raise Misconfigured("\n".join(f"deck {name}: line {located.line(*path)}: {what}" for path, what in wrong))
    return Deck(file)


_Path: TypeAlias = tuple[str | int, ...]
_Faults: TypeAlias = Iterator[tuple[_Path, str]]


def _faults(file: DeckFile) -> _Faults:
    if len(set(file.resources)) != len(file.resources) or not file.resources:
        yield ("resources",), f"{list(file.resources)}: name each resource once"
    yield from _list_faults("buildings", [entry.id for entry in file.buildings], BUILDINGS)
    yield from _list_faults("bonuses", [entry.id for entry in file.bonuses], BONUSES)
    yield from _list_faults("meteors", [entry.id for entry in file.meteors], METEORS)
    for k, card in enumerate(file.buildings):
        yield from _card_faults(("buildings", k), card, file.resources)
    for part in ("plant", "line", "road"):
        yield from _amount_faults(("infrastructure", part), getattr(file.infrastructure, part), file.resources)
    if len({bonus.zone for bonus in file.bonuses}) == 1:
        yield ("bonuses",), "all are of one zone: CR1 needs bonuses of two zones"


def _list_faults(key: str, ids: list[str], count: int) -> _Faults:
    if len(ids) != count:
        yield (key,), f"{len(ids)} {key}, but the game has {count}: add or remove some"
    seen = Counter(ids)
    for k, name in enumerate(ids):
        if not _ID.fullmatch(name):
            yield (key, k, "id"), f"{name!r} is no id: letters, digits, '-', '_' and '.', without blanks"
        if seen[name] > 1:
            yield (key, k, "id"), f"{name!r} appears twice: give each card its own id"


def _card_faults(path: _Path, card: CardEntry, resources: tuple[str, ...]) -> _Faults:
    yield from _amount_faults((*path, "cost"), card.cost, resources)
    yield from _amount_faults((*path, "opportunity"), card.opportunity, resources)
    for key in ("stories", "points"):
        if getattr(card, key) < 0:
            yield (*path, key), f"{getattr(card, key)}: write a number of at least 0"
    rule = card.conditional
    if rule is None:
        return
    if rule.kind == "reduction" and rule.resource not in resources:
        yield (*path, "conditional"), f"resource {rule.resource!r}: write one of {', '.join(resources)}"
    if rule.kind in {"adjacent", "each_adjacent"} and rule.zone is None:
        yield (*path, "conditional"), f"a zone is missing: write one of {', '.join(ZONES)}"


def _amount_faults(path: _Path, units: Mapping[str, int], resources: tuple[str, ...]) -> _Faults:
    for name, count in units.items():
        if name not in resources:
            yield (*path, name), f"{name!r} is not a resource of this deck: {', '.join(resources)}"
        if count < 0:
            yield (*path, name), f"{count}: write a number of at least 0"


def _house_deck(file: str) -> Deck:
    return deck_from_text(files(__package__ or "").joinpath(file).read_text(encoding="utf-8"), file)


HOUSE: Deck = _house_deck("house_deck.json")
"""The deck this project ships: its own values, not the publisher's."""
EARLIER: tuple[Deck, ...] = (_house_deck("house_deck_1.json"),)
"""The house decks of earlier versions: what was played with them is still replayed."""
