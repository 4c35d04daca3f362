"""A game in play on a table: takes facts; gives confirmed actions, questions and the view.

Nothing here waits or communicates: `Session` does. There is one door for facts and one for people's messages: a batch
of stations' messages goes through `hear`, a message of a person through `say`; each returns the actions that it
confirmed. Before that, new messages that may still be overtaken go through `glimpse`: they are sensed at once, shown by
`seen`, and judged when `hear` gets them in their order.
"""

from collections.abc import Iterable
from contextlib import suppress
from typing import Any, Generic, TypeVar

from msgspec.structs import replace

from citytable.journal.entry import ValuesEntered
from citytable.journal.replay import Played
from citytable.languages.sentences import Sentences
from citytable.link.inbox import Received
from citytable.rules.errors import GameError, Unfitting
from citytable.session.ballots import Ballot, Ballots
from citytable.session.bot_seat import BotSeat
from citytable.session.copy import Copy
from citytable.session.evidence import Evidence
from citytable.session.history import History, Report
from citytable.session.senses import Senses
from citytable.table.blank import Blank
from citytable.table.fact import Fact, Fell, PiecesCounted, StationCame, StationWent
from citytable.table.plan import Plan
from citytable.table.question import Question
from citytable.table.spot import Spot
from citytable.table.word import (
    SILENCE,
    Amendment,
    Answer,
    Approval,
    ClearUp,
    Denial,
    Guide,
    Insertion,
    ModeChoice,
    Naming,
    PiecesSaid,
    PositionSet,
    Recorded,
    Ruling,
    Statement,
    Strike,
    TableStays,
    TagNamed,
    Undo,
    UndoReplied,
    UndoRequested,
    tidied,
)
from citytable.umpire.acts import Confirmed
from citytable.umpire.clearing import Clearing
from citytable.umpire.restoring import AsItWas
from citytable.umpire.table_game import TableGame
from citytable.umpire.umpire import Umpire
from citytable.umpire.whole_game import whole

A = TypeVar("A")
P = TypeVar("P")

_SENTENCES = Sentences(__package__, "unfitting.json")


