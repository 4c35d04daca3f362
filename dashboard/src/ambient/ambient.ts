// The quiet time between two games: what is told, and which buildings are lit meanwhile.

import { isWorded, say, type Language } from "../lib/words";

export const PAGE_MS = 9000;
export const LIGHT_MS = 3000;
const LIT_AT_ONCE = 4;

export interface RecordLine {
  key: string;
  value: number;
  seat: number | null;
  name: string; // empty unless its owner agreed
  day: string;
  fresh: boolean; // by the game on the table
}

export interface Records {
  game: string;
  title: string;
  games: number;
  records: RecordLine[];
  playable: { game: string; title: string; players_min: number; players_max: number }[];
}

/** Return the records of the table; null while the hub is away. */
export async function recordsNow(): Promise<Records | null> {
  try {
    const response = await fetch("/api/records");
    return response.ok ? ((await response.json()) as Records) : null;
  } catch {
    return null;
  }
}

/** Return the buildings that are lit at a step: a few at a time, one after the other. */
export function litAt(spots: readonly string[], step: number): Set<string> {
  if (spots.length <= LIT_AT_ONCE) return new Set(spots);
  return new Set(Array.from({ length: LIT_AT_ONCE }, (_, k) => spots[(step + k) % spots.length]!));
}

/** Return the unit of a record; empty if it has none. */
export function unitOf(language: Language, { key }: RecordLine): string {
  const unit = `record.${key}.unit`;
  return isWorded(language, unit) ? say(language, unit) : "";
}

/** Return by whom a record is and since when, as far as it may be said. */
export function ownerText(language: Language, { name, fresh, day }: RecordLine): string {
  const when = fresh ? say(language, "ambient.new") : new Date(day).toLocaleDateString(language, { day: "numeric", month: "short", year: "numeric" });
  return name ? `${name} · ${when}` : when;
}
