// MegaCity at the end: every building is lit when its contract is counted.

import type { Ceremony } from "../../lib/ceremony";
import { boardOf } from "./board";

const ceremony: Ceremony = {
  spotOf: (scene, seat, line) => {
    if (line.reason !== "contract") return "";
    const tile = boardOf(scene).tiles.find(({ contract, owner, standing }) => contract === line.words["contract"] && owner === seat && standing);
    return tile?.spot ?? "";
  },
  lit: (scene, spots) => {
    const tiles = boardOf(scene).tiles.map((tile) => ({ ...tile, dark: !spots.has(tile.spot) }));
    return { ...scene, lights: [], board: { ...boardOf(scene), tiles } };
  },
};

export default ceremony;
