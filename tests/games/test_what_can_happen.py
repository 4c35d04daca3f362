"""Whatever people do with the things in the box is accepted; what is refused is refused for a physical reason.

The judge here knows the box and where things lie, from the position's notation, and no rule.
"""

import json
import random
from collections import Counter
from itertools import chain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from citytable.bots.greedy import Greedy
from citytable.bots.self_play import play_out
from citytable.games.megacity.actions import (
    BuildingFell,
    CountPieces,
    Deliver,
    EndTurn,
    MonumentFell,
    PiecesLost,
    PlaceCentralParkMonument,
    PlaceMonument,
    PlacePark,
    Recycle,
    Refresh,
    Reorganise,
    ReturnPieces,
    Rezone,
    SetUp,
    TakeContract,
    TakePieces,
    TakePlatform,
)
from citytable.games.megacity.dealer import Dealer
from citytable.games.megacity.effects import check
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.notation import action_from_text, position_from_text, position_to_text
from citytable.games.megacity.pieces import HOUSE
from citytable.games.megacity.position import MATERIALS, TYPES, Face, Options, Pieces, Player
from citytable.rules.errors import IllegalAction, broken_rule
from citytable.table.hexes import Hex

pytestmark = pytest.mark.long(5)

CITY = {f"{q}/{r}" for q in range(-3, 4) for r in range(-3, 4) if abs(q + r) <= 3}
CONTRACTS = [*HOUSE.standard, *HOUSE.landmarks]
KINDS = 18


def pieces(text):
    counts = Counter()
    for part in (text or "none").split(","):
        if part != "none":
            name, count = part.split(":")
            low, _, high = count.partition("-")
            counts[name] = int(low)
            counts["maybe"] += int(high or low) - int(low)
    return counts


def least(counts):
    return counts.total() - counts["maybe"]


def gives(hand, taken):
    """The hand may hold these: pieces of an unknown material may be any."""
    short = sum(max(0, taken[m] - hand[m]) for m in MATERIALS)
    return short <= hand["unknown"] + hand["maybe"] and least(taken) <= hand.total()


