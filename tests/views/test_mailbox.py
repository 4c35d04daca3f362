from citytable.views.mailbox import Mailbox


async def test_messages_are_read_in_the_order_in_which_they_came() -> None:
    mailbox = Mailbox[bytes](room=3)
    for message in (b"1", b"2", b"3"):
        mailbox.put(message)
    assert [await mailbox.take() for _ in range(3)] == [b"1", b"2", b"3"]
    assert mailbox.dropped == 0


async def test_a_reader_too_slow_for_the_table_starts_afresh_and_never_reads_a_gap() -> None:
    mailbox = Mailbox[bytes](room=2)
    for message in (b"1", b"2", b"3", b"4"):
        mailbox.put(message)
    assert await mailbox.take() is None
    assert mailbox.dropped == 4
    mailbox.put(b"5")
    assert await mailbox.take() == b"5"
