import pytest

from citytable.views.wording import wording


@pytest.mark.parametrize(
    ("action", "key", "words", "seat"),
    [
        (
            "p2 deliver contract=RE7 platform=6 at=1/1",
            "action.deliver",
            {"contract": "RE7", "platform": "6", "at": "1/1"},
            2,
        ),
        ("p1 end_turn", "action.end_turn", {}, 1),
        ("table monument_fell at=0/0", "action.monument_fell", {"at": "0/0"}, None),
        ("", "action.", {}, None),
        ("table pass", "action.pass", {}, None),
    ],
)
def test_an_actions_notation_becomes_a_key_and_words(
    action: str, key: str, words: dict[str, str], seat: int | None
) -> None:
    assert wording(action) == (key, words, seat)
