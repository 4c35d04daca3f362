"""Run a game over the wire: nothing that happened is acknowledged to a station before it is in the journal."""

import asyncio
from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

from msgspec.structs import replace

from citytable.journal.decks import KeptDeck
from citytable.journal.entry import (
    ABANDONED,
    ActionConfirmed,
    Asked,
    Cause,
    Counted,
    Draft,
    Entry,
    FactNoted,
    GameEnded,
    GameStarted,
    PiecesWeighed,
    ValuesEntered,
)
from citytable.journal.replay import is_over, standing
from citytable.journal.store import Commit
from citytable.journal.traces import Traces
from citytable.link.inbox import Received
from citytable.link.link import Batch, Link
from citytable.link.registry import Standing
from citytable.link.wire_in import Birth
from citytable.rules.errors import Unfitting
from citytable.session.consent import Consent
from citytable.session.copy import Copy, thing_asked
from citytable.session.display import Display
from citytable.session.history import History, Replay
from citytable.session.passing import Passing
from citytable.session.play import Play
from citytable.session.record import Record
from citytable.session.resolving import Resolved, check_goes_on, resolved
from citytable.session.rings import Rings
from citytable.session.shelf import SENTENCES, Shelf, dealt, nobody_plays, once_more
from citytable.session.troubles import LOOK_S, OneByOne, Safe, troubles
from citytable.session.witness import Witness
from citytable.table.word import (
    Answer,
    Approval,
    ClearUp,
    Correction,
    Denial,
    NextGame,
    PlayAgain,
    PositionSet,
    Receipt,
    Ruling,
    Statement,
    TagNamed,
    Word,
    tidied,
)
from citytable.umpire.acts import Confirmed
from citytable.views.lamp import Lamp
from citytable.views.next_game import Choices
from citytable.views.state import Trouble, View
from citytable.views.vitals import Vitals

A = TypeVar("A")
P = TypeVar("P")

IDENTIFY_S = 10

AFTER_ROLL_CALL = (Answer, Statement, Approval, Denial, Ruling, NextGame, PlayAgain)
"""Words about what lies on the table: they wait for what the stations saw while the hub was away."""


