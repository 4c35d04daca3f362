// The moments that a producer wants to find again in a recording, and when they were.

import type { Happened } from "../lib/seen";

/** Return the confirmed lines with one of these keys, the latest first. */
export function momentsOf(lines: readonly Happened[], keys: readonly string[]): Happened[] {
  return lines.filter(({ key, provisional }) => !provisional && keys.includes(key)).reverse();
}

/** Return all lines that a page has seen, oldest first: the ticker forgets the oldest, but what it corrects is corrected here. */
export function remembered(past: readonly Happened[], ticker: readonly Happened[]): readonly Happened[] {
  const oldest = ticker[0]?.no ?? Infinity;
  return [...past.filter(({ no }) => no < oldest), ...ticker];
}

/** Return the time of day, to the second, by this computer's clock: "20:31:07". */
export function timecode(t_us: number): string {
  const at = new Date(t_us / 1000);
  return [at.getHours(), at.getMinutes(), at.getSeconds()].map((n) => String(n).padStart(2, "0")).join(":");
}