class Box:
    """Where everything lies, from a position's notation."""

    def __init__(self, position):
        state = json.loads(position_to_text(position))
        self.phase, self.player, self.bag = state.get("phase", "setup"), state.get("player", 0), state.get("bag", 0)
        self.columns = state.get("columns", [[]] * 4)
        self.players = state["players"]
        self.hands = [pieces(one.get("pieces")) for one in self.players]
        self.supply = [int(text.split("/")[0]) for text in state.get("supply", [])]
        self.stack = len(state.get("stack", []))
        self.buildings = {one["at"]: one for one in state.get("buildings", [])}
        self.parks = {one["at"]: one for one in state["parks"]}
        self.loose = state.get("box", 0) + state.get("left_in_city", 0)
        self.landmarks = state.get("landmarks", [])
        self.on_pads = [[int(t.split("/")[0]) for t in one.get("platforms", [])] for one in self.players]
        self.built = [int(one["face"].split("/")[0]) for one in self.buildings.values()]
        self.returned = [int(t.split("/")[0]) for group in state.get("returned", []) for t in group if t]

    def all_pieces(self):
        there = [*self.hands, *(pieces(one.get("pieces")) for one in self.buildings.values())]
        return sum(there + [pieces(park.get("monument")) for park in self.parks.values()], Counter())

    def bag_most(self):
        """What is in the bag if every hand holds its least."""
        return self.bag + sum(hand["maybe"] for hand in self.hands)

    def check(self):
        """Nothing is lost, nothing doubled, nothing lies on another thing."""
        known = self.all_pieces()
        assert known.total() + self.bag + self.loose == 150
        assert min(self.bag_most(), self.loose, *known.values(), 0) == 0
        assert all(known[m] <= 50 for m in MATERIALS)
        platforms = [*self.supply, *chain(*self.on_pads), *self.built, *self.returned]
        assert len(platforms) == len(set(platforms))
        assert len(self.supply) + self.stack + len(self.built) + sum(map(len, self.on_pads)) == 24
        held = chain(*(one.get("contracts", []) + one.get("completed", []) for one in self.players))
        cards = [*chain(*self.columns), *self.landmarks, *held]
        assert len(cards) == len(set(cards))
        assert set(cards) <= set(CONTRACTS)
        assert not self.buildings.keys() & self.parks.keys()
        assert self.buildings.keys() | self.parks.keys() <= CITY
        for seat, one in enumerate(self.players, start=1):
            mine = [park for park in self.parks.values() if park.get("owner") == seat]
            assert len(mine) == (not one.get("park", True))

    def cannot(self, action):
        """Why this cannot have happened; empty when it can."""
        if self.phase == "end" and not isinstance(action, CountPieces):
            return "over"
        if (self.phase == "setup") != isinstance(action, SetUp):
            return "deal"
        seat = getattr(action, "player", 1)
        if not 1 <= seat <= len(self.players):
            return "seat"
        return getattr(self, type(action).__name__)(action, seat - 1) or ""

    def SetUp(self, action, _me):  # noqa: N802
        seats = len(self.players)
        dealt = list(chain(*action.columns))
        if len(action.columns) != 4 or len(set(dealt)) < len(dealt) or not set(dealt) <= set(CONTRACTS):
            return "columns"
        if not 1 <= action.start <= seats or len(action.drawn) != seats:
            return "seats"
        known = sum((pieces(str_of(one)) for one in action.drawn), Counter())
        return self.too_many(known) or self.sides(action.supply)

    def too_many(self, known):
        return "material" if any(known[m] > 50 for m in MATERIALS) else ""

    def sides(self, faces):
        numbers = [face.platform for face in faces]
        real = all(face.up in HOUSE.platforms.get(face.platform, ()) for face in faces)
        return "" if real and len(set(numbers)) == len(numbers) else "sides"

    def TakeContract(self, action, _me):  # noqa: N802
        held = chain(*(one.get("contracts", []) + one.get("completed", []) for one in self.players))
        return "held" if action.contract in held or action.contract not in CONTRACTS else ""

    def turned_up(self, faces, lying, count):
        elsewhere = {*lying, *self.built, *chain(*self.on_pads)}
        if len(faces) > count or any(face.platform in elsewhere for face in faces):
            return "tiles"
        return self.sides(faces)

    def TakePlatform(self, action, _me):  # noqa: N802
        if action.platform not in self.supply:
            return "supply"
        return self.turned_up(action.revealed, self.supply, self.stack)

    def Refresh(self, action, _me):  # noqa: N802
        return self.turned_up(action.revealed, [], self.stack + len(self.supply))

    def TakePieces(self, action, _me):  # noqa: N802
        drawn = pieces(str_of(action.drawn))
        return "bag" if least(drawn) > self.bag_most() else self.too_many(self.all_pieces() + drawn)

    def CountPieces(self, action, _me):  # noqa: N802
        if not 1 <= action.seat <= len(self.hands):
            return "seat"
        elsewhere = sum(least(hand) for k, hand in enumerate(self.hands, start=1) if k != action.seat)
        free = 150 - self.loose - elsewhere - (self.all_pieces().total() - sum(hand.total() for hand in self.hands))
        return "" if 0 <= action.count <= free and action.maybe >= 0 else "count"

    def Rezone(self, action, me):  # noqa: N802
        return "pad" if action.platform not in self.on_pads[me] else ""

    def Reorganise(self, action, _me):  # noqa: N802
        return "" if self.columns[TYPES.index(action.column)] else "column"

    def ReturnPieces(self, action, me):  # noqa: N802
        return "" if gives(self.hands[me], pieces(str_of(action.returned))) else "hand"

    def stands(self, at):
        one = self.buildings.get(str(at))
        return pieces(one["pieces"]) if one and one.get("standing", True) and "pieces" in one else None

    def BuildingFell(self, action, _me):  # noqa: N802
        one = self.buildings.get(str(action.at))
        if one is None or not one.get("standing", True):
            return "nothing"
        return "count" if action.to_box + action.left > pieces(one.get("pieces")).total() else ""

    def PiecesLost(self, action, _me):  # noqa: N802
        there = self.stands(action.at)
        if there is None or action.height_mm < 1:
            return "nothing"
        lost = pieces(str_of(action.to_box)) + pieces(str_of(action.to_bag))
        return "count" if lost.total() >= there.total() or lost["maybe"] or not gives(there, lost) else ""

    def MonumentFell(self, action, _me):  # noqa: N802
        return "" if self.parks.get(str(action.at), {}).get("monument") else "nothing"

    def Deliver(self, action, me):  # noqa: N802
        if action.contract not in self.players[me].get("contracts", []) or action.platform not in self.on_pads[me]:
            return "not there"
        if not action.stood:
            return ""
        if str(action.at) not in CITY - self.buildings.keys() - self.parks.keys():
            return "hex"
        return self.leaves(me, pieces(str_of(action.pieces)))

    def leaves(self, me, taken):
        """Out of a hand of which not all is known: what is left and what is out must not be more than there is."""
        if not gives(self.hands[me], taken) or taken["maybe"]:
            return "hand"
        hand = self.hands[me]
        left = {m: max(0, hand[m] - taken[m] - taken["unknown"]) for m in MATERIALS}
        return self.too_many({m: self.all_pieces()[m] - hand[m] + left[m] + taken[m] for m in MATERIALS})

    def PlacePark(self, action, me):  # noqa: N802
        free = str(action.at) in CITY - self.buildings.keys() - self.parks.keys()
        return "" if free and self.players[me].get("park", True) else "park"

    def PlaceMonument(self, action, me):  # noqa: N802
        piece = pieces(str_of(action.piece))
        if str(action.park) not in self.parks or piece.total() != 1:
            return "monument"
        return self.leaves(me, piece)

    def PlaceCentralParkMonument(self, action, me):  # noqa: N802
        piece = pieces(str_of(action.piece))
        return "monument" if piece.total() != 1 else self.leaves(me, piece)

    def EndTurn(self, action, _me):  # noqa: N802
        return "" if action.player == self.player else "bag"

    def Recycle(self, _action, _me):  # noqa: N802
        return ""


