// A box as the hub tells it, and what comes next in it.

import { thingName } from "../lib/table";
import { toldIn, type Language } from "../lib/words";

export interface Row {
  thing: string;
  entered: boolean | null; // null: nothing is printed on it that counts
  places: string[]; // where tags belong on it
  without_tag: string[];
  label: Record<string, string>; // by language; empty where its name tells it from others
}

export interface Box {
  name: string; // "": the table plays with no box of its own
  game: string;
  rows: Row[];
  checks: Record<string, string>[];
  others: { name: string; game: string; things: number }[]; // boxes of which things lie on readers; nobody plays with them
  readers: boolean;
  choosable: boolean; // the host may begin with another box
}

/** Report whether something of a thing is still to be entered. */
export function needs(row: Row, tagged: boolean): boolean {
  return row.entered === false || (tagged && row.without_tag.length > 0);
}

/** Return the next thing to be entered. */
export function nextOf(rows: readonly Row[], tagged: boolean): Row | undefined {
  return rows.find((row) => needs(row, tagged));
}

/** Return the name of a thing in a list. */
export function nameOf(language: Language, row: Row): string {
  return toldIn(language, row.label) || thingName(language, row.thing);
}
