"""Judging an evening: its facts and its talk go to the umpire, and what that confirms is held against what was done.

Rules of this file:
1. Time is the hub's. Facts are judged in batches of `BATCH_US`; where nothing happens the umpire is asked now and then.
2. People answer what is asked when they get round to it. Their answers are drawn from the seed and the question alone.
3. The first wrong confirmation ends an evening: what comes after it says nothing more.
4. What leaves no evidence is counted by itself, and so is what follows from an answer that was wrong. Neither excuses
   what goes wrong much later, unless the umpire cannot have known better since.
"""

import heapq
import random
from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any, Protocol

import msgspec

from citytable.evenings.mortal_door import MortalDoor
from citytable.evenings.performance import Done, Heard, Performance
from citytable.evenings.putting_right import Turn, spoilt, taps_to_truth, wrong_in
from citytable.evenings.umpire_door import Shown, UmpireDoor
from citytable.rules.errors import LocalisedError
from citytable.table.question import FieldValue, Question
from citytable.table.word import Answer, Statement

BATCH_US = 500_000
SILENCE_US = 3_000_000
NEARLY_DONE_US = 3_000_000  # who is asked what they do says it before they have let go
AGAIN_US = 10_000_000  # who has no answer yet, because what is asked about is still being done, has one later
ASKED_US = 30_000_000  # how long before a story ends it begins
CATCHES_UP_US = 30_000_000  # how long it may take, when all is answered, until what people played since is understood
AFTERWARDS_US = 300_000_000  # how long after the last turn people still answer: the slowest needs 120 s
TOO_EARLY_US = 15_000_000
EDGES = (0.0, 0.5, 0.7, 0.9, 0.95)


class Referee(Protocol):
    """A game's knowledge about its own actions."""

    table: Any

    def ends_turn(self, action: Any) -> bool:
        """Return whether the action ends a turn."""
        ...

    def is_delivery(self, action: Any) -> bool:
        """Return whether the action is a delivery that stood."""
        ...

    def player(self, action: Any) -> int:
        """Return the player who did the action; 0 for nobody."""
        ...

    def action(self, text: str) -> Any:
        """Return the action of a notation."""
        ...

    def same_decision(self, one: Any, other: Any) -> bool:
        """Return whether both are one decision."""
        ...

    def leads_astray(self, action: Any) -> bool:
        """Return whether missing the action can mislead an umpire for the whole evening, not only for a round."""
        ...

    def names(self, action: Any, done: Sequence[Done]) -> bool | None:
        """Return whether an act that only names what came up is right; None for another act."""
        ...

    def widths(self, position: Any) -> tuple[int, ...]:
        """Return the width of the range of each player's count of pieces, by seat; 0 where it is exact."""
        ...

    def fits(self, confirmed: Any, done: Done) -> bool:
        """Return whether what was done lies within what was confirmed."""
        ...

    def answer(
        self, question: Question, done: Sequence[Done], shown: Sequence[str], unconfirmed: Sequence[Done], asked_us: int
    ) -> dict[str, FieldValue] | None:
        """Return the answer of a person who was there and sees what is `shown`; None: nobody has an answer yet.

        `done` is everything that was done; `unconfirmed` is the part about which the display can still ask, and the act
        that somebody is just doing. `asked_us` is when the question was asked.
        """
        ...


class Asked(msgspec.Struct, frozen=True):
    """A question that was answered.

    `proposed_right`: the proposed answer was the true one.
    """

    t_us: int
    prompt: str
    proposed_right: bool


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """The result of one evening. `end`: fine, wrong, stuck, or unseen, late, misled where evidence could not decide."""

    seed: int
    table: str
    persons: tuple[str, ...]
    end: str
    why: str = ""
    habits: tuple[str, ...] = ()  # in play at any time
    around: tuple[str, ...] = ()  # in play shortly before a wrong confirmation
    story: tuple[str, ...] = ()
    turns: int = 0
    turns_in_time: int = 0
    turns_due: int = 0
    turns_unanswered: int = 0  # of those not in time: when it was due, people had not answered what was asked
    acts: int = 0
    unseen: int = 0
    deliveries: int = 0
    delivery_questions: int = 0
    questions: tuple[Asked, ...] = ()
    waits_s: tuple[float, ...] = ()
    delivery_widths: tuple[int, ...] = ()  # of the range of the player's pieces, at each confirmed delivery
    end_widths: tuple[int, ...] = ()  # the same for every player, as far as the evening was confirmed
    bands: Mapping[str, tuple[int, int]] = {}  # lowest confidence -> shown and true, shown and untrue
    shown_by: Mapping[str, tuple[int, int, float]] = {}  # what spoke for them -> the same, and their confidences' sum
    set_right: str = ""  # how the same evening ended with a host; empty: it did not get stuck
    taps: tuple[int | None, ...] = ()  # by which a turn that is wrong, or was spoilt, is put right; None: by a form
    cost_s: float = 0.0


