// Labels that lie over each other are moved apart, no further than it takes.

/** A label: its middle, and how large it is. */
export interface Plate {
  x: number;
  y: number;
  wide: number;
  high: number;
}

const ROUNDS = 60;

/** Return how large the plate of a text is in letters of this size; `more` is what stands beside the text, in letters' sizes. */
export function sizeOf(text: string, size: number, more = 0): { wide: number; high: number } {
  return { wide: (0.46 * text.length + 0.3 + more) * size, high: 1.06 * size };
}

/** Move plates apart until none covers another, or nearly so. */
export function moveApart(plates: readonly Plate[]): void {
  for (let round = 0; round < ROUNDS; round++)
    plates.forEach((a, k) => {
      for (const b of plates.slice(k + 1)) {
        const [x, y] = [b.x - a.x, b.y - a.y];
        const [across, down] = [(a.wide + b.wide) / 2 - Math.abs(x), (a.high + b.high) / 2 - Math.abs(y)];
        if (across <= 0 || down <= 0) continue;
        const [dx, dy] = across < down ? [(x < 0 ? -across : across) / 2, 0] : [0, (y < 0 ? -down : down) / 2];
        a.x -= dx;
        a.y -= dy;
        b.x += dx;
        b.y += dy;
      }
    });
}
