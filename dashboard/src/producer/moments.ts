// The moments that a producer wants to find again in a recording, and when they were.

interface Entry {
  key: string;
  at_us: number;
}

/** Return the entries with one of these keys, the latest first. */
export function momentsOf<E extends Entry>(entries: readonly E[], keys: readonly string[]): E[] {
  return entries.filter(({ key }) => keys.includes(key)).reverse();
}

/** Return the time of day, to the second, by this computer's clock: "20:31:07". */
export function timecode(at_us: number): string {
  const at = new Date(at_us / 1000);
  return [at.getHours(), at.getMinutes(), at.getSeconds()].map((n) => String(n).padStart(2, "0")).join(":");
}
