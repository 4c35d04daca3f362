"""What a station owes the hub: its birth, its events exactly once, its clock."""

from tablestation.outbox import ROOM
from tablewire.messages import decode

UID = "04aabbccddeeff"


def lying(bench, spot="seat/1/card/0"):
    bench.spot(spot, reader=True)
    bench.readers[spot].says = lambda _t_us: UID
    return bench


def sequence(bench):
    return [(event["type"], event["event_seq"]) for event in bench.raw() if "event_seq" in event]


def test_a_birth_is_retained_and_says_what_the_station_carries(bench):
    bench.spot("seat/2/pad/0", cells=(0, 0, 0), reader=True, ring=12, crane=True).start()
    channel, payload, urgent, retain = bench.link.published[0]
    birth = decode(channel, payload)
    assert (channel, urgent, retain) == ("state", True, True)
    assert (birth["type"], birth["kind"], birth["boot"]) == ("birth", "seat", 4711)
    assert birth["spots"] == [{"spot": "seat/2/pad/0", "cells": 3, "reader": True, "ring": 12, "crane": True}]


def test_the_last_will_names_the_start_it_belongs_to(bench):
    assert decode("state", bench.start().station.will())["boot"] == 4711


def test_only_state_is_retained(bench):
    lying(bench).start().run(3_000)
    assert {channel for channel, _, _, retain in bench.link.published if retain} == {"state"}


def test_events_stay_until_the_hub_says_they_are_committed(bench):
    lying(bench).start().run(1_000)
    bench.button.waiting.append(True)
    bench.run(500)
    assert sequence(bench) == [("inventory", 1), ("button", 2)]
    bench.forget()
    bench.ack(1)
    bench.station.disconnected()
    bench.station.connected()
    assert sequence(bench) == [("button", 2)]
    bench.ack(2)
    bench.forget()
    bench.station.connected()
    assert sequence(bench) == []


def test_an_acknowledgement_of_another_start_frees_nothing(bench):
    lying(bench).start().run(1_000)
    bench.ack(1, boot=4712)
    bench.forget()
    bench.station.connected()
    assert sequence(bench) == [("inventory", 1)]


def test_events_of_the_time_without_a_link_are_sent_in_order_when_it_is_back(bench):
    lying(bench).start(connected=False).run(1_000)
    bench.button.waiting += [True, True]
    bench.run(500)
    assert bench.link.published == []
    bench.link.up = True
    bench.station.connected()
    assert sequence(bench) == [("inventory", 1), ("button", 2), ("button", 3)]


def test_a_new_hub_gets_what_waits_and_then_an_inventory(bench):
    lying(bench).start().run(1_000)
    bench.hear("hub", type="hub", boot=1, online=True)
    bench.button.waiting.append(True)
    bench.run(500).forget()
    bench.hear("hub", type="hub", boot=2, online=True)
    assert sequence(bench) == [("inventory", 1), ("button", 2), ("inventory", 3)]


def test_a_hub_that_is_known_or_going_gets_nothing_new(bench):
    lying(bench).start().run(1_000)
    bench.hear("hub", type="hub", boot=1, online=True)
    bench.forget()
    bench.hear("hub", type="hub", boot=1, online=True)
    bench.hear("hub", type="hub", boot=1, online=False)
    bench.hear("hub", type="hub", boot=9, online=False)
    assert sequence(bench) == []


def test_nothing_comes_before_the_first_inventory(bench):
    lying(bench).spot("seat/2/pad/0", cells=(0,), alert_g=5)
    bench.cells["seat/2/pad/0"][0].level = lambda t_us: 90_000 if t_us < 25_000 else 0
    bench.button.waiting.append(True)
    bench.start().run(2_000)
    assert sequence(bench)[0] == ("inventory", 1)


