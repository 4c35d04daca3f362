// How a building falls, as far as it is known: its pieces leave it from the top when the load on its hex says so. Where to, no
// sensor tells: they come forwards, where people see them.

import type { Collapse, Seen } from "../../../lib/seen";
import { leftAt } from "../../../replay/replay";
import { boardOf, contractsOf, type Tile } from "../board";
import { blocksOf, foot, type Block } from "../blocks";
import { cells, type Cell } from "../cells";

const GRAVITY = 19_620; // units for a second, twice: a millimetre is two units
const SLIDE_S = 0.06; // from when a piece begins to slide until the scale no longer feels it
const PIECE = 37; // the radius of a single piece, where the drawing has one storey
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
    const gone_s = k < first ? 0 : (at_ms - leftAt(load, order / (count + 1))) / 1000 + SLIDE_S;
    return gone_s > 0 ? flying(block, order, headingOf(cell), gone_s) : block;
  });
}

/** Return where a building falls to: forwards, where `stood` has made room, to the left or to the right. */
function headingOf({ hex }: Cell): number {
  return (hex.q * 7 + hex.r * 13) % 2 ? 0.62 : Math.PI - 0.62;
}

/**
 * Return a block that left some time ago: it slides over the edge, falls beside what still stands, and comes to rest on what fell
 * before. Three lie side by side.
 */
function flying(block: Block, order: number, heading: number, gone_s: number): Block {
  const [slot, layer] = [(order - 1) % 3, Math.floor((order - 1) / 3)];
  const way = heading + Math.sign(Math.cos(heading)) * ((slot - 1) * 0.5 + (layer % 2) * 0.2);
  const reach = 126 + ((order * 37) % 20);
  const loose = Math.min(1, gone_s / SLIDE_S);
  const radius = block.radius - Math.max(0, block.radius - PIECE) * loose;
  const rest = block.height > 2 * radius ? 1.4 : 0.08 * (slot - 1); // what is tall lies on its side
  const floor = layer * block.height + radius * Math.sin(Math.abs(rest));
  const down_s = Math.sqrt((2 * Math.max(1, block.y - floor)) / GRAVITY);
  const fell_s = Math.max(0, gone_s - SLIDE_S);
  const part = Math.min(1, fell_s / down_s);
  const out = reach * Math.min(1, gone_s / (SLIDE_S + down_s));
  const y = part < 1 ? block.y - (GRAVITY * fell_s * fell_s) / 2 : floor;
  const lean = Math.sin(part * Math.PI) * 0.9 + rest * part;
  return { ...block, x: block.x + Math.cos(way) * out, z: block.z + Math.sin(way) * out, y, radius, lean, heading: way };
}
