// What a player may report of the places of the board: a tap on a place chooses among it.

import { valueOf, type Sayable } from "../../../lib/saying";
import { naming } from "../naming";

/** Return these actions by the places of one kind, "city" or "berth", where they happen: "5/6", "left1". The others are left out. */
export function byPlace(told: readonly Sayable[], kind: string): Map<string, Sayable[]> {
  return byValue(told.filter((one) => naming.place!("at", valueOf(one, "at")).startsWith(`${kind}/`)), "at");
}

/** Return the ways of placing workers by their action spaces. */
export function bySpace(told: readonly Sayable[]): Map<string, Sayable[]> {
  return byValue(told.filter(({ key }) => key === "action.place"), "space");
}

function byValue(told: readonly Sayable[], name: string): Map<string, Sayable[]> {
  const found = new Map<string, Sayable[]>();
  for (const one of told) {
    const value = valueOf(one, name);
    found.set(value, [...(found.get(value) ?? []), one]);
  }
  return found;
}
