"""A virtual table without a broker: stations are linked at once, and a hub in memory acknowledges."""

import json
from collections import Counter

import msgspec
import pytest

from citytable.games.megacity.spots import shared_spots
from citytable.link.inbox import Inbox
from citytable.link.registry import Registry
from citytable.link.wire_in import read
from citytable.sensing.table_sense import TableSense
from citytable.session.readings import readings
from citytable.table.fact import MassSettled
from citytable.table.plan import full_plan
from tabletwin.hands.games import GAMES
from tabletwin.hands.requests import Hands
from tabletwin.plan import plan_from_json
from tabletwin.table import VirtualTable
from tabletwin.things import Platform
from tablewire.messages import decode, encode
from tablewire.topics import topic

TYPES = ("public", "industrial", "commercial", "residential")
CONTRACTS = [{"id": f"{kind[:2].upper()}{k}", "type": kind} for kind in TYPES for k in range(1, 9)]
LANDMARKS = ["L-PU", "L-IN", "L-CO", "L-RE"]
PAIRS = [(a, b) for k, a in enumerate(TYPES) for b in TYPES[k + 1 :]]
PLATFORMS = [{"n": n + 1, "sides": list(PAIRS[n % 6])} for n in range(24)]
THINGS = (
    "bag",
    "central-park",
    *(f"park/{seat}" for seat in range(1, 5)),
    *(f"contract/{card['id']}" for card in CONTRACTS),
    *(f"contract/{card}" for card in LANDMARKS),
    *(f"platform/{tile['n']}/{side}" for tile in PLATFORMS for side in tile["sides"]),
)
STEP_US = 100_000
PATIENCE_STEPS = 6000
WINDOW_US = 500_000


def plan_json(table="t", seats=3):
    return msgspec.json.encode(full_plan(table, seats, shared_spots(), THINGS))


class Refused(AssertionError):
    """The hands could not do an act."""


class Game:
    """A virtual table being played on: `act` works off one line and returns its results."""

    def __init__(self, seed=7, seats=3, plan=None):
        self.plan = plan_from_json(plan or plan_json(seats=seats))
        self.table = VirtualTable(self.plan, seed)
        self.hands = Hands(self.table, GAMES[0], self._cut, self._restore)
        self.published = []
        self._read = []  # as many of these as were asked for, each checked against the wire
        self.table.power_on(self)
        self._ids = 0

    @property
    def world(self):
        return self.table.world

    def join(self, station):
        station.link_up()

    def leave(self, station):
        station.link_down()

    def _cut(self, name):
        self.table.stations[name].crash()

    def _restore(self, name):
        self.table.stations[name].boot()
        self.join(self.table.stations[name])

    def step(self):
        self.table.scheduler.advance(self.table.now_us + STEP_US)
        for message in self.table.take_outgoing():
            self.published.append(message)
            if message.channel == "event":
                event = json.loads(message.payload)
                ack = {"type": "ack", "boot": event["boot"], "event_seq": event["event_seq"]}
                self.table.stations[message.station].receive("ack", encode(ack))

    def wait(self, seconds):
        for _ in range(int(seconds * 10)):
            self.step()

    def answer(self, *acts):
        self._ids += 1
        request = self.hands.begin(json.dumps({"id": self._ids, "acts": acts}))
        for _ in range(PATIENCE_STEPS):
            if request.done:
                return request.answer(self.table.now_us)
            self.step()
        raise AssertionError(f"not finished after {PATIENCE_STEPS} steps: {acts}")

    def act(self, name, **fields):
        answer = self.answer({"act": name, **fields})
        if "error" in answer:
            raise Refused(answer["error"])
        return answer["results"][0]

    def set_up(self, players=3, deal=14, start=1):
        return self.act(
            "set_up",
            players=players,
            contracts=CONTRACTS,
            landmarks=LANDMARKS,
            platforms=PLATFORMS,
            deal=deal,
            start=start,
        )

    def forget(self):
        """As if nothing had been published yet."""
        self.published.clear()
        self._read.clear()

    def told(self, *types):
        """Messages of these types so far, each checked against the wire."""
        unread = self.published[len(self._read) :]
        self._read += [decode(message.channel, message.payload) for message in unread]
        return [message for message in self._read if message["type"] in types]

    def believed(self):
        """Which thing each spot's reader has told, as a hub would keep it."""
        things = {uid: thing for thing, uid in self.plan.uids.items()}
        lying = {}
        for message in self.told("inventory", "tag"):
            if message["type"] == "inventory":
                for tag in message["tags"]:
                    lying[tag["spot"]] = things[tag["uid"]]
            elif message["here"]:
                lying[message["spot"]] = things.get(message["uid"], message["uid"])
            elif lying.get(message["spot"]) == things.get(message["uid"], message["uid"]):
                del lying[message["spot"]]
        return lying

    def truth(self):
        """What lies on top of each spot."""
        return {spot: str(self.world.top(spot)) for spot in self.world.spots if self.world.top(spot) is not None}

    def pieces(self):
        """The number of every piece, wherever it is, so that two in one place show."""
        world = self.world
        found = [*world.box, *world.bag.pieces]
        for seat in world.seats.values():
            found += seat.pieces
        for spot in world.spots:
            for thing in world.lying(spot):
                if isinstance(thing, Platform):
                    found += thing.tower.pieces
                elif getattr(thing, "monument", None) is not None:
                    found.append(thing.monument)
        return Counter(piece.number for piece in found)

    def grams(self, spot):
        """What the cells of a spot said in their last quiet summaries."""
        for message in reversed(self.told("quiet")):
            means = [cell["mean"] for cell in message["cells"] if cell["spot"] == spot]
            if means:
                plan = next(p for station in self.plan.stations for p in station.spots if p.spot == spot)
                return sum(mean / cell.counts_per_g for mean, cell in zip(means, plan.cells, strict=True))
        raise AssertionError(f"{spot} was never quiet")

    def stop(self):
        self.table.power_off()


