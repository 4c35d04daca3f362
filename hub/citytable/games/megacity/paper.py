"""The form "Set the city as it stands", for a game that was played without the table, or lost.

The form leaves out what follows from the rest: completed contracts are those of the buildings, the stack and the bag
hold what is nowhere else, the marker stands on the highest building. All errors are reported at once, in sentences.
Platforms are written short: `6c` is platform 6 with its commercial side up.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Annotated, Any

import msgspec
from msgspec.structs import replace

from citytable.games.megacity.city import BIT, NEAR, marker_after
from citytable.games.megacity.hands import outside_bag
from citytable.games.megacity.paper_faults import BROKEN_RULES, MISDEALT, contradictions
from citytable.games.megacity.pieces import PLATFORMS, Deck
from citytable.games.megacity.position import TYPES, Building, BuildingType, Face, Park, Pieces, Player, Position
from citytable.games.megacity.turn import allowance
from citytable.games.megacity.validity import check_conserved, check_position
from citytable.games.megacity.where import in_peoples_words
from citytable.languages.sentences import Sentences
from citytable.rules.errors import IllegalPosition
from citytable.rules.unreadable_json import why_unreadable
from citytable.table.hexes import CENTRE, Hex, hex_from_text

TYPE_OF: dict[str, BuildingType] = {kind[0]: kind for kind in TYPES}
SENTENCES = Sentences(__package__, "paper.json")

TURNS_MAX = 999  # far beyond any game; what is larger was mistyped


class _Written(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


class PaperBuilding(_Written, frozen=True):
    """A platform in the city. `height_mm` 0: it fell; None: unknown. `pieces` 0: the number on the contract."""

    at: str
    platform: str
    owner: int
    contract: str
    height_mm: int | None = None
    pieces: int = 0


class PaperPark(_Written, frozen=True):
    """A player's park in the city."""

    at: str
    owner: int
    monument: bool = False


class PaperPlayer(_Written, frozen=True):
    """A player's hand; `contracts` (open ones) and `platforms` with spaces between."""

    pieces: int
    tokens: int
    contracts: str
    platforms: str


class Paper(_Written, frozen=True):
    """The whole form. `columns` in the order of TYPES, top card first; `monument`: Central Park's.

    `due_at` is the hex of this turn's delivery while a park or a monument may still be added for it (R31), otherwise
    empty. All fields are required: a missing one would remove things from a game in play.
    """

    player: int
    players: tuple[PaperPlayer, ...]
    buildings: tuple[PaperBuilding, ...]
    parks: tuple[PaperPark, ...]
    columns: tuple[str, str, str, str]
    supply: str
    turn: Annotated[int, msgspec.Meta(ge=1, le=TURNS_MAX)]
    actions_used: int
    box: int
    monument: bool
    due_at: str


class _Wrong:
    """Collects errors in every language."""

    def __init__(self) -> None:
        self._sentences: list[dict[str, str]] = []

    def add(self, key: str, **words: object) -> None:
        sentence = SENTENCES.text(key, **in_peoples_words(words))
        if sentence not in self._sentences:
            self._sentences.append(sentence)

    def refuse(self) -> None:
        """Raise the collected errors, if there are any."""
        if self._sentences:
            text = {language: "\n".join(one[language] for one in self._sentences) for language in self._sentences[0]}
            raise IllegalPosition(text["en"], text)


def _faces(text: str, wrong: _Wrong) -> tuple[Face, ...]:
    found = []
    for word in text.replace(",", " ").split():
        match = re.fullmatch(r"(\d{1,3})([picr])", word.lower())
        if match is None:
            wrong.add("platform_unreadable", seen=repr(word[:20]))
        else:
            found.append(Face(int(match[1]), TYPE_OF[match[2]]))
    return tuple(sorted(found, key=lambda face: face.platform))


def _cards(text: str) -> tuple[str, ...]:
    return tuple(text.replace(",", " ").upper().split())


def _hex(text: str, wrong: _Wrong) -> Hex:
    try:
        at = hex_from_text(text)
    except ValueError:
        at = Hex(99, 99)
    if at not in BIT:
        wrong.add("hex_outside", at=repr(text[:20]))
    return at


def _named_hex(text: str, wrong: _Wrong) -> Hex | str:
    """Return a hex of the city, or the unreadable text."""
    at = _hex(text, wrong)
    return at if at in BIT else repr(text[:20])


def position_of(paper: Mapping[str, Any], now: Position, deck: Deck, *, accepting: bool = False) -> Position:
    """Return the position on the form; raises `IllegalPosition` with everything that is wrong.

    `now` is the position the hub knows: its options hold, and what nobody writes down (materials) stays if it fits.
    What breaks a rule is taken as it stands where it is known already, or with `accepting`. A misdeal only where it is
    known.
    """
    form, wrong = _form(paper), _Wrong()
    if len(form.players) != now.options.players or not 1 <= form.player <= now.options.players:
        wrong.add("seats", count=now.options.players)
        wrong.refuse()
    position = _read(form, now, deck, wrong)
    known = [] if now.phase == "setup" else list(contradictions(now, deck))
    broken = False
    for key, words in contradictions(position, deck):
        stands = (key, words) in known and key in BROKEN_RULES | MISDEALT
        if stands or (accepting and key in BROKEN_RULES):
            broken = True
        else:
            wrong.add(key, **words)
    wrong.refuse()
    (check_conserved if broken else check_position)(position, deck)
    return position


