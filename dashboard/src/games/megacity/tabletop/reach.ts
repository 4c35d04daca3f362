// Which act of the hands a movement is: something that is held, and the place where it is put.
// The acts are those of docs/reference/hands.md. No rule is looked at: a hand can do what the game forbids.

import type { Held } from "../../../tabletop/holding.svelte";
import type { Board } from "../board";
import { hexOf } from "../hexes";

export interface Asked {
  act: string;
  fields: Record<string, unknown>;
}

/** Places that are no spots of the table: one's own pieces, and the contracts that one has completed. */
export const PIECES = "pieces";
export const COMPLETED = "completed";

/** Return what the hands of a seat are asked to do; null where that movement means nothing. */
export function asked(held: Held, place: string, seat: number, laid: string): Asked | null {
  switch (held.kind) {
    case "thing":
      if (place === COMPLETED) return held.of.startsWith("contract/") ? { act: "finish_contract", fields: { seat, contract: held.of.slice(9) } } : null;
      return place === PIECES ? null : { act: "carry", fields: { seat, thing: held.of, spot: place } };
    case "piece":
      return place === PIECES || place === COMPLETED ? null : { act: "add_piece", fields: { seat, piece: Number(held.of), spot: place, laid } };
    case "cube":
      return place.startsWith("seat/") ? { act: "add_cube", fields: { seat, spot: place } } : null;
    case "top":
      return place === PIECES ? { act: "take_off", fields: { seat, spot: held.of } } : null;
    case "draw":
      return place === PIECES ? { act: "take_pieces", fields: { seat, announced: held.of || null } } : null;
    case "park": {
      const hex = hexOf(place);
      return hex && { act: "place_park", fields: { seat, at: [hex.q, hex.r] } };
    }
    default:
      return null;
  }
}

/** Return the spots of the market's columns, in the order in which the wall shows them. */
export function columnsOf(board: Board | null): string[] {
  return Object.keys(board?.columns ?? {}).map((type) => `supply/contract/${type}`);
}
