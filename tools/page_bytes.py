"""Print the bytes of each page's first load on the wire, with gzip, and exit with 1 if a page exceeds its limit.

They are what a browser fetches until the page stands there in the language with the longest words: the page, its
scripts and styles, the game's, words and letters, each with its headers. The built screens say which files these are
(`hub/citytable/views/static/.vite/manifest.json`).
"""

import json
import sys
from pathlib import Path

STATIC = Path(__file__).resolve().parents[1] / "hub/citytable/views/static"
HEADERS_BYTES = 330  # of a file, as the hub sends it
ENTRY = "core"  # what every page starts with
GAME, PHONE = "megacity", "phone"  # files of several parts go by their names
MARKET = "src/games/megacity/Market.svelte"
MODEL = "src/games/megacity/CityModel.svelte"
CORE, OF_GAME, ON_AIR = "", "games/megacity", "overlay"  # sections of words
OVERLAY = ("src/overlay/Overlay.svelte", "src/games/megacity/overlay.ts")
PAGES = {
    **{
        f"seat of {game}": ("index.html", (PHONE, game), (CORE, f"games/{game}"), "archivo-numerals", 60_000)
        for game in (GAME, "comeback", "dilluvia")
    },
    "wall": ("index.html", ("src/parts/Display.svelte", GAME, MODEL, MARKET), (CORE, OF_GAME), "archivo", 220_000),
    "overlay": ("overlay.html", (GAME, *OVERLAY), (CORE, OF_GAME, ON_AIR), "archivo", 82_000),
}


def files_of(manifest: dict[str, dict[str, list[str]]], entries: tuple[str, ...]) -> set[str]:
    """Return the files of these entries and of everything that they import at once."""
    files: set[str] = set()
    shared = {chunk.get("name"): key for key, chunk in manifest.items() if key.startswith("_") and key.endswith(".js")}
    wanted = [shared.get(entry, entry) for entry in entries]
    seen: set[str] = set()
    while wanted:
        name = wanted.pop()
        if name in seen:
            continue
        seen.add(name)
        chunk = manifest[name]
        files.update([str(chunk["file"]), *chunk.get("css", [])])
        wanted += chunk.get("imports", [])
    return files


def words_of(section: str, language: str) -> str:
    """Return the name by which the manifest knows the words of a section."""
    return f"src/{section and section + '/'}words/en.json" if language == "en" else f"words-in:{language}:{section}"


def bytes_of(file: Path) -> int:
    """Return the bytes of a file as a browser fetches it."""
    compressed = file.with_name(f"{file.name}.gz")
    return (compressed if compressed.exists() else file).stat().st_size


def main() -> int:
    """Print a line for each page."""
    manifest = json.loads((STATIC / ".vite/manifest.json").read_text())
    fonts = next(chunk["assets"] for chunk in manifest.values() if chunk.get("name") == ENTRY)
    over = 0
    languages = ("en", *sorted({name.split(":")[1] for name in manifest if name.startswith("words-in:")}))
    for page, (html, parts, sections, letters, most) in PAGES.items():
        font = next(name for name in fonts if name.split("/")[-1].rpartition("-")[0] == letters)
        spoken = [tuple(words_of(section, language) for section in sections) for language in languages]
        loads = [files_of(manifest, (ENTRY, *parts, *words)) | {font, html} for words in spoken]
        totals = {sum(HEADERS_BYTES + bytes_of(STATIC / name) for name in files): files for files in loads}
        total = max(totals)
        files = totals[total]
        over += total > most
        print(f"{page}: {total} bytes on the wire in {len(files)} files, at most {most}")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
