"""The deck: contracts, platforms and building pieces, from a data file marked house or owner.

The rulebook does not list what is printed on cards and tiles. `HOUSE` holds this project's own values; an owner of the
game writes their cards in the same format and loads them with `load_deck`. `docs/reference/megacity-rules.md` describes
the format.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, TypeAlias, get_args

import msgspec

from citytable.games.megacity.position import MATERIALS, TYPES, BuildingType, Material
from citytable.rules.located_json import JsonError, LocatedJson
from citytable.table.owners_file import deck_text_in
from citytable.table.plan import Misconfigured

Origin: TypeAlias = Literal["house", "owner"]
Requirement: TypeAlias = Literal[
    "courtyard",
    "no_overhang",
    "no_glass",
    "no_concrete",
    "no_steel",
    "build_on_vent",
    "upper_archway",
    "lower_archway",
    "other",  # one that the engine has no word for: the players read the card and judge
]
REQUIREMENTS: tuple[Requirement, ...] = get_args(Requirement)
FORBIDS: Mapping[str, Material] = MappingProxyType({f"no_{material}": material for material in MATERIALS})
"""The requirements (R23) that forbid a material."""

STANDARD_CONTRACTS = 32
LANDMARKS = 4
PLATFORMS = 24
ALL_PIECES = 150
TYPE_MIN = 2  # R2: fewer cards of a type and no deal is ever good


class Contract(msgspec.Struct, frozen=True):
    """One contract card. `pieces` exactly, or at least with `plus` (R17); `height_mm` at least (R18)."""

    id: str
    type: BuildingType
    pieces: int
    height_mm: int
    requirements: tuple[Requirement, ...]
    prestige: int
    plus: bool = False
    landmark: bool = False
    origin: Origin = "house"

    @property
    def forbidden(self) -> tuple[Material, ...]:
        """Return the materials the building must not contain (R23)."""
        return tuple(FORBIDS[requirement] for requirement in self.requirements if requirement in FORBIDS)


class Deck:
    """All cards, tiles and pieces of one copy of the game, looked up by id and number. Never changed once made."""

    def __init__(
        self,
        name: str,
        origin: Origin,
        contracts: tuple[Contract, ...],
        platforms: Mapping[int, tuple[BuildingType, BuildingType]],
        pieces: Mapping[Material, int],
        unread: Iterable[str] = (),
    ) -> None:
        self.name = name
        self.origin = origin
        self.unread = frozenset(unread)  # things without entered values: they have the house's
        self.contracts: Mapping[str, Contract] = {contract.id: contract for contract in contracts}
        self.platforms: Mapping[int, tuple[BuildingType, BuildingType]] = dict(sorted(platforms.items()))
        self.pieces: Mapping[Material, int] = dict(pieces)
        self.all_pieces = sum(self.pieces.values())
        self.standard = tuple(contract.id for contract in contracts if not contract.landmark)
        self.landmarks = tuple(sorted(contract.id for contract in contracts if contract.landmark))
        self.forbidden = {contract.id: contract.forbidden for contract in contracts if contract.forbidden}

    def other_side(self, platform: int, up: BuildingType) -> BuildingType:
        """Return the type on the lower side."""
        one, other = self.platforms[platform]
        return other if up == one else one

    def may_show(self, platform: int, up: BuildingType) -> bool:
        """Return whether a platform may show this side; the sides of one without values are unknown."""
        return up in self.platforms.get(platform, ()) or f"platform/{platform}" in self.unread

    def __repr__(self) -> str:
        return f"<Deck {self.name!r}, origin {self.origin}>"


def things(deck: Deck, players: int) -> tuple[str, ...]:
    """Return every tagged thing of a game for so many players; a platform has a tag on each side."""
    return (
        *(f"contract/{contract}" for contract in deck.contracts),
        *(f"platform/{number}/{side}" for number, sides in deck.platforms.items() for side in sides),
        *(f"park/{seat}" for seat in range(1, players + 1)),
        "central-park",
        "bag",
    )


def load_deck(path: Path) -> Deck:
    """Read an owner's own card list. Raises `Misconfigured` with one line per error: file, line, field, what to do."""
    return deck_from_text(deck_text_in(path), str(path))


