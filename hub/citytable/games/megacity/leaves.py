"""The small values of MegaCity as text: `1/-1`, `14/public`, `steel:5,glass:2`."""

import re

from citytable.games.megacity.position import MATERIALS, TYPES, Face, Pieces
from citytable.rules.errors import Misspelt
from citytable.rules.notation import Leaf
from citytable.rules.sentences import Sentences
from citytable.table.hexes import Hex, hex_from_text

_COUNTS = (*MATERIALS, "unknown")
_SENTENCES = Sentences(__package__, "leaves.json")


def _hex(text: str) -> Hex:
    try:
        return hex_from_text(text)
    except ValueError:
        raise Misspelt(_SENTENCES.text("hex", seen=repr(text))) from None


def face_to_text(face: Face) -> str:
    """Write `14/public`: platform 14 with its public side up."""
    return f"{face.platform}/{face.up}"


def face_from_text(text: str) -> Face:
    """Read `14/public`; raises `Misspelt`."""
    match = re.fullmatch(rf"([0-9]+)/({'|'.join(TYPES)})", text)
    if match is None:
        raise Misspelt(_SENTENCES.text("face", seen=repr(text)))
    return Face(int(match[1]), match[2])  # type: ignore[arg-type]  # the pattern holds the types


def pieces_to_text(pieces: Pieces) -> str:
    """Write `steel:5,glass:2`; `none` for no pieces."""
    counts = [f"{name}:{count}" for name in _COUNTS if (count := getattr(pieces, name))]
    return ",".join(counts) or "none"


def pieces_from_text(text: str) -> Pieces:
    """Read `steel:5,glass:2`; raises `Misspelt`."""
    if text == "none":
        return Pieces()
    counts: dict[str, int] = {}
    for part in text.split(","):
        match = re.fullmatch(r"([a-z]+):([0-9]+)", part)
        if match is None or match[1] not in _COUNTS or match[1] in counts:
            raise Misspelt(_SENTENCES.text("pieces", seen=repr(part), within=repr(text), counts=", ".join(_COUNTS)))
        counts[match[1]] = int(match[2])
    return Pieces(**counts)


LEAVES: dict[type, Leaf] = {
    Hex: Leaf(str, _hex),
    Face: Leaf(face_to_text, face_from_text),
    Pieces: Leaf(pieces_to_text, pieces_from_text, composite=True),
}
