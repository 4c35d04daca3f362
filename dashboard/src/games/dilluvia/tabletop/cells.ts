// What a player may report of the places of the board: a tap on a place chooses among it.

import { valueOf, type Sayable } from "../../../lib/saying";
import { naming } from "../naming";

/** Return these actions by the places of one kind, "city" or "berth", where they happen: "5/6", "left1". The others are left out. */
export function byPlace(told: readonly Sayable[], kind: string): Map<string, Sayable[]> {
  const places = new Map<string, Sayable[]>();
  for (const one of told) {
    const at = valueOf(one, "at");
    if (naming.place!("at", at).startsWith(`${kind}/`)) places.set(at, [...(places.get(at) ?? []), one]);
  }
  return places;
}
