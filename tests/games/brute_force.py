"""MegaCity once more, from the list of rules, for nothing but to hold the engine against.

Plain dicts and loops, nothing imported from citytable: the state is read from a position's JSON line, actions are lines
of notation. `legal_lines` tries every action there could be against `refused`, which goes through the rules one after
another; `after` does what the rules say. Default rulings only.
"""

import copy
import itertools
import json

TYPES = ["public", "industrial", "commercial", "residential"]
KINDS = ["steel", "concrete", "glass"]
STEPS = [(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)]
HEXES = [(q, r) for q in range(-4, 5) for r in range(-4, 5)]  # more than the city has: R25 must refuse the rest


def size(hand):
    return sum(hand.values())


def read_hex(text):
    return tuple(int(part) for part in text.split("/"))


def read_pieces(text):
    hand = dict.fromkeys([*KINDS, "unknown"], 0)
    if text not in ("none", None):
        for part in text.split(","):
            name, count = part.split(":")
            hand[name] = int(count)
    return hand


def read_face(text):
    number, kind = text.split("/")
    return (int(number), kind)


def far(at):
    return max(abs(at[0]), abs(at[1]), abs(at[0] + at[1]))


def touching(one, other):
    return (one[0] - other[0], one[1] - other[1]) in STEPS


