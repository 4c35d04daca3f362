// The city as an architect's model: a list of simple blocks. x and z lie on the table, y is up; the units are those of hexes.ts.

import { ghostMm, type Cell } from "./cells";
import { centre, RADIUS } from "./hexes";
import type { Tile } from "./board";
import { typeColour } from "./types";

export type Shape = "prism" | "cone";
export type Stuff = "solid" | "glass" | "ghost"; // ghost: not confirmed

/** A six-sided prism or a cone that stands at (x, y, z). */
export interface Block {
  shape: Shape;
  stuff: Stuff;
  colour: string;
  x: number;
  y: number;
  z: number;
  radius: number;
  height: number;
  turn: number; // in radians
  lean?: number; // in radians, towards `heading`
  heading?: number;
}

export const SLAB = 12;
const RISE = 2; // units for a millimetre: what is built stands out, all of it alike
const BASE = "#2b4c56";
const STONE = "#ddd6c6";
const STEEL = "#8497a1";
const GLASS = "#a9dbe4";
const CARD = "#f3eee2"; // of a building whose pieces nobody knows
const LAWN = "#2c7a5a";
const TREE = "#3f9a70";
const MARBLE = "#f3eee2";
const STOREY_MM = 9;
const STOREYS_MAX = 14;

/** Return a place on the table; its y is up. */
export function foot(cell: Cell): { x: number; z: number } {
  const { x } = centre(cell.hex);
  return { x, z: RADIUS * Math.sqrt(3) * (cell.hex.r + cell.hex.q / 2) };
}

/** Return the materials of the storeys from the ground up, mixed as evenly as their numbers allow. */
export function storeysOf(tile: Tile): string[] {
  const known = { concrete: tile.concrete, steel: tile.steel, glass: tile.glass };
  const total = known.concrete + known.steel + known.glass;
  const storeys = Math.max(1, Math.min(STOREYS_MAX, total || Math.round((tile.height_mm ?? 20) / STOREY_MM)));
  if (!total) return Array<string>(storeys).fill("card");
  const due: Record<string, number> = { concrete: 0, steel: 0, glass: 0 };
  return Array.from({ length: storeys }, () => {
    for (const [name, n] of Object.entries(known)) due[name]! += n / total;
    const next = Object.keys(due).reduce((best, name) => (due[name]! > due[best]! + 1e-9 ? name : best));
    due[next]! -= 1;
    return next;
  });
}

const LOOKS: Record<string, { colour: string; stuff: Stuff; wide: number }> = {
  concrete: { colour: STONE, stuff: "solid", wide: 1 },
  steel: { colour: STEEL, stuff: "solid", wide: 0.84 },
  glass: { colour: GLASS, stuff: "glass", wide: 0.9 },
  card: { colour: CARD, stuff: "solid", wide: 1 },
};

function building(cell: Cell, tile: Tile): Block[] {
  const at = foot(cell);
  const type = typeColour(tile.colour);
  const slab: Block = { shape: "prism", stuff: "solid", colour: type, ...at, y: 0, radius: 84, height: SLAB, turn: 0 };
  if (!tile.standing) return [slab, ...rubble(at)];
  const storeys = storeysOf(tile);
  const high = ((tile.height_mm ?? 20) * RISE) / storeys.length;
  const body = storeys.map((name, k): Block => {
    const { colour, stuff, wide } = LOOKS[name]!;
    return { shape: "prism", stuff, colour, ...at, y: SLAB + k * high, radius: 60 * wide, height: high * 0.94, turn: 0 };
  });
  const roof: Block = { shape: "prism", stuff: "solid", colour: type, ...at, y: SLAB + storeys.length * high, radius: 62, height: 4, turn: 0 };
  return [slab, ...body, roof];
}

function rubble(at: { x: number; z: number }): Block[] {
  const lying = [[-34, 8, 22, 10, 0.3], [26, -22, 18, 14, 0.9], [8, 24, 24, 8, 1.4], [-6, -10, 16, 20, 0.6]] as const;
  return lying.map(([dx, dz, radius, height, turn]) => ({ shape: "prism", stuff: "solid", colour: STONE, x: at.x + dx, y: SLAB, z: at.z + dz, radius, height, turn }));
}

function park(cell: Cell, tile: Tile): Block[] {
  const at = foot(cell);
  const trees = [[-44, -22, 21, 44], [-14, -44, 18, 38], [34, -30, 22, 48], [46, 14, 17, 36], [-48, 20, 17, 34]] as const;
  const grown = trees.map(([dx, dz, radius, height]): Block => ({ shape: "cone", stuff: "solid", colour: TREE, x: at.x + dx, y: SLAB, z: at.z + dz, radius, height, turn: dx }));
  const stone: Block[] = tile.monument
    ? [
        { shape: "prism", stuff: "solid", colour: MARBLE, ...at, y: SLAB, radius: 20, height: 8, turn: 0 },
        { shape: "cone", stuff: "solid", colour: MARBLE, ...at, y: SLAB + 8, radius: 13, height: 92, turn: 0 },
      ]
    : [];
  return [{ shape: "prism", stuff: "solid", colour: LAWN, ...at, y: 0, radius: 84, height: SLAB, turn: 0 }, ...grown, ...stone];
}

function supposed(cell: Cell): Block[] {
  const uncertain = cell.ghost!;
  const at = foot(cell);
  const colour = typeColour(uncertain.type);
  const high = ghostMm(uncertain) * RISE;
  return [
    { shape: "prism", stuff: "ghost", colour, ...at, y: 0, radius: 84, height: SLAB, turn: 0 },
    { shape: "prism", stuff: "ghost", colour, ...at, y: SLAB, radius: 60, height: high, turn: 0 },
  ];
}

/** Return the height of a roof above the table, in units of the drawing. */
export function roofOf({ tile, ghost }: Cell): number {
  if (tile?.kind === "platform") return SLAB + (tile.standing ? (tile.height_mm ?? 20) * RISE + 4 : 14);
  return ghost && !tile ? SLAB + ghostMm(ghost) * RISE : SLAB;
}

/** Return what stands on a hex out of the light: all of it in the colour of the base. */
function inTheDark(cell: Cell): Block[] {
  return standing(cell).map((block) => ({ ...block, colour: BASE }));
}

/** Return everything that stands on a hex, and the hex itself, which is a plate of the base. */
export function blocksOf(cell: Cell): Block[] {
  const plate: Block = { shape: "prism", stuff: "solid", colour: BASE, ...foot(cell), y: -8, radius: 97, height: 8, turn: 0 };
  return [plate, ...standing(cell)];
}

function standing(cell: Cell): Block[] {
  if (cell.tile?.dark) return inTheDark({ ...cell, tile: { ...cell.tile, dark: false } });
  if (cell.tile) return cell.tile.kind === "platform" ? building(cell, cell.tile) : park(cell, cell.tile);
  return cell.ghost ? supposed(cell) : [];
}
