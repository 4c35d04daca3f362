// The city as a list of hexes, each with everything that is drawn on it.

import { UNITS_PER_MM } from "./column";
import { centre, CITY, distance, RADIUS, spotOf, SQUASH, type Hex } from "./hexes";
import type { Light, Live, Seen, Trying } from "../../lib/seen";
import { boardOf, type Tile } from "./board";
import { deliveryOf, type Delivery } from "./contracts";
import { platformOf } from "./types";

/** An unconfirmed thing on a hex. */
export interface Ghost {
  type: string; // the building type or the kind of thing; "" while it is unknown
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

function ghost(live: Live | undefined, trying: Trying | undefined, delivery: Delivery | null): Ghost | null {
  const thing = live?.thing ?? null;
  if (!trying && thing === null) return null;
  return {
    type: thing === null ? (delivery?.card.colour ?? "") : (platformOf(thing)?.type ?? thing.split("/")[0]!),
    lowMm: delivery?.band?.low ?? live?.low_mm ?? null,
    highMm: delivery?.band?.high ?? live?.high_mm ?? null,
    massG: live?.mass_g ?? null,
    moving: live?.moving ?? false,
    seat: trying?.seat ?? null,
  };
}

/** Return the hexes that are drawn, from the back to the front: those with something on them or a light, and their neighbours. */
export function drawn(city: readonly Cell[]): Cell[] {
  const there = city.filter(({ tile, ghost: uncertain, light }) => tile || uncertain || light);
  if (!there.length) return [...city];
  return city.filter(({ hex }) => there.some(({ hex: other }) => distance(hex, other) <= 1));
}

/** Return the 37 hexes from the back to the front. */
export function cells(seen: Seen): Cell[] {
  const lights = new Map(seen.lights.map((light) => [light.spot, light]));
  const tiles = new Map((seen.scene ? boardOf(seen.scene).tiles : []).map((tile) => [tile.spot, tile]));
  const live = new Map(seen.live.map((spot) => [spot.spot, spot]));
  const delivery = deliveryOf(seen);
  return CITY.map((hex) => {
    const spot = spotOf(hex);
    const here = delivery?.spot === spot ? delivery : null;
    const there = tiles.get(spot) ?? null;
    const tile = here?.band && there?.standing && there.height_mm === null ? null : there; // its height is in question
    const trying = seen.trying.find((action) => action.spots.includes(spot));
    return {
      hex,
      spot,
      light: lights.get(spot) ?? null,
      tile,
      ghost: tile ? null : ghost(live.get(spot), trying, here),
    };
  });
}

/** Return the height of a ghost: the middle of the measured interval, or that of a low block before any measurement. */
export function ghostMm({ lowMm, highMm }: Ghost): number {
  return lowMm === null || highMm === null ? 20 : (lowMm + highMm) / 2;
}

/** Return the known height as a number or an interval, or else the load in grams; always with a question mark. */
export function ghostText({ lowMm, highMm, massG }: Ghost): string {
  if (lowMm === null || highMm === null) return massG === null ? "?" : `${Math.round(massG)} g?`;
  const [low, high] = [Math.floor(lowMm), Math.ceil(highMm)];
  return low === high ? `${low}?` : `${low}–${high}?`;
}

const HALF_DEPTH = RADIUS * 0.87 * SQUASH;
const ABOVE = 105; // room above a roof for its owner's cube and its label
const MARGIN = 12;

/** Return the visible part of the drawing: the hexes that are drawn, with just enough sky for their towers. */
export function viewBox(city: readonly Cell[]): string {
  const places = city.map(({ hex, tile, ghost: uncertain }) => {
    const { x, y } = centre(hex);
    const mm = tile?.standing ? (tile.height_mm ?? 0) : uncertain ? ghostMm(uncertain) : 0;
    return { x, front: y + HALF_DEPTH, back: Math.min(y - HALF_DEPTH, mm ? y - mm * UNITS_PER_MM - ABOVE : y) };
  });
  const left = Math.min(...places.map(({ x }) => x)) - RADIUS - MARGIN;
  const right = Math.max(...places.map(({ x }) => x)) + RADIUS + MARGIN;
  const top = Math.min(...places.map(({ back }) => back)) - MARGIN;
  const bottom = Math.max(...places.map(({ front }) => front)) + MARGIN;
  return [left, top, right - left, bottom - top].map(Math.floor).join(" ");
}
