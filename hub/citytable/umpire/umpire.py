"""The umpire: from what the table shows to what happened.

Rule 1: what explains the table is provisional at once; putting things back dissolves it.
Rule 2: it becomes confirmed when the turn passes (the bag lies at the next seat), the table agrees in everything,
        the scales are at rest and every question about it is answered. A confirmed action is never withdrawn here.
Rule 3: of two explanations that end differently none is chosen, unless the table once showed the way of one of them;
        the table is asked.
Rule 4: what fell, fell before the delivery that was under way (A25), whenever its fall is understood.
Rule 5: what may have been done while the scales that show it were silent is asked as well.
Rule 6: after an undo nothing is inferred until the table has been put back, or somebody says that it stays as it is.
"""

from collections.abc import Iterable
from itertools import pairwise
from typing import Generic, Self, TypeVar

import msgspec

from citytable.rules.errors import IllegalAction
from citytable.table.fact import ButtonPressed, Fact, Fell, MassSettled, TagLeft
from citytable.table.mode import Mode
from citytable.table.plan import Plan
from citytable.table.question import Answer, FieldValue, Question, Statement
from citytable.table.spot import Spot
from citytable.table.status import Status
from citytable.umpire import asking
from citytable.umpire.asking import NOTHING, WHERE, WHICH
from citytable.umpire.explaining import Cue, Explainer, Explanation, Node, replayed, root, rules_for, with_cue
from citytable.umpire.foresight import Foresight
from citytable.umpire.glimpses import Glimpses
from citytable.umpire.instructions import status_of
from citytable.umpire.matching import Matches
from citytable.umpire.observed import Observed
from citytable.umpire.table_game import TableGame
from citytable.umpire.unfitting import unfitting

A = TypeVar("A")
P = TypeVar("P")


class Provisional(msgspec.Struct, frozen=True):
    """An action that explains the table now, and the spots it changes. `certain` when nothing contradicts it.

    `breaks` is the number of the rule that forbids it; empty when it is legal or nobody is to be told of rules.
    """

    action: str
    certain: bool
    stated: bool
    spots: tuple[Spot, ...]
    breaks: str = ""


class Confirmed(msgspec.Struct, Generic[A, P], frozen=True):
    """An action that happened, with what people filled in. `stated`: a person said it, else it was inferred.

    `breaks` is the number of the rule that forbids it, where the host or the mode let it stand.
    """

    action: A
    text: str
    position: P
    stated: bool
    breaks: str = ""


