"""Comeback City once more, written from the rulebook without the engine: what may be done, and what follows.

It reads the deck file and positions as plain JSON. It tries every line that anybody could write down, and asks one
question of each. Nothing is fast here and nothing is clever.
"""

import copy
import itertools

COLUMNS, GAPS, ROOF = range(1, 7), range(1, 6), 14
ZONES = ("residential", "commercial", "industrial", "government")
EMPTY = {
    "deck": [],
    "discard_pile": [],
    "gone": [],
    "hand": [],
    "current": "",
    "passed": [],
    "discarded": [],
    "demolished": [],
    "plant_works": True,
    "broken_lines": [],
    "broken_roads": [],
    "bonuses": [],
    "disaster": "",
    "resolved": False,
    "rolled": [],
    "centre": None,
    "steps": 0,
    "meteors": [],
    "bird": None,
    "hunger": 0,
    "due": 0,
    "action_points": 0,
    "saved": [0, 0, 0, 0],
    "crew_used": False,
    "built": False,
    "freed": 0,
    "guard_placed": False,
    "phase": "setup",
}
CARD = {"counters": 0, "rubble": False, "occupied": False, "guarded": False, "freed": False, "under": ""}
RULINGS = {
    "goal_and_points": False,
    "own_opportunity_pays": False,
    "discards_feed_pool": True,
    "empty_places_are_rolled_again": True,
    "discards_join_reshuffle": False,
    "limit_holds_in_rebuild": True,
    "occupied_buildings_score": True,
    "guard_comes_with_building": False,
}


def at(place):
    column, row = map(int, place.split("/"))
    return column, row


def name(place):
    return f"{place[0]}/{place[1]}"


def fields(line):
    words = line.split(" ")
    return words[1], dict(word.split("=") for word in words[2:])


def items(text):
    return [] if text == "none" else text.split(",")


