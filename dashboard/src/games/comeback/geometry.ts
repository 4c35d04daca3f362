// Where the places of the city lie on its drawing: columns side by side, the plant, lines and roads at their foot.

import type { Board } from "./board";

export const COLUMNS = 6;
export const WIDE = 120;
export const HIGH = 62;
export const FOOT = 96;
/** The lowest row of buildings; below it are roads, lines and the plant. */
export const FIRST_ROW = 4;

/** Return the highest row that is drawn: one above the highest building. */
export function topRow(board: Board): number {
  return Math.max(7, ...board.cells.map((cell) => cell.row + 1));
}

export function heightOf(top: number): number {
  return (top - FIRST_ROW + 1) * HIGH + FOOT;
}

/** Return the part of the drawing that is seen. */
export function viewBox(top: number): string {
  return `-6 -6 ${COLUMNS * WIDE + 12} ${heightOf(top) + 12}`;
}

export function x(column: number): number {
  return (column - 1) * WIDE;
}

/** Return the upper edge of a row. */
export function y(row: number, top: number): number {
  return row >= FIRST_ROW ? (top - row) * HIGH : heightOf(top) - row * (FOOT / 3);
}
