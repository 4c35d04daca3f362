// Dilluvia Project's part of a scene: `hub/citytable/games/dilluvia/board.py` makes it. What is at its default is left out.

import type { Scene } from "../../lib/seen";

/** What lies on spaces of the city, which are named by column and row: "5/6". */
export interface Ground {
  kind: "terrain" | "building" | "garden" | "propeller" | "centre";
  cells: string[];
  owner?: number;
  building?: string; // such as 3A
  cube?: "first" | "second";
  price?: number; // of a propeller for sale
}

/** A market tile. */
export interface Tile {
  tile: number;
  kind: string;
  space?: number; // on the market, from 1
  price?: number; // for the shopper
  five?: boolean;
  used?: boolean;
}

/** A round spot of an action space. */
export interface Spot {
  player?: number;
  workers?: number;
  special?: boolean;
  aero?: boolean; // it costs 1 Aero
  limit?: number; // of workers
}

/** One player's mat and supplies; `cubes` are white, black, brown, purple. */
export interface Mat {
  seat: number;
  aeros: number;
  cubes: number[];
  prestige: number;
  per_ten: number;
  money: number;
  resources: number;
  renown: number;
  workers: number;
  special: boolean;
  tiles?: Tile[];
  zeppelin?: string;
}

/** A building that may be erected now: its cost by colour, and what each square brings: Aeros, cubes, prestige, workers. */
export interface Building {
  name: string;
  cost: number[];
  squares: number[][];
}

/** The whole board. */
export interface Board {
  order: number[];
  grid: [number, number]; // the first and the last row of the city
  ground: Ground[];
  market: Tile[];
  spaces: Record<string, Spot[]>;
  mats: Mat[];
  printed?: string[]; // of turn 7
  taken?: number[];
  aside?: Tile[];
  stack?: number;
  due?: string;
  due_count?: number;
  due_more?: number;
  buildings?: Building[]; // while somebody constructs
  kinds?: string[]; // of all market tiles, by their numbers from 1
  idle?: string[]; // action spaces where workers of the player to act could do nothing now
}

/** Return the tiles of the market by their spaces. */
export function tilesOf(board: Board): Map<number, Tile> {
  return new Map(board.market.map((tile) => [tile.space!, tile]));
}

/** Return the board of a scene of this game. */
export function boardOf(scene: Scene): Board {
  return scene.board as Board;
}
