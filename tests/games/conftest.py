"""Positions written by hand in a few words: what a test does not say is filled up so that everything is conserved."""

import json
from collections import Counter
from importlib.resources import files
from pathlib import Path

import pytest
from msgspec.structs import replace

from citytable.games.megacity.deal import DEALT
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.notation import action_from_text
from citytable.games.megacity.pieces import HOUSE
from citytable.games.megacity.position import (
    MATERIALS,
    TYPES,
    Building,
    Face,
    Options,
    Park,
    Pieces,
    Player,
    Position,
    Rulings,
)
from citytable.games.megacity.spots import CITY
from citytable.rules.errors import IllegalAction, OutcomeOpen
from citytable.table.hexes import CENTRE, Hex, distance, hex_from_text

SPIRAL = sorted(CITY, key=lambda cell: distance(cell, CENTRE))[1:]


class Asking:
    """Plays lines of notation of one game, which `read` reads, and names the rule of a refusal."""

    def __init__(self, read):
        self._read = read

    def do(self, game, *lines):
        """Push lines of notation; gives the position after them."""
        for line in lines:
            game.push(self._read(line))
        return game.position

    def refused(self, game, line):
        """The rule that refuses a line; checks that `in` says so too and that nothing has changed."""
        action, before = self._read(line), game.position
        with pytest.raises(IllegalAction) as refusal:
            game.push(action)
        assert isinstance(refusal.value, OutcomeOpen) or action not in game.legal_actions
        assert game.position is before
        assert refusal.value.text.keys() == {"en", "fr"}
        assert "{" not in "".join(refusal.value.text.values())
        return refusal.value.rule

    def decisions(self, game, verb):
        """The legal decisions of one kind, as text behind the verb."""
        lines = [str(action).split(" ", 1)[1] for action in game.legal_actions]
        return {line.removeprefix(verb).strip() for line in lines if line.split(" ")[0] == verb}


