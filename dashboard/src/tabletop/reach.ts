// Which act of the hands a movement of a card or a tile is: docs/reference/hands.md. No rule is looked at.

import type { Hands } from "./hands.svelte";
import type { Held } from "./holding.svelte";

/** How the name of a place begins that is a pile beside the table. */
export const PILE = "pile/";

/** Report whether a station serves a place: what lies in a hand's reach beside the table has no sensor. */
export function isSensed(place: string): boolean {
  return place.includes("/") && !place.startsWith(PILE);
}

/** Ask the hands of a seat to lay what is held on a spot or a pile; the top of a pile goes to a spot only. */
export function move(hands: Hands, seat: number, held: Held, place: string): void {
  if (held.kind === "pile") {
    if (!place.startsWith(PILE)) hands.act("turn_up", { seat, pile: held.of, spot: place });
  } else if (place.startsWith(PILE)) hands.act("lay_off", { seat, thing: held.of, pile: place.slice(PILE.length) });
  else hands.act("move", { seat, thing: held.of, spot: place });
}
