"""Tags are enrolled from a page: what lies on a reader gets a name, and the plan file has it at once."""

import pytest
from msgspec.structs import replace

from citytable.box_file import load_box, new_box, path_of, write_box
from citytable.doctor.plan_file import write_plan
from citytable.enrolling import Enrolling, tagged
from citytable.games.megacity.box import BOX
from citytable.rules.errors import Unfitting
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


async def test_a_dead_tag_is_replaced_and_the_game_hears_of_it(enrolling):
    page, path, said = enrolling
    assert THINGS[1] in page.tags().tagged
    await page.enrol(TagWish(NEW, THINGS[1], replaces=True))
    tags = load_plan(path).tags
    assert (tags[NEW], tag_uid(THINGS[1]) in tags) == (THINGS[1], False)
    assert said == [TagNamed(uid=NEW, thing=THINGS[1], by="host")]


@pytest.fixture
def boxed(enrolling, tmp_path):
    """The same table with the box `ours`, which has a tag of its own; the box `theirs` lies in the same folder."""
    _, path, said = enrolling
    ours, theirs = (path_of(name, tmp_path) for name in ("ours", "theirs"))
    write_box(ours, replace(new_box("ours", "megacity"), tags={"04aa": THINGS[2]}))
    write_box(theirs, replace(new_box("theirs", "megacity"), tags={"04bb0000": THINGS[0]}))
    lying = {"city/1/0": frozenset({f"?{NEW}"})}

    async def say(word):
        said.append(word)

    return Enrolling(path, BOX, lambda: lying, say, ours), path, ours


async def test_a_tag_goes_into_the_box_that_lies_on_the_table_and_not_into_the_plan(boxed):
    page, path, ours = boxed
    before = path.read_bytes()
    assert page.tags().box == "ours"
    await page.enrol(TagWish(NEW, THINGS[0]))
    assert load_box(ours).tags == {"04aa": THINGS[2], NEW: THINGS[0]}
    assert path.read_bytes() == before


async def test_a_tag_of_another_box_is_refused_with_the_name_of_that_box(boxed):
    page, _, ours = boxed
    with pytest.raises(Unfitting, match=f"is already on {THINGS[0]} of the box theirs") as refused:
        await page.enrol(TagWish("04bb0000", THINGS[0]))
    assert refused.value.text["fr"] == f"l'étiquette 04bb0000 est déjà sur {THINGS[0]} de la boîte theirs"
    assert load_box(ours).tags == {"04aa": THINGS[2]}


def test_a_thing_with_a_tag_in_the_box_has_none_in_the_plan(boxed):
    _, path, ours = boxed
    tags = tagged(load_plan(path), ours).tags
    assert tags["04aa"] == THINGS[2]
    assert tag_uid(THINGS[2]) not in tags
    assert tags["04bb0000"] == f"box/theirs/{THINGS[0]}"


@pytest.mark.parametrize(
    ("uid", "thing", "said", "french"),
    [
        (NEW, "platform/99/public", "has nothing called", "n'a rien qui s'appelle"),
        (tag_uid(THINGS[1]), THINGS[0], "is already on .*", "est déjà sur"),
        (NEW, THINGS[1], "already has a tag", "a déjà une étiquette"),
    ],
)
async def test_nothing_is_enrolled_twice_and_no_stranger(enrolling, uid, thing, said, french):
    page, path, heard = enrolling
    before = path.read_bytes()
    with pytest.raises(Unfitting, match=said) as refused:
        await page.enrol(TagWish(uid, thing))
    assert french in refused.value.text["fr"]
    assert path.read_bytes() == before
    assert heard == []


async def test_a_table_without_a_plan_file_says_so():
    assert NO_TAGS.tags().unknown == ()
    with pytest.raises(ValueError, match="no plan file"):
        await NO_TAGS.enrol(TagWish(NEW, THINGS[0]))
