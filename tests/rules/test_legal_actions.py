"""`LegalActions`: lazy, countable, answers `in`."""

from citytable.rules.game import LegalActions


def test_it_generates_only_when_asked_and_counts_tests_and_answers():
    asked = []

    def generate():
        asked.append(True)
        yield from (1, 2, 3)

    legal = LegalActions(generate, lambda action: action in (1, 2, 3, 99))
    assert not asked
    assert list(legal) == [1, 2, 3]
    assert legal.count() == 3
    assert bool(legal)
    assert 99 in legal
    assert 7 not in legal
    assert repr(legal) == "<LegalActions (1, 2, 3)>"


def test_without_any_action_it_is_false():
    assert not LegalActions(lambda: iter(()), lambda action: False)
