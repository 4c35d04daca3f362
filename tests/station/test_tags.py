"""Reading tags: debounced, one reader at a time."""

UID = "04aabbccddeeff"
OTHER = "04112233445566"


def between(start_us, end_us, uid=UID):
    return lambda t_us: uid if start_us <= t_us < end_us else None


def changes(bench):
    return [(event["spot"], event["uid"], event["here"]) for event in bench.told("tag")]


def test_a_station_begins_with_an_inventory_of_what_lies_there(bench):
    bench.spot("seat/1/card/0", reader=True).spot("seat/1/card/1", reader=True)
    bench.readers["seat/1/card/1"].says = between(0, 9e9)
    bench.start().run(3_000)
    events = bench.told("inventory", "tag")
    assert [event["type"] for event in events] == ["inventory"]
    assert events[0]["tags"] == [{"spot": "seat/1/card/1", "uid": UID}]
    assert events[0]["event_seq"] == 1


def test_a_card_laid_down_and_taken_away_is_told_once_each(bench):
    bench.spot("seat/1/card/0", reader=True).spot("seat/1/card/1", reader=True).start()
    bench.readers["seat/1/card/0"].says = between(1_000_000, 3_000_000)
    bench.run(5_000)
    assert changes(bench) == [("seat/1/card/0", UID, True), ("seat/1/card/0", UID, False)]


def test_a_single_missed_read_is_no_departure(bench):
    bench.spot("seat/1/card/0", reader=True).start()
    reader = bench.readers["seat/1/card/0"]
    reader.says = lambda _t_us: UID if reader.reads % 7 else None
    bench.run(10_000)
    assert changes(bench) == []


def test_two_missed_reads_are_no_departure_and_three_are(bench):
    bench.spot("seat/1/card/0", reader=True).start()
    reader = bench.readers["seat/1/card/0"]
    reader.says = lambda _t_us: None if 50 <= reader.reads < 52 else UID
    bench.run(4_000)
    assert changes(bench) == []
    reader.says = lambda _t_us, start=reader.reads: None if reader.reads <= start + 3 else UID
    bench.run(2_000)
    assert changes(bench) == [("seat/1/card/0", UID, False), ("seat/1/card/0", UID, True)]


def test_a_ghost_read_once_is_no_arrival(bench):
    bench.spot("seat/1/card/0", reader=True).start()
    reader = bench.readers["seat/1/card/0"]
    reader.says = lambda _t_us: UID if reader.reads == 30 else None
    bench.run(4_000)
    assert changes(bench) == []


def test_another_card_in_the_same_slot_is_a_departure_and_an_arrival(bench):
    bench.spot("supply/contract/public", reader=True)
    bench.readers["supply/contract/public"].says = lambda t_us: UID if t_us < 2_000_000 else OTHER
    bench.start().run(4_000)
    assert changes(bench) == [("supply/contract/public", UID, False), ("supply/contract/public", OTHER, True)]


def test_only_one_reader_reads_at_a_time(bench):
    spots = [f"seat/1/card/{k}" for k in range(3)]
    for spot in spots:
        bench.spot(spot, reader=True)
    bench.start().run(12_000)
    reads = [bench.readers[spot].reads for spot in spots]
    assert sum(reads) <= 12_000 // 40
    assert max(reads) - min(reads) <= 1


def test_a_reader_that_flickers_does_not_keep_the_others_from_reading(bench):
    bench.spot("seat/1/card/0", reader=True).spot("seat/1/card/1", reader=True).start()
    first = bench.readers["seat/1/card/0"]
    first.says = lambda _t_us: (UID, OTHER)[first.reads % 2]
    bench.readers["seat/1/card/1"].says = between(2_000_000, 9e9)
    bench.run(4_000)
    assert ("seat/1/card/1", UID, True) in changes(bench)


def test_a_silent_reader_is_a_fault_and_takes_no_tag_away(bench):
    bench.spot("seat/1/card/0", reader=True)
    bench.readers["seat/1/card/0"].says = lambda t_us: "silent" if 2_000_000 < t_us < 4_000_000 else UID
    bench.start().run(6_000)
    assert changes(bench) == []
    assert [(fault["sensor"], fault["on"]) for fault in bench.told("fault")] == [("reader", True), ("reader", False)]


def test_a_reader_that_never_returns_stops_nobody_else(bench):
    bench.spot("seat/1/card/0", reader=True).spot("seat/1/card/1", reader=True)
    bench.readers["seat/1/card/0"].says = lambda t_us: "hangs" if t_us > 1_000_000 else None
    bench.readers["seat/1/card/1"].says = between(4_000_000, 9e9)
    bench.start().run(8_000)
    assert changes(bench) == [("seat/1/card/1", UID, True)]
    assert [(fault["spot"], fault["on"]) for fault in bench.told("fault")] == [("seat/1/card/0", True)]
    assert bench.told("log") == [], "the supervisor is content"


def test_a_reader_that_hangs_from_the_start_does_not_keep_the_inventory_back(bench):
    bench.spot("seat/1/card/0", reader=True).spot("seat/1/card/1", reader=True)
    bench.readers["seat/1/card/0"].says = lambda _t_us: "hangs"
    bench.readers["seat/1/card/1"].says = lambda _t_us: UID
    bench.start().run(3_000)
    assert [event["type"] for event in bench.told("inventory", "tag", "fault")] == ["inventory", "fault"]
    assert bench.told("inventory")[0]["tags"] == [{"spot": "seat/1/card/1", "uid": UID}]


def ask(bench, spot="seat/1/card/1", identity=5, n=2):
    bench.hear("command", type="read_pages", id=identity, spot=spot, first=4, n=n)


def pages(bench):
    return [(told["id"], told["spot"], told["uid"], told["first"], told["data"]) for told in bench.told("pages")]


def test_pages_of_a_tag_are_read_between_two_reads(bench):
    for k in range(3):
        bench.spot(f"seat/1/card/{k}", reader=True)
    reader = bench.readers["seat/1/card/1"]
    reader.says = lambda _t_us: UID
    reader.memory = bytes(range(64))
    bench.start().run(2_000)
    ask(bench)
    bench.run(1_000)
    assert pages(bench) == [(5, "seat/1/card/1", UID, 4, "1011121314151617")]
    assert not bench.port.overlapped, "one field at a time"
    assert changes(bench) == []


def test_pages_that_cannot_be_read_are_told_in_a_line(bench):
    bench.spot("seat/1/card/1", reader=True).start().run(2_000)
    ask(bench)
    ask(bench, spot="seat/1/card/0")
    bench.run(3_000)
    assert pages(bench) == []
    texts = [line["text"] for line in bench.told("log")]
    assert len(texts) == 2
    assert any("there is no reader" in text for text in texts)
    assert any("put a tag there" in text for text in texts)


def test_more_questions_than_can_wait_are_refused_in_a_line(bench):
    bench.spot("seat/1/card/1", reader=True).start().run(2_000)
    bench.readers["seat/1/card/1"].memory = bytes(64)
    for k in range(6):
        ask(bench, identity=k)
    assert [told["type"] for told in bench.raw()[-2:]] == ["log", "log"]
    bench.run(2_000)
    assert [told[0] for told in pages(bench)] == [0, 1, 2, 3]