def _form(paper: Mapping[str, Any]) -> Paper:
    try:
        return msgspec.convert(paper, Paper)
    except msgspec.ValidationError as error:
        text = SENTENCES.text("unreadable", why=why_unreadable(error))
        raise IllegalPosition(text["en"], text) from None


def _read(form: Paper, now: Position, deck: Deck, wrong: _Wrong) -> Position:
    """Return the position as it is written, possible or not; raises if something cannot be read."""
    parks = tuple(
        Park(at=_hex(park.at, wrong), owner=park.owner, monument=Pieces(unknown=1) if park.monument else None)
        for park in form.parks
    )
    supply = _faces(form.supply, wrong)
    columns = tuple(_cards(column) for column in form.columns)
    _check_names(form, columns, deck, wrong)
    wrong.refuse()
    due = _hex(form.due_at, wrong) if form.due_at.strip() else None
    city = _in_order([_building(one, now, deck, wrong) for one in form.buildings], parks, due)
    if due is not None and (not city or city[-1].at != due or city[-1].owner != form.player):
        wrong.add("due", at=due, seat=form.player)
    players = tuple(_player(seat, hand, now, city, parks, wrong) for seat, hand in enumerate(form.players, start=1))
    position = Position(
        options=now.options,
        phase="option" if due else "over" if form.actions_used >= allowance(now.options) else "main",
        delivered_at=due,
        turn=form.turn,
        player=form.player,
        actions_used=0 if due else form.actions_used,  # a delivery is the whole turn
        columns=columns,
        supply=supply,
        box=form.box,
        players=players,
        buildings=city,
        parks=(Park(at=CENTRE, monument=Pieces(unknown=1) if form.monument else None), *parks),
        left_in_city=now.left_in_city,
        tallest=marker_after(city, now.tallest),
    )
    return _with_the_rest(position, deck)


def _with_the_rest(position: Position, deck: Deck) -> Position:
    """Return the position with the things that are nowhere else: landmarks, stack and bag."""
    seen = len(position.supply) + len(position.buildings) + sum(len(player.platforms) for player in position.players)
    open_now = not any(position.columns) and not position.options.simplified
    held = {name for player in position.players for name in (*player.contracts, *player.completed)}
    bag = deck.all_pieces - outside_bag(position).most - position.box - position.left_in_city
    return replace(
        position,
        landmarks=tuple(sorted(name for name in deck.landmarks if name not in held)) if open_now else (),
        landmarks_open=open_now,
        stack=(None,) * max(0, PLATFORMS - seen),
        bag=bag,
    )


def _check_names(form: Paper, columns: tuple[tuple[str, ...], ...], deck: Deck, wrong: _Wrong) -> None:
    """Note every hex, platform and contract that cannot be read, and what is missing of a building."""
    named = [*chain.from_iterable(columns), *(name for hand in form.players for name in _cards(hand.contracts))]
    for hand in form.players:
        _faces(hand.platforms, wrong)
    for one in form.buildings:
        at = _named_hex(one.at, wrong)
        if len(_faces(one.platform, wrong)) != 1:
            wrong.add("one_platform", at=at)
        if one.height_mm is None:
            wrong.add("height_missing", at=at)
        if one.contract.strip():
            named.append(_name(one))
        else:
            wrong.add("contract_missing", at=at)
    for name in named:
        if name not in deck.contracts:
            wrong.add("contract_unknown", contract=repr(name[:20]))


def _name(one: PaperBuilding) -> str:
    return one.contract.strip().upper()


def _building(one: PaperBuilding, now: Position, deck: Deck, wrong: _Wrong) -> Building:
    at, name = _hex(one.at, wrong), _name(one)
    count = one.pieces or deck.contracts[name].pieces
    height_mm = max(0, one.height_mm or 0)
    known = next((was.pieces for was in now.buildings if was.at == at and was.contract == name), Pieces())
    pieces = known if known.total == count else Pieces(unknown=count)
    return Building(
        at=at,
        face=_faces(one.platform, wrong)[0],
        owner=one.owner,
        contract=name,
        pieces=pieces if height_mm else Pieces(),
        height_mm=height_mm,
        standing=height_mm > 0,
    )


def _player(
    seat: int, hand: PaperPlayer, now: Position, city: Sequence[Building], parks: Sequence[Park], wrong: _Wrong
) -> Player:
    was = now.players[seat - 1].pieces
    return Player(
        pieces=was if was.guess == hand.pieces else Pieces(unknown=hand.pieces),
        contracts=tuple(sorted(_cards(hand.contracts))),
        platforms=_faces(hand.platforms, wrong),
        completed=tuple(building.contract for building in city if building.owner == seat),
        tokens=hand.tokens,
        park=all(park.owner != seat for park in parks),
    )


def _in_order(buildings: Sequence[Building], parks: Sequence[Park], due: Hex | None) -> tuple[Building, ...]:
    """Return an order in which each building touched a tile when it came (R25), if there is one; the rest at the end.

    The one at `due` comes as late as can be.
    """
    ordered: list[Building] = []
    left, touched = sorted(buildings, key=lambda building: building.at == due), NEAR[CENTRE]
    while left:
        following = next((building for building in left if touched & BIT[building.at]), None)
        if following is None:
            break
        left.remove(following)
        ordered.append(following)
        touched |= NEAR[following.at]
        for park in parks:
            if park.at in NEAR and touched & BIT[park.at]:
                touched |= NEAR[park.at]
    return (*ordered, *left)
