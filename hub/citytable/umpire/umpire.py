"""The umpire: from what the table shows to what happened.

Rule 1: what explains the table is provisional at once; putting things back dissolves it.
Rule 2: it becomes confirmed at a commit point (`umpire/committing.py`: the turn passes, a contract is turned over, a
        tap), when the table agrees, the scales are at rest and every question about it is answered. A confirmed
        action is never withdrawn here.
Rule 3: of two explanations that end differently none is chosen, unless the table once showed the way of one of them;
        the table is asked.
Rule 4: what fell, fell before the delivery that was under way (A25), whenever its fall is understood.
Rule 5: what may have been done while the scales that show it were silent is asked as well, and so is what a scale
        showed in parts, or as the rest of what was put back: one act, another one more, or none.
Rule 6: after an undo nothing is inferred until the table has been put back, its scales included
        (`umpire/restoring.py`), or somebody says that it stays as it is.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Generic, Self, TypeVar

import msgspec
from msgspec import structs

from citytable.rules.errors import IllegalAction
from citytable.table.fact import ButtonPressed, Fact, Fell, MassSettled, TagLeft
from citytable.table.mode import Mode
from citytable.table.plan import Plan
from citytable.table.question import FieldValue, Question
from citytable.table.spot import Spot
from citytable.table.status import Status
from citytable.table.word import Answer, Approval, ModeChoice, Ruling, Statement, TableStays
from citytable.umpire import asking
from citytable.umpire.acts import Confirmed, Provisional, Said
from citytable.umpire.asking import NOTHING, WHERE, WHICH
from citytable.umpire.committing import ended_in_turn, turn_passed
from citytable.umpire.confidence import Confidence, confidences
from citytable.umpire.confirming import used_up
from citytable.umpire.explaining import Explainer, Explanation
from citytable.umpire.falls import Falls, Felt, back, busy, finished, under_way_to, unfelt
from citytable.umpire.foresight import Foresight
from citytable.umpire.glimpses import Glimpses
from citytable.umpire.instructions import status_of
from citytable.umpire.laps import Drawn, decided, drawn_by_whom, next_player_drew
from citytable.umpire.matching import UNEXPLAINED, Matches
from citytable.umpire.node import Cue, Node, replayed, root, rules_for
from citytable.umpire.observed import Observed, can_tell
from citytable.umpire.piece_mass import PieceMass
from citytable.umpire.restoring import AsItWas, Debt, Rest, still_to_come
from citytable.umpire.steps import without_acts
from citytable.umpire.story import Explaining, Story, cued, explained, filled_in, named, sided, slipped_in
from citytable.umpire.table_game import TableGame
from citytable.umpire.unfitting import unfitting
from citytable.umpire.weighing import loaded
from citytable.umpire.whole_game import WholeGame, whole

A = TypeVar("A")
P = TypeVar("P")


class Umpire(Generic[A, P]):
    """Judges one game on the table of a plan. Feed it facts, statements and answers, then `judge`."""

    def __init__(self, game: TableGame[A, P] | WholeGame[A, P], position: P, plan: Plan) -> None:
        self._game = whole(game)
        self._mode: Mode = "enforce"
        # a step belongs to the thing that is weighed, and without a reader nobody knows which that is
        self._observed = Observed(readers=plan.readers(), scales=plan.scales() & plan.readers())
        self._foresight = Foresight(self._game)
        self._matches = Matches()
        self._answers: dict[str, dict[str, FieldValue]] = {}
        self._named: dict[A, A] = {}  # an action whose unknowns nobody reads, and the same with what people named
        self._falls: Falls[A] = Falls()
        self._questions: tuple[Question, ...] = ()
        self._ways: tuple[A, ...] = ()  # an act that shows but for where it was done: one for each place
        self._asked = 0
        self._story: Story[A, P] = Story((root(self._game, position),))
        self._best: Explanation[A, P] = self._seen()
        self._lap: Drawn[A] | None = None  # what people are asked about now
        self._silence = 0  # before this node of the path scales were silent, and something may have been done
        self._silence_no = 0  # the last step across a silence that was looked at
        self._cleared_no = 0  # the last step when people last said what was done besides
        self._restoring = False
        self._debt = Debt()  # what is still to be put back
        self._rests: tuple[Rest, ...] = ()  # what may still come of it
        self._silent_then: frozenset[str] = frozenset()  # the stations of which nobody expects to be told of that
        self._changed = True
        self._glimpses = Glimpses()

    def _explainer(self, cues: tuple[Cue[A], ...], observed: Observed | None = None) -> Explainer[A, P]:
        matcher = self._matches.matcher(observed or self._observed)
        return Explainer(self._foresight, matcher, cues, self._named, lenient=self._lenient)

    def _explaining(self, observed: Observed) -> Explaining[A, P]:
        return lambda cues: self._explainer(cues, observed)

    def _seen(self) -> Explanation[A, P]:
        """The story as it is, held against the table."""
        return self._explainer(self._story.cues).seen(self._story.path)

    @property
    def _path(self) -> tuple[Node[A, P], ...]:
        return self._story.path

    @property
    def mode(self) -> Mode:
        """The way acts that a rule forbids are treated."""
        return self._mode

    @property
    def _lenient(self) -> bool:
        return self._mode != "enforce"

    def recall_piece(self, piece: PieceMass) -> None:
        """Take over the mass of pieces, as it was learned before a restart."""
        self._observed = structs.replace(self._observed, piece=piece)

    def say(self, word: Said) -> None:
        """Take what a person says; raises `Unreadable`, `IllegalAction` or `ValueError` when it cannot be."""
        match word:
            case Statement(action=action) | Ruling(action=action):
                self._believe(action, accepted=isinstance(word, Ruling))
            case Approval(actions=actions):
                self._approve(actions)
            case Answer():
                self._answer(word)
            case ModeChoice(mode=mode):
                self._set_mode(mode)
            case TableStays():
                self._restore()
                self._changed = True

    def _set_mode(self, mode: Mode) -> None:
        self._mode = mode
        if mode == "enforce":
            broken = (k for k, node in enumerate(self._path) if node.accepted and not node.cued)
            self._story = self._story.with_path(self._path[: next(broken, len(self._path))])
            self._forget_told()
        self._changed = True

    @property
    def position(self) -> P:
        """The confirmed position."""
        return self._path[0].position

    @property
    def provisional_position(self) -> P:
        """The position that explains the table now."""
        return self._path[-1].position

    @property
    def observed(self) -> Observed:
        """The table as the sensors say it is; to be read only."""
        return self._observed

    @property
    def provisional(self) -> tuple[Provisional, ...]:
        """The actions since the last confirmed one, oldest first."""
        return tuple(
            self._provisional(before, node, node.action, sure)
            for (before, node), sure in zip(pairwise(self._path), self._confidences(), strict=True)
            if node.action is not None
        )

    def _confidences(self) -> tuple[Confidence, ...]:
        return confidences(self._foresight, self._story, self._best, self._observed)

    def _provisional(self, before: Node[A, P], node: Node[A, P], action: A, sure: Confidence) -> Provisional:
        shown = self._mode == "advise" or (self._mode == "enforce" and node.accepted)
        breaks = self._breaks(before, node, action) if shown else ""
        spots = tuple(self._game.spots_of(action))
        return Provisional(self._game.text(action), self._best.complete, node.cued, spots, sure, breaks)

    def _breaks(self, before: Node[A, P], node: Node[A, P], action: A) -> str:
        """The rule that forbids the action as far as it is told."""
        values = self._answers.get(self._game.text(action))
        if values is not None:
            try:
                action = self._rules(node).answered(before.position, action, values)
            except IllegalAction as refusal:  # what was answered does not fit what happened since
                return refusal.rule
        return self._game.broken_rule(before.position, action)

    def _rules(self, node: Node[A, P]) -> WholeGame[A, P]:
        return rules_for(self._game, accepted=node.accepted or self._lenient)

    @property
    def questions(self) -> tuple[Question, ...]:
        """The open questions, oldest first."""
        return self._questions

    @property
    def questions_asked(self) -> int:
        """The number of questions that were ever asked."""
        return self._asked

    @property
    def restoring(self) -> bool:
        """True while the table is still to be put back as it was, after an undo; `status` says how."""
        return self._restoring

    def put_right(self, position: P, *, restoring: bool, scales: AsItWas[P] | None = None) -> None:
        """Go on from a position that people corrected. `restoring`: the table is to be put back to it first.

        A table that is being put back still is goes on being put back: its record was corrected once more. `scales` is
        what they are to be put back to; None: nobody can know, and they are not waited for.
        """
        self._questions = ()
        self._forget_told()
        self._falls = self._falls.forgotten()
        if restoring:
            self._rests = ()
            self._owe(scales)
            self._silent_then = frozenset(self._observed.silent)
        self._restoring = restoring or self._restoring
        cues, rest = ((), ()) if self._restoring else (self._story.cues, self._path[1:])
        self._story = Story(self._rebased(position, rest), cues)
        self._best = self._put_back() if self._restoring else self._seen()
        self._changed = True

    def _owe(self, scales: AsItWas[P] | None) -> None:
        """From now on the scales owe what leads from where they were last confirmed to how they were."""
        if scales is not None:
            confirmed, target = self._path[0].layout, self._game.layout(scales.position)
            self._debt = self._debt.grown(confirmed, target, scales.weighed_g, self._observed.weights.last_step)
        else:
            self._debt = Debt()
            self._observed = self._observed.keeping()

    def _put_back(self) -> Explanation[A, P]:
        """Return how far the table is put back: what lies wrong, and which scales do not show yet what they should."""
        seen = self._seen()
        scales = self._debt.unshown(seen.last.layout, self._observed)
        mismatch = seen.match.mismatch + UNEXPLAINED * len(scales)
        return msgspec.structs.replace(seen, scales=scales, mismatch=mismatch)

    def _forget_told(self) -> None:
        """Forget answers to acts that came to nothing: they are no answers to the next ones."""
        self._answers.clear()
        self._named.clear()
        self._story = msgspec.structs.replace(self._story, given_up=())

    def _restore(self) -> None:
        """From now on the table is judged again, without the weights of putting it back."""
        self._restoring = False
        self._debt, self._rests = Debt(), ()
        weighed = {scale.spot for scale in self._path[0].layout.scales}
        self._observed = self._observed.keeping().forgetting_away(weighed)

    def status(self) -> Status:
        """Every disagreement between the table and what is provisional, at once."""
        return status_of(self._game, self._best, self._observed, judging=self._mode != "record")

    def feed(self, facts: Iterable[Fact]) -> None:
        """Take facts in."""
        for fact in facts:
            if isinstance(fact, TagLeft) and self._observed.lingered(fact):
                self._pass_turns()
            if not isinstance(fact, Fell | ButtonPressed):
                self._changed |= can_tell(fact)
                self._rests, self._observed = still_to_come(self._rests, self._observed.took(fact))
            fell = self._falls.open()
            felt = self._felt(fact)
            self._changed |= fell and not self._falls.open()
            if felt is not None and not self._restoring:
                self._happened_at(felt)

    def _pass_turns(self) -> None:
        """Nobody listened, but readers tell that the bag lay at the next seat: turns so passed dissolve no more."""
        if self._explain() and self._best.complete:
            last = self._turn_passed()
            self._story = self._story.vouched(*(node.action for node in self._path[1 : last + 1]))
        self._changed = True

    def _felt(self, fact: Fact) -> Felt[A] | None:
        """A sensed fall that is to be believed now (Rule 4).

        What was told already, or is being cleared up, falls no second time.
        """
        match fact:
            case Fell() if not self._restoring:
                told = self._is_asked_about(fact.spot)
                self._falls, felt = self._falls.felt(fact, self._finished(), self._observed, told=told)
            case MassSettled():
                self._falls, felt = self._falls.settled(fact)
            case _:
                return None
        return felt

    def _happened_at(self, felt: Felt[A]) -> None:
        """A sensed fall is a cue: of the delivery under way to that spot, or of what stood there."""
        spot = felt.fact.spot
        k = self._story.after(felt.finished, self._game)
        under_way = under_way_to(self._game, self._story, spot, k)
        no, otherwise = under_way
        if otherwise is not None and no >= k:
            self._cue(Cue(otherwise, sensed=True, confidence=felt.fact.confidence))
            return
        lost_percent = self._observed.lost_percent(spot, felt.fact.lost_g)
        action = self._game.fallen(self._path[-1].position, spot, lost_percent)
        if action is None:
            return
        if lost_percent is not None:
            self._falls = self._falls.lost(spot, lost_percent)
        sure = felt.fact.confidence
        cue = Cue(action, sensed=True, weighed=felt.weighed, otherwise=otherwise, confidence=sure)
        if not self._slip_in(cue, k):
            self._cue(cue)

    def _finished(self) -> tuple[A, ...]:
        return finished(self._game, self._path, self._answers, complete=self._best.complete)

    def _is_asked_about(self, spot: Spot) -> bool:
        """Return whether people are asked already what fell there: more that falls meanwhile is part of it."""
        asked = {question.about for question in self._questions}
        actions = [node.action for node in self._path if node.action is not None]
        return any(self._game.accident_at(act) == spot and self._game.text(act) in asked for act in actions)

    def _slip_in(self, cue: Cue[A], k: int) -> bool:
        """Take a cue into the path as its node `k`, before what is there; False when that cannot have been."""
        if not self._retell(slipped_in(self._story, cue, k, self._explainer)):
            return False
        self._best = self._seen()
        return True

    def _cue(self, cue: Cue[A]) -> bool:
        """Take a cue into the explanation, in place of what was inferred if need be; False when it fits nowhere."""
        return self._retell(cued(self._story, cue, self._explainer))

    def _retell(self, story: Story[A, P] | None) -> bool:
        """Believe another story from now on; False when there is none."""
        if story is not None:
            self._story, self._changed = story, True
        return story is not None

    def _believe(self, text: str, *, accepted: bool) -> None:
        """Believe an action; `accepted` where the host lets it stand although a rule forbids it."""
        if self._restoring:
            raise unfitting("restoring")
        cue = Cue(self._game.action(text), accepted)
        rules = rules_for(self._game, accepted=accepted or self._lenient)
        rules.check_stated(self._path[-1].position, cue.action, loaded(self._observed))
        k = self._story.after(self._finished(), self._game)
        before = self._game.accident_at(cue.action) is not None and self._slip_in(cue, k)
        if before or self._cue(cue) or (self._lenient and self._cue(Cue(cue.action, accepted=True))):
            return
        rules.supposed(self._path[-1].position, cue.action)
        raise unfitting("no_fit", seen=repr(text))

    def _approve(self, actions: Sequence[str]) -> None:
        """Keep the first acts under way, these, from dissolving; raises `ValueError` when they are others now."""
        if self._restoring:
            raise unfitting("restoring")
        under_way = [one.action for one in self.provisional]
        if not actions or under_way[: len(actions)] != list(actions):
            raise unfitting("not_under_way", now=" | ".join(under_way) or "–", seen=" | ".join(actions))
        self._retell(self._story.closed(len(actions)))

    def _answer(self, answer: Answer) -> None:
        """Take an answer; raises `ValueError` when nothing was asked or the answer makes no sense."""
        question = next((asked for asked in self._questions if asked.id == answer.question), None)
        if question is None:
            raise unfitting("not_open", seen=repr(answer.question))
        wanted = {field.name for field in question.fields}
        if set(answer.values) != wanted:
            raise unfitting("fields", seen=repr(question.id), wanted=sorted(wanted), told=sorted(answer.values))
        if WHICH in wanted:
            self._decide(question, str(answer.values[WHICH]))
        elif WHERE in wanted:
            self._find(str(answer.values[WHERE]))
        else:
            self._fill_in(question.about, answer.values)
        self._questions = tuple(asked for asked in self._questions if asked.id != question.id)
        self._changed = True

    def check(self, answer: Answer) -> None:
        """Raise what `answer` would, and take nothing."""
        self._glimpses.copied(self).say(answer)

    def _find(self, spot: str) -> None:
        """Believe that the act that shows but for its place was done at this spot; raises `ValueError`."""
        way = next((act for act in self._ways if spot in self._game.spots_of(act)), None)
        if way is None or not self._cue(Cue(way)):
            raise unfitting("not_there", seen=repr(spot))

    def _decide(self, question: Question, choice: str) -> None:
        """One of the choices is what was done; raises `ValueError`."""
        if self._lap is not None:
            self._observed = decided(self._observed, self._lap.step, question.fields[0].choices, choice)
            return
        if NOTHING not in question.fields[0].choices:
            self._take_sides(question.about, Cue(self._game.action(choice)))
            return
        self._cleared_no = self._observed.weights.last_step
        if question.fields[0].choices[0] != NOTHING:
            self._believe_or_not(question.about, done=choice != NOTHING)
            return
        if choice == NOTHING:
            self._silence = 0
            return
        cue = Cue(self._game.action(choice))
        k = next((k for k in range(min(self._silence, len(self._path) - 1), 0, -1) if self._slip_in(cue, k)), None)
        if k is None:
            raise unfitting("no_fit", seen=repr(choice))
        self._silence += 1  # and there may have been a third
        self._story = self._story.vouched(cue.action)

    def _believe_or_not(self, about: str, *, done: bool) -> None:
        """Believe that a doubtful step of a scale was an act, or that it never was one."""
        k = next(k for k, node in enumerate(self._path) if node.action and self._game.text(node.action) == about)
        if done:
            self._story = self._story.vouched(self._path[k].action)
        else:
            never = self._explainer(self._story.cues).never(self._path, k)
            steps, joined = without_acts(self._observed.steps, never)
            self._observed = self._observed.with_steps(steps)
            if joined:
                self._cleared_no = 0  # it may be one fewer still
            self._story = filled_in(self._story, k, None, self._explainer)

    def _take_sides(self, mine: str, cue: Cue[A]) -> None:
        if not self._retell(sided(self._story, mine, cue, self._game)):
            raise unfitting("no_fit", seen=repr(self._game.text(cue.action)))

    def _fill_in(self, about: str, values: dict[str, FieldValue]) -> None:
        """Put an answer to its action: a cue becomes what it was, anything else waits for its confirmation."""
        for k, (before, node) in enumerate(pairwise(self._path), start=1):
            if node.action is None or self._game.text(node.action) != about:
                continue
            if self._game.denied(values):
                spot = self._game.accident_at(node.action)
                rest = tuple(step for step in self._observed.steps if step.spot != spot)
                self._observed = self._observed.with_steps(rest)
                self._story = filled_in(self._story, k, None, self._explainer)
                return
            filled = self._rules(node).answered(before.position, node.action, values)
            if node.cued:
                cue = Cue(filled, node.accepted or self._lenient, final=node.cue is not None and node.cue.final)
                self._story = filled_in(self._story, k, cue, self._explainer)
            elif asking.unread(self._observed, before, node):
                self._named[node.action] = filled
                self._story = named(self._story, k, filled, self._game)
            else:
                self._answers[about] = values
            return

    def glimpse(self, facts: Iterable[Fact]) -> Self:
        """A copy that has taken these facts, too, and confirms nothing; to be read only."""
        seen = self._glimpses.copied(self)
        seen.feed(facts)
        asked = self._glimpses.state(seen)
        seen._explain()
        self._glimpses.keep(asked, seen)
        return seen

    def judge(self) -> tuple[Confirmed[A, P], ...]:
        """Explain the table anew if anything changed; gives what became confirmed by it."""
        open_already = {question.id for question in self._questions}
        if not self._explain():
            return ()
        confirmed = self._confirm() if self._best.complete else ()
        self._asked += sum(question.id not in open_already for question in self._questions)
        if confirmed:
            self._best = self._seen()
        return confirmed

    def _explain(self) -> bool:
        """Explain the table anew; False when nothing changed, or it is still being put back."""
        if not self._changed:
            return False
        if self._glimpses.remember(self):
            return not self._restoring
        self._changed = False
        if self._restoring and not self._is_restored():
            return False
        self._mind_losses()
        self._story, self._best = explained(self._story, self._explainer)
        if not self._best.complete:
            told = next_player_drew(self._story, self._best, self._explaining, self._observed)
            self._story, self._best, self._observed = told
        self._mind_silence()
        self._lap = None
        self._questions = tuple(self._open_questions())
        return True

    def _mind_losses(self) -> None:
        """A building that weighs less than it did lost pieces, though nothing was felt to fall: people are asked.

        What is put back meanwhile was never gone.
        """
        missing = {fell.spot: fell for fell in unfelt(self._observed)}
        k = back(self._game, self._path, missing, self._observed)
        if k:
            self._story = filled_in(self._story, k, None, self._explainer)
        for spot in sorted(missing.keys() - busy(self._game, self._path)):
            if not self._falls.waiting(spot):
                self._happened_at(Felt(missing[spot], self._finished(), weighed=True))

    def _mind_silence(self) -> None:
        """Ask what else was done where scales that were silent speak again."""
        newest = max((step.no for step in self._observed.steps if step.bridged), default=0)
        if newest > self._silence_no:
            self._silence_no, self._silence = newest, len(self._path)

    def _is_restored(self) -> bool:
        """Return whether the table is as it was, stations that fell silent meanwhile included; then judge it again."""
        self._best = self._put_back()
        if self._best.complete and self._at_rest(0) and self._observed.silent.keys() <= self._silent_then:
            rests = self._debt.rests(self._best.last.layout, self._observed)
            self._restore()
            self._rests = rests
        return not self._restoring

    def _open_questions(self) -> Iterable[Question]:
        lost, complete = self._falls.lost_percent, self._best.complete
        asked = asking.open_forms(self._game, self._observed, self._path, self._answers, lost, complete=complete)
        if asked or complete:
            return asked
        self._ways = self._explainer(self._story.cues).unseen_ways(self._best)
        return (asking.where(self._game, self._ways),) if self._ways else ()

    def _confirm(self) -> tuple[Confirmed[A, P], ...]:
        """Confirm up to the last commit point, if everything before it is known."""
        last = self._last_commit_point()
        if not last or self._questions or not self._at_rest(last) or self._asks(last):
            return ()
        position = self._path[0].position
        confirmed: list[Confirmed[A, P]] = []
        for node in self._path[1 : last + 1]:
            confirmed.append(self._confirmed(position, node))
            position = confirmed[-1].position
        self._observed = used_up(self._observed, self._path, last, self._cleared_no)
        self._silence, self._rests = 0, ()
        self._forget_told()
        path = self._rebased(position, self._path[last + 1 :])
        self._story = Story(path, self._story.cues[self._story.cues_before(last + 1) :], len(path))
        return tuple(confirmed)

    def _asks(self, last: int) -> bool:
        """Return whether people are asked something before the first `last` acts are confirmed."""
        return self._rivals(last) or self._in_a_lap() or self._hidden(last)

    def _last_commit_point(self) -> int:
        """0 for none. What may have been done in a silence, or fell, is cleared up before the turn ends, not sooner."""
        if self._silence or self._falls.open():
            return self._turn_passed()
        return max(self._turn_passed(), ended_in_turn(self._foresight, self._best))

    def _turn_passed(self) -> int:
        return turn_passed(self._foresight, self._best, self._observed, lenient=self._lenient)

    def _at_rest(self, last: int) -> bool:
        layouts = (self._path[0].layout, self._path[last].layout)
        return all(self._observed.weighed(scale.spot) for layout in layouts for scale in layout.scales)

    def _rivals(self, last: int) -> bool:
        explainer = self._explainer(self._story.cues)
        rivals = explainer.rivals(explainer.seen(self._path[: last + 1]))
        question = asking.between(self._game, self._path[: last + 1], [rival.path for rival in rivals])
        if question is not None:
            self._questions = (question,)
        return question is not None

    def _in_a_lap(self) -> bool:
        """Return whether people are asked which of two players drew from a bag on its way between them (Rule 3)."""
        self._lap = drawn_by_whom(self._story, self._explaining, self._observed)
        if self._lap is not None:
            choices = self._game.text(self._lap.mine), self._game.text(self._lap.other)
            self._questions = (asking.which(self._game, self._lap.mine, choices),)
        return self._lap is not None

    def _hidden(self, last: int) -> bool:
        """Return whether people are asked what else was done, or whether something was (Rule 5)."""
        explainer = self._explainer(self._story.cues)
        chosen = explainer.seen(self._path[: last + 1])
        loose = explainer.loose(chosen.path)
        doubted = None
        if any(step.spot in loose and step.no > self._cleared_no for step in self._observed.steps):
            self._silence, doubted = max(self._silence, last), explainer.doubted(chosen)
        hidden = explainer.hidden(chosen, min(self._silence, last)) if self._silence and doubted is None else ()
        question = asking.what_else(self._game, chosen.path, doubted, hidden)
        if question is not None:
            self._questions = (question,)
        return question is not None

    def _confirmed(self, position: P, node: Node[A, P]) -> Confirmed[A, P]:
        action = node.action
        if action is None:
            raise RuntimeError("the root of an explanation is no action")
        rules = self._rules(node)
        values = self._answers.pop(self._game.text(action), {})
        if values:
            action = rules.answered(position, action, values)
        breaks = self._game.broken_rule(position, action)
        return Confirmed(action, self._game.text(action), rules.applied(position, action), node.cued, breaks)

    def _rebased(self, position: P, rest: tuple[Node[A, P], ...]) -> tuple[Node[A, P], ...]:
        """The provisional rest upon the confirmed position, which knows more (answers) than the supposed one did."""
        start = (root(self._game, position),)
        path = replayed(self._game, start, rest)
        self._changed |= path is None  # then the rest is explained anew
        return path or start
