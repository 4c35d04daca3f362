"""What is filled in on a blank is an action in notation: no field is missing, none is there that nobody can read."""

import pytest

from citytable.games.megacity.blanks import blanks
from citytable.games.megacity.notation import action_from_text
from citytable.games.megacity.pieces import HOUSE

BLANKS = blanks(HOUSE)


def _written(blank, kinds):
    words = ["p1" if blank.player else "table", blank.do]
    for field in blank.fields:
        by_kind = {
            "count": "2",
            "mm": "61mm",
            "yesno": "yes",
            "choice": (field.choices or ("",))[-1],
            "list": ",".join(field.choices[: field.most]),
            "pieces": ",".join(f"{name}:{k}" for k, name in enumerate(field.choices, start=1)),
            "text": "(building_fell at=1/0 to_box=2 left=0)",
        }
        if field.needed or field.kind in kinds:
            words.append(f"{field.name}={by_kind[field.kind]}")
    return " ".join(words)


@pytest.mark.parametrize("blank", BLANKS, ids=lambda blank: blank.do)
def test_a_blank_filled_in_reads_as_it_was_written(blank):
    everything = _written(blank, {field.kind for field in blank.fields})
    assert str(action_from_text(everything)) == everything
    bare = _written(blank, ())
    assert str(action_from_text(bare)) == bare


def test_there_is_a_blank_for_everything_but_the_deal():
    assert len(BLANKS) == 18
    assert "set_up" not in {blank.do for blank in BLANKS}


def test_a_delivery_asks_for_what_the_host_may_have_to_put_right():
    delivery = next(blank for blank in BLANKS if blank.do == "deliver")
    kinds = {field.name: (field.kind, field.needed) for field in delivery.fields}
    assert kinds["contract"] == ("choice", True)
    assert kinds["height"] == ("mm", False)
    assert kinds["pieces"] == ("pieces", False)
    assert len(next(field.choices for field in delivery.fields if field.name == "at")) == 37
