// What is drawn of the sky city: all propellers, what was built, and one ring of spaces around it.

import type { Board } from "./board";

/** The height of a space in the drawing. */
export const HIGH = 40;
const WIDEST = 1.6; // on a wide screen the city is seen from the table's edge, and its spaces are wider than high

export interface Frame {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Return the first and last columns and rows that are drawn. */
export function frameOf({ ground, grid: [first, last] }: Board): Frame {
  const within = (n: number): number => Math.min(last, Math.max(first, n));
  const places = ground.flatMap(({ kind, cells }) => {
    const ring = kind === "propeller" || kind === "centre" ? 0 : 1;
    return cells.map((cell) => [...(cell.split("/").map(Number) as [number, number]), ring] as const);
  });
  if (!places.length) return { left: first, right: last, top: first, bottom: last };
  const low = (k: 0 | 1): number => within(Math.min(...places.map((place) => place[k] - place[2])));
  const high = (k: 0 | 1): number => within(Math.max(...places.map((place) => place[k] + place[2])));
  let [left, right] = [low(0), high(0)];
  const [top, bottom] = [low(1), high(1)];
  while (right - left < bottom - top && right - left < last - first) {
    if (left > first && (right === last || right - 7 >= 7 - left)) left -= 1; // the middle stays in the middle
    else right += 1;
  }
  return { left, right, top, bottom };
}

/** Return the width of a space that fills the room it has, `across` by `down`; nothing is measured yet where they are 0. */
export function stretched(across: number, down: number): number {
  return HIGH * (across && down ? Math.min(WIDEST, Math.max(1, across / down)) : 1);
}

/** Return how many more whole rows of `wide` spaces have room below `rows` of them, in `across` by `down`; `edge` is left free on every side. */
export function rowsBelow(across: number, down: number, columns: number, rows: number, wide: number, edge: number): number {
  if (!across || !down) return 0;
  const high = rows * HIGH + 2 * edge;
  const scale = Math.min(across / (columns * wide + 2 * edge), down / high);
  return Math.floor((down / scale - high) / HIGH + 1e-6);
}
