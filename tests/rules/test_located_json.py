"""JSON whose values know their lines."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citytable.rules.located_json import JsonError, LocatedJson

TEXT = """{
  "name": "x",
  "list": [
    1,
    {"a": null,
     "b": [true, -2.5e3]}
  ]
}
"""
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(value=values, indent=st.sampled_from([None, 2]))
def test_it_reads_what_json_reads(value, indent):
    text = json.dumps(value, indent=indent)
    assert LocatedJson(text).value == value


def test_every_value_knows_its_line():
    located = LocatedJson(TEXT)
    assert located.value == json.loads(TEXT)
    assert located.line() == 1
    assert located.line("name") == 2
    assert located.line("list", 0) == 4
    assert located.line("list", 1, "b", 1) == 6


def test_what_does_not_exist_is_where_its_surroundings_begin():
    assert LocatedJson(TEXT).line("list", 1, "c") == 5


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("", 1, "expecting value"),
        ("{\n1: 2}", 2, 'expected a key in "quotes"'),
        ('{\n"a" 1}', 2, "expected ':' after 'a'"),
        ('{"a": 1\n"b": 2}', 2, "expected ',' or '}'"),
        ("[1,\n2\n", 3, "expected ',' or ']'"),
        ("[1,\n]", 2, "expecting value"),
        ('{"a": 1,\n "a": 2}', 2, "'a' stands twice"),
        ("1 2", 1, "follows after the end"),
        ('{"a', 1, "unterminated string"),
        ("[\n" + "9" * 5000, 2, "digits"),
        ("[" * 100_000, 1, "nested too deeply"),
    ],
)
def test_an_error_names_its_line(text, line, said):
    with pytest.raises(JsonError) as error:
        LocatedJson(text)
    assert error.value.line == line
    assert said in str(error.value)
