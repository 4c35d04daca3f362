"""What lies where, by its tag."""

import pytest

from citytable.sensing.tags import Tags
from citytable.table.fact import TagCame, TagLeft

UID, OTHER = "04aabbcc", "04ddeeff"
PAD, CITY, CARD = "seat/1/pad/0", "city/1/0", "seat/1/card/0"


@pytest.fixture
def tags():
    return Tags({UID: "platform-1/up"})


def test_a_tag_comes_once_and_leaves_once(tags):
    (came,) = tags.read(1, PAD, UID, here=True)
    assert came == TagCame(t_us=1, spot=PAD, uid=UID, thing="platform-1/up")
    assert tags.read(2, PAD, UID, here=True) == []
    (left,) = tags.read(3, PAD, UID, here=False)
    assert left == TagLeft(t_us=3, spot=PAD, uid=UID, thing="platform-1/up")
    assert tags.read(4, PAD, UID, here=False) == []


def test_a_tag_nobody_registered_is_told_without_a_thing(tags):
    (came,) = tags.read(1, PAD, OTHER, here=True)
    assert (came.uid, came.thing) == (OTHER, None)


def test_uids_are_the_same_in_capitals(tags):
    assert tags.read(1, PAD, UID.upper(), here=True)[0].thing == "platform-1/up"
    assert tags.read(2, PAD, UID, here=True) == []


def test_two_tags_on_one_reader_lie_there_both(tags):
    facts = tags.read(1, PAD, UID, here=True) + tags.read(2, PAD, OTHER, here=True)
    assert [type(fact) for fact in facts] == [TagCame, TagCame]


def test_what_lies_on_each_spot_is_known_with_its_tags(tags):
    for spot, uid in ((PAD, UID), (PAD, OTHER), (CITY, "0411")):
        tags.read(1, spot, uid, here=True)
    tags.read(2, CITY, "0411", here=False)
    assert tags.lying() == {PAD: ((UID, "platform-1/up"), (OTHER, None))}


def test_a_tag_read_elsewhere_has_left_where_it_was(tags):
    tags.read(1, PAD, UID, here=True)
    left, came = tags.read(2, CITY, UID, here=True)
    assert (left.spot, came.spot) == (PAD, CITY)
    assert left.confidence == came.confidence == 1.0  # whichever of the two readers is heard first
    assert tags.read(3, PAD, UID, here=False) == []  # the first reader is late: nothing new


def test_an_inventory_tells_the_differences_with_less_confidence(tags):
    tags.read(1, PAD, UID, here=True)
    tags.read(1, CITY, "04000001", here=True)
    facts = tags.inventory(9, (PAD, CARD), ((CARD, OTHER),))
    assert facts == [
        TagLeft(t_us=9, confidence=0.9, spot=PAD, uid=UID, thing="platform-1/up"),
        TagCame(t_us=9, confidence=0.9, spot=CARD, uid=OTHER, thing=None),
    ]
    assert tags.inventory(10, (PAD, CARD), ((CARD, OTHER),)) == []


def test_an_inventory_that_moves_a_tag_tells_it_left_before_it_came(tags):
    tags.read(1, PAD, UID, here=True)
    assert [(type(f), f.spot) for f in tags.inventory(2, (PAD, CARD), ((CARD, UID),))] == [
        (TagLeft, PAD),
        (TagCame, CARD),
    ]


def test_a_claim_that_was_overtaken_by_a_later_one_does_not_count(tags):
    tags.read(900, CITY, UID, here=True)
    assert tags.read(870, PAD, UID, here=True) == []
    assert tags.read(880, PAD, UID, here=False) == []
    assert [fact.spot for fact in tags.read(950, CITY, UID, here=False)] == [CITY]


def test_a_claim_far_behind_is_one_by_a_clock_that_was_set(tags):
    tags.read(5_000_000, CITY, UID, here=True)
    left, came = tags.read(1_000, PAD, UID, here=True)
    assert (left.spot, came.spot) == (CITY, PAD)
