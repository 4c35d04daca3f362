"""Requests: lines of acts, done at the same time, answered when all are finished."""

import inspect
import json
from collections.abc import Callable
from random import Random
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from tabletwin.hands.games import acts_of
from tabletwin.hands.hand import Act, Hand, Power
from tabletwin.scheduler import Task
from tabletwin.table import VirtualTable

SPELLED = {"from": "giver", "to": "taker"}  # `from` is no name in Python


class BadRequest(ValueError):
    """A line that is no request: the text says what was seen and what was expected; `identity` is the line's id."""

    identity: Any = None


def _arguments(function: Act, wanted: dict[str, Any], name: str) -> dict[str, Any]:
    given = {SPELLED.get(key, key): value for key, value in wanted.items() if key != "act"}
    try:
        inspect.signature(function).bind(None, **given)
    except TypeError as error:
        raise BadRequest(f"act {name!r}: {error}: docs/reference/hands.md lists its fields") from error
    hints = get_type_hints(function)
    for key, value in given.items():
        if not _fits(hints[key], value):
            raise BadRequest(f"act {name!r}: {key} cannot be {value!r}: docs/reference/hands.md lists its fields")
    return given


def _fits(hint: Any, value: Any) -> bool:
    """Return whether a JSON value is of an annotated type."""
    if isinstance(hint, UnionType):
        return any(_fits(one, value) for one in get_args(hint))
    if get_origin(hint) is list:
        return isinstance(value, list) and all(_fits(get_args(hint)[0], one) for one in value)
    if get_origin(hint) is dict:
        return isinstance(value, dict) and all(_fits(get_args(hint)[1], one) for one in value.values())
    if hint is Any:
        return True
    return isinstance(value, hint) and (hint is bool or not isinstance(value, bool))


def parse(line: str) -> tuple[Any, list[dict[str, Any]]]:
    """The id and the acts of a line; raises `BadRequest`."""
    try:
        request = json.loads(line)
        acts = request["acts"]
        if not acts or not all(isinstance(wanted, dict) for wanted in acts):
            raise BadRequest(f"no acts in {line[:80]!r}: write a list of objects")
        return request["id"], acts
    except (ValueError, KeyError, TypeError) as error:
        if isinstance(error, BadRequest):
            raise
        raise BadRequest(f'no request: {line[:80]!r}: write {{"id": 1, "acts": [...]}}') from error


def _checked(acts: dict[str, Act], wanted: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    name = wanted.get("act")
    if not isinstance(name, str) or name not in acts:
        raise BadRequest(f"hands know no act {name!r}: {', '.join(sorted(acts))}")
    return name, _arguments(acts[name], wanted, name)


class Request:
    """One line being worked off."""

    def __init__(self, identity: Any, tasks: list[Task]) -> None:
        self.identity = identity
        self._tasks = tasks

    @property
    def done(self) -> bool:
        """Return whether every act is finished."""
        return all(task.done for task in self._tasks)

    def answer(self, t_us: int) -> dict[str, Any]:
        """Return the answer of a request that is done."""
        reported: dict[str, Any] = {"id": self.identity, "t_us": t_us}
        errors = [str(task.error) for task in self._tasks if task.error is not None]
        if errors:
            reported["error"] = errors[0]
        reported["results"] = [task.result for task in self._tasks]
        return reported


class Hands:
    """Begins requests on a virtual table where this game is played.

    `cut` and `restore` act on the plug of the station they are given by name.
    """

    def __init__(
        self, table: VirtualTable, game: str, cut: Callable[[str], None], restore: Callable[[str], None]
    ) -> None:
        self._table = table
        self._known = acts_of(game)
        self._power = Power(cut, restore)
        self._acts = 0

    def begin(self, line: str) -> Request:
        """Start all acts of a line; raises `BadRequest`, and then has started none."""
        identity, wanted = parse(line)
        try:
            work = [_checked(self._known, one) for one in wanted]
        except BadRequest as error:
            error.identity = identity
            raise
        return Request(identity, [self._spawn(name, given) for name, given in work])

    def _spawn(self, name: str, given: dict[str, Any]) -> Task:
        self._acts += 1
        rng = Random(f"{self._table.seed}/{self._acts}/{name}")
        hand = Hand(self._table, self._power, rng)

        async def work() -> Any:
            try:
                return await self._known[name](hand, **given)
            finally:
                hand.let_go()

        return self._table.scheduler.spawn(work())