def test_a_full_outbox_refuses_counts_and_makes_good_with_an_inventory(bench):
    lying(bench).start().run(1_000)
    bench.button.waiting += [True] * (ROOM + 9)
    bench.run(10_000)
    assert {event_seq for _, event_seq in sequence(bench)} == set(range(1, ROOM + 1))
    bench.forget()
    bench.ack(ROOM // 2)
    (told,) = bench.told("inventory")
    assert (told["event_seq"], told["events_lost"]) == (ROOM + 1, 10)
    assert told["tags"] == [{"spot": "seat/1/card/0", "uid": UID}]
    bench.ack(ROOM + 1)
    bench.forget()
    bench.hear("hub", type="hub", boot=1, online=True)
    bench.hear("hub", type="hub", boot=2, online=True)
    assert "events_lost" not in bench.told("inventory")[0]


def test_a_ping_is_answered_with_two_readings_of_the_clock(bench):
    bench.start().run(5_000)
    bench.hear("ping", type="ping", id=77)
    (pong,) = bench.told("pong")
    assert (pong["id"], pong["received"], pong["sent"]) == (77, pong["sent"], [0, bench.port.ticks_us()])


def test_what_is_not_on_the_wires_terms_is_counted_and_changes_nothing(bench):
    lying(bench).start().run(1_000)
    for channel, payload in (
        ("ack", b"{"),
        ("ack", b'{"v": 2, "type": "ack", "boot": 4711, "event_seq": 1}'),
        ("light", b'{"v": 1, "type": "ack", "boot": 4711, "event_seq": 1}'),
        ("ping", b"x" * 9000),
    ):
        bench.station.receive(channel, payload)
    assert bench.station.refused == 4
    bench.forget()
    bench.station.connected()
    assert sequence(bench) == [("inventory", 1)]


def test_a_press_of_the_button_is_one_event_of_that_seat(bench):
    bench.start().run(500)
    bench.button.waiting.append(True)
    bench.run(1_000)
    assert [event["seat"] for event in bench.told("button")] == [2]


def test_a_lowered_crane_gives_one_height(bench):
    bench.spot("seat/2/pad/1", crane=True).start().run(1_000)
    bench.rangers["seat/2/pad/1"].mm = 246
    bench.run(3_000)
    (height,) = bench.told("height")
    assert (height["spot"], height["range_mm"], height["spread_mm"], height["n"]) == ("seat/2/pad/1", 246, 0, 12)


def test_an_inventory_of_the_largest_station_fits_into_one_message(bench):
    for k in range(11):
        lying(bench, f"supply/landmark/{k}")
    bench.start().run(3_000)
    assert len(bench.told("inventory")[0]["tags"]) == 11


def test_a_fault_that_finds_no_room_is_told_when_there_is_some(bench):
    lying(bench).spot("seat/2/pad/0", cells=(0,)).start().run(1_000)
    bench.button.waiting += [True] * (ROOM - 1)
    bench.run(10_000)
    bench.cells["seat/2/pad/0"][0].alive = False
    bench.run(5_000)
    assert bench.told("fault") == []
    bench.ack(ROOM)
    bench.run(2_000)
    assert [(fault["spot"], fault["on"]) for fault in bench.told("fault")] == [("seat/2/pad/0", True)]
    assert bench.station.outbox.lost == 0


def test_a_cell_that_is_dead_from_the_start_is_told_after_the_inventory(bench):
    for k in range(11):
        lying(bench, f"seat/2/card/{k}")
    bench.spot("seat/2/pad/0", cells=(0,))
    for reader in bench.readers.values():
        reader.says = lambda t_us: UID if t_us % 3 else None
    bench.cells["seat/2/pad/0"][0].alive = False
    bench.start().run(8_000)
    assert next(kind for kind, _ in sequence(bench)) == "inventory"
    assert len(bench.told("fault")) == 1


def test_a_command_goes_to_whom_it_was_registered_for(bench):
    heard = []
    bench.start().station.on_command("restart", heard.append)
    bench.hear("command", type="restart", boot=4711)
    assert [message["boot"] for message in heard] == [4711]


def test_a_command_nobody_knows_is_counted_and_told(bench):
    bench.start()
    bench.hear("command", type="restart", boot=4711)
    assert bench.station.refused == 1
    assert "restart" in bench.told("log")[0]["text"]


def test_events_nobody_acknowledges_are_sent_again_ever_more_rarely(bench):
    lying(bench).start().run(1_000).forget()
    bench.run(120_000)
    first = len(sequence(bench))
    assert 3 <= first <= 5
    bench.forget()
    bench.run(600_000)
    assert 6 <= len(sequence(bench)) <= 9, "every 80 s"
    bench.ack(1)
    bench.forget()
    bench.run(200_000)
    assert sequence(bench) == []


def test_without_a_link_nothing_is_sent_again(bench):
    lying(bench).start().run(1_000)
    bench.station.disconnected()
    bench.forget()
    bench.run(120_000)
    assert sequence(bench) == []


def test_what_the_link_had_no_room_for_goes_as_soon_as_there_is_some(bench):
    lying(bench).start(connected=False)
    bench.station.connected()  # but the link takes nothing yet
    bench.run(1_000)
    bench.button.waiting.append(True)
    bench.run(500)
    assert sequence(bench) == []
    bench.link.up = True
    bench.run(200)
    assert sequence(bench) == [("inventory", 1), ("button", 2)]


def test_a_birth_says_what_the_board_knows_of_itself(bench):
    bench.start(connected=False)
    bench.board.about = {"hardware": "pico_w", "uid": "e66118604b", "bundle": "", "reset": "watchdog"}
    bench.link.up = True
    bench.station.connected()
    (birth,) = bench.told("birth")
    assert {name: birth[name] for name in bench.board.about} == bench.board.about
