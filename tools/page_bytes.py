"""Print the bytes of each page's first load on the wire, with gzip, and exit with 1 if a page exceeds its limit.

They are what a browser fetches until the page stands there in English: the page, its scripts and styles, MegaCity's,
words and letters, each with its headers. The built screens say which files these are
(`hub/citytable/views/static/.vite/manifest.json`).
"""

import json
import sys
from pathlib import Path

STATIC = Path(__file__).resolve().parents[1] / "hub/citytable/views/static"
HEADERS_BYTES = 330  # of a file, as the hub sends it
GAME, PHONE = "megacity", "phone"  # files of several parts go by their names
SAYS = "src/games/megacity/words/en.json"
MODEL = "src/games/megacity/CityModel.svelte"
WORDS = "src/words/en.json"
OVERLAY = ("src/overlay/Overlay.svelte", "src/games/megacity/overlay.ts", "src/overlay/words/en.json")
PAGES = {
    "seat": ("index.html", (PHONE, GAME, SAYS), "archivo-numerals", 60_000),
    "wall": ("index.html", ("src/parts/Display.svelte", GAME, SAYS, MODEL), "archivo", 220_000),
    "overlay": ("overlay.html", (GAME, SAYS, *OVERLAY), "archivo", 82_000),
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


def bytes_of(file: Path) -> int:
    """Return the bytes of a file as a browser fetches it."""
    compressed = file.with_name(f"{file.name}.gz")
    return (compressed if compressed.exists() else file).stat().st_size


def main() -> int:
    """Print a line for each page."""
    manifest = json.loads((STATIC / ".vite/manifest.json").read_text())
    fonts = manifest["index.html"]["assets"]
    over = 0
    for page, (html, parts, letters, most) in PAGES.items():
        font = next(name for name in fonts if name.split("/")[-1].rpartition("-")[0] == letters)
        files = files_of(manifest, ("index.html", WORDS, *parts)) | {font, html}
        total = sum(HEADERS_BYTES + bytes_of(STATIC / name) for name in files)
        over += total > most
        print(f"{page}: {total} bytes on the wire in {len(files)} files, at most {most}")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
