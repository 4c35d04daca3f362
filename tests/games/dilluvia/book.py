"""A second reader of the rulebook: keeps accounts of a game in plain dicts, and lists what may be done by trying all.

Written from the rulebook's text alone. It shares with the engine the printed values and the notation of actions, and no
rule.
"""

import itertools
import json
from importlib.resources import files

VALUES = json.loads(files("citytable.games.dilluvia").joinpath("house_values.json").read_text())
COLOURS = ["white", "black", "brown", "purple"]
TILES = dict(enumerate(VALUES["tiles"], start=1))
USES = VALUES["uses"]
PROPELLERS = {tuple(one["at"]): one for one in VALUES["propellers"]}
BUILDINGS = {(one["number"], one["version"]): one for one in VALUES["buildings"]}
WIDE = {"single": (1, 1), "row": (2, 1), "column": (1, 2), "square": (2, 2)}
POPULATION_TILES = {"most_propellers", "most_medium", "most_small", "most_sectors", "most_large", "most_workers"}


def area(at, shape):
    width, height = WIDE[shape]
    return {(at[0] + dx, at[1] + dy) for dx in range(width) for dy in range(height)}


def touches(one, others, diagonally=True):
    for x, y in one:
        for a, b in others:
            dx, dy = abs(x - a), abs(y - b)
            if (max(dx, dy) == 1) if diagonally else (dx + dy == 1):
                return True
    return False


def words_of(text):
    who, tag, *fields = text.split()
    return who, tag, dict(field.split("=") for field in fields)


def cell(text):
    x, y = text.split("/")
    return int(x), int(y)


