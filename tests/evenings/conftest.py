"""What is asked of the evenings of every family."""

from collections.abc import Callable

import pytest

from citytable.evenings.performance import Performance
from citytable.table.fact import TagCame, TagLeft


@pytest.fixture(scope="session")
def tags_come_once_and_leave_once() -> Callable[[Performance], None]:
    """Hold that a tag of an evening comes to a spot only when it lies nowhere, and leaves the one where it lies."""

    def hold(performance: Performance) -> None:
        lying: dict[str, str] = {}
        for fact in performance.facts:
            if isinstance(fact, TagCame):
                assert fact.uid not in lying, f"seed {performance.seed}: {fact} while it lies at {lying[fact.uid]}"
                lying[fact.uid] = fact.spot
            elif isinstance(fact, TagLeft):
                assert lying.pop(fact.uid) == fact.spot

    return hold
