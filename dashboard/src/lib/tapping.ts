// Which of the acts under way somebody may say are right.

import type { Trying } from "./seen";

/** The host all of them (seat null), a player the first ones as far as they are his own or happened on the table. */
export function tappable(trying: Trying[], seat: number | null): Trying[] {
  const other = trying.findIndex((act) => seat !== null && act.seat !== null && act.seat !== seat);
  return other < 0 ? trying : trying.slice(0, other);
}