class Book:
    """One game as this reader sees it."""

    def __init__(self, players):
        self.n = players
        self.turn, self.phase, self.now = 1, "setup", 0
        self.who = {
            seat: {
                "aeros": 0, "cubes": dict.fromkeys(COLOURS, 0), "prestige": 0, "population": 0,
                "money": 0, "resources": 0, "renown": 0, "step": 0, "extra": 0,
                "dark": 5, "special": 1, "tiles": {}, "ship": None,
            }
            for seat in range(1, players + 1)
        }  # fmt: skip
        self.grid = {}  # (x, y) -> ("cube", seat), ("garden",), ("house", index)
        self.houses = []
        self.owners = {}
        self.market = dict.fromkeys(range(1, 17), 0)
        self.cubed = {}
        self.aside = set()
        self.spots = []  # (space, seat, workers, special)
        self.todo = []  # [kind, count, more, done]
        self.placed = False

    # the map

    def playable(self):
        low, high = VALUES["grid"][str(self.n)]
        apart = {(7, 7), *PROPELLERS}
        return {(x, y) for x in range(low, high + 1) for y in range(low, high + 1)} - apart

    def empty(self):
        return {place for place in self.playable() if place not in self.grid}

    def cubes_of(self, seat):
        return {place for place, what in self.grid.items() if what == ("cube", seat)}

    def houses_of(self, seat):
        return {p for p, what in self.grid.items() if what[0] == "house" and self.houses[what[1]]["owner"] == seat}

    def may_take(self, seat, cells, paid):
        if not cells <= self.empty():
            return False
        own = self.cubes_of(seat) | self.houses_of(seat)
        if not paid:
            return touches(cells, own)
        wings = {place for place, owner in self.owners.items() if owner == seat}
        if touches(cells, own | wings):
            return True
        if own:
            return False
        if touches(cells, {(7, 7)}):
            return True
        if any(touches({place}, {(7, 7)} | wings) for place in self.empty()):
            return False
        others = {place for place, what in self.grid.items() if what[0] == "house"}
        return touches(cells, others)

    # the market

    def line(self, ship):
        side, k = ship[:-1], int(ship[-1])
        row = [4 * (k - 1) + c for c in (1, 2, 3, 4)]
        spaces = row if side in ("left", "right") else [k, k + 4, k + 8, k + 12]
        return spaces if side in ("left", "top") else spaces[::-1]

    def gone(self, space):
        return space in self.cubed if self.turn == 7 else not self.market[space]

    def cost_in_line(self, seat, space):
        tile = self.market[space]
        if self.turn < 7 and tile and TILES[tile].get("five"):
            return 5
        return self.line(self.who[seat]["ship"]).index(space) + 1

    def has(self, seat, kind):
        return [number for number in self.who[seat]["tiles"] if TILES[number]["kind"] == kind]

    # spots

    def spot(self, seat, space):
        if space in VALUES["own_spots"]:
            mine = sum(s == space and p == seat for s, p, _, _ in self.spots)
            twice = any(
                sum(s == space and p == other for s, p, _, _ in self.spots) == 2 for other in range(1, self.n + 1)
            )
            white = VALUES["own_spots"][space]["white"]
            return {"workers": 1} if mine == 0 or (mine == 1 and white and not twice) else None
        used = sum(s == space for s, _, _, _ in self.spots)
        spots = [spot for spot in VALUES["spots"][space] if spot.get("players", 2) <= self.n]
        return spots[used] if used < len(spots) else None

    def places(self, seat):
        me, found = self.who[seat], []
        for space in ["order", "income", *COLOURS, "territory", "construction", "acquire", "garden", "switch"]:
            spot = self.spot(seat, space)
            if spot is None or (spot.get("aero") and not me["aeros"]):
                continue
            for dark, special in itertools.product(range(me["dark"] + 1), range(me["special"] + 1)):
                if dark + special and dark + special <= (spot.get("workers") or 99):
                    found.append(self.text(seat, "place", space=space, workers=dark + special, special=special))
        return found

    @staticmethod
    def text(seat, tag, **fields):
        words = [f"p{seat}", tag]
        plain = {"workers": 1, "special": 0, "shape": "single", "free": 0, "version": "a", "cube": "first",
                 "spare": "none", "tile": 0, "count": 1}  # fmt: skip
        for key, value in fields.items():
            if plain.get(key) != value:
                words.append(f"{key}={'yes' if key in ('special', 'free') else value}")
        return " ".join(words)

    # what may be done

    def legal(self):
        seat = self.now
        if self.phase == "setup":
            return {"table set_up"}
        if self.phase == "drawing":
            return {"table draw_order"}
        if self.phase == "refill":
            return {"table refill"}
        if self.phase == "zeppelins":
            taken = [set(self.line(one["ship"])) for one in self.who.values() if one["ship"]]
            ships = [f"{side}{k}" for side in ("left", "right", "top", "bottom") for k in (1, 2, 3, 4)]
            return {f"p{seat} zeppelin at={ship}" for ship in ships if set(self.line(ship)) not in taken}
        found = set(self.of_todo(seat)) if self.todo else set()
        if self.phase == "shopping" and not self.todo:
            found |= set(self.sales(seat))
            found.add(f"p{seat} done")
        if self.phase == "workers":
            if not self.todo and not self.placed:
                found |= set(self.places(seat))
            found |= {f"p{seat} use tile={tile}" for tile in self.usable(seat)}
            if self.placed and not self.todo:
                found.add(f"p{seat} done")
        if self.todo and self.todo[-1][0] != "take":
            found.add(f"p{seat} done")
        return found

    def sales(self, seat):
        for space in self.line(self.who[seat]["ship"]):
            if not self.gone(space) and self.cost_in_line(seat, space) <= self.who[seat]["aeros"]:
                yield f"p{seat} buy space={space}"

    def usable(self, seat):
        if self.phase != "workers" or (self.todo and self.todo[-1][0] in FIRST):
            return
        seen = set()
        for tile, used in self.who[seat]["tiles"].items():
            kind = TILES[tile]["kind"]
            if used or kind in seen or USES[kind] not in ("once", "turn") or not self.works(seat, kind):
                continue
            seen.add(kind)
            yield tile

    def works(self, seat, kind):
        size = {"small_aeros": 1, "medium_aeros": 2, "large_aeros": 4}.get(kind)
        if size:
            return any(house["owner"] == seat and len(house["cells"]) == size for house in self.houses)
        if kind == "convert":
            return any(self.who[seat]["cubes"].values())
        if kind in ("two_spaces", "medium_terrain"):
            shapes = ["single"] if kind == "two_spaces" else ["row", "column"]
            return any(self.may_take(seat, area(at, shape), False) for at in self.empty() for shape in shapes)
        if kind == "free_garden":
            return any(self.garden_here(seat, at, free=True) for at in self.playable())
        return False  # future_building is used when building

    def garden_here(self, seat, at, free):
        if sum(what[0] == "garden" for what in self.grid.values()) == 16:
            return False
        if at in self.cubes_of(seat):
            return True
        return free and at in self.empty() and touches({at}, self.houses_of(seat))

    def of_todo(self, seat):
        kind, count, more, done = self.todo[-1]
        return getattr(self, f"todo_{kind}")(seat, count, more, done)

    def todo_take(self, seat, count, _more, _done):
        for colour, n in itertools.product(COLOURS, range(1, count + 1)):
            yield self.text(seat, "take", colour=colour, count=n)

    def todo_territory(self, seat, count, more, _done):
        for (x, y), shape in itertools.product(self.empty(), WIDE):
            if not self.may_take(seat, area((x, y), shape), paid=True):
                continue
            workers = {"single": 1, "row": 2, "column": 2, "square": 3}[shape]
            if workers <= count and self.ground_price(seat, shape) <= self.who[seat]["aeros"]:
                yield self.text(seat, "terrain", at=f"{x}/{y}", shape=shape)
            if more and shape == "single":
                yield self.text(seat, "terrain", at=f"{x}/{y}", free=1)

    def todo_spaces(self, seat, _count, _more, _done, shapes=("single",)):
        for (x, y), shape in itertools.product(self.empty(), shapes):
            if self.may_take(seat, area((x, y), shape), paid=False):
                yield self.text(seat, "terrain", at=f"{x}/{y}", shape=shape)

    def todo_medium(self, seat, count, more, done):
        return self.todo_spaces(seat, count, more, done, ("row", "column"))

    def todo_garden(self, seat, _count, _more, _done):
        if self.who[seat]["aeros"]:
            for x, y in self.playable():
                if self.garden_here(seat, (x, y), free=False):
                    yield f"p{seat} garden at={x}/{y}"

    def todo_free_garden(self, seat, _count, _more, _done):
        for x, y in self.playable():
            if self.garden_here(seat, (x, y), free=True):
                yield f"p{seat} garden at={x}/{y}"

    def todo_acquire(self, seat, _count, _more, _done):
        if self.who[seat]["aeros"] >= 3:
            yield from (f"p{seat} acquire space={space}" for space in range(1, 17) if not self.gone(space))

    def todo_switch(self, seat, _count, _more, done):
        for house in self.houses:
            if house["owner"] == seat and house["at"] not in done:
                yield f"p{seat} switch at={house['at'][0]}/{house['at'][1]}"

    def todo_aside(self, seat, _count, _more, _done):
        yield from (f"p{seat} pick tile={tile}" for tile in self.aside)

    def todo_convert(self, seat, _count, _more, _done):
        for give, get in itertools.permutations(COLOURS, 2):
            if self.who[seat]["cubes"][give]:
                yield f"p{seat} convert give={give} get={get}"

    def todo_construction(self, seat, propellers, houses, _done):
        for at, printed in PROPELLERS.items():
            if propellers and at not in self.owners and self.who[seat]["aeros"] >= printed["price"]:
                yield f"p{seat} propeller at={at[0]}/{at[1]}"
        for number, version in BUILDINGS if houses else ():
            yield from self.erections(seat, number, version)

    def ground_price(self, seat, shape):
        size = len(area((1, 1), shape))
        return size if size == 1 else max(0, size - len(self.has(seat, "ground_discount")))

    def erections(self, seat, number, version):
        mine, printed = self.cubes_of(seat), BUILDINGS[number, version]
        early = [tile for tile in self.has(seat, "future_building") if number < 6]
        standing = sum((house["number"], house["version"]) == (number, version) for house in self.houses)
        if (number > self.turn and not early) or standing >= printed["copies"]:
            return
        tile = 0 if number <= self.turn else early[0]
        spares = list(self.spares(seat, number, printed["cost"]))
        for at, shape in itertools.product(sorted(mine), WIDE):
            if len(area(at, shape)) != printed["size"] or not area(at, shape) <= mine:
                continue
            for spare, cube in itertools.product(spares, ("first", "second")):
                what = {"number": number, "version": version, "at": f"{at[0]}/{at[1]}", "shape": shape}
                yield self.text(seat, "build", **what, cube=cube, spare=spare, tile=tile)

    def spares(self, seat, number, cost):
        kind = {2: "discount_23", 3: "discount_23", 4: "discount_45", 5: "discount_45"}.get(number)
        saved = min(sum(cost), 2 * len(self.has(seat, kind))) if kind else 0
        mine = self.who[seat]["cubes"]
        for spare in itertools.product(*(range(n + 1) for n in cost)):
            if sum(spare) == saved and all(
                mine[colour] >= n - less for colour, n, less in zip(COLOURS, cost, spare, strict=True)
            ):
                yield ",".join(f"{c}:{n}" for c, n in zip(COLOURS, spare, strict=True) if n) or "none"

    # what is done

    def renown(self, seat, points):
        me = self.who[seat]
        for _ in range(points):
            me["prestige"] += 1
            if me["prestige"] % 10 == 0:
                me["population"] += VALUES["track"][me["step"]]

    def step(self, seat):
        self.who[seat]["step"] = min(self.who[seat]["step"] + 1, len(VALUES["track"]) - 1)

    def on_mat(self, seat, square, sign):
        for key, name in (("money", "money"), ("resources", "resources"), ("renown", "prestige")):
            self.who[seat][key] = min(36, self.who[seat][key] + sign * square.get(name, 0))

    def get_tile(self, seat, tile):
        if TILES[tile].get("prestige"):
            self.on_mat(seat, {"prestige": 1}, 1)
        kind, me = TILES[tile]["kind"], self.who[seat]
        if USES[kind] != "now":
            me["tiles"][tile] = False
        elif kind[:-1] in COLOURS:
            me["cubes"][kind[:-1]] += int(kind[-1])
        elif kind == "marker":
            self.step(seat)
        elif kind == "prestige7":
            self.renown(seat, 7)
        elif kind == "population2":
            me["population"] += 2
        else:
            me["aeros"] += int(kind[-1])

    def get_space(self, seat, space):
        if self.turn < 7:
            tile, self.market[space] = self.market[space], 0
            self.get_tile(seat, tile)
            return
        self.cubed[space] = seat
        me, printed = self.who[seat], VALUES["last_turn"][space - 1]
        if printed == "aeros":
            me["aeros"] += 8
        elif printed == "prestige":
            self.renown(seat, 4)
        elif printed == "population":
            me["population"] += 2
        else:
            self.todo.append(
                {"cubes": ["take", 4, 0, []], "aside": ["aside", 1, 0, []]}.get(printed, ["medium", 1, 0, []])
            )

    def did(self, text):
        who, tag, fields = words_of(text)
        seat = int(who[1:]) if who != "table" else 0
        getattr(self, f"do_{tag}")(seat, fields)
        self.flow()

    def do_set_up(self, _seat, fields):
        self.market = dict(enumerate(map(int, fields["market"].split(",")), start=1))
        self.phase = "drawing"
        self.stack = sum(tile.get("players", 2) <= self.n for tile in TILES.values()) - 16

    def do_draw_order(self, _seat, fields):
        self.order = [int(one) for one in fields["order"].split(",")]
        for k, seat in enumerate(self.order):
            self.who[seat]["aeros"] = 3 + k
        self.phase, self.now = "zeppelins", self.order[0]

    def do_refill(self, _seat, fields):
        tiles = [int(one) for one in fields["tiles"].split(",")]
        for space in range(1, 17):
            if not self.market[space] and tiles:
                self.market[space] = tiles.pop(0)
                self.stack -= 1
        self.phase, self.now = "zeppelins", self.order[0]

    def do_zeppelin(self, seat, fields):
        self.who[seat]["ship"] = fields["at"]
        k = self.order.index(seat) + 1
        if k < self.n:
            self.now = self.order[k]
        else:
            self.phase = "shopping"
            self.shop(self.order[0])

    def shop(self, seat):
        self.now = seat
        self.holes = sum(self.gone(space) for space in self.line(self.who[seat]["ship"]))

    def do_buy(self, seat, fields):
        self.who[seat]["aeros"] -= self.cost_in_line(seat, int(fields["space"]))
        self.get_space(seat, int(fields["space"]))

    def do_acquire(self, seat, fields):
        self.who[seat]["aeros"] -= 3
        self.todo.pop()
        self.get_space(seat, int(fields["space"]))

    def do_done(self, seat, _fields):
        if self.todo:
            self.todo.pop()
        elif self.phase == "shopping":
            self.sold(seat)
        else:
            self.next(seat)

    def sold(self, seat):
        self.who[seat]["aeros"] += self.holes * (2 if self.has(seat, "compensation") else 1)
        k = self.order.index(seat) + 1
        if k < self.n:
            self.shop(self.order[k])
        else:
            self.phase = "workers"
            self.next(self.order[-1])

    def do_place(self, seat, fields):
        space, workers = fields["space"], int(fields.get("workers", 1))
        special = fields.get("special") == "yes"
        if self.spot(seat, space).get("aero"):
            self.pay_spot(seat)
        same = COLOURS if space in COLOURS else [space]
        first = special and not any(s in same and star for s, _, _, star in self.spots)
        self.who[seat]["dark"] -= workers - special
        self.who[seat]["special"] -= special
        self.spots.append((space, seat, workers, special))
        self.placed = True
        getattr(self, f"on_{'colour' if space in COLOURS else space}")(seat, workers, first, space)

    def pay_spot(self, seat):
        tolls = [one for one in self.order if self.has(one, "toll")]
        if seat not in tolls:
            self.who[seat]["aeros"] -= 1
            for owner in tolls[:1]:
                self.who[owner]["aeros"] += 1

    def on_order(self, seat, _workers, first, _space):
        self.renown(seat, (self.order.index(seat) + 1) * first)

    def on_income(self, seat, workers, first, _space):
        self.who[seat]["aeros"] += workers + workers // 3 + 2 * first

    def on_colour(self, seat, workers, first, space):
        self.who[seat]["cubes"][space] += workers + first

    def on_construction(self, seat, workers, first, _space):
        self.renown(seat, 4 * first)
        self.todo.append(["construction", workers, workers, []])

    def on_territory(self, _seat, workers, first, _space):
        self.todo.append(["territory", workers, int(first), []])

    def on_garden(self, seat, _workers, first, _space):
        self.who[seat]["population"] += 2 * first
        self.todo.append(["garden", 1, 0, []])

    def on_acquire(self, _seat, _workers, first, _space):
        self.todo += [["acquire", 1, 0, []], *([["take", 1, 0, []]] if first else [])]

    def on_switch(self, _seat, _workers, first, _space):
        self.todo.append(["switch", 2 + first, 0, []])

    def one_less(self, count=1):
        self.todo[-1][1] -= count
        if self.todo[-1][1] <= 0 and self.todo[-1][2] <= 0:
            self.todo.pop()

    def do_terrain(self, seat, fields):
        shape = fields.get("shape", "single")
        if self.todo[-1][0] == "territory" and "free" in fields:
            self.todo[-1][2] -= 1
            self.one_less(0)
        elif self.todo[-1][0] == "territory":
            self.who[seat]["aeros"] -= self.ground_price(seat, shape)
            self.one_less({"single": 1, "square": 3}.get(shape, 2))
        else:
            self.one_less()
        for place in area(cell(fields["at"]), shape):
            self.grid[place] = ("cube", seat)

    def do_propeller(self, seat, fields):
        at = cell(fields["at"])
        self.who[seat]["aeros"] -= PROPELLERS[at]["price"]
        self.owners[at] = seat
        self.renown(seat, PROPELLERS[at]["prestige"])
        self.step(seat)
        self.one_less()

    def do_build(self, seat, fields):
        me, number = self.who[seat], int(fields["number"])
        printed = BUILDINGS[number, fields.get("version", "a")]
        spare = dict(part.split(":") for part in fields.get("spare", "").split(",") if part)
        for colour, count in zip(COLOURS, printed["cost"], strict=True):
            me["cubes"][colour] -= count - int(spare.get(colour, 0))
        if "tile" in fields:
            del me["tiles"][int(fields["tile"])]
        cells = area(cell(fields["at"]), fields.get("shape", "single"))
        house = {"number": number, "version": fields.get("version", "a"), "owner": seat, "at": cell(fields["at"]),
                 "cells": cells, "cube": fields.get("cube", "first"), "worker": False}  # fmt: skip
        self.houses.append(house)
        for place in cells:
            self.grid[place] = ("house", len(self.houses) - 1)
        self.sit(seat, house, 1)
        if number == self.turn:
            me["population"] += 2
            self.renown(seat, 3 * len(self.has(seat, "timely")))
        self.step(seat)
        self.todo[-1][2] -= 1
        self.one_less(0)

    def sit(self, seat, house, sign):
        square = BUILDINGS[house["number"], house["version"]]["squares"][house["cube"] == "second"]
        self.on_mat(seat, square, sign)
        if sign > 0 and square.get("worker") and not house["worker"] and self.who[seat]["extra"] < 3:
            self.who[seat]["extra"] += 1
            house["worker"] = True

    def do_garden(self, seat, fields):
        if self.todo[-1][0] == "garden":
            self.who[seat]["aeros"] -= 1
        self.grid[cell(fields["at"])] = ("garden",)
        self.one_less()

    def do_switch(self, seat, fields):
        house = next(one for one in self.houses if one["at"] == cell(fields["at"]))
        self.todo[-1][3].append(house["at"])
        self.sit(seat, house, -1)
        house["cube"] = {"first": "second", "second": "first"}[house["cube"]]
        self.sit(seat, house, 1)
        self.one_less()

    def do_take(self, seat, fields):
        self.who[seat]["cubes"][fields["colour"]] += int(fields.get("count", 1))
        self.one_less(int(fields.get("count", 1)))

    def do_pick(self, seat, fields):
        self.one_less()
        self.aside.remove(int(fields["tile"]))
        self.get_tile(seat, int(fields["tile"]))

    def do_convert(self, seat, fields):
        self.who[seat]["cubes"][fields["give"]] -= 1
        self.who[seat]["cubes"][fields["get"]] += 1
        self.one_less()

    def do_use(self, seat, fields):
        tile, me = int(fields["tile"]), self.who[seat]
        kind = TILES[tile]["kind"]
        if USES[kind] == "turn":
            me["tiles"][tile] = True
        else:
            del me["tiles"][tile]
        pay = {"small_aeros": (1, 2), "medium_aeros": (2, 3), "large_aeros": (4, 5)}.get(kind)
        if pay:
            mine = [house for house in self.houses if house["owner"] == seat and len(house["cells"]) == pay[0]]
            me["aeros"] += pay[1] * len(mine)
        else:
            new = {"convert": ["convert", 1], "two_spaces": ["spaces", 2], "medium_terrain": ["medium", 1],
                   "free_garden": ["free_garden", 1]}[kind]  # fmt: skip
            self.todo.append([*new, 0, []])

    # what follows by itself

    def flow(self):
        while self.phase != "end":
            if self.todo:
                if any(True for _ in self.of_todo(self.now)) or any(True for _ in self.usable(self.now)):
                    return
                self.todo.pop()
            elif self.phase == "shopping" and not any(True for _ in self.sales(self.now)):
                self.sold(self.now)
            elif self.phase == "workers" and self.placed and not any(True for _ in self.usable(self.now)):
                self.next(self.now)
            elif self.phase == "income":
                self.paid(self.now)
            else:
                return

    def next(self, seat):
        self.placed = False
        k = self.order.index(seat) + 1
        for other in self.order[k:] + self.order[:k]:
            if self.places(other):
                self.now = other
                return
        if self.turn == 7:
            self.finish()
        else:
            self.phase = "income"
            self.pay(self.order[0])

    def pay(self, seat):
        self.now = seat
        me = self.who[seat]
        me["aeros"] += me["money"]
        self.renown(seat, me["renown"])
        if me["resources"]:
            self.todo.append(["take", me["resources"], 0, []])

    def paid(self, seat):
        k = self.order.index(seat) + 1
        if k < self.n:
            self.pay(self.order[k])
            return
        front = list(dict.fromkeys(p for s, p, _, _ in self.spots if s == "order"))
        self.order = front + [one for one in self.order if one not in front]
        self.turn += 1
        self.spots = []
        for me in self.who.values():
            me.update(dark=5 + me["extra"], special=1, ship=None, tiles=dict.fromkeys(me["tiles"], False))
        if self.turn == 7:
            self.aside = {tile for tile in self.market.values() if tile}
            self.market = dict.fromkeys(range(1, 17), 0)
        self.phase, self.now = "zeppelins", self.order[0]
        if self.turn < 7 and self.stack and 0 in self.market.values():
            self.phase, self.now = "refill", 0

    def finish(self):
        self.phase, self.now = "end", 0
        for seat in self.order:
            me = self.who[seat]
            self.renown(seat, me["renown"])
            me["aeros"] += me["money"]
            cubes = sum(me["cubes"].values()) + me["resources"]
            if self.has(seat, "sets"):
                self.renown(seat, 3 * min(me["aeros"] // 5, cubes // 5))
            if self.has(seat, "population_tiles"):
                self.renown(seat, 3 * sum(TILES[tile]["kind"] in POPULATION_TILES for tile in me["tiles"]))
            for garden in [place for place, what in self.grid.items() if what == ("garden",)]:
                for house in self.houses:
                    if house["owner"] == seat and touches(house["cells"], {garden}, diagonally=False):
                        self.renown(seat, len(house["cells"]))
            for tile in me["tiles"]:
                if TILES[tile]["kind"] in POPULATION_TILES:
                    me["population"] += self.most(seat, TILES[tile]["kind"])

    def most(self, seat, kind):
        def size(length):
            return {p: sum(h["owner"] == p and len(h["cells"]) == length for h in self.houses) for p in self.who}

        counts = {
            "most_propellers": lambda: {p: sum(o == p for o in self.owners.values()) for p in self.who},
            "most_small": lambda: size(1),
            "most_medium": lambda: size(2),
            "most_large": lambda: size(4),
            "most_workers": lambda: {p: 6 + self.who[p]["extra"] for p in self.who},
            "most_sectors": lambda: {p: self.sectors(p) for p in self.who},
        }[kind]()
        mine, others = counts[seat], [count for p, count in counts.items() if p != seat]
        if kind == "most_large" and mine < 2:
            return -1
        return -1 if max(others) > mine else 3 if max(others) == mine else 4

    def sectors(self, seat):
        choices = []
        for house in self.houses:
            if house["owner"] != seat:
                continue
            votes = {}
            for x, y in house["cells"]:
                if x != 7 and y != 7:
                    votes[x > 7, y > 7] = votes.get((x > 7, y > 7), 0) + 1
            if votes:
                choices.append([sector for sector, n in votes.items() if n == max(votes.values())])
            else:
                xs = {x > 7 for x, _ in house["cells"] if x != 7} or {True, False}
                ys = {y > 7 for _, y in house["cells"] if y != 7} or {True, False}
                choices.append(list(itertools.product(xs, ys)))
        best = 0
        for chosen in itertools.product(*choices) if len(choices) < 9 else [[c for one in choices for c in one]]:
            best = max(best, len(set(chosen)))
        return best

    def winners(self):
        ranks = {seat: (me["population"], me["prestige"] % 10) for seat, me in self.who.items()}
        return [seat for seat, rank in ranks.items() if rank == max(ranks.values())]


FIRST = ("take", "aside", "medium", "spaces", "convert", "free_garden")