class Table(Asking):
    """Makes positions and games of the house deck, plays lines of notation, names the rule of a refusal."""

    deck = HOUSE

    def __init__(self):
        super().__init__(action_from_text)

    def built(self, owner, contract, at, height_mm=None, pieces=None, standing=True):
        """One delivered building; its platform is found when the position is made."""
        card = self.deck.contracts[contract]
        return Building(
            at=hex_from_text(at),
            face=Face(0, card.type),
            owner=owner,
            contract=contract,
            pieces=(pieces or self.mixed(card)) if standing else Pieces(),
            height_mm=(height_mm or card.height_mm) if standing else 0,
            standing=standing,
        )

    def mixed(self, card):
        """As many pieces as the card asks, of two materials it allows; not the same two for every card."""
        allowed = [material for material in MATERIALS if material not in card.forbidden]
        turn = sum(map(ord, card.id)) % len(allowed)
        one, other = (allowed + allowed)[turn : turn + 2]
        return Pieces(**{one: card.pieces - 1, other: 1})

    def grown(self, count, players=2, leave_out=()):
        """A city of `count` completed standard contracts, owners in turn, types in turn, in a spiral."""
        names = [f"{kind}{number}" for number in range(1, 5) for kind in ("PU", "IN", "CO", "RE")]
        names = [name for name in names if name not in leave_out][:count]
        return [self.built(k % players + 1, name, str(SPIRAL[k])) for k, name in enumerate(names)]

    def position(
        self,
        *,
        players=3,
        simplified=False,
        rulings=None,
        hands=None,
        city=(),
        parks=(),
        monument=None,
        columns=None,
        bag=None,
        rest_to=(),
        **fields,
    ):
        hands = hands or {}
        platforms = self._free_platforms(hands, fields)
        city = self._on_platforms(list(city), platforms)
        if rest_to:  # what lies nowhere else, two platforms a seat
            faces = [Face(number, self.deck.platforms[number][0]) for number in platforms]
            hands |= {seat: Player(platforms=tuple(faces[2 * k : 2 * k + 2])) for k, seat in enumerate(rest_to)}
        seats = tuple(self._seat(seat, hands.get(seat, Player()), city, parks) for seat in range(1, players + 1))
        columns = self._columns(players, seats) if columns is None else columns
        if not any(columns) and not simplified:
            out = {name for seat in seats for name in (*seat.contracts, *seat.completed)}
            fields.setdefault("landmarks", tuple(name for name in self.deck.landmarks if name not in out))
            fields.setdefault("landmarks_open", True)
        fields.setdefault("supply", tuple(Face(n, self.deck.platforms[n][0]) for n in sorted(platforms)[:3]))
        lying = len(fields["supply"]) + len(city) + sum(len(seat.platforms) for seat in seats)
        fields.setdefault("stack", (None,) * (24 - lying))
        heights = [b.height_mm for b in city if b.standing]
        tallest = next((b.at for b in city if b.standing and b.height_mm == max(heights)), None)
        parks = (Park(at=CENTRE, monument=monument), *parks)
        about = sum(s.pieces.total for s in seats) + sum(b.pieces.total for b in city)
        about += sum(park.monument is not None for park in parks) + fields.get("left_in_city", 0)
        if bag is None:
            bag = 150 - about - fields.get("box", 0)
        else:
            fields["box"] = 150 - about - bag
        return Position(
            options=Options(players=players, simplified=simplified, rulings=Rulings(**(rulings or {}))),
            **{"phase": "main", "turn": 5, "player": 1, "tallest": tallest} | fields,
            columns=columns,
            players=seats,
            buildings=tuple(city),
            parks=parks,
            bag=bag,
        )

    def game(self, **words):
        return MegaCity.from_position(self.position(**words))

    def _free_platforms(self, hands, fields):
        taken = {face.platform for hand in hands.values() for face in hand.platforms}
        taken |= {face.platform for face in fields.get("supply", ())}
        taken |= {face.platform for group in fields.get("returned", ()) for face in group}
        return [number for number in self.deck.platforms if number not in taken]

    def _on_platforms(self, city, platforms):
        """The buildings, each on a free platform of its type (a bipartite matching); takes them out of `platforms`."""
        holder = {}

        def find(k, tried):
            for number in reversed(platforms):
                if number not in tried and city[k].face.up in self.deck.platforms[number]:
                    tried.add(number)
                    if number not in holder or find(holder[number], tried):
                        holder[number] = k
                        return True
            return False

        for k, building in enumerate(city):
            assert building.face.platform or find(k, set()), f"no platform for {building.contract}"
        for number, k in holder.items():
            city[k] = replace(city[k], face=Face(number, city[k].face.up))
            platforms.remove(number)
        return city

    def _seat(self, seat, hand, city, parks):
        return Player(
            pieces=hand.pieces,
            contracts=tuple(sorted(hand.contracts)),
            platforms=tuple(sorted(hand.platforms, key=lambda face: face.platform)),
            completed=tuple(b.contract for b in city if b.owner == seat),
            tokens=hand.tokens,
            park=not any(park.owner == seat for park in parks),
        )

    def _columns(self, players, seats):
        out = [name for seat in seats for name in (*seat.contracts, *seat.completed)]
        out = [name for name in out if not self.deck.contracts[name].landmark]
        counts = Counter(self.deck.contracts[name].type for name in out)
        columns = {kind: [] for kind in TYPES}
        for _ in range(DEALT[players] - len(out)):
            kind = min(TYPES, key=lambda kind: counts[kind])
            free = [n for n in self.deck.standard if self.deck.contracts[n].type == kind]
            columns[kind].append(next(n for n in free if n not in out and n not in columns[kind]))
            counts[kind] += 1
        return tuple(tuple(columns[kind]) for kind in TYPES)


@pytest.fixture
def asking():
    return Asking


@pytest.fixture
def table():
    return Table()


@pytest.fixture(scope="session")
def brute(load_file):
    """The independent brute force of `brute_force.py`."""
    module = load_file("brute_force", Path(__file__).with_name("brute_force.py"))
    deck = files("citytable.games.megacity").joinpath("house_deck.json").read_text(encoding="utf-8")
    return module.BruteForce(json.loads(deck))


@pytest.fixture
def at():
    """`at("1/-1")`: a hex."""
    return lambda text: Hex(*hex_from_text(text))
