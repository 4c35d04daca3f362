"""The company that plays MegaCity: they build towers between turns, deliver them, and put right what goes wrong."""

import msgspec

from citytable.bots.bot import Bot
from citytable.games.megacity.actions import (
    Accident,
    Action,
    BuildingFell,
    Deliver,
    EndTurn,
    MonumentFell,
    PiecesLost,
    ReturnPieces,
    Rezone,
    TakePieces,
)
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.pieces import Deck
from citytable.games.megacity.position import MATERIALS, Pieces, Position
from citytable.games.megacity.turn import allowance, next_seat
from citytable.rehearsal.company import LOOK_MS, PATIENCE, Company, Scenery, Stuck
from citytable.rehearsal.megacity.acts import (
    FALLS,
    TURNED_UP,
    acts_of,
    answer_account,
    answer_besides,
    answer_of_fall,
    answer_of_turning_up,
    came_out,
    is_said,
    public,
    set_up_act,
    set_up_action,
)
from citytable.rehearsal.megacity.building import Workshop
from citytable.rehearsal.megacity.disorder import Disorder
from citytable.rehearsal.megacity.second_thoughts import NotPutBack, SecondThoughts
from citytable.rehearsal.megacity.traces import asks_where, hides, is_mid_game
from citytable.rehearsal.twin import Act
from citytable.rules.errors import IllegalAction
from citytable.session.box import Box, GameOptions
from citytable.table import spot as spots
from citytable.table.hexes import Hex
from citytable.table.question import FieldValue, Question

BREATH_MS = 1200  # between two actions of one player: they put down what they took and look at it
FALL_SHOWN_MS = 3000  # how long people wait for the display to notice a fall before they report it
TURNS_MAX = 400