class Session(Generic[A, P]):
    """Run one game at one table; `say` takes all messages of people.

    `now_us` is None in lock-step: the time is then that of the last batch. `replay` returns the game of journal
    entries; it raises `Unreplayable`.
    """

    def __init__(
        self,
        game_id: str,
        play: Play[A, P],
        link: Link,
        journal: Safe,
        *,
        replay: Replay[A, P],
        now_us: Callable[[], int] | None = None,
    ) -> None:
        self._replay = replay
        self._game_id = game_id
        self.people = game_id
        """The game for which the players' phones were let in: this one, or one before it that they played."""
        self._shelf: Shelf[A, P] | None = None
        self._began: list[Callable[[], None]] = []
        self._play = play
        self._link = link
        self._journal = journal
        self._clock = now_us
        self._shows: list[Callable[[View], None]] = []
        self._display = Display(play, link)
        self._witness = Witness(game_id, play)
        self.rings = Rings(link)
        """How bright people want the rings; `light` sets it."""
        self._consent = Consent()
        self._entries: list[Entry] | None = None  # the game's entries, once somebody has asked for them
        self._asked: set[str] = set()  # the ids of the questions that are open and written down
        self._piece = play.umpire.observed.piece  # the mass of pieces as written
        self._passing = Passing()
        self._stations: tuple[Standing, ...] = ()  # as last shown
        self._batch_us = 0 if now_us is None else now_us()
        self._busy = OneByOne(journal)  # batches from the wire and messages from people
        self._troubles: tuple[Trouble, ...] = ()
        self._shown = self.view()

    async def run(self) -> None:
        """Process the messages of stations until the link is stopped."""
        async for batch in self._link.batches():
            async with self._busy:
                await self._hear(batch)
        if self._passing and not self._journal.trouble:
            await self._commit(())
        self._witness.leave(self.now_us())

    async def _hear(self, batch: Batch) -> None:
        self._batch_us = batch.now_us
        if self._play.glimpse(batch.fresh):
            await self._show()
        if batch.is_due:
            await self._judge(batch)
        await self._link.committed(self._passing.acknowledging(batch))

    async def _judge(self, batch: Batch) -> None:
        before = self._play.umpire.position
        confirmed = self._play.hear(batch.received, batch.now_us)
        drafts = self._drafts(confirmed, self.now_us())
        entries = () if self._passing.hold(drafts, batch) else await self._commit(drafts, batch.received)
        self._display.confirm(entries, confirmed, before)
        self._witness.saw(entries, confirmed, batch.now_us)
        for received in batch.received:
            if isinstance(received.message, Birth):
                self.rings.forget(received.station, self._play.plan)
        await self._refresh(entries)

    def _drafts(self, confirmed: tuple[Confirmed[A, P], ...], now_us: int) -> list[Draft]:
        """Return the drafts for the journal: new facts, new questions, then the actions that they confirmed.

        All have the same time, so that a recall knows what was judged together.
        """
        questions = self._play.umpire.questions
        asked = [question for question in questions if question.id not in self._asked]
        self._asked = {question.id for question in questions}
        drafts = [Draft(now_us, "sensor", FactNoted(fact=fact)) for fact in self._play.take_facts()]
        if counted := self._play.take_counted():
            drafts.append(Draft(now_us, "sensor", Counted(components=counted)))
        drafts += [Draft(now_us, "system", Asked(question=question)) for question in asked]
        drafts += [Draft(now_us, "system", answer) for answer in self._play.take_silent()]
        for one in confirmed:
            cause: Cause = "player" if one.stated else "sensor"
            drafts.append(Draft(now_us, cause, ActionConfirmed(action=one.text, breaks=one.breaks)))
        drafts += self._weighed(now_us)
        if confirmed and self._play.termination:
            drafts.append(self._ended(now_us))
        return drafts

    def _weighed(self, now_us: int) -> tuple[Draft, ...]:
        """Return an entry for the mass of pieces, if the confirmed actions changed it."""
        before, piece = self._piece, self._play.umpire.observed.piece
        self._piece = piece
        if piece == before:
            return ()
        body = PiecesWeighed(pieces=piece.pieces, grams=piece.grams, reported=piece.reported)
        return (Draft(now_us, "sensor", body),)

    def _ended(self, now_us: int) -> Draft:
        return Draft(now_us, "system", GameEnded(termination=self._play.termination))

    def _end_again(self, now_us: int) -> tuple[Draft, ...]:
        """Return the end of a game that the rules end after a correction, or that was given up and cleared away."""
        clearing = self._play.clearing
        if self._play.termination:
            return (self._ended(now_us),)
        if clearing is not None and clearing.closed:
            return (Draft(now_us, "system", GameEnded(termination=ABANDONED)),)
        return ()

    async def _commit(self, drafts: Iterable[Draft], received: tuple[Received, ...] = ()) -> tuple[Entry, ...]:
        entries = await self._journal.commit(self._game_id, *self._passing.written_with(drafts, received))
        if self._entries is not None:
            self._entries += entries
        return entries

    async def _history(self) -> History[A, P]:
        """Return the game so far. It is read from the journal once and then continued with each commit.

        Only a caller who holds `_busy` may ask: it would miss a commit in the meantime.
        """
        if self._passing:
            await self._commit(())  # what waits comes before this message
        if self._entries is None:
            self._entries = list((await self._journal.entries(self._game_id)).entries)
        return History(tuple(self._entries), self._replay)

    async def _refresh(self, entries: tuple[Entry, ...]) -> None:
        """Show the news; these entries were written."""
        self._display.take(self._play.take_noticed(), entries)
        stations = self._link.standing()
        lapsed = self._consent.lapse(self.now_us())
        ripened = self._display.ripened(self.now_us())
        news = self._play.take_news() or lapsed or ripened or stations != self._stations
        self._stations = stations
        if news:
            await self._show()

    async def _show(self) -> None:
        self._shown = view = self.view()
        await self.rings.show(view, self._play.plan, self.now_us())
        for show in self._shows:
            show(view)

    async def look_out(self) -> None:
        """Show troubles as they come and go, until cancelled, beside the last view: nothing new can be written."""
        while True:
            if (now := troubles(self._link, self._journal)) != self._troubles:
                self._troubles = now
                view = replace(self._shown, troubles=now)
                for show in self._shows:
                    show(view)
            await asyncio.sleep(LOOK_S)

    def keep_signals(self, traces: Traces) -> None:
        """Keep raw signals around decisions there from now on."""
        self._witness.traces = traces

    def chooses_from(self, shelf: Shelf[A, P]) -> None:
        """Let people begin the next game from now on, one of this shelf."""
        self._shelf = shelf

    def on_next_game(self, callback: Callable[[], None]) -> None:
        """Call `told` from now on whenever another game has begun, before anybody sees it."""
        self._began.append(callback)

    def show_on(self, show: Callable[[View], None]) -> None:
        """Pass every new view to `show`, too, from now on."""
        self._shows.append(show)

    def resumed(self, entries: tuple[Entry, ...]) -> None:
        """Make the screens report that the hub was away and continues its game, which has these entries."""
        self._consent.recall(entries)
        self._consent.lapse(self.now_us())
        if isinstance(entries[0].body, GameStarted):
            self.people = entries[0].body.people or self._game_id
        if not is_over(entries):
            self._display.resumed(len(self._play.actions), self.now_us())

    # the door

    @property
    def game_id(self) -> str:
        """Return the id of the game on the table."""
        return self._game_id

    @property
    def play(self) -> Play[A, P]:
        """Return the present play."""
        return self._play

    def now_us(self) -> int:
        """Return the hub's clock, in microseconds."""
        return self._batch_us if self._clock is None else self._clock()

    def players(self) -> int:
        """Return the number of players."""
        return self._display.players

    def view(self) -> View:
        """Return the present view."""
        return replace(self._display.view(self.now_us(), self._consent.asked), troubles=self._troubles)

    def vitals(self) -> Vitals:
        """Return the vital signs of this moment."""
        link, now_us = self._link, self.now_us()
        return Vitals(
            table=link.table,
            idle_s=max(0, now_us - self._batch_us) / 1e6,
            troubles=self._troubles,
            discarded=link.discarded,
            unsent=link.unsent,
            now_us=now_us,
            stations=link.health(),
            backup_failed=self._journal.backup_failed,
        )

    def turned_away(self) -> tuple[str, ...]:
        """Return the addresses that the broker refuses."""
        return self._link.turned_away()

    async def identify(self, station: str, trial: str = "") -> bool:
        """Let all lights of a station blink for some seconds, or show a trial of its LEDs, by a word of `TRIALS`.

        A trial lasts until the next one, until the game lights anything, or for a minute at most. Any other word ends
        it. Return False if the station is not connected.
        """
        if not trial:
            return await self._link.identify(station, IDENTIFY_S)
        async with self._busy:
            self.rings.test_leds(station, trial, self._play.plan, self.now_us())
            await self.rings.show(self._shown, self._play.plan, self.now_us())
        return any(one.station == station and one.online for one in self._link.health())

    async def light(self, lamp: Lamp) -> None:
        """Use this setting of the lamp for all rings from now on."""
        async with self._busy:
            self.rings.lamp = lamp
            await self.rings.show(self.view(), self._play.plan, self.now_us())

    async def say(self, word: Word | TagNamed) -> Receipt:
        """Take a message of a person: write it with its effects, then show it. Raises `GameError` with a sentence.

        Only the code that has written a tag into the plan file may report that it is on a thing.
        """
        if isinstance(word, AFTER_ROLL_CALL):
            await self._link.all_caught_up()
        async with self._busy:
            if isinstance(word, PlayAgain):
                word = once_more(word, self._games(), self._play, self._game_id)
            if isinstance(word, NextGame):
                return await self._begin_next(word)
            history = await self._history()
            if isinstance(word, Answer) and (thing := thing_asked(word.question)) and self._play.copy is not None:
                return await self._enter(self._play.copy, thing, word, history)
            said = resolved(word, self._play, history, self._consent, self.now_us())
            before = len(history.entries)
            return Receipt(before, before if said is None else await self._take(said, history))

    async def _take(self, said: Resolved, history: History[A, P]) -> int:
        """Take a message; return the number of the last entry that came with it."""
        now_us, word = self.now_us(), said.word
        facts = [Draft(now_us, "sensor", FactNoted(fact=fact)) for fact in said.facts]
        entry = Entry(len(history.entries) + len(facts) + 1, now_us, said.cause, word)
        after = History((*history.entries, entry), self._replay)
        before = self._play.umpire.position
        if isinstance(word, PositionSet):
            check_goes_on(self._play, after.played.position)
        confirmed = self._play.say(word, after)
        if isinstance(word, Answer) and not self._play.waits_for_more(word.question):
            self._asked.discard(word.question)  # if it comes up again, it is asked again
        if isinstance(word, Correction):
            self._asked.clear()
            self._display.put_right(after.stands)
        if isinstance(word, Correction | ClearUp):
            self._consent.forget()
        drafts = [*facts, Draft(now_us, said.cause, word), *self._drafts(confirmed, now_us)]
        if not confirmed and isinstance(word, Correction | ClearUp) and not after.is_over:
            drafts += self._end_again(now_us)
        entries = await self._commit(drafts)
        if isinstance(word, Correction):
            self._witness.stands(after.played.position if confirmed else self._play.umpire.position)
        else:
            self._display.confirm(entries, confirmed, before)
        self._witness.saw(entries, confirmed, self.now_us())
        await self._refresh(entries)
        return entries[-1].seq

    async def _enter(self, copy: Copy, thing: str, word: Answer, history: History[A, P]) -> Receipt:
        """Take the printed values of a thing: they are kept, and the game continues as if it had always known them.

        They are written to the box's file first: if the hub is cut off in between, it continues with the file.
        """
        now_us, before = self.now_us(), self._play.termination
        cause: Cause = "referee" if word.by == "host" else "player"

        def with_entered(said: ValuesEntered) -> tuple[Entry, ...]:
            return (*history.entries, Entry(len(history.entries) + 1, now_us, cause, said))

        tried = with_entered(ValuesEntered(deck=copy.box.deck, deck_sha256="", thing=thing, by=word.by))
        under_way = tuple(
            Entry(seq, now_us, "sensor", ActionConfirmed(action=one.action))
            for seq, one in enumerate(self._play.umpire.provisional, start=len(tried) + 1)
        )
        box = await asyncio.to_thread(copy.entered, thing, word.values, tried, under_way)
        later = "" if copy.printed.fingerprint() == box.fingerprint() else copy.printed.fingerprint()
        deck = KeptDeck(box.fingerprint(), box.deck, box.deck_text())
        said = ValuesEntered(deck=deck.name, deck_sha256=deck.sha256, thing=thing, by=word.by, later_sha256=later)
        await self._journal.keep_deck(deck)
        confirmed: tuple[Confirmed[A, P], ...] = ()
        if box is not copy.box:
            copy.box = box
            confirmed = self._play.say(said, History(with_entered(said), self._replay))
        drafts = [Draft(now_us, cause, said), *self._drafts(confirmed, now_us)]
        if not confirmed and self._play.termination and self._play.termination != before:
            drafts.append(self._ended(now_us))
        entries = await self._commit(drafts)
        await self._refresh(entries)
        return Receipt(len(history.entries), entries[-1].seq)

    async def entries(self) -> tuple[Entry, ...]:
        """Return the actions that count, each with the number by which it can be corrected."""
        return standing((await self._journal.entries(self._game_id)).entries)

    @property
    def record(self) -> Record[A, P]:
        """Return the record of the game, for people who read or correct it."""
        game_id, journal = self._game_id, self._journal

        async def history() -> History[A, P]:
            return History((await journal.entries(game_id)).entries, self._replay)

        return Record(self._play, self._witness, history)

    def choices(self) -> Choices:
        """Return the choices for the next game."""
        over = nobody_plays(self._play)
        return self._games().choices(self._play.umpire.position, self._game_id, self._play.names, over=over)

    def _games(self) -> Shelf[A, P]:
        if self._shelf is None:
            raise RuntimeError("nobody has said which games there are: call `chooses_from` first")
        return self._shelf

    async def _begin_next(self, wish: NextGame) -> Receipt:
        """Begin another game at this table; an unfinished game is abandoned. Raises `Unfitting`.

        The end of the one and the beginning of the other are written in one transaction.
        """
        if wish.after != self._game_id:
            raise Unfitting(SENTENCES.text("begun"))
        leave = self._games().leaves(wish, self.people if wish.same_people else "")
        if leave is not None:
            return await self._leave(wish, leave)
        fresh = await self._games().take(wish, self._play.umpire.position)
        people = self.people if wish.same_people else ""
        names = tidied(wish.names[: wish.players])
        started = replace(fresh.started, by=wish.by, people=people, names=names, plan=self._play.plan)
        play, drafts = dealt(fresh, started, self._play, self.now_us())
        ended = Commit(self._game_id, self._last_words(await self._history(), wish.by))
        _, begun = await self._journal.commit_together([ended, Commit(fresh.game_id, drafts)])
        self._take_up(fresh.game_id, play, started, begun)
        confirmed = play.judged()
        entries = await self._commit(self._drafts(confirmed, self.now_us()))
        self._witness.saw(entries, confirmed, self.now_us())
        await self._refresh(entries)
        return Receipt(0, len(begun) + len(entries))

    async def _leave(self, wish: NextGame, leave: Callable[[], None]) -> Receipt:
        """End the game here; the table restarts with another one, which does not belong to this session."""
        before = len((history := await self._history()).entries)
        ended = await self._commit(self._last_words(history, wish.by))
        leave()
        return Receipt(before, before + len(ended))

    def _last_words(self, history: History[A, P], by: str) -> tuple[Draft, ...]:
        """Return the last entries of a game that nobody plays any more."""
        clearing, now_us = self._play.clearing, self.now_us()
        closed = clearing is None or clearing.closed
        words = () if closed else (Draft(now_us, "referee", ClearUp(do="close", by=by)),)
        return words if history.is_over else (*words, Draft(now_us, "system", GameEnded(termination=ABANDONED)))

    def _take_up(self, game_id: str, play: Play[A, P], started: GameStarted, entries: Iterable[Entry]) -> None:
        """Put this game on the table from now on; `entries` are its first ones."""
        self._witness.leave(self.now_us())
        if play.copy is not None:
            play.copy.begins_anew()
        self._game_id, self._play, self._entries = game_id, play, list(entries)
        self._piece = play.umpire.observed.piece
        self.people = started.people or self._game_id
        self._witness = self._witness.of(game_id, play)
        self._display.show(play, self.now_us())
        self._consent.forget()
        self._asked.clear()
        for callback in self._began:
            callback()
