"""Ballots: a question that several people answer in part, until it is decided (A47).

Rule 1: the person asked fills in their fields. If a field has voters, each of them votes yes or no, with one tap.
Rule 2: the field is refused when more than half of the voters vote no. A tie counts as yes (A47): the player who is
        voted on presented what they had done, and that was their vote.
Rule 3: the field is decided as soon as no missing vote can change the result.
Rule 4: nobody has to vote: others *may* check (R24). Once everything else is answered, a voter who is silent for
        `SILENCE_US` agrees.
Rule 5: the host decides at once, also after the voters.
Rule 6: a field that a majority refused stays open for the host until things are put back. Where nothing reads the
        place, nobody could see that, and the act is withdrawn at once. Votes are deleted with their question.
"""

from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from citytable.table.question import Field, FieldValue, Question
from citytable.table.word import Answer, seat_of

SILENCE_US = 60_000_000


class Ballot(msgspec.Struct, frozen=True):
    """The voices so far on a question with the voted field `field`; `values` are those of one person alone."""

    question: Question
    field: Field
    values: dict[str, FieldValue] = {}
    voices: dict[int, bool] = {}
    complete_us: int | None = None  # the time since which only votes are missing

    def is_voice(self, answer: Answer) -> bool:
        """Return whether an answer is a vote."""
        return self._voter(answer) is not None

    def taken(self, answer: Answer) -> "Ballot":
        """Return the ballot with one more answer."""
        voter = self._voter(answer)
        if voter is None:
            return replace(self, values={**self.values, **answer.values})
        return replace(self, voices={**self.voices, voter: bool(answer.values[self.field.name])})

    def unfilled(self) -> "Ballot":
        """Return the ballot with the votes alone."""
        return replace(self, values={}, complete_us=None)

    def _voter(self, answer: Answer) -> int | None:
        voter = seat_of(answer.by)
        return voter if voter in (self.field.voters or ()) and self.field.name in answer.values else None

    @property
    def verdict(self) -> bool | None:
        """Return the decision; None while a vote may still change it."""
        if self.field.name in self.values:
            return bool(self.values[self.field.name])
        voters, for_it = len(self.field.voters or ()), sum(self.voices.values())
        if 2 * (len(self.voices) - for_it) > voters:
            return False
        return True if 2 * for_it >= voters else None

    @property
    def is_filled_in(self) -> bool:
        """Return whether at most votes are missing."""
        return {field.name for field in self.question.fields} <= {*self.values, self.field.name}

    def answer(self, by: str) -> Answer:
        """Return the answer to the whole question; while it is not decided, as if it were accepted."""
        verdict = self.verdict
        values = {**self.values, self.field.name: verdict is None or verdict}
        return Answer(question=self.question.id, values=values, by=by)

    @property
    def shown(self) -> Question:
        """Return the question with its remaining fields; voters are no longer asked about decided ones."""
        waiting = () if self.verdict is not None else tuple(set(self.field.voters or ()) - self.voices.keys())
        words = self.question.words | ({"refused": "yes"} if self.verdict is False else {})
        fields = [field for field in self.question.fields if field.name not in self.values]
        fields = [replace(field, voters=tuple(sorted(waiting))) if field == self.field else field for field in fields]
        return replace(self.question, words=words, fields=tuple(fields))


class Ballots:
    """The ballots of all open questions that several people answer."""

    def __init__(self) -> None:
        self._kept: dict[str, Ballot] = {}

    def of(self, question: Question) -> Ballot | None:
        """Return the ballot of a question so far; None if nobody votes on it."""
        field = next((field for field in question.fields if field.voters is not None), None)
        if field is None:
            return None
        kept = self._kept.get(question.id)
        return Ballot(question, field) if kept is None else replace(kept, question=question, field=field)

    def keep(self, ballot: Ballot) -> None:
        """Keep the ballot until there are more answers."""
        self._kept[ballot.question.id] = ballot

    def waits(self, question: str) -> bool:
        """Return whether somebody has answered a part of the question with this id, and it is still open."""
        return question in self._kept

    def heed(self, questions: Iterable[Question]) -> None:
        """Keep only the ballots of these open questions."""
        open_now = {question.id for question in questions}
        self._kept = {name: ballot for name, ballot in self._kept.items() if name in open_now}

    def shown(self, questions: Iterable[Question]) -> tuple[Question, ...]:
        """Return these questions with their remaining fields; of several with one id, only the first."""
        first: dict[str, Question] = {}
        for question in questions:
            first.setdefault(question.id, question)
        ballots = ((question, self.of(question)) for question in first.values())
        return tuple(question if ballot is None else ballot.shown for question, ballot in ballots)

    def silent(self, now_us: int) -> tuple[Ballot, ...]:
        """Return the questions whose last voters have been silent for too long."""
        for name, ballot in self._kept.items():
            if ballot.is_filled_in and ballot.verdict is None and ballot.complete_us is None:
                self._kept[name] = replace(ballot, complete_us=now_us)
        waited = (ballot for ballot in self._kept.values() if ballot.complete_us is not None and ballot.verdict is None)
        return tuple(ballot for ballot in waited if now_us - (ballot.complete_us or 0) >= SILENCE_US)