class Umpire(Generic[A, P]):
    """Judges one game on the table of a plan. Feed it facts, statements and answers, then `judge`."""

    def __init__(self, game: TableGame[A, P], position: P, plan: Plan) -> None:
        self._game = game
        self._mode: Mode = "enforce"
        # a step belongs to the thing that is weighed, and without a reader nobody knows which that is
        self._observed = Observed(readers=plan.readers(), scales=plan.scales() & plan.readers())
        self._foresight = Foresight(game)
        self._matches = Matches()
        self._cues: list[Cue[A]] = []
        self._answers: dict[str, dict[str, FieldValue]] = {}
        self._named: dict[A, A] = {}  # an action whose unknowns nobody reads, and the same with what people named
        self._alerts: dict[Spot, tuple[A, ...]] = {}  # where a fall is suspected, and what was over and done with then
        self._falling: dict[Spot, tuple[float | None, tuple[A, ...]]] = {}  # with the load before
        self._lost_percent: dict[Spot, int] = {}  # of what stood there, by the last fall that was sensed
        self._questions: tuple[Question, ...] = ()
        self._ways: tuple[A, ...] = ()  # an act that shows but for where it was done: one for each place
        self._asked = 0
        self._path: tuple[Node[A, P], ...] = (root(game, position),)
        self._best: Explanation[A, P] = self._explainer().seen(self._path)
        self._sure = 1  # so many nodes of the path explained the whole table once
        self._silence = 0  # before this node of the path scales were silent, and something may have been done
        self._silence_no = 0  # the last step across a silence that was looked at
        self._given_up: tuple[Node[A, P], ...] = ()  # a path that explained the whole table once, and may again
        self._restoring = False
        self._changed = True
        self._glimpses = Glimpses()

    def _explainer(self, *more: Cue[A]) -> Explainer[A, P]:
        matcher = self._matches.matcher(self._observed)
        return Explainer(self._foresight, matcher, (*self._cues, *more), self._named, lenient=self._lenient)

    @property
    def mode(self) -> Mode:
        """What is made of acts that a rule forbids."""
        return self._mode

    @property
    def _lenient(self) -> bool:
        return self._mode != "enforce"

    def set_mode(self, mode: Mode) -> None:
        """From now on make this of acts that a rule forbids; what is under way is explained anew."""
        self._mode = mode
        if mode == "enforce":
            broken = (k for k, node in enumerate(self._path) if node.accepted and not node.cued)
            self._path = self._path[: next(broken, len(self._path))]
            self._sure = min(self._sure, len(self._path))
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
            self._provisional(before, node, node.action)
            for before, node in pairwise(self._path)
            if node.action is not None
        )

    def _provisional(self, before: Node[A, P], node: Node[A, P], action: A) -> Provisional:
        shown = self._mode == "advise" or (self._mode == "enforce" and node.accepted)
        breaks = self._breaks(before, node, action) if shown else ""
        spots = tuple(self._game.spots_of(action))
        return Provisional(self._game.text(action), self._best.complete, node.cued, spots, breaks)

    def _breaks(self, before: Node[A, P], node: Node[A, P], action: A) -> str:
        """The rule that forbids the action as far as it is told."""
        values = self._answers.get(self._game.text(action))
        if values is not None:
            try:
                action = self._rules(node).answered(before.position, action, values)
            except IllegalAction as refusal:  # what was answered does not fit what happened since
                return refusal.rule
        return self._game.broken_rule(before.position, action)

    def _rules(self, node: Node[A, P]) -> TableGame[A, P]:
        return rules_for(self._game, accepted=node.accepted or self._lenient)

    @property
    def questions(self) -> tuple[Question, ...]:
        """What waits for an answer, oldest first."""
        return self._questions

    @property
    def questions_asked(self) -> int:
        """How many questions were ever asked."""
        return self._asked

    @property
    def restoring(self) -> bool:
        """Whether the table is still to be put back as it was, after an undo; `status` says how."""
        return self._restoring

    def put_right(self, position: P, *, restoring: bool) -> None:
        """Go on from a position that people corrected. `restoring`: the table is to be put back to it first."""
        rest = self._path[1:]
        self._questions = ()
        self._forget_told()
        self._alerts.clear()
        self._falling.clear()
        if restoring:
            self._cues.clear()
            rest = ()
            self._observed.keep_steps()
        self._restoring = restoring
        self._path = self._rebased(position, rest)
        self._best = self._explainer().seen(self._path)
        self._sure = 1
        self._changed = True

    def _forget_told(self) -> None:
        """What was told of acts that came to nothing is no answer to the next ones."""
        self._answers.clear()
        self._named.clear()
        self._given_up = ()

    def go_on(self) -> None:
        """The table stays as it is after an undo: what differs is explained by what may be done from there."""
        self._restoring = False
        self._changed = True

    def status(self) -> Status:
        """Every disagreement between the table and what is provisional, at once."""
        return status_of(self._game, self._best, self._observed, judging=self._mode != "record")

    def feed(self, facts: Iterable[Fact]) -> None:
        """Take facts in."""
        for fact in facts:
            if isinstance(fact, TagLeft) and self._observed.lingered(fact):
                self._pass_turns()
            if isinstance(fact, Fell):
                self._fell(fact)
            elif not isinstance(fact, ButtonPressed):
                self._changed |= self._observed.take(fact)
            if isinstance(fact, MassSettled):
                self._settled(fact)

    def _pass_turns(self) -> None:
        """Nobody listened, but readers tell that the bag lay at the next seat: turns so passed dissolve no more."""
        if self._explain() and self._best.complete:
            last = self._last_commit_point()
            self._vouch(*(node.action for node in self._path[1 : last + 1]))
        self._changed = True

    def _fell(self, fact: Fell) -> None:
        """A sensed fall is a cue: of the delivery under way to that spot, or of what stood there (Rule 4).

        What was told already, or is being cleared up, falls no second time: the cue is then refused.
        """
        if self._restoring:
            return
        if fact.stage == "alert":
            self._alerts.setdefault(fact.spot, self._finished())
            return
        finished = self._alerts.pop(fact.spot, None)
        if fact.stage == "confirmed" and not self._is_asked_about(fact.spot):
            finished = self._finished() if finished is None else finished
            if fact.spot in self._observed.moving:  # it is still falling: how much is gone shows when it rests
                self._falling[fact.spot] = (self._observed.mass_g.get(fact.spot), finished)
            else:
                self._happened_at(fact, finished)

    def _settled(self, fact: MassSettled) -> None:
        """What fell lies still: what rests there now tells how much is gone."""
        before_g, finished = self._falling.pop(fact.spot, (None, None))
        if finished is not None and not self._restoring:
            lost_g = 0.0 if before_g is None else max(0.0, before_g - fact.mass_g)
            self._happened_at(Fell(t_us=fact.t_us, spot=fact.spot, lost_g=lost_g, stage="confirmed"), finished)

    def _happened_at(self, fact: Fell, finished: tuple[A, ...]) -> None:
        k = self._after(finished)
        otherwise: A | None = None
        for no, node in enumerate(self._path):
            if node.action is None or fact.spot not in self._game.spots_of(node.action):
                continue
            otherwise = self._game.fall_of(node.action)
            if otherwise is not None and no >= k:
                self._cue(Cue(otherwise, sensed=True))
                return
        lost_percent = self._observed.lost_percent(fact.spot, fact.lost_g)
        action = self._game.fallen(self._path[-1].position, fact.spot, lost_percent)
        if action is None:
            return
        if lost_percent is not None:
            self._lost_percent[fact.spot] = lost_percent
        cue = Cue(action, sensed=True, otherwise=otherwise)
        if not self._slip_in(cue, k):
            self._cue(cue)

    def _is_asked_about(self, spot: Spot) -> bool:
        """Whether people are asked already what fell there: more that falls meanwhile is part of it."""
        asked = {question.about for question in self._questions}
        actions = [node.action for node in self._path if node.action is not None]
        return any(self._game.accident_at(act) == spot and self._game.text(act) in asked for act in actions)

    def _finished(self) -> tuple[A, ...]:
        """The decisions that are over and done with: those before the delivery that is under way."""
        done: list[A] = []
        for before, node in pairwise(self._path):
            if node.action is None or self._is_under_way(before, node):
                break
            done.append(self._game.decision(node.action))
        return tuple(done)

    def _is_under_way(self, before: Node[A, P], node: Node[A, P]) -> bool:
        """Whether something may still fall in it: it is not told how it came out, or the table is not ready."""
        action = node.action
        if action is None or self._game.fall_of(action) is None:
            return False
        if self._game.text(action) not in self._answers and self._game.questions(before.position, action, {}):
            return True
        return node is self._path[-1] and not self._best.complete

    def _after(self, finished: tuple[A, ...]) -> int:
        """How many nodes of the path, its root among them, are what was finished."""
        k = 1
        for node, done in zip(self._path[1:], finished, strict=False):
            if node.action is None or self._game.decision(node.action) != done:
                break
            k += 1
        return k

    def _slip_in(self, cue: Cue[A], k: int) -> bool:
        """Take a cue into the path as its node `k`, before what is there; False when that cannot have been."""
        path = self._explainer().slipped_in(self._path, cue, k)
        if path is None or (k == len(self._path) and not cue.accepted):
            return False
        self._cues.insert(sum(node.cued for node in self._path[:k]), cue)
        self._path = path
        self._best = self._explainer().seen(path)
        self._sure += k < self._sure
        self._changed = True
        return True

    def _cue(self, cue: Cue[A]) -> bool:
        """Take a cue into the explanation, in place of what was inferred if need be; False when it fits nowhere."""
        explainer = self._explainer(cue)
        # what never explained the whole table was a makeshift for what is now said
        best = explainer.best(self._path[: self._sure] if cue.accepted else self._path, self._sure)
        if cue.accepted and (k := explainer.place_of(cue, self._path, self._sure, best.mismatch)):
            return self._slip_in(cue, k)  # play has gone on since then
        if best.cues <= len(self._cues):
            return False
        self._cues.append(cue)
        self._path = best.path
        self._sure = min(self._sure, len(best.path))
        self._changed = True
        return True

    def state(self, statement: Statement) -> None:
        """Believe what a person says; raises `Unreadable` or `IllegalAction` when it cannot be."""
        self._believe(statement, accepted=False)

    def let_stand(self, statement: Statement) -> None:
        """Believe what the host lets stand although a rule forbids it; raises as `state` does when it cannot be."""
        self._believe(statement, accepted=True)

    def _believe(self, statement: Statement, *, accepted: bool) -> None:
        if self._restoring:
            raise unfitting("restoring")
        cue = Cue(self._game.action(statement.action), accepted)
        if self._game.accident_at(cue.action) is not None and self._slip_in(cue, self._after(self._finished())):
            return
        if self._cue(cue) or (self._lenient and self._cue(Cue(cue.action, accepted=True))):
            return
        rules_for(self._game, accepted=accepted or self._lenient).supposed(self._path[-1].position, cue.action)
        raise unfitting("no_fit", seen=repr(statement.action))

    def answer(self, answer: Answer) -> None:
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

    def _find(self, spot: str) -> None:
        """What shows but for its place was done at this spot; raises `ValueError`."""
        way = next((act for act in self._ways if spot in self._game.spots_of(act)), None)
        if way is None or not self._cue(Cue(way)):
            raise unfitting("not_there", seen=repr(spot))

    def _decide(self, question: Question, choice: str) -> None:
        """One of the choices is what was done; raises `ValueError`."""
        if NOTHING not in question.fields[0].choices:
            self._take_sides(question.about, Cue(self._game.action(choice)))
            return
        if choice == NOTHING:
            self._silence = 0
            return
        cue = Cue(self._game.action(choice))
        k = next((k for k in range(min(self._silence, len(self._path) - 1), 0, -1) if self._slip_in(cue, k)), None)
        if k is None:
            raise unfitting("no_fit", seen=repr(choice))
        self._silence += 1  # and there may have been a third
        self._vouch(cue.action)

    def _vouch(self, *actions: A | None) -> None:
        """Acts of the path that are one of these count as told: they no longer dissolve, nor do two become one."""
        path = [
            msgspec.structs.replace(node, cue=Cue(node.action))
            if node.action is not None and node.action in actions and not node.cued
            else node
            for node in self._path
        ]
        told = [node.cue for node in path if node.cue is not None]
        self._cues[: sum(node.cued for node in self._path)] = told
        self._path = tuple(path)

    def _take_sides(self, mine: str, cue: Cue[A]) -> None:
        """Of two stories people chose the one that goes on with this cue where the path has `mine`."""
        acts = (node.action for node in self._path)
        k = next((k for k, act in enumerate(acts) if act is not None and self._game.text(act) == mine), 0)
        before, after = self._path[:k], self._path[k:]
        if self._game.text(cue.action) != mine:
            after = (with_cue(self._game, before, cue) or ())[k:] if k else ()
        if not k or not after:
            raise unfitting("no_fit", seen=repr(self._game.text(cue.action)))
        told = msgspec.structs.replace(after[0], cue=cue, shown=True)
        cues = sum(node.cued for node in before)
        self._cues[cues:] = [cue, *(other for other in self._cues[cues:] if other.action != cue.action)]
        self._path = (*before, told, *after[1:])
        self._sure = min(self._sure, len(self._path))

    def _fill_in(self, about: str, values: dict[str, FieldValue]) -> None:
        """Put an answer to its action: a cue becomes what it was, anything else waits for its confirmation."""
        for k, (before, node) in enumerate(pairwise(self._path)):
            if node.action is None or self._game.text(node.action) != about:
                continue
            denied, rules = self._game.denied(values), self._rules(node)
            if denied:
                self._observed.forget_steps(self._game.accident_at(node.action) or "")
            elif node.cue is None:
                filled_in = rules.answered(before.position, node.action, values)
                if asking.unread(self._observed, before, node):
                    self._named[node.action] = filled_in
                    self._name(k, filled_in)
                else:
                    self._answers[about] = values
                return
            told, rest = self._path[: k + 1], self._path[k + 2 :]
            if node.cue is not None:
                filled = () if denied else (rules.answered(before.position, node.action, values),)
                cue = sum(earlier.cued for earlier in told)
                self._cues[cue : cue + 1] = [Cue(action, node.accepted or self._lenient) for action in filled]
                if filled:  # what was done meanwhile was done all the same
                    told = self._explainer().slipped_in(told + rest, self._cues[cue], k + 1) or told
            self._path = told
            return

    def _name(self, k: int, named: A) -> None:
        """People named what nobody reads: the story goes on from there."""
        before, node = self._path[: k + 1], self._path[k + 1]
        retold = msgspec.structs.replace(node, action=named)
        self._path = replayed(self._game, before, (retold, *self._path[k + 2 :])) or before

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
            self._best = self._explainer().seen(self._path)
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
        self._best = self._explained()
        self._path = self._best.path
        self._sure = len(self._path) if self._best.complete else min(self._sure, len(self._path))
        self._mind_silence()
        self._questions = tuple(self._open_questions())
        return True

    def _explained(self) -> Explanation[A, P]:
        """The best story now. What is lifted may be put back turned over, or where nobody reads: that story is kept."""
        explainer = self._explainer()
        best = explainer.best(self._path, self._sure)
        if self._given_up and not best.complete:
            again = explainer.best(self._given_up, len(self._given_up))
            best = again if again.complete else best
        if len(best.path) < self._sure:
            self._given_up = self._path
        return best

    def _mind_silence(self) -> None:
        """What scales that were silent tell now was done before, or after, what was known by then."""
        newest = max((step.no for step in self._observed.steps if step.bridged), default=0)
        if newest > self._silence_no:
            self._silence_no, self._silence = newest, len(self._path)

    def _is_restored(self) -> bool:
        """Whether the table is as it was: from then on it is judged again, without the weights of putting it back."""
        self._best = self._explainer().seen(self._path)
        self._observed.keep_steps()
        self._restoring = not (self._best.complete and self._at_rest(0))
        return not self._restoring

    def _open_questions(self) -> Iterable[Question]:
        lost, complete = self._lost_percent, self._best.complete
        asked = asking.open_forms(self._game, self._observed, self._path, self._answers, lost, complete=complete)
        if asked or complete:
            return asked
        self._ways = self._explainer().unseen_ways(self._best)
        return (asking.where(self._game, self._ways),) if self._ways else ()

    def _confirm(self) -> tuple[Confirmed[A, P], ...]:
        """Confirm up to the last passing of the turn, if everything before it is known."""
        last = self._last_commit_point()
        if not last or self._questions or not self._at_rest(last) or self._rivals(last) or self._hidden(last):
            return ()
        position = self._path[0].position
        confirmed: list[Confirmed[A, P]] = []
        for node in self._path[1 : last + 1]:
            confirmed.append(self._confirmed(position, node))
            position = confirmed[-1].position
        self._forget(last)
        self._silence = 0
        self._forget_told()
        self._path = self._rebased(position, self._path[last + 1 :])
        self._sure = len(self._path)
        return tuple(confirmed)

    def _last_commit_point(self) -> int:
        seats = [self._game.seat(node.position) for node in self._path]
        return max((k for k in range(1, len(seats)) if seats[k] != seats[k - 1]), default=0)

    def _at_rest(self, last: int) -> bool:
        layouts = (self._path[0].layout, self._path[last].layout)
        return all(self._observed.weighed(scale.spot) for layout in layouts for scale in layout.scales)

    def _rivals(self, last: int) -> bool:
        rivals = self._explainer().rivals(self._explainer().seen(self._path[: last + 1]))
        mine = self._path[1 : last + 1]
        for rival in rivals:
            for node, other in zip(mine, rival.path[1:], strict=True):
                if node.action is not None and other.action is not None and node.action != other.action:
                    self._ask_which(node.action, other.action)
                    return True
        return False

    def _hidden(self, last: int) -> bool:
        """Whether people are asked what else was done in a silence (Rule 5)."""
        if not self._silence:
            return False
        explainer = self._explainer()
        hidden = explainer.hidden(explainer.seen(self._path[: last + 1]), min(self._silence, last))
        if hidden:
            acts = (node.action for node in self._path[1 : last + 1])
            known = [self._game.text(act) for act in acts if act is not None]
            self._questions = (asking.besides(self._game, hidden, known),)
        return bool(hidden)

    def _ask_which(self, one: A, other: A) -> None:
        choices = (self._game.text(one), self._game.text(other))
        self._questions = (asking.which(self._game, one, choices),)

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

    def _forget(self, last: int) -> None:
        """Cues and steps that the confirmed part used are used up; those of what is still provisional stay."""
        used = sum(node.cued for node in self._path[1 : last + 1])
        del self._cues[:used]
        kept: set[int] = set()
        for spot in {change.spot for node in self._path[last + 1 :] for change in node.changes}:
            wanted = sum(change.spot == spot for node in self._path[last + 1 :] for change in node.changes)
            kept.update(step.no for step in [s for s in self._observed.steps if s.spot == spot][-wanted:])
        self._observed.keep_steps(kept)

    def _rebased(self, position: P, rest: tuple[Node[A, P], ...]) -> tuple[Node[A, P], ...]:
        """The provisional rest upon the confirmed position, which knows more (answers) than the supposed one did."""
        start = (root(self._game, position),)
        path = replayed(self._game, start, rest)
        self._changed |= path is None  # then the rest is explained anew
        return path or start
