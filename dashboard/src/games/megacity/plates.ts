// Labels: those that have to be read are moved apart, no further than it takes; others are left out where they have no room.

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
  return { wide: (0.46 * text.length + 0.3 + more) * size, high: 1.12 * size };
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

/** A label of a thing. */
export interface Label extends Plate {
  spot: string;
  must: boolean; // it has to be read, wherever it stands
  front?: Plate; // where it may stand on its own thing
  onFront?: boolean; // it stands there
}

/** The part of the picture that a thing takes. */
export interface Outline extends Plate {
  spot: string;
}

const HIDDEN_MOST = 0.2; // of a thing that a label may cover

function shared(a: Plate, b: Plate): number {
  const across = (a.wide + b.wide) / 2 - Math.abs(a.x - b.x);
  const down = (a.high + b.high) / 2 - Math.abs(a.y - b.y);
  return across > 0 && down > 0 ? across * down : 0;
}

const ASIDE = [0, 0.2, -0.2, 0.4, -0.4]; // of its width, nearest first
const FRONT_HIDES_MOST = 0.04; // of a nearer thing: its roof has the cube of its owner

const foot = (thing: Plate): number => thing.y + thing.high / 2;

/** Move labels a little aside or onto the front of their things where that helps, and return those that can be read and do not hide the city; the first ones come first. */
export function readable<L extends Label>(labels: readonly L[], things: readonly Outline[]): L[] {
  const kept = labels.filter(({ must }) => must);
  moveApart(kept);
  const isFree = (plate: Plate): boolean => !kept.some((other) => shared(plate, other));
  const hides = (plate: Plate, most: number, others: readonly Outline[]): boolean =>
    others.some((thing) => shared(plate, thing) > most * thing.wide * thing.high);
  const leftOut: L[] = [];
  for (const label of labels) {
    if (label.must) continue;
    const others = things.filter(({ spot }) => spot !== label.spot);
    const at = ASIDE.map((share) => ({ ...label, x: label.x + share * label.wide })).find((plate) => isFree(plate) && !hides(plate, HIDDEN_MOST, others));
    if (at) kept.push(Object.assign(label, at));
    else leftOut.push(label);
  }
  for (const label of leftOut) {
    const own = things.find(({ spot }) => spot === label.spot);
    const nearer = things.filter((thing) => own && thing !== own && foot(thing) > foot(own));
    if (label.front && isFree(label.front) && !hides(label.front, FRONT_HIDES_MOST, nearer))
      kept.push(Object.assign(label, label.front, { onFront: true }));
  }
  return kept;
}