class Judge:
    """Judges one evening. `rates`: how often an answer is late or wrong."""

    def __init__(self, performance: Performance, referee: Referee, rates: Mapping[str, float]) -> None:
        self._evening = performance
        self._referee = referee
        self._rates = rates
        door = MortalDoor if performance.heard else UmpireDoor
        self._door: UmpireDoor = door(referee.table, performance.start, performance.plan)
        self._away_us = list(performance.away_us)
        self._truth = Truth(performance.done, referee)
        self._seen: set[str] = set()
        self._answers: list[tuple[int, int, Question, int]] = []  # when, which, what, and when it was asked
        self._numbers = count()
        self._asked: list[Asked] = []
        self._refused: set[str] = set()
        self._shown: set[tuple[int, Shown]] = set()
        self._told: list[str] = []
        self._answered: set[str] = set()  # questions to which somebody has given their mind
        self._misled_turn: int | None = None
        self._lied_about: set[str] = set()  # the acts on which somebody gave a wrong answer
        self._widths = referee.widths(performance.start)
        self._asking: list[tuple[int, bool]] = []  # when the questions were looked at, and whether any was open
        self._behind_us = 0  # until when everybody was understood, or had not answered yet
        self._delivery_widths: list[int] = []
        self.now_us = 0

    def run(self) -> Result:
        """Judge the evening to its end, or to the first wrong confirmation."""
        heard = self._evening.heard or tuple(Heard(fact.t_us, fact) for fact in self._evening.facts)
        first = [one.fact for one in heard if one.at_us == 0]
        self._door.feed(first, self.now_us)
        self._judge()
        words = [(one.t_us, one.word) for one in self._evening.said]
        facts = list(heard[len(first) :])
        words.sort(key=lambda one: one[0])
        while self._goes_on():
            facts, words = self._step(facts, words)
        return self._result()

    def _goes_on(self) -> bool:
        """Return whether judging goes on: it waits for people who are slow to look at a question."""
        if self._truth.wrong:
            return False
        if any(question.id not in self._answered for question in self._door.questions()):
            self._behind_us = self.now_us
            return self.now_us < self._evening.ended_us + AFTERWARDS_US
        patience = len(self._evening.persons) + 1  # turns: people have played a whole round on
        if self._behind() <= patience:
            self._behind_us = self.now_us
        return self.now_us < self._evening.ended_us and self.now_us - self._behind_us < CATCHES_UP_US

    def _behind(self) -> int:
        return self._truth.behind(self._done())

    def _done(self) -> list[Done]:
        """Return what has been done by now."""
        return [one for one in self._evening.done if one.t_us <= self.now_us]

    def _step(
        self, facts: list[Heard], words: list[tuple[int, Statement]]
    ) -> tuple[list[Heard], list[tuple[int, Statement]]]:
        """Take what is next in time."""
        due = [self.now_us + SILENCE_US]
        due += [facts[0].at_us + BATCH_US] if facts else []
        due += [words[0][0]] if words else []
        due += [self._answers[0][0]] if self._answers else []
        again_us = self._door.looks_again_us
        due += [again_us] if again_us else []
        self.now_us = max(self.now_us, min(due))
        n = next((k for k, one in enumerate(facts) if one.at_us > self.now_us), len(facts))
        if n or 0 < again_us <= self.now_us:
            self._door.feed(sorted((one.fact for one in facts[:n]), key=lambda fact: fact.t_us), self.now_us)
        if self._away_us and self.now_us >= self._away_us[0][0]:
            self._come_back(*self._away_us.pop(0))
            return facts[n:], words  # which wait for what the stations have to tell
        while words and words[0][0] <= self.now_us:
            self._say(words.pop(0)[1])
        while self._answers and self._answers[0][0] <= self.now_us:
            self._answer(*heapq.heappop(self._answers)[2:])
        self._judge()
        return facts[n:], words

    def _come_back(self, from_us: int, until_us: int) -> None:
        """Let a hub that was killed come back; it may now learn of what people did meanwhile."""
        self._told.append(f"{from_us / 1e6:.1f} the hub is killed, and is back at {until_us / 1e6:.1f}")
        self.now_us = self._behind_us = max(self.now_us, until_us)
        if isinstance(self._door, MortalDoor):
            self._door.come_back()

    def _judge(self) -> None:
        for one in self._door.judge():
            if not self._truth.wrong:
                self._told.append(f"{self.now_us / 1e6:.1f} confirmed {one.text}")
                self._truth.confirmed(one.action, self.now_us)
                self._widths = self._referee.widths(one.position)
                if self._referee.is_delivery(one.action):
                    self._delivery_widths.append(self._widths[self._referee.player(one.action) - 1])
        self._look()

    def _look(self) -> None:
        """Look at the questions and at what is shown."""
        questions = self._door.questions()
        self._asking.append((self.now_us, bool(questions)))
        self._seen &= {question.id for question in questions}  # what is asked again is heard again
        self._answered &= {question.id for question in questions}
        for question in questions:
            if question.id not in self._seen:
                self._seen.add(question.id)
                self._hear(question)
        for shown in self._door.shown():
            self._shown.add((self._truth.turn, shown))

    # people

    def _draw(self, question: Question, what: str) -> float:
        return random.Random(f"{self._evening.seed} {question.id} {what}").random()

    def _hear(self, question: Question) -> None:
        """Somebody sees a question, and will answer it."""
        self._told.append(f"{self.now_us / 1e6:.1f} asks {question.prompt}: {question.about}")
        after_s = 3 + 17 * self._draw(question, "when")
        if self._draw(question, "late") < self._rates.get("answers_late", 0.0):
            after_s *= 6
        heapq.heappush(self._answers, (self.now_us + round(after_s * 1e6), next(self._numbers), question, self.now_us))

    def _answer(self, question: Question, asked_us: int) -> None:
        question = next((one for one in self._door.questions() if one.id == question.id), question)
        if question.id not in self._seen:
            return
        self._answered.add(question.id)
        done = self._done()
        shown = [one.action for one in self._door.shown()]
        unconfirmed = self._truth.unconfirmed(self.now_us + NEARLY_DONE_US)
        values = self._referee.answer(question, done, shown, unconfirmed, asked_us)
        right = values is not None and all(
            field.proposed == values.get(field.name) for field in question.fields if field.proposed is not None
        )
        if values is None:
            self._told.append(f"{self.now_us / 1e6:.1f} nobody has an answer yet to {question.id}")
            heapq.heappush(self._answers, (self.now_us + AGAIN_US, next(self._numbers), question, asked_us))
            return
        self._asked.append(Asked(self.now_us, question.prompt, right))
        is_first = question.id not in self._refused  # who is told that it cannot be looks again
        if is_first and self._draw(question, "wrong") < self._rates.get("answers_wrongly", 0.0):
            lie = wrongly(values, question, self._draw(question, "lie"))
            if lie != values:
                self._misled_turn = self._truth.turn
                self._lied_about.add(question.about)
            values = lie
        another = self._draw(question, "who") < self._rates.get("plays_for_another", 0.0)
        by = f"seat {question.seat}" if question.seat and not another else "host"
        names = {field.name for field in question.fields}
        self._say(Answer(question=question.id, values={k: v for k, v in values.items() if k in names}, by=by))
        self._seen.discard(question.id)  # still open after its answer: it is asked again

    def _say(self, word: Answer | Statement) -> None:
        text = word.action if isinstance(word, Statement) else f"{word.question}: {word.values}"
        try:
            self._door.say(word, self.now_us)
        except (ValueError, LocalisedError) as refusal:
            self._told.append(f"{self.now_us / 1e6:.1f} says {text}, which is refused: {refusal}")
            if isinstance(word, Answer) and word.question not in self._refused:
                self._refused.add(word.question)
                self._answered.discard(word.question)  # they will look at it once more
        else:
            self._told.append(f"{self.now_us / 1e6:.1f} says {text}")

    # what came of it

    def _result(self) -> Result:
        truth, evening = self._truth, self._evening
        end, why = truth.verdict(misled=self._misled())
        if end == "fine" and self._behind() > 1:
            end, why = "stuck", "; ".join((*self._open(), *self._door.complaints()))[:600]
        turns_due, late_us = truth.due_and_late(len(evening.persons))
        unanswered = (self._asking[bisect_right(self._asking, (us, True)) - 1][1] for us in late_us)
        deliveries = sum(self._referee.is_delivery(one.action) for one in self._done())
        return Result(
            seed=evening.seed,
            table=evening.table,
            persons=evening.persons,
            end=end,
            why=why,
            habits=tuple(sorted({one.habit for one in evening.noted})),
            around=() if end == "fine" else self._around(),
            story=() if end == "fine" else self._story(),
            turns=truth.turn - 1,
            turns_in_time=turns_due - len(late_us),
            turns_due=turns_due,
            turns_unanswered=sum(unanswered),
            acts=len(truth.waits_s),
            unseen=truth.unseen,
            deliveries=deliveries,
            delivery_questions=sum(one.prompt in {"deliver", "where"} for one in self._asked),
            questions=tuple(self._asked),
            waits_s=tuple(round(one, 1) for one in truth.waits_s),
            delivery_widths=tuple(self._delivery_widths),
            end_widths=self._widths,
            bands=self._bands(),
            shown_by=self._shown_by(),
        )

    def taps(self) -> tuple[int | None, ...]:
        """Return the taps that correct the wrong turn, or one of the last two turns after it was spoilt.

        Nothing if neither of these two is exactly what was done.
        """
        last, rng = self._truth.turn, random.Random(f"{self._evening.seed} spoilt")
        if self._truth.wrong:
            return (taps_to_truth(self._door, self._turn(last), self._referee.fits),)
        turns = [self._turn(no) for no in range(max(1, last - 2), last)]
        exact = [turn for turn in turns if not wrong_in(turn, self._referee.fits)]
        if not exact:
            return ()
        return (taps_to_truth(self._door, spoilt(self._door, rng.choice(exact), rng), self._referee.fits),)

    def _turn(self, no: int) -> Turn:
        """Return a turn as it was confirmed so far, with what was done in it."""
        confirmed = tuple(self._door.confirmed)
        ends = [0, *(k for k, act in enumerate(confirmed, start=1) if self._referee.ends_turn(act)), len(confirmed)]
        first, last = ends[no - 1], ends[no]
        done = self._done()
        true = [one for one in done if one.turn == no and not one.soft]
        true += [Done(self.now_us, no, act) for act in confirmed[first:last] if self._referee.names(act, done)]
        return Turn(confirmed[:first], confirmed[first:last], confirmed[last:], tuple(true))

    def _misled(self) -> bool:
        """Return whether a wrong answer is the reason: one of the round before, or one about this very act."""
        if self._misled_turn is None:
            return False
        since = self._truth.turn - self._misled_turn
        return since <= len(self._evening.persons) or self._truth.wrong_act.startswith(tuple(self._lied_about))

    def _open(self) -> list[str]:
        return [f"asks {question.id}" for question in self._door.questions()]

    def _around(self) -> tuple[str, ...]:
        """Return the habits in play from the turn that went wrong to the moment at which it did."""
        began = self._truth.began_us - 10_000_000
        return tuple(sorted({one.habit for one in self._evening.noted if began <= one.t_us <= self.now_us}))

    def _story(self) -> tuple[str, ...]:
        """Return the last facts, the truth and the statements, in a form for people to read."""
        since = max(self.now_us - 90_000_000, min(self._truth.began_us - 5_000_000, self.now_us - ASKED_US))
        lines = [(one.t_us, f"{one.t_us / 1e6:.1f} did {one.action} {one.unseen}") for one in self._evening.done]
        lines += [
            (one.t_us, f"{one.t_us / 1e6:.1f} habit {one.habit} of seat {one.seat}") for one in self._evening.noted
        ]
        heard = self._evening.heard or [Heard(fact.t_us, fact) for fact in self._evening.facts]
        lines += [(one.at_us, f"{one.at_us / 1e6:.1f} {_brief(one)}") for one in heard]
        lines += [(round(float(one.split(" ", 1)[0]) * 1e6), one) for one in self._told]
        told = sorted((line for line in lines if since <= line[0] <= self.now_us + 5_000_000), key=lambda line: line[0])
        return tuple(text for _, text in told)[-150:]

    def _bands(self) -> dict[str, tuple[int, int]]:
        """Return for each band of confidence how many shown acts were true, and how many were not."""
        each = ((turn, one.action, max(edge for edge in EDGES if one.confidence >= edge)) for turn, one in self._shown)
        found = Counter((f"{low:.2f}", self._is_true(turn, action)) for turn, action, low in set(each))
        return {low: (found[low, True], found[low, False]) for low in sorted({low for low, _ in found})}

    def _shown_by(self) -> dict[str, tuple[int, int, float]]:
        """Return the same by the evidence and the doubts of the acts, with the sum of their confidences."""
        found: dict[str, tuple[int, int, float]] = {}
        for turn, one in sorted(self._shown, key=lambda shown: (shown[0], shown[1].action, shown[1].by)):
            true, untrue, sure = found.get(one.by, (0, 0, 0.0))
            is_true = self._is_true(turn, one.action)
            found[one.by] = (true + is_true, untrue + (not is_true), sure + one.confidence)
        return found

    def _is_true(self, turn: int, text: str) -> bool:
        """Return whether an act that was shown during a turn was done then, or shortly before or after."""
        action = self._referee.action(text)
        near = (one for one in self._evening.done if abs(one.turn - turn) <= 2)
        return any(self._referee.same_decision(action, one.action) for one in near)


