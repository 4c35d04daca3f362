"""The session: runs a play over the wire. Everything that happened is in the journal before a station may forget it."""

import asyncio
from collections.abc import Callable
from datetime import date
from typing import Any, Generic, TypeVar

from msgspec.structs import replace

from citytable.journal.entry import (
    ABANDONED,
    ActionConfirmed,
    Answered,
    Asked,
    Body,
    Cause,
    ClearingBegun,
    ClearingClosed,
    Correction,
    Counted,
    Draft,
    Entry,
    FactNoted,
    GameEnded,
    GameStarted,
    ModeChosen,
    PiecesWeighed,
    PositionSet,
    Ruled,
    Stated,
    Stayed,
    UndoAnswered,
    Undone,
    UndoWished,
    Vouched,
)
from citytable.journal.replay import Played, is_over, kept_by_undo, standing
from citytable.journal.store import Commit
from citytable.journal.traces import Traces
from citytable.link.inbox import Received
from citytable.link.registry import Standing
from citytable.link.table_link import Batch, TableLink
from citytable.link.wire_in import Birth
from citytable.rules.errors import Unfitting
from citytable.session.as_it_was import as_it_was
from citytable.session.bag_weighings import bag_of
from citytable.session.consent import Consent, cleared_away
from citytable.session.display import Display
from citytable.session.play import Play
from citytable.session.shelf import SENTENCES, Shelf, dealt
from citytable.session.troubles import LOOK_S, OneByOne, Safe, troubles
from citytable.session.witness import Witness
from citytable.table.blank import Blank
from citytable.table.fact import Fact
from citytable.table.health import CellZero
from citytable.table.question import Answer, Question, Statement
from citytable.table.spot import Spot
from citytable.table.status import Status
from citytable.umpire.acts import Confirmed
from citytable.views.clearing import ClearingWish
from citytable.views.lamp import Lamp
from citytable.views.lights import Ring, commands, forget, frame, lit
from citytable.views.next_game import Choices, NextGame
from citytable.views.paper import PaperWish
from citytable.views.signal import Signal
from citytable.views.state import Trouble, View
from citytable.views.undo import Corrected, TakingBack, UndoWish, UndoWord

A = TypeVar("A")
P = TypeVar("P")