class MegaCityCompany(Company[Action, Position]):
    """Bots who play MegaCity."""

    _exact: MegaCity
    _public: MegaCity

    def __init__(
        self, box: Box[Action, Position], options: GameOptions, bots: tuple[Bot, ...], scenery: Scenery
    ) -> None:
        super().__init__(box, options, bots, scenery)
        self._workshop = Workshop(self._exact, self._rng, self._people)
        self._disorder = Disorder(self._rng, faults=scenery.faults)
        self._thoughts = SecondThoughts(self._exact, self._public, self._workshop, self._twin, self._door, self._rng)
        self._delivery: Deliver | None = None
        self._fall: Accident | None = None

    @property
    def _deck(self) -> Deck:
        return self._exact.deck

    async def _play(self) -> None:
        await self._set_up()
        for _ in range(TURNS_MAX):
            if self._exact.outcome() is not None:
                return
            await self._turn()
        raise Stuck(f"no end after {TURNS_MAX} turns: {self._exact.position}")

    async def _set_up(self) -> None:
        await self._go_blind()
        (result,) = await self._twin.act(set_up_act(self._exact.position.options, self._deck))
        action = set_up_action(result)
        await self._say(public(action))
        self._push(action)
        await self._until_shown()

    def _public_of(self, action: Action) -> Action:
        """Return the action without the materials that nobody announced."""
        return public(action)

    def _push(self, action: Action) -> None:
        super()._push(action)
        if isinstance(action, TakePieces):
            self._workshop.drew(action.player)
        self._workshop.look()

    async def _go_blind(self) -> None:
        """Pull the plugs of stations, if that is to happen now."""
        if self._blind.due(mid_game=is_mid_game(self._exact.position)):
            await self._twin.wait(FALL_SHOWN_MS)  # what moved has come to rest
            await self._twin.act(*({"act": "switch_off", "station": name} for name in self._blind.lost))

    async def _turn(self) -> None:
        seat = self._exact.position.player
        await self._let_sit()
        if seat in self._people:
            await self._persons_turn(seat)
            return
        self._thoughts.begin()
        await self._go_blind()
        await self._mishaps(seat)
        for act in self._disorder.before_turn(self._exact.position):
            await self._twin.act(act)
        while self._exact.outcome() is None and not isinstance(decision := self._choose(seat), EndTurn):
            if isinstance(decision, ReturnPieces):
                await self._make_room(seat)
            if isinstance(decision, Deliver):
                await self._deliver(decision)
            else:
                await self._do(self._detailed(decision))
        if self._exact.outcome() is None:
            await self._pass_bag(seat)
        else:
            await self._until_shown()  # R51: over in the middle of a turn

    def _choose(self, seat: int) -> Action:
        """Return a bot's choice out of what its hands can do."""
        return self._workshop.choose(self._bots[seat - 1])

    async def _make_room(self, seat: int) -> None:
        """Take down a tower if too few pieces lie loose (R11)."""
        for platform in self._workshop.to_be_taken_down(seat):
            if self._workshop.take_down(platform):
                await self._twin.act({"act": "unbuild", "seat": seat, "platform": platform})

    def _detailed(self, decision: Action) -> Action:
        """Return the decision with the pieces that the player chooses to give back (R11)."""
        if not isinstance(decision, ReturnPieces):
            return decision
        returned = self._workshop.pick(self._workshop.free(decision.player), self._workshop.excess(decision.player))
        return msgspec.structs.replace(decision, returned=returned)

    async def _do(self, decision: Action) -> None:
        """Do one action, or two at once with both hands if neither depends on the other's outcome."""
        position = self._exact.position
        if isinstance(decision, Rezone) and self._workshop.take_down(decision.platform):  # A9
            await self._twin.act({"act": "unbuild", "seat": decision.player, "platform": decision.platform})
        done = [decision, *self._second_hand(decision)]
        acts = [self._disorder.handled(act) for action in done for act in acts_of(position, action, self._deck)]
        results = await self._twin.act(*acts, *self._beside()) if acts else [{}]
        for action, result in zip(done, results, strict=False):
            await self._did(came_out(action, result))
        await self._twin.wait(BREATH_MS)
        await self._attend()

    def _beside(self) -> list[Act]:
        """Return what others do meanwhile; nobody else touches what is before a person at a browser."""
        return [act for act in self._disorder.beside(self._exact.position) if act.get("seat") not in self._people]

    def _second_hand(self, first: Action) -> list[Action]:
        """Return what the other hand does meanwhile: another kind of action, chosen before the first came out."""
        if type(first).OUTCOME or self._is_said(first) or not self._disorder.both_hands():
            return []
        position = self._exact.position
        self._exact.push(first)
        try:
            second = self._choose(self._exact.position.player)
            said = self._is_said(second)
        finally:
            self._exact.pop()
        needs_both = isinstance(second, type(first) | Deliver | EndTurn | ReturnPieces | Rezone)
        return [] if needs_both or said or not acts_of(position, second, self._deck) else [second]

    async def _did(self, action: Action) -> None:
        said = self._is_said(action)
        laid_out = self._exact.position.landmarks_open
        self._push(action)
        if said:
            await self._twin.wait(LOOK_MS)
            await self._say(public(action))
        if self._exact.position.landmarks_open and not laid_out:
            await self._twin.act({"act": "lay_out_landmarks"})

    async def _deliver(self, decision: Deliver) -> None:
        """Announce, measure, slide; then turn the contract face down, or take everything back (R24)."""
        seat, platform = decision.player, decision.platform
        await self._build(seat)
        if not self._workshop.can(decision):
            return  # the tower proved too low and was taken down: another decision, then
        await self._twin.act({"act": "press_button", "seat": seat})
        (measured,) = await self._twin.act({"act": "measure", "seat": seat, "platform": platform})
        await self._misplace(decision)
        slide = {"act": "deliver", "seat": seat, "platform": platform, "at": list(decision.at)}
        built, contract = self._workshop.tower(platform).pieces, self._exact.deck.contracts[decision.contract]
        slide["outcome"] = self._disorder.delivery(built, measured["height_mm"], contract)
        knocked = self._disorder.knocks_over(self._exact.position) if slide["outcome"] == "stands" else None
        falls = [] if knocked is None else [{"act": "collapse", "at": list(knocked)}]
        beside = [] if falls else self._beside()
        result, *others = await self._twin.act(slide, *falls, *beside)
        if knocked is not None:
            await self._fallen(BuildingFell(at=knocked, to_box=others[0]["to_box"], left=others[0]["left"]))
        if result["stood"]:
            await self._delivered(decision, measured["height_mm"])
        else:
            await self._fell(decision)

    async def _delivered(self, decision: Deliver, height_mm: int) -> None:
        pieces = self._workshop.tower(decision.platform).pieces
        self._delivery = msgspec.structs.replace(decision, stood=True, height_mm=height_mm, pieces=pieces, judged=True)
        self._workshop.take_down(decision.platform)
        await self._twin.act({"act": "finish_contract", "seat": decision.player, "contract": decision.contract})
        said, asked = self._is_said(self._delivery), asks_where(self._blind, self._delivery)
        self._push(self._delivery)
        if asked:
            await self._asked_where()
        elif said:  # what became of it is then asked
            await self._say(msgspec.structs.replace(decision, stood=True))
        await self._attend()

    async def _asked_where(self) -> None:
        """Wait until the display asks where the building stands, now that the contract lies face down, and answer."""
        for _ in range(PATIENCE):
            await self._twin.wait(LOOK_MS)
            asked = next((question for question in self._door.questions() if question.prompt == "where"), None)
            if asked is not None:
                await self._reply(asked)
                return
        raise Stuck(f"nobody asks where it stands: the display says {self._door.status()}")

    def _is_said(self, action: Action) -> bool:
        """Return whether people report an act: no table shows it, or this one has no sensors there."""
        return is_said(self._exact.position, action) or hides(self._blind, self._exact.position, action)

    async def _fell(self, decision: Deliver) -> None:
        """Report a delivery that fell (R26); if the table has noticed it, it refuses this, which does no harm."""
        self._workshop.take_down(decision.platform)
        fallen = msgspec.structs.replace(decision, stood=False)
        self._push(fallen)
        await self._twin.wait(FALL_SHOWN_MS)
        try:
            await self._say(fallen)
        except IllegalAction:
            return
        self.falls_reported += 1

    async def _build(self, seat: int | None = None) -> None:
        """Build what is planned, at one seat or everywhere at the same time."""
        orders = self._workshop.orders(seat)
        if not orders:
            return
        too_low = self._workshop.built(orders, await self._twin.act(*orders))
        if too_low:
            await self._twin.act(*too_low)
            self._workshop.look()

    async def _pass_bag(self, seat: int) -> None:
        passed = EndTurn(player=seat)
        said = self._is_said(passed)
        self._push(passed)
        following = next_seat(seat, len(self._bots))
        await self._twin.act({"act": "pass_bag", "from": seat, "to": following})
        if said:
            await self._twin.wait(LOOK_MS)
            await self._say(passed)
        await self._until_shown()
        if self._thoughts.may() and self._disorder.thinks_again():
            await self._take_back(seat)
        else:
            await self._build()

    async def _take_back(self, seat: int) -> None:
        """Take back the turn that has just ended: it is its player's turn again."""
        unnoticed = self._thoughts.unnoticed
        try:
            await self._thoughts.take_back(seat)
        except NotPutBack as error:
            raise Stuck(str(error)) from error
        self.unnoticed += self._thoughts.unnoticed - unnoticed
        self.taken_back += 1
        await self._until_shown()

    async def _attend(self) -> None:
        """Answer every open question as somebody who was there; where a tower stands is said once it stands."""
        for question in self._door.questions():
            if question.prompt != "where":
                await self._reply(question)

    def _known(self, question: Question) -> dict[str, FieldValue]:
        """Return the answer of somebody who was there; raise `Stuck`."""
        if question.prompt == "deliver" and self._delivery is not None and self._delivery.pieces is not None:
            counted: dict[str, FieldValue] = {name: getattr(self._delivery.pieces, name) for name in MATERIALS}
            return {**counted, "height_mm": self._delivery.height_mm or 0, "judged": True}
        if question.prompt == "where" and self._delivery is not None:
            return {"spot": spots.city(self._delivery.at)}
        if question.prompt in FALLS:
            return answer_of_fall(question, self._fall)
        if question.prompt in TURNED_UP:
            return answer_of_turning_up(question, self.intentions)
        if question.prompt == "besides":
            return answer_besides(question, self.intentions)
        if question.prompt == "account":
            return answer_account(question, self.intentions)
        if question.prompt == "which":
            mine = {str(action) for action in self.intentions[-8:]}
            choices = question.fields[0].choices
            return {"which": next((text for text in choices if text in mine), choices[0])}
        raise Stuck(f"nobody at the table knows what to say to {question}")

    # what goes wrong

    async def _mishaps(self, seat: int) -> None:
        station = self._disorder.reboot([name for name in self._twin.stations if not self._blind.is_off(name)])
        if station is not None:
            await self._twin.act({"act": "reboot", "station": station})
            await self._twin.wait(FALL_SHOWN_MS)
        column = self._disorder.extra_contract(self._exact.position)
        if column is not None:
            await self._take_extra_contract(seat, column)
        at = self._disorder.collapse(self._exact.position)
        if at is not None:
            await self._collapse(at)
        at = self._disorder.loses_pieces(self._exact.position)
        if at is not None:
            await self._lose_pieces(at)
        at = self._disorder.loses_monument(self._exact.position)
        if at is not None:
            await self._lose_monument(at)

    async def _take_extra_contract(self, seat: int, column: str) -> None:
        """Take a contract more than R8 allows, until the display objects."""
        player = self._exact.position.players[seat - 1]
        limit = allowance(self._exact.position.options)
        if len(player.contracts) < limit or len(player.contracts) >= spots.CARD_SLOTS_PER_SEAT:
            return
        (taken,) = await self._twin.act({"act": "take_extra_contract", "seat": seat, "column": column})
        await self._objected(f"contract/{taken['contract']}")
        await self._twin.act(
            {"act": "give_back_contract", "seat": seat, "contract": taken["contract"], "column": column}
        )

    async def _misplace(self, decision: Deliver) -> None:
        """Put a platform on a hex where it may not go, until the display objects."""
        wrong = self._disorder.wrong_hex(self._exact.position)
        if wrong is None:
            return
        place = {"seat": decision.player, "platform": decision.platform, "at": list(wrong)}
        await self._twin.act({"act": "misplace", **place})
        await self._objected(f"platform/{decision.platform}/")
        pads = f"seat/{decision.player}/pad"
        await self._twin.act({"act": "put_right", "platform": decision.platform, "spot_prefix": pads})

    async def _objected(self, thing: str) -> None:
        self.wrong_acts.append((self._twin.t_us, thing))
        await self._twin.wait(FALL_SHOWN_MS)
        if any(wrong.thing.startswith(thing) for wrong in self._door.status().disagreements):
            self.corrections += 1
        else:
            self.unnoticed += 1

    async def _collapse(self, at: Hex) -> None:
        """Let a building of the city fall (R35)."""
        (result,) = await self._twin.act({"act": "collapse", "at": list(at)})
        await self._fallen(BuildingFell(at=at, to_box=result["to_box"], left=result["left"]))

    async def _lose_pieces(self, at: Hex) -> None:
        """Let a few pieces of a building fall (A26)."""
        (result,) = await self._twin.act({"act": "lose_pieces", "at": list(at)})
        to_box, to_bag = Pieces(**result["to_box"]), Pieces(**result["to_bag"])
        await self._fallen(PiecesLost(at=at, to_box=to_box, to_bag=to_bag, height_mm=result["height_mm"]))

    async def _lose_monument(self, at: Hex) -> None:
        """Knock over a monument; if it did not touch the table, people put it up again (A28)."""
        (result,) = await self._twin.act({"act": "drop_monument", "at": list(at)})
        if result["touched"]:
            await self._fallen(MonumentFell(at=at))
            return
        self._fall = None
        await self._twin.wait(FALL_SHOWN_MS)
        await self._attend()

    async def _fallen(self, fall: Accident) -> None:
        """Report what fell and where it went, asked or unasked."""
        self._fall = fall
        self._push(fall)
        await self._twin.wait(FALL_SHOWN_MS)
        if not any(question.prompt in FALLS for question in self._door.questions()):
            self.falls_reported += 1
            await self._say(public(fall))
        while falls := [question for question in self._door.questions() if question.prompt in FALLS]:
            await self._reply(falls[0])
