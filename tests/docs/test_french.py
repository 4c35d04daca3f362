"""The French pages say what the English ones of the same name say: the same shape, commands and figures."""

import re
from pathlib import Path

FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
FRENCH = Path("docs/fr")
SUBSTITUTED = {"FILE": "FICHIER", "NAME": "NOM", "<name>": "<nom>"}


def _pairs(documents):
    return [
        (path, text, documents[Path("docs") / path.relative_to(FRENCH)])
        for path, text in documents.items()
        if FRENCH in path.parents and path.name != "README.md"
    ]


def _shape(text):
    """How many sections, rows of tables and steps a page has, in the order in which they come."""
    marks = re.findall(r"^(##+ |\||\d+\. )", FENCED.sub("", text), re.MULTILINE)
    return [mark.strip() if mark.startswith("#") else mark[0] for mark in marks]


def _run(text):
    """The blocks of commands; those without a language are drawings, in which words are translated."""
    return [block for block in FENCED.findall(text) if not block.startswith("```\n")]


def _commands(text):
    """The indented commands, in which a word for a file or a name is translated."""
    lines = re.findall(r"^ {4,}(\S.*)$", FENCED.sub("", text), re.MULTILINE)
    for english, french in SUBSTITUTED.items():
        lines = [re.sub(rf"\b{english}\b", french, line) for line in lines]
    return [line.removesuffix(" --language fr") for line in lines]


def test_every_french_page_has_the_shape_of_its_english_one(documents):
    pairs = _pairs(documents)
    assert len(pairs) >= 7
    for path, french, english in pairs:
        assert _shape(french) == _shape(english), path


def test_every_french_page_has_the_commands_of_its_english_one(documents):
    for path, french, english in _pairs(documents):
        assert len(FENCED.findall(french)) == len(FENCED.findall(english)), path
        assert _run(french) == _run(english), path
        assert _commands(french) == _commands(english), path


def test_every_french_page_is_listed(documents):
    listed = documents[FRENCH / "README.md"]
    for path, _, _ in _pairs(documents):
        assert f"({path.relative_to(FRENCH)})" in listed
