// How a building falls, as far as it is known: its pieces leave it from the top when the load on its hex says so. Where to, no
// sensor tells; every hex has a direction of its own.

import type { Collapse, Seen } from "../../../lib/seen";
import { leftAt } from "../../../replay/replay";
import { boardOf, contractsOf, type Tile } from "../board";
import { blocksOf, foot, SLAB, type Block } from "../blocks";
import { cells, type Cell } from "../cells";

const GRAVITY = 19_620; // units for a second, twice: a millimetre is two units
const ALONE_MM = 40; // of a building that nobody measured and no contract describes
const PARK_STONES = 2; // the blocks of a monument

/** Return the city as it stood before a fall: what lies around is in the dark, and nothing stands before it. */
export function stood(seen: Seen, fell: Collapse): Cell[] {
  const city = cells({ ...seen, scene: fell.before, lights: [], live: [], trying: [] });
  const fallen = city.find(({ spot }) => spot === fell.spot);
  return city.map((cell) => {
    if (!cell.tile || !fallen) return cell;
    if (cell === fallen) return { ...cell, tile: measured(cell.tile, fell) };
    return { ...cell, tile: foot(cell).z > foot(fallen).z ? null : { ...cell.tile, dark: true } };
  });
}

/** Return a tile with the height that its contract asks for, where nobody has measured it. */
function measured(tile: Tile, fell: Collapse): Tile {
  if (tile.kind !== "platform" || tile.height_mm !== null) return tile;
  const cards = boardOf(fell.before).areas.flatMap((area) => contractsOf(area));
  return { ...tile, height_mm: cards.find(({ name }) => name === tile.contract)?.height_mm ?? ALONE_MM };
}

/** Return how many of the upper blocks of a hex fell. */
export function fallen(cell: Cell, after: Tile | undefined): number {
  const { tile } = cell;
  if (!tile) return 0;
  if (tile.kind !== "platform") return tile.monument ? PARK_STONES : 0;
  const above = blocksOf(cell).length - 2; // without the hex and the platform
  if (!after?.standing) return above;
  const pieces = (one: Tile): number => one.steel + one.concrete + one.glass;
  const share = pieces(tile) ? 1 - pieces(after) / pieces(tile) : 0.3;
  return Math.min(above - 1, Math.max(1, Math.round(above * share)));
}

/** Return the blocks of a hex at a time of its fall; `count` of them fall, and the topmost goes first. */
export function falling(cell: Cell, count: number, load: Collapse["load"], at_ms: number): Block[] {
  const blocks = blocksOf(cell);
  const first = blocks.length - count;
  return blocks.map((block, k) => {
    const order = blocks.length - k; // 1 is the topmost
    const flown_s = k < first ? 0 : (at_ms - leftAt(load, order / (count + 1))) / 1000;
    return flown_s > 0 ? flying(block, order, headingOf(cell), flown_s) : block;
  });
}

function headingOf({ hex }: Cell): number {
  return ((hex.q * 7 + hex.r * 13) % 6) * (Math.PI / 3) + 0.5;
}

/** Return a block that has been falling for some time: it turns in the air, and comes to rest beside or on what fell before. */
function flying(block: Block, order: number, heading: number, flown_s: number): Block {
  const way = heading + Math.sin(order * 2.4) * 0.9;
  const reach = 66 + ((order * 37) % 70);
  const radius = block.radius * 0.72; // of a single piece rather than of a storey
  const floor = (reach < 84 ? SLAB : 0) + (order % 3) * 7;
  const down_s = Math.sqrt((2 * Math.max(1, block.y - floor)) / GRAVITY);
  const part = Math.min(1, flown_s / down_s);
  const rolled = Math.min(1, flown_s / (down_s * 1.6));
  const y = Math.max(floor, block.y - (GRAVITY * flown_s * flown_s) / 2);
  const lean = Math.sin(part * Math.PI) * 1.1 + 0.24 * part * ((order % 3) - 1);
  return { ...block, x: block.x + Math.cos(way) * reach * rolled, z: block.z + Math.sin(way) * reach * rolled, y, radius, lean, heading: way };
}
