"""The composition root: the only file that knows every room. It wires, and decides nothing."""

import random
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from citytable.home import at_home
from citytable.hub import Hub, keys_of, replayed, running_hub
from citytable.journal.decks import cards_of, deck_of, shareable
from citytable.journal.export import write_export
from citytable.rehearsal.alarms import Alarms
from citytable.rehearsal.blind import Blind, lost_sector
from citytable.rehearsal.company import Company, Scenery
from citytable.rehearsal.door import SessionDoor
from citytable.rehearsal.fuss import Fuss
from citytable.rehearsal.judge import Counts, Verdict, judged
from citytable.rehearsal.people import People, people_of
from citytable.rehearsal.players import seated
from citytable.rehearsal.reliability import Reliability
from citytable.rehearsal.twin import DoorOptions, Twin, running_twin
from citytable.settings import Settings
from citytable.umpire.declining import declined
from citytable.views.address import At
from citytable.views.extras import NO_EXTRAS, Extras
from citytable.views.gate import Gate
from citytable.views.kept_overlay import NOWHERE, KeptOverlay
from citytable.views.keys import Keys
from citytable.views.places import Limits
from citytable.views.server import Doors, Server

__all__ = ["at_home", "company", "keys_of", "rehearse", "replayed", "running_hub", "screens", "virtual_table"]


@asynccontextmanager
async def virtual_table(settings: Settings, hub: Hub) -> AsyncIterator[Twin]:
    """Run the twin at the hub's broker, ready to act; if the hub has pages, people can join in their browsers."""
    hands = hub.hands
    door = None if hands.pages is None else DoorOptions(*hands.pages, hands.new_keys(settings.options.players))
    async with running_twin(
        settings.plan(), settings.box.name, hub.broker, settings.seed, settings.speed, door
    ) as twin:
        hands.port = twin.door_port
        try:
            yield twin
        finally:
            hands.port = None


def company(
    settings: Settings, hub: Hub, twin: Twin, on_turn: Callable[[Any], None], people: People | None = None
) -> Company[Any, Any]:
    """Return bots for every seat; `people` replaces the simulated people of the game."""
    rng = random.Random(settings.seed)
    plan = settings.plan()
    blind = lost_sector(plan, rng) if settings.lose_sector else Blind(plan)
    scenery = Scenery(twin, SessionDoor(hub.session), rng, blind, on_turn, faults=settings.faults)
    return (people or people_of(settings.box.name)).company(settings.box, settings.options, seated(settings), scenery)


async def rehearse(settings: Settings, export: Path | None = None, people: People | None = None) -> Verdict:
    """Play one whole game on the virtual table; raises `Stuck` or `TwinError` if it cannot be finished."""
    wrong: list[object] = []
    people = people or people_of(settings.box.name)
    async with running_hub(settings) as hub, virtual_table(settings, hub) as twin:
        umpire, reliability = hub.play.umpire, Reliability(lambda: hub.play.actions, people.settled)
        alarms, fuss = Alarms(), Fuss()
        for watching in (reliability.show, alarms.show, fuss.show):
            hub.session.show_on(watching)

        def compare(truth: object) -> None:
            if not people.holds(umpire.position, truth):
                wrong.append(truth)

        playing = company(settings, hub, twin, compare, people)
        await playing.play()
        entries = await hub.journal.entries(hub.game_id)
        if export is not None:
            deck = shareable(deck_of(cards_of(entries.entries), await hub.journal.decks()))
            write_export(export, hub.game_id, entries.entries, deck)
        counts = Counts(
            physical_acts=twin.acts_done,
            actions=len(playing.intentions),
            actions_inferred=hub.play.inferred,
            questions_asked=umpire.questions_asked,
            wrong_confirmations=len(wrong),
            collapses=hub.play.collapses,
            corrections=playing.corrections,
            falls_reported=playing.falls_reported,
            unnoticed=playing.unnoticed,
            taken_back=playing.taken_back,
            **alarms.counts(entries.entries, playing.wrong_acts),
            **fuss.counts(),
            unsure=people.unsure(umpire.position),
        )
        again = replayed(entries.entries, settings.box)
        return judged(
            playing.truth(), umpire.position, again.position, counts, reliability.counted(), holds=people.holds
        )


@asynccontextmanager
async def screens(
    hub: Hub,
    keys: Keys,
    at: At,
    on_pin_closed: Callable[[], None] = lambda: None,
    overlay: KeptOverlay = NOWHERE,
    extras: Extras = NO_EXTRAS,
) -> AsyncIterator[int]:
    """Run the web server of a hub while inside; yields its port. Raises `PortBusy`."""
    session = hub.session
    doors = Doors(
        say=session.say,
        game=lambda: session.play,
        declined=lambda: declined(session.play.game, session.play.umpire.provisional_position),
        now_us=session.now_us,
        health=lambda: session.view().health,
        zeros=lambda today: session.play.senses.zeros(today=today),
        turned_away=session.turned_away,
        vitals=session.vitals,
        entries=session.entries,
        record=lambda: session.record,
        identify=session.identify,
        choices=session.choices,
        hands=hub.hands.of,
        keep_overlay=overlay.keep,
        **extras._asdict(),
    )
    gate = Gate(keys, time.monotonic, session.players(), on_pin_closed)
    view, first_seq = overlay.on(session.view()), time.time_ns() // 1_000_000
    server = Server(view, doors, gate, first_seq, limits=Limits(names=at.names))
    hub.delay.show_on(server.show)

    def let_in_anew() -> None:
        gate.change(keys.of(session.people), session.players())
        server.send_away()

    session.on_next_game(let_in_anew)
    try:
        port = await server.start(at.host, at.port)
        hub.hands.pages, hub.hands.shut_pages = (at.host, port), server.stop
        yield port
    finally:
        await server.stop()
