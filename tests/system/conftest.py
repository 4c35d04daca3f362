"""The whole table in lock-step: the app's own wiring, a virtual table, and hands that do what the rulebook says."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from msgspec.structs import replace

from citytable.app import running_hub, virtual_table
from citytable.games.megacity.actions import (
    Action,
    Deliver,
    EndTurn,
    ReturnPieces,
    TakeContract,
    TakePieces,
    TakePlatform,
)
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.pieces import HOUSE
from citytable.games.megacity.position import MATERIALS, Options, Pieces
from citytable.hub import Hub
from citytable.rehearsal.megacity.acts import acts_of, came_out, materials, public, set_up_act, set_up_action
from citytable.rehearsal.twin import Twin
from citytable.settings import Settings
from citytable.table.hexes import Hex
from citytable.table.question import Question
from citytable.table.word import Answer, Statement
from citytable.views.state import View
from citytable.views.viewer import PUBLIC, Seen, seen_by

BREATH_MS = 1500
PATIENCE = 40
Pixels = list[list[int]]


@dataclass(frozen=True)
class Shine:
    """What a person sees of a ring: which of its LEDs shine, and in which colour (strongest channel 255)."""

    pattern: str
    rgb: tuple[int, int, int]

    def looks_like(self, rgb: tuple[int, int, int]) -> bool:
        """Whether it is this colour, however much the station dimmed it."""
        bright = [255 * channel / max(rgb) for channel in rgb]
        return all(abs(seen - wanted) < 16 for seen, wanted in zip(self.rgb, bright, strict=True))


def shine(pixels: Pixels) -> Shine | None:
    """None for a dark ring."""
    on = [k for k, pixel in enumerate(pixels) if any(pixel)]
    if not on:
        return None
    colours = {tuple(pixels[k]) for k in on}
    assert len(colours) == 1, f"a ring shines in several colours: {pixels}"
    (colour,) = colours
    leds = len(pixels)
    sixths = [range(k * leds // 6, (k + 1) * leds // 6) for k in range(6)]
    patterns = {
        "solid": range(leds),
        "half": range((leds + 1) // 2),
        "dots": range(0, leds, 3),
        "point": range(1),
        "pair": [*sixths[0], *sixths[3]],
        "thirds": [*sixths[0], *sixths[2], *sixths[4]],
        "notch": range(sixths[5].start),
    }
    pattern = next(name for name, wanted in patterns.items() if on == list(wanted))
    red, green, blue = (round(255 * channel / max(colour)) for channel in colour)
    return Shine(pattern, (red, green, blue))


@dataclass
class Evening:
    """A table being played on. `game` is what was done, pushed into the rules engine as the table may know it."""

    settings: Settings
    hub: Hub
    twin: Twin
    game: MegaCity
    loose: dict[int, Pieces] = field(default_factory=dict)
    views: list[View] = field(default_factory=list)

    @property
    def seen(self) -> Seen:
        """What the public sees now."""
        return seen_by(PUBLIC, self.hub.session.view())

    @property
    def confirmed(self) -> MegaCity:
        """What the hub has confirmed, as a game."""
        again = MegaCity(self.game.position.options, HOUSE)
        for action in self.hub.play.actions:
            again.push(action)
        return again

    async def say(self, action: Action) -> None:
        """Tell the hub at the session's door."""
        session = self.hub.session
        await session.say(Statement(action=str(public(action)), by="table"))

    async def deal(self) -> None:
        """R2-R6, and somebody says how it came out."""
        (result,) = await self.twin.act(set_up_act(self.settings.options, HOUSE))
        action = set_up_action(result)
        self.loose = dict(enumerate(action.drawn or (), start=1))
        await self.say(action)
        self.game.push(public(action))
        await self.until_seat(action.start or 0)

    async def do(self, action: Action) -> None:
        """One standard action with the hands."""
        acts = acts_of(self.game.position, action, HOUSE)
        done = came_out(action, (await self.twin.act(*acts))[0])
        if isinstance(done, TakePieces) and done.drawn is not None:
            had = self.loose[done.player]
            self.loose[done.player] = Pieces(**{m: getattr(had, m) + getattr(done.drawn, m) for m in MATERIALS})
        self.game.push(public(done))
        await self.twin.wait(BREATH_MS)

    async def pass_bag(self) -> None:
        """The turn is over: the bag goes on, and the hub notices."""
        seat = self.game.position.player
        self.game.push(EndTurn(player=seat))
        following = seat % self.settings.options.players + 1
        await self.twin.act({"act": "pass_bag", "from": seat, "to": following})
        await self.until_seat(following)

    async def _nothing_else(self) -> None:
        """Somebody who had time for more says that they did nothing else."""
        for asked in self.hub.session.play.questions:
            if asked.prompt in {"besides", "account"}:
                which = "nothing" if asked.prompt == "besides" else self._drawn(asked)
                await self.hub.session.say(Answer(question=asked.id, values={"which": which}, by="table"))

    def _drawn(self, asked: Question) -> str:
        """Return the choice that names what the last player took from the bag and put back, beside what is known."""
        ends = [k for k, action in enumerate(self.game.actions) if isinstance(action, EndTurn)]
        turn = self.game.actions[ends[-2] + 1 if len(ends) > 1 else 0 :]
        known = asked.words["known"].split(" | ")
        bagged = [str(one) for one in turn if isinstance(one, TakePieces | ReturnPieces) and str(one) not in known]
        wanted = [text.split()[:2] for text in bagged]
        named = {
            choice: [] if choice == "nothing" else [act.split()[:2] for act in choice.split(" | ")]
            for choice in asked.fields[0].choices
        }
        return next(choice for choice, acts in named.items() if acts == wanted)

    async def until_seat(self, seat: int) -> None:
        """Until the display shows whose turn it is."""
        for _ in range(PATIENCE):
            if self.hub.session.play.seat == seat:
                return
            await self._nothing_else()
            await self.twin.wait(500)
        session = self.hub.session
        pytest.fail(
            f"seat {seat} has the bag, the hub says {session.play.seat}, "
            f"{session.play.umpire.status()}, {session.play.questions}"
        )

    async def well(self) -> set[str]:
        """Return the names of all stations as soon as each is there and has no fault.

        A table that lives faster than a real one may lose a station on a busy machine, and finds it again.
        """
        for _ in range(PATIENCE):
            health = self.hub.session.view().health
            if health and all(one.online and not one.faults for one in health):
                return {one.station for one in health}
            await self.twin.wait(500)
        pytest.fail(f"not all stations are well: {health}")

    async def prepare(self, contract: str, platform: int, pieces: int) -> None:
        """The player to act takes a contract, a platform, and in his turns so many handfuls; the others take pieces."""
        seat = self.game.position.player
        await self.do(TakeContract(player=seat, contract=contract))
        await self.do(TakePlatform(player=seat, platform=platform))
        await self.do(TakePieces(player=seat))
        for _ in range(pieces - 1):
            await self.pass_bag()
            while self.game.position.player != seat:
                await self.do(TakePieces(player=self.game.position.player))
                await self.pass_bag()
            await self.do(TakePieces(player=seat))
        await self.pass_bag()
        while self.game.position.player != seat:
            await self.do(TakePieces(player=self.game.position.player))
            await self.pass_bag()

    async def build(self, contract: str, platform: int) -> tuple[Pieces, int]:
        """A tower of the player to act for a contract, of whatever pieces he has; its pieces and its height."""
        seat, card = self.game.position.player, HOUSE.contracts[contract]
        heap = [name for name in MATERIALS for _ in range(getattr(self.loose[seat], name))][: card.pieces]
        pieces = Pieces(**{name: heap.count(name) for name in MATERIALS})
        build = {"act": "build", "seat": seat, "platform": platform, "pieces": materials(pieces), "cube": True}
        (built,) = await self.twin.act({**build, "at_least_mm": card.height_mm})
        return pieces, built["height_mm"]

    async def deliver(self, contract: str, platform: int, at: Hex, *meanwhile: dict[str, Any]) -> None:
        """R24: build, announce, measure, slide, turn the contract over, pass the bag, and answer what is asked.

        `meanwhile` happens while the tower is on its way.
        """
        seat = self.game.position.player
        pieces, height_mm = await self.build(contract, platform)
        await self.twin.act({"act": "press_button", "seat": seat})
        await self.twin.act({"act": "measure", "seat": seat, "platform": platform})
        slide = {"act": "deliver", "seat": seat, "platform": platform, "at": list(at), "outcome": "stands"}
        await self.twin.act(slide, *meanwhile)
        await self.twin.act({"act": "finish_contract", "seat": seat, "contract": contract})
        decision = Deliver(player=seat, contract=contract, platform=platform, at=at)
        self.game.push(replace(decision, stood=True, height_mm=height_mm, pieces=pieces, judged=True))
        await self.twin.wait(BREATH_MS)
        await self.answer({**{m: getattr(pieces, m) for m in MATERIALS}, "height_mm": height_mm, "judged": True})
        await self.pass_bag()

    async def answer(self, values: dict[str, Any]) -> None:
        """Everybody answers his part of the one question that is open, until nobody is asked any more."""
        while questions := self.hub.session.play.questions:
            (question,) = questions
            told = {field.name: values[field.name] for field in question.fields if field.voters is None}
            voters = [(field.name, seat) for field in question.fields for seat in field.voters or ()]
            by = f"seat {question.seat}" if question.seat else "table"
            if not told:
                name, seat = voters[0]
                told, by = {name: values[name]}, f"seat {seat}"
            await self.hub.session.say(Answer(question=question.id, values=told, by=by))

    async def ring(self, spot: str) -> Shine | None:
        """What the ring at a spot shows."""
        (seen,) = await self.twin.act({"act": "look", "spot": spot})
        return shine(seen["pixels"])

    async def rings(self) -> dict[str, Shine]:
        """Every ring that shines."""
        ringed = [spot for spot, plan in self.settings.plan().spot_plans().items() if plan.ring_leds]
        seen = await self.twin.act(*({"act": "look", "spot": spot} for spot in ringed))
        shown = {spot: shine(result["pixels"]) for spot, result in zip(ringed, seen, strict=True)}
        return {spot: one for spot, one in shown.items() if one is not None}


@pytest.fixture(scope="session")
def open_table() -> Callable[..., AbstractAsyncContextManager[Evening]]:
    """`async with open_table(seed=6) as table`: hub and virtual table, in lock-step unless `speed` is given."""

    @asynccontextmanager
    async def opened(seed: int = 6, players: int = 2, **changes: Any) -> AsyncIterator[Evening]:
        settings = Settings(options=Options(players=players), seed=seed, **changes)
        async with running_hub(settings) as hub, virtual_table(settings, hub) as twin:
            evening = Evening(settings, hub, twin, MegaCity(settings.options, HOUSE))
            hub.session.show_on(evening.views.append)
            yield evening

    return opened