class BruteForce:
    def __init__(self, deck):
        self.deck = deck
        self.cards = {card["id"]: card for card in deck["buildings"]}
        self.bonus_cards = {card["id"]: card for card in deck["bonuses"]}
        self.faces = {card["id"]: card["effect"] for card in deck["meteors"]}

    # positions

    def read(self, position):
        state = copy.deepcopy(EMPTY) | copy.deepcopy(position)
        state["rulings"] = RULINGS | state.pop("options", {}).get("rulings", {})
        state["city"] = {at(card["at"]): CARD | card for card in state.get("city", [])}
        state["bonuses"] = [{"completed": False, "used": ""} | bonus for bonus in state["bonuses"]]
        for card in state["city"].values():
            del card["at"]
        return state

    def same(self, state, position):
        """Where a state differs from a position of the engine; empty if it does not."""
        other = self.read(position)
        return {key: (state[key], other[key]) for key in other if state[key] != other[key]}

    # what the rulebook calls things

    def zone(self, card):
        return self.cards[card["card"]]["zone"]

    def standing(self, s):
        return {place: card for place, card in s["city"].items() if not card["rubble"]}

    def adjacent(self, s, one, other):
        apart, higher = abs(one[0] - other[0]), abs(one[1] - other[1])
        if (apart, higher) == (0, 0) or apart > 1 or higher > 1:
            return False
        return apart == 0 or min(one[0], other[0]) not in s["broken_roads"]

    def has_power(self, s, place):
        column, row = place
        lines = {column - 1, column} & set(GAPS)
        below = all((column, lower) in s["city"] for lower in range(4, row))
        return s["plant_works"] and below and not lines & set(s["broken_lines"])

    def bonus_points(self, s, place):
        rule = self.cards[s["city"][place]["card"]].get("conditional")
        if rule is None or not self.has_power(s, place):
            return 0
        there = self.standing(s)
        if "adjacent" in rule["kind"]:
            beside = [there[other] for other in there if self.adjacent(s, place, other)]
            near = [card for card in beside if self.zone(card) == rule["zone"]]
            return len(near[: rule.get("most", 1)]) * rule["points"]
        if rule["kind"] == "restaurant":
            return rule["points"] * any(self.cards[card["card"]].get("restaurant", False) for card in there.values())
        if rule["kind"] == "tallest":
            mine = self.cards[s["city"][place]["card"]]["stories"]
            return rule["points"] * all(self.cards[card["card"]]["stories"] <= mine for card in there.values())
        return 0

    def has(self, s, helper):
        if helper == "maintenance_crew" and s["crew_used"]:
            return False
        return any(b["used"] == "helper" and self.bonus_cards[b["card"]]["helper"] == helper for b in s["bonuses"])

    def materials(self, s, passed_too, new_building):
        pool = dict.fromkeys(self.deck["resources"], 0)
        cards = s["passed"] + (s["demolished"] if new_building else [])
        if s["rulings"]["discards_feed_pool"] and not s["built"]:
            cards = cards + s["discarded"]
        if passed_too and s["current"]:
            cards = [*cards, s["current"]]
        for card in cards:
            for resource, units in self.cards[card]["opportunity"].items():
                pool[resource] += units
        return pool

    def cuts(self, s):
        less = dict.fromkeys(self.deck["resources"], 0)
        if s["phase"] == "rebuild":
            for place, card in self.standing(s).items():
                rule = self.cards[card["card"]].get("conditional", {})
                if rule.get("kind") == "reduction" and self.has_power(s, place):
                    less[rule["resource"]] += 1
        return less

    def pays(self, s, cost, *, passed_too, cuts, new_building=False):
        pool, less = self.materials(s, passed_too, new_building), self.cuts(s) if cuts else {}
        return all(pool[resource] >= units - less.get(resource, 0) for resource, units in cost.items())

    def current_paid(self, s, *, cuts):
        own = s["rulings"]["own_opportunity_pays"]
        if not s["current"]:
            return False
        if not self.pays(s, self.cards[s["current"]]["cost"], passed_too=own, cuts=cuts, new_building=True):
            return False
        return any(self.may_stand(s, place) for place in itertools.product(COLUMNS, range(4, ROOF)))

    def must_decide(self, s):
        return self.current_paid(s, cuts=False)

    def may_stand(self, s, place):
        column, row = place
        there = s["city"].get(place)
        if there is not None:
            return there["rubble"] and s["phase"] == "rebuild"
        bird = at(s["bird"]) if s["bird"] else None
        if bird in {place, (column, row - 1)}:
            return False
        cards = [*s["city"], *([bird] if bird else [])]
        top = max((other[1] for other in cards if other[0] == column), default=3) + 1
        if row > top or row < 4 or (s["phase"] == "build" and row != top):
            return False
        if s["phase"] == "rebuild" and not s["rulings"]["limit_holds_in_rebuild"]:
            return True
        counts = {c: sum(other[0] == c for other in s["city"]) + (c == column) for c in COLUMNS}
        return counts[column] <= min(counts.values()) + 3

    def discards_allowed(self, s):
        return 3 if self.has(s, "planning_commission") else 2

    def used_discards(self, s):
        return 0 if s["built"] else len(s["discarded"])

    def flippable(self, s):
        if s["deck"]:
            return sorted(s["deck"])
        return sorted(s["discard_pile"] + (s["discarded"] if s["built"] else []))

    def tallest(self, s):
        targets = {p: self.cards[c["card"]]["stories"] for p, c in self.standing(s).items() if not c["guarded"]}
        return {place for place, stories in targets.items() if stories == max(targets.values())}

    def free_helpers(self, s):
        taken = {self.bonus_cards[b["card"]]["helper"] for b in s["bonuses"] if b["used"] == "helper"}
        return {b["card"] for b in s["bonuses"] if self.bonus_cards[b["card"]]["helper"] not in taken}

    def open_bonuses(self, s):
        return [b["card"] for b in s["bonuses"] if b["completed"] and not b["used"]]

    # dice and what they hit

    def parts(self, place):
        column, row = place
        sides = {column - 1, column} & set(GAPS)
        return {1: {("plant", 0)}, 2: {("line", k) for k in sides}, 3: {("road", k) for k in sides}}.get(row, set())

    def meant(self, s):
        if not s["rolled"]:
            return set()
        blue, white = s["rolled"]
        return {place for place in ((blue, white), (white, blue)) if self.may_be_hit(s, place)}

    def may_be_hit(self, s, place):
        if s["rulings"]["empty_places_are_rolled_again"] and place[1] >= 4 and place not in s["city"]:
            return False
        lying = [at(meteor) for meteor in s["meteors"]]
        return place not in lying and not any(self.parts(place) & self.parts(other) for other in lying)

    def quake(self, s):
        if s["centre"] is None:
            return None
        column, row = at(s["centre"])
        rings = [(0, 1), (1, 0), (0, 2), (2, 0), (0, 3), (3, 0)]
        for step, (dx, dy) in enumerate(rings, start=1):
            both = {(column + dx, row + dy), (column - dx, row - dy)}
            hit = {place for place in both if place in self.standing(s)}
            if step > s["steps"] and hit:
                return step, hit
        return None

    # questions: may this line be played?

    def decisions(self, s):
        phase = s["phase"]
        if phase == "setup":
            return {"table set_up"}
        if phase == "end":
            return set()
        return {f"p1 {line}" for line in self.lines() if self.may(s, line)} | self.named(s)

    def lines(self):
        yield from ("flip", "throw_out", "strike", "roll", "shake", "turn_up", "rebuild", "finish")
        yield from (f"severity level={level}" for level in range(-1, 9))
        yield from ("repair part=plant", "mend parts=roads", "mend parts=lines")
        for number in GAPS:
            yield from (f"repair part={part} number={number}" for part in ("line", "road"))
        for column, row in itertools.product(COLUMNS, range(1, ROOF)):
            for verb in ("occupy", "target", "trample", "free", "demolish", "guard", "restore"):
                yield f"{verb} at={column}/{row}"

    def named(self, s):
        found = set()
        if s["phase"] == "laying":
            for card, column in itertools.product(s["hand"], COLUMNS):
                row = 4 + sum(place[0] == column for place in s["city"])
                found.add(f"p1 lay card={card} at={column}/{row}")
        if self.constructing(s) and s["current"] and self.current_paid(s, cuts=True):
            card = s["current"]
            for column, row in itertools.product(COLUMNS, range(4, ROOF)):
                if self.may_stand(s, (column, row)):
                    found.add(f"p1 build card={card} at={column}/{row}")
            if self.used_discards(s) < self.discards_allowed(s):
                found.add(f"p1 discard card={card}")
        found |= self.rewards(s)
        posts = [place for place, card in s["city"].items() if card["guarded"]]
        for place, post in itertools.product(s["city"], posts):
            if self.may_guard(s, place, moved=True):
                found.add(f"p1 guard at={name(place)} moved_from={name(post)}")
        return found

    def rewards(self, s):
        if s["phase"] not in {"disaster", "rebuild"} or not s["disaster"] or s["rolled"] or s["due"]:
            return set()
        open_ones = set(self.open_bonuses(s))
        with_helper = {f"p1 claim bonus={bonus} reward=helper" for bonus in open_ones & self.free_helpers(s)}
        return {f"p1 claim bonus={bonus} reward=point" for bonus in open_ones} | with_helper

    def constructing(self, s):
        if s["phase"] == "build":
            return True
        return s["phase"] == "rebuild" and s["action_points"] > 0 and not s["due"]

    def may(self, s, line):
        verb, words = fields(f"p1 {line}")
        return getattr(self, f"may_{verb}")(s, **{k: at(v) if k == "at" else v for k, v in words.items()})

    def may_flip(self, s):
        return self.constructing(s) and not self.must_decide(s) and bool(self.flippable(s))

    def may_throw_out(self, s):
        return s["phase"] == "rebuild" and s["built"] and bool(s["discarded"]) and not s["due"]

    def may_strike(self, s):
        return s["phase"] == "disaster" and not s["disaster"]

    def in_disaster(self, s, *kinds):
        return s["phase"] == "disaster" and s["disaster"] in kinds

    def may_roll(self, s):
        if s["rolled"] or s["resolved"]:
            return False
        return self.in_disaster(s, "earthquake") or (self.in_disaster(s, "meteors") and len(s["meteors"]) < 6)

    def may_target(self, s, at):
        return self.in_disaster(s, "earthquake", "meteors") and at in self.meant(s)

    def may_shake(self, s):
        return self.in_disaster(s, "earthquake") and self.quake(s) is not None

    def may_turn_up(self, s):
        return self.in_disaster(s, "meteors") and bool(s["meteors"]) and not s["rolled"] and not s["resolved"]

    def may_severity(self, s, level):
        ready = self.in_disaster(s, "hurricane") or (self.in_disaster(s, "giant_bird") and s["bird"] is not None)
        return ready and not s["resolved"] and 0 <= int(level) <= 7

    def may_occupy(self, s, at):
        homes = {
            place: self.cards[card["card"]]["points"]
            for place, card in self.standing(s).items()
            if self.zone(card) == "residential" and not card["occupied"]
        }
        return self.in_disaster(s, "aliens") and at in homes and homes[at] == max(homes.values())

    def may_trample(self, s, at):
        first = self.in_disaster(s, "giant_bird") and s["bird"] is None
        return (first or s["due"] > 0) and at in self.tallest(s)

    def may_rebuild(self, s):
        if s["phase"] != "disaster" or not s["disaster"] or s["rolled"]:
            return False
        return s["resolved"]

    def rebuilding(self, s):
        return s["phase"] == "rebuild" and s["action_points"] > 0 and not s["due"]

    def may_repair(self, s, part, number="0"):
        broken = {"line": s["broken_lines"], "road": s["broken_roads"]}
        is_broken = not s["plant_works"] if part == "plant" else int(number) in broken[part]
        cost = self.deck["infrastructure"][part]
        paid = self.pays(s, cost, passed_too=True, cuts=False)
        return self.rebuilding(s) and is_broken and paid and not self.must_decide(s)

    def may_restore(self, s, at):
        ruin = s["city"].get(at)
        if not self.rebuilding(s) or ruin is None or not ruin["rubble"] or self.must_decide(s):
            return False
        return self.pays(s, self.cards[ruin["card"]]["cost"], passed_too=True, cuts=True)

    def may_mend(self, s, parts):
        return self.rebuilding(s) and self.has(s, "maintenance_crew") and bool(s[f"broken_{parts}"])

    def may_free(self, s, at):
        card = s["city"].get(at)
        if s["phase"] != "rebuild" or s["due"] or not s["built"] or card is None or not card["occupied"]:
            return False
        price = -(-self.cards[card["card"]]["points"] // 2) if s["freed"] else 0
        return self.has(s, "defense_agency") and price <= s["action_points"]

    def may_demolish(self, s, at):
        there = at in self.standing(s)
        return self.rebuilding(s) and self.has(s, "engineering_corps") and there and not self.must_decide(s)

    def may_guard(self, s, at, moved=False):
        card = s["city"].get(at)
        if s["phase"] != "rebuild" or not self.has(s, "national_guard") or card is None:
            return False
        if card["rubble"] or card["guarded"]:
            return False
        if s["rulings"]["guard_comes_with_building"]:
            timely = s["built"] and not s["guard_placed"]
        else:
            timely = s["action_points"] > 0 and not s["due"]
        return timely and (moved or sum(other["guarded"] for other in s["city"].values()) < 4)

    def may_finish(self, s):
        if s["phase"] not in {"build", "rebuild"} or s["due"]:
            return False
        if not self.flippable(s) and not self.must_decide(s):
            return True
        return s["phase"] == "rebuild" and (s["action_points"] == 0 or self.is_won(s))

    # points and goals

    def total(self, s, zone=None):
        there = sum(card["counters"] for card in s["city"].values() if zone in {None, self.zone(card)})
        return there + (sum(s["saved"]) if zone is None else s["saved"][ZONES.index(zone)])

    def goal(self, s):
        there, kind = self.standing(s), s["disaster"]
        if kind == "aliens":
            homes = [card for card in there.values() if self.zone(card) == "residential"]
            free = [card for card in homes if not card["occupied"]]
            return len(free) > len(homes) - len(free) and self.total(s, "residential") >= 25
        if kind == "earthquake":
            height = {card: entry["stories"] for card, entry in self.cards.items()}
            over = [card for card in s["city"].values() if card["under"]]
            covered = all(height[card["card"]] > height[card["under"]] for card in over)
            return covered and len(there) == len(s["city"]) and self.total(s, "commercial") >= 25
        if kind == "hurricane":
            return self.total(s) >= 60
        if kind == "meteors":
            columns = sorted({place[0] for place in there})
            roads = set(range(columns[0], columns[-1])) if columns else {0}
            joined = bool(columns) and not roads & set(s["broken_roads"])
            return joined and self.total(s, "government") >= 25
        if kind == "giant_bird":
            return self.six_industries(s) and self.total(s, "industrial") >= 25
        return False

    def six_industries(self, s):
        places = [place for place, card in self.standing(s).items() if self.zone(card) == "industrial"]
        group = {place: {place} for place in places}
        for one, other in itertools.combinations(places, 2):
            if self.adjacent(s, one, other):
                joined = group[one] | group[other]
                for place in joined:
                    group[place] = joined
        return any(len(there) >= 6 for there in group.values())

    def is_won(self, s):
        enough, goal = self.total(s) >= 65, self.goal(s)
        return (enough and goal) if s["rulings"]["goal_and_points"] else (enough or goal)

    def termination(self, s):
        if s["phase"] != "end":
            return None
        if not self.is_won(s):
            return "lost"
        return "goal" if self.goal(s) else "points"

    # what follows

    def after(self, state, line):
        s = copy.deepcopy(state)
        verb, words = fields(line)
        getattr(self, f"do_{verb}")(s, **{k: at(v) if k in {"at", "moved_from"} else v for k, v in words.items()})
        self.consequences(s)
        return s

    def consequences(self, s):
        for bonus in s["bonuses"]:
            bonus["completed"] = bonus["completed"] or self.completes(s, self.bonus_cards[bonus["card"]])
        while s["due"] and not self.tallest(s):
            self.counter_gone(s)
        idle = s["phase"] == "rebuild" and s["action_points"] == 0 and not s["due"]
        could = any(self.may_free(s, place) for place in s["city"]) and not s["freed"]
        if idle and not could and not self.open_bonuses(s):
            s["phase"] = "end"

    def completes(self, s, bonus):
        there = {place: card for place, card in self.standing(s).items() if self.zone(card) == bonus["zone"]}
        number = bonus["number"]
        if bonus["condition"] == "buildings":
            return len(there) >= number
        if bonus["condition"] == "stories":
            return any(self.cards[card["card"]]["stories"] >= number for card in there.values())
        if bonus["condition"] == "columns":
            return len({place[0] for place in there}) >= number
        groups = itertools.combinations(there, number)
        return any(all(self.adjacent(s, *two) for two in itertools.combinations(group, 2)) for group in groups)

    def do_set_up(self, s, bonuses, redrawn, row, hand):
        del redrawn
        s["phase"] = "laying"
        s["bonuses"] = [{"card": card, "completed": False, "used": ""} for card in items(bonuses)]
        s["city"] = {(k, 4): CARD | {"card": card} for k, card in enumerate(items(row), start=1)}
        s["hand"] = sorted(items(hand))
        s["deck"] = [card for card in s["deck"] if card not in items(row) + items(hand)]

    def do_lay(self, s, card, at):
        s["hand"].remove(card)
        s["city"][at] = CARD | {"card": card}
        s["phase"] = "laying" if s["hand"] else "build"

    def do_flip(self, s, card):
        if s["current"]:
            s["passed"].append(s["current"])
        if s["built"]:
            s["discard_pile"], s["discarded"] = sorted(s["discard_pile"] + s["discarded"]), []
        if not s["deck"]:
            s["deck"], s["discard_pile"] = s["discard_pile"], []
        s["deck"].remove(card)
        s |= {"current": card, "built": False, "freed": 0, "guard_placed": False}

    def do_discard(self, s, card):
        s["discarded"].append(card)
        s["current"] = ""

    def do_build(self, s, card, at):
        ruin = s["city"].get(at)
        s["city"][at] = CARD | {"card": card, "under": ruin["card"] if ruin else ""}
        s["current"] = ""
        self.constructed(s, at)

    def do_restore(self, s, at):
        s["city"][at]["rubble"] = False
        self.constructed(s, at)

    def tidy(self, s, *, keep):
        pile = s["discard_pile"] + s["passed"] + ([s["current"]] if s["current"] else [])
        if not keep or s["built"]:
            pile, s["discarded"] = pile + s["discarded"], []
        s |= {"discard_pile": sorted(pile), "passed": [], "current": "", "demolished": []}

    def constructed(self, s, place):
        self.tidy(s, keep=s["phase"] == "rebuild")
        if s["phase"] == "build":
            if len(s["city"]) == 16:
                s |= {"phase": "disaster", "action_points": 8}
            return
        s |= {"built": True, "freed": 0, "guard_placed": False}
        s["city"][place]["counters"] += self.cards[s["city"][place]["card"]]["points"] + self.bonus_points(s, place)
        taken = [p for p, card in s["city"].items() if card["occupied"]]
        for other, card in s["city"].items():
            near = any(self.adjacent(s, other, p) for p in taken)
            if near and self.zone(card) == "residential" and not card["guarded"] and not card["rubble"]:
                card["occupied"] = True
        self.pay(s, 1)

    def pay(self, s, points):
        s["action_points"] -= points
        if s["bird"] is not None:
            s["due"] = min(s["hunger"], s["due"] + points)

    def do_repair(self, s, part, number="0"):
        self.tidy(s, keep=False)
        s |= {"built": False, "freed": 0, "guard_placed": False}
        if part == "plant":
            s["plant_works"] = True
        else:
            s[f"broken_{part}s"].remove(int(number))
        self.pay(s, 1)

    def do_throw_out(self, s):
        s["gone"], s["discarded"] = sorted(s["gone"] + s["discarded"]), []

    def do_strike(self, s, disaster):
        s["disaster"] = disaster
        homes = [card for card in self.standing(s).values() if self.zone(card) == "residential"]
        s["resolved"] = disaster == "aliens" and not homes

    def do_occupy(self, s, at):
        s["action_points"] += s["resolved"]
        s["city"][at]["occupied"] = True
        s["resolved"] = True

    def do_roll(self, s, blue, white):
        s["rolled"] = [int(blue), int(white)]
        if not self.meant(s):
            s["rolled"] = []

    def do_target(self, s, at):
        s["rolled"] = []
        if s["disaster"] == "meteors":
            s["action_points"] += bool(s["meteors"])
            s["meteors"].append(name(at))
            return
        s |= {"centre": name(at), "resolved": True}
        self.hit(s, at, destroy=False)

    def hit(self, s, place, *, destroy):
        for part, number in self.parts(place):
            if part == "plant":
                s["plant_works"] = False
            else:
                s[f"broken_{part}s"] = sorted({*s[f"broken_{part}s"], number})
        if place in s["city"]:
            if destroy:
                self.leave(s, place)
            else:
                s["city"][place] |= {"rubble": True, "counters": 0}

    def leave(self, s, place):
        card = s["city"].pop(place)
        s["gone"] = sorted([*s["gone"], card["card"], *([card["under"]] if card["under"] else [])])

    def do_shake(self, s):
        s["steps"], places = self.quake(s)
        for place in places:
            self.hit(s, place, destroy=False)
        s["action_points"] += 1

    def do_severity(self, s, level):
        level = int(level)
        s["resolved"] = True
        s["action_points"] += level
        if s["disaster"] == "giant_bird":
            s["hunger"] = level
            return
        s["plant_works"] = False
        if self.deck["infrastructure"].get("stories", 0) < level:
            s["broken_lines"], s["broken_roads"] = list(GAPS), list(GAPS)
        for place, card in list(s["city"].items()):
            stories = self.cards[card["card"]]["stories"]
            if stories <= level:
                self.hit(s, place, destroy=stories < level)

    def do_turn_up(self, s, meteors):
        s["resolved"] = True
        destroyed, rubble = set(), set()
        for place, face in zip(map(at, s["meteors"]), (self.faces[card] for card in items(meteors)), strict=True):
            column, row = place
            for dx, dy in itertools.product((-1, 0, 1), repeat=2):
                there = (column + dx, row + dy)
                if there[0] not in COLUMNS or there[1] < 1:
                    continue
                reached = {
                    "target": (dx, dy) == (0, 0),
                    "rubble": False,
                    "dud": False,
                    "up_and_down": dx == 0,
                    "left_and_right": dy == 0,
                    "all_adjacent": True,
                }[face]
                destroyed |= {there} if reached else set()
            rubble |= {place} if face == "rubble" else set()
        for place in sorted(destroyed):
            self.hit(s, place, destroy=True)
        for place in sorted(rubble - destroyed):
            self.hit(s, place, destroy=False)

    def do_trample(self, s, at):
        self.leave(s, at)
        if s["due"]:
            self.counter_gone(s)
        else:
            s["bird"] = name(at)

    def counter_gone(self, s):
        s["hunger"] -= 1
        s["due"] -= 1
        if not s["hunger"]:
            self.bird_leaves(s)

    def bird_leaves(self, s):
        s |= {"bird": None, "due": 0}
        for card in self.standing(s).values():
            card["counters"] += self.cards[card["card"]].get("restaurant", False)

    def do_rebuild(self, s):
        s["phase"] = "rebuild"
        for card in self.standing(s).values():
            if s["rulings"]["occupied_buildings_score"] or not card["occupied"]:
                card["counters"] += self.cards[card["card"]]["points"]
        if s["rulings"]["discards_join_reshuffle"]:
            s["deck"], s["discard_pile"] = sorted(s["deck"] + s["discard_pile"]), []
        if s["bird"] is not None and not s["hunger"]:
            self.bird_leaves(s)

    def do_claim(self, s, bonus, reward):
        next(card for card in s["bonuses"] if card["card"] == bonus)["used"] = reward
        s["action_points"] += reward == "point"

    def do_mend(self, s, parts):
        s |= {f"broken_{parts}": [], "crew_used": True}
        self.pay(s, 1)

    def do_free(self, s, at):
        card = s["city"][at]
        points = self.cards[card["card"]]["points"]
        first = 0 if card["freed"] else points
        card |= {"occupied": False, "freed": True, "counters": card["counters"] + first}
        price = -(-points // 2) if s["freed"] else 0
        s["freed"] += 1
        self.pay(s, price)

    def do_demolish(self, s, at):
        card = s["city"].pop(at)
        s["saved"][ZONES.index(self.zone(card))] += card["counters"]
        s["gone"] = sorted([*s["gone"], card["card"]])
        s["demolished"].append(card["card"])
        if card["under"]:
            s["city"][at] = CARD | {"card": card["under"], "rubble": True}

    def do_guard(self, s, at, moved_from=None):
        s["city"][at]["guarded"] = True
        if moved_from:
            s["city"][moved_from]["guarded"] = False
        s["guard_placed"] = True
        self.pay(s, 0 if s["rulings"]["guard_comes_with_building"] else 1)

    def do_finish(self, s):
        s["phase"] = "end"

    # counting

    def count(self, state, depth, outcomes):
        """How many sequences of filled-in actions there are; `outcomes(state, line)` gives the ways of a decision."""
        if depth == 0:
            return 1
        filled = (one for line in sorted(self.decisions(state)) for one in outcomes(state, line))
        return sum(self.count(self.after(state, one), depth - 1, outcomes) for one in filled)