class Hub:
    """Hears a game's stations at once and tells what the senses make of it."""

    def __init__(self, game, plan):
        self._game, self._plan, self._heard = game, plan, 0
        self._inbox, self.sense = Inbox(Registry()), TableSense(plan)
        self._spots = {one.station: tuple(spot.spot for spot in one.spots) for one in plan.stations}
        self.rested_g = {}
        self.told = []  # every fact

    def wait(self, seconds):
        for _ in range(int(seconds * 10)):
            self._game.step()
            self._hear()

    def _hear(self):
        now_us = self._game.table.now_us
        for sent in self._game.published[self._heard :]:
            heard = read(topic(self._plan.table, sent.station, sent.channel), sent.payload, now_us)
            self._inbox.take(sent.station, heard.message, now_us)
        self._heard = len(self._game.published)
        for received in self._inbox.release(now_us - WINDOW_US):
            for reading in readings(received, self._spots[received.station]):
                facts = self.sense.feed(reading)
                self.told += facts
                for fact in facts:
                    if isinstance(fact, MassSettled):
                        self.rested_g[fact.spot] = fact.mass_g


@pytest.fixture
def new_hub():
    """`new_hub(game, plan)`: the senses of a hub that hears a game."""
    return Hub


@pytest.fixture(scope="module")
def new_game():
    """`new_game(seed=, seats=)`: a table with power on and nothing on it."""
    games = []

    def make(seed=7, seats=3, plan=None):
        games.append(Game(seed, seats, plan))
        return games[-1]

    yield make
    for one in games:
        one.stop()


@pytest.fixture
def game(new_game):
    """A table set up for three, seat 1 begins."""
    made = new_game()
    made.wait(3)
    made.dealt = made.set_up()
    return made


@pytest.fixture
def starter_plan():
    """The JSON of a table that senses its two seats and nothing else."""
    plan = json.loads(plan_json(seats=2))
    plan["stations"] = [station for station in plan["stations"] if station["kind"] == "seat"]
    return json.dumps(plan)


@pytest.fixture
def refused():
    return Refused


@pytest.fixture
def plan_file(tmp_path):
    path = tmp_path / "plan.json"
    path.write_bytes(plan_json())
    return path


@pytest.fixture
def box():
    """What is in the box, as `set_up` wants it."""
    return {"contracts": CONTRACTS, "landmarks": LANDMARKS, "platforms": PLATFORMS}
