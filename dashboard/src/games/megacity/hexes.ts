// The places of the city's hexes on the screen. The hexes have flat tops and are seen from above and from the south, so y is
// squashed. All lengths are in units of the drawing, in which a hex has the radius RADIUS.

export interface Hex {
  q: number;
  r: number;
}

export interface Point {
  x: number;
  y: number;
}

export const RADIUS = 100;
export const SQUASH = 0.66;
export const CITY_RADIUS = 3;

/** The 37 hexes of the city from the back row to the front row, so that those in front are drawn last. */
export const CITY: readonly Hex[] = (() => {
  const cells: Hex[] = [];
  for (let q = -CITY_RADIUS; q <= CITY_RADIUS; q++)
    for (let r = -CITY_RADIUS; r <= CITY_RADIUS; r++) if (Math.abs(q + r) <= CITY_RADIUS) cells.push({ q, r });
  return cells.sort((a, b) => centre(a).y - centre(b).y || a.q - b.q);
})();

/** Return how many steps lie between two hexes. */
export function distance(a: Hex, b: Hex): number {
  const [dq, dr] = [a.q - b.q, a.r - b.r];
  return Math.max(Math.abs(dq), Math.abs(dr), Math.abs(dq + dr));
}

/** Return the middle of a hex; Central Park is at the origin. A squash of 1 shows it from above. */
export function centre({ q, r }: Hex, squash = SQUASH): Point {
  return { x: RADIUS * 1.5 * q, y: RADIUS * Math.sqrt(3) * (r + q / 2) * squash };
}

/** Return the six corners of a hex around a point, clockwise on the screen from the right one. A squash of 1 shows it from above. */
export function corners(at: Point, radius: number, squash = SQUASH): Point[] {
  return Array.from({ length: 6 }, (_, k) => ({
    x: at.x + radius * Math.cos((Math.PI / 3) * k),
    y: at.y + radius * Math.sin((Math.PI / 3) * k) * squash,
  }));
}

/** Return points in the format of an SVG polygon. */
export function points(of: readonly Point[]): string {
  return of.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
}

/** Return the hex of a spot of the city, or null for any other spot. */
export function hexOf(spot: string): Hex | null {
  const match = /^city\/(-?\d+)\/(-?\d+)$/.exec(spot);
  return match ? { q: Number(match[1]), r: Number(match[2]) } : null;
}

export function spotOf({ q, r }: Hex): string {
  return `city/${q}/${r}`;
}
