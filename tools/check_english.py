"""Fail when docstrings or documents move away from plain English.

    .venv/bin/python tools/check_english.py

A docstring begins with a verb ("Return", "Raise", "Report"), not with a relative clause ("What is told"): the share of
those that do not stays below `SHARE_MAX`. The phrases below were our dialect, clear only to people who knew it.
"""

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
    "anew: again": r"(?<![-.`])\banew\b(?![?`])",
    "keep hands off: do not touch": r"\b(?:[Kk]eeps?|keeping) hands off\b",
    "look whether: check whether": r"\blook(?:s|ed|ing)? whether\b",
    "called so: of this name": r"\bcalled so\b",
    "nobody is there: is not connected": r"\b(?:if|when|where|while) nobody is there\b",
    "what is made of: how it is treated": r"\bwhat is made of\b",
    "not let in: refused": r"\bnot let in\b",
    "done besides: what else was done": r"\b(?:asked|did|do|done|happened) besides\b",
    "what it makes of the facts: how it changes, answers them": r"\bwhat (?:[\w`']+ ){1,4}makes? of\b",
    "upon: on, after": r"(?<!\b[Oo]nce )\bupon\b",
    "in clear: in clear text": r"\bin clear\b(?! text)",
    "below it stands what to check: the next line says": r"\b(?:stands?|lies?) (?:what|who)\b",
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
    """Print every fault with its place; return 1 if there are any, or too many docstrings begin with a clause."""
    found, count = places(ROOT)
    faults = {name: found[name] for name in PHRASES if found[name]}
    if len(found[FIRST_WORD]) > SHARE_MAX * count:
        faults[FIRST_WORD] = found[FIRST_WORD]
    for name, seen in faults.items():
        for place in seen:
            print(f"{place.path}:{place.line}: {' '.join(place.seen.split())}")
        print(f"{len(seen):4} {name}")
    if faults:
        print("write it in plain English")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
