// MegaCity's part of a scene: `hub/citytable/games/megacity/board.py` makes it.

import type { Scene } from "../../lib/seen";

/** One occupied hex of the city. */
export interface Tile {
  spot: string;
  kind: string; // platform, park, central_park
  name: string; // a platform's number
  colour: string; // a platform's building type
  owner: number | null; // a seat
  height_mm: number | null; // measured and confirmed
  standing: boolean; // false after it fell
  tallest: boolean; // carries the marker
  monument: boolean;
}

/** One contract. */
export interface Card {
  name: string;
  colour: string; // its building type
  pieces: number;
  plus: boolean; // that many pieces or more
  height_mm: number;
  requirements: string[];
  prestige: number;
  landmark: boolean;
}

/** The area of one player. */
export interface Area {
  seat: number;
  tokens: number;
  pieces: number;
  open_contracts: Card[];
  platforms: string[]; // things on the pads
  completed: number; // contracts
  park_in_hand: boolean;
}

export interface Board {
  game: "megacity";
  actions_left: number;
  areas: Area[];
  tiles: Tile[];
  supply: string[]; // things
  stack: number; // platforms
  columns: Record<string, Card[]>; // building type -> cards, top card first
  landmarks: Card[]; // laid out and not taken
  bag: number; // pieces
}

/** Return MegaCity's board; these screens are used for no other game. */
export function boardOf(scene: Scene): Board {
  return scene.board as Board;
}

/** Return the area of the player at a seat. */
export function areaOf(scene: Scene, seat: number): Area | undefined {
  return boardOf(scene).areas.find((area) => area.seat === seat);
}
