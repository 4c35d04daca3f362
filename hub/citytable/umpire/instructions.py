"""Instructions: every disagreement between the table and an explanation, as an instruction to put it right."""

from collections.abc import Iterator
from typing import TypeVar

from citytable.rules.errors import IllegalAction
from citytable.table.plan import foreign_box
from citytable.table.spot import Spot
from citytable.table.status import Disagreement, Status
from citytable.umpire.costs import Explanation
from citytable.umpire.observed import UNREGISTERED, Observed
from citytable.umpire.unfitting import SENTENCES
from citytable.umpire.weighing import left_over
from citytable.umpire.whole_game import WholeGame

STEPS_MAX = 8  # of a scale whose disagreement is worked out in grams: it takes a look at every run of them

A = TypeVar("A")
P = TypeVar("P")


def _room(spots: tuple[Spot, ...], observed: Observed) -> tuple[Spot, ...]:
    """Return those of a region's spots that are empty; all of them if none is."""
    return tuple(spot for spot in spots if not observed.at(spot)) or spots


def _belongs(explanation: Explanation[A, P], observed: Observed) -> dict[str, tuple[Spot, ...]]:
    """Return the place of each thing that is in a wrong place."""
    hidden = {thing: (below.spot,) for below in explanation.last.layout.hidden for thing in below.things}
    return hidden | {
        thing: _room(found.region.spots, observed) for found in explanation.match.differing for thing in found.missing
    }


def _refusal(game: WholeGame[A, P], position: P, thing: str, spot: Spot) -> IllegalAction | None:
    """Return the rule that forbids what somebody seems to have done; None if no decision would lead to it."""
    for action in game.attempts(position, thing, spot):
        try:
            game.supposed(position, action)
        except IllegalAction as refusal:
            return refusal
    return None


def _of_another_box(spot: Spot, thing: str, box: str) -> Disagreement:
    text = SENTENCES.text("other_box", box=box)
    return Disagreement(kind="unexpected", spots=(spot,), thing=foreign_box(thing)[1], text=text)


def _unexpected(
    game: WholeGame[A, P],
    explanation: Explanation[A, P],
    belongs: dict[str, tuple[Spot, ...]],
    held: frozenset[str],
    *,
    judging: bool,
) -> Iterator[Disagreement]:
    below = {(hidden.spot, thing) for hidden in explanation.last.layout.hidden for thing in hidden.things}
    for found in explanation.match.differing:
        lifted = bool(found.region.things) and held.issuperset(found.region.things)
        for spot, thing in found.unexpected:
            if thing in explanation.last.layout.loose or (lifted and (spot, thing) in below):
                continue  # what people keep where they like; the card below, read while the top one is in a hand
            to = belongs.get(thing, ())
            if thing.startswith(UNREGISTERED):
                uid = thing.removeprefix(UNREGISTERED)
                yield Disagreement(kind="unregistered", spots=(spot,), thing=uid)
                continue
            if foreign := foreign_box(thing)[0]:
                yield _of_another_box(spot, thing, foreign)
                continue
            is_looked_at = (found.region.fetched and thing in explanation.match.shown) or thing in found.turned
            judged = judging and not is_looked_at
            refusal = _refusal(game, explanation.last.position, thing, spot) if judged else None
            if refusal is None:
                yield Disagreement(kind="unexpected", spots=(spot,), thing=thing, to=to)
            else:
                yield Disagreement(
                    kind="refused",
                    spots=(spot,),
                    thing=thing,
                    to=to,
                    rule=refusal.rule,
                    action=refusal.action,
                    text=refusal.text,
                )


def _missing(explanation: Explanation[A, P], observed: Observed, *, restoring: bool) -> Iterator[Disagreement]:
    """Yield the missing things.

    Things that people look at or say they hold are missing only if everything has to be put back.
    """
    lying = {thing for found in explanation.match.differing for _, thing in found.unexpected}
    for found in explanation.match.differing:
        for thing in found.missing:
            on_its_way = observed.on_its_way(thing, found.region, explanation.last.layout)
            in_a_hand = found.region.looked_at or on_its_way or thing in observed.held
            if thing not in lying and (restoring or not in_a_hand):
                yield Disagreement(kind="missing", spots=(), thing=thing, to=_room(found.region.spots, observed))


def _unexplained_g(explanation: Explanation[A, P], observed: Observed, spot: Spot) -> float:
    """Return the grams on a scale that no act explains; 0 if that is not known."""
    changed = [change for node in explanation.path for change in node.changes if change.spot == spot]
    steps = [step for step in observed.steps if step.spot == spot]
    if not 0 < len(steps) <= STEPS_MAX:
        return 0.0
    return round(sum(step.grams for step in left_over(changed, steps, observed.piece)), 1)


def _sensors(observed: Observed) -> Iterator[Disagreement]:
    for station, spots in sorted(observed.silent.items()):
        yield Disagreement(kind="station_silent", spots=spots, thing=station)
    for (spot, sensor), _what in sorted(observed.faults.items()):
        yield Disagreement(kind="sensor_fault", spots=(spot,), thing=sensor)


def _weights(explanation: Explanation[A, P], observed: Observed, *, restoring: bool) -> Iterator[Disagreement]:
    """Yield steps of scales that no act explains, and weights that have been there before and belong to no game."""
    for spot in explanation.scales:
        grams = 0.0 if restoring else _unexplained_g(explanation, observed, spot)
        yield Disagreement(kind="mass", spots=(spot,), grams=grams)
    told = {*explanation.scales, *(step.spot for step in observed.steps if step.free)}
    for spot, grams in sorted(observed.foreign_g.items()):
        if spot not in told:
            yield Disagreement(kind="mass", spots=(spot,), grams=round(grams, 1))


def status_of(
    game: WholeGame[A, P],
    explanation: Explanation[A, P],
    observed: Observed,
    *,
    judging: bool = True,
    restoring: bool = False,
    asked: bool = False,
) -> Status:
    """Return everything that people should put right.

    `judging`: with the rules that were broken. `restoring`: people put the table back as it was, card by card. `asked`:
    there is a question about it. If there is none, and nothing is in a wrong place, a story that explains too little is
    reported all the same: otherwise nothing would be confirmed any more and nobody would know why.
    """
    belongs = _belongs(explanation, observed)
    unexpected = _unexpected(game, explanation, belongs, observed.held, judging=judging)
    lying = (
        *unexpected,
        *_missing(explanation, observed, restoring=restoring),
        *_weights(explanation, observed, restoring=restoring),
    )
    is_unclear = not (lying or asked or explanation.complete or explanation.match.differing)
    unclear = (Disagreement(kind="unclear", spots=(), text=SENTENCES.text("unclear")),) if is_unclear else ()
    return Status(disagreements=(*lying, *unclear, *_sensors(observed)))


def waiting_for(status: Status, restless: tuple[Spot, ...]) -> Status:
    """Return a status that says that a turn waits for these scales to rest, where there is nothing to be put right."""
    if not status.agrees:
        return status
    return Status((Disagreement(kind="unclear", spots=restless, text=SENTENCES.text("restless")),))
