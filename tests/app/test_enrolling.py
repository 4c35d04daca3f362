"""Tags are enrolled from a page: what lies on a reader gets a name, and the plan file has it at once."""

import pytest

from citytable.doctor.plan_file import write_plan
from citytable.enrolling import Enrolling
from citytable.games.megacity.box import BOX
from citytable.table.plan import full_plan, load_plan, tag_uid
from citytable.table.word import TagNamed
from citytable.views.tags import NO_TAGS, TagWish, UnknownTag

THINGS = BOX.things(2)
NEW = "04a1b2c3d4e5f6"


@pytest.fixture
def enrolling(tmp_path):
    """A table on which every thing but the first has a tag; an unknown tag lies on a hex."""
    path = tmp_path / "cafe.json"
    write_plan(path, full_plan("cafe", 2, BOX.shared_spots(), THINGS[1:]))
    lying = {"city/1/0": frozenset({f"?{NEW}"}), "city/2/0": frozenset({THINGS[1]})}
    said = []

    async def say(word):
        said.append(word)

    return Enrolling(path, BOX, lambda: lying, say), path, said


def test_a_tag_that_nobody_knows_is_offered_with_the_things_that_have_none(enrolling):
    told = enrolling[0].tags()
    assert told.unknown == (UnknownTag("city/1/0", NEW),)
    assert told.things == (THINGS[0],)


async def test_an_enrolled_tag_is_in_the_plan_file_and_no_longer_offered_and_the_game_hears_of_it(enrolling):
    page, path, said = enrolling
    await page.enrol(TagWish(NEW, THINGS[0]))
    assert load_plan(path).tags[NEW] == THINGS[0]
    assert said == [TagNamed(uid=NEW, thing=THINGS[0], by="host")]
    told = page.tags()
    assert (told.unknown, told.things, told.fresh) == ((), (), 1)


@pytest.mark.parametrize(
    ("uid", "thing", "said"),
    [
        (NEW, "platform/99/public", "has nothing called"),
        (tag_uid(THINGS[1]), THINGS[0], "is on .* already"),
        (NEW, THINGS[1], "has a tag already"),
    ],
)
async def test_nothing_is_enrolled_twice_and_no_stranger(enrolling, uid, thing, said):
    page, path, heard = enrolling
    before = path.read_bytes()
    with pytest.raises(ValueError, match=said):
        await page.enrol(TagWish(uid, thing))
    assert path.read_bytes() == before
    assert heard == []


async def test_a_table_without_a_plan_file_says_so():
    assert NO_TAGS.tags().unknown == ()
    with pytest.raises(ValueError, match="no plan file"):
        await NO_TAGS.enrol(TagWish(NEW, THINGS[0]))
