"""The small values of MegaCity as text: `1/-1`, `14/public`, `steel:5,glass:2`, `unknown:2-3`."""

import re

from citytable.games.megacity.position import MATERIALS, TYPES, Face, Pieces
from citytable.languages.sentences import Sentences
from citytable.rules.errors import Misspelt
from citytable.rules.notation import Leaf
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
    """Write `steel:5,glass:2`; `none` for no pieces, `unknown:2-3` where a third may be there or not."""
    counts = [f"{name}:{count}" for name in MATERIALS if (count := getattr(pieces, name))]
    if pieces.maybe:
        counts.append(f"unknown:{pieces.unknown}-{pieces.unknown + pieces.maybe}")
    elif pieces.unknown:
        counts.append(f"unknown:{pieces.unknown}")
    return ",".join(counts) or "none"


def pieces_from_text(text: str) -> Pieces:
    """Read `steel:5,glass:2` or `unknown:2-3`; raises `Misspelt`."""
    if text == "none":
        return Pieces()
    counts: dict[str, int] = {}
    for part in text.split(","):
        match = re.fullmatch(r"([a-z]+):([0-9]+)(?:-([0-9]+))?", part)
        if match is None or match[1] not in _COUNTS or match[1] in counts:
            raise Misspelt(_SENTENCES.text("pieces", seen=repr(part), within=repr(text), counts=", ".join(_COUNTS)))
        counts[match[1]] = int(match[2])
        if match[3] is not None:
            counts["maybe"] = int(match[3]) - int(match[2])
            if match[1] != "unknown" or counts["maybe"] <= 0:
                raise Misspelt(_SENTENCES.text("range", seen=repr(part), within=repr(text)))
    return Pieces(**counts)


LEAVES: dict[type, Leaf] = {
    Hex: Leaf(str, _hex),
    Face: Leaf(face_to_text, face_from_text),
    Pieces: Leaf(pieces_to_text, pieces_from_text, composite=True),
}
