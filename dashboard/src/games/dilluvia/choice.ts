// What may be chosen now: the tiles in front of the shopper's zeppelin, and the action spaces that are full or free.

import { isWorded, say, type Language } from "../../lib/words";
import { tilesOf, type Board, type Tile } from "./board";

const SIDE = 4;
/** These have no printed spots that could be taken. */
const ENDLESS = ["acquire", "garden", "switch"];

/** Something that the shopper can buy: a tile, or what is printed on a space in turn 7. */
export interface Offer {
  space: number;
  price: number;
  tile?: Tile;
  printed?: string;
}

/** Name a kind of tile in a few words. */
export function short(language: Language, kind: string): string {
  return say(language, isWorded(language, `short.${kind}`) ? `short.${kind}` : `kind.${kind}`);
}

/** Return the spaces in front of a zeppelin such as "left2", the nearest first. */
export function lineOf(berth: string): number[] {
  const k = Number(berth.slice(-1)) - 1;
  const along = Array.from({ length: SIDE }, (_, n) => (/^(left|right)/.test(berth) ? SIDE * k + n : SIDE * n + k) + 1);
  return /^(right|bottom)/.test(berth) ? along.reverse() : along;
}

/** Return what a seat can buy from its line of the market: what is lit, by distance. */
export function offersOf(board: Board, seat: number | null, lit: ReadonlySet<string>): Offer[] {
  const berth = board.mats.find((mat) => mat.seat === seat)?.zeppelin;
  if (!berth) return [];
  const tiles = tilesOf(board);
  return lineOf(berth).flatMap((space, k) => {
    if (!lit.has(`market/${space}`)) return [];
    const tile = tiles.get(space);
    return [{ space, price: tile?.price || k + 1, ...(tile ? { tile } : { printed: board.printed?.[space - 1] ?? "" }) }];
  });
}

/** Return the action spaces whose spots are all taken, and those with one that is free. */
export function spotsLeft(spaces: Board["spaces"]): { full: string[]; free: string[] } {
  const counted = Object.entries(spaces).filter(([space]) => !ENDLESS.includes(space));
  const isFull = ([, spots]: (typeof counted)[number]): boolean => spots.every(({ player }) => player);
  const names = (some: typeof counted): string[] => some.map(([space]) => space);
  return { full: names(counted.filter(isFull)), free: names(counted.filter((one) => !isFull(one))) };
}
