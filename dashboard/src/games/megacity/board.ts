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
  steel: number; // pieces of the building, as far as known
  concrete: number;
  glass: number;
  contract?: string; // that a building was delivered for
  dark?: boolean; // not lit yet, at the end of a game
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
  pieces: number; // at least
  maybe?: number; // more that may be there or not; missing if their number is known
  open_contracts: Card[];
  platforms: string[]; // things on the pads
  completed: number; // contracts
  park_in_hand: boolean;
  delivering?: Card[]; // contracts of a delivery that is not confirmed; missing if there is none
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
  bag: number; // pieces, at least
  bag_maybe?: number; // more that may be there
  guesses?: Guess[]; // after the game
}

/** What of the final score rests on a guess, because nobody counted the pieces that are left. */
export interface Guess {
  reason: string; // leftover or winners
  seats: number[]; // whose pieces they are, or who may have won
  least: number; // points
  most: number;
}

/** Return a number of pieces as it is known: "5", or "5–6". */
export function piecesText(least: number, maybe = 0): string {
  return maybe ? `${least}–${least + maybe}` : String(least);
}

/** Return the contracts in front of a player, the one of a delivery that is not confirmed first. */
export function contractsOf(area: Area | undefined): Card[] {
  return [...(area?.delivering ?? []), ...(area?.open_contracts ?? [])];
}

/** Return MegaCity's board; these screens are used for no other game. */
export function boardOf(scene: Scene): Board {
  return scene.board as Board;
}

/** Return the area of the player at a seat. */
export function areaOf(scene: Scene, seat: number): Area | undefined {
  return boardOf(scene).areas.find((area) => area.seat === seat);
}
