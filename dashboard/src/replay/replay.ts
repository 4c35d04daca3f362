// A fall that was confirmed, shown once more: what of it is shown at which time, and when a page begins and ends with it.

import { nextBegan } from "../lib/begun";
import type { Collapse, Seen } from "../lib/seen";

export const SPAN_MS = 750; // of what happened
export const SHOWN_MS = 3000; // a quarter of the speed
export const LEAD_MS = 250; // before the steepest moment
export const STILL_MS = LEAD_MS + 170; // the moment of the picture for whoever wants no motion

/** Report whether people have begun with something else, so that nobody looks at a replay any more. */
export function interrupted(fell: Collapse, before: Seen, now: Seen): boolean {
  return now.collapse?.no !== fell.no || nextBegan(before, now);
}

/** Return the time at which this share of a fall's load had left, in milliseconds of the load's curve. */
export function leftAt(load: Collapse["load"], share: number): number {
  const first = load?.grams[0] ?? 0;
  const lost = first - Math.min(first, ...(load?.grams ?? []));
  const at = lost > 0 ? load!.grams.findIndex((grams) => grams <= first - share * lost * 0.98) : -1;
  return at < 0 ? LEAD_MS * (1 + 0.8 * share) : load!.t_ms[at]!;
}
