"""The small values of Dilluvia Project as text: `5/11`, `white:2,purple:1`."""

import re

from citytable.games.dilluvia.cells import Cell, cell_from_text
from citytable.games.dilluvia.position import Cubes
from citytable.games.dilluvia.values import COLOURS
from citytable.languages.sentences import Sentences
from citytable.rules.errors import Misspelt
from citytable.rules.notation import Leaf

_SENTENCES = Sentences(__package__, "leaves.json")


def cubes_to_text(cubes: Cubes) -> str:
    """Write `white:2,purple:1`, or `none`."""
    return ",".join(f"{colour}:{count}" for colour in COLOURS if (count := cubes.of(colour))) or "none"


def cubes_from_text(text: str) -> Cubes:
    """Read the same; raises `Misspelt`."""
    counts: dict[str, int] = {}
    for part in () if text == "none" else text.split(","):
        match = re.fullmatch(rf"({'|'.join(COLOURS)}):(\d{{1,3}})", part)
        if match is None or match[1] in counts:
            raise Misspelt(_SENTENCES.text("cubes", seen=repr(text)))
        counts[match[1]] = int(match[2])
    return Cubes(**counts)


LEAVES: dict[type, Leaf] = {
    Cell: Leaf(str, cell_from_text),
    Cubes: Leaf(cubes_to_text, cubes_from_text, composite=True),
}