class Play(Generic[A, P]):
    """One game on one table. `position` is where it starts or resumes, `actions` what led there.

    `senses` are the table's, if it is in use already.
    """

    def __init__(
        self, game: TableGame[A, P], plan: Plan, position: P, actions: Iterable[A] = (), senses: Senses | None = None
    ) -> None:
        self.game = whole(game)
        self.plan = plan
        self.umpire: Umpire[A, P] = Umpire(self.game, position, plan)
        self.actions: list[A] = list(actions)
        self.start: P | None = None
        """The position from which `actions` led here; None: from the beginning of the game."""
        self._facts: list[Fact] = []
        self._silence: tuple[Fact, ...] = ()  # nobody listened, and nothing was heard since
        self.seen: Umpire[A, P] = self.umpire
        """What is to be shown: the umpire, or a copy that has taken in what is still to be judged. To be read only."""
        self.names: tuple[str, ...] = ()
        """What the players are called, by seat, as far as it is known."""
        self.guided = False
        """People want to be told what they could do next."""
        self.empty: frozenset[int] = frozenset()
        """The seats at which nobody sits and a bot plays: people do there what it says."""
        self.collapses = 0
        """How many falls were sensed for sure."""
        self.inferred = 0
        """How many confirmed actions nobody had to say."""
        self.copy: Copy | None = None
        """The copy of the game that lies on the table."""
        self.bot: BotSeat | None = None
        """Decides at empty seats; without it the game's own advice does."""
        self.clearing: Clearing | None = None
        """While everything goes back into the box nothing is inferred, and nothing of it belongs to the game."""
        self._noticed: list[Fact] = []
        self._news = True
        self.evidence: Evidence[A, P] = Evidence(self.game)
        self.senses = Senses(plan) if senses is None else senses
        self._complaints: dict[str, tuple[dict[str, str], ...]] = {}  # of stations, by the plan
        self._ballots = Ballots()
        self._silent: list[Answer] = []  # for the journal: decisions that people made by their silence
        self._standing: dict[str, int] = {}  # the number of pieces on things, as people last reported it

    def hear(self, received: Iterable[Received], now_us: int) -> tuple[Confirmed[A, P], ...]:
        """Take the messages of stations up to `now_us`."""
        facts = self.senses.hear(received, now_us)
        self._news |= bool(facts) | self._has_other_complaints()
        if self.clearing is not None:
            self.senses.keep(frozenset())
            self.umpire.feed(self.clearing.take(facts))
            return ()
        for fact in facts:
            self._note(fact)
        self.senses.recorder.note(facts)
        self._news |= 0 < self.umpire.looks_again_us <= now_us
        self.umpire.feed(facts, now_us)
        self._heed_silence(now_us)
        return self._judged()

    def glimpse(self, fresh: Iterable[Received]) -> bool:
        """Sense new messages; return whether they change what can be seen."""
        came = self.senses.glimpse(fresh)
        if came:
            self._look()
        return came and self.clearing is None

    def _has_other_complaints(self) -> bool:
        """Return whether stations are complained of otherwise than when this was last asked."""
        before, self._complaints = self._complaints, self.senses.complaints()
        return self._complaints != before

    def _look(self) -> None:
        early = [] if self.clearing is not None else self.senses.early()
        self.seen = self.umpire.glimpse(early) if early else self.umpire

    def take_news(self) -> bool:
        """Return whether anything visible has changed since the last call."""
        news, self._news = self._news, False
        return news

    def take_noticed(self) -> tuple[Fact, ...]:
        """Return falls, and stations that went and came, since the last call."""
        noticed, self._noticed = tuple(self._noticed), []
        return noticed

    @property
    def termination(self) -> str:
        """Return the reason why the game ended, by confirmed actions; empty until then."""
        return self.game.termination(self.umpire.position)

    @property
    def seat(self) -> int:
        """Return the seat whose turn is confirmed; 0 before and after the game."""
        return self.game.seat(self.umpire.position)

    def _note(self, fact: Fact) -> None:
        self._facts += (*self._silence, fact)
        self._silence = ()
        self.evidence.note(fact)
        if isinstance(fact, Fell) and fact.stage == "confirmed":
            self.collapses += 1
        if isinstance(fact, Fell | StationCame | StationWent):
            self._noticed.append(fact)

    def take_counted(self) -> tuple[str, ...]:
        """Return the components that were counted since the last call, for the journal."""
        return () if self.clearing is None else self.clearing.take_counted()

    def _judged(self) -> tuple[Confirmed[A, P], ...]:
        if self.clearing is not None:
            return ()
        confirmed = self.umpire.judge()
        self._ballots.heed(self.umpire.questions)
        if confirmed:
            self._count_on()
        if self._news:
            self.senses.keep(self.umpire.kept)
            self._look()
        self.actions += [one.action for one in confirmed]
        self.inferred += sum(not one.stated for one in confirmed)
        return confirmed

    def _count_on(self) -> None:
        """Continue counting pieces from the number that people gave in an answer or a correction of it."""
        standing = dict(self.game.standing(self.umpire.position))
        for thing, n in standing.items():
            if self._standing.get(thing) != n:
                self.senses.said(thing, n)
        self._standing = standing

    def sayable(self) -> tuple[str, ...]:
        """Return the actions that people may report after those shown, in notation; empty while an answer decides."""
        if self._is_undecided(self.seen):
            return ()
        return tuple(self.game.text(action) for action in self.game.sayable(self.seen.provisional_position))

    def _is_undecided(self, umpire: Umpire[A, P]) -> bool:
        """Return whether an answer decides what comes next: the act, such as a flip, has changed nothing yet."""
        position = umpire.provisional_position
        for question in umpire.questions:
            with suppress(GameError):
                action = self.game.action(question.about)
                if self.game.ends_itself(action) and self.game.supposed(position, action) == position:
                    return True
        return False

    def _pass_on(self, word: Statement | Approval | Denial | Ruling | ModeChoice | TableStays, at_us: int) -> None:
        """Give the umpire a message of that hub time.

        Raises `Unfitting` for a report if a question must be answered first: a phone that has missed the question still
        offers its earlier reports.
        """
        if isinstance(word, Statement | Ruling) and self._is_undecided(self.umpire):
            raise Unfitting(_SENTENCES.text("answer_first"))
        self.umpire.say(word, at_us)

    def blanks(self) -> tuple[Blank, ...]:
        """Return the actions as forms, for people who correct the record."""
        return self.game.blanks()

    def paper(self) -> dict[str, Any]:
        """Return the form for the position on paper, filled in from the game and the table.

        It shows the moment before the first act with an open question.
        """
        return self.game.paper(self.umpire.settled_position, self.umpire.observed.lying)

    def say(self, word: Recorded | ValuesEntered, history: History[A, P]) -> tuple[Confirmed[A, P], ...]:
        """Take a message of a person; return the actions that it confirmed.

        `history` is the game with `word` as its last entry. Raises `GameError`, `Unreplayable` or `ValueError` with a
        sentence if the message makes no sense; then nothing has changed.
        """
        match word:
            case Answer():
                self._answer(word)
            case PiecesSaid() | TagNamed():
                self._believe(word, history.entries[-1].at_us)
            case TableStays() if not self.umpire.restoring:
                raise Unfitting(_SENTENCES.text("lies_as_it_should"))  # it would drop all that is under way
            case Statement() | Approval() | Denial() | Ruling() | ModeChoice() | TableStays():
                self._pass_on(word, history.entries[-1].at_us)
            case Undo() | PositionSet():
                self._put_right(history.played, restoring=True, scales=history.scales())
                self._news = True
                return (*self._say_again(history.reported_before()), *self._judged())
            case Amendment() | Insertion() | Strike() | ValuesEntered():
                self._take_cards()
                self._put_right(history.played, restoring=False, scales=history.scales())
            case ClearUp(do=do):
                self._clear_up(do, history)
            case Naming() | Guide():
                self._suit(word)
            case UndoRequested() | UndoReplied():
                pass  # they concern other players, not yet the table
        self._news = True
        return self._judged()

    def _say_again(self, words: Iterable[Report]) -> tuple[Confirmed[A, P], ...]:
        """Take people's messages again that came before a correction which is undone now, as far as they make sense."""
        confirmed: tuple[Confirmed[A, P], ...] = ()
        for word in words:
            confirmed += self._judged()
            with suppress(ValueError):  # impossible while the table has to be put back first
                self._answer(word) if isinstance(word, Answer) else self.umpire.say(word)
        return confirmed

    def _suit(self, word: Naming | Guide) -> None:
        """Change what screens show from now on, which concerns no rule."""
        if isinstance(word, Naming):
            self.names = tidied(word.names)
        elif not word.seats:
            self.guided = word.on
        else:
            self.empty = self.empty.union(word.seats) if word.on else self.empty.difference(word.seats)

    def _believe(self, word: PiecesSaid | TagNamed, t_us: int) -> None:
        """Take what people know better than sensors; raises `Unfitting` if it is impossible."""
        if isinstance(word, TagNamed):
            self._name(word, t_us)
        else:
            self._recount(word.spot, word.n, t_us)

    def _recount(self, spot: Spot, n: int, t_us: int) -> None:
        """Set the number of pieces at a spot, and count from there; raises `Unfitting` if the spot is bare."""
        there = [thing for thing in self.umpire.observed.at(spot) if not thing.startswith("?")]
        if not there:
            raise Unfitting(_SENTENCES.text("bare", spot=spot))
        for thing in there:
            self.senses.said(thing, n)
        self.umpire.feed((PiecesCounted(t_us=t_us, spot=spot, n=n, unsure=False),))

    def _name(self, word: TagNamed, t_us: int) -> None:
        """Note that a tag is on this thing from now on, even if it is on the table already."""
        known = {uid.lower(): thing for uid, thing in self.plan.tags.items()}
        thing = known.get(word.uid.lower(), word.thing)
        self.plan = replace(self.plan, tags={**known, word.uid.lower(): thing})
        facts = self.senses.name(word.uid, thing, t_us)
        if self.clearing is not None:
            self.clearing.plan, facts = self.plan, self.clearing.take(facts)
        self.umpire.feed(facts)

    def stand_by(self, played: Played[A, P]) -> None:
        """Keep confirmed actions, whatever the table shows; differences are explained from there."""
        self._news = True
        self._put_right(played, restoring=True, scales=None)
        self._judged()
        self.umpire.say(TableStays(by="host"))
        self._judged()

    def _take_cards(self) -> None:
        """Give the cards the values that are known from now on."""
        if self.copy is not None and self.copy.is_newer:
            self.game.become(self.copy.taken().table())
            self.umpire.learn()

    def _clear_up(self, do: str, history: History[A, P]) -> None:
        """Begin to put everything back into the box; or end it on the word of the host."""
        if do == "begin":
            full = history.full_bag(self.game)
            self.clearing = Clearing(self.plan, self.game.component, self.umpire.observed, full)
            self._look()
        elif self.clearing is not None:
            self.clearing.closed = True

    @property
    def questions(self) -> tuple[Question, ...]:
        """Return the open questions, oldest first."""
        asked = self._ballots.shown(self.umpire.questions)
        if self.copy is None:
            return asked
        return (*map(self.copy.labelled, asked), *self.copy.questions(self.umpire.provisional_position))

    def waits_for_more(self, question: str) -> bool:
        """Return whether a part of the question with this id is answered."""
        return self._ballots.waits(question)

    def _answer(self, answer: Answer) -> None:
        """Take an answer, or one person's part of it; raises `ValueError`."""
        question = next((one for one in self.umpire.questions if one.id == answer.question), None)
        ballot = None if question is None else self._ballots.of(question)
        if ballot is None:
            self.umpire.say(answer)
        elif ballot.is_voice(answer):
            self._put_voice(ballot.taken(answer), answer.by)
        else:
            self._put(ballot.taken(answer), answer.by)

    def _put_voice(self, ballot: Ballot, by: str) -> None:
        """Count a vote. A mistake in the rest of the answer is not the voter's: it is asked again, or stays refused."""
        self._ballots.keep(ballot)
        if ballot.verdict is False and self._is_withdrawn(ballot.question.about, by):
            return
        try:
            self._put(ballot, by)
        except ValueError:
            if ballot.verdict:
                self._ballots.keep(ballot.unfilled())

    def _is_withdrawn(self, action: str, by: str) -> bool:
        """Withdraw an act that a majority refused if no sensor would show its removal; return whether that was done."""
        if any(not self.umpire.observed.unread(spot) for spot in self.game.spots_of(self.game.action(action))):
            return False
        try:
            self.umpire.say(Denial(action=action, by=by))
        except Unfitting:  # nobody reported it: sensors elsewhere saw it, and will see it put back
            return False
        self._ballots.heed(self.umpire.questions)
        return True

    def _put(self, ballot: Ballot, by: str) -> None:
        """Answer with the result of a ballot once it is decided; raises `ValueError` if it makes no sense."""
        if ballot.is_filled_in and ballot.verdict is not None:
            self.umpire.say(ballot.answer(by))
            self._ballots.heed(self.umpire.questions)
            return
        if ballot.is_filled_in:
            self.umpire.check(ballot.answer(by))
        self._ballots.keep(ballot)

    def _heed_silence(self, now_us: int) -> None:
        for ballot in self._ballots.silent(now_us):
            agreed = Answer(question=ballot.question.id, values={ballot.field.name: True}, by=SILENCE)
            self._silent.append(agreed)
            self._put_voice(ballot.taken(agreed), SILENCE)

    def take_silent(self) -> tuple[Answer, ...]:
        """Return the answers given by silence since the last call, for the journal."""
        silent, self._silent = tuple(self._silent), []
        return silent

    def _put_right(self, played: Played[A, P], *, restoring: bool, scales: AsItWas[P] | None) -> None:
        """Continue from the result of a correction; `restoring`: after the table has been put back to it.

        `scales` are the weights to which they must return; None: nobody waits for them. Clearing up continues, unless
        the table is put back instead.
        """
        if restoring:
            self.clearing = None
        self.start, self.actions = played.start, list(played.actions)
        self.umpire.put_right(played.position, restoring=restoring, scales=scales)
        self._count_on()

    def take_facts(self) -> tuple[Fact, ...]:
        """Return the facts since the last call, for the journal."""
        facts, self._facts = tuple(self._facts), []
        return facts

    def recall(self, fact: Fact) -> None:
        """Take a fact from the journal as it was taken when it was new, without judging anything yet."""
        self.senses.recall(fact)
        self.evidence.note(fact)
        self.umpire.feed((fact,))

    def went_away(self, t_us: int) -> None:
        """Mark the spots of all stations as unknown since `t_us`, because nobody listened, until the stations report.

        The silence is noted together with the first message after it, because replaying that message needs it.
        """
        self._silence = self.senses.unheard(t_us)
        self.umpire.feed(self._silence)

    def begins_with(self, facts: tuple[Fact, ...]) -> None:
        """Take facts about the table at the beginning of the game, without judging anything yet."""
        for fact in facts:
            self._note(fact)
        self._noticed.clear()  # none of it is new
        self.umpire.feed(facts)

    def judged(self) -> tuple[Confirmed[A, P], ...]:
        """Judge the recalled facts; return the actions that they confirmed."""
        return self._judged()
