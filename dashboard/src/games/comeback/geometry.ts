// Where the places of the city lie on its drawing: columns side by side, the plant, lines and roads at their foot.

import type { Board } from "./board";

export const COLUMNS = 6;
export const WIDE = 120;
/** How high a card is drawn where the drawing may have any height. */
export const HIGH = 72;
const HIGHEST = 150;
export const STRIP = 27; // of the roads and the lines
export const PLANT = 42;
export const FOOT = 2 * STRIP + PLANT;
export const EDGE = 6;
/** The lowest row of buildings; below it are roads, lines and the plant. */
export const FIRST_ROW = 4;

/** Return the highest row that is drawn: one above the highest building. */
export function topRow(board: Board): number {
  return Math.max(7, ...board.cells.map((cell) => cell.row + 1));
}

export function heightOf(top: number, high: number): number {
  return (top - FIRST_ROW + 1) * high + FOOT;
}

/** Return the height of a card with which the drawing fills a room of `across` by `down`. */
export function filling(top: number, across: number, down: number): number {
  const room = (COLUMNS * WIDE + 2 * EDGE) * (across ? down / across : 1) - 2 * EDGE - FOOT;
  return Math.min(HIGHEST, Math.max(HIGH * 0.8, room / (top - FIRST_ROW + 1)));
}

/** Return the part of the drawing that is seen. */
export function viewBox(top: number, high: number): string {
  return `${-EDGE} ${-EDGE} ${COLUMNS * WIDE + 2 * EDGE} ${heightOf(top, high) + 2 * EDGE}`;
}

export function x(column: number): number {
  return (column - 1) * WIDE;
}

/** Return the upper edge of a row. */
export function y(row: number, top: number, high: number): number {
  return row >= FIRST_ROW ? (top - row) * high : heightOf(top, high) - PLANT - (row - 1) * STRIP;
}