def wrongly(values: dict[str, FieldValue], question: Question, draw: float) -> dict[str, FieldValue]:
    """Return an answer with one field wrong; `draw` between 0 and 1 decides which field and how."""
    fields = [field for field in question.fields if field.name in values and field.kind != "yesno"]
    if not fields:
        return values
    field = fields[int(draw * len(fields))]
    value = values[field.name]
    if field.kind == "choice":
        others = [choice for choice in field.choices if choice != value]
        return {**values, field.name: others[int(draw * 997) % len(others)]} if others else values
    near = int(value) + (1 if int(draw * 991) % 2 else -1)
    return {**values, field.name: max(field.low, min(field.high, near))}


def _brief(heard: Heard) -> str:
    """Return a fact in a few words, with its time if it comes late."""
    fact = heard.fact
    late = f" of {fact.t_us / 1e6:.1f}" if fact.t_us < heard.at_us else ""
    given = msgspec.to_builtins(fact)
    hidden = {"fact", "t_us", "uid", "confidence", "error_g", "spots"}
    values = (
        f"{value:.2f}" if isinstance(value, float) else str(value) for k, value in given.items() if k not in hidden
    )
    return " ".join((given["fact"], *values)) + late


class Truth:
    """Everything that was done, turn by turn, and how much of it is confirmed."""

    def __init__(self, done: Sequence[Done], referee: Referee) -> None:
        self._referee = referee
        self._done = tuple(done)
        self._left: dict[int, list[Done]] = {}
        for one in done:
            self._left.setdefault(one.turn, []).append(one)
        self._players = {one.turn: referee.player(one.action) for one in done if referee.ends_turn(one.action)}
        self._ended_us = {one.turn: one.t_us for one in done if referee.ends_turn(one.action)}
        self._late: list[Done] = []
        self._matched: list[tuple[Any, list[Done], Done]] = []  # what was confirmed of this turn, and what it was
        self._confirmed_us: dict[int, int] = {}
        self._excuse = ""
        self.turn = 1
        self.began_us = 0
        self.unseen = 0
        self.wrong = ""
        self.wrong_act = ""  # the notation of what was confirmed and never done
        self.waits_s: list[float] = []

    def confirmed(self, action: Any, now_us: int) -> None:
        """Take a confirmed action."""
        if self._referee.ends_turn(action):
            self._turn_ended(action, now_us)
        elif (named := self._names(action, now_us)) is not None:
            if not named:
                self._goes_wrong(f"confirmed {action}, which did not come up")
        elif (found := self._found(action) or self._exchanged(action)) is not None:
            where, one = found
            where.remove(one)
            self._matched.append((action, where, one))
            self.unseen += bool(one.unseen)
            self.waits_s.append((now_us - one.t_us) / 1e6)
            if one.t_us > now_us + TOO_EARLY_US:
                self._goes_wrong(f"confirmed {action}, which was done only later")
        else:
            near = [str(one.action) for one in self._left.get(self.turn, ())]
            self.wrong_act = str(action)
            self._goes_wrong(f"confirmed {action}, which nobody did; not confirmed yet were {near}")

    def _names(self, action: Any, now_us: int) -> bool | None:
        return self._referee.names(action, [one for one in self._done if one.t_us <= now_us])

    def _found(self, action: Any) -> tuple[list[Done], Done] | None:
        """Return the act that this action confirms, and its list: of this turn, of earlier ones, or of the next."""
        here, after = self._left.get(self.turn, []), self._left.get(self.turn + 1, [])
        early = [one for one in after if one.unseen]
        for where, among in ((here, here), (self._late, self._late), (after, early)):
            for one in among:
                if self._referee.fits(action, one):
                    return where, one
        return None

    def _exchanged(self, action: Any) -> tuple[list[Done], Done] | None:
        """Return the same if another confirmed action of this turn took that act, and can be another act as well."""
        for k, (other, where, one) in enumerate(self._matched):
            if self._referee.fits(action, one) and (instead := self._found(other)) is not None:
                instead[0].remove(instead[1])
                self._matched[k] = (other, *instead)
                where.append(one)
                return where, one
        return None

    def _turn_ended(self, action: Any, now_us: int) -> None:
        here = self._left.get(self.turn, [])
        end = next((one for one in here if self._referee.ends_turn(one.action)), None)
        if end is None or end.action != action or end.t_us > now_us + TOO_EARLY_US:
            self._goes_wrong(f"confirmed {action}, but turn {self.turn} did not end like that")
            return
        here.remove(end)
        self.waits_s.append((now_us - end.t_us) / 1e6)
        self._confirmed_us[self.turn] = now_us
        before = [one for one in self._late if one.turn == self.turn - 1 and not self._referee.player(one.action)]
        missing = [
            one for one in here if one.t_us <= end.t_us and self._referee.player(one.action)
        ]  # what fell may wait
        missing = [one for one in (*before, *missing) if not one.soft and not one.unseen and one.evident_us <= now_us]
        if missing:
            self._late = [one for one in self._late if one not in missing]  # what is missing excuses nothing
            self._goes_wrong(f"turn {self.turn} ended, but never confirmed: {[str(one.action) for one in missing]}")
            return
        self._note_left([one for one in here if not one.soft])
        self.turn += 1
        self._matched = []
        self.began_us = end.t_us

    def _note_left(self, left: Sequence[Done]) -> None:
        """Note the acts of a finished turn that are not confirmed: they came after it, or have no evidence."""
        for one in left:
            self.unseen += bool(one.unseen)
            self._late.append(one)

    def unconfirmed(self, until_us: int) -> list[Done]:
        """Return the acts until that time that are not confirmed, in the order of time."""
        left = [one for turn, there in self._left.items() if turn >= self.turn for one in there]
        return sorted((one for one in (*self._late, *left) if one.t_us <= until_us), key=lambda one: one.t_us)

    def _goes_wrong(self, why: str) -> None:
        of_turn = (*self._left.get(self.turn, ()), *(one for _, _, one in self._matched))
        house = [one.unseen for one in of_turn if one.unseen == "house rule"]
        self._excuse = next(iter(house), "") or next(
            (one.unseen or "late" for one in self._late if self._excuses(one)), ""
        )
        self.wrong = why

    def _excuses(self, one: Done) -> bool:
        """Return whether an act that is still not confirmed can be the reason for a mistake now."""
        return self._referee.leads_astray(one.action) or self.turn - one.turn <= len(set(self._players.values()))

    def set_right(self, done: Sequence[Done], now_us: int) -> None:
        """Note that people set the table to what was done until now, at the end of a turn."""
        for left in self._left.values():
            left[:] = [one for one in left if one not in done]
        self._late, self._matched = [], []
        self.turn = 1 + sum(self._referee.ends_turn(one.action) for one in done)
        self.began_us = now_us

    def verdict(self, *, misled: bool) -> tuple[str, str]:
        """Return how the evening ended, and why."""
        if not self.wrong:
            return "fine", ""
        if misled:
            return "misled", self.wrong
        if self._excuse:
            return ("late" if self._excuse == "late" else "unseen"), f"{self._excuse}: {self.wrong}"
        return "wrong", self.wrong

    def behind(self, done: Sequence[Done]) -> int:
        """Return how many turns have ended that are not confirmed."""
        return sum(self._referee.ends_turn(one.action) for one in done) - (self.turn - 1)

    def due_and_late(self, players: int) -> tuple[int, tuple[int, ...]]:
        """Return how many turns were due, each when its player's next one was over, and when the late ones were."""
        due = {turn: self._ended_us.get(turn + players - 1) for turn in self._ended_us}
        known = {turn: at for turn, at in due.items() if at is not None and (turn < self.turn or not self.wrong)}
        return len(known), tuple(at for turn, at in known.items() if self._confirmed_us.get(turn, at + 1) > at)
