"""The guard: who floods with events is listened to aside, and everybody else is heard as before."""

import asyncio

from citytable.link.budgets import OTHERS_BURST, PRESSING_US, STRANGERS_PRESSING_US, Budgets
from citytable.link.guard import Guard
from tablewire import topics

PLAN = ("park", "quay")


class Connection:
    def __init__(self, subscriptions):
        self.subscriptions = subscriptions

    async def listen_to(self, wanted):
        self.subscriptions = wanted

    def hears(self, station, channel):
        filters = {text for text, _ in self.subscriptions}
        return bool(filters & {f"citytable/+/salon/{station}/{channel}", f"citytable/+/salon/+/{channel}"})


def guarded(stations=PLAN):
    budgets = Budgets(stations)
    guard = Guard("salon", stations, budgets)
    return guard, budgets, Connection(guard.urgent), Connection(guard.aside)


def flood(budgets, station, channel=topics.EVENT):
    for _ in range(int(OTHERS_BURST) + 1):
        budgets.admits(topics.topic("salon", station, channel), 0)


async def tended(guard, urgent, aside, now_us):
    """Tend until the change is made; return how often it was reported."""
    reported = 0
    for _ in range(4):
        reported += guard.tend(urgent, aside, now_us)
        await asyncio.sleep(0)
    return reported


async def test_who_floods_with_events_is_heard_aside_and_no_other_station_is():
    guard, budgets, urgent, aside = guarded()
    assert await tended(guard, urgent, aside, 0) == 0
    flood(budgets, "park")
    assert await tended(guard, urgent, aside, 1) == 1
    assert (urgent.hears("quay", "event"), urgent.hears("park", "event")) == (True, False)
    assert (aside.hears("quay", "event"), aside.hears("park", "event")) == (False, True)
    assert aside.hears("park", "samples")


async def test_who_is_calm_again_is_heard_as_before():
    guard, budgets, urgent, aside = guarded()
    before = urgent.subscriptions, aside.subscriptions
    flood(budgets, "park")
    await tended(guard, urgent, aside, PRESSING_US - 1)
    assert (urgent.subscriptions, aside.subscriptions) != before
    assert await tended(guard, urgent, aside, PRESSING_US) == 1
    assert (urgent.subscriptions, aside.subscriptions) == before


async def test_while_invented_names_flood_only_the_plan_is_heard():
    guard, budgets, urgent, aside = guarded()
    flood(budgets, "junk")
    await tended(guard, urgent, aside, STRANGERS_PRESSING_US - 1)
    assert all(urgent.hears(station, "event") for station in PLAN)
    assert not urgent.hears("junk", "event")
    assert not aside.hears("junk", "event")


async def test_a_flood_of_samples_and_a_table_without_a_plan_change_nothing():
    guard, budgets, urgent, aside = guarded()
    flood(budgets, "park", topics.SAMPLES)
    assert await tended(guard, urgent, aside, 1) == 0
    guard, budgets, urgent, aside = guarded(())
    flood(budgets, "park")
    assert await tended(guard, urgent, aside, 1) == 0
