"""Asking: how a question of the umpire reads, and what the sensors propose as its answer."""

import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TypeVar, cast

from msgspec import structs

from citytable.table.layout import Unknown
from citytable.table.question import Field, FieldValue, Question
from citytable.table.spot import Spot
from citytable.umpire.node import Node, rules_for
from citytable.umpire.observed import Observed, has_lain
from citytable.umpire.trial import Trial, lost_g
from citytable.umpire.whole_game import WholeGame

A = TypeVar("A")
P = TypeVar("P")

WHICH = "which"  # the field of a question between rival explanations
BETWEEN = " | "  # between acts that one answer names
NOTHING = "nothing"  # its answer if the player may have done something else
WHERE = "spot"  # the field of a question where something was done


def open_forms(
    game: WholeGame[A, P],
    observed: Observed,
    path: tuple[Node[A, P], ...],
    told: Collection[str],
    lost_percent: Mapping[Spot, int],
    *,
    sure: int,
) -> tuple[tuple[Question, ...], frozenset[str]]:
    """Return the forms of a path's actions that people fill in now, and the texts of all open actions.

    `told` are the actions that people answered, or in which they named something that no reader reads. The first `sure`
    nodes once explained the whole table.
    """
    found, still_open = [], set[str]()
    for k, (before, inferred) in enumerate(pairwise(path), start=1):
        if inferred.action is None or game.text(inferred.action) in told or not (inferred.cued or k < sure):
            continue  # an inferred act may still disappear; a stated act or a sensed fall has happened
        node = as_read(game, observed, before, inferred)
        action = cast(A, node.action)
        fields = game.questions(before.position, action, known(game, observed, action, lost_percent), said=node.said)
        fields = fields or tuple(
            Field(one.name, "choice", choices=_possible(game, one, before, node))
            for one in unread(observed, before, node)
        )
        if fields:
            still_open.add(game.text(inferred.action))
            if node.cued or _is_over(game, observed, before, node, path):
                found.append(form(game, observed, action, fields))
    return tuple(found), frozenset(still_open)


def as_read(game: WholeGame[A, P], observed: Observed, before: Node[A, P], node: Node[A, P]) -> Node[A, P]:
    """Return a node, with those of its unknowns open that no reader read: they were inferred later, or named.

    If the next player takes a tile, another act that shows nowhere may have turned it up after this one.
    """
    if node.cued or node.action is None:
        return node
    changed = [one for one in node.layout.unlike(before.layout) if any(map(observed.unread, one.spots))]
    was = {thing for one in before.layout.regions for thing in one.things} if changed else set[str]()
    turned_up = ((thing, one.spots) for one in changed for thing in set(one.things) - was)
    if all(has_lain(observed, thing, spots) for thing, spots in turned_up):
        return node
    for case in rules_for(game, accepted=node.accepted).cases(before.position, game.decision(node.action)):
        way = structs.replace(node, action=case.action, position=case.after, layout=game.layout(case.after))
        if unread(observed, before, way):
            return way
    return node


def _possible(game: WholeGame[A, P], one: Unknown, before: Node[A, P], node: Node[A, P]) -> tuple[str, ...]:
    """Return those things that an unknown may be, as far as each can be tried by itself; otherwise all of them."""
    rules = game.accepting() if node.accepted else game
    action = cast(A, node.action)
    possible = [
        thing for thing in sorted(one.among) if rules.complete(before.position, action, {one.name: thing}) != action
    ]
    return tuple(possible or sorted(one.among))


def _is_over(
    game: WholeGame[A, P], observed: Observed, before: Node[A, P], node: Node[A, P], path: tuple[Node[A, P], ...]
) -> bool:
    """Return whether the thing that leaves the game is gone, or the turn is over: a tower may rest on its way."""
    put_away = node.layout.done_with - before.layout.done_with
    lying = (things for spot, things in observed.lying.items() if not observed.unread(spot))
    lies = any(not put_away.isdisjoint(things) for things in lying)
    return not lies or game.seat(path[-1].position) != game.seat(before.position)


def form(game: WholeGame[A, P], observed: Observed, action: A, fields: tuple[Field, ...]) -> Question:
    """Return the question how an action came out."""
    about = game.text(action)
    words = {"action": about, **_sensed(game, observed, action)}
    return Question(id=about, seat=game.asker(action), prompt=about.split()[1], words=words, fields=fields, about=about)


def which(game: WholeGame[A, P], one: A, choices: tuple[str, ...]) -> Question:
    """Return the question which of several acts it was.

    `one` is the player whom it concerns; the first choice is the likeliest.
    """
    field = Field(name=WHICH, kind="choice", proposed=choices[0], choices=choices)
    return Question(
        id=" | ".join(choices),
        seat=game.asker(one),
        prompt=WHICH,
        words={},
        fields=(field,),
        about=game.text(one),
    )


def between(
    game: WholeGame[A, P], path: tuple[Node[A, P], ...], rivals: Sequence[tuple[Node[A, P], ...]]
) -> Question | None:
    """Return the question which of several stories is right, by the acts at the last point at which two of them differ.

    If both stories contain one of these acts anyway, the question is what else the player did.
    """
    parting = [found for rival in rivals for found in _parting(path, rival)]
    if not parting:
        return None
    _, one, other, rival = max(parting, key=lambda found: found[0])
    asked = which(game, one, (game.text(one), game.text(other)))
    mine, theirs = (Counter(game.text(node.action) for node in told if node.action) for told in (path, rival))
    both = mine & theirs
    if both.keys().isdisjoint(asked.fields[0].choices):
        return asked
    return structs.replace(asked, prompt="besides", words={"known": " | ".join(both.elements())})


