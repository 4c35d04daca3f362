// The unconfirmed actions that a person may confirm with a tap.

import type { Trying } from "./seen";

/** Return all of them for the host (seat null); for a player, the first ones that are their own or happened on the table. */
export function tappable(trying: Trying[], seat: number | null): Trying[] {
  const other = trying.findIndex((act) => seat !== null && act.seat !== null && act.seat !== seat);
  return other < 0 ? trying : trying.slice(0, other);
}
