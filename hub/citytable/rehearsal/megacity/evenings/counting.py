"""What MegaCity's evenings show of people's habits with the bag and the things, as cases of so many."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence

from citytable.evenings.performance import Done, Performance
from citytable.games.megacity.actions import (
    Deliver,
    EndTurn,
    Refresh,
    Reorganise,
    Rezone,
    TakeContract,
    TakePieces,
    TakePlatform,
)
from citytable.games.megacity.standard import RANDOM_DRAW
from citytable.games.megacity.turn import allowance
from citytable.table.likelihood import Often
from citytable.table.word import Statement

STANDARD = (TakeContract, TakePlatform, TakePieces, Rezone, Refresh, Reorganise)
NOBODYS = ("drops_piece", "borrows_piece", "tips_bag_out")
TAKEN_BACK = ("feels_in_bag", "rests_on_bag")


def counts(performance: Performance) -> Mapping[str, Often]:
    """Return, by the umpire's rates (`umpire/odds.toml`), how often an evening showed each, and in how many cases."""
    noted = Counter(one.habit for one in performance.noted)
    turns = _turns(performance.done)
    drawn = [_drawn(one) for turn in turns for one in turn]
    open_turns = [turn for turn in turns if not any(isinstance(one.action, Deliver) for one in turn)]
    places = sum(1 + _draws(turn) for turn in turns)  # before, between and after what the scale shows of each
    left = [turn for turn in open_turns if _standard(turn) < allowance(performance.start.options)]
    silent = _draws_beside_a_word(performance, turns)
    return {
        "in_one_go": Often(noted["draws_flow"], sum(_draws(turn) > 1 for turn in turns)),
        "in_grabs": Often(noted["draw_in_grabs"], sum(pieces > 1 for pieces in drawn)),
        "put_some_back": Often(noted["puts_one_back"], drawn.count(RANDOM_DRAW)),
        "nobodys": Often(_together(noted, NOBODYS), places),
        "taken_back": Often(_together(noted, TAKEN_BACK), places),
        "unused_action": Often(len(left), len(open_turns)),
        "unseen_action": Often(noted["platform_in_lap"], len(turns)),
        "fetched_early": Often(noted["fetches_before_turn"], len(turns)),
        "unsaid": Often(silent.count(False), len(silent)),
        "reached_early": Often(noted["reaches_early"], len(turns)),
    }


def _turns(done: Sequence[Done]) -> list[list[Done]]:
    """Return what was done in each turn that was ended."""
    turns: defaultdict[int, list[Done]] = defaultdict(list)
    for one in done:
        turns[one.turn].append(one)
    return [turn for turn in turns.values() if any(isinstance(one.action, EndTurn) for one in turn)]


def _drawn(one: Done) -> int:
    """Return how many pieces were drawn in an act."""
    return one.action.drawn.total if isinstance(one.action, TakePieces) and one.action.drawn is not None else 0


def _standard(turn: Sequence[Done]) -> int:
    return sum(map(_is_standard, turn))


def _draws(turn: Sequence[Done]) -> int:
    return sum(isinstance(one.action, TakePieces) for one in turn)


def _together(noted: Mapping[str, int], habits: Collection[str]) -> int:
    return sum(noted[habit] for habit in habits)


def _draws_beside_a_word(performance: Performance, turns: Sequence[Sequence[Done]]) -> list[bool]:
    """Return for each draw whether it was reported, in turns in which somebody reported another standard action."""
    said = {one.word.action for one in performance.said if isinstance(one.word, Statement)}
    found = []
    for turn in turns:
        acts = [(isinstance(one.action, TakePieces), str(one.action) in said) for one in turn if _is_standard(one)]
        for k, (draw, told) in enumerate(acts):
            if draw and any(other for j, (_, other) in enumerate(acts) if j != k):
                found.append(told)
    return found


def _is_standard(one: Done) -> bool:
    return isinstance(one.action, STANDARD)
