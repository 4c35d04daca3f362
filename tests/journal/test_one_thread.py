"""One thread: call after call, each told to whoever made it."""

import asyncio
import threading

import pytest

from citytable.journal.one_thread import OneThread


@pytest.fixture
async def thread():
    one = OneThread("one")
    yield one
    one.stop()


async def test_calls_are_made_in_order_in_a_thread_that_is_not_the_loops(thread):
    made = []

    def call(n):
        made.append((n, threading.current_thread().name))
        return n * n

    assert await asyncio.gather(*(thread.run(call, n) for n in range(20))) == [n * n for n in range(20)]
    assert made == [(n, "one") for n in range(20)]


async def test_what_a_call_raises_is_told_to_its_caller_alone(thread):
    wrong, right = thread.run(int, "seven"), thread.run(int, "7")
    assert await right == 7
    with pytest.raises(ValueError, match="seven"):
        await wrong


async def test_what_a_call_came_to_is_told_in_the_loop_in_the_order_of_the_calls(thread):
    told = []

    def note(what):
        told.append((str(what), threading.current_thread() is threading.main_thread()))

    thread.tell(note, pytest.fail, int, "7")
    thread.tell(pytest.fail, note, int, "")
    await thread.run(bool)
    assert told == [("7", True), ("invalid literal for int() with base 10: ''", True)]


async def test_a_call_is_made_although_nobody_waits_for_it_any_more(thread):
    made, may = [], threading.Event()
    thread.run(may.wait)
    thread.run(made.append, 1).cancel()
    may.set()
    await thread.run(made.append, 2)
    assert made == [1, 2]


async def test_stop_waits_for_what_is_still_to_be_done_and_needs_no_beginning():
    made, one = [], OneThread("one")
    one.run(made.append, 1)
    one.stop()
    assert made == [1]
    OneThread("never called").stop()


def test_a_call_that_outlives_its_loop_disturbs_nobody():
    one, may, made = OneThread("one"), threading.Event(), []

    async def leave_behind():
        one.run(may.wait)

    asyncio.run(leave_behind())
    may.set()

    async def another():
        await one.run(made.append, 1)

    asyncio.run(another())
    one.stop()
    assert made == [1]
