// Whether people have begun with something else, so that nobody looks at what was shown of the act before.

import type { Seen } from "./seen";

function wrong({ status }: Seen): number {
  return status.disagreements.filter(({ state }) => state === "wrong").length;
}

/** Report whether since a moment an act has begun, an alarm was given, or the table is put back or cleared. */
export function nextBegan(before: Seen, now: Seen): boolean {
  if (now.restoring || now.clearing || wrong(now) > wrong(before)) return true;
  const known = new Set(before.trying.map(({ action }) => action));
  return now.trying.some(({ action }) => !known.has(action));
}
