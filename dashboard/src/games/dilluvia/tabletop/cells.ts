// What a player may report of the spaces of the city: a tap on a space chooses among it.

import { valueOf, type Sayable } from "../../../lib/saying";

/** Return what this seat may report, by the space of the city where it happens; what happens elsewhere is left out. */
export function byCell(told: readonly Sayable[], seat: number): Map<string, Sayable[]> {
  const cells = new Map<string, Sayable[]>();
  for (const one of told) {
    const at = valueOf(one, "at");
    if (one.seat === seat && /^\d+\/\d+$/.test(at)) cells.set(at, [...(cells.get(at) ?? []), one]);
  }
  return cells;
}