def deck_from_text(text: str, name: str) -> Deck:
    """Make a deck of a deck file's text; `name` stands in the errors (`Misconfigured`)."""
    try:
        located = LocatedJson(text)
    except JsonError as error:
        raise Misconfigured(f"deck {name}: {error}: correct the JSON") from None
    reader = _Reader(located)
    deck = reader.deck()
    if reader.errors or deck is None:
        raise Misconfigured("\n".join(f"deck {name}: {error}" for error in reader.errors))
    return deck


_FIELDS = {"id", "type", "pieces", "plus", "height_mm", "requirements", "prestige", "landmark", "origin"}
_NEEDED = ("id", "type", "pieces", "height_mm", "requirements", "prestige")
_ID = re.compile(r"(?!none$)[A-Za-z0-9][A-Za-z0-9_.-]*")  # "none" is an empty list in the notation


def _pointer(path: tuple[str | int, ...]) -> str:
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).lstrip(".")


class _Reader:
    """Reads one deck file and collects everything wrong with it."""

    def __init__(self, located: LocatedJson) -> None:
        self._located = located
        self.errors: list[str] = []

    def _wrong(self, path: tuple[str | int, ...], text: str) -> None:
        field = _pointer(path)
        self.errors.append(f"line {self._located.line(*path)}: {field + ': ' if field else ''}{text}")

    def deck(self) -> Deck | None:
        """Return the deck, or None with `errors` filled."""
        top = self._located.value
        if not isinstance(top, dict):
            self._wrong((), f"a deck is an object, found {top!r}: write {{...}}")
            return None
        for key in top.keys() - {"name", "origin", "pieces", "platforms", "contracts", "unread"}:
            self._wrong((key,), "unknown field: a deck has name, origin, pieces, platforms, contracts, unread")
        origin = self._one_of(("origin",), top.get("origin"), ("house", "owner"))
        title = top.get("name", "")
        if not isinstance(title, str):
            self._wrong(("name",), f"{title!r} is not a text: write a name in quotes")
        pieces = self._pieces(top.get("pieces"))
        platforms = self._platforms(top.get("platforms"))
        contracts = self._contracts(top.get("contracts"), origin)
        unread = self._unread(top.get("unread", []))
        if self.errors:
            return None
        return Deck(title, origin, contracts, platforms, pieces, unread)

    def _unread(self, value: Any) -> tuple[str, ...]:
        if isinstance(value, list) and all(isinstance(one, str) for one in value):
            return tuple(value)
        self._wrong(("unread",), f"{value!r}: write a list of things, such as contract/PU1, or leave it out")
        return ()

    def _one_of(self, path: tuple[str | int, ...], value: Any, choices: tuple[str, ...]) -> Any:
        if value is None:
            self._wrong(path, f"missing: write one of {', '.join(choices)}")
        elif value not in choices:
            self._wrong(path, f"{value!r} is unknown: write one of {', '.join(choices)}")
        return value

    def _count(self, path: tuple[str | int, ...], value: Any, low: int) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or value < low:
            self._wrong(path, f"{value!r} is not a whole number of at least {low}")
            return low
        return value

    def _items(self, name: str, value: Any) -> Iterator[tuple[tuple[str, int], dict[str, Any]]]:
        if not isinstance(value, list):
            self._wrong((name,), "missing: write a list [...]" if value is None else f"{value!r} is not a list")
            return
        for k, item in enumerate(value):
            if isinstance(item, dict):
                yield (name, k), item
            else:
                self._wrong((name, k), f"{item!r} is not an object: write {{...}}")

    def _pieces(self, value: Any) -> dict[Material, int]:
        if not isinstance(value, dict) or value.keys() != set(MATERIALS):
            self._wrong(("pieces",), f"{value!r}: write how many of each: {', '.join(MATERIALS)}")
            return {}
        counts = {material: self._count(("pieces", material), value[material], 0) for material in MATERIALS}
        if (total := sum(counts.values())) != ALL_PIECES:
            self._wrong(("pieces",), f"{total} pieces in all, but the game has {ALL_PIECES}: correct the counts")
        return counts

    def _platforms(self, value: Any) -> dict[int, tuple[BuildingType, BuildingType]]:
        platforms: dict[int, tuple[BuildingType, BuildingType]] = {}
        for path, item in self._items("platforms", value):
            if item.keys() != {"number", "types"}:
                self._wrong(path, f"{sorted(item)} are not its fields: write number and types")
                continue
            number, sides = self._count((*path, "number"), item["number"], 1), item["types"]
            if number in platforms:
                self._wrong((*path, "number"), f"{number} appears twice: give each platform its own number")
            if not isinstance(sides, list) or len(sides) != 2 or sides[0] == sides[1]:
                self._wrong((*path, "types"), f"{sides!r}: write two different types, one for each side")
                continue
            for side in sides:
                self._one_of((*path, "types"), side, TYPES)
            platforms[number] = (sides[0], sides[1])
        if isinstance(value, list) and len(value) != PLATFORMS:
            self._wrong(("platforms",), f"{len(value)} platforms, but the game has {PLATFORMS}: add or remove some")
        return platforms

    def _contracts(self, value: Any, origin: Any) -> tuple[Contract, ...]:
        found: dict[str, Contract] = {}
        for path, item in self._items("contracts", value):
            contract = self._contract(path, item, origin)
            if contract is None:
                continue
            if contract.id in found:
                self._wrong((*path, "id"), f"{contract.id!r} appears twice: give each card its own id")
            found[contract.id] = contract
        self._check_counts(tuple(found.values()))
        return tuple(found.values())

    def _contract(self, path: tuple[str, int], item: dict[str, Any], origin: Any) -> Contract | None:
        before = len(self.errors)
        for key in item.keys() - _FIELDS:
            self._wrong((*path, key), f"unknown field: a contract has {', '.join(sorted(_FIELDS))}")
        for key in _NEEDED:
            if key not in item:
                self._wrong((*path, key), "missing: add it")
        if len(self.errors) > before:
            return None
        self._check_contract(path, item)
        if len(self.errors) > before:
            return None
        fields = {**item, "requirements": tuple(item["requirements"]), "origin": item.get("origin", origin)}
        return Contract(**fields)

    def _check_contract(self, path: tuple[str, int], item: dict[str, Any]) -> None:
        if not isinstance(item["id"], str) or not _ID.fullmatch(item["id"]):
            self._wrong((*path, "id"), f"{item['id']!r} is no id: letters, digits, '-', '_' and '.', without blanks")
        self._one_of((*path, "type"), item["type"], TYPES)
        self._count((*path, "pieces"), item["pieces"], 1)
        self._count((*path, "height_mm"), item["height_mm"], 1)
        self._count((*path, "prestige"), item["prestige"], 0)
        for key in ("plus", "landmark"):
            if not isinstance(item.get(key, False), bool):
                self._wrong((*path, key), f"{item[key]!r}: write true or false")
        if "origin" in item:
            self._one_of((*path, "origin"), item["origin"], ("house", "owner"))
        self._check_requirements((*path, "requirements"), item["requirements"], item.get("landmark") is True)

    def _check_requirements(self, path: tuple[str | int, ...], value: Any, landmark: bool) -> None:
        if not isinstance(value, list):
            self._wrong(path, f"{value!r} is not a list: write [] where there is none")
            return
        for k, requirement in enumerate(value):
            self._one_of((*path, k), requirement, REQUIREMENTS)
        if len(value) > 2 or (len(value) == 2) != landmark:
            self._wrong(path, f"{len(value)} requirements: a standard contract has at most one, a landmark two (R23)")
        if len(set(map(str, value))) != len(value):
            self._wrong(path, "the same requirement twice: remove one")

    def _check_counts(self, contracts: tuple[Contract, ...]) -> None:
        if self.errors:
            return
        standard = [contract for contract in contracts if not contract.landmark]
        if len(standard) != STANDARD_CONTRACTS or len(contracts) - len(standard) != LANDMARKS:
            self._wrong(
                ("contracts",),
                f"{len(standard)} standard contracts and {len(contracts) - len(standard)} landmarks,"
                f" the game has {STANDARD_CONTRACTS} and {LANDMARKS}: add or remove some",
            )
        of_type = Counter(contract.type for contract in standard)
        for kind in TYPES:
            if of_type[kind] < TYPE_MIN:
                self._wrong(("contracts",), f"{of_type[kind]} standard contracts of type {kind}: R2 needs {TYPE_MIN}")


def _house_deck() -> Deck:
    text = files(__package__ or "").joinpath("house_deck.json").read_text(encoding="utf-8")
    return deck_from_text(text, "house_deck.json")


HOUSE: Deck = _house_deck()
"""The deck this project ships: its own values, not the publisher's."""