class Session(Generic[A, P]):
    """Also the door through which people answer and speak.

    `now_us` None: the clock stands at the last batch (lock-step). `replayed` gives the game that entries tell; it
    raises `Unreplayable`.
    """

    def __init__(
        self,
        game_id: str,
        play: Play[A, P],
        link: TableLink,
        journal: Safe,
        *,
        replayed: Callable[[tuple[Entry, ...]], Played[A, P]],
        now_us: Callable[[], int] | None = None,
    ) -> None:
        self._replayed = replayed
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
        self._rings: dict[Spot, Ring] = {}
        self.lamp = Lamp()
        """How bright people want the rings; `light` sets it."""
        self._consent = Consent()
        self._asked: set[str] = set()  # the ids of the questions that are open and written down
        self._piece = play.umpire.observed.piece  # what pieces weigh, as written down
        self._stations: tuple[Standing, ...] = ()  # as last shown
        self._batch_us = 0
        self._busy = OneByOne(journal)  # the wire's batches and what people say
        self._troubles: tuple[Trouble, ...] = ()
        self._shown = self.view()

    async def run(self) -> None:
        """Hear what stations say until the link is stopped."""
        async for batch in self._link.batches():
            async with self._busy:
                await self._hear(batch)
        self._witness.leave(self.now_us())

    async def _hear(self, batch: Batch) -> None:
        self._batch_us = batch.now_us
        if self._play.glimpse(batch.fresh):
            await self._show()
        if batch.is_due:
            await self._judge(batch)
        await self._link.committed(batch)

    async def _judge(self, batch: Batch) -> None:
        confirmed = self._play.hear(batch.received, batch.now_us)
        entries = await self._journal.commit(self._game_id, self._drafts(confirmed), batch.high_water)
        self._witness.saw(entries, confirmed, batch.now_us)
        for received in batch.received:
            self._forget_rings(received)
        await self._refresh(entries)

    def _forget_rings(self, received: Received) -> None:
        """A station that starts is dark, whatever it was last told."""
        if isinstance(received.message, Birth):
            self._rings = forget(self._rings, received.station, self._play.plan)

    def _drafts(self, confirmed: tuple[Confirmed[A, P], ...]) -> list[Draft]:
        """What the journal keeps: what the sensors told, new questions, then what became confirmed by it."""
        questions = self._play.umpire.questions
        asked = [question for question in questions if question.id not in self._asked]
        self._asked = {question.id for question in questions}
        now_us = self.now_us()  # one time for all: so a recall knows what was judged together
        drafts = [Draft(now_us, "sensor", FactNoted(fact=fact)) for fact in self._play.take_facts()]
        if counted := self._play.take_counted():
            drafts.append(Draft(now_us, "sensor", Counted(components=counted)))
        drafts += [Draft(now_us, "system", Asked(question=question)) for question in asked]
        drafts += [Draft(now_us, "system", Answered(answer=answer)) for answer in self._play.take_silent()]
        for one in confirmed:
            cause: Cause = "player" if one.stated else "sensor"
            drafts.append(Draft(now_us, cause, ActionConfirmed(action=one.text, breaks=one.breaks)))
        drafts += self._weighed(now_us)
        if confirmed and self._play.termination:
            drafts.append(self._ended(now_us))
        return drafts

    def _weighed(self, now_us: int) -> tuple[Draft, ...]:
        """What was learned of the pieces by what was confirmed."""
        before, self._piece = self._piece, self._play.umpire.observed.piece
        if self._piece == before:
            return ()
        return (Draft(now_us, "sensor", PiecesWeighed(pieces=self._piece.pieces, grams=self._piece.grams)),)

    def _ended(self, now_us: int) -> Draft:
        return Draft(now_us, "system", GameEnded(termination=self._play.termination))

    def _end_again(self) -> tuple[Draft, ...]:
        """After a correction: the game is over by the rules, or it was given up and cleared away."""
        clearing, now_us = self._play.clearing, self.now_us()
        if self._play.termination:
            return (self._ended(now_us),)
        if clearing is not None and clearing.closed:
            return (Draft(now_us, "system", GameEnded(termination=ABANDONED)),)
        return ()

    async def _refresh(self, entries: tuple[Entry, ...]) -> None:
        """Show what is new; these entries were written."""
        self._display.tell(self._play.take_noticed(), entries)
        stations = self._link.standing()
        lapsed = self._consent.lapse(self.now_us())
        news = self._play.take_news() or lapsed or stations != self._stations
        self._stations = stations
        if news:
            await self._show()

    async def _show(self) -> None:
        self._shown = view = self.view()
        await self._light(view)
        for show in self._shows:
            show(view)

    async def look_out(self) -> None:
        """Show troubles as they come and go, until cancelled; with what was shown last, for the rest is not written."""
        while True:
            if (now := troubles(self._link, self._journal)) != self._troubles:
                self._troubles = now
                view = replace(self._shown, troubles=now)
                for show in self._shows:
                    show(view)
            await asyncio.sleep(LOOK_S)

    async def _light(self, view: View) -> None:
        rings = self.lamp.dimmed(frame(lit(view), self._play.plan))
        for station, message in sorted(commands(rings, self._rings, self._play.plan).items()):
            if await self._link.publish_light(station, message["rings"]):
                told = {ring["spot"] for ring in message["rings"]}
                self._rings |= {spot: ring for spot, ring in rings.items() if spot in told}

    def keep_signals(self, traces: Traces) -> None:
        """From now on raw signals around decisions are kept there."""
        self._witness.traces = traces

    def chooses_from(self, shelf: Shelf[A, P]) -> None:
        """Let people begin the next game from now on, one of this shelf."""
        self._shelf = shelf

    def on_next_game(self, told: Callable[[], None]) -> None:
        """From now on `told` is called whenever another game has begun, before anybody sees it."""
        self._began.append(told)

    def show_on(self, show: Callable[[View], None]) -> None:
        """From now on `show` gets every new view, too."""
        self._shows.append(show)

    def resumed(self, entries: tuple[Entry, ...]) -> None:
        """The screens say that the hub was away and goes on with its game, of which these are the entries."""
        self._consent.recall(entries)
        self._consent.lapse(self.now_us())
        if isinstance(entries[0].body, GameStarted):
            self._meet(entries[0].body)
        if not is_over(entries):
            self._display.resumed(len(self._play.actions), self.now_us())

    def _meet(self, started: GameStarted) -> None:
        """The people of the game."""
        self.people = started.people or self._game_id
        self._display.names = started.names

    # the door

    @property
    def game_id(self) -> str:
        """The game on the table."""
        return self._game_id

    @property
    def play(self) -> Play[A, P]:
        """How it stands."""
        return self._play

    def now_us(self) -> int:
        """The hub's clock, in microseconds."""
        return self._batch_us if self._clock is None else self._clock()

    def questions(self) -> tuple[Question, ...]:
        """The open questions."""
        return self._play.questions

    def status(self) -> Status:
        """What is to be put right."""
        return self._play.umpire.status()

    def seat(self) -> int:
        """Whose turn is confirmed; 0 before and after the game."""
        return self._play.game.seat(self._play.umpire.position)

    def players(self) -> int:
        """How many play."""
        return self._display.players

    def view(self) -> View:
        """The view now."""
        return replace(self._display.view(self.now_us(), self._consent.asked), troubles=self._troubles)

    def zeros(self, today: date) -> tuple[CellZero, ...]:
        """Every load cell's zero, and whether it should be calibrated again by `today`."""
        return self._play.zeros(today)

    def turned_away(self) -> tuple[str, ...]:
        """The addresses that the broker does not let in."""
        return self._link.turned_away()

    async def light(self, lamp: Lamp) -> None:
        """Let all rings shine by this lamp from now on."""
        async with self._busy:
            self.lamp = lamp
            await self._light(self.view())

    async def answer(self, answer: Answer) -> None:
        """Take an answer; raises `ValueError` with a sentence."""
        await self._link.all_told()
        async with self._busy:
            confirmed = self._play.answer(answer)
            if not self._play.waits_for_more(answer.question):
                self._asked.discard(answer.question)  # when it comes up once more it is asked once more
            await self._took(Draft(self.now_us(), "player", Answered(answer=answer)), confirmed)

    def sayable(self) -> tuple[str, ...]:
        """What people may say was done, in notation."""
        return self._play.sayable()

    async def state(self, statement: Statement) -> None:
        """Take what a person says; raises `GameError` with a sentence."""
        await self._link.all_told()
        async with self._busy:
            confirmed = self._play.state(statement)
            await self._took(Draft(self.now_us(), "player", Stated(statement=statement)), confirmed)

    async def vouch(self, word: Vouched) -> None:
        """Take a tap on what is under way: that is right; raises `ValueError` with a sentence."""
        await self._link.all_told()
        async with self._busy:
            confirmed = self._play.vouch(word.actions)
            await self._took(Draft(self.now_us(), "player", word), confirmed)

    async def let_stand(self, ruling: Ruled) -> None:
        """Take what the host lets stand although a rule forbids it; raises as `state` does."""
        await self._link.all_told()
        async with self._busy:
            confirmed = self._play.let_stand(Statement(t_us=self.now_us(), action=ruling.action, by=ruling.by))
            await self._took(Draft(self.now_us(), "referee", ruling), confirmed)

    async def entries(self) -> tuple[Entry, ...]:
        """The actions that stand, each under the number by which it can be corrected."""
        return standing((await self._journal.entries(self._game_id)).entries)

    async def signal(self, seq: int) -> Signal:
        """What the sensors showed around an entry, as `Witness.signal` tells it; raises the same."""
        return await self._witness.signal(seq, (await self._journal.entries(self._game_id)).entries)

    async def correct(self, wish: Correction | TakingBack) -> Corrected:
        """Put the record right; everything is computed anew and shown once. Raises `Unreplayable` with a sentence."""
        async with self._busy:
            told = (await self._journal.entries(self._game_id)).entries
            if isinstance(wish, TakingBack):
                to = wish.entry - 1
                wish = Undone(to=to, by=wish.by, why=wish.why, kept=kept_by_undo(told, to))
            return await self._correct(wish)

    async def _correct(
        self, correction: Correction, cause: Cause = "referee", seen: tuple[Fact, ...] = ()
    ) -> Corrected:
        """`seen` is what became of the table before it, and is not written yet."""
        told = (await self._journal.entries(self._game_id)).entries
        entry = Entry(len(told) + len(seen) + 1, self.now_us(), cause, correction)
        game = self._replayed((*told, entry))
        facts = [Draft(entry.at_us, "sensor", FactNoted(fact=fact)) for fact in seen]
        await self._journal.commit(self._game_id, [*facts, Draft(entry.at_us, cause, correction)])
        self._consent.forget()
        self._asked.clear()
        restoring = isinstance(correction, Undone | PositionSet)
        confirmed = self._play.put_right(game, restoring=restoring, scales=as_it_was((*told, entry), self._replayed))
        drafts = self._drafts(confirmed)
        if not confirmed and not is_over((*told, entry)):
            drafts += self._end_again()
        self._witness.stands(game.position)
        self._display.put_right(standing((*told, entry)))
        entries = await self._journal.commit(self._game_id, drafts)
        self._witness.saw(entries, confirmed, self.now_us())
        await self._refresh(entries)
        return Corrected(was=len(told), now=entries[-1].seq if entries else entry.seq)

    def blanks(self) -> tuple[Blank, ...]:
        """The actions as forms, for those who put the record right."""
        return self._play.game.blanks()

    def paper(self) -> dict[str, Any]:
        """The form for the city as it stands, filled in with what is known and what lies on the table."""
        return self._play.game.paper(self._play.umpire.provisional_position, self._play.umpire.observed.lying)

    async def set_position(self, wish: PaperWish) -> None:
        """Go on from what is written down; raises `IllegalPosition` with everything that is wrong."""
        async with self._busy:
            umpire = self._play.umpire
            rules = self._play.game if umpire.mode == "enforce" else self._play.game.accepting()
            text = rules.from_paper(umpire.position, wish.paper)
            await self._correct(PositionSet(position=text, by=wish.by, why=wish.why))

    async def clear_up(self, wish: ClearingWish) -> None:
        """Begin, stop or close clearing up; what is no longer so happens quietly a second time."""
        async with self._busy:
            entries = (await self._journal.entries(self._game_id)).entries
            clearing = self._play.clearing
            if wish.do == "begin" and clearing is None:
                await self._write(ClearingBegun(by=wish.by))
                self._consent.forget()
                self._play.clear_up(bag_of(entries, self._play.game, self._replayed))
            elif wish.do == "stop" and clearing is not None:
                stopped = Undone(to=len(entries), by=wish.by, why="clearing up was stopped")
                await self._correct(stopped, seen=clearing.seen)
            elif wish.do == "close" and clearing is not None and not clearing.closed:
                await self._write(*self._last_words(entries, wish.by))
                self._play.close_clearing()
            await self._refresh(())

    def _last_words(self, entries: tuple[Entry, ...], by: str) -> tuple[Body, ...]:
        """What is still to be written of the game when nobody plays it any more."""
        clearing = self._play.clearing
        closed = (ClearingClosed(by=by),) if clearing is not None and not clearing.closed else ()
        return (*closed, *(() if is_over(entries) else (GameEnded(termination=ABANDONED),)))

    async def _write(self, *words: Body) -> None:
        """The host says something of which nothing follows at once."""
        await self._journal.commit(self._game_id, self._said(*words))

    def _said(self, *words: Body) -> list[Draft]:
        return [Draft(self.now_us(), "referee", word) for word in words]

    def choices(self) -> Choices:
        """What may be chosen for the next game."""
        clearing = self._play.clearing
        over = bool(self._play.termination) or (clearing is not None and clearing.closed)
        return self._games().choices(self._play.umpire.position, self._game_id, self._display.names, over=over)

    def _games(self) -> Shelf[A, P]:
        if self._shelf is None:
            raise RuntimeError("nobody has said which games there are: call `chooses_from` first")
        return self._shelf

    async def begin_next(self, wish: NextGame) -> None:
        """Begin another game at this table; the one on it is given up where it is not over. Raises `Unfitting`.

        The end of the one and the beginning of the other are written at once.
        """
        await self._link.all_told()
        async with self._busy:
            if wish.after != self._game_id:
                raise Unfitting(SENTENCES.text("begun"))
            fresh = await self._games().take(wish, self._play.umpire.position)
            people = self.people if wish.same_people else ""
            names = tuple(" ".join(name.split()) for name in wish.names[: wish.players])
            started = replace(fresh.started, by=wish.by, people=people, names=names)
            play, drafts = dealt(fresh, started, self._play, self.now_us())
            entries = (await self._journal.entries(self._game_id)).entries
            ended = Commit(self._game_id, tuple(self._said(*self._last_words(entries, wish.by))))
            await self._journal.commit_together([ended, Commit(fresh.game_id, drafts)])
            self._take_up(fresh.game_id, play, started)
            confirmed = play.judged()
            entries = await self._journal.commit(self._game_id, self._drafts(confirmed))
            self._witness.saw(entries, confirmed, self.now_us())
            await self._refresh(entries)

    def _take_up(self, game_id: str, play: Play[A, P], started: GameStarted) -> None:
        """From now on this game is on the table."""
        self._witness.leave(self.now_us())
        self._game_id, self._play = game_id, play
        self._piece = play.umpire.observed.piece
        self._meet(started)
        self._witness = self._witness.of(game_id, play)
        self._display.show(play, self.now_us())
        self._consent.forget()
        self._asked.clear()
        for told in self._began:
            told()

    async def undo(self, said: UndoWish | UndoWord) -> None:
        """A player wants something taken back, or says what he thinks of it; raises `ValueError` with a sentence."""
        async with self._busy:
            if self._play.clearing is not None:
                raise cleared_away()
            self._consent.lapse(self.now_us())
            entries = (await self._journal.entries(self._game_id)).entries
            under_way = tuple(one.action for one in self._play.umpire.provisional)
            body: UndoWished | UndoAnswered
            if isinstance(said, UndoWish):
                agreed = self._consent.wish(said, entries, self.now_us(), under_way)
                body = UndoWished(seat=said.seat, to=said.to, why=said.why, under_way=under_way)
            else:
                agreed = self._consent.word(said, entries, under_way)
                body = UndoAnswered(seat=said.seat, agrees=said.agrees, under_way=under_way)
            if agreed is not None:
                self._consent.forget()
                await self._correct(agreed, "player")
            else:
                await self._journal.commit(self._game_id, [Draft(self.now_us(), "player", body)])
                await self._show()

    async def go_on(self, word: Stayed) -> None:
        """After an undo the table stays as it is."""
        async with self._busy:
            confirmed = self._play.go_on()
            await self._took(Draft(self.now_us(), "referee", word), confirmed)

    async def set_mode(self, chosen: ModeChosen) -> None:
        """From now on make this of acts that a rule forbids."""
        async with self._busy:
            if chosen.mode != self._play.umpire.mode:
                confirmed = self._play.set_mode(chosen.mode)
                await self._took(Draft(self.now_us(), "referee", chosen), confirmed)

    async def _took(self, said: Draft, confirmed: tuple[Confirmed[A, P], ...]) -> None:
        """Somebody said something: write it with what came of it, then show it."""
        entries = await self._journal.commit(self._game_id, [said, *self._drafts(confirmed)])
        self._witness.saw(entries, confirmed, self.now_us())
        await self._refresh(entries)
