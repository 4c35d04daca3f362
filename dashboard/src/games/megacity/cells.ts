// The city as a list of hexes, each with all that is to be drawn on it. Pure: from what was told to what is drawn.

import { UNITS_PER_MM } from "./column";
import { centre, CITY, spotOf, type Hex } from "./hexes";
import type { Light, Live, Seen, Trying } from "../../lib/seen";
import { boardOf, type Tile } from "./board";
import { platformOf } from "./types";

/** Something lies there that is not confirmed. */
export interface Ghost {
  type: string; // building type, or what else it is; "" while it is not known
  lowMm: number | null;
  highMm: number | null;
  massG: number | null;
  moving: boolean;
  seat: number | null;
}

export interface Cell {
  hex: Hex;
  spot: string;
  light: Light | null;
  tile: Tile | null;
  ghost: Ghost | null;
}

function ghost(live: Live | undefined, trying: Trying | undefined): Ghost | null {
  const thing = live?.thing ?? null;
  if (!trying && thing === null) return null;
  return {
    type: thing === null ? "" : (platformOf(thing)?.type ?? thing.split("/")[0]!),
    lowMm: live?.low_mm ?? null,
    highMm: live?.high_mm ?? null,
    massG: live?.mass_g ?? null,
    moving: live?.moving ?? false,
    seat: trying?.seat ?? null,
  };
}

/** The 37 hexes, from the back to the front. */
export function cells(seen: Seen): Cell[] {
  const lights = new Map(seen.lights.map((light) => [light.spot, light]));
  const tiles = new Map((seen.scene ? boardOf(seen.scene).tiles : []).map((tile) => [tile.spot, tile]));
  const live = new Map(seen.live.map((spot) => [spot.spot, spot]));
  return CITY.map((hex) => {
    const spot = spotOf(hex);
    const tile = tiles.get(spot) ?? null;
    const trying = seen.trying.find((action) => action.spots.includes(spot));
    return {
      hex,
      spot,
      light: lights.get(spot) ?? null,
      tile,
      ghost: tile ? null : ghost(live.get(spot), trying),
    };
  });
}

/** The height to draw a ghost at: the middle of what is measured, or a low block while nothing is. */
export function ghostMm({ lowMm, highMm }: Ghost): number {
  return lowMm === null || highMm === null ? 20 : (lowMm + highMm) / 2;
}

/** The height as it is known: a number, or an interval; without one the load in grams; always as a question. */
export function ghostText({ lowMm, highMm, massG }: Ghost): string {
  if (lowMm === null || highMm === null) return massG === null ? "?" : `${Math.round(massG)} g?`;
  const [low, high] = [Math.floor(lowMm), Math.ceil(highMm)];
  return low === high ? `${low}?` : `${low}–${high}?`;
}

const SIDE = 560;
const BACK = -410; // with nothing on it
const FRONT = 412;
const ABOVE = 70; // room over a roof for what is written on it

/** The part of the drawing that is shown: the whole city, and no more sky than its towers need. */
export function viewBox(city: readonly Cell[]): string {
  const tops = city.map(({ hex, tile, ghost: uncertain }) => {
    const mm = tile?.standing ? (tile.height_mm ?? 0) : uncertain ? ghostMm(uncertain) : 0;
    return centre(hex).y - mm * UNITS_PER_MM - ABOVE;
  });
  const top = Math.floor(Math.min(BACK, ...tops));
  return `${-SIDE} ${top} ${2 * SIDE} ${FRONT - top}`;
}
