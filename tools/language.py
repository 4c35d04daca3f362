#!/usr/bin/env python3
"""Write the file of a new language, with every English sentence in it; or add to a file what it lacks.

    python tools/language.py de Deutsch

The file is hub/citytable/languages/de.json. Translate it from top to bottom: what is still in English stays so on the
screens. What is no longer said is taken out.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
HUB, SCREENS = ROOT / "hub/citytable", ROOT / "dashboard/src"
LANGUAGES = HUB / "languages"
TERMINAL = "rehearsal"  # its English sentences stand in the code, and are the keys of every language


def english() -> dict[str, dict[str, str]]:
    """Return every English sentence, by section and key."""
    texts = dict(sorted((*_of_the_hub(), *_of_the_screens(), *_of_the_terminal())))
    return {section: said for section, said in texts.items() if said}


def written(code: str, name: str) -> int:
    """Write or complete the file of a language, and return how many of its sentences are English."""
    path = LANGUAGES / f"{code}.json"
    old: dict[str, Any] = {"singular": [1], "decimal": ".", "texts": {}}
    old |= json.loads(path.read_text("utf-8")) if path.exists() else {}
    texts = {
        section: {key: old["texts"].get(section, {}).get(key, text) for key, text in said.items()}
        for section, said in english().items()
    }
    whole = {"name": name or old["name"], "singular": old["singular"], "decimal": old["decimal"], "texts": texts}
    path.write_text(json.dumps(whole, ensure_ascii=False, indent=2) + "\n", "utf-8")
    return sum(texts[section][key] == text for section, said in english().items() for key, text in said.items())


def _of_the_hub() -> Iterator[tuple[str, dict[str, str]]]:
    for path in HUB.rglob("*.json"):
        if not {"static", "languages"} & set(path.parts):
            section = ".".join(path.relative_to(HUB).with_suffix("").parts)
            yield from _sentences(section, path.name, json.loads(path.read_text("utf-8")))


def _sentences(section: str, name: str, data: Any) -> Iterator[tuple[str, dict[str, str]]]:
    if not isinstance(data, dict):
        return
    if name == "refusals.json" and "refusals" in data:
        yield section, {key: one["en"] for key, one in data["refusals"].items()}
        yield f"{section}.words", data["words"]
    elif name == "paper.json" and all(isinstance(one, dict) for one in data.values()):
        yield section, {key: one["en"] for key, one in data.items()}
    elif all(isinstance(one, str) for one in data.values()):
        yield section, data


def _of_the_screens() -> Iterator[tuple[str, dict[str, str]]]:
    for path in SCREENS.rglob("words/en.json"):
        yield ".".join(("screens", *path.relative_to(SCREENS).parts[:-2])), json.loads(path.read_text("utf-8"))


def _of_the_terminal() -> Iterator[tuple[str, dict[str, str]]]:
    texts = json.loads((LANGUAGES / "fr.json").read_text("utf-8"))["texts"]
    for section, said in texts.items():
        if section.split(".")[0] == TERMINAL:
            yield section, {key: key for key in said}


def main(words: list[str]) -> None:
    """Carry out the command."""
    if not words or len(words) > 2 or not words[0].isalpha() or words[0] == "en":
        sys.exit("usage: python tools/language.py CODE [NAME], for example: python tools/language.py de Deutsch")
    code, name = words[0].lower(), (words[1:] or [""])[0]
    if not name and not (LANGUAGES / f"{code}.json").exists():
        sys.exit(f"there is no language {code} yet: say what its speakers call it, as in: de Deutsch")
    print(f"{LANGUAGES / f'{code}.json'}: {written(code, name)} sentences are the English ones")


if __name__ == "__main__":
    main(sys.argv[1:])