class BruteForce:
    """The deck, as its JSON file has it."""

    def __init__(self, deck):
        self.cards = {card["id"]: card for card in deck["contracts"]}
        self.tiles = {tile["number"]: tile["types"] for tile in deck["platforms"]}

    # --- the state ---------------------------------------------------------------------------------------------

    def load(self, line):
        raw = json.loads(line)
        options = raw["options"]
        faces = lambda names: [read_face(name) if name else None for name in names]  # noqa: E731  four times below
        return {
            "players": options.get("players", 3),
            "simplified": options.get("simplified", False),
            "phase": raw.get("phase", "setup"),
            "turn": raw.get("turn", 0),
            "player": raw.get("player", 0),
            "used": raw.get("actions_used", 0),
            "delivered": read_hex(raw["delivered_at"]) if raw.get("delivered_at") else None,
            "columns": raw.get("columns", [[], [], [], []]),
            "landmarks": raw.get("landmarks", []),
            "landmarks_open": raw.get("landmarks_open", False),
            "supply": faces(raw.get("supply", [])),
            "stack": faces(raw.get("stack", [])),
            "returned": [faces(group) for group in raw.get("returned", [])],
            "bag": raw.get("bag", 0),
            "box": raw.get("box", 0),
            "left": raw.get("left_in_city", 0),
            "seats": [
                {
                    "pieces": read_pieces(seat.get("pieces", "none")),
                    "contracts": seat.get("contracts", []),
                    "platforms": faces(seat.get("platforms", [])),
                    "completed": seat.get("completed", []),
                    "tokens": seat.get("tokens", 0),
                    "park": seat.get("park", True),
                }
                for seat in raw.get("players", [])
            ],
            "buildings": [
                {
                    "at": read_hex(there["at"]),
                    "face": read_face(there["face"]),
                    "owner": there["owner"],
                    "contract": there["contract"],
                    "pieces": read_pieces(there["pieces"]),
                    "height": there["height_mm"],
                    "standing": there.get("standing", True),
                }
                for there in raw.get("buildings", [])
            ],
            "parks": [
                {
                    "at": read_hex(park["at"]),
                    "owner": park.get("owner"),
                    "monument": read_pieces(park["monument"]) if park.get("monument") else None,
                }
                for park in raw.get("parks", [])
            ],
            "tallest": read_hex(raw["tallest"]) if raw.get("tallest") else None,
            "final": raw.get("final", ""),
            "final_turns": raw.get("final_turns", []),
            "decisions": raw.get("decisions", []),
            "deciding": raw.get("deciding", False),
        }

    # --- actions as text ---------------------------------------------------------------------------------------

    def parse(self, line):
        who, verb, *words = line.split(" ")
        action = dict(word.split("=") for word in words)
        action["who"] = int(who[1:]) if who != "table" else None
        action["do"] = verb
        return action

    def universe(self, state):
        """Every decision anybody could name, as lines."""
        yield "table set_up"
        for seat in range(1, 5):
            yield from (f"p{seat} {verb}" for verb in ("end_turn", "recycle", "refresh", "return_pieces"))
            yield f"p{seat} place_central_park_monument"
            yield f"p{seat} take_pieces"
            yield from (f"p{seat} take_pieces announced={kind}" for kind in KINDS)
            yield from (f"p{seat} reorganise column={kind}" for kind in TYPES)
            yield from (f"p{seat} take_contract contract={card}" for card in self.cards)
            for tile in self.tiles:
                yield f"p{seat} take_platform platform={tile}"
                yield f"p{seat} rezone platform={tile}"
            for q, r in HEXES:
                yield f"p{seat} place_park at={q}/{r}"
                yield f"p{seat} place_monument park={q}/{r}"

    def deliveries(self, state):
        """Every delivery anybody could name; the hexes of a card and a tile that can never do are left out."""
        for seat, card, tile in itertools.product(range(1, 5), self.cards, self.tiles):
            for at in HEXES:
                line = f"p{seat} deliver contract={card} platform={tile} at={at[0]}/{at[1]}"
                yield line
                if self.refused_whatever_hex(state, self.parse(line)):
                    break

    def legal_lines(self, state):
        lines = itertools.chain(self.universe(state), self.deliveries(state))
        return {line for line in lines if not self.refused(state, self.parse(line))}

    # --- the rules ---------------------------------------------------------------------------------------------

    def limit(self, state):
        return 3 if state["players"] == 2 else 2

    def refused(self, state, action):
        """The number of the first rule that refuses the decision, or None."""
        verb = action["do"]
        if verb == "set_up":
            return None if state["phase"] == "setup" else "R2"
        if state["phase"] in ("setup", "end"):
            return "R41"
        if action["who"] != state["player"]:
            return "R7"
        return getattr(self, f"refused_{verb}")(state, action, state["seats"][action["who"] - 1])

    def no_standard_action(self, state):
        return state["phase"] != "main" or state["deciding"] or state["used"] >= self.limit(state)

    def refused_take_contract(self, state, action, me):
        if self.no_standard_action(state):
            return "R7"
        card = self.cards[action["contract"]]
        if card["landmark"]:
            if state["simplified"] or not state["landmarks_open"] or action["contract"] not in state["landmarks"]:
                return "R38"
            return "R39" if me["contracts"] else None
        if not any(column and column[0] == action["contract"] for column in state["columns"]):
            return "R8"
        return "R8" if len(me["contracts"]) >= self.limit(state) else None

    def refused_take_platform(self, state, action, me):
        if self.no_standard_action(state):
            return "R7"
        if int(action["platform"]) not in [number for number, _ in state["supply"]]:
            return "R9"
        return "R9" if len(me["platforms"]) >= self.limit(state) else None

    def refused_take_pieces(self, state, action, me):
        if self.no_standard_action(state):
            return "R7"
        if state["final"] == "bag_out":
            return "A35"
        return "R44" if state["bag"] == 0 and state["final"] else None

    def refused_rezone(self, state, action, me):
        if self.no_standard_action(state):
            return "R7"
        return None if int(action["platform"]) in [number for number, _ in me["platforms"]] else "R12"

    def refused_refresh(self, state, action, me):
        if self.no_standard_action(state):
            return "R7"
        return None if state["supply"] or state["stack"] else "A4"

    def refused_reorganise(self, state, action, me):
        if self.no_standard_action(state):
            return "R7"
        return None if state["columns"][TYPES.index(action["column"])] else "R14"

    def refused_return_pieces(self, state, action, me):
        return None if size(me["pieces"]) > 15 else "R11"

    def refused_end_turn(self, state, action, me):
        if state["deciding"] and state["phase"] == "main":
            return "R41"
        return "R11" if size(me["pieces"]) > 15 else None

    def refused_recycle(self, state, action, me):
        return None if state["deciding"] and state["phase"] == "main" else "R41"

    def refused_whatever_hex(self, state, action):
        """A delivery that no hex makes legal."""
        if state["phase"] != "main" or state["used"] or action["who"] != state["player"]:
            return "R7"
        me = state["seats"][action["who"] - 1]
        card = self.cards[action["contract"]]
        if action["contract"] not in me["contracts"]:
            return "R24"
        if state["deciding"] and not card["landmark"]:
            return "R43"
        up = [kind for number, kind in me["platforms"] if number == int(action["platform"])]
        if up != [card["type"]]:
            return "R16"
        useless = sum(me["pieces"][kind] for kind in KINDS if f"no_{kind}" in card["requirements"])
        return "R17" if size(me["pieces"]) - useless < card["pieces"] else None

    def refused_deliver(self, state, action, me):
        if refusal := self.refused_whatever_hex(state, action):
            return refusal
        at = read_hex(action["at"])
        tiles = [there["at"] for there in state["buildings"] + state["parks"]]
        if far(at) > 3 or at in tiles or not any(touching(at, tile) for tile in tiles):
            return "R25"
        return None

    def refused_place_park(self, state, action, me):
        at = read_hex(action["at"])
        if state["phase"] != "option" or not me["park"]:
            return "R31"
        if far(at) > 3 or at in [there["at"] for there in state["buildings"] + state["parks"]]:
            return "R32"
        if not touching(at, state["delivered"]) or any(touching(at, park["at"]) for park in state["parks"]):
            return "R32"
        return None

    def refused_place_monument(self, state, action, me):
        if state["phase"] != "option" or state["simplified"] or not size(me["pieces"]):
            return "R33"
        for park in state["parks"]:
            if park["at"] == read_hex(action["park"]) and park["owner"] and not park["monument"]:
                return None if touching(park["at"], state["delivered"]) else "R33"
        return "R33"

    def refused_place_central_park_monument(self, state, action, me):
        if state["phase"] != "option" or state["simplified"] or not size(me["pieces"]):
            return "R34"
        new = [there for there in state["buildings"] if there["at"] == state["delivered"]]
        return None if new[0]["face"][1] == "public" else "R34"

    # --- what actions do ---------------------------------------------------------------------------------------

    def after(self, state, line):
        """The state after a legal action whose outcome is told (nothing knocked over)."""
        state, action = copy.deepcopy(state), self.parse(line)
        me = state["seats"][action["who"] - 1] if action["who"] else None
        getattr(self, f"do_{action['do']}")(state, action, me)
        return state

    def acted(self, state):
        state["used"] += 1
        if state["used"] == self.limit(state):
            state["phase"] = "over"

    def do_set_up(self, state, action, me):
        state["columns"] = [[] if part == "none" else part.split(",") for part in action["columns"].split("|")]
        state["supply"] = sorted(read_face(face) for face in action["supply"].split(","))
        state["stack"] = state["stack"][3:]
        for seat, text in zip(state["seats"], action["drawn"].split("|"), strict=True):
            seat["pieces"] = read_pieces(text)
            state["bag"] -= size(seat["pieces"])
        state |= {"phase": "main", "turn": 1, "player": int(action["start"])}

    def do_take_contract(self, state, action, me):
        me["contracts"] = sorted([*me["contracts"], action["contract"]])
        if action["contract"] in state["landmarks"]:
            state["landmarks"].remove(action["contract"])
        else:
            for column in state["columns"]:
                if column[:1] == [action["contract"]]:
                    del column[0]
            if not any(state["columns"]) and not state["simplified"]:
                state["landmarks"] = sorted(card for card in self.cards if self.cards[card]["landmark"])
                state["landmarks_open"] = True
        self.acted(state)

    def turn_up(self, state, text):
        faces = [] if text == "none" else [read_face(face) for face in text.split(",")]
        for face in faces:
            from_returned = len(state["stack"]) == sum(len(group) for group in state["returned"])
            del state["stack"][0]
            if from_returned:
                state["returned"][0].remove(face)
                state["returned"] = [group for group in state["returned"] if group]
        state["supply"] = sorted(state["supply"] + faces)

    def do_take_platform(self, state, action, me):
        taken = [face for face in state["supply"] if face[0] == int(action["platform"])]
        me["platforms"] = sorted(me["platforms"] + taken)
        state["supply"].remove(taken[0])
        self.turn_up(state, action["revealed"])
        self.acted(state)

    def do_refresh(self, state, action, me):
        if state["supply"]:
            state["returned"].append(state["supply"])
        state["stack"] += [None] * len(state["supply"])
        state["supply"] = []
        self.turn_up(state, action["revealed"])
        self.acted(state)

    def clockwise_from_next(self, state):
        return [(state["player"] - 1 + k) % state["players"] + 1 for k in range(1, state["players"] + 1)]

    def do_take_pieces(self, state, action, me):
        drawn = read_pieces(action["drawn"])
        found_empty = state["bag"] == 0
        for kind in drawn:
            me["pieces"][kind] += drawn[kind]
        state["bag"] -= size(drawn)
        self.acted(state)
        if state["simplified"]:
            if state["bag"] == 0:
                state |= {"phase": "end", "final": "bag_out"}
        elif found_empty and not state["final"]:
            state |= {"final": "bag_out", "final_turns": self.clockwise_from_next(state)}

    def do_rezone(self, state, action, me):
        turned = []
        for number, kind in me["platforms"]:
            other = next(side for side in self.tiles[number] if side != kind)
            turned.append((number, other if number == int(action["platform"]) else kind))
        me["platforms"] = turned
        self.acted(state)

    def do_reorganise(self, state, action, me):
        column = state["columns"][TYPES.index(action["column"])]
        column.append(column.pop(0))
        self.acted(state)

    def take_from(self, hand, taken):
        """Known counts are lower bounds: untold pieces that leave may be any."""
        total = size(hand) - size(taken)
        for kind in KINDS:
            hand[kind] = max(0, hand[kind] - taken[kind] - taken["unknown"])
        hand["unknown"] = total - sum(hand[kind] for kind in KINDS)

    def do_return_pieces(self, state, action, me):
        returned = read_pieces(action["returned"])
        self.take_from(me["pieces"], returned)
        state["bag"] += size(returned)
        state["phase"] = "over"

    def do_deliver(self, state, action, me):
        if action["stood"] == "no":
            state["phase"] = "over"
            return
        at, card = read_hex(action["at"]), self.cards[action["contract"]]
        pieces, height = read_pieces(action["pieces"]), int(action["height"].removesuffix("mm"))
        tokens = 1 if 0 in [size(pieces) - pieces[kind] for kind in KINDS] else 0
        holder = [there for there in state["buildings"] if there["at"] == state["tallest"]]
        if not holder or height > holder[0]["height"]:
            state["tallest"] = at
            tokens += 1
        face = next(face for face in me["platforms"] if face[0] == int(action["platform"]))
        me["platforms"].remove(face)
        me["contracts"].remove(action["contract"])
        me["completed"].append(action["contract"])
        self.take_from(me["pieces"], pieces)
        if not state["simplified"]:
            me["tokens"] += tokens
        there = {"at": at, "face": face, "owner": action["who"], "contract": card["id"], "pieces": pieces}
        state["buildings"].append(there | {"height": height, "standing": True})
        state |= {"phase": "option", "delivered": at}
        held = [self.cards[name]["landmark"] for seat in state["seats"] for name in seat["contracts"]]
        if not any(state["columns"]) and all(held) and not state["final"]:
            state["final"] = "completed"
            if state["simplified"]:
                state |= {"phase": "end", "delivered": None}
            else:
                state["final_turns"] = self.clockwise_from_next(state)

    def do_place_park(self, state, action, me):
        me["park"] = False
        state["parks"].append({"at": read_hex(action["at"]), "owner": action["who"], "monument": None})
        state |= {"phase": "over", "delivered": None}

    def put_monument(self, state, at, text, me):
        piece = read_pieces(text)
        self.take_from(me["pieces"], piece)
        for park in state["parks"]:
            if park["at"] == at:
                state["bag"] += 1 if park["monument"] else 0
                park["monument"] = piece
        state |= {"phase": "over", "delivered": None}

    def do_place_monument(self, state, action, me):
        self.put_monument(state, read_hex(action["park"]), action["piece"], me)

    def do_place_central_park_monument(self, state, action, me):
        self.put_monument(state, (0, 0), action["piece"], me)
        me["tokens"] += 1

    def do_recycle(self, state, action, me):
        state["bag"] += size(me["pieces"])
        me["pieces"] = read_pieces("none")
        me["tokens"] += 1
        state["phase"] = "over"

    def do_end_turn(self, state, action, me):
        order = self.clockwise_from_next(state)
        state |= {"used": 0, "delivered": None, "phase": "main"}
        if not state["deciding"] and state["final"] and not state["final_turns"]:
            state |= {"deciding": True, "decisions": order}
        if state["deciding"]:
            if not state["decisions"]:
                state["phase"] = "end"
            else:
                state["player"] = state["decisions"].pop(0)
            return
        state["turn"] += 1
        state["player"] = state["final_turns"].pop(0) if state["final"] else order[0]

    def standing(self, state, action):
        return next(there for there in state["buildings"] if there["at"] == read_hex(action["at"]))

    def do_building_fell(self, state, action, me):
        there = self.standing(state, action)
        to_box, left = int(action["to_box"]), int(action["left"])
        state["box"] += to_box
        state["left"] += left
        state["bag"] += size(there["pieces"]) - to_box - left
        there |= {"pieces": read_pieces("none"), "height": 0, "standing": False}
        self.move_marker(state)

    def do_pieces_lost(self, state, action, me):
        there = self.standing(state, action)
        for lost, heap in (("to_box", "box"), ("to_bag", "bag")):
            pieces = read_pieces(action[lost])
            self.take_from(there["pieces"], pieces)
            state[heap] += size(pieces)
        there["height"] = int(action["height"].removesuffix("mm"))
        self.move_marker(state)

    def do_monument_fell(self, state, action, me):
        for park in state["parks"]:
            if park["at"] == read_hex(action["at"]):
                park["monument"] = None
        state["box"] += 1

    def move_marker(self, state):
        up = [there for there in state["buildings"] if there["standing"]]
        best = max((there["height"] for there in up), default=None)
        if state["tallest"] not in [there["at"] for there in up if there["height"] == best]:
            state["tallest"] = next((there["at"] for there in up if there["height"] == best), None)

    # --- named sets of outcomes, for counted trees -------------------------------------------------------------

    def outcomes(self, state, line, name):
        """The filled-in lines of a decision; the first unseen tile by number comes up, a delivery stands or falls.

        `plain`: every draw is steel, a delivery stands at its least height. `mixed`: a random draw comes out as steel,
        as glass or untold, a delivery stands at its least height or 1 mm above.
        """
        action = self.parse(line)
        me = state["seats"][action["who"] - 1] if action["who"] else None
        match action["do"]:
            case "take_platform":
                return [f"{line} revealed={self.first_tiles(state, min(1, len(state['stack'])))}"]
            case "refresh":
                return [f"{line} revealed={self.first_tiles(state, min(3, len(state['stack'])))}"]
            case "take_pieces":
                return [f"{line} drawn={text}" for text in self.draws(state, action.get("announced"), name)]
            case "return_pieces":
                return [f"{line} returned={self.first_of(me['pieces'], size(me['pieces']) - 15)}"]
            case "place_monument" | "place_central_park_monument":
                return [f"{line} piece={self.first_of(me['pieces'], 1)}"]
            case "deliver":
                return [f"{line} stood=no", *self.stands(me, line, action, name)]
        return [line]

    def first_tiles(self, state, count):
        """Unseen tiles by number, first side up; the trees are small enough to stay above the returned ones."""
        seen = {number for number, _ in state["supply"]}
        for faces in [*state["returned"], *(seat["platforms"] for seat in state["seats"])]:
            seen |= {number for number, _ in faces}
        seen |= {there["face"][0] for there in state["buildings"]}
        unseen = [number for number in self.tiles if number not in seen][:count]
        return ",".join(f"{number}/{self.tiles[number][0]}" for number in unseen) or "none"

    def draws(self, state, announced, name):
        count = min(3, state["bag"])
        if not count:
            return ["none"]
        if announced:
            return [f"{announced}:1"]
        return [f"steel:{count}"] if name == "plain" else [f"steel:{count}", f"glass:{count}", f"unknown:{count}"]

    def first_of(self, hand, count, without=()):
        chosen = []
        for kind in [*KINDS, "unknown"]:
            take = min(count, hand[kind]) if kind not in without else 0
            count -= take
            chosen += [f"{kind}:{take}"] if take else []
        return ",".join(chosen) or "none"

    def stands(self, me, line, action, name):
        card = self.cards[action["contract"]]
        without = [kind for kind in KINDS if f"no_{kind}" in card["requirements"]]
        pieces = self.first_of(me["pieces"] | {"unknown": 0}, card["pieces"], without)
        if size(read_pieces(pieces)) < card["pieces"]:
            return []
        heights = [card["height_mm"]] if name == "plain" else [card["height_mm"], card["height_mm"] + 1]
        return [f"{line} stood=yes height={height}mm pieces={pieces} judged=yes" for height in heights]

    def walk(self, state, depth, name):
        """How many sequences of so many filled-in actions there are."""
        count = 0
        for line in self.legal_lines(state):
            filled = self.outcomes(state, line, name)
            count += (
                len(filled) if depth == 1 else sum(self.walk(self.after(state, f), depth - 1, name) for f in filled)
            )
        return count