def str_of(counts):
    if not counts:
        return "none"
    known = [f"{material}:{getattr(counts, material)}" for material in MATERIALS]
    return ",".join([*known, f"unknown:{counts.unknown}-{counts.unknown + counts.maybe}"])


class Crowd:
    """Does anything at all, often with things that are at hand; `wide`: says numbers of pieces as ranges, too."""

    def __init__(self, rng, *, wide=False):
        self.rng, self.wide = rng, wide

    def some(self, most):
        counts = [self.rng.choice([0, 0, 1, self.rng.randint(0, most)]) for _ in range(4)]
        return Pieces(*counts, self.maybe())

    def maybe(self):
        return self.rng.choice([0, 0, 1, 3]) if self.wide else 0

    def hex(self, position):
        there = [one.at for one in (*position.buildings, *position.parks)]
        return self.rng.choice([Hex(self.rng.randint(-4, 4), self.rng.randint(-4, 4)), *self.rng.sample(there, 1)])

    def face(self):
        number = self.rng.randint(1, 25)
        return Face(number, self.rng.choice([*HOUSE.platforms.get(number, TYPES), self.rng.choice(TYPES)]))

    def faces(self):
        return tuple(self.face() for _ in range(self.rng.choice([0, 1, 1, 3, 3, 4])))

    def set_up(self, position):
        seats = len(position.players)
        dealt = self.rng.sample(
            [*CONTRACTS, *self.rng.choice([[], [], ["ZZ9", CONTRACTS[3]]])], self.rng.randint(0, 20)
        )
        count = self.rng.choice([4, 4, 4, 4, 3])
        return SetUp(
            columns=tuple(tuple(dealt[k::count]) for k in range(count)),
            supply=self.faces(),
            start=self.rng.randint(0, seats + 1) if self.rng.random() < 0.2 else 1,
            drawn=tuple(replace(self.some(20), maybe=0) for _ in range(seats + (self.rng.random() < 0.1))),
        )

    def act(self, position):
        rng, seats = self.rng, len(position.players)
        seat = rng.choice([*range(1, seats + 1), *range(1, seats + 1), position.player, rng.randint(0, seats + 1)])
        me = position.players[(seat - 1) % seats]
        contract = rng.choice([*CONTRACTS, "ZZ9", *me.contracts * 30])
        number = rng.choice([rng.randint(0, 25), *(one.platform for one in me.platforms * 3)])
        at = self.hex(position)
        kinds = [
            lambda: self.set_up(position),
            lambda: TakeContract(player=seat, contract=contract),
            lambda: TakePlatform(
                player=seat,
                platform=rng.choice([number, *(face.platform for face in position.supply)]),
                revealed=self.faces(),
            ),
            lambda: TakePieces(player=seat, announced=rng.choice([None, *MATERIALS]), drawn=self.some(30)),
            lambda: Rezone(player=seat, platform=number),
            lambda: Refresh(player=seat, revealed=self.faces()),
            lambda: Reorganise(player=seat, column=rng.choice(TYPES)),
            lambda: ReturnPieces(player=seat, returned=self.some(5)),
            lambda: BuildingFell(at=at, to_box=rng.randint(0, 9), left=rng.randint(0, 3)),
            lambda: PiecesLost(at=at, to_box=self.some(2), to_bag=self.some(2), height_mm=rng.randint(0, 90)),
            lambda: MonumentFell(at=at),
            lambda: CountPieces(
                seat=seat, count=rng.choice([rng.randint(-1, 20), rng.randint(0, 160)]), maybe=self.maybe()
            ),
            lambda: Deliver(
                player=seat,
                contract=contract,
                platform=number,
                at=at,
                stood=rng.random() < 0.8,
                height_mm=rng.randint(0, 200),
                pieces=replace(self.some(3), unknown=0),
                judged=rng.random() < 0.8,
            ),
            lambda: PlacePark(player=seat, at=at),
            lambda: PlaceMonument(player=seat, park=at, piece=rng.choice([self.some(1), Pieces(glass=1)])),
            lambda: PlaceCentralParkMonument(player=seat, piece=rng.choice([self.some(1), Pieces(glass=1)])),
            lambda: EndTurn(player=seat),
            lambda: Recycle(player=seat),
        ]
        assert len(kinds) == KINDS
        return rng.choice(kinds)()


