"""Fail when docstrings or documents move away from plain English.

    .venv/bin/python tools/check_english.py           # what is too much, with its places
    .venv/bin/python tools/check_english.py --list    # every place, also those that are still allowed

A docstring begins with a verb ("Return", "Raise", "Report"), not with a relative clause ("What is told"). The phrases
below are our dialect: each is clear only to people who know it. `ALLOWED` says how many of each are left from before.
The numbers only go down: lower them when you have rewritten a room. At the end all are 0, and the share of docstrings
that begin with such a word stays below `SHARE_MAX`.
"""

import argparse
import ast
import os
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("hub", "firmware", "lab")
WORDS = tuple(path.relative_to(ROOT) for path in sorted(ROOT.glob("dashboard/src/**/words/en.json")))
OLD = ("docs/decisions/", "CHANGELOG.md")  # what was decided and released stays as it was written

NOT_OURS = {"node_modules", "__pycache__", "var", "static", "dist"}

SHARE_MAX = 0.03
CLAUSE = re.compile(r"(What|Whether|Who|Whom|Whose|How|Which|Where|When|Why)(ever)?\b")
FIRST_WORD = "a docstring begins with a relative clause"

PHRASES = {
    "he, him, his: a player is they": r"\b(?:he|him|his|himself)\b",
    "is told: is reported, is shown": r"\b(?:is|are|was|were|be|been) told\b(?! (?:how|what|to|which|by|the)\b)",
    "tells of, tells that: reports, shows": r"\b(?:tell|tells|told) (?:of|that)\b",
    "what is told, what it tells: the report": r"\bwhat (?:is|was|it|they) (?:told|tells|tell)\b",
    "who ... in place of a noun": r"(?:(?<=[.:;!] )|^)Who(?:ever)? [a-z][^?]*?[.:;]",
    "who comes: a newcomer": r"\bwho comes\b",
    "for whoever: for a person who": r"\bfor who(?:ever)?\b",
    "gets by itself: installs, detects": r"\b(?:gets?|has|have) (?:\w+ )?by itself\b",
    "of itself: about itself": r"\b(?:says?|said|knows?) of (?:itself|themselves)\b",
    "calls itself: is named": r"\bcalls? (?:itself|themselves)\b",
    "hears of, knows of, says of: hears about": r"\b(?:hears?|heard|knows?|says?) of\b",
    "that is none: that is not one": r"\bthat (?:is|are) none\b",
    "one's own: your own": r"\bone'?s own\b",
    "but for: except": r"(?<=[a-z] )but for\b",
    "by and by: gradually": r"\bby and by\b",
    "comes about: happens": r"\bcomes? about\b",
    "is to be had: is available": r"\bto be had\b",
}
ALLOWED: dict[str, int] = {
    "he, him, his: a player is they": 15,
    "is told: is reported, is shown": 11,
    "tells of, tells that: reports, shows": 10,
    "what is told, what it tells: the report": 3,
    "who ... in place of a noun": 2,
    "of itself: about itself": 1,
    "hears of, knows of, says of: hears about": 5,
    "but for: except": 1,
}


class Place(NamedTuple):
    """Where a text stands, and what was seen there."""

    path: Path
    line: int
    seen: str


class Text(NamedTuple):
    """A text for people, and the line on which it begins."""

    path: Path
    line: int
    words: str


def sources(root: Path) -> list[Path]:
    """Return every file that a person wrote, as a path from the root."""
    found: list[Path] = []
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if name not in NOT_OURS and not name.startswith(".")]
        found += [(Path(folder) / name).relative_to(root) for name in files]
    return sorted(found)


def docstrings(path: Path, source: str, *, of_modules: bool) -> Iterator[Text]:
    """Yield the docstrings of a file's classes and functions, and of the module itself if asked."""
    kinds = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef, *([ast.Module] if of_modules else []))
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, kinds) and (words := ast.get_docstring(node)) is not None:
            yield Text(path, node.body[0].lineno, words)


def phrases(text: Text) -> Iterator[tuple[str, Place]]:
    """Yield each forbidden phrase in a text with its place."""
    for name, pattern in PHRASES.items():
        for found in re.finditer(pattern, text.words, re.MULTILINE):
            line = text.line + text.words.count("\n", 0, found.start())
            yield name, Place(text.path, line, text.words[max(0, found.start() - 20) : found.end() + 20])


def places(root: Path) -> tuple[dict[str, list[Place]], int]:
    """Return the places of each fault, and the number of docstrings that should begin with a verb."""
    found: dict[str, list[Place]] = defaultdict(list)
    count = 0
    for path in sources(root):
        if path.suffix == ".py" and path.parts[0] in ROOMS:
            source = (root / path).read_text("utf-8")
            texts = list(docstrings(path, source, of_modules=True))
            begun = list(docstrings(path, source, of_modules=False))
            count += len(begun)
            found[FIRST_WORD] += [Place(*text[:2], text.words[:60]) for text in begun if CLAUSE.match(text.words)]
        elif (path.suffix == ".md" and not str(path).startswith(OLD)) or path in WORDS:
            texts = [Text(path, 1, (root / path).read_text("utf-8"))]
        else:
            continue
        for name, place in (one for text in texts for one in phrases(text)):
            found[name].append(place)
    return found, count


def main() -> int:
    """Count, and print what is too much."""
    parser = argparse.ArgumentParser(description="look for our dialect in docstrings and documents")
    parser.add_argument("--list", action="store_true", help="print every place, not only what is too much")
    everything = parser.parse_args().list
    found, count = places(ROOT)
    too_much = False
    for name in (FIRST_WORD, *PHRASES):
        least = int(SHARE_MAX * count) if name == FIRST_WORD else 0
        allowed, seen = max(least, ALLOWED.get(name, 0)), found[name]
        too_much |= len(seen) > allowed
        if everything or len(seen) > allowed:
            for place in seen:
                print(f"{place.path}:{place.line}: {' '.join(place.seen.split())}")
        if seen or everything:
            print(f"{len(seen):4} of {allowed:4} allowed: {name}")
    if too_much:
        print("write it in plain English; if you lowered a number elsewhere, no number in ALLOWED may rise for it")
    return 1 if too_much else 0


if __name__ == "__main__":
    sys.exit(main())
