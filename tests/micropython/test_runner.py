"""The harness itself: time that jumps, runs that are equal, failures that are told."""

import pytest

pytestmark = pytest.mark.long(4)


def test_it_is_micropython(vm):
    ran = vm.run("import sys\nprint(sys.implementation.name, '{}.{}'.format(*sys.implementation.version))")
    assert ran.out == f"micropython {vm.version}\n"


def test_a_day_passes_in_a_moment(vm):
    ran = vm.run(
        "import asyncio, time\nstart = time.ticks_ms()\nawait asyncio.sleep(86400)\nprint(time.ticks_ms() - start)"
    )
    assert 86_400_000 <= int(ran.out) <= 86_400_002


def test_blocking_waits_end_and_take_what_they_say(vm):
    ran = vm.run(
        "import time\nstart = time.ticks_us()\ntime.sleep_us(300)\ntime.sleep_ms(50)\nprint(time.ticks_us() - start)"
    )
    assert 50_300 <= int(ran.out) <= 50_310


def test_a_loop_that_waits_for_the_clock_ends(vm):
    vm.run("import time\nstart = time.ticks_us()\nwhile time.ticks_diff(time.ticks_us(), start) < 1000:\n    pass")


def test_tasks_run_in_the_order_of_their_times(vm):
    ran = vm.run(
        """
import asyncio
async def say(ms):
    await asyncio.sleep_ms(ms)
    print(ms)
await asyncio.gather(*[say(ms) for ms in (30, 10, 20, 10)])
"""
    )
    assert ran.out.split() == ["10", "10", "20", "30"]


def test_ticks_wrap_where_they_are_told_to(vm):
    ran = vm.run(
        """
import host_clock, time
host_clock.set_ticks((1 << 30) - 1000)
before = time.ticks_us()
time.sleep_us(2000)
print(before, time.ticks_us(), time.ticks_diff(time.ticks_us(), before))
"""
    )
    before, after, between = map(int, ran.out.split())
    assert before > (1 << 30) - 1001
    assert after < 1010
    assert 2000 <= between <= 2010


def test_two_runs_draw_the_same_lots_and_another_seed_draws_others(vm):
    lots = "import random\nprint([random.getrandbits(30) for _ in range(4)])"
    assert vm.run(lots).out == vm.run(lots).out
    assert vm.run(lots).out != vm.run(lots, seed=2).out


def test_a_job_that_raises_fails_and_says_where(vm):
    ran = vm.run("def bad():\n    raise ValueError('the reason')\nbad()", fails=True)
    assert "the reason" in ran.complaint
    assert "line 2, in bad" in ran.complaint


def test_a_job_that_waits_for_nothing_fails_instead_of_hanging(vm):
    ran = vm.run("import asyncio\nawait asyncio.Event().wait()", fails=True)
    assert "no timer is set" in ran.complaint