def try_it(game, action):
    """Accept the action or see it refused, and hold both against the box; gives whether it was accepted."""
    before, why, refusal = game.position, Box(game.position).cannot(action), None
    try:
        game.accept(action)
    except IllegalAction as error:
        refusal = error
    if refusal is not None:
        assert why, f"{action}: {refusal}"
        assert game.position is before
        assert refusal.text.keys() == {"en", "fr"}
        if why not in {"over", "deal", "seat"}:
            assert refusal.text["en"].startswith("This cannot have happened: ")
            assert refusal.text["fr"].startswith("Cela n'a pas pu se passer ainsi : ")
            assert refusal.rule != "R1" or "start player" in refusal.text["en"]
        return False
    assert not why, f"{action}: {why}"
    Box(game.position).check()
    assert position_from_text(position_to_text(game.position)) == game.position
    assert MegaCity.from_table(game.position).position == game.position
    return True


@settings(max_examples=settings().max_examples * 3 // 2)
@given(
    seed=st.integers(0, 10**6),
    players=st.integers(2, 4),
    simplified=st.booleans(),
    lawful=st.booleans(),
    wide=st.booleans(),
)
def test_whatever_can_be_done_with_the_things_in_the_box_is_accepted(seed, players, simplified, lawful, wide):
    rng = random.Random(seed)
    crowd, dealer, game = Crowd(rng, wide=wide), Dealer(rng), MegaCity(Options(players=players, simplified=simplified))
    for _ in range(40):
        if not game.actions and not lawful:
            try_it(game, crowd.set_up(game.position))
        elif not game.actions:
            game.push(dealer.outcome(game, SetUp()))
        else:
            try_it(game, crowd.act(game.position))
        exact = not any(player.pieces.maybe for player in game.position.players)  # a dealer draws exact numbers
        if game.player and exact and rng.random() < 0.5:
            game.push(dealer.outcome(game, rng.choice(list(game.legal_actions))))
    game.scores()
    game.outcome()


def test_every_kind_of_action_was_tried_both_ways():
    accepted, refused = set(), set()
    for seed in range(60):
        rng = random.Random(seed)
        crowd, dealer, game = Crowd(rng), Dealer(rng, falls=0), MegaCity(Options(players=2))
        action = crowd.act(game.position)
        (accepted if try_it(game, action) else refused).add(type(action))
        if not game.actions:
            game.push(dealer.outcome(game, SetUp()))
        for _ in range(90):
            if not game.player:
                break
            action = crowd.act(game.position)
            (accepted if try_it(game, action) else refused).add(type(action))
            for _ in range(3 if game.player else 0):
                if game.player:
                    game.push(dealer.outcome(game, Greedy().choose(game, list(game.legal_actions))))
    assert len(accepted) == KINDS
    assert len(refused) == KINDS


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_game_with_a_misdeal_is_played_to_its_end(players):
    rng = random.Random(players)
    dealer, game = Dealer(rng, falls=0.1), MegaCity(Options(players=players))
    deal = dealer.outcome(game, SetUp())
    more = [name for name in HOUSE.standard if name not in chain(*deal.columns)]
    misdeal = replace(
        deal,
        columns=((*deal.columns[0], *more[:3]), deal.columns[1][:1], ("L-CO", *deal.columns[2]), deal.columns[3]),
        supply=deal.supply[:2],
        drawn=(Pieces(unknown=5),) * players,
    )
    assert broken_rule(check, game.position, misdeal, game.deck) == "R2"
    game.accept(misdeal)
    play_out(game, [Greedy()] * players, dealer)
    Box(game.position).check()
    assert game.outcome().termination == "completed"


def test_a_landmark_taken_early_is_taken_and_not_laid_out_again(table):
    game = table.game(
        hands={1: Player(contracts=("CO8",))}, players=2, columns=((), (), (), ("RE8",)), city=table.grown(10)
    )
    early = action_from_text("p1 take_contract contract=L-CO")
    assert broken_rule(check, game.position, early, game.deck) == "R38"
    game.accept(early)
    assert game.position.players[0].contracts == ("CO8", "L-CO")
    assert game.position.landmarks == ()
    game.push(action_from_text("p1 take_contract contract=RE8"))
    assert game.position.landmarks == ("L-IN", "L-PU", "L-RE")


def test_a_card_that_was_not_dealt_comes_out_of_the_box(table):
    game = table.game()
    out = {*chain(*game.position.columns)}
    card = next(name for name in HOUSE.standard if name not in out)
    game.accept(TakeContract(player=2, contract=card))
    assert game.position.players[1].contracts == (card,)


def test_a_platform_put_under_the_stack_may_come_up_early(table):
    game = table.game(returned=((Face(1, "public"), Face(2, "public")),))
    game.accept(action_from_text("p1 refresh revealed=2/industrial"))
    assert game.position.supply == (Face(2, "industrial"),)
    assert game.position.returned[0] == (Face(1, "public"),)
    Box(game.position).check()


@pytest.mark.parametrize(
    ("line", "rule", "why"),
    [
        ("p1 take_contract contract=CO1", "R8", "contract CO1 is in the play area of seat 2"),
        ("p1 take_platform platform=20 revealed=21/public", "R9", "platform 20 is not in the supply"),
        ("p1 take_pieces drawn=unknown:200", "R10", "the bag holds only"),
        ("p1 rezone platform=20", "R12", "platform 20 is not"),
        (
            "p1 place_park at=4/0",
            "R25",
            "the table does not have the hex 4 steps from Central Park",
        ),
        (
            "p1 place_monument park=1/0 piece=glass:1",
            "R33",
            "there is no park on the hex next to Central Park",
        ),
        ("p1 place_central_park_monument piece=steel:1", "R33", "you have no steel piece"),
        ("p2 end_turn", "R7", "seat 1 has the bag"),
        (
            "table building_fell at=0/1 to_box=0 left=0",
            "R35",
            "no building stands on the hex next to Central Park",
        ),
    ],
)
def test_a_refusal_names_the_rule_about_the_thing_that_is_in_the_way(table, line, rule, why):
    hands = {1: Player(pieces=Pieces(glass=1)), 2: Player(contracts=("CO1",))}
    game = table.game(hands=hands)
    with pytest.raises(IllegalAction) as refusal:
        game.accept(action_from_text(line))
    assert refusal.value.rule == rule
    assert f"This cannot have happened: {why}" in refusal.value.text["en"]