def _parting(
    path: tuple[Node[A, P], ...], rival: tuple[Node[A, P], ...]
) -> Iterator[tuple[int, A, A, tuple[Node[A, P], ...]]]:
    """Return the first node in which two paths differ, if any, the acts of both at that point, and the other path."""
    for k, (node, other) in enumerate(zip(path, rival, strict=True)):
        if node.action is not None and other.action is not None and node.action != other.action:
            yield k, node.action, other.action, rival
            return


def what_else(
    game: WholeGame[A, P], path: tuple[Node[A, P], ...], doubted: Node[A, P] | None, hidden: tuple[A, ...]
) -> Question | None:
    """Return the question what else the player did: nothing, or one of the acts that a silence may hide.

    It can also ask whether an act happened that a scale showed only doubtfully.
    """
    if doubted is not None and doubted.action is not None:
        asked = which(game, doubted.action, (game.text(doubted.action), NOTHING))
    elif hidden:
        asked = which(game, hidden[0], (NOTHING, *map(game.text, hidden)))
    else:
        return None
    return _besides(game, path, doubted, asked)


def left_out(game: WholeGame[A, P], path: tuple[Node[A, P], ...], ways: Sequence[Sequence[A]]) -> Question:
    """Return the question what else happened in a turn that ended with actions left: nothing, or one of these."""
    choices = (BETWEEN.join(map(game.text, way)) for way in ways)
    return _besides(game, path, None, which(game, ways[0][0], (NOTHING, *choices)))


def tried(game: WholeGame[A, P], path: tuple[Node[A, P], ...], trial: Trial[A]) -> Question:
    """Return the question how a delivery came out, or whether it was one."""
    likely, other = trial.ways
    choices = tuple(NOTHING if way is None else game.text(way) for way in trial.choices())
    asked = which(game, likely, choices)
    return asked if other is not None else _besides(game, path, path[trial.k], asked)


def _besides(game: WholeGame[A, P], path: tuple[Node[A, P], ...], but: Node[A, P] | None, asked: Question) -> Question:
    known = BETWEEN.join(game.text(node.action) for node in path if node is not but and node.action is not None)
    return structs.replace(asked, prompt="besides", words={"known": known})


def account(game: WholeGame[A, P], end: Node[A, P], others: Sequence[A], choices: tuple[str, ...]) -> Question:
    """Return the question what was taken from a scale and put back in the turn that `end` ended, beside these acts."""
    if end.action is None:
        raise RuntimeError("a turn ends by an action")
    asked = which(game, end.action, choices)
    known = BETWEEN.join(map(game.text, others))
    return structs.replace(asked, prompt="account", words={"known": known})


def done_with(game: WholeGame[A, P], ways: tuple[A, ...], others: Sequence[A]) -> Question:
    """Return the question what the player did with a thing that is in a hand: one of these ways, or nothing."""
    asked = which(game, ways[0], (*map(game.text, ways), NOTHING))
    known = " | ".join(game.text(action) for action in others if game.asker(action) == game.asker(ways[0]))
    return structs.replace(asked, prompt="besides", words={"known": known})


def where(game: WholeGame[A, P], ways: tuple[A, ...]) -> Question:
    """Return the question where an act took place, with these possible ways, the likeliest first."""
    places = tuple(spot for way in ways for spot in sorted(game.spots_of(way)))
    about = game.text(ways[0])
    field = Field(name=WHERE, kind="choice", proposed=places[0], choices=places)
    return Question(
        id=f"where {about}",
        seat=game.asker(ways[0]),
        prompt="where",
        words={"action": about},
        fields=(field,),
        about=about,
    )


def known(
    game: WholeGame[A, P], observed: Observed, action: A, lost_percent: Mapping[Spot, int]
) -> dict[str, FieldValue]:
    """Return what the sensors propose as answers.

    `lost_percent` is how much each spot lost of what stood there, by the last fall that was sensed.
    """
    spot = game.accident_at(action)
    if spot is not None:
        return {"lost_percent": lost_percent[spot]} if spot in lost_percent else {}
    found: dict[str, FieldValue] = {}
    thing = game.measured_thing(action)
    if any(lost_g(observed, at) for at in game.spots_of(action)):
        return {"pieces": 0}  # the measured and counted tower no longer stands there, nor the planned one
    if height := observed.heights.get(thing):
        found["height_mm"] = math.floor((height.low_mm + height.high_mm) / 2)
        found["low_mm"], found["high_mm"] = math.floor(height.low_mm), math.floor(height.high_mm)
    if count := observed.counts.get(thing):
        found |= {"pieces": count.n, "unsure": count.unsure}
    return found


def _sensed(game: WholeGame[A, P], observed: Observed, action: A) -> dict[str, str]:
    """Return the measured height and the count as arguments of the question: an interval, and an unsure count."""
    measured = known(game, observed, action, {})
    words: dict[str, str] = {name: str(measured[name]) for name in ("low_mm", "high_mm") if name in measured}
    if count := observed.counts.get(game.measured_thing(action)):
        words["unsure" if count.unsure else "counted"] = str(count.n)
    return words


def unread(observed: Observed, before: Node[A, P], node: Node[A, P]) -> tuple[Unknown, ...]:
    """Return the things that came up by the action of a node where there is no reader."""
    earlier, now = (
        [
            unknown
            for region in one.layout.regions
            if region.unknowns and any(map(observed.unread, region.spots))
            for unknown in region.unknowns
        ]
        for one in (before, node)
    )
    return tuple(now[len(earlier) :])
