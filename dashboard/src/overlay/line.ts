// The one sentence that onlookers read: what is tried, otherwise what happened last. Instructions to the people at the
// table, and the state of the hardware, are none of it.

import type { Happened, Seen, Trying } from "../lib/seen";

const OF_THE_TABLE = ["sensed.station_went", "sensed.station_came", "sensed.hub_came"];

/** Return the line to show; null while nothing has happened, and once the game has ended: who has won is said above. */
export function lineOf(seen: Seen): Happened | Trying | null {
  if (seen.scene?.ended) return null;
  return seen.trying.at(-1) ?? seen.happened.filter(({ key }) => !OF_THE_TABLE.includes(key)).at(-1) ?? null;
}

/** Report whether a line may still be withdrawn. */
export function isProvisional(line: Happened | Trying): boolean {
  return !("provisional" in line) || line.provisional;
}
