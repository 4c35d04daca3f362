"""What a virtual table costs: seconds of this machine for an hour of a full table for four, without a hub.

Run `python tools/bench_twin.py [SECONDS]`: that many seconds of virtual time at rest, then as many with hands that
build, lean and carry. Beside it stands an empty loop over as many conversions as the cells made; the seed is fixed, the
figures are of this machine at this hour.
"""

import json
import sys
import time
from collections import Counter

import msgspec

from citytable.games.megacity.spots import shared_spots
from citytable.table.plan import full_plan
from tabletwin.board import VirtualStation
from tabletwin.hands.games import GAMES
from tabletwin.hands.requests import Hands
from tabletwin.plan import plan_from_json
from tabletwin.table import VirtualTable

SEATS = 4
STEP_US = 100_000
RATE_HZ = 82  # of a chip in the middle
TYPES = ("public", "industrial", "commercial", "residential")
CONTRACTS = [{"id": f"{kind[:2].upper()}{k}", "type": kind} for kind in TYPES for k in range(1, 9)]
PLATFORMS = [{"n": n, "sides": [TYPES[n % 4], TYPES[(n + 1) % 4]]} for n in range(1, 25)]
SET_UP = {"act": "set_up", "players": SEATS, "contracts": CONTRACTS, "landmarks": [], "platforms": PLATFORMS}


class Table:
    """A full table without a network: what stations publish is counted."""

    def __init__(self) -> None:
        plan = full_plan("bench", SEATS, shared_spots(), ("bag",))
        self.table = VirtualTable(plan_from_json(msgspec.json.encode(plan)), seed=7)
        self.cells = sum(len(spot.cells) for station in plan.stations for spot in station.spots)
        self.hands = Hands(self.table, GAMES[0], lambda _name: None, lambda _name: None)
        self.reported: Counter[str] = Counter()
        self.table.power_on(self)

    def join(self, station: VirtualStation) -> None:
        """Linked at once."""
        station.link_up()

    def leave(self, station: VirtualStation) -> None:
        """Cut off."""
        station.link_down()

    def step(self) -> None:
        """A tenth of a second; events are acknowledged at once."""
        self.table.scheduler.advance(self.table.now_us + STEP_US)
        for message in self.table.take_outgoing():
            content = json.loads(message.payload)
            self.reported[content["type"]] += 1
            if "event_seq" in content:
                ack = {"v": 1, "type": "ack", "boot": content["boot"], "event_seq": content["event_seq"]}
                self.table.stations[message.station].receive("ack", json.dumps(ack).encode())

    def act(self, *acts: dict[str, object]) -> None:
        """Let hands do something, and wait until it is done."""
        request = self.hands.begin(json.dumps({"id": 1, "acts": acts}))
        while not request.done:
            self.step()


def rest(table: Table, until_us: int) -> None:
    """Nobody touches anything."""
    while table.table.now_us < until_us:
        table.step()


def play(table: Table, until_us: int) -> None:
    """Somebody always does something: leaning on a tower, hesitating over a card, drawing from the bag."""
    turn = 0
    while table.table.now_us < until_us:
        seat = turn % SEATS + 1
        turn += 1
        table.act(
            {"act": "lean", "spot": f"city/{turn % 3}/0"},
            {"act": "hesitate", "seat": seat, "what": "column"},
            {"act": "take_pieces", "seat": seat, "announced": None},
        )


def seconds_of_loop(conversions: int) -> float:
    """An empty loop over as many conversions."""
    start = time.process_time()
    for _ in range(conversions):
        pass
    return time.process_time() - start


def main() -> None:
    """Print one line for a table at rest and one for a table that is played at."""
    seconds = int(sys.argv[1]) if len(sys.argv) > 1 else 120
    table = Table()
    rest(table, 5_000_000)
    table.act({**SET_UP, "deal": 14, "start": 1})
    for name, work in (("at rest", rest), ("played at", play)):
        table.reported.clear()
        begun_us = table.table.now_us
        start = time.process_time()
        work(table, begun_us + seconds * 1_000_000)
        spent_s = time.process_time() - start
        passed_s = (table.table.now_us - begun_us) / 1e6
        loop_s = seconds_of_loop(int(table.cells * RATE_HZ * passed_s))
        print(
            f"{table.cells} cells {name} for {passed_s:.0f} s: {spent_s * 3600 / passed_s:.1f} s an hour, "
            f"{passed_s / spent_s:.0f} times real time (empty loop {loop_s * 3600 / passed_s:.2f} s an hour); "
            f"{sum(table.reported.values()) / passed_s:.1f} messages a second, "
            f"{table.reported['alert'] * 3600 / passed_s:.0f} alerts an hour"
        )


if __name__ == "__main__":
    main()
