// An upright hexagonal column: its three visible walls, and its top.

import { corners, type Point } from "./hexes";

export interface Column {
  top: Point[];
  left: Point[];
  front: Point[];
  right: Point[];
  topCentre: Point;
  frontCentre: Point;
  frontWidth: number;
}

/** The length of a millimetre of height in the drawing. */
export const UNITS_PER_MM = 1.45;

/** Return a column of this radius, with the middle of its foot at `foot`. */
export function column(foot: Point, radius: number, height: number): Column {
  const low = corners(foot, radius);
  const raise = ({ x, y }: Point): Point => ({ x, y: y - height });
  const [right, frontRight, frontLeft, left] = low as [Point, Point, Point, Point, Point, Point];
  const wall = (a: Point, b: Point): Point[] => [raise(a), raise(b), b, a];
  return {
    top: low.map(raise),
    left: wall(left, frontLeft),
    front: wall(frontLeft, frontRight),
    right: wall(frontRight, right),
    topCentre: raise(foot),
    frontCentre: { x: foot.x, y: frontLeft.y - height / 2 },
    frontWidth: frontRight.x - frontLeft.x,
  };
}

/** Return lines around the three visible walls, one every `everyMm`: storeys that the eye can count. */
export function storeys(foot: Point, radius: number, heightMm: number, everyMm: number): Point[][] {
  const [right, frontRight, frontLeft, left] = corners(foot, radius) as [Point, Point, Point, Point, Point, Point];
  const lines: Point[][] = [];
  for (let mm = everyMm; mm < heightMm - 2; mm += everyMm)
    lines.push([left, frontLeft, frontRight, right].map(({ x, y }) => ({ x, y: y - mm * UNITS_PER_MM })));
  return lines;
}
